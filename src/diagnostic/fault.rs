//! One thing to say about a place in a file, and its words, some of them emphasised.

use std::fmt::{self, Display, Formatter};

use anstyle::{AnsiColor, Style};

use super::{Mark, Source, Span, visible};

/// One thing to say about a place in a file: an error or a remark about a file or a flag of the user's, or a finding about a subject.
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
/// Every text in it may hold hostile characters: they are escaped as it is drawn. As a string it is one line, `a.yaml:1:1: error[…]: …`.
/// Equal are two that say the same of the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    // Boxed because it is the error of many a function, and errors are to be small.
    pub(super) said: Box<Said>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) word: &'static str,
    pub(super) severity: Severity,
    pub(super) code: Option<&'static str>,
    pub(super) title: String,
    pub(super) file: Option<String>,
    pub(super) place: Option<Mark>,
    pub(super) context: Vec<Mark>,
    /// Lines below the marked ones, each with its word.
    pub(super) footers: Vec<(Option<&'static str>, Text)>,
}

/// Severity of a diagnostic, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used as it is, or the subject deviates.
    Error,
    /// The file can be used, but probably says something else than was meant; or a game decides nothing.
    Warning,
    /// A remark.
    Note,
}

impl Diagnostic {
    /// A diagnostic that begins with this word (`error`, `fail`, `inconclusive`, …) and, in brackets, its stable code; then comes the title.
    #[must_use]
    pub fn new(
        word: &'static str,
        severity: Severity,
        code: Option<&'static str>,
        title: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            said: Box::new(Said {
                word,
                severity,
                code,
                title: title.into(),
                file: None,
                place: None,
                context: Vec::new(),
                footers: Vec::new(),
            }),
        }
    }

    /// A fault: the file cannot be used as it is. Codes are stable: `scenario/unknown-key`, `golden/…`.
    #[must_use]
    pub fn error(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new("error", Severity::Error, Some(code), title)
    }

    /// Builds a warning about a probable mistake.
    #[must_use]
    pub fn warning(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new("warning", Severity::Warning, Some(code), title)
    }

    /// Builds a remark.
    #[must_use]
    pub fn remark(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new("note", Severity::Note, Some(code), title)
    }

    /// Says where; the label stands beside the carets and may be empty.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.said.place = Some(Mark::new(source, span, label));
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
    pub fn context(self, source: &Source, span: Span, label: impl Into<String>) -> Diagnostic {
        self.explained_by(Mark::new(source, span, label))
    }

    /// Points at this place, which explains the first.
    #[must_use]
    pub fn explained_by(mut self, mark: Mark) -> Diagnostic {
        self.said.context.push(mark);
        self
    }

    /// Adds a line `= word: text` below the marked lines, or `= text`.
    #[must_use]
    pub fn footer(
        mut self,
        word: impl Into<Option<&'static str>>,
        text: impl Into<Text>,
    ) -> Diagnostic {
        self.said.footers.push((word.into(), text.into()));
        self
    }

    /// Adds a sentence of background.
    #[must_use]
    pub fn note(self, text: impl Into<String>) -> Diagnostic {
        self.footer("note", text.into())
    }

    /// Adds what to write or do instead.
    #[must_use]
    pub fn help(self, text: impl Into<String>) -> Diagnostic {
        self.footer("help", text.into())
    }

    /// Returns the severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.said.severity
    }

    /// Its stable code; empty where it has none.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.said.code.unwrap_or_default()
    }

    /// Returns the title, one sentence; hostile characters in it are not escaped yet.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.said.title
    }

    /// The span it is about, where there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.place().map(|(_, span)| span)
    }

    /// The source and the span it is about, where there are such.
    #[must_use]
    pub fn place(&self) -> Option<(&Source, Span)> {
        let mark = self.said.place.as_ref()?;
        Some((&mark.source, mark.line()))
    }

    /// The name of the file it is about, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        let file = self.place().map(|(source, _)| source.name());
        file.or(self.said.file.as_deref())
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
        let (word, code) = (self.said.word, self.code());
        write!(out, "{word}[{code}]: {}", visible::plain(self.title()))
    }
}

/// Returns the number with the noun: `1 turn`, `2 turns`.
pub fn counted<T: From<u8> + PartialEq + std::fmt::Display>(number: T, noun: &str) -> String {
    let ending = if number == T::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// A footer's text: pieces of which some stand out where the drawing is coloured.
///
/// Hostile characters are escaped as it is drawn; a line feed begins a new, indented line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pieces: Vec<(Emphasis, String)>,
}

/// Emphasis of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Not at all.
    Plain,
    /// As the important word of its sentence.
    Strong,
    /// As what should have been there.
    Expected,
    /// As what was there instead.
    Received,
}

/// Colours of a drawing, which depend on the output device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Text alone.
    Plain,
    /// Text with ANSI colours.
    Coloured,
}

impl Text {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Text {
        Text::default()
    }

    /// Adds a piece.
    #[must_use]
    pub fn then(mut self, emphasis: Emphasis, piece: impl Into<String>) -> Text {
        self.pieces.push((emphasis, piece.into()));
        self
    }

    /// Adds the pieces of another text.
    #[must_use]
    pub fn and(mut self, other: Text) -> Text {
        self.pieces.extend(other.pieces);
        self
    }

    pub(super) fn painted(&self, paint: Paint) -> String {
        let mut painted = String::new();
        for (emphasis, piece) in &self.pieces {
            let style = match paint {
                Paint::Plain => Style::new(),
                Paint::Coloured => emphasis.style(),
            };
            let lines: Vec<_> = piece
                .split('\n')
                .map(|line| format!("{style}{}{style:#}", visible::plain(line)))
                .collect();
            painted.push_str(&lines.join("\n"));
        }
        painted
    }
}

impl Emphasis {
    fn style(self) -> Style {
        match self {
            Emphasis::Plain => Style::new(),
            Emphasis::Strong => Style::new().bold(),
            Emphasis::Expected => AnsiColor::Green.on_default().bold(),
            Emphasis::Received => AnsiColor::Red.on_default().bold(),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new().then(Emphasis::Plain, text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::new().then(Emphasis::Plain, text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Emphasis, Paint, Text};

    #[test]
    fn colours_only_where_asked() {
        let text = Text::from("expected ")
            .then(Emphasis::Expected, "3\x1b")
            .then(Emphasis::Plain, "\nhere");
        assert_eq!(text.painted(Paint::Plain), "expected 3\\x1b\nhere");
        assert_eq!(
            text.painted(Paint::Coloured),
            "expected \x1b[1m\x1b[32m3\\x1b\x1b[0m\nhere"
        );
    }
}
