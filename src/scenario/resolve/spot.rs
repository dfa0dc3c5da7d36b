//! A place that explains another one.

use crate::diagnostic::{Diagnostic, Source, Span};

/// A place in one of the files of a scenario, and what is to be said of it.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) source: Source,
    pub(super) span: Span,
    pub(super) says: String,
}

impl Spot {
    pub(super) fn new(source: &Source, span: Span, says: impl Into<String>) -> Spot {
        Spot {
            source: source.clone(),
            span,
            says: says.into(),
        }
    }

    /// The diagnostic with this place beside its own.
    pub(super) fn context_of(&self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.context(&self.source, self.span, self.says.as_str())
    }
}
