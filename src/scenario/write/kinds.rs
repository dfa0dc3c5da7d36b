//! Kinds of what a turn can hold, so that a test knows whether it has seen all of them.

use crate::protocol::Dialect;
use crate::scenario::*;

/// Every kind of step, action, act and situation.
pub(super) const KINDS: [&str; 42] = [
    "skip",
    "this move",
    "any move",
    "any as",
    "any except",
    "illegal move",
    "illegal line",
    "ignored line",
    "silent",
    "pieces",
    "pieces, then leaves",
    "hangs up",
    "closes half",
    "resets",
    "act: sends a text",
    "act: sends pieces",
    "act: sends, then leaves",
    "act: player hangs up",
    "act: player closes half",
    "act: player resets",
    "act: spectator leaves",
    "act: spectator resets",
    "act: spectator joins",
    "to the end",
    "until can move",
    "until cannot move",
    "until rolled",
    "until can",
    "until can break",
    "until told apart",
    "mover",
    "made up: named",
    "made up: any",
    "made up: any of a kind",
    "made up: any after",
    "made up: illegal",
    "made up: illegal by a reason",
    "made up: silent",
    "made up: leaves",
    "made up: illegal line",
    "made up: ignored line",
    "within",
];

/// The kinds that a step is of.
pub(super) fn kinds(dialect: &dyn Dialect, step: &StepKind) -> Vec<&'static str> {
    match step {
        StepKind::Turn(turn) => {
            let acts = turn.meanwhile.iter().map(kind_of_act);
            kinds_of_action(dialect, &turn.action)
                .into_iter()
                .chain(acts)
                .collect()
        }
        StepKind::PlayToTheEnd => vec!["to the end"],
        StepKind::PlayUntil(until) => {
            let situation = match until.situation {
                Situation::CanMove => "until can move",
                Situation::CannotMove => "until cannot move",
                Situation::Rolled(_) => "until rolled",
                Situation::Can(_) => "until can",
                Situation::CanBreak(_) => "until can break",
                Situation::ToldApart(_) => "until told apart",
            };
            let within = (until.turns == 10_000).then_some("within");
            [situation].into_iter().chain(within).collect()
        }
        StepKind::Improvise(turn) => {
            let who = turn.who.map_or("mover", |_| "made up: named");
            let action = match &turn.action {
                AdaptiveAction::Legal(None) => "made up: any",
                AdaptiveAction::Legal(Some(_)) => "made up: any of a kind",
                AdaptiveAction::LegalAfter(_) => "made up: any after",
                AdaptiveAction::Refused(None) => "made up: illegal",
                AdaptiveAction::Refused(Some(_)) => "made up: illegal by a reason",
                AdaptiveAction::Plain(PlayerAction::Silent) => "made up: silent",
                AdaptiveAction::Plain(PlayerAction::Leave(_)) => "made up: leaves",
                AdaptiveAction::Plain(PlayerAction::Illegal(_)) => "made up: illegal line",
                AdaptiveAction::Plain(PlayerAction::Ignored(_)) => "made up: ignored line",
                AdaptiveAction::Plain(other) => panic!("{other:?} needs a position"),
            };
            vec![who, action]
        }
    }
}

fn kinds_of_action(dialect: &dyn Dialect, action: &PlayerAction) -> Vec<&'static str> {
    let of_leaving = |how: &Leaving| match how {
        Leaving::HangUp => "hangs up",
        Leaving::HalfClose => "closes half",
        Leaving::Reset => "resets",
    };
    match action {
        PlayerAction::Skip => vec!["skip"],
        PlayerAction::Move(Choice::This(_)) => vec!["this move"],
        PlayerAction::Move(Choice::Any { name, except }) => {
            let name = name.as_ref().map(|_| "any as");
            let except = except.as_ref().map(|_| "any except");
            let any = (name, except) == (None, None);
            let any = any.then_some("any move");
            [any, name, except].into_iter().flatten().collect()
        }
        PlayerAction::Illegal(_) if !action.text(dialect).starts_with('"') => {
            vec!["illegal move"]
        }
        PlayerAction::Illegal(_) => vec!["illegal line"],
        PlayerAction::Ignored(_) => vec!["ignored line"],
        PlayerAction::Silent => vec!["silent"],
        PlayerAction::Send(parts) => match SendPart::leaving(parts) {
            None => vec!["pieces"],
            Some(_) => vec!["pieces, then leaves"],
        },
        PlayerAction::Leave(how) => vec![of_leaving(how)],
    }
}

fn kind_of_act(act: &Act) -> &'static str {
    match (act.who, &act.what) {
        (Participant::Player(_), ActKind::Send(parts)) => {
            match (&parts[..], SendPart::leaving(parts)) {
                ([SendPart::Bytes(_)], _) => "act: sends a text",
                (_, None) => "act: sends pieces",
                (_, Some(_)) => "act: sends, then leaves",
            }
        }
        (Participant::Player(_), ActKind::Leave(Leaving::HangUp)) => "act: player hangs up",
        (Participant::Player(_), ActKind::Leave(Leaving::HalfClose)) => "act: player closes half",
        (Participant::Player(_), ActKind::Leave(Leaving::Reset)) => "act: player resets",
        (Participant::Spectator(_), ActKind::Leave(Leaving::HangUp)) => "act: spectator leaves",
        (Participant::Spectator(_), ActKind::Leave(Leaving::Reset)) => "act: spectator resets",
        (Participant::Spectator(_), ActKind::Join) => "act: spectator joins",
        (who, what) => panic!("{who:?} cannot do {what:?}"),
    }
}
