//! The forms of deeds: a row for each way to write a deed, and who can do it. Reading, writing, the help of messages and the
//! schema follow from the rows.

use crate::diagnostic::visible::quoted;
use crate::protocol::PlayerLine;
use crate::rules::{Move, Roll, Seat};
use crate::scenario::{Choice, Deed, Leaving, PlannedGame, SendPart, Situation, StepKind, Until};

pub(super) const ANY: &str = "any";
pub(super) const SILENT: &str = "silent";
/// The key of a turn of whoever is on turn, and the word for this player.
pub(super) const MOVER: &str = "mover";
/// Default limit on the turns that are played to reach a situation.
pub(super) const TURNS: u32 = 200;

/// The participant of a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doer {
    /// The player of a turn, named or whoever is on turn.
    OnTurn,
    /// A player outside its turn.
    OffTurn,
    /// A spectator.
    Spectator,
    /// Both players, by legal moves that chance decides.
    Play,
}

/// One way to write a deed, or legal play.
#[derive(Debug)]
pub(super) struct Form {
    /// The form as messages show it: words, holes in capitals, and in brackets what can be left out.
    pub(super) shown: &'static str,
    by: &'static [Doer],
    make: fn(Filled, &PlannedGame) -> Option<Said>,
    /// The inverse of `make`; `None` for what has another form.
    fill: fn(&Said, &PlannedGame) -> Option<Filled>,
}

/// The meaning of a form.
#[derive(Debug)]
pub(super) enum Said {
    Deed(Deed),
    Play(StepKind),
}

/// A part of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Word(&'static str),
    Hole(Hole),
}

/// A part of a form that a scenario fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hole {
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
    /// Mistakes in the rules: all words that follow.
    Mistakes,
}

/// The content of the holes of a form.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) name: Option<String>,
    pub(super) except: Option<String>,
    pub(super) kind: Option<&'static str>,
    pub(super) reason: Option<&'static str>,
    pub(super) mv: Option<Move>,
    /// A line or a text.
    pub(super) text: Option<Vec<u8>>,
    pub(super) roll: Option<Roll>,
    pub(super) who: Option<Option<Seat>>,
    pub(super) mistakes: Vec<String>,
}

/// A row: the form, who can do it, the holes that are filled, those that can be left out, and what they make, which is a pattern and an
/// expression.
macro_rules! form {
    ($shown:expr, $by:expr, [$($hole:ident),*] [$($left_out:ident),*], $($said:tt)+) => {
        Form {
            shown: $shown,
            by: &$by,
            make: |Filled { $($hole,)* $($left_out,)* .. }, _| {
                $(let $hole = $hole?;)*
                Some($($said)+)
            },
            fill: |said, _| match said {
                $($said)+ => Some(Filled {
                    $($hole: Some($hole.to_owned()),)*
                    $($left_out: $left_out.to_owned(),)*
                    ..Filled::default()
                }),
                _ => None,
            },
        }
    };
}

/// A row of a deed.
macro_rules! deed {
    ($shown:expr, $by:expr, [$($hole:ident),*] [$($left_out:ident),*], $($deed:tt)+) => {
        form!($shown, $by, [$($hole),*] [$($left_out),*], Said::Deed($($deed)+))
    };
}

/// A row of a situation up to which the game is played.
macro_rules! until {
    ($shown:literal, [$($hole:ident),*], $($situation:tt)+) => {
        form!(
            $shown,
            [Play],
            [who $(, $hole)*] [],
            Said::Play(StepKind::PlayUntil(Until { who, situation: $($situation)+, turns: TURNS }))
        )
    };
}

use Doer::{OffTurn, OnTurn, Play, Spectator};

/// All forms. A deed is written in the first form that it has.
static FORMS: [Form; 20] = [
    deed!(SILENT, [OnTurn], [] [], Deed::Silent),
    deed!("hang up", [OnTurn, OffTurn], [] [], Deed::Leave(Leaving::HangUp)),
    deed!(
        "half-close",
        [OnTurn, OffTurn, Spectator],
        [] [],
        Deed::Leave(Leaving::HalfClose)
    ),
    deed!("join", [Spectator], [] [], Deed::Join),
    deed!("leave", [Spectator], [] [], Deed::Leave(Leaving::HangUp)),
    deed!(
        "reset",
        [OnTurn, OffTurn, Spectator],
        [] [],
        Deed::Leave(Leaving::Reset)
    ),
    deed!(
        "any [KIND] [as NAME] [except OTHER]",
        [OnTurn],
        [] [kind, name, except],
        Deed::Move(Choice::Any { kind, name, except })
    ),
    deed!(
        "illegal [REASON]",
        [OnTurn],
        [][reason],
        Deed::Refused(reason)
    ),
    deed!("MOVE", [OnTurn], [mv] [], Deed::Move(Choice::This(mv))),
    Form {
        shown: "MOVE illegal",
        by: &[OnTurn],
        make: |filled, plan| {
            Some(Said::Deed(Deed::Illegal(
                plan.dialect.write_move(filled.mv?),
            )))
        },
        fill: |said, plan| match said {
            Said::Deed(Deed::Illegal(line)) => match plan.dialect.read_player_line(line) {
                PlayerLine::Move(mv) if plan.dialect.write_move(mv) == *line => Some(Filled {
                    mv: Some(mv),
                    ..Filled::default()
                }),
                _ => None,
            },
            _ => None,
        },
    },
    deed!("\"LINE\" illegal", [OnTurn], [text] [], Deed::Illegal(text)),
    deed!("\"LINE\" ignored", [OnTurn], [text] [], Deed::Ignored(text)),
    Form {
        shown: "send \"TEXT\"",
        by: &[OffTurn],
        make: |filled, _| Some(Said::Deed(Deed::Send(vec![SendPart::Bytes(filled.text?)]))),
        fill: |said, _| match said {
            Said::Deed(deed) => match deed.parts() {
                [SendPart::Bytes(text)] if !text.is_empty() => Some(Filled {
                    text: Some(text.clone()),
                    ..Filled::default()
                }),
                _ => None,
            },
            Said::Play(_) => None,
        },
    },
    form!("to the end", [Play], [] [], Said::Play(StepKind::PlayToTheEnd)),
    until!("until WHO can move", [], Situation::CanMove),
    until!("until WHO cannot move", [], Situation::CannotMove),
    until!("until WHO rolls ROLL", [roll], Situation::Rolled(roll)),
    until!(
        "until WHO can break REASON",
        [reason],
        Situation::CanBreak(reason)
    ),
    until!("until WHO can KIND", [kind], Situation::Can(kind)),
    form!(
        "until told apart [MISTAKES]",
        [Play],
        [][mistakes],
        Said::Play(StepKind::PlayUntil(Until {
            who: None,
            situation: Situation::ToldApart(mistakes),
            turns: TURNS
        }))
    ),
];

impl Doer {
    /// The forms of what it can do.
    pub(super) fn forms(self) -> impl Iterator<Item = &'static Form> + Clone {
        FORMS.iter().filter(move |form| form.by.contains(&self))
    }

    /// The forms as a sentence lists them.
    pub(super) fn listed(self) -> String {
        listed(self.forms())
    }

    /// The deed as it is written; `None` for one that keys of their own say.
    pub(super) fn written(self, deed: &Deed, plan: &PlannedGame) -> Option<String> {
        self.said(&Said::Deed(deed.clone()), plan)
    }

    /// A deed or legal play as it is written.
    pub(super) fn said(self, said: &Said, plan: &PlannedGame) -> Option<String> {
        self.forms().find_map(|form| form.written(said, plan))
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

    /// What it says with its holes filled.
    pub(super) fn filled(&self, filled: Filled, plan: &PlannedGame) -> Option<Said> {
        (self.make)(filled, plan)
    }

    /// Writes something that has this form, with all that is filled.
    fn written(&self, said: &Said, plan: &PlannedGame) -> Option<String> {
        let filled = (self.fill)(said, plan)?;
        let written = |order: Vec<Token>| {
            let words = order.into_iter().map(|token| match token {
                Token::Word(word) => Some(word.to_owned()),
                Token::Hole(hole) => filled.written(hole, plan),
            });
            words.collect::<Option<Vec<_>>>()
        };
        // Of several orders the first is usual.
        let orders = self.orders().into_iter().rev().filter_map(written);
        Some(orders.max_by_key(Vec::len)?.join(" "))
    }
}

impl Token {
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
    /// The hole as forms show it.
    pub(super) fn shown(self) -> &'static str {
        let mut all = Hole::ALL.iter();
        all.find(|(_, hole)| *hole == self)
            .map_or("", |(shown, _)| shown)
    }

    const ALL: [(&'static str, Hole); 10] = [
        ("NAME", Hole::Name),
        ("OTHER", Hole::Other),
        ("KIND", Hole::Kind),
        ("REASON", Hole::Reason),
        ("MOVE", Hole::Move),
        ("ROLL", Hole::Roll),
        ("WHO", Hole::Who),
        ("MISTAKES", Hole::Mistakes),
        ("\"LINE\"", Hole::Line),
        ("\"TEXT\"", Hole::Text),
    ];
}

impl Filled {
    /// The content of a hole as it is written, where it is filled.
    fn written(&self, hole: Hole, plan: &PlannedGame) -> Option<String> {
        let game = plan.dialect.game();
        match hole {
            Hole::Name => self.name.clone(),
            Hole::Other => self.except.clone(),
            Hole::Kind => self.kind.map(str::to_owned),
            Hole::Reason => self.reason.map(str::to_owned),
            Hole::Move => self.mv.map(|mv| game.format_move(mv)),
            Hole::Roll => self.roll.map(|roll| game.format_roll(roll)),
            Hole::Who => self.who.map(|who| plan.mover(who).to_owned()),
            Hole::Mistakes => Some(self.mistakes.join(" ")).filter(|words| !words.is_empty()),
            Hole::Line | Hole::Text => self.text.as_ref().map(|text| quoted(text).to_string()),
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
