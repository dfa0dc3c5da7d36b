//! Roll hooks, and the formats of forced rolls.

use serde_json::{Value as Json, json};

use super::kinds::{Text, is_variable};
use crate::config::Program;
use crate::diagnostic::Faults;
use crate::yaml::{At, Kind, Node, Words, keys};

/// Roll hook of a referee: the channel for forced rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollHook {
    /// From an environment variable of this name.
    Environment(String),
    /// From its arguments: its command contains `{rolls}` or `{rolls_file}`.
    Arguments,
}

/// Format of one roll.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Digits {
    /// Coin by coin, or die by die.
    #[default]
    Each,
    /// Only the sum of all.
    Sum,
}

keys! {
    /// The hook by which a referee takes forced rolls, and the format of the rolls.
    #[derive(Debug, Clone, Default)]
    pub(super) struct Rolls in "rolls" or Word {
        /// The variable that takes them
        optional "environment" => environment: Option<At<String>>;
        /// `{rolls}` takes them
        optional "argument" => argument: Option<At<bool>>;
        /// `{rolls_file}` names a file with them
        optional "file" => file: Option<At<bool>>;
        /// The format of the rolls
        part "the format" => format: RollFormat;
    }
    one of ["environment", "argument", "file"]
}

keys! {
    /// Format of a list of forced rolls.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct RollFormat in "the format" {
        /// The text between two rolls; default: a space, in a file a line end
        optional "between-rolls" => between_rolls: Option<Text>;
        /// The text between the digits of a roll; default: nothing
        optional "between-digits" => between_digits: Option<Text>;
        /// Each die for itself, or their sum
        optional "digits" => digits: Option<Digits>;
    }
}

impl Words for Digits {
    const WORDS: &'static [(&'static str, Digits)] =
        &[("each", Digits::Each), ("sum", Digits::Sum)];
}

/// A word alone.
#[derive(Debug, Clone)]
struct Word(Rolls);

impl Kind for Word {
    fn read(node: &Node, faults: &Faults) -> Option<Word> {
        let (is, span) = (true, node.span);
        let here = Some(At { is, span });
        let (mut rolls, text) = (Rolls::default(), node.as_line(faults)?);
        match text {
            "argument" => rolls.argument = here,
            "file" => rolls.file = here,
            "none" => {}
            _ => {
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                let name = match text.bytes().all(is_name) {
                    true => text,
                    false => "NAME",
                };
                let title = format!("`{text}` is no way to force rolls");
                let help = format!(
                    "write `rolls: {{environment: {name}}}`, `argument` with {{rolls}} in the command, `file` with {{rolls_file}}, or `none`"
                );
                faults.refuse("config/rolls", title, node.span, "", help);
                return None;
            }
        }
        Some(Word(rolls))
    }

    fn shape() -> Json {
        json!({"enum": ["argument", "file", "none"]})
    }
}

impl From<Word> for Rolls {
    fn from(Word(rolls): Word) -> Rolls {
        rolls
    }
}

impl Rolls {
    /// The hook that they describe, whose place has to exist.
    pub(super) fn hook(&self, program: Option<&Program>, faults: &Faults) -> Option<RollHook> {
        if let Some(name) = &self.environment {
            if program.is_none() {
                let title =
                    "rolls are forced on a subject that urtext starts, and there is no `command`";
                faults.refuse("config/rolls", title, name.span, "", "");
                return None;
            }
            let is_sound = is_variable(&name.is, name.span, faults);
            return is_sound.then(|| RollHook::Environment(name.is.clone()));
        }
        let argument = self.argument.map(|here| ("rolls", here.span));
        let (place, span) = argument.or(self.file.map(|here| ("rolls_file", here.span)))?;
        if !program.is_some_and(|program| program.takes(place)) {
            let title = format!(
                "rolls are forced by {{{place}}}, and neither command nor environment has that place"
            );
            faults.refuse("config/rolls", title, span, "", "");
            return None;
        }
        Some(RollHook::Arguments)
    }
}

impl RollFormat {
    /// Writes rolls, each of them given as the game writes it, on one line where nothing else is said.
    #[must_use]
    pub fn line(&self, rolls: &[String]) -> String {
        self.written(rolls, " ")
    }

    /// Writes rolls into a file, one a line where nothing else is said.
    #[must_use]
    pub fn file(&self, rolls: &[String]) -> String {
        let mut text = self.written(rolls, "\n");
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// `usual`: what separates rolls where nothing is said.
    fn written(&self, rolls: &[String], usual: &str) -> String {
        let between = |text: &Option<Text>, usual: &str| {
            let text = text.as_ref().map_or(usual, |Text(text)| text.as_str());
            text.to_owned()
        };
        let write = |roll: &String| {
            let digits: Vec<_> = roll.split_whitespace().collect();
            match self.digits.unwrap_or_default() {
                Digits::Each => digits.join(&between(&self.between_digits, "")),
                Digits::Sum => {
                    let digits = digits.iter().filter_map(|digit| digit.parse::<u32>().ok());
                    digits.sum::<u32>().to_string()
                }
            }
        };
        let rolls: Vec<_> = rolls.iter().map(write).collect();
        rolls.join(&between(&self.between_rolls, usual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls() -> Vec<String> {
        vec!["0 0 1 1".to_owned(), "1 1 1 1".to_owned()]
    }

    #[test]
    fn writes_rolls_as_the_subject_reads_them() {
        assert_eq!(RollFormat::default().line(&rolls()), "0011 1111");
        assert_eq!(RollFormat::default().file(&rolls()), "0011\n1111\n");
        let spaced = RollFormat {
            between_rolls: Some(Text(", ".to_owned())),
            between_digits: Some(Text(" ".to_owned())),
            digits: None,
        };
        assert_eq!(spaced.line(&rolls()), "0 0 1 1, 1 1 1 1");
        let sums = RollFormat {
            digits: Some(Digits::Sum),
            ..RollFormat::default()
        };
        assert_eq!(sums.line(&rolls()), "2 4");
        assert_eq!(sums.file(&[]), "");
    }
}
