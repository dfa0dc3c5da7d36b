//! Steps of a game as lines of a plan.

use super::scalar::{piece, scalar};
use crate::diagnostic::visible::quoted;
use crate::rules::Seat;
use crate::scenario::resolve::{MOVER, TOLD_APART, TURNS, ways};
use crate::scenario::{
    Act, ActKind, AdaptiveAction, Improvised, Leaving, Participant, PlannedGame, PlayerAction,
    SendPart, Side, Situation, StepKind, Turn, Until,
};

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
        StepKind::Turn(turn) => self::turn(plan, turn),
        StepKind::PlayToTheEnd => vec!["play: to the end".to_owned()],
        StepKind::PlayUntil(until) => {
            let within = match until.turns {
                TURNS => String::new(),
                turns => format!(", within {turns} turns"),
            };
            vec![format!("play: until {}{within}", situation(plan, until))]
        }
        StepKind::Improvise(turn) => {
            vec![format!(
                "{}: {}",
                mover(plan, turn),
                scalar(&turn.action.text(plan.dialect))
            )]
        }
    }
}

impl Until {
    /// Legal play until this situation has come up, for as many turns as usual.
    #[must_use]
    pub fn new(plan: &PlannedGame, who: Option<Seat>, situation: Situation) -> Until {
        let mut until = Until {
            who,
            situation,
            turns: TURNS,
            told: String::new(),
        };
        until.told = self::situation(plan, &until);
        until
    }
}

impl Improvised {
    /// A turn of this player, or of whoever is on turn, that is made up for the position.
    #[must_use]
    pub fn new(plan: &PlannedGame, who: Option<Seat>, action: AdaptiveAction) -> Improvised {
        let told = String::new();
        let mut turn = Improvised { who, action, told };
        let action = turn.action.text(plan.dialect);
        turn.told = format!("{}: {action}", mover(plan, &turn));
        turn
    }

    /// The step that is this turn. In a game without rolls, what a player who is named does is a turn like any other.
    #[must_use]
    pub fn step(self, plan: &PlannedGame) -> StepKind {
        let has_rolls = !plan.dialect.game().kinds_of_roll().is_empty();
        let action = match &self.action {
            AdaptiveAction::Plain(action) => Some(action),
            AdaptiveAction::Legal(None) if plan.side == Side::Bot => Some(&PlayerAction::ANY),
            _ => None,
        };
        match (self.who, action) {
            (Some(seat), Some(action)) if !has_rolls => {
                StepKind::Turn(Turn::new(seat, None, action.clone()))
            }
            _ => StepKind::Improvise(self),
        }
    }
}

/// Writes a situation: `top can capture`.
fn situation(plan: &PlannedGame, until: &Until) -> String {
    let who = until.who.map_or(MOVER, |seat| plan.key(seat));
    match &until.situation {
        Situation::CanMove => format!("{who} can move"),
        Situation::CannotMove => format!("{who} cannot move"),
        Situation::Rolled(roll) => {
            format!("{who} rolls {}", plan.dialect.game().format_roll(*roll))
        }
        Situation::Can(kind) => format!("{who} can {kind}"),
        Situation::CanBreak(code) => format!("{who} can break {code}"),
        Situation::ToldApart(words) => [TOLD_APART, &words.join(" ")]
            .join(" ")
            .trim_end()
            .to_owned(),
    }
}

/// The key of a turn that is made up.
fn mover(plan: &PlannedGame, turn: &Improvised) -> &'static str {
    turn.who.map_or(MOVER, |seat| plan.key(seat))
}

fn turn(plan: &PlannedGame, turn: &Turn) -> Vec<String> {
    let action = turn.action.text(plan.dialect);
    let value = plan.matchup().written(turn.roll, &action);
    let key = plan.key(turn.seat);
    let mut lines = vec![match value.as_str() {
        "" => format!("{key}:"),
        value => format!("{key}: {}", scalar(value)),
    }];
    if let PlayerAction::Send(parts) = &turn.action {
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
    let who = match act.who {
        Participant::Player(seat) => plan.key(seat).to_owned(),
        Participant::Spectator(number) => format!("spectator {number}"),
    };
    let what = match &act.what {
        ActKind::Join | ActKind::Leave(_) => {
            let ways = ways(act.who).into_iter();
            let mut words = ways.filter(|(_, what)| *what == act.what);
            words.next().map_or("", |(words, _)| words).to_owned()
        }
        ActKind::Send(parts) => match &parts[..] {
            [SendPart::Bytes(bytes)] if !bytes.is_empty() => {
                scalar(&format!("send {}", quoted(bytes)))
            }
            parts => match split(parts) {
                (sent, Some(how)) => format!("{{send: {sent}, then: {}}}", how.words()),
                (sent, None) => format!("{{send: {sent}}}"),
            },
        },
    };
    format!("{who}: {what}")
}

/// Writes what is sent, and gives the way in which the sender goes away after it.
fn split(parts: &[SendPart]) -> (String, Option<Leaving>) {
    let sent = |part: &SendPart| match part {
        SendPart::Bytes(bytes) => Some(piece(bytes)),
        SendPart::Pause(time) => Some(pause(*time)),
        SendPart::Leave(_) => None,
    };
    let sent: Vec<String> = parts.iter().filter_map(sent).collect();
    let written = match &sent[..] {
        [only] => only.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    (written, SendPart::leaving(parts))
}

/// Writes a piece that is a pause.
pub(super) fn pause(time: std::time::Duration) -> String {
    format!("{{pause: {}}}", humantime::format_duration(time))
}
