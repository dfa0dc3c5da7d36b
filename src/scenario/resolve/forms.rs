//! The forms of deeds: a row for each way to write a deed, and who can do it. Reading, writing, the help of messages and the
//! schema follow from the rows.

use crate::diagnostic::visible::quoted;
use crate::protocol::PlayerLine;
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
    /// The player of a turn, named or whoever is on turn.
    OnTurn,
    /// A player outside its turn.
    OffTurn,
    /// A spectator.
    Spectator,
    /// Both players, by legal moves that chance decides.
    Play,
    /// A participant of a dialogue that leaves.
    Leaves,
    /// A participant of a dialogue, by how it reads.
    Reads,
}

/// One way to write a deed, or legal play.
#[derive(Debug)]
pub(in crate::scenario) struct Form {
    /// The form as messages show it: words, holes in capitals, and in brackets what can be left out.
    pub(in crate::scenario) shown: &'static str,
    by: &'static [Doer],
    make: fn(Vec<Argument>) -> Option<Said>,
    /// The inverse of `make`; `None` for what has another form.
    fill: fn(&Said, Option<&PlannedGame>) -> Option<Vec<Argument>>,
}

/// The meaning of a form.
#[derive(Debug)]
pub(in crate::scenario) enum Said {
    Deed(Deed),
    Play(StepKind),
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
    /// The name of an earlier choice.
    Other,
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
    /// The name of an earlier choice.
    Other(String),
    /// A kind of move, or the code of a reason.
    Word(&'static str),
    /// A move, and its line.
    Move(Move, Vec<u8>),
    Line(Vec<u8>),
    Text(Vec<u8>),
    Roll(Roll),
    Who(Option<Seat>),
    Readings(Vec<String>),
}

/// A row: the form, who can do it, its arguments, and what they make, which is a pattern and an expression.
macro_rules! form {
    ($shown:expr, $by:expr, [$($argument:ident($name:ident)),*], $($said:tt)+) => {
        Form {
            shown: $shown,
            by: &$by,
            make: |filled| match <[Argument; _]>::try_from(filled) {
                Ok([$(Argument::$argument($name)),*]) => Some($($said)+),
                _ => None,
            },
            fill: |said, _| match said {
                $($said)+ => Some(vec![$(Argument::$argument($name.to_owned())),*]),
                _ => None,
            },
        }
    };
}

/// A row of a deed.
macro_rules! deed {
    ($shown:expr, $by:expr, [$($arguments:tt)*], $($deed:tt)+) => {
        form!($shown, $by, [$($arguments)*], Said::Deed($($deed)+))
    };
}

/// A row of a situation up to which the game is played.
macro_rules! until {
    ($shown:literal, [$($argument:ident($name:ident)),*], $($situation:tt)+) => {
        form!(
            $shown,
            [Play],
            [Who(who) $(, $argument($name))*],
            Said::Play(StepKind::PlayUntil(Until { who, situation: $($situation)+, turns: TURNS }))
        )
    };
}

use Doer::{Leaves, OffTurn, OnTurn, Play, Reads, Spectator};

/// All forms. A deed is written in the first form that it has.
static FORMS: [Form; 22] = [
    deed!(SILENT, [OnTurn], [], Deed::Silent),
    deed!(
        "hang up",
        [OnTurn, OffTurn, Leaves],
        [],
        Deed::Leave(Leaving::HangUp)
    ),
    deed!(
        "half-close",
        [OnTurn, OffTurn, Spectator, Leaves],
        [],
        Deed::Leave(Leaving::HalfClose)
    ),
    deed!("join", [Spectator], [], Deed::Join),
    deed!("leave", [Spectator], [], Deed::Leave(Leaving::HangUp)),
    deed!(
        "reset",
        [OnTurn, OffTurn, Spectator, Leaves],
        [],
        Deed::Leave(Leaving::Reset)
    ),
    deed!("nothing", [Reads], [], Deed::Read(Some(0))),
    deed!("everything", [Reads], [], Deed::Read(None)),
    Form {
        shown: "any [KIND] [as NAME] [except OTHER]",
        by: &[OnTurn],
        make: |filled| {
            let (mut kind, mut name, mut except) = (None, None, None);
            for argument in filled {
                match argument {
                    Argument::Word(word) => kind = Some(word),
                    Argument::Name(called) => name = Some(called),
                    Argument::Other(called) => except = Some(called),
                    _ => return None,
                }
            }
            let choice = Choice::Any { kind, name, except };
            Some(Said::Deed(Deed::Move(choice)))
        },
        fill: |said, _| match said {
            Said::Deed(Deed::Move(Choice::Any { kind, name, except })) => {
                let kind = kind.map(Argument::Word);
                let name = name.clone().map(Argument::Name);
                let except = except.clone().map(Argument::Other);
                Some([kind, name, except].into_iter().flatten().collect())
            }
            _ => None,
        },
    },
    Form {
        shown: "illegal [REASON]",
        by: &[OnTurn],
        make: |mut filled| match filled.pop() {
            None => Some(Said::Deed(Deed::Refused(None))),
            Some(Argument::Word(code)) => Some(Said::Deed(Deed::Refused(Some(code)))),
            _ => None,
        },
        fill: |said, _| match said {
            Said::Deed(Deed::Refused(code)) => Some(code.map(Argument::Word).into_iter().collect()),
            _ => None,
        },
    },
    Form {
        shown: "MOVE",
        by: &[OnTurn],
        make: |filled| match filled[..] {
            [Argument::Move(mv, _)] => Some(Said::Deed(Deed::this(mv))),
            _ => None,
        },
        fill: |said, _| match said {
            Said::Deed(Deed::Move(Choice::This(mv))) => Some(vec![Argument::Move(*mv, Vec::new())]),
            _ => None,
        },
    },
    Form {
        shown: "MOVE illegal",
        by: &[OnTurn],
        make: |mut filled| match filled.pop()? {
            Argument::Move(_, line) => Some(Said::Deed(Deed::Illegal(line))),
            _ => None,
        },
        fill: |said, plan| match (said, plan?.dialect) {
            (Said::Deed(Deed::Illegal(line)), dialect) => match dialect.read_player_line(line) {
                PlayerLine::Move(mv) if dialect.write_move(mv) == *line => {
                    Some(vec![Argument::Move(mv, Vec::new())])
                }
                _ => None,
            },
            _ => None,
        },
    },
    deed!(
        "\"LINE\" illegal",
        [OnTurn],
        [Line(line)],
        Deed::Illegal(line)
    ),
    deed!(
        "\"LINE\" ignored",
        [OnTurn],
        [Line(line)],
        Deed::Ignored(line)
    ),
    Form {
        shown: "send \"TEXT\"",
        by: &[OffTurn],
        make: |mut filled| match filled.pop()? {
            Argument::Text(text) => Some(Said::Deed(Deed::Send(vec![SendPart::Bytes(text)]))),
            _ => None,
        },
        fill: |said, _| match said {
            Said::Deed(Deed::Send(parts)) => match &parts[..] {
                [SendPart::Bytes(text)] if !text.is_empty() => {
                    Some(vec![Argument::Text(text.clone())])
                }
                _ => None,
            },
            Said::Deed(_) | Said::Play(_) => None,
        },
    },
    form!("to the end", [Play], [], Said::Play(StepKind::PlayToTheEnd)),
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
    Form {
        shown: "until told apart [READINGS]",
        by: &[Play],
        make: |mut filled| {
            let readings = match filled.pop() {
                Some(Argument::Readings(readings)) => readings,
                _ => Vec::new(),
            };
            let until = Until::new(None, Situation::ToldApart(readings));
            Some(Said::Play(StepKind::PlayUntil(until)))
        },
        fill: |said, _| match said {
            Said::Play(StepKind::PlayUntil(Until {
                situation: Situation::ToldApart(readings),
                ..
            })) => {
                let readings = Some(readings.clone()).filter(|words| !words.is_empty());
                Some(readings.map(Argument::Readings).into_iter().collect())
            }
            _ => None,
        },
    },
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

    /// The forms as a sentence lists them.
    pub(in crate::scenario) fn listed(self) -> String {
        listed(self.forms())
    }

    /// The deed as it is written; `None` for one that keys of their own say.
    pub(in crate::scenario) fn written(self, deed: &Deed, plan: &PlannedGame) -> Option<String> {
        self.said(&Said::Deed(deed.clone()), Some(plan))
    }

    /// A deed or legal play as it is written.
    pub(in crate::scenario) fn said(
        self,
        said: &Said,
        plan: Option<&PlannedGame>,
    ) -> Option<String> {
        self.forms().find_map(|form| form.written(said, plan))
    }

    /// The form of the same deed as words that another participant uses, or that `silent` is mistaken for.
    pub(super) fn meant(self, words: &str, plan: &PlannedGame) -> Option<String> {
        if OTHERWISE_SILENT.contains(&words.to_lowercase().as_str()) {
            return self.written(&Deed::Silent, plan);
        }
        let other = FORMS.iter().find(|form| form.shown == words)?;
        self.said(&(other.make)(Vec::new())?, Some(plan))
    }
}

/// Forms as a sentence lists them.
pub(super) fn listed(forms: impl Iterator<Item = &'static Form>) -> String {
    let forms = forms.map(|form| format!("`{}`", form.shown));
    forms.collect::<Vec<_>>().join(", ")
}

impl Form {
    /// The words that it begins with.
    pub(super) fn words(&self) -> &'static str {
        let end = self
            .shown
            .find(|c: char| c == '[' || c == '"' || c.is_uppercase());
        self.shown[..end.unwrap_or(self.shown.len())].trim_end()
    }

    /// The orders of its parts: what is in brackets can be left out, and stand elsewhere among what is in brackets.
    pub(super) fn orders(&self) -> Vec<Vec<Token>> {
        let mut groups = self.shown.split('[').map(Token::all);
        let first = (
            groups.next().unwrap_or_default(),
            groups.collect::<Vec<_>>(),
        );
        let (mut all, mut next) = (vec![first], 0);
        while let Some((begun, left)) = all.get(next).cloned() {
            for number in 0..left.len() {
                let mut left = left.clone();
                let group = left.remove(number);
                all.push(([begun.clone(), group].concat(), left));
            }
            next += 1;
        }
        all.into_iter().map(|(order, _)| order).collect()
    }

    /// What it says with these arguments.
    pub(super) fn filled(&self, arguments: Vec<Argument>) -> Option<Said> {
        (self.make)(arguments)
    }

    /// Writes something that has this form.
    fn written(&self, said: &Said, plan: Option<&PlannedGame>) -> Option<String> {
        let arguments = (self.fill)(said, plan)?;
        let is_of = |order: &Vec<Token>| {
            let holes: Vec<Hole> = order.iter().filter_map(|token| token.hole()).collect();
            let mut pairs = arguments.iter().zip(&holes);
            holes.len() == arguments.len() && pairs.all(|(argument, hole)| argument.fits(*hole))
        };
        let order = self.orders().into_iter().find(is_of)?;
        let mut arguments = arguments.into_iter();
        let words = order.into_iter().map(|token| match token {
            Token::Word(word) => Some(word.to_owned()),
            Token::Hole(_) => Some(arguments.next()?.written(plan?)),
        });
        Some(words.collect::<Option<Vec<_>>>()?.join(" "))
    }
}

impl Token {
    pub(super) fn is_word(self, text: &str) -> bool {
        self.word() == Some(text)
    }

    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Token::Word(word) => Some(word),
            Token::Hole(_) => None,
        }
    }

    /// The parts of a form, or of what is in brackets in one.
    fn all(text: &'static str) -> Vec<Token> {
        let words = text.trim_end().trim_end_matches(']').split_whitespace();
        let token = |word| {
            let hole = Hole::ALL.iter().find(|(shown, _)| *shown == word);
            hole.map_or(Token::Word(word), |(_, hole)| Token::Hole(*hole))
        };
        words.map(token).collect()
    }

    pub(super) fn hole(self) -> Option<Hole> {
        match self {
            Token::Hole(hole) => Some(hole),
            Token::Word(_) => None,
        }
    }
}

impl Hole {
    const ALL: [(&'static str, Hole); 10] = [
        ("NAME", Hole::Name),
        ("OTHER", Hole::Other),
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
    /// Returns true if it can stand in this hole.
    fn fits(&self, hole: Hole) -> bool {
        match self {
            Argument::Name(_) => hole == Hole::Name,
            Argument::Other(_) => hole == Hole::Other,
            _ => !matches!(hole, Hole::Name | Hole::Other),
        }
    }

    /// The argument as it is written.
    fn written(self, plan: &PlannedGame) -> String {
        let game = plan.dialect.game();
        match self {
            Argument::Name(name) | Argument::Other(name) => name,
            Argument::Word(word) => word.to_owned(),
            Argument::Move(mv, _) => game.format_move(mv),
            Argument::Roll(roll) => game.format_roll(roll),
            Argument::Who(who) => plan.mover(who).to_owned(),
            Argument::Readings(words) => words.join(" "),
            Argument::Line(line) | Argument::Text(line) => quoted(&line).to_string(),
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
            let words = form.words();
            let ends = ["`", " ", ":"].map(|end| format!("{words}{end}"));
            assert!(ends.iter().any(|shown| page.contains(shown)), "{words}");
        }
    }
}
