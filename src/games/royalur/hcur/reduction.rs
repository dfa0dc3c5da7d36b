//! A list of records reduced to a game: who plays, and every turn, with the rules by which a record is valid (seed `002`, "A player makes
//! a valid move when").

use std::collections::HashMap;

use super::{HcurMove, HcurRecord, Square};
use crate::diagnostic::{Diagnostics, Span, visible};
use crate::finding::{Finding, Verdict};
use crate::games::royalur::game::heads;
use crate::games::royalur::rules::KINDS_OF_ROLL;
use crate::games::royalur::{RoyalUr, UrPosition, UrRules};
use crate::pack::{NotatedGame, NotatedTurn};
use crate::rules::{Game, Move, PerSeat, Roll, Rules, Seat};
use crate::yaml::At;

/// Advice for records with rolls in which a skipped turn is missing.
const SKIP_NEEDS_RECORD: &str = "every move tells its roll, so a skipped turn needs its record too: `{author: …, roll: \"0 0 0 0\", skipped: true}`";

const RULES: UrRules = UrRules::STANDARD;

/// The longest move (seed `002`: "the move length is no more than 4 tiles").
const LONGEST: u64 = 4;

/// Reduces records to a game. It stops at the first record that breaks a rule, since what follows would be guessed; player 1 has the first
/// seat.
#[must_use]
pub fn reduce(records: &[HcurRecord], warnings: Diagnostics) -> NotatedGame {
    let mut moves = records
        .iter()
        .filter(|record| record.mv.is_some())
        .peekable();
    let tells_rolls = moves.peek().is_some() && moves.all(|record| record.roll.is_some());
    let mut reduction = Reduction {
        game: NotatedGame {
            warnings,
            records: records.iter().map(|record| record.span).collect(),
            ..NotatedGame::new(players(records))
        },
        position: UrPosition::START,
        tells_rolls,
        is_wrong: false,
    };
    for (index, record) in records.iter().enumerate() {
        reduction.take(index, record);
        if reduction.is_wrong {
            break;
        }
    }
    reduction.game
}

/// A game as its records tell it, up to the end or to the first record that is wrong.
struct Reduction {
    game: NotatedGame,
    /// The position after the last valid turn.
    position: UrPosition,
    /// True if every move includes its roll; then no turn is missing.
    tells_rolls: bool,
    /// True once a record is wrong.
    is_wrong: bool,
}

impl Reduction {
    fn take(&mut self, index: usize, record: &HcurRecord) {
        let At { is: author, span } = &record.author;
        let is_author = |&seat: &Seat| self.game.players[seat].as_ref() == Some(author);
        let Some(seat) = Seat::BOTH.into_iter().find(is_author) else {
            let name = visible::quoted(author).at_most(60);
            return self.wrong(
                "hc/players/two",
                *span,
                format!("{name} is the third author"),
            );
        };
        if RULES.winner(&self.position).is_some() {
            if record.mv.is_none() {
                let title = "a turn after the end of the game";
                self.wrong("hc/game/first-home-wins", *span, title);
            }
        } else if seat != self.position.mover() {
            self.off_turn(index, record);
        }
        if let Some((roll, mv)) = self.played(record, seat)
            && !self.is_wrong
        {
            self.push(NotatedTurn {
                record: Some(index),
                rolled: record.roll.map(|rolled| rolled.roll),
                is_roll_complete: record.roll.is_some_and(|rolled| rolled.tells_coins),
                ..NotatedTurn::new(seat, roll, mv)
            });
        }
    }

    /// A record of the player who is not on turn: the other may have been skipped, of which hc-ur keeps no record.
    fn off_turn(&mut self, index: usize, record: &HcurRecord) {
        let (skipped, span) = (self.position.mover(), record.author.span);
        let name = |seat: Seat| match &self.game.players[seat] {
            Some(name) => visible::plain(name).at_most(60).to_string(),
            None => format!("the {} player", RoyalUr.data().seats[seat.index()]),
        };
        let (own, other) = (name(skipped.other()), name(skipped));
        if index == 0 {
            let title = format!("player 2, {own}, makes the first move");
            self.found(Verdict::Lenient, "hc/turn/first", span, title);
        } else if self.tells_rolls || record.mv.is_none() {
            let title = format!("{own} moves, and it is the turn of {other}");
            let requirement = match record.mv {
                Some(HcurMove { from: None, .. }) => "hc/create/players-turn",
                Some(_) => "hc/move/players-turn",
                None => "hc/turn/alternates",
            };
            self.wrong(requirement, span, title);
            if let Some(finding) = self
                .game
                .findings
                .last_mut()
                .filter(|_| record.mv.is_some())
            {
                finding.notes.push(SKIP_NEEDS_RECORD.to_owned());
            }
            return;
        } else {
            let rolls = KINDS_OF_ROLL.iter();
            let rolls = rolls.filter(|roll| !RULES.can_move(&self.position, **roll));
            let numbers: Vec<_> = rolls.map(|roll| RULES.steps(*roll).to_string()).collect();
            let title = format!(
                "{own} moves where it is the turn of {other}, who may have been skipped with a roll of {}",
                numbers.join(" or ")
            );
            let requirement = "hc/turn/skipped-unrecorded";
            self.found(Verdict::Inconclusive, requirement, span, title);
        }
        self.push(NotatedTurn::new(skipped, heads(0), None));
    }

    fn push(&mut self, turn: NotatedTurn) {
        self.position = RULES.turned(&self.position, turn.roll, turn.mv);
        self.game.turns.push(turn);
    }

    /// The roll and the move of a record of this player, whoever is on turn; every rule that the record breaks is found.
    fn played(&mut self, record: &HcurRecord, seat: Seat) -> Option<(Roll, Option<Move>)> {
        let before = self.position.with_mover(seat);
        let Some(HcurMove { from, distance }) = record.mv else {
            let rolled = record.roll.expect("the reader demands it");
            let steps = RULES.steps(rolled.roll);
            if RULES.can_move(&before, rolled.roll) {
                let title = format!("the turn was skipped although a token can move {steps}");
                self.wrong("hc/turn/skip-only-when-blocked", rolled.span, title);
            }
            return Some((rolled.roll, None));
        };
        let At { is: distance, span } = distance;
        // A rule of both kinds of move has two ids: for one that brings a token onto the board, and for one on it.
        let id = |create, on_board| if from.is_none() { create } else { on_board };
        if RULES.winner(&before).is_some() {
            let requirement = id("hc/create/not-over", "hc/move/not-over");
            self.wrong(requirement, record.span, "a move after the end of the game");
        }
        if distance > LONGEST {
            let title = format!("a move of {distance} squares, and {LONGEST} is the most");
            self.wrong(id("hc/create/length", "hc/move/length"), span, title);
        }
        if let Some(rolled) = record.roll
            && u64::from(RULES.steps(rolled.roll)) != distance
        {
            let heads = RULES.steps(rolled.roll);
            let title = format!("a move of {distance} with a roll of {heads}");
            let (create, on_board) = (
                "hc/create/length-matches-roll",
                "hc/move/length-matches-roll",
            );
            self.wrong(id(create, on_board), span, title);
        }
        let cell = from.map_or(Some(0), |from| from.is.cell(seat));
        let Some(token) = cell.and_then(|cell| before.token_on(seat, cell)) else {
            let (requirement, span, title) = match from {
                Some(At { is: from, span }) => {
                    let title = format!("no token of this player stands on {from}");
                    ("hc/move/token-at-from", span, title)
                }
                None => {
                    let title = "no token is left to bring onto the board".to_owned();
                    ("hc/create/tokens-left", record.span, title)
                }
            };
            self.wrong(requirement, span, title);
            return None;
        };
        let mv = Move(token as u32);
        if (1..=LONGEST).contains(&distance)
            && let Err(refusal) = RULES.moved(&before, heads(distance), mv)
        {
            let to = Square::of_cell(seat, before.cell(seat, token) + distance as u8);
            let there = to.map_or(String::new(), |to| format!(", on {to}"));
            let title = format!("{}{there}", refusal.reason);
            let requirement = match refusal.code {
                "own-token" => id("hc/create/destination", "hc/move/destination"),
                "occupied-rosette" => "hc/capture/not-on-a-rosette",
                _ => "hc/move/off-the-end",
            };
            self.wrong(requirement, span, title);
        }
        if distance == 0 && !self.is_wrong {
            let title = "a move of 0 squares is taken for a skipped turn";
            self.found(Verdict::Lenient, "hc/move/distance-0", span, title);
            return Some((Roll(0), None));
        }
        let roll = record.roll.map_or(heads(distance), |rolled| rolled.roll);
        Some((roll, Some(mv)))
    }

    fn wrong(&mut self, requirement: &'static str, span: Span, title: impl Into<String>) {
        self.found(Verdict::Fail, requirement, span, title);
    }

    fn found(
        &mut self,
        verdict: Verdict,
        requirement: &'static str,
        span: Span,
        title: impl Into<String>,
    ) {
        let is_wrong = verdict == Verdict::Fail;
        self.is_wrong |= is_wrong;
        self.game.findings.push(Finding {
            board: is_wrong.then(|| NotatedTurn::board_after(&self.game.turns, &RoyalUr)),
            ..Finding::at(span, verdict, requirement, title)
        });
    }
}

/// Returns the players. Player 1 is the author of the first record, unless the rows of all the moved tokens
/// contradict this.
fn players(records: &[HcurRecord]) -> PerSeat<Option<String>> {
    let authors = || records.iter().map(|record| &record.author.is);
    let first = authors().next();
    let second = authors().find(|author| Some(*author) != first);
    let moved = |record: &HcurRecord| Some(record.mv?.from?.is.y);
    let is_own_row = |players: [Option<&String>; 2]| {
        records.iter().any(|record| {
            let mut seats = Seat::BOTH.into_iter();
            let seat = seats.find(|seat| players[seat.index()] == Some(&record.author.is));
            seat.is_some_and(|seat| moved(record) == Some(Square::own_row(seat)))
        })
    };
    let (usual, turned) = ([first, second], [second, first]);
    let is_turned = is_own_row(turned) && !is_own_row(usual);
    PerSeat(if is_turned { turned } else { usual }.map(Option::<&String>::cloned))
}

/// The position after turns from the start of a game.
///
/// # Panics
/// Panics if the turns are not legal.
#[must_use]
pub fn reached(turns: &[NotatedTurn]) -> UrPosition {
    turns.iter().fold(UrPosition::START, |position, turn| {
        RULES.turned(&position, turn.roll, turn.mv)
    })
}

/// Returns the errors in `game` and `previous_move`, if these are given; records of skipped turns are no part
/// of the chain.
#[must_use]
pub fn chain(records: &[HcurRecord]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut wrong = |requirement, at: &At<String>, title| {
        findings.push(Finding::at(at.span, Verdict::Fail, requirement, title));
    };
    let mut first_game: Option<(i32, &At<String>)> = None;
    let mut places: HashMap<&str, i32> = HashMap::new();
    let is_move = |(_, record): &(i32, &HcurRecord)| record.mv.is_some();
    let moves = || (1..).zip(records).filter(is_move);
    for (number, record) in (1..).zip(records) {
        let Some(game) = &record.game else { continue };
        let (first, known) = *first_game.get_or_insert((number, game));
        if game.is != known.is {
            let (own, known) = (shown(game), shown(known));
            let title = format!("it belongs to the game {own}, and record {first} to {known}");
            wrong("hc/chain/one-game", game, title);
        }
    }
    for (number, record) in moves() {
        let Some(id) = &record.id else { continue };
        let other = *places.entry(&id.is).or_insert(number);
        if other != number {
            let title = format!("it has the address of record {other}");
            wrong("hc/chain/one-address", id, title);
        }
    }
    let mut followed: HashMap<&str, i32> = HashMap::new();
    let mut last: Option<(i32, &HcurRecord)> = None;
    for (number, record) in moves() {
        let before = last.replace((number, record));
        let Some(previous) = &record.previous else {
            continue;
        };
        let fork = followed.insert(&previous.is, number);
        let (requirement, whom) = match (fork, before, places.get(previous.is.as_str())) {
            (Some(other), ..) => {
                let whom = format!("{}, and so does record {other}", shown(previous));
                ("hc/chain/no-fork", whom)
            }
            (_, Some((last, _)), Some(named)) if *named == last => continue,
            (.., Some(named)) if *named >= number => {
                let whom = format!("record {named}, which comes no earlier");
                ("hc/chain/in-order", whom)
            }
            (.., Some(named)) => {
                let whom = format!("record {named}, which is not the one before it");
                ("hc/chain/unbroken", whom)
            }
            (_, Some((last, last_record)), None)
                if last_record.id.is_some()
                    || record.game.as_ref().map(|game| &game.is) == Some(&previous.is) =>
            {
                let previous = shown(previous);
                let whom =
                    format!("{previous}, which is not the address of record {last} before it");
                ("hc/chain/unbroken", whom)
            }
            // What the first move follows is not in the list; without an address of the record before there is nothing to compare with.
            _ => continue,
        };
        wrong(requirement, previous, format!("it follows {whom}"));
    }
    findings
}

fn shown(text: &At<String>) -> String {
    visible::quoted(&text.is).at_most(60).to_string()
}
