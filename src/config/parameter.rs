//! Values that a user gives to a subject's command, with their types.

use std::time::Duration;

/// A value of the subject's own that fills a place in its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the place.
    pub name: String,
    /// Type of the value.
    pub kind: ParameterKind,
    /// Value, as filled in; `None` if each run has to give the value.
    pub value: Option<String>,
}

/// Type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any text on one line.
    Text,
    /// A whole number.
    Number,
    /// A length of time; it is filled in as seconds.
    Duration,
    /// `true` or `false`.
    Truth,
    /// One of these words.
    OneOf(Vec<String>),
}

impl ParameterKind {
    /// The types that are a word.
    pub const WORDS: [(&str, ParameterKind); 4] = [
        ("text", ParameterKind::Text),
        ("number", ParameterKind::Number),
        ("duration", ParameterKind::Duration),
        ("boolean", ParameterKind::Truth),
    ];

    /// Describes a valid value in words.
    #[must_use]
    pub fn due(&self) -> String {
        match self {
            ParameterKind::Text => "text on one line".to_owned(),
            ParameterKind::Number => "a whole number such as 3".to_owned(),
            ParameterKind::Duration => "a length of time such as 300ms".to_owned(),
            ParameterKind::Truth => "`true` or `false`".to_owned(),
            ParameterKind::OneOf(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
        }
    }

    /// The text that is filled in for a value, where it is one of this kind.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<String> {
        match self {
            ParameterKind::Text => (!text.contains(['\n', '\r', '\0'])).then(|| text.to_owned()),
            ParameterKind::Number => text.parse::<i64>().ok().map(|number| number.to_string()),
            ParameterKind::Duration => humantime::parse_duration(text).ok().map(seconds),
            ParameterKind::Truth => matches!(text, "true" | "false").then(|| text.to_owned()),
            ParameterKind::OneOf(words) => words.iter().find(|word| *word == text).cloned(),
        }
    }
}

/// Seconds as programs take them: `1`, `0.3`.
#[must_use]
pub fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values_of_its_kind_alone() {
        let read = |kind: ParameterKind, text: &str| kind.read(text);
        assert_eq!(read(ParameterKind::Number, "-3").as_deref(), Some("-3"));
        assert_eq!(read(ParameterKind::Number, "3 4"), None);
        assert_eq!(
            read(ParameterKind::Duration, "1500ms").as_deref(),
            Some("1.5")
        );
        assert_eq!(read(ParameterKind::Truth, "yes"), None);
        let words = ParameterKind::OneOf(vec!["fast".to_owned(), "slow".to_owned()]);
        assert_eq!(read(words.clone(), "slow").as_deref(), Some("slow"));
        assert_eq!(read(words.clone(), "medium"), None);
        assert_eq!(words.due(), "one of `fast`, `slow`");
        assert_eq!(read(ParameterKind::Text, "; rm -r\n"), None);
    }
}
