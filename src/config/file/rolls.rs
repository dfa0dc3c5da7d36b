//! Roll hooks in the file.

use serde_json::{Value as Json, json};

use super::kinds::{Text, is_variable};
use crate::config::{Digits, Program, RollFormat, RollHook};
use crate::diagnostic::Faults;
use crate::yaml::{At, Kind, Node, Words, keys};

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
        /// The text between two rolls; default: a space, in a file a line end
        optional "between-rolls" => between_rolls: Option<Text>;
        /// The text between the digits of a roll; default: nothing
        optional "between-digits" => between_digits: Option<Text>;
        /// Each die for itself, or their sum
        optional "digits" => digits: Option<Digits>;
    }
    one of ["environment", "argument", "file"]
}

impl Words for Digits {
    const WORDS: &'static [(&'static str, Digits)] =
        &[("each", Digits::Each), ("sum", Digits::Sum)];
}

/// A word alone.
#[derive(Debug, Clone)]
enum Word {
    Argument(At<bool>),
    File(At<bool>),
    None,
}

impl Kind for Word {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Word> {
        let here = At {
            is: true,
            span: node.span,
        };
        let text = node.as_line(faults)?;
        Some(match text {
            "argument" => Word::Argument(here),
            "file" => Word::File(here),
            "none" => Word::None,
            _ => {
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                let name = if text.bytes().all(is_name) {
                    text
                } else {
                    "NAME"
                };
                let title = format!("`{text}` is no way to force rolls");
                let help = format!(
                    "write `rolls: {{environment: {name}}}`, `argument` with {{rolls}} in the command, `file` with {{rolls_file}}, or `none`"
                );
                faults.refuse("config/rolls", title, node.span, "", help);
                return None;
            }
        })
    }

    fn shape() -> Json {
        json!({"enum": ["argument", "file", "none"]})
    }
}

impl From<Word> for Rolls {
    fn from(word: Word) -> Rolls {
        let mut rolls = Rolls::default();
        match word {
            Word::Argument(here) => rolls.argument = Some(here),
            Word::File(here) => rolls.file = Some(here),
            Word::None => {}
        }
        rolls
    }
}

impl Rolls {
    pub(super) fn format(&self) -> RollFormat {
        let text = |text: &Option<Text>| text.clone().map(|text| text.0);
        RollFormat {
            between_rolls: text(&self.between_rolls),
            between_digits: text(&self.between_digits).unwrap_or_default(),
            digits: self.digits.unwrap_or_default(),
        }
    }

    /// The hook that they describe, whose place has to exist.
    pub(super) fn hook(&self, program: Option<&Program>, faults: &Faults<'_>) -> Option<RollHook> {
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
