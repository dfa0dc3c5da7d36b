//! Records reduced to a game: every turn up to the first record that breaks a rule.

use super::record::{NetAction, NetGame, NetMove, NetRecord};
use super::tile;
use crate::diagnostic::Diagnostics;
use crate::finding::{Finding, Verdict};
use crate::games::royalur::notation::heads;
use crate::games::royalur::position::{END, START};
use crate::games::royalur::{RoyalUr, UrPosition, UrRules};
use crate::pack::{NotatedGame, NotatedTurn};
use crate::rules::{Game, Move, Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// The longest move.
const LONGEST: u8 = 4;

/// Plays the records from the start of a game.
pub(super) fn reduce(game: NetGame, warnings: Diagnostics) -> NotatedGame {
    let mut reduction = Reduction {
        position: UrPosition::START,
        turns: Vec::new(),
        findings: Vec::new(),
        lost: None,
    };
    for (index, record) in game.records.iter().enumerate() {
        let is_last = game.records[index + 1..]
            .iter()
            .all(|later| matches!(later.action, NetAction::Resigned | NetAction::End(_)));
        if !reduction.take(index, record, is_last) {
            break;
        }
    }
    NotatedGame {
        warnings,
        players: game.names,
        records: game.records.iter().map(|record| record.span).collect(),
        turns: reduction.turns,
        lost: reduction.lost,
        findings: reduction.findings,
    }
}

/// A game as far as its records have been played.
struct Reduction {
    position: UrPosition,
    turns: Vec<NotatedTurn>,
    findings: Vec<Finding>,
    lost: Option<Seat>,
}

/// A rule that a record breaks, and how.
type Broken = (&'static str, String);

impl Reduction {
    /// Takes a record. `is_last`: no turn follows. Returns false if the record breaks a rule of the game.
    fn take(&mut self, index: usize, record: &NetRecord, is_last: bool) -> bool {
        let turn = match record.action {
            NetAction::Resigned => self.resigned(record.by),
            NetAction::End(winner) => self.ended(record, winner),
            NetAction::NoMove => self.skipped(record, is_last),
            NetAction::Move(mv) => self.moved(record, mv),
        };
        match turn {
            Ok(Some((roll, mv))) => {
                self.push(index, record, roll, mv);
                true
            }
            Ok(None) => true,
            Err((requirement, title)) => {
                self.findings.push(Finding {
                    board: Some(NotatedTurn::board_after(&self.turns, &RoyalUr)),
                    ..Finding::at(record.span, Verdict::Fail, requirement, title)
                });
                false
            }
        }
    }

    /// Checks that the game goes on and that it is the player's turn.
    fn due(&self, record: &NetRecord) -> Result<(), Broken> {
        if self.lost.is_some() || RULES.winner(&self.position).is_some() {
            return Err((
                "ur/win/nothing-after",
                "a turn after the end of the game".to_owned(),
            ));
        }
        let (by, due) = (record.by, self.position.mover());
        if by == due {
            return Ok(());
        }
        let name = |seat| RoyalUr.seat_name(seat);
        let title = format!(
            "a turn of the {} player, and it is the {} player's",
            name(by),
            name(due)
        );
        Err(("ur/turn/alternates", title))
    }

    fn resigned(&mut self, by: Seat) -> Result<Option<(Roll, Option<Move>)>, Broken> {
        if self.lost.is_some() || RULES.winner(&self.position).is_some() {
            let title = "a player resigns after the end of the game".to_owned();
            return Err(("ur/win/nothing-after", title));
        }
        self.lost = Some(by);
        Ok(None)
    }

    fn ended(
        &mut self,
        record: &NetRecord,
        named: Seat,
    ) -> Result<Option<(Roll, Option<Move>)>, Broken> {
        let winner = RULES.winner(&self.position).or(self.lost.map(Seat::other));
        let name = |seat| RoyalUr.seat_name(seat);
        let title = match winner {
            None => "a winner is named, and no player has all tokens out".to_owned(),
            Some(winner) if winner != named => {
                format!(
                    "the {} player is named as the winner, and the {} player has won",
                    name(named),
                    name(winner)
                )
            }
            Some(_) => return Ok(None),
        };
        self.found(record, ("ur/win/seven-out", title));
        Ok(None)
    }

    fn skipped(
        &self,
        record: &NetRecord,
        is_last: bool,
    ) -> Result<Option<(Roll, Option<Move>)>, Broken> {
        self.due(record)?;
        let steps = record.roll.unwrap_or(0);
        let roll = heads(u64::from(steps));
        if !RULES.can_move(&self.position, roll) {
            return Ok(Some((roll, None)));
        }
        // The last roll may still wait for its move, which is then no skipped turn.
        if is_last {
            return Ok(None);
        }
        let title = format!("the turn was skipped although a token can move {steps}");
        Err(("ur/skip/only-when-blocked", title))
    }

    fn moved(
        &mut self,
        record: &NetRecord,
        mv: NetMove,
    ) -> Result<Option<(Roll, Option<Move>)>, Broken> {
        self.due(record)?;
        let distance = mv.to.checked_sub(mv.from).filter(|&distance| distance > 0);
        let Some(distance) = distance else {
            return Err((
                "ur/move/forward-by-roll",
                "this move does not go forward on the bell path".to_owned(),
            ));
        };
        if let Some(roll) = record.roll.filter(|&roll| roll != distance) {
            let title = format!("a move of {distance} cells with a roll of {roll}");
            return Err(("ur/move/forward-by-roll", title));
        }
        if distance > LONGEST {
            let title = format!("a move of {distance} cells, and {LONGEST} is the most");
            return Err(("ur/move/forward-by-roll", title));
        }
        let Some(token) = self.position.token_on(record.by, mv.from) else {
            return Err(missing(record.by, mv));
        };
        let (roll, token) = (heads(u64::from(distance)), Move(token as u32));
        if let Some(refusal) = RULES.refused(&self.position, roll, token) {
            return Err((
                refusal.requirement,
                format!("a move that the rules refuse: {}", refusal.reason),
            ));
        }
        let captures = RULES.captures(&self.position, mv.to);
        if captures != mv.captures {
            let title = match captures {
                true => "the move captures a token, and the record has no capture",
                false => "the record has a capture, and the move captures nothing",
            };
            self.found(record, ("ur/capture/shared-lane", title.to_owned()));
        }
        Ok(Some((roll, Some(token))))
    }

    fn push(&mut self, index: usize, record: &NetRecord, roll: Roll, mv: Option<Move>) {
        self.position = match mv {
            Some(mv) => RULES
                .moved(&self.position, roll, mv)
                .expect("the move is legal"),
            None => RULES.skipped(&self.position, roll),
        };
        self.turns.push(NotatedTurn {
            record: Some(index),
            by: record.by,
            // A move shows the number of its steps.
            rolled: Some(roll),
            is_roll_complete: false,
            roll,
            mv,
            at: record.at,
        });
    }

    /// Adds a finding that the file contradicts itself.
    fn found(&mut self, record: &NetRecord, (requirement, title): Broken) {
        let finding = Finding::at(record.span, Verdict::Fail, requirement, title);
        self.findings.push(finding);
    }
}

/// The broken rule where the player has no token at the start of a move.
fn missing(by: Seat, mv: NetMove) -> Broken {
    match mv.from {
        START => (
            "ur/tokens/seven",
            "no token is left to bring onto the board".to_owned(),
        ),
        END.. => (
            "ur/retire/exited-token",
            "the token is out of the game already".to_owned(),
        ),
        cell => {
            let title = format!(
                "no token of the {} player is on {}",
                RoyalUr.seat_name(by),
                tile::of_cell(by, cell)
            );
            ("ur/move/forward-by-roll", title)
        }
    }
}
