//! One thing to say about a file of the user's.

use std::fmt::{self, Display, Formatter};

use super::{Drawing, Paint, Source, Span, Tone, visible};

/// An error, or a remark, about a file or a flag of the user's: never about a subject.
///
/// ```
/// use urtext::diagnostic::{Diagnostic, Paint, Source, Span};
///
/// let source = Source::new("a.yaml", "gmae: royalur\n");
/// let fault = Diagnostic::error("scenario/unknown-key", "there is no key `gmae` in a scenario")
///     .at(&source, Span::new(0, 4), "not known here")
///     .help("write `game`");
/// assert_eq!(fault.draw(Paint::Plain), "\
/// error[scenario/unknown-key]: there is no key `gmae` in a scenario
///  --> a.yaml:1:1
///   |
/// 1 | gmae: royalur
///   | ^^^^ not known here
///   |
///   = help: write `game`");
/// ```
///
/// As a string it is one line, `a.yaml:1:1: error[…]: …`. Equal are two that say the same of the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    // Boxed because it is the error of many a function, and errors are to be small.
    said: Box<Said>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    severity: Severity,
    code: &'static str,
    title: String,
    file: Option<String>,
    place: Option<Place>,
    context: Vec<Place>,
    footers: Vec<(&'static str, String)>,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used as it is.
    Error,
    /// The file can be used, but probably says something else than was meant.
    Warning,
    /// A remark.
    Note,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    source: Source,
    span: Span,
    label: String,
}

impl Diagnostic {
    /// A fault: the file cannot be used as it is. Codes are stable: `scenario/unknown-key`, `golden/…`.
    #[must_use]
    pub fn error(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Error, code, title.into())
    }

    /// Builds a warning about a probable mistake.
    #[must_use]
    pub fn warning(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Warning, code, title.into())
    }

    /// Builds a remark.
    #[must_use]
    pub fn remark(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Note, code, title.into())
    }

    fn of(severity: Severity, code: &'static str, title: String) -> Diagnostic {
        let (context, footers) = (Vec::new(), Vec::new());
        Diagnostic {
            said: Box::new(Said {
                severity,
                code,
                title,
                file: None,
                place: None,
                context,
                footers,
            }),
        }
    }

    /// Says where; the label stands beside the carets and may be empty.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.said.place = Some(Place {
            source: source.clone(),
            span,
            label: label.into(),
        });
        self
    }

    /// Names the file where there is no place in it to point at.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> Diagnostic {
        self.said.file = Some(name.into());
        self
    }

    /// Points at another place that explains the first, in the same file or in another.
    #[must_use]
    pub fn context(mut self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.said.context.push(Place {
            source: source.clone(),
            span,
            label: label.into(),
        });
        self
    }

    /// Adds a sentence of background.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.said.footers.push(("note", text.into()));
        self
    }

    /// Adds what to write or do instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.said.footers.push(("help", text.into()));
        self
    }

    /// Returns the severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.said.severity
    }

    /// Its stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.said.code
    }

    /// Returns the title, one sentence; hostile characters in it are not escaped yet.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.said.title
    }

    /// The span it is about, where there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.said.place.as_ref().map(|place| place.span)
    }

    /// The source and the span it is about, where there are such.
    #[must_use]
    pub fn place(&self) -> Option<(&Source, Span)> {
        let place = self.said.place.as_ref()?;
        Some((&place.source, place.span))
    }

    /// The name of the file it is about, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.said
            .place
            .as_ref()
            .map(|place| place.source.name())
            .or(self.said.file.as_deref())
    }

    /// The drawing of it: title, marked lines, footers.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::new(
            self.said.severity.word(),
            self.said.severity.tone(),
            &self.said.title,
        )
        .code(self.said.code);
        if let Some(file) = &self.said.file {
            drawing = drawing.file(file);
        }
        if let Some(Place {
            source,
            span,
            label,
        }) = &self.said.place
        {
            drawing = drawing.mark(source, *span, label);
        }
        for Place {
            source,
            span,
            label,
        } in &self.said.context
        {
            drawing = drawing.context(source, *span, label);
        }
        for (word, text) in &self.said.footers {
            drawing = drawing.footer(*word, text.as_str());
        }
        drawing
    }

    /// It as lines of text, without a line feed at the end.
    #[must_use]
    pub fn draw(&self, paint: Paint) -> String {
        self.drawing().draw(paint)
    }
}

impl Display for Diagnostic {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file() {
            write!(out, "{}:", visible::plain(file))?;
            if let Some(Place { source, span, .. }) = &self.said.place {
                let position = source.position(span.start);
                write!(out, "{}:{}:", position.line, position.column)?;
            }
            write!(out, " ")?;
        }
        write!(
            out,
            "{}[{}]: {}",
            self.said.severity.word(),
            self.said.code,
            visible::plain(&self.said.title)
        )
    }
}

impl Severity {
    fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }

    fn tone(self) -> Tone {
        match self {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Doubtful,
            Severity::Note => Tone::Good,
        }
    }
}
