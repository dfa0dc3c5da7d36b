//! One thing to say about a file of the user's.

use std::fmt::{self, Display, Formatter};

use super::{Drawing, Faults, Mark, Paint, Source, Span, Tone, visible};

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
    drawing: Drawing,
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
        let drawing = Drawing::new(severity.word(), severity.tone(), title).code(code);
        Diagnostic {
            said: Box::new(Said {
                severity,
                code,
                drawing,
            }),
        }
    }

    fn drawn(mut self, add: impl FnOnce(Drawing) -> Drawing) -> Diagnostic {
        self.said.drawing = add(self.said.drawing);
        self
    }

    /// Says where; the label stands beside the carets and may be empty.
    #[must_use]
    pub fn at(self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.drawn(|drawing| drawing.mark(source, span, label))
    }

    /// Names the file where there is no place in it to point at.
    #[must_use]
    pub fn in_file(self, name: impl Into<String>) -> Diagnostic {
        self.drawn(|drawing| drawing.file(name))
    }

    /// Points at another place that explains the first, in the same file or in another.
    #[must_use]
    pub fn context(self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.explained_by(Mark::new(source, span, label))
    }

    /// Points at this place, which explains the first.
    #[must_use]
    pub fn explained_by(self, mark: Mark) -> Diagnostic {
        self.drawn(|drawing| drawing.context(mark))
    }

    /// Adds a sentence of background.
    #[must_use]
    pub fn note(self, text: impl Into<String>) -> Diagnostic {
        self.drawn(|drawing| drawing.footer("note", text.into()))
    }

    /// Adds what to write or do instead.
    #[must_use]
    pub fn help(self, text: impl Into<String>) -> Diagnostic {
        self.drawn(|drawing| drawing.footer("help", text.into()))
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
        self.said.drawing.title()
    }

    /// The span it is about, where there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.place().map(|(_, span)| span)
    }

    /// The source and the span it is about, where there are such.
    #[must_use]
    pub fn place(&self) -> Option<(&Source, Span)> {
        self.said.drawing.place()
    }

    /// The name of the file it is about, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.said.drawing.file_name()
    }

    /// It as lines of text, without a line feed at the end.
    #[must_use]
    pub fn draw(&self, paint: Paint) -> String {
        self.said.drawing.draw(paint)
    }
}

/// A problem in a text. The caller knows the place of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}{}", help.iter().map(|help| format!("; {help}")).collect::<String>())]
pub struct Problem {
    /// Description of the problem.
    pub title: String,
    /// Advice for the author, one sentence each.
    pub help: Vec<String>,
}

impl Problem {
    /// The problem of this title.
    pub fn new(title: impl Into<String>) -> Problem {
        let (title, help) = (title.into(), Vec::new());
        Problem { title, help }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help.push(help.into());
        self
    }

    /// It as an error without a place.
    #[must_use]
    pub fn error(self, code: &'static str) -> Diagnostic {
        let error = Diagnostic::error(code, self.title);
        self.help.into_iter().fold(error, Diagnostic::help)
    }

    /// Reports it at this place.
    pub fn refuse(self, code: &'static str, span: Span, faults: &Faults<'_>) {
        faults.push(self.error(code).at(faults.source(), span, ""));
    }
}

impl Display for Diagnostic {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file() {
            write!(out, "{}:", visible::plain(file))?;
            if let Some((source, span)) = self.place() {
                let position = source.position(span.start);
                write!(out, "{}:{}:", position.line, position.column)?;
            }
            write!(out, " ")?;
        }
        let (word, code) = (self.said.severity.word(), self.said.code);
        write!(out, "{word}[{code}]: {}", visible::plain(self.title()))
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
