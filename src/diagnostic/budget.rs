//! The budget of work for one file with all that is read for it: a few words can cost much.

use std::cell::{Cell, RefCell};

use super::{Diagnostic, Source, Span};

/// The most work, in units of about a microsecond: that of the most bytes which a game may send, and of the most lines which a
/// recording may hold.
const WHOLE: usize = 2 << 20;

/// The remaining work, in units of about a microsecond. Every reader spends it, by [`Faults::spend`](super::Faults::spend).
#[derive(Debug)]
pub struct Budget {
    left: Cell<usize>,
    /// The error of a file that takes more.
    error: RefCell<Option<Diagnostic>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(WHOLE)
    }
}

impl Budget {
    /// A budget of so much work.
    #[must_use]
    pub fn of(work: usize) -> Budget {
        Budget {
            left: Cell::new(work),
            error: RefCell::default(),
        }
    }

    /// The error of a file that takes more, once.
    #[must_use]
    pub fn take_error(&self) -> Option<Diagnostic> {
        self.error.take()
    }

    /// Takes work from what is left, for something in that place; `None` where too little is left.
    pub(super) fn spend(&self, work: usize, source: &Source, place: Span) -> Option<()> {
        if self.error.borrow().is_some() {
            return None;
        }
        let left = self.left.get().checked_sub(work);
        self.left.set(left.unwrap_or(0));
        if left.is_none() {
            let title = "this file takes too much work, with its cases and what it includes";
            let error = Diagnostic::error("scenario/too-much", title);
            let error = error.at(source, place, "the limit is reached here");
            let help =
                "split the file, send or repeat less, or leave cases, turns, `any` or includes out";
            self.error.replace(Some(error.help(help)));
        }
        left.map(|_| ())
    }
}
