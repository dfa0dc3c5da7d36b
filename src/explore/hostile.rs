//! Turns by which a player loses, or which are to be ignored.

use std::time::Duration;

use super::made_up::made_up;
use crate::protocol::{Dialect, OffTurn, PlayerLine};
use crate::rules::Seat;
use crate::scenario::{
    Act, Deed, Leaving, Participant, PlannedGame, Side, Situation, StepKind, Turn, Until,
};

/// Lines that are no move in most games, before and after those of the dialect.
const LINES: [&[&[u8]]; 2] = [&[b"banana", b""], &[b"\x00\xff\x1b[2J", b"0x1"]];

/// Action of a player in place of a legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hostile {
    /// The seat of the bot under test; the first where a referee is.
    pub(super) bot_seat: Seat,
    /// The turn, of the seat that acts.
    pub(super) turn: Turn,
    /// Id of the requirement that shows there, where it is one in particular.
    pub(super) requirement: Option<&'static str>,
}

/// Every hostile turn of a game, for each seat; of a bot, those of its opponent.
pub(super) fn hostile_turns(dialect: &'static dyn Dialect, side: Side) -> Vec<Hostile> {
    let mut all = Vec::new();
    for seat in Seat::BOTH {
        let bot_seat = if side == Side::Bot {
            seat.other()
        } else {
            Seat::First
        };
        let turn = |deed, requirement| Hostile {
            bot_seat,
            turn: Turn::new(seat, None, deed),
            requirement,
        };
        if side == Side::Bot {
            // What the opponent did, a bot does not see.
            let deeds = [
                Deed::Refused(None),
                Deed::Silent,
                Deed::Leave(Leaving::HangUp),
            ];
            all.extend(deeds.map(|deed| turn(deed, None)));
            continue;
        }
        for refusal in dialect.game().data().refusals {
            let deed = Deed::Refused(Some(refusal.code));
            all.push(turn(deed, Some(refusal.requirement)));
        }
        let mut known = Vec::new();
        for line in lines(dialect) {
            // Of lines that the specification has one sentence for, one is enough; hostile bytes are another thing.
            let is_hostile = !line.is_ascii();
            let (requirement, deed) = match dialect.read_player_line(&line) {
                PlayerLine::Invalid(requirement) => (requirement, Deed::Illegal(line)),
                PlayerLine::Ignored(requirement) => (requirement, Deed::Ignored(line)),
                PlayerLine::Move(_) | PlayerLine::Open(_) => continue,
            };
            if is_hostile || !known.contains(&requirement) {
                known.push(requirement);
                all.push(turn(deed, Some(requirement)));
            }
        }
        if let (OffTurn::Ignored(requirement), Some(&mv)) =
            (dialect.off_turn(), dialect.game().every_move().first())
        {
            // Kept for its sender's turn it would be taken for a move there.
            let mut after = turn(Deed::ANY, Some(requirement));
            let line = dialect.write_move(mv);
            after.turn.meanwhile = vec![Act::says(Participant::Other, &line)];
            all.push(after);
        }
        all.push(turn(Deed::Silent, None));
        all.extend(Leaving::ALL.map(|how| turn(Deed::Leave(how), None)));
    }
    all
}

/// Lines of all sorts: some that are no move anywhere, and moves that are written badly.
fn lines(dialect: &dyn Dialect) -> Vec<Vec<u8>> {
    let [before, after] = LINES;
    let all = [before, dialect.data().odd_lines, after].concat();
    let mut lines: Vec<Vec<u8>> = all.into_iter().map(<[u8]>::to_vec).collect();
    if let Some(&mv) = dialect.game().every_move().first() {
        let mv = dialect.write_move(mv);
        let doubled = mv.iter().flat_map(|&byte| {
            if byte == b' ' {
                vec![b' '; 2]
            } else {
                vec![byte]
            }
        });
        lines.extend([
            doubled.collect(),
            mv.to_ascii_uppercase(),
            mv.to_ascii_lowercase(),
        ]);
    }
    lines
}

impl Hostile {
    /// Describes the turn in words.
    pub(super) fn name(&self, dialect: &'static dyn Dialect, side: Side) -> String {
        let plan = made_up(dialect, side, self.bot_seat, &[]);
        let told = self.turn.clone().of(Some(self.turn.seat)).text(&plan);
        match side {
            Side::Referee => told,
            Side::Bot => format!("bot as {}, {told}", dialect.game().seat_name(self.bot_seat)),
        }
    }

    /// A game in which it is done after these steps. `timeout`: the one that is set where the player is silent.
    pub(super) fn game(
        &self,
        dialect: &'static dyn Dialect,
        side: Side,
        timeout: Option<Duration>,
        before: Vec<StepKind>,
    ) -> PlannedGame {
        let deed = &self.turn.deed;
        let plan = PlannedGame {
            timeout: timeout.filter(|_| *deed == Deed::Silent),
            ..made_up(dialect, side, self.bot_seat, self.requirement.as_slice())
        };
        let situation = match deed {
            Deed::Refused(Some(code)) => Situation::CanBreak(code),
            _ => Situation::CanMove,
        };
        let until = Until::new(Some(self.turn.seat), situation);
        // Of a line, only `mover` tells that it is sent whatever was rolled.
        let who = Some(self.turn.seat).filter(|_| side == Side::Bot);
        let turn = self.turn.clone().of(who);
        let goes_on = matches!(deed, Deed::Ignored(_) | Deed::Move(_));
        let turns = before
            .into_iter()
            .chain([StepKind::PlayUntil(until), turn.step(&plan)])
            .chain(goes_on.then_some(StepKind::PlayToTheEnd));
        plan.with_steps(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;
    use crate::scenario::{Alone, Scenario, resolve};

    #[test]
    fn every_hostile_turn_makes_a_scenario_that_can_be_read() {
        for dialect in pack::dialects().filter(|dialect| !dialect.game().data().refusals.is_empty())
        {
            for side in Side::ALL {
                let all = hostile_turns(dialect, side);
                assert!(
                    all.len() >= if side == Side::Bot { 6 } else { 24 },
                    "{}",
                    all.len()
                );
                for hostile in all {
                    let done = hostile.game(dialect, side, None, Vec::new());
                    let placed = done.titled("hostile").placed("x").unwrap();
                    let (read, _) = resolve(&placed.source, "x", &Alone);
                    let steps = |scenario: &Scenario| scenario.game().unwrap().steps.clone();
                    assert_eq!(steps(&read[0]), steps(&placed));
                }
            }
        }
    }

    #[test]
    fn no_two_hostile_turns_have_the_same_name() {
        for dialect in pack::dialects() {
            for side in Side::ALL {
                let mut names: Vec<_> = hostile_turns(dialect, side)
                    .iter()
                    .map(|hostile| hostile.name(dialect, side))
                    .collect();
                let number = names.len();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), number, "{names:?}");
            }
        }
    }
}
