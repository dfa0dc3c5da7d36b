//! A list of records reduced to a game: who plays, every turn, and the position at the end.

use super::check::check;
use super::{HcurAction, HcurRecord, game};
use crate::diagnostic::visible;
use crate::finding::{Finding, Verdict};
use crate::games::royalur::notation::heads;
use crate::games::royalur::{UrPosition, UrRules};
use crate::pack::NotatedTurn;
use crate::rules::{Move, PerSeat, Roll, Rules, Seat};

/// Advice for records with rolls in which a skipped turn is missing.
const SKIP_NEEDS_RECORD: &str = "every move tells its roll, so a skipped turn needs its record too: `{author: …, roll: \"0 0 0 0\", skipped: true}`";

const RULES: UrRules = UrRules::STANDARD;

/// A game as its records tell it, up to the end or to the first record that is wrong.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The players who have records; player 1 has the first seat.
    pub players: PerSeat<Option<String>>,
    /// The turns that were valid.
    pub turns: Vec<NotatedTurn>,
    /// Findings about the first invalid record, with the board before it, and remarks.
    pub findings: Vec<Finding>,
    /// The position after the last valid turn.
    pub position: UrPosition,
    /// True if every move includes its roll; then no turn is missing.
    pub tells_rolls: bool,
}

impl Reduction {
    /// Returns true if a record is invalid.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(is_failure)
    }

    /// Returns the winner, if the game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        RULES.winner(&self.position)
    }
}

/// Reduces records to a game. It stops at the first record that breaks a rule, since what follows would be guessed.
#[must_use]
pub fn reduce(records: &[HcurRecord]) -> Reduction {
    let mut moves = records.iter().filter(|record| record.is_move()).peekable();
    let tells_rolls = moves.peek().is_some() && moves.all(|record| record.roll.is_some());
    let mut game = Reduction {
        players: players(records),
        turns: Vec::new(),
        findings: Vec::new(),
        position: UrPosition::START,
        tells_rolls,
    };
    for (index, record) in records.iter().enumerate() {
        let found = game.findings.len();
        if !game.take(index, record) {
            let findings = game.findings[found..].iter_mut();
            for finding in findings.filter(|finding| finding.verdict == Verdict::Fail) {
                finding.board = Some(NotatedTurn::board_after(&game.turns, super::game()));
            }
            break;
        }
    }
    game
}

impl Reduction {
    /// Takes a record; `false` where it is wrong.
    fn take(&mut self, index: usize, record: &HcurRecord) -> bool {
        let author = &record.author;
        let Some(seat) = Seat::BOTH
            .into_iter()
            .find(|&seat| self.plays(seat, &author.text))
        else {
            let title = format!(
                "{} is the third author",
                visible::quoted(&author.text).at_most(60)
            );
            self.wrong("hc/players/two", record, title);
            return false;
        };
        let found = self.findings.len();
        if RULES.winner(&self.position).is_some() {
            if !record.is_move() {
                self.wrong(
                    "hc/game/first-home-wins",
                    record,
                    "a turn after the end of the game",
                );
            }
        } else if seat != self.position.mover() {
            self.off_turn(index, record);
        }
        let position = self.position;
        let valid = check(record, seat, &position, &mut self.findings);
        let is_wrong = self.findings[found..].iter().any(is_failure);
        let Some(valid) = valid.filter(|_| !is_wrong) else {
            return false;
        };
        let turn = NotatedTurn {
            record: Some(index),
            by: seat,
            rolled: record.roll.map(|rolled| rolled.roll),
            is_roll_complete: record.roll.is_some_and(|rolled| rolled.tells_coins),
            roll: valid.roll,
            mv: valid.mv,
            at: None,
        };
        self.push(turn);
        true
    }

    fn plays(&self, seat: Seat, author: &str) -> bool {
        self.players[seat].as_deref() == Some(author)
    }

    /// A record of the player who is not on turn: the other may have been skipped, of which hc-ur keeps no record.
    fn off_turn(&mut self, index: usize, record: &HcurRecord) {
        let skipped = self.position.mover();
        let name = |seat: Seat| match &self.players[seat] {
            Some(name) => visible::plain(name).at_most(60).to_string(),
            None => format!("the {} player", game().seat_name(seat)),
        };
        let (own, other) = (name(skipped.other()), name(skipped));
        if index == 0 {
            let title = format!("player 2, {own}, makes the first move");
            self.note(Verdict::Lenient, "hc/turn/first", record, title);
        } else if self.tells_rolls || !record.is_move() {
            let title = format!("{own} moves, and it is the turn of {other}");
            let requirement = match record.act {
                HcurAction::Move { from: None, .. } => "hc/create/players-turn",
                HcurAction::Move { .. } => "hc/move/players-turn",
                HcurAction::Skipped => "hc/turn/alternates",
            };
            self.wrong(requirement, record, title);
            if let Some(finding) = self.findings.last_mut().filter(|_| record.is_move()) {
                finding.notes.push(SKIP_NEEDS_RECORD.to_owned());
            }
            return;
        } else {
            let rolls = RULES.kinds_of_roll().iter();
            let rolls = rolls.filter(|roll| !RULES.can_move(&self.position, **roll));
            let numbers: Vec<_> = rolls.map(|roll| RULES.steps(*roll).to_string()).collect();
            let title = format!(
                "{own} moves where it is the turn of {other}, who may have been skipped with a roll of {}",
                numbers.join(" or ")
            );
            self.note(
                Verdict::Inconclusive,
                "hc/turn/skipped-unrecorded",
                record,
                title,
            );
        }
        let turn = NotatedTurn {
            record: None,
            by: skipped,
            rolled: None,
            is_roll_complete: false,
            roll: heads(0),
            mv: None,
            at: None,
        };
        self.push(turn);
    }

    fn push(&mut self, turn: NotatedTurn) {
        self.position = step(&self.position, turn.roll, turn.mv);
        self.turns.push(turn);
    }

    fn wrong(&mut self, requirement: &'static str, record: &HcurRecord, title: impl Into<String>) {
        self.note(Verdict::Fail, requirement, record, title);
    }

    fn note(
        &mut self,
        verdict: Verdict,
        requirement: &'static str,
        record: &HcurRecord,
        title: impl Into<String>,
    ) {
        let span = record.author.span;
        self.findings
            .push(Finding::at(span, verdict, requirement, title));
    }
}

fn is_failure(finding: &Finding) -> bool {
    finding.verdict == Verdict::Fail
}

/// Returns the position after a valid turn.
///
/// # Panics
/// Panics if the move is not legal.
pub(in crate::games::royalur) fn step(
    position: &UrPosition,
    roll: Roll,
    mv: Option<Move>,
) -> UrPosition {
    match mv {
        Some(mv) => RULES.moved(position, roll, mv).expect("a turn is valid"),
        None => RULES.skipped(position, roll),
    }
}

/// Returns the players. Player 1 is the author of the first record, unless the rows of all the moved tokens
/// contradict this.
fn players(records: &[HcurRecord]) -> PerSeat<Option<String>> {
    let first = records.first().map(|record| record.author.text.as_str());
    let second = records
        .iter()
        .map(|record| record.author.text.as_str())
        .find(|author| Some(*author) != first);
    let mut is_usual = false;
    let mut is_turned = false;
    for record in records {
        let HcurAction::Move {
            from: Some((_, from)),
            ..
        } = record.act
        else {
            continue;
        };
        let author = Some(record.author.text.as_str());
        for (seat, own, other) in [(Seat::First, first, second), (Seat::Second, second, first)] {
            let is_his = from.y == super::Square::own_row(seat);
            is_usual |= is_his && author == own;
            is_turned |= is_his && author == other;
        }
    }
    let (first, second) = (first.map(str::to_owned), second.map(str::to_owned));
    PerSeat(if is_turned && !is_usual {
        [second, first]
    } else {
        [first, second]
    })
}

/// The position after turns from the start of a game.
///
/// # Panics
/// Panics if the turns are not legal.
#[must_use]
pub fn reached(turns: &[NotatedTurn]) -> UrPosition {
    turns.iter().fold(UrPosition::START, |position, turn| {
        step(&position, turn.roll, turn.mv)
    })
}
