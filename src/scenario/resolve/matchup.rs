//! Roles in a scenario, and the keys by which turns name them.

use crate::protocol::{Dialect, Facts, LaneKind, Model};
use crate::rules::{Game, Move, PerSeat, Roll, Seat, Setup};
use crate::scenario::{PlannedGame, Side};

/// The key of a turn of the bot under test.
pub(super) const BOT: &str = "bot";
/// The key of a turn of the opponent, whom urtext plays.
pub(super) const OPPONENT: &str = "opponent";

/// The protocol, what is under test, and its seat where that is a bot.
#[derive(Clone, Copy)]
pub(in crate::scenario) struct Matchup {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) side: Side,
    pub(super) bot_seat: Seat,
    /// Random setup before the first turn, if the scenario fixes the setup.
    pub(super) setup: Option<Setup>,
}

impl PlannedGame {
    /// The key of a turn of this seat.
    #[must_use]
    pub fn key(&self, seat: Seat) -> &'static str {
        self.matchup().key(seat)
    }

    /// Its protocol, and who plays which seat.
    pub(in crate::scenario) fn matchup(&self) -> Matchup {
        let PlannedGame {
            dialect,
            side,
            bot_seat,
            setup,
            ..
        } = *self;
        Matchup {
            dialect,
            side,
            bot_seat,
            setup,
        }
    }
}

impl Matchup {
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
    pub(super) fn key(&self, seat: Seat) -> &'static str {
        self.keys()[seat.index()]
    }

    /// The seat whose turns have this key.
    pub(super) fn seat(&self, key: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.key(seat) == key)
    }

    /// The key that was meant by one that a scenario for the other side would use.
    pub(super) fn translated(&self, key: &str) -> Option<&'static str> {
        let game = self.game();
        match self.side {
            Side::Referee if key == BOT || key == OPPONENT => Some(game.seat_name(Seat::First)),
            Side::Referee => None,
            Side::Bot => game.seat_called(key).map(|seat| self.key(seat)),
        }
    }

    /// Returns true if the subject chooses the moves of this seat.
    pub(super) fn is_subject(&self, seat: Seat) -> bool {
        self.side == Side::Bot && self.bot_seat == seat
    }

    /// A turn as it is written, from its parts.
    pub(in crate::scenario) fn written(&self, roll: Option<Roll>, action: &str) -> String {
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
