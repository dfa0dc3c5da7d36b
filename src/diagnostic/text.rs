//! A few words of a drawing, some of them emphasised.

use anstyle::{AnsiColor, Style};

use super::visible;

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
