//! Steps of a game as lines of a plan.

use super::piece::piece;
use crate::rules::Seat;
use crate::scenario::resolve::{Doer, MOVER, OTHER, TOLD_APART, TURNS};
use crate::scenario::{
    Act, Choice, Deed, Leaving, Participant, PlannedGame, SendPart, Side, Situation, StepKind,
    Turn, Until,
};
use crate::yaml::scalar;

/// Writes a step: its own line, and the lines below it.
pub(super) fn step(plan: &PlannedGame, step: &StepKind) -> Vec<String> {
    let lines = unindented(plan, step).into_iter().enumerate();
    lines
        .map(|(place, line)| match place {
            0 => format!("  - {line}"),
            _ => format!("    {line}"),
        })
        .collect()
}

fn unindented(plan: &PlannedGame, step: &StepKind) -> Vec<String> {
    match step {
        StepKind::Turn(turn) => self::turn(plan, &turn.clone().of(Some(turn.seat))),
        StepKind::Improvise(turn) => self::turn(plan, turn),
        StepKind::PlayToTheEnd => vec!["play: to the end".to_owned()],
        StepKind::PlayUntil(until) => {
            let within = match until.turns {
                TURNS => String::new(),
                turns => format!(", within {turns} turns"),
            };
            vec![format!("play: until {}{within}", until.text(plan))]
        }
    }
}

impl Until {
    /// Legal play until this situation has come up, for as many turns as usual.
    #[must_use]
    pub fn new(who: Option<Seat>, situation: Situation) -> Until {
        Until {
            who,
            situation,
            turns: TURNS,
        }
    }

    /// The situation, such as `top can capture`.
    #[must_use]
    pub fn text(&self, plan: &PlannedGame) -> String {
        let who = mover(plan, self.who);
        match &self.situation {
            Situation::CanMove => format!("{who} can move"),
            Situation::CannotMove => format!("{who} cannot move"),
            Situation::Rolled(roll) => {
                format!("{who} rolls {}", plan.dialect.game().format_roll(*roll))
            }
            Situation::Can(kind) => format!("{who} can {kind}"),
            Situation::CanBreak(code) => format!("{who} can break {code}"),
            Situation::CanTest(code, ids) => {
                let what = code.map_or("move".to_owned(), |code| format!("break {code}"));
                format!("{who} can {what}, to test {}", ids.join(", "))
            }
            Situation::Tested(ids) => format!("turns that test {}", ids.join(", ")),
            Situation::ToldApart(words) => [TOLD_APART, &words.join(" ")]
                .join(" ")
                .trim_end()
                .to_owned(),
        }
    }
}

impl Turn<Option<Seat>> {
    /// The turn on one line, such as `mover: any capture`, with what happens meanwhile.
    #[must_use]
    pub fn text(&self, plan: &PlannedGame) -> String {
        let text = format!("{}: {}", mover(plan, self.seat), value(plan, self));
        let acts = self.meanwhile.iter();
        acts.fold(text, |text, act| {
            format!("{text}, meanwhile {}", self::act(plan, act))
        })
    }

    /// The step that is this turn. In a game without rolls, what a player who is named does is a turn like any other.
    #[must_use]
    pub fn step(self, plan: &PlannedGame) -> StepKind {
        let has_rolls = !plan.dialect.game().kinds_of_roll().is_empty();
        let is_plain = match self.deed {
            Deed::Refused(_) | Deed::Move(Choice::OfKind(_)) | Deed::SendMove(..) => false,
            Deed::Move(Choice::Any { .. }) => plan.side == Side::Bot,
            _ => true,
        };
        match self.seat {
            Some(seat) if is_plain && !has_rolls => StepKind::Turn(self.of(seat)),
            _ => StepKind::Improvise(self),
        }
    }
}

/// The key of a turn of this player, or of whoever is on turn.
fn mover(plan: &PlannedGame, seat: Option<Seat>) -> &'static str {
    seat.map_or(MOVER, |seat| plan.key(seat))
}

/// The value of a turn's key.
fn value(plan: &PlannedGame, turn: &Turn<Option<Seat>>) -> String {
    let dialect = plan.dialect;
    let written = |deed: &Deed| {
        let doers = [Doer::OnTurn, Doer::Mover].into_iter();
        let mut texts = doers.filter_map(|doer| doer.written(deed, dialect));
        texts.next().unwrap_or_default()
    };
    let deed = match &turn.deed {
        Deed::SendMove(choice, _) => written(&Deed::Move(choice.clone())),
        deed => written(deed),
    };
    plan.matchup().written(turn.roll, &deed)
}

fn turn(plan: &PlannedGame, turn: &Turn<Option<Seat>>) -> Vec<String> {
    let value = value(plan, turn);
    let key = mover(plan, turn.seat);
    let mut lines = vec![match value.as_str() {
        "" => format!("{key}:"),
        value => format!("{key}: {}", scalar(value)),
    }];
    if let Deed::Send(parts) | Deed::SendMove(_, parts) = &turn.deed {
        let (sent, then) = split(parts);
        lines.push(format!("send: {sent}"));
        lines.extend(then.map(|how| format!("then: {}", how.words())));
    }
    if !turn.meanwhile.is_empty() {
        lines.push("meanwhile:".to_owned());
        let acts = turn.meanwhile.iter().map(|act| self::act(plan, act));
        lines.extend(acts.map(|act| format!("  - {act}")));
    }
    lines
}

fn act(plan: &PlannedGame, act: &Act) -> String {
    let (who, by) = match act.who {
        Participant::Player(seat) => (plan.key(seat).to_owned(), Doer::OffTurn),
        Participant::Other => (OTHER.to_owned(), Doer::OffTurn),
        Participant::Spectator(number) => (format!("spectator {number}"), Doer::Spectator),
    };
    let deed = match by.written(&act.deed, plan.dialect) {
        Some(words) => scalar(&words),
        None => match split(act.deed.parts()) {
            (sent, Some(how)) => format!("{{send: {sent}, then: {}}}", how.words()),
            (sent, None) => format!("{{send: {sent}}}"),
        },
    };
    format!("{who}: {deed}")
}

/// Writes what is sent, and gives the way in which the sender goes away after it.
fn split(parts: &[SendPart]) -> (String, Option<Leaving>) {
    let sent = pieces(parts);
    let written = match &sent[..] {
        [only] => only.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    (written, SendPart::leaving(parts))
}

/// Writes each piece of what is sent.
pub(super) fn pieces(parts: &[SendPart]) -> Vec<String> {
    let sent = |part: &SendPart| match part {
        SendPart::Bytes(bytes) => Some(piece(bytes)),
        SendPart::Pause(time) => {
            let time = humantime::format_duration(*time);
            Some(format!("{{pause: {time}}}"))
        }
        SendPart::Leave(_) => None,
    };
    parts.iter().filter_map(sent).collect()
}
