//! Rules between the keys of a scenario, and between them and its game.

use super::keys::GameKeys;
use super::kinds::SeatName;
use super::matchup::{BOT, Matchup, OPPONENT};
use crate::diagnostic::{Faults, Span, counted};
use crate::protocol::LaneKind;
use crate::rules::{Game, Seat, Setup};
use crate::scenario::{PlannedGame, Side};
use crate::yaml::{Key, Node, Written};

/// The keys of one side, each with the error of a scenario for the other side.
const OF_ONE_SIDE: [(Side, &str, &str, &str, &str); 3] = [
    (
        Side::Bot,
        "seat",
        "scenario/seat",
        "a scenario for a referee has no `seat`: urtext plays both players",
        "remove this line",
    ),
    (
        Side::Bot,
        "writes",
        "scenario/writes",
        "a scenario for a referee has no `writes`: each player sends what its turn says",
        "remove this line; the key `send` of a turn sends parts of lines",
    ),
    (
        Side::Referee,
        "spectators",
        "scenario/spectators",
        "a scenario for a bot has no spectators: urtext is the referee",
        "remove this line",
    ),
];

/// Refuses the keys of the other side.
pub(super) fn refuse_other_side(keys: &Written<GameKeys>, side: Side, faults: &Faults<'_>) {
    for (of, key, code, title, help) in OF_ONE_SIDE {
        if let Some(line) = keys.line(key).filter(|_| of != side) {
            faults.refuse(code, title, line, "", help);
        }
    }
}

/// The side under test; where it cannot be read, the one of the form of the turns.
pub(super) fn side(named: Option<Side>, first_key: Option<&str>) -> Option<Side> {
    named.or_else(|| match first_key? {
        BOT | OPPONENT => Some(Side::Bot),
        _ => Some(Side::Referee),
    })
}

/// The seat of the bot under test; where it cannot be read, the one that fits the first turn.
pub(super) fn seat(
    seat: Option<&SeatName>,
    root: Span,
    game: &'static dyn Game,
    first_key: Option<&str>,
    faults: &Faults<'_>,
) -> Seat {
    let names = game.seat_names();
    let name = match seat {
        Some(SeatName(node)) => node.as_one_of(&names, faults),
        None => {
            let title = "a scenario for a bot needs the key `seat`";
            let help = format!("write `seat: {}` or `seat: {}`", names[0], names[1]);
            faults.refuse("yaml/missing-key", title, root, "not in this mapping", help);
            None
        }
    };
    let named = |seat: &Seat| Some(names[seat.index()]) == name;
    Seat::BOTH.into_iter().find(named).unwrap_or_else(|| {
        let begins = game.table(Setup::default()).to_move();
        match first_key == Some(OPPONENT) {
            true => begins.other(),
            false => begins,
        }
    })
}

/// The number of spectators; a bot has none.
pub(super) fn spectators(keys: &Written<GameKeys>, matchup: &Matchup, faults: &Faults<'_>) -> u32 {
    let has_spectators = matchup.dialect.has_spectators();
    let (Side::Referee, Some(line)) = (matchup.side, keys.line("spectators")) else {
        return u32::from(matchup.side == Side::Referee && has_spectators);
    };
    if !has_spectators {
        let title = format!("nobody watches {} in this protocol", matchup.game().title());
        faults.refuse("scenario/spectators", title, line, "", "remove this line");
        return 0;
    }
    keys.is.spectators.map_or(1, |number| number.0 as u32)
}

/// In which order players and spectators connect; all who are there from the beginning.
pub(super) fn connect(
    keys: &Written<GameKeys>,
    plan: &PlannedGame,
    faults: &Faults<'_>,
) -> Vec<LaneKind> {
    let Some(span) = keys.span("connect") else {
        return Vec::new();
    };
    if plan.side == Side::Bot {
        let title = "in a scenario for a bot nobody connects to anything: urtext is the referee";
        faults.refuse("scenario/connect", title, span, "", "remove this line");
        return Vec::new();
    }
    let Some(order) = &keys.is.connect else {
        return Vec::new();
    };
    let watching = plan.spectators as usize - plan.late_spectators().count();
    let due = [(LaneKind::Player, 2), (LaneKind::Spectator, watching)];
    let named = |kind: LaneKind| order.iter().filter(|&&other| other == kind).count();
    if due.iter().any(|&(kind, count)| named(kind) != count) {
        let watching_words = match watching {
            0 => "no spectator".to_owned(),
            _ => counted(watching, "spectator"),
        };
        let title =
            format!("the game begins with two players and {watching_words}, and here stand others");
        let usual: Vec<_> = ["player"; 2]
            .into_iter()
            .chain(std::iter::repeat_n("spectator", watching))
            .collect();
        let help = format!(
            "write these in the order that is meant: `[{}]`",
            usual.join(", ")
        );
        faults.refuse("scenario/connect", title, span, "", help);
    }
    order.clone()
}

/// Reads the setup that the scenario fixes; `None` if it fixes nothing.
pub(super) fn setup(
    entries: &[Option<(Key, Node)>],
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Setup> {
    let due = game.setup_keys();
    let (key, node) = entries.iter().flatten().next()?;
    if let Some((missing, due)) = due
        .iter()
        .zip(entries)
        .find(|(_, entry)| entry.is_none())
        .map(|(row, _)| *row)
    {
        let title = format!(
            "a scenario with the key `{}` needs the key `{missing}` as well",
            key.text
        );
        faults.refuse(
            "scenario/setup",
            title,
            key.span.to(node.span),
            "",
            format!("`{missing}:` is {due}"),
        );
        return None;
    }
    let nodes: Vec<&Node> = entries.iter().flatten().map(|(_, node)| node).collect();
    let texts: Option<Vec<&str>> = nodes.iter().map(|node| node.as_line(faults)).collect();
    match game.setup_of(&texts?) {
        Ok(setup) => Some(setup),
        Err(index) => {
            let (key, due) = due[index];
            let title = format!("this is not what `{key}` is");
            faults.refuse(
                "scenario/setup",
                title,
                nodes[index].span,
                "",
                format!("write {due}"),
            );
            None
        }
    }
}
