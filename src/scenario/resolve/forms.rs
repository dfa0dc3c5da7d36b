//! The forms of deeds: a row for each way to write a deed, and who can do it. Reading, writing, the help of messages and the
//! schema follow from the rows.

use crate::diagnostic::visible::quoted;
use crate::protocol::{Dialect, PlayerLine};
use crate::rules::Move;
use crate::scenario::{Choice, Deed, Leaving, SendPart};

pub(super) const ANY: &str = "any";
pub(super) const SILENT: &str = "silent";
pub(super) const AS: &str = "as";
pub(super) const EXCEPT: &str = "except";
pub(super) const IGNORED: &str = "ignored";
pub(super) const ILLEGAL: &str = "illegal";

/// The participant of a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Doer {
    /// The player of a turn.
    OnTurn,
    /// A player who is on turn in whatever position comes up.
    Mover,
    /// A player outside its turn.
    OffTurn,
    /// A spectator.
    Spectator,
    /// A participant of a dialogue, where there is no game.
    Participant,
}

/// One way to write a deed.
#[derive(Debug)]
pub(in crate::scenario) struct Form {
    /// The form as messages show it: its words, and its holes in capitals, such as `any except NAME`.
    pub(super) shown: &'static str,
    by: &'static [Doer],
    /// Without a dialect in a dialogue.
    make: fn(Vec<Argument>, Option<&dyn Dialect>) -> Option<Deed>,
    /// The inverse of `make`; `None` for a deed that has another form.
    fill: fn(&Deed, Option<&dyn Dialect>) -> Option<Vec<Argument>>,
}

/// A part of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Token {
    Word(&'static str),
    Hole(Hole),
}

/// A part of a form that a scenario fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Hole {
    /// The name of a choice.
    Name,
    /// A kind of move.
    Kind,
    /// The code of a reason to refuse a move.
    Reason,
    /// A move, in the notation of the game.
    Move,
    /// A line in quotation marks, without its end.
    Line,
    /// A text in quotation marks.
    Text,
    /// In a dialogue, a line or a list of pieces.
    Pieces,
    /// In a dialogue, the kind of disconnect.
    How,
    /// In a dialogue, how much is read.
    Pace,
}

/// The content of a hole.
#[derive(Debug)]
pub(in crate::scenario) enum Argument {
    Name(String),
    /// A kind of move, or the code of a reason.
    Word(&'static str),
    Move(Move),
    Line(Vec<u8>),
    Pieces(Vec<SendPart>),
    How(Leaving),
    Pace(Option<u64>),
}

/// A row: the form, who can do it, its arguments, and the deed that they make, which is a pattern and an expression.
macro_rules! form {
    ($shown:expr, $by:expr, [$($argument:ident($name:ident)),*], $($deed:tt)+) => {
        Form {
            shown: $shown,
            by: &$by,
            make: |filled, _| match <[Argument; _]>::try_from(filled) {
                Ok([$(Argument::$argument($name)),*]) => Some($($deed)+),
                _ => None,
            },
            fill: |deed, _| match deed {
                $($deed)+ => Some(vec![$(Argument::$argument($name.to_owned())),*]),
                _ => None,
            },
        }
    };
}

use Doer::{Mover, OffTurn, OnTurn, Participant, Spectator};

/// All forms. A deed is written in the first form that it has.
static FORMS: [Form; 22] = [
    form!(SILENT, [OnTurn, Mover], [], Deed::Silent),
    form!(
        Leaving::HangUp.words(),
        [OnTurn, Mover, OffTurn],
        [],
        Deed::Leave(Leaving::HangUp)
    ),
    form!(
        Leaving::HalfClose.words(),
        [OnTurn, Mover, OffTurn],
        [],
        Deed::Leave(Leaving::HalfClose)
    ),
    form!("join", [Spectator], [], Deed::Join),
    form!("leave", [Spectator], [], Deed::Leave(Leaving::HangUp)),
    form!(
        Leaving::Reset.words(),
        [OnTurn, Mover, OffTurn, Spectator],
        [],
        Deed::Leave(Leaving::Reset)
    ),
    form!(
        ANY,
        [OnTurn, Mover],
        [],
        Deed::Move(Choice::Any {
            name: None,
            except: None
        })
    ),
    form!(
        "any as NAME",
        [OnTurn],
        [Name(name)],
        Deed::Move(Choice::Any {
            name: Some(name),
            except: None
        })
    ),
    form!(
        "any as NAME except NAME",
        [OnTurn],
        [Name(name), Name(except)],
        Deed::Move(Choice::Any {
            name: Some(name),
            except: Some(except)
        })
    ),
    form!(
        "any except NAME",
        [OnTurn],
        [Name(except)],
        Deed::Move(Choice::Any {
            name: None,
            except: Some(except)
        })
    ),
    form!(
        "any except NAME as NAME",
        [OnTurn],
        [Name(except), Name(name)],
        Deed::Move(Choice::Any {
            name: Some(name),
            except: Some(except)
        })
    ),
    form!(
        "any KIND",
        [Mover],
        [Word(kind)],
        Deed::Move(Choice::OfKind(kind))
    ),
    form!(ILLEGAL, [Mover], [], Deed::Refused(None)),
    form!(
        "illegal REASON",
        [Mover],
        [Word(code)],
        Deed::Refused(Some(code))
    ),
    form!("MOVE", [OnTurn], [Move(mv)], Deed::Move(Choice::This(mv))),
    Form {
        shown: "MOVE illegal",
        by: &[OnTurn],
        make: |filled, dialect| match filled[..] {
            [Argument::Move(mv)] => Some(Deed::Illegal(dialect?.write_move(mv))),
            _ => None,
        },
        fill: |deed, dialect| match deed {
            Deed::Illegal(line) => match dialect?.read_player_line(line) {
                PlayerLine::Move(mv) if dialect?.write_move(mv) == *line => {
                    Some(vec![Argument::Move(mv)])
                }
                _ => None,
            },
            _ => None,
        },
    },
    form!(
        "\"LINE\" illegal",
        [OnTurn, Mover],
        [Line(line)],
        Deed::Illegal(line)
    ),
    form!(
        "\"LINE\" ignored",
        [OnTurn, Mover],
        [Line(line)],
        Deed::Ignored(line)
    ),
    form!(
        "send \"TEXT\"",
        [OffTurn],
        [Pieces(parts)],
        Deed::Send(parts)
    ),
    form!(
        "sends PIECES",
        [Participant],
        [Pieces(parts)],
        Deed::Send(parts)
    ),
    form!("leaves HOW", [Participant], [How(how)], Deed::Leave(how)),
    form!("reads PACE", [Participant], [Pace(pace)], Deed::Read(pace)),
];

/// Words that are written where `silent` is meant.
const OTHERWISE_SILENT: [&str; 8] = [
    "timeout",
    "time out",
    "times out",
    "timed out",
    "nothing",
    "none",
    "wait",
    "waits",
];

impl Doer {
    /// The forms of what it can do.
    pub(in crate::scenario) fn forms(self) -> impl Iterator<Item = &'static Form> + Clone {
        FORMS.iter().filter(move |form| form.by.contains(&self))
    }

    /// The form that a text begins with: one without holes is the whole text.
    pub(super) fn form_of(self, text: &str) -> Option<&'static Form> {
        let fits = |form: &&Form| {
            let words = form.words_from(0);
            let rest = text.strip_prefix(&words).filter(|_| !words.is_empty());
            rest.is_some_and(|rest| rest.is_empty() || form.has_holes() && rest.starts_with(' '))
        };
        let forms = self.forms().filter(fits);
        forms.max_by_key(|form| (!form.has_holes(), form.words_from(0).len()))
    }

    /// The forms as a sentence lists them.
    pub(in crate::scenario) fn listed(self) -> String {
        let forms = self.forms().map(|form| format!("`{}`", form.shown));
        forms.collect::<Vec<_>>().join(", ")
    }

    /// The deed as it is written; `None` for one that keys of their own say.
    pub(in crate::scenario) fn written(self, deed: &Deed, dialect: &dyn Dialect) -> Option<String> {
        self.forms().find_map(|form| form.written(deed, dialect))
    }

    /// The deed as the word and the value of a step of a dialogue.
    pub(in crate::scenario) fn word_and_value(self, deed: &Deed) -> Option<(String, Argument)> {
        self.forms().find_map(|form| {
            let value = (form.fill)(deed, None)?.pop()?;
            Some((form.words_from(0), value))
        })
    }

    /// The form of the same deed as words that another participant uses, or that `silent` is mistaken for.
    pub(super) fn meant(self, words: &str, dialect: &dyn Dialect) -> Option<String> {
        if OTHERWISE_SILENT.contains(&words.to_lowercase().as_str()) {
            return self.written(&Deed::Silent, dialect);
        }
        let other = FORMS.iter().find(|form| form.shown == words)?;
        self.written(&(other.make)(Vec::new(), Some(dialect))?, dialect)
    }
}

impl Form {
    /// Its last hole.
    pub(in crate::scenario) fn hole(&self) -> Option<Hole> {
        let holes = self.tokens().filter_map(|token| match token {
            Token::Hole(hole) => Some(hole),
            Token::Word(_) => None,
        });
        holes.last()
    }

    fn has_holes(&self) -> bool {
        self.hole().is_some()
    }

    /// Its parts, in order.
    pub(in crate::scenario) fn tokens(&self) -> impl Iterator<Item = Token> + Clone + use<> {
        self.shown.split(' ').map(|word| {
            let hole = Hole::ALL.iter().find(|(shown, _)| *shown == word);
            hole.map_or(Token::Word(word), |(_, hole)| Token::Hole(*hole))
        })
    }

    /// The words from this part on, up to a hole.
    pub(in crate::scenario) fn words_from(&self, count: usize) -> String {
        let words = self.tokens().skip(count).map_while(|token| match token {
            Token::Word(word) => Some(word),
            Token::Hole(_) => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The deed with these arguments; without a dialect in a dialogue.
    pub(super) fn deed(
        &self,
        filled: Vec<Argument>,
        dialect: Option<&dyn Dialect>,
    ) -> Option<Deed> {
        (self.make)(filled, dialect)
    }

    fn written(&self, deed: &Deed, dialect: &dyn Dialect) -> Option<String> {
        let mut filled = (self.fill)(deed, Some(dialect))?.into_iter();
        let words = self.tokens().map(|token| match token {
            Token::Word(word) => Some(word.to_owned()),
            Token::Hole(_) => filled.next()?.written(dialect),
        });
        Some(words.collect::<Option<Vec<_>>>()?.join(" "))
    }
}

impl Token {
    pub(super) fn is_word(self, text: &str) -> bool {
        matches!(self, Token::Word(word) if word == text)
    }
}

impl Hole {
    const ALL: [(&'static str, Hole); 9] = [
        ("NAME", Hole::Name),
        ("KIND", Hole::Kind),
        ("REASON", Hole::Reason),
        ("MOVE", Hole::Move),
        ("\"LINE\"", Hole::Line),
        ("\"TEXT\"", Hole::Text),
        ("PIECES", Hole::Pieces),
        ("HOW", Hole::How),
        ("PACE", Hole::Pace),
    ];
}

impl Argument {
    /// The argument as it is written; `None` where a form holds no such text.
    fn written(self, dialect: &dyn Dialect) -> Option<String> {
        match self {
            Argument::Name(name) => Some(name),
            Argument::Word(word) => Some(word.to_owned()),
            Argument::Move(mv) => Some(dialect.game().format_move(mv)),
            Argument::Line(line) => Some(quoted(&line).to_string()),
            Argument::Pieces(parts) => match &parts[..] {
                [SendPart::Bytes(text)] if !text.is_empty() => Some(quoted(text).to_string()),
                _ => None,
            },
            Argument::How(_) | Argument::Pace(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FORMS;

    #[test]
    fn the_page_of_scenarios_shows_every_form() {
        let page = include_str!("../../../docs/scenarios.md");
        for form in &FORMS {
            let words = form.words_from(0);
            let ends = ["`", " ", ":"].map(|end| format!("{words}{end}"));
            assert!(ends.iter().any(|shown| page.contains(shown)), "{words}");
        }
    }
}
