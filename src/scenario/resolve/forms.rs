//! The forms of deeds: a row for each way to write a deed, and who can do it. Reading, writing, the help of messages and the
//! schema follow from the rows.

use crate::diagnostic::visible::quoted;
use crate::protocol::{Dialect, PlayerLine};
use crate::rules::{Move, Roll, Seat};
use crate::scenario::{Choice, Deed, Leaving, PlannedGame, SendPart, Situation, StepKind, Until};

pub(super) const ANY: &str = "any";
pub(super) const SILENT: &str = "silent";
pub(super) const AS: &str = "as";
pub(super) const EXCEPT: &str = "except";
pub(super) const IGNORED: &str = "ignored";
pub(super) const ILLEGAL: &str = "illegal";
/// The key of a turn of whoever is on turn, and the word for this player.
pub(in crate::scenario) const MOVER: &str = "mover";
/// Default limit on the turns that are played to reach a situation.
pub(in crate::scenario) const TURNS: u32 = 200;

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
    /// Both players, by legal moves that chance decides.
    Play,
}

/// One way to write a deed, or a situation.
#[derive(Debug)]
pub(in crate::scenario) struct Form<T = Deed> {
    /// The form as messages show it: its words, and its holes in capitals, such as `any except NAME`.
    pub(super) shown: &'static str,
    by: &'static [Doer],
    make: fn(Vec<Argument>, &dyn Dialect) -> Option<T>,
    /// The inverse of `make`; `None` for what has another form.
    fill: fn(&T, &dyn Dialect) -> Option<Vec<Argument>>,
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
    /// A roll: all words that follow.
    Roll,
    /// A player, or whoever is on turn.
    Who,
    /// Wrong readings of the rules: all words that follow.
    Readings,
}

/// The content of a hole.
#[derive(Debug)]
pub(in crate::scenario) enum Argument {
    Name(String),
    /// A kind of move, or the code of a reason.
    Word(&'static str),
    Move(Move),
    Line(Vec<u8>),
    Text(Vec<u8>),
    Roll(Roll),
    Who(Option<Seat>),
    Readings(Vec<String>),
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

use Doer::{Mover, OffTurn, OnTurn, Play, Spectator};

/// All forms of deeds. A deed is written in the first form that it has.
static FORMS: [Form; 19] = [
    form!(SILENT, [OnTurn, Mover], [], Deed::Silent),
    form!(
        "hang up",
        [OnTurn, Mover, OffTurn],
        [],
        Deed::Leave(Leaving::HangUp)
    ),
    form!(
        "half-close",
        [OnTurn, Mover, OffTurn],
        [],
        Deed::Leave(Leaving::HalfClose)
    ),
    form!("join", [Spectator], [], Deed::Join),
    form!("leave", [Spectator], [], Deed::Leave(Leaving::HangUp)),
    form!(
        "reset",
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
            [Argument::Move(mv)] => Some(Deed::Illegal(dialect.write_move(mv))),
            _ => None,
        },
        fill: |deed, dialect| match deed {
            Deed::Illegal(line) => match dialect.read_player_line(line) {
                PlayerLine::Move(mv) if dialect.write_move(mv) == *line => {
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
    Form {
        shown: "send \"TEXT\"",
        by: &[OffTurn],
        make: |filled, _| match <[Argument; 1]>::try_from(filled) {
            Ok([Argument::Text(text)]) => Some(Deed::Send(vec![SendPart::Bytes(text)])),
            _ => None,
        },
        fill: |deed, _| match deed.parts() {
            [SendPart::Bytes(text)] if !text.is_empty() => Some(vec![Argument::Text(text.clone())]),
            _ => None,
        },
    },
];

/// A row of a situation up to which the game is played, which is a pattern and an expression.
macro_rules! until {
    ($shown:literal, [$($argument:ident($name:ident)),*], $($situation:tt)+) => {
        form!(
            $shown,
            [Play],
            [Who(who) $(, $argument($name))*],
            StepKind::PlayUntil(Until { who, situation: $($situation)+, turns: TURNS })
        )
    };
}

/// All forms of legal play that chance decides.
pub(in crate::scenario) static PLAY: [Form<StepKind>; 8] = [
    form!("to the end", [Play], [], StepKind::PlayToTheEnd),
    until!("until WHO can move", [], Situation::CanMove),
    until!("until WHO cannot move", [], Situation::CannotMove),
    until!(
        "until WHO rolls ROLL",
        [Roll(roll)],
        Situation::Rolled(roll)
    ),
    until!(
        "until WHO can break REASON",
        [Word(code)],
        Situation::CanBreak(code)
    ),
    until!("until WHO can KIND", [Word(kind)], Situation::Can(kind)),
    told_apart("until told apart READINGS"),
    told_apart("until told apart"),
];

/// A row in which wrong readings of the rules are told apart: these, or all.
const fn told_apart(shown: &'static str) -> Form<StepKind> {
    Form {
        shown,
        by: &[Play],
        make: |mut filled, _| {
            let readings = match filled.pop() {
                Some(Argument::Readings(readings)) => readings,
                _ => Vec::new(),
            };
            let situation = Situation::ToldApart(readings);
            Some(StepKind::PlayUntil(Until::new(None, situation)))
        },
        fill: |step, _| match step {
            StepKind::PlayUntil(Until {
                situation: Situation::ToldApart(readings),
                ..
            }) => Some(vec![Argument::Readings(readings.clone())]),
            _ => None,
        },
    }
}

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

    /// The forms as a sentence lists them.
    pub(in crate::scenario) fn listed(self) -> String {
        listed(self.forms())
    }

    /// The deed as it is written; `None` for one that keys of their own say.
    pub(in crate::scenario) fn written(self, deed: &Deed, plan: &PlannedGame) -> Option<String> {
        self.forms().find_map(|form| form.written(deed, plan))
    }

    /// The form of the same deed as words that another participant uses, or that `silent` is mistaken for.
    pub(super) fn meant(self, words: &str, plan: &PlannedGame) -> Option<String> {
        if OTHERWISE_SILENT.contains(&words.to_lowercase().as_str()) {
            return self.written(&Deed::Silent, plan);
        }
        let other = FORMS.iter().find(|form| form.shown == words)?;
        self.written(&(other.make)(Vec::new(), plan.dialect)?, plan)
    }
}

/// Forms as a sentence lists them.
pub(super) fn listed<T: 'static>(forms: impl Iterator<Item = &'static Form<T>>) -> String {
    let forms = forms.map(|form| format!("`{}`", form.shown));
    forms.collect::<Vec<_>>().join(", ")
}

/// The form that a text begins with: one without holes is the whole text.
pub(super) fn form_of<T: 'static>(
    forms: impl Iterator<Item = &'static Form<T>>,
    text: &str,
) -> Option<&'static Form<T>> {
    let fits = |form: &&Form<T>| {
        let words = form.words_from(0);
        let rest = text.strip_prefix(&words).filter(|_| !words.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || form.has_holes() && rest.starts_with(' '))
    };
    let forms = forms.filter(fits);
    forms.max_by_key(|form| (!form.has_holes(), form.words_from(0).len()))
}

impl<T> Form<T> {
    fn has_holes(&self) -> bool {
        self.tokens().any(|token| token.hole().is_some())
    }

    /// Its parts, in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = Token> + Clone + use<T> {
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

    /// What it says with these arguments.
    pub(super) fn filled(&self, arguments: Vec<Argument>, dialect: &dyn Dialect) -> Option<T> {
        (self.make)(arguments, dialect)
    }

    /// Writes something that has this form.
    pub(in crate::scenario) fn written(&self, of: &T, plan: &PlannedGame) -> Option<String> {
        let mut arguments = (self.fill)(of, plan.dialect)?.into_iter();
        let words = self.tokens().map(|token| match token {
            Token::Word(word) => Some(word.to_owned()),
            Token::Hole(_) => arguments.next()?.written(plan),
        });
        Some(words.collect::<Option<Vec<_>>>()?.join(" "))
    }
}

impl Token {
    pub(super) fn is_word(self, text: &str) -> bool {
        matches!(self, Token::Word(word) if word == text)
    }

    pub(super) fn hole(self) -> Option<Hole> {
        match self {
            Token::Hole(hole) => Some(hole),
            Token::Word(_) => None,
        }
    }
}

impl Hole {
    const ALL: [(&'static str, Hole); 9] = [
        ("NAME", Hole::Name),
        ("KIND", Hole::Kind),
        ("REASON", Hole::Reason),
        ("MOVE", Hole::Move),
        ("ROLL", Hole::Roll),
        ("WHO", Hole::Who),
        ("READINGS", Hole::Readings),
        ("\"LINE\"", Hole::Line),
        ("\"TEXT\"", Hole::Text),
    ];
}

impl Argument {
    /// The argument as it is written; `None` without a word.
    fn written(self, plan: &PlannedGame) -> Option<String> {
        let game = plan.dialect.game();
        Some(match self {
            Argument::Name(name) => name,
            Argument::Word(word) => word.to_owned(),
            Argument::Move(mv) => game.format_move(mv),
            Argument::Roll(roll) => game.format_roll(roll),
            Argument::Who(who) => plan.mover(who).to_owned(),
            Argument::Readings(words) if words.is_empty() => return None,
            Argument::Readings(words) => words.join(" "),
            Argument::Line(line) | Argument::Text(line) => quoted(&line).to_string(),
        })
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
