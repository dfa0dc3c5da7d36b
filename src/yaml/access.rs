//! Values out of nodes: what is not of the type asked for is a fault, and reading goes on.

use std::time::Duration;

use super::node::{Key, Node, Scalar, Style, Value};
use super::rows::listed;
use crate::diagnostic::visible::short;
use crate::diagnostic::{Faults, suggest};

impl Node {
    /// Text of any kind, a block of several lines included; otherwise `yaml/expected-text`.
    #[must_use]
    pub fn as_str(&self, faults: &Faults) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => self.refuse(
                faults,
                "yaml/expected-text",
                "text is due here",
                "write one or more words",
            ),
        }
    }

    /// Text on one line, written on one line; otherwise `yaml/expected-line` or `yaml/block-of-text`.
    ///
    /// A bare `>3` is no text on one line: to YAML it is the header of a block of text that is empty here.
    /// Such a value, and a plain text that goes on in the next line, are refused, each with advice.
    #[must_use]
    pub fn as_line(&self, faults: &Faults) -> Option<&str> {
        const DUE: &str = "text on one line is due here";
        let Value::Scalar(Scalar { text, style }) = &self.value else {
            return self.refuse(
                faults,
                "yaml/expected-line",
                DUE,
                "write it on the same line as its key",
            );
        };
        if *style == Style::Block {
            let title = "a value that begins with `>` or `|` is a block of text to YAML";
            let label = if text.is_empty() {
                "this is an empty block"
            } else {
                "this begins a block"
            };
            let help = if faults.source().slice(self.span).starts_with(b">") {
                "put it in quotation marks; a move is written after its roll, such as `0 0 0 1 > 3`"
            } else {
                "write the text on the same line as its key"
            };
            return faults.reject("yaml/block-of-text", title, self.span, label, help);
        }
        if text.contains(['\n', '\r']) {
            let label = "this text holds a line end";
            let help = "remove the line end from it";
            return self.refuse_as(label, faults, "yaml/expected-line", DUE, help);
        }
        if faults.source().slice(self.span).contains(&b'\n') {
            let help = "end it on its first line, and check the indentation of the next line";
            let label = "this goes on in the next line";
            return self.refuse_as(label, faults, "yaml/expected-line", DUE, help);
        }
        Some(text)
    }

    /// A whole number from 0 on, in plain digits without leading zeros; otherwise `yaml/expected-number`.
    #[must_use]
    pub fn as_u64(&self, faults: &Faults) -> Option<u64> {
        let help = match self.digits().map(|text| (text, text.parse::<u64>())) {
            Some((text, Ok(number))) if number.to_string() == text => return Some(number),
            Some((_, Ok(number))) => &format!("write `{number}`"),
            Some((_, Err(_))) => "write a smaller number",
            None => "write it in digits without quotation marks, such as `3`",
        };
        let due = "a whole number is due here";
        self.refuse(faults, "yaml/expected-number", due, help)
    }

    /// `true` or `false`; otherwise `yaml/expected-true-or-false`.
    #[must_use]
    pub fn as_bool(&self, faults: &Faults) -> Option<bool> {
        match self.plain_text() {
            Some("true") => return Some(true),
            Some("false") => return Some(false),
            _ => {}
        }
        let (due, help) = ("`true` or `false` is due here", "write `true` or `false`");
        self.refuse(faults, "yaml/expected-true-or-false", due, help)
    }

    /// A length of time with its unit, such as `1s` or `300ms`; otherwise `yaml/expected-duration`.
    #[must_use]
    pub fn as_duration(&self, faults: &Faults) -> Option<Duration> {
        let (label, help) = match self.digits() {
            Some(digits) => {
                let digits = short(digits);
                let help =
                    format!("write `{digits}s` for seconds, or `{digits}ms` for milliseconds");
                ("this has no unit".to_owned(), help)
            }
            None => match humantime::parse_duration(self.plain_text().unwrap_or_default()) {
                Ok(duration) => return Some(duration),
                Err(_) => (
                    self.label(),
                    "write a number and a unit, such as `300ms` or `2s`".to_owned(),
                ),
            },
        };
        let due = "a length of time is due here";
        self.refuse_as(&label, faults, "yaml/expected-duration", due, &help)
    }

    /// One of the words listed; otherwise `yaml/expected-one-of`, with the nearest as a suggestion.
    #[must_use]
    pub fn as_one_of<'a>(&self, choices: &[&'a str], faults: &Faults) -> Option<&'a str> {
        let text = self.text();
        if let Some(choice) = choices.iter().find(|choice| Some(**choice) == text) {
            return Some(choice);
        }
        let only = choices.first().filter(|_| choices.len() == 1).copied();
        let meant = text.and_then(|text| suggest(text, choices.iter().copied()).or(only));
        let help = meant.map(|choice| format!("write `{choice}`"));
        let one_of = if only.is_none() { "one of " } else { "" };
        let due = format!("{one_of}{} is due here", listed(choices));
        self.refuse(
            faults,
            "yaml/expected-one-of",
            &due,
            &help.unwrap_or_default(),
        )
    }

    /// The entries of a list; otherwise `yaml/expected-list`.
    #[must_use]
    pub fn as_list(&self, faults: &Faults) -> Option<&[Node]> {
        let help = match &self.value {
            Value::List(nodes) => return Some(nodes),
            Value::Scalar(Scalar {
                text,
                style: Style::Plain,
            }) if !text.contains(|c| ",:[]{}".contains(c)) => {
                format!("write `[{}]`", short(text))
            }
            _ => "write `[one, another]`, or each entry on its own line after `- `".to_owned(),
        };
        self.refuse(faults, "yaml/expected-list", "a list is due here", &help)
    }

    /// The entries of a mapping; otherwise `yaml/expected-mapping`. For known keys see [`super::known`].
    #[must_use]
    pub fn as_map(&self, faults: &Faults) -> Option<&[(Key, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => {
                let help = "write `key: value`, each on its own line, indented alike";
                self.refuse(
                    faults,
                    "yaml/expected-mapping",
                    "a mapping of keys to values is due here",
                    help,
                )
            }
        }
    }

    /// Plain text; quoted text is text and nothing else, whatever stands between the quotation marks.
    fn plain_text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(Scalar {
                text,
                style: Style::Plain,
            }) => Some(text),
            _ => None,
        }
    }

    /// Plain text of digits alone.
    fn digits(&self) -> Option<&str> {
        let is_digits =
            |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        self.plain_text().filter(is_digits)
    }

    fn label(&self) -> String {
        match &self.value {
            Value::Scalar(Scalar {
                text,
                style: Style::Plain,
            }) => {
                format!("this is the text `{}`", short(text))
            }
            Value::Scalar(Scalar {
                style: Style::Quoted,
                ..
            }) => "this is text, by its quotation marks".to_owned(),
            _ => format!("this is {}", self.kind()),
        }
    }

    fn refuse<T>(&self, faults: &Faults, code: &'static str, due: &str, help: &str) -> Option<T> {
        self.refuse_as(&self.label(), faults, code, due, help)
    }

    fn refuse_as<T>(
        &self,
        label: &str,
        faults: &Faults,
        code: &'static str,
        due: &str,
        help: &str,
    ) -> Option<T> {
        let meant = self
            .bare_name(faults)
            .map(|name| format!("put it in quotation marks: `'{name}'`"));
        let help = meant.as_deref().unwrap_or(help);
        faults.reject(code, due, self.span, label, help)
    }

    /// A name in braces that is not in quotation marks: to YAML, it is a mapping.
    fn bare_name(&self, faults: &Faults) -> Option<String> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        let is_in_braces = faults.source().slice(self.span).starts_with(b"{");
        match &entries[..] {
            [(key, value)] if is_in_braces && value.span.is_empty() => {
                Some(format!("{{{}}}", short(&key.text)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Faults, Node, Value};
    use crate::diagnostic::{Paint, Source};
    use crate::yaml::parse;

    /// What is taken of the value of the one key `a`, without a fault. What is refused is in `tests/cases/yaml`.
    fn taken<T>(value: &str, take: impl Fn(&Node, &Faults) -> Option<T>) -> T {
        let source = Source::new("f", format!("a: {value}\n"));
        let faults = Faults::new(&source);
        let root = parse("a: b", &faults).expect("a tree");
        let Value::Map(entries) = &root.value else {
            panic!("a mapping")
        };
        let taken = take(&entries[0].1, &faults);
        assert_eq!(faults.into_diagnostics().draw(Paint::Plain), "");
        taken.expect("it was taken")
    }

    #[test]
    fn takes_values_as_they_are_written() {
        for (value, line) in [
            ("0 0 1 1 > 3 # moved", "0 0 1 1 > 3"),
            ("\">3\"", ">3"),
            ("0011", "0011"),
            ("''", ""),
        ] {
            assert_eq!(
                taken(value, |node, faults| node
                    .as_line(faults)
                    .map(str::to_owned)),
                line
            );
        }
        let text = |node: &Node, faults: &Faults| node.as_str(faults).map(str::to_owned);
        assert_eq!(taken("|\n  x\n  y", text), "x\ny\n");
        assert_eq!(taken("0", Node::as_u64), 0);
        assert_eq!(taken("18446744073709551615", Node::as_u64), u64::MAX);
        assert!(taken("true", Node::as_bool) && !taken("false", Node::as_bool));
        assert_eq!(
            taken("300ms", Node::as_duration),
            Duration::from_millis(300)
        );
        assert_eq!(taken("1m 30s", Node::as_duration), Duration::from_secs(90));
        for (value, length) in [("[x, y]", 2), ("[]", 0)] {
            assert_eq!(
                taken(value, |node, faults| node
                    .as_list(faults)
                    .map(<[Node]>::len)),
                length
            );
        }
    }
}
