//! Rules between the keys of a scenario, and between them and its game: the sides, the seats and their keys, the times, the setup.

use std::time::Duration;

use super::forms::MOVER;
use super::keys::{GameKeys, Time};
use super::turns::{BOT, OPPONENT};
use crate::diagnostic::{Faults, Span};
use crate::protocol::{Facts, LaneKind, Model};
use crate::rules::{Game, Move, PerSeat, Roll, Seat, Setup, SetupKey};
use crate::scenario::{PlannedGame, Side};
use crate::yaml::{At, Key, Kind, Node};

/// The keys of one side.
const OF_ONE_SIDE: [(&str, Side); 4] = [
    ("seat", Side::Bot),
    ("writes", Side::Bot),
    ("spectators", Side::Referee),
    ("connect", Side::Referee),
];

/// Refuses the keys of the other side.
pub(super) fn refuse_other_side(root: &Node, side: Side, faults: &Faults) {
    for (key, _) in OF_ONE_SIDE.iter().filter(|(_, of)| *of != side) {
        if let Some(line) = root.line_of(key) {
            let title = format!("a scenario for a {} has no `{key}`", side.word());
            faults.refuse("scenario/side", title, line, "", "remove this line");
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
    seat: Option<&Node>,
    root: Span,
    game: &'static dyn Game,
    first_key: Option<&str>,
    faults: &Faults,
) -> Seat {
    let names = game.seat_names();
    let name = match seat {
        Some(node) => node.as_one_of(&names, faults),
        None => {
            let title = "a scenario for a bot needs the key `seat`";
            let help = format!("write `seat: {}` or `seat: {}`", names[0], names[1]);
            faults.reject("yaml/missing-key", title, root, "not in this mapping", help)
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
pub(super) fn spectators(keys: &GameKeys, root: &Node, plan: &PlannedGame, faults: &Faults) -> u32 {
    let has_spectators = plan.dialect.data().has_spectators;
    let (Side::Referee, Some(line)) = (plan.side, root.line_of("spectators")) else {
        return u32::from(plan.side == Side::Referee && has_spectators);
    };
    if !has_spectators {
        let title = format!("nobody watches {} in this protocol", plan.game().title());
        faults.refuse("scenario/spectators", title, line, "", "remove this line");
        return 0;
    }
    keys.spectators.map_or(1, |number| number.0 as u32)
}

/// Refuses an order of connections, written there, that is not one of all who are there from the beginning.
pub(super) fn check_connect(span: Option<Span>, plan: &PlannedGame, faults: &Faults) {
    let (Some(span), Some(order), Side::Referee) = (span, &plan.keys.connect, plan.side) else {
        return;
    };
    let watching = plan.spectators as usize - plan.late_spectators().count();
    let usual = [LaneKind::Player; 2].into_iter();
    let usual = usual.chain(std::iter::repeat_n(LaneKind::Spectator, watching));
    let usual: Vec<LaneKind> = usual.collect();
    let number = |all: &[LaneKind]| all.iter().filter(|kind| **kind == LaneKind::Player).count();
    if order.len() != usual.len() || number(order) != number(&usual) {
        let title = "these are not the participants with which the game begins";
        let written = usual.written().unwrap_or_default();
        let help = format!("write these in the order that is meant: `{written}`");
        faults.refuse("scenario/connect", title, span, "", help);
    }
}

/// Reads the setup that the scenario fixes; `None` if it fixes nothing.
pub(super) fn setup(
    entries: &[Option<(Key, Node)>],
    game: &dyn Game,
    faults: &Faults,
) -> Option<Setup> {
    let due = game.setup_keys();
    let (key, node) = entries.iter().flatten().next()?;
    if let Some((missing, _)) = due.iter().zip(entries).find(|(_, entry)| entry.is_none()) {
        let title = format!(
            "a scenario with the key `{}` needs the key `{}` as well",
            key.text, missing.name
        );
        let help = format!("`{}:` is {}", missing.name, missing.due);
        let span = key.span.to(node.span);
        return faults.reject("scenario/setup", title, span, "", help);
    }
    let nodes: Vec<&Node> = entries.iter().flatten().map(|(_, node)| node).collect();
    let texts: Option<Vec<&str>> = nodes.iter().map(|node| node.as_line(faults)).collect();
    match game.setup_of(&texts?) {
        Ok(setup) => Some(setup),
        Err(index) => {
            let SetupKey { name, due } = due[index];
            let title = format!("this is not what `{name}` is");
            faults.reject(
                "scenario/setup",
                title,
                nodes[index].span,
                "",
                format!("write {due}"),
            )
        }
    }
}

/// The pace that the subject is started with, within the bounds of the game.
pub(super) fn pace(pace: Option<At<Time>>, game: &dyn Game, faults: &Faults) -> Option<Duration> {
    let span = pace?.span;
    let refuse = |title: String, help: &str| faults.reject("scenario/pace", title, span, "", help);
    let Some(longest) = game.data().longest_pace else {
        let title = format!("the {} has no pace", game.title());
        return refuse(title, "remove this line");
    };
    let pace = time(pace, "pace", game.data().default_pace, game, faults)?;
    if pace > longest {
        let longest = humantime::format_duration(longest);
        let title = format!("the pace of the {} is at most {longest}", game.title());
        return refuse(title, &format!("write one from `0s` to `{longest}`"));
    }
    Some(pace)
}

/// The time that the subject is started with: the one that is written, or its own.
pub(super) fn time(
    time: Option<At<Time>>,
    key: &str,
    usual: Option<Duration>,
    game: &dyn Game,
    faults: &Faults,
) -> Option<Duration> {
    let At { is, span } = time?;
    if let Time::Said(time) = is {
        return Some(time);
    }
    if usual.is_none() {
        let title = format!("the {} has no {key} by default", game.title());
        faults.refuse(
            "scenario/default",
            title,
            span,
            "",
            "write one, such as `2s`",
        );
    }
    usual
}

impl PlannedGame {
    pub(super) fn game(&self) -> &'static dyn Game {
        self.dialect.game()
    }

    /// The game before its first turn, with a lane for each seat; `None` where the scenario leaves to chance how it starts.
    pub(super) fn model(&self) -> Option<Model> {
        let is_fixed = self.game().setup_keys().is_empty();
        let setup = self.setup.or(is_fixed.then(Setup::default))?;
        let facts = Facts::default().with_setup(setup);
        let (lanes, sees_sent) = ([LaneKind::Player; 2], PerSeat([true; 2]));
        let mut model = Model::new(self.dialect, &lanes, sees_sent).with_facts(facts);
        for seat in Seat::BOTH {
            model.assign(seat.index(), seat);
            // Nobody receives a line here.
            model.set_apart(seat.index());
        }
        Some(model)
    }

    pub(super) fn has_rolls(&self) -> bool {
        !self.game().kinds_of_roll().is_empty()
    }

    /// The keys of turns, by seat.
    pub(super) fn keys(&self) -> [&'static str; 2] {
        match (self.side, self.bot_seat) {
            (Side::Referee, _) => self.game().seat_names(),
            (Side::Bot, Seat::First) => [BOT, OPPONENT],
            (Side::Bot, Seat::Second) => [OPPONENT, BOT],
        }
    }

    /// The key of a turn of this seat.
    #[must_use]
    pub fn key(&self, seat: Seat) -> &'static str {
        self.keys()[seat.index()]
    }

    /// The key of a turn of this player, or of whoever is on turn.
    pub(super) fn mover(&self, seat: Option<Seat>) -> &'static str {
        seat.map_or(MOVER, |seat| self.key(seat))
    }

    /// The seat whose turns have this key.
    pub(super) fn seat(&self, key: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.key(seat) == key)
    }

    /// Returns true if the subject chooses the moves of this seat.
    pub(super) fn is_subject(&self, seat: Seat) -> bool {
        self.side == Side::Bot && self.bot_seat == seat
    }

    /// A turn as it is written, from its parts.
    pub(super) fn written(&self, roll: Option<Roll>, action: &str) -> String {
        match roll {
            Some(roll) if action.is_empty() => self.game().format_roll(roll),
            Some(roll) => format!("{} > {action}", self.game().format_roll(roll)),
            None => action.to_owned(),
        }
    }

    /// Moves as they are written, some of many.
    pub(super) fn listed(&self, moves: &[Move]) -> String {
        const SHOWN: usize = 12;
        let mut words: Vec<String> = moves
            .iter()
            .take(SHOWN)
            .map(|&mv| format!("`{}`", self.game().format_move(mv)))
            .collect();
        if moves.len() > SHOWN {
            words.push(format!("{} more", moves.len() - SHOWN));
        }
        match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}
