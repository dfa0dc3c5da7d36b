//! A list of records reduced to a game: who plays, and every turn, with the rules by which a record is valid (seed `002`, "A player makes
//! a valid move when").

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{HcurAction, HcurPlaced, HcurRecord, Square};
use crate::diagnostic::{Diagnostics, Span, visible};
use crate::finding::{Finding, Verdict};
use crate::games::royalur::game::heads;
use crate::games::royalur::{RoyalUr, UrPosition, UrRules};
use crate::pack::{NotatedGame, NotatedTurn};
use crate::rules::{Game, Move, PerSeat, Roll, Rules, Seat};

/// Advice for records with rolls in which a skipped turn is missing.
const SKIP_NEEDS_RECORD: &str = "every move tells its roll, so a skipped turn needs its record too: `{author: …, roll: \"0 0 0 0\", skipped: true}`";

const RULES: UrRules = UrRules::STANDARD;

/// The longest move (seed `002`: "the move length is no more than 4 tiles").
const LONGEST: u64 = 4;

/// Reduces records to a game. It stops at the first record that breaks a rule, since what follows would be guessed; player 1 has the first
/// seat.
#[must_use]
pub fn reduce(records: &[HcurRecord], warnings: Diagnostics) -> NotatedGame {
    let mut moves = records.iter().filter(|record| record.is_move()).peekable();
    let tells_rolls = moves.peek().is_some() && moves.all(|record| record.roll.is_some());
    let mut reduction = Reduction {
        game: NotatedGame {
            warnings,
            records: records.iter().map(|record| record.span).collect(),
            ..NotatedGame::new(players(records))
        },
        position: UrPosition::START,
        tells_rolls,
    };
    for (index, record) in records.iter().enumerate() {
        let found = reduction.game.findings.len();
        if !reduction.take(index, record) {
            let NotatedGame {
                turns, findings, ..
            } = &mut reduction.game;
            let findings = findings[found..].iter_mut();
            for finding in findings.filter(|finding| finding.verdict == Verdict::Fail) {
                finding.board = Some(NotatedTurn::board_after(turns, &RoyalUr));
            }
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
}

impl Reduction {
    /// Takes a record; `false` where it is wrong.
    fn take(&mut self, index: usize, record: &HcurRecord) -> bool {
        let author = &record.author;
        let is_author = |&seat: &Seat| self.game.players[seat].as_ref() == Some(&author.text);
        let Some(seat) = Seat::BOTH.into_iter().find(is_author) else {
            let name = visible::quoted(&author.text).at_most(60);
            self.wrong(
                "hc/players/two",
                author.span,
                format!("{name} is the third author"),
            );
            return false;
        };
        let found = self.game.findings.len();
        if RULES.winner(&self.position).is_some() {
            if !record.is_move() {
                self.wrong(
                    "hc/game/first-home-wins",
                    author.span,
                    "a turn after the end of the game",
                );
            }
        } else if seat != self.position.mover() {
            self.off_turn(index, record);
        }
        let played = self.played(record, seat);
        let mut findings = self.game.findings[found..].iter();
        if findings.any(|finding| finding.verdict == Verdict::Fail) {
            return false;
        }
        let Some((roll, mv)) = played else {
            return false;
        };
        self.push(NotatedTurn {
            record: Some(index),
            rolled: record.roll.map(|rolled| rolled.roll),
            is_roll_complete: record.roll.is_some_and(|rolled| rolled.tells_coins),
            ..NotatedTurn::new(seat, roll, mv)
        });
        true
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
        } else if self.tells_rolls || !record.is_move() {
            let title = format!("{own} moves, and it is the turn of {other}");
            let requirement = match record.act {
                HcurAction::Move { from: None, .. } => "hc/create/players-turn",
                HcurAction::Move { .. } => "hc/move/players-turn",
                HcurAction::Skipped => "hc/turn/alternates",
            };
            self.wrong(requirement, span, title);
            if let Some(finding) = self.game.findings.last_mut().filter(|_| record.is_move()) {
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
        let found = self.game.findings.len();
        let before = self.position.with_mover(seat);
        let (from, distance, span) = match record.act {
            HcurAction::Move {
                from,
                distance,
                span,
            } => (from, distance, span),
            HcurAction::Skipped => {
                let rolled = record.roll.expect("the reader demands it");
                let steps = RULES.steps(rolled.roll);
                if RULES.can_move(&before, rolled.roll) {
                    let title = format!("the turn was skipped although a token can move {steps}");
                    self.wrong("hc/turn/skip-only-when-blocked", rolled.span, title);
                }
                return Some((rolled.roll, None));
            }
        };
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
            let told = match rolled.tells_coins {
                true => format!("the roll {}", RoyalUr.format_roll(rolled.roll)),
                false => format!("a roll of {}", RULES.steps(rolled.roll)),
            };
            let requirement = id(
                "hc/create/length-matches-roll",
                "hc/move/length-matches-roll",
            );
            self.wrong(
                requirement,
                span,
                format!("a move of {distance} with {told}"),
            );
        }
        let cell = from.map_or(Some(0), |(_, from)| from.cell(seat));
        let Some(token) = cell.and_then(|cell| before.token_on(seat, cell)) else {
            let (requirement, span, title) = match from {
                Some((span, from)) => {
                    let title = missing(&before, seat, from);
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
            let from = before.cell(seat, token);
            let to = Square::of_cell(seat, from + distance as u8);
            let there = to.map_or(String::new(), |to| format!(" on {to}"));
            let (requirement, title) = match refusal.code {
                "own-token" => (
                    id("hc/create/destination", "hc/move/destination"),
                    format!("an own token stands{there}"),
                ),
                "occupied-rosette" => (
                    "hc/capture/not-on-a-rosette",
                    format!("the opponent's token{there} is safe on the rosette"),
                ),
                _ => {
                    let left = 15 - from;
                    let title =
                        format!("{distance} squares, and {left} would leave the board exactly");
                    ("hc/move/off-the-end", title)
                }
            };
            self.wrong(requirement, span, title);
        }
        if distance == 0 && self.game.findings.len() == found {
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
        let finding = Finding::at(span, verdict, requirement, title);
        self.game.findings.push(finding);
    }
}

/// Explains why the player has no token on a square.
fn missing(before: &UrPosition, seat: Seat, from: Square) -> String {
    let Some(cell) = from.cell(seat) else {
        return format!("{from} is no square of this player's path");
    };
    let is_opponents = Square::of_cell(seat.other(), cell) == Some(from)
        && before.token_on(seat.other(), cell).is_some();
    match is_opponents {
        true => format!("the token on {from} is the opponent's"),
        false => format!("no token stands on {from}"),
    }
}

/// Returns the players. Player 1 is the author of the first record, unless the rows of all the moved tokens
/// contradict this.
fn players(records: &[HcurRecord]) -> PerSeat<Option<String>> {
    let authors = || records.iter().map(|record| &record.author.text);
    let first = authors().next();
    let second = authors().find(|author| Some(*author) != first);
    let moved = |record: &HcurRecord| match record.act {
        HcurAction::Move { from, .. } => from.map(|(_, from)| from.y),
        HcurAction::Skipped => None,
    };
    let is_own_row = |players: [Option<&String>; 2]| {
        records.iter().any(|record| {
            let mut seats = Seat::BOTH.into_iter();
            let seat = seats.find(|seat| players[seat.index()] == Some(&record.author.text));
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
    let mut wrong = |requirement, at: &HcurPlaced, title| {
        findings.push(Finding::at(at.span, Verdict::Fail, requirement, title));
    };
    let numbered = || (1..).zip(records);
    let mut games = numbered().filter_map(|(number, record)| Some((number, record.game.as_ref()?)));
    if let Some((first, known)) = games.next() {
        for (_, game) in games.filter(|(_, game)| game.text != known.text) {
            let (own, known) = (shown(game), shown(known));
            let title = format!("it belongs to the game {own}, and record {first} to {known}");
            wrong("hc/chain/one-game", game, title);
        }
    }
    let moves = || numbered().filter(|(_, record)| record.is_move());
    let mut places: HashMap<&str, i32> = HashMap::new();
    for (number, record) in moves() {
        let Some(id) = &record.id else { continue };
        match places.entry(&id.text) {
            Entry::Occupied(other) => {
                let title = format!("it has the address of record {}", other.get());
                wrong("hc/chain/one-address", id, title);
            }
            Entry::Vacant(place) => {
                place.insert(number);
            }
        }
    }
    let mut followed: HashMap<&str, i32> = HashMap::new();
    let mut last: Option<(i32, &HcurRecord)> = None;
    for (number, record) in moves() {
        let before = last.replace((number, record));
        let Some(previous) = &record.previous else {
            continue;
        };
        let fork = followed.insert(&previous.text, number);
        let (requirement, whom) = match (fork, before, places.get(previous.text.as_str())) {
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
                    || record.game.as_ref().map(|game| &game.text) == Some(&previous.text) =>
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

fn shown(text: &HcurPlaced) -> String {
    visible::quoted(&text.text).at_most(60).to_string()
}
