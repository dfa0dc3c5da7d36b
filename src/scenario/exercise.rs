//! Requirements that a scenario exercises: by its game, and by actions of its participants outside the game.

use super::exercised::Exercised;
use super::{Act, Choice, Deed, Participant, PlannedGame, SendPart, Side, Turn, Writes};
use crate::protocol::{GameEvent, OffTurn, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Setup};

/// A game that was played.
#[derive(Debug, Clone, Copy)]
pub struct PlayedGame<'g> {
    /// Events of the game.
    pub history: &'g [GameEvent],
    /// Random setup before the first turn.
    pub setup: Option<Setup>,
    /// Number of its spectators.
    pub spectators: usize,
    /// The move by which a player has lost, where the line names one.
    pub losing_move: Option<Move>,
    /// True if the scenario was played to its end without a deviation.
    pub is_whole: bool,
}

impl PlannedGame {
    /// Names, to `rest`, the requirements that a game of this scenario has put to the test, each as often as it has. Returns the situations
    /// that came up, by the numbers of the game's coverage items.
    pub fn exercised(
        &self,
        game: &PlayedGame<'_>,
        rest: &mut dyn FnMut(&'static str),
    ) -> Vec<usize> {
        let Some(last) = game.history.last() else {
            return Vec::new();
        };
        let mut table = self.dialect.game().table(game.setup.unwrap_or_default());
        let mut exercised = Exercised::new(self, Some(game.spectators), rest);
        for event in game.history {
            exercised.take(&*table, event, game.losing_move);
            if !event.play_on(&mut *table) {
                return exercised.situations;
            }
            if !matches!(event, GameEvent::Rolled { skipped: false, .. }) {
                exercised.end_turn();
            }
        }
        if game.is_whole {
            exercised.end_game(Some(last));
        }
        let situations = exercised.situations;
        if game.is_whole {
            self.exercised_beside(rest);
        }
        situations
    }

    /// Those of the requirements that a game of this scenario has not put to the test.
    #[must_use]
    pub fn untested(&self, ids: &[&'static str], game: &PlayedGame<'_>) -> Vec<&'static str> {
        let mut left = ids.to_vec();
        self.exercised(game, &mut |id| left.retain(|claimed| *claimed != id));
        left
    }

    /// Names the requirements that are put to the test by what it has done beside the course of the game.
    pub(super) fn exercised_beside(&self, rest: &mut dyn FnMut(&'static str)) {
        let is_plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if self
            .keys
            .names
            .as_ref()
            .is_some_and(|names| !names.0.iter().all(is_plain))
        {
            self.shows(Role::ShownByOddName, rest);
        }
        if self.side == Side::Bot {
            if matches!(self.keys.writes, Writes::Split | Writes::Joined) {
                self.shows(Role::ShownByPieces, rest);
            }
            return;
        }
        if self.is_the_example() {
            self.shows(Role::ExampleGame, rest);
        }
        self.clock(rest);
        for (_, acts, deed) in self.deeds() {
            acts.iter().for_each(|act| self.act(act, rest));
            self.deed(deed, rest);
        }
    }

    /// Names the requirements with a role.
    pub(super) fn shows(&self, role: Role, rest: &mut dyn FnMut(&'static str)) {
        self.dialect.ids(role).iter().copied().for_each(rest);
    }

    /// Calls `rest` for the requirements on time that a timed-out turn exercises, by the pauses before it and
    /// in it.
    fn clock(&self, rest: &mut dyn FnMut(&'static str)) {
        let turns: Vec<_> = self.deeds().collect();
        let Some(place) = turns
            .iter()
            .position(|(_, _, deed)| self.lets_time_pass(deed))
        else {
            return;
        };
        let (before, (silent, acts, deed)) = (&turns[..place], turns[place]);
        if deed.pauses(acts) {
            self.shows(Role::NoNewTime, rest);
        }
        let mut paused = before
            .iter()
            .filter(|(_, _, deed)| deed.pauses(&[]))
            .peekable();
        if paused.peek().is_some() {
            self.shows(Role::OwnTurnTimed, rest);
        }
        if paused.any(|(seat, ..)| seat.is_some() && *seat == silent) {
            self.shows(Role::TimeInSum, rest);
        }
    }

    fn act(&self, act: &Act, rest: &mut dyn FnMut(&'static str)) {
        let dialect = self.dialect;
        if let Participant::Spectator(_) = act.who {
            if act.deed == Deed::Join {
                self.shows(Role::LateSpectator, rest);
            }
            return;
        }
        if !SendPart::lines(act.deed.parts()).0.is_empty() {
            off_turn(dialect.off_turn(), rest);
        }
        if act.deed.leaving().is_some() {
            self.shows(Role::GoneOffTurn, rest);
        }
    }

    fn deed(&self, deed: &Deed, rest: &mut dyn FnMut(&'static str)) {
        let dialect = self.dialect;
        if !matches!(deed, Deed::Ignored(_) | Deed::Send(_) | Deed::SendMove(..)) {
            return;
        }
        let parts = &deed.sent_with_some_move(dialect);
        let lines = deed.lines(dialect);
        lines.ignored.iter().for_each(|id| rest(id));
        if let Some(PlayerLine::Open(open)) = lines.first {
            rest(open.requirement);
        }
        if lines.more > 0 {
            off_turn(dialect.second_line(), rest);
        }
        let may_count = lines.first.is_none() && lines.half.possible_move().is_some();
        if may_count && SendPart::leaving(parts).is_some() {
            self.shows(Role::UnfinishedLine, rest);
        }
        let is_begun = |parts: &[SendPart]| {
            let begun = parts
                .iter()
                .any(|part| part.texts().iter().any(|text| !text.is_empty()));
            begun && SendPart::lines(parts).0.is_empty()
        };
        let pauses = parts.iter().enumerate().filter(|(_, part)| part.is_pause());
        let has_lines = lines.first.is_some() || !lines.ignored.is_empty();
        if has_lines && pauses.clone().any(|(place, _)| is_begun(&parts[..place])) {
            self.shows(Role::ShownByPieces, rest);
        }
        if lines.first.is_some() && !deed.delay().is_zero() && self.timeout.is_some() {
            self.shows(Role::TimeoutNotEarly, rest);
        }
        if self.lets_time_pass(deed) && has_lines && pauses.count() > 0 {
            self.shows(Role::NoNewTimeByIgnoredLine, rest);
        }
    }

    /// Returns true for the example game of the specification, with a lane for each of its participants.
    fn is_the_example(&self) -> bool {
        let example = self.dialect.data().example;
        let game = self.dialect.game();
        let named = |turn: &Turn| match &turn.deed {
            Deed::Move(Choice::This(mv)) => Some(*mv),
            Deed::Illegal(line) => self.dialect.read_player_line(line).possible_move(),
            _ => None,
        };
        let is_turn = |(turn, (roll, mv)): (&Turn, &(&str, Option<&str>))| {
            let is_roll = turn.roll.is_some() && turn.roll == game.parse_roll(roll);
            is_roll && named(turn) == mv.and_then(|mv| game.parse_move(mv))
        };
        let own: Vec<&Turn> = self.turns().map(|(_, turn)| turn).collect();
        self.spectators > 0
            && own.len() == example.len()
            && own.into_iter().zip(example).all(is_turn)
    }

    /// Takes the spectators out, for a subject that has none: requirements that only their lanes show are not
    /// claimed.
    pub fn remove_spectators(&mut self) {
        self.spectators = 0;
        let of_spectators = self.dialect.ids(Role::SeenBySpectators);
        self.checks.retain(|id| !of_spectators.contains(id));
    }

    /// Returns true if the game is not known in advance: urtext, the bot or chance decides a part of it.
    #[must_use]
    pub fn is_chosen_as_it_goes(&self) -> bool {
        let is_dealt = self.setup.is_none() && !self.dialect.game().setup_keys().is_empty();
        is_dealt || self.varies() || self.turns().any(|(_, turn)| turn.deed.is_open())
    }
}

fn off_turn(becomes: OffTurn, rest: &mut dyn FnMut(&'static str)) {
    let (OffTurn::Ignored(id) | OffTurn::Open(id)) = becomes;
    rest(id);
}
