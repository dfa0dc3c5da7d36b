//! A list of records reduced to a game: who plays, every turn, and the position at the end.

use super::check::{check, heads};
use super::{Breach, HcurAction, HcurRecord, Weight, game};
use crate::diagnostic::visible;
use crate::games::royalur::{UrPosition, UrRules};
use crate::protocol::GameEvent;
use crate::rules::{Move, PerSeat, Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// A game as its records tell it, up to the end or to the first record that is wrong.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The players who have records; player 1 has the first seat.
    pub players: PerSeat<Option<String>>,
    /// The turns that were valid.
    pub turns: Vec<HcurTurn>,
    /// Errors of the first invalid record, and other remarks.
    pub breaches: Vec<Breach>,
    /// The position after the last valid turn.
    pub position: UrPosition,
    /// True if every move includes its roll; then no turn is missing.
    pub tells_rolls: bool,
}

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HcurTurn {
    /// The record that tells it, from 0; `None` where only the next record shows that it was skipped.
    pub record: Option<usize>,
    /// The player of the turn.
    pub by: Seat,
    /// The roll, if a record contains it.
    pub rolled: Option<Roll>,
    /// True if each coin is given, and not only the number of heads.
    pub tells_coins: bool,
    /// The roll by which it is played: the one that was told, or as many heads as the move is long.
    pub roll: Roll,
    /// The token that moved; `None` where the turn was skipped.
    pub mv: Option<Move>,
}

impl Reduction {
    /// Returns true if a record is invalid.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.breaches
            .iter()
            .any(|breach| breach.weight == Weight::Fails)
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
        breaches: Vec::new(),
        position: UrPosition::START,
        tells_rolls,
    };
    for (index, record) in records.iter().enumerate() {
        if !game.take(index, record) {
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
            self.breach("hc/players/two", index, record, title);
            return false;
        };
        let found = self.breaches.len();
        if RULES.winner(&self.position).is_some() {
            if !record.is_move() {
                self.breach(
                    "hc/game/first-home-wins",
                    index,
                    record,
                    "a turn after the end of the game".to_owned(),
                );
            }
        } else if seat != self.position.mover() {
            self.off_turn(index, record);
        }
        let position = self.position;
        let valid = check(record, index, seat, &position, &mut self.breaches);
        let is_wrong = self.breaches[found..]
            .iter()
            .any(|breach| breach.weight == Weight::Fails);
        let Some(valid) = valid.filter(|_| !is_wrong) else {
            return false;
        };
        let turn = HcurTurn {
            record: Some(index),
            by: seat,
            rolled: record.roll.map(|rolled| rolled.roll),
            tells_coins: record.roll.is_some_and(|rolled| rolled.tells_coins),
            roll: valid.roll,
            mv: valid.mv,
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
            self.note("hc/turn/first", index, record, title, Weight::Noted);
        } else if self.tells_rolls || !record.is_move() {
            let title = format!("{own} moves, and it is the turn of {other}");
            let requirement = match record.act {
                HcurAction::Create { .. } => "hc/create/players-turn",
                HcurAction::Move { .. } => "hc/move/players-turn",
                HcurAction::Skipped => "hc/turn/alternates",
            };
            return self.breach(requirement, index, record, title);
        } else {
            let why = match RULES
                .kinds_of_roll()
                .iter()
                .filter(|roll| !RULES.can_move(&self.position, **roll))
            {
                rolls if rolls.clone().count() == 1 => "with a roll of 0".to_owned(),
                rolls => {
                    let numbers: Vec<_> =
                        rolls.map(|roll| RULES.steps(*roll).to_string()).collect();
                    format!("with a roll of {}", numbers.join(" or "))
                }
            };
            let title = format!(
                "{own} moves where it is the turn of {other}, who may have been skipped {why}"
            );
            self.note(
                "hc/turn/skipped-unrecorded",
                index,
                record,
                title,
                Weight::Open,
            );
        }
        let turn = HcurTurn {
            record: None,
            by: skipped,
            rolled: None,
            tells_coins: false,
            roll: heads(0),
            mv: None,
        };
        self.push(turn);
    }

    fn push(&mut self, turn: HcurTurn) {
        self.position = step(&self.position, turn.roll, turn.mv);
        self.turns.push(turn);
    }

    fn breach(
        &mut self,
        requirement: &'static str,
        index: usize,
        record: &HcurRecord,
        title: String,
    ) {
        self.note(requirement, index, record, title, Weight::Fails);
    }

    fn note(
        &mut self,
        requirement: &'static str,
        index: usize,
        record: &HcurRecord,
        title: String,
        weight: Weight,
    ) {
        let before = Some(self.position);
        self.breaches.push(Breach {
            requirement,
            record: index,
            span: record.author.span,
            title,
            weight,
            before,
        });
    }
}

fn step(position: &UrPosition, roll: Roll, mv: Option<Move>) -> UrPosition {
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
        let HcurAction::Move { from, .. } = record.act else {
            continue;
        };
        let Some(row) = Seat::BOTH
            .into_iter()
            .find(|&seat| super::Square::own_row(seat) == from.y)
        else {
            continue;
        };
        let author = Some(record.author.text.as_str());
        let is_first_authors = row == Seat::First;
        is_usual |= author == first && is_first_authors || author == second && !is_first_authors;
        is_turned |= author == first && !is_first_authors || author == second && is_first_authors;
    }
    let (first, second) = (first.map(str::to_owned), second.map(str::to_owned));
    PerSeat(if is_turned && !is_usual {
        [second, first]
    } else {
        [first, second]
    })
}

impl HcurTurn {
    /// The turns of a game that streams or recordings tell; a loss and a roll without its move are no turns here.
    #[must_use]
    pub fn of_history(history: &[GameEvent]) -> Vec<HcurTurn> {
        let mut turns: Vec<HcurTurn> = Vec::new();
        let mut rolled = Roll(0);
        for happening in history {
            let (by, mv) = match *happening {
                GameEvent::Rolled { by, roll, skipped } => {
                    rolled = roll;
                    if !skipped {
                        continue;
                    }
                    (by, None)
                }
                GameEvent::Moved { by, mv, .. } => (by, Some(mv)),
                GameEvent::Lost { .. } => break,
            };
            let (record, tells_coins) = (None, true);
            turns.push(HcurTurn {
                record,
                by,
                rolled: Some(rolled),
                tells_coins,
                roll: rolled,
                mv,
            });
        }
        turns
    }

    /// Returns the events of these turns.
    #[must_use]
    pub fn history(turns: &[HcurTurn]) -> Vec<GameEvent> {
        let mut history = Vec::new();
        let mut position = UrPosition::START;
        for &HcurTurn { by, roll, mv, .. } in turns {
            history.push(GameEvent::Rolled {
                by,
                roll,
                skipped: mv.is_none(),
            });
            position = step(&position, roll, mv);
            if let Some(mv) = mv {
                history.push(GameEvent::Moved {
                    by,
                    mv,
                    result: RULES.result(&position),
                });
            }
        }
        history
    }

    /// The position after turns from the start of a game.
    ///
    /// # Panics
    /// Panics if the turns are not legal.
    #[must_use]
    pub fn reached(turns: &[HcurTurn]) -> UrPosition {
        turns.iter().fold(UrPosition::START, |position, turn| {
            step(&position, turn.roll, turn.mv)
        })
    }
}
