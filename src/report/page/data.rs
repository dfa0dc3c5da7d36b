//! The data of a page's script: what changes from turn to turn.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::replay::{Replay, Target};
use crate::report::drawing::{BoardDrawing, SlotKind, TurnMarks};
use crate::rules::{Picture, Seat};

/// The data of the script. The numbers of places, items and turns are those of the page.
#[derive(Debug, Serialize)]
pub(super) struct PageData<'a> {
    /// The players by seat.
    players: &'a [String; 2],
    /// Names and owners of the places: -1 for a cell, else the seat of the stock; 2 for nobody.
    places: Vec<(&'a str, i8)>,
    /// Corner and side of the places on the board that is seen from the other side.
    other: Vec<(u32, u32, u32)>,
    /// Names and owners of the items; 2 for nobody. The first item is number 1.
    items: Vec<(&'a str, u8)>,
    /// The texts of the sentences, cut where a number is.
    texts: Vec<Vec<String>>,
    turns: Vec<TurnData>,
}

/// A turn: its kinds, the seats of the player and of the next player, origin and destination, reach, the places that change with their items (once
/// more for the board seen from the other side, if they differ there), the text of its sentence, and the numbers in the sentence. -1 is none.
#[derive(Debug, Serialize)]
struct TurnData(
    u8,
    i8,
    i8,
    i32,
    i32,
    Vec<usize>,
    Vec<Vec<usize>>,
    usize,
    String,
);

/// The kinds of a turn, by the bits of a number; keys of the page look for them.
const KINDS: [Target; 4] = [
    Target::Capture,
    Target::Rosette,
    Target::Skip,
    Target::Trouble,
];

impl<'a> PageData<'a> {
    /// The data of a game: boards and positions from this side and from the other.
    pub(super) fn new(
        replay: &Replay,
        players: &'a [String; 2],
        boards: [&'a BoardDrawing; 2],
        positions: [&[Picture]; 2],
        marks: &[TurnMarks],
    ) -> PageData<'a> {
        let mut texts = Texts::default();
        let mut shown = boards.map(|board| vec![0; board.slots.len()]);
        let cell = |cell: Option<usize>| cell.map_or(-1, |cell| i32::try_from(cell).unwrap_or(-1));
        let turns = replay.frames().iter().zip(marks).map(|(frame, marks)| {
            let turn = frame.number;
            let mut changes = vec![Vec::new(), Vec::new()];
            for side in [0, 1] {
                let items = boards[side].items_of(&positions[side][turn]);
                changes[side] = self::changes(&mut shown[side], items);
            }
            changes.dedup();
            let kinds = (0..)
                .zip(KINDS)
                .filter(|(_, kind)| kind.is_at(replay, turn));
            let said = replay.describe(frame);
            let (text, numbers) =
                texts.add(said.strip_prefix(&format!("{turn}. ")).unwrap_or(&said));
            TurnData(
                kinds.fold(0, |kinds, (bit, _)| kinds | 1 << bit),
                seat(frame.by).unwrap_or(-1),
                seat(marks.to_move).unwrap_or(-1),
                cell(marks.from),
                cell(marks.to),
                marks.reach.clone(),
                changes,
                text,
                numbers,
            )
        });
        let turns = turns.collect();
        let places = boards[0].slots.iter().map(|slot| {
            let owner = match slot.kind {
                SlotKind::Cell => -1,
                SlotKind::Stock(owner) => seat(owner).unwrap_or(2),
            };
            (slot.name.as_str(), owner)
        });
        let items = boards[0].items.iter();
        let other = boards[1].slots.iter().map(|slot| {
            let (x, y) = slot.corner();
            (x, y, slot.side)
        });
        PageData {
            players,
            places: places.collect(),
            other: other.collect(),
            items: items
                .map(|item| {
                    (
                        item.label(),
                        item.seat().map_or(2, |seat| seat.index() as u8),
                    )
                })
                .collect(),
            texts: texts.texts,
            turns,
        }
    }

    /// The data as JSON that cannot end the element around it.
    pub(super) fn json(&self) -> String {
        let json = serde_json::to_string(self).expect("all keys are texts");
        json.replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
    }
}

fn seat(seat: Option<Seat>) -> Option<i8> {
    seat.map(|seat| i8::from(seat == Seat::Second))
}

/// The places whose items differ, each with its new item; `shown` follows.
fn changes(shown: &mut Vec<usize>, items: Vec<usize>) -> Vec<usize> {
    let both = shown.iter().zip(&items).enumerate();
    let changed = both.filter(|(_, (then, now))| then != now);
    let changes = changed
        .flat_map(|(place, (_, &now))| [place, now])
        .collect();
    *shown = items;
    changes
}

/// Sentences as texts and numbers: many sentences of a game differ by their numbers only.
#[derive(Debug, Default)]
struct Texts {
    texts: Vec<Vec<String>>,
    known: BTreeMap<Vec<String>, usize>,
}

impl Texts {
    /// The number of the text of a sentence, and the numbers in the sentence with commas between them.
    fn add(&mut self, sentence: &str) -> (usize, String) {
        let numbers = sentence.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<_> = numbers.filter(|number| !number.is_empty()).collect();
        let mut text = Vec::new();
        let mut rest = sentence;
        for number in &numbers {
            let (before, after) = rest.split_once(number).expect("it is a part");
            text.push(before.to_owned());
            rest = after;
        }
        text.push(rest.to_owned());
        let next = self.texts.len();
        let at = *self.known.entry(text.clone()).or_insert(next);
        if at == next {
            self.texts.push(text);
        }
        (at, numbers.join(","))
    }
}
