//! Move records: as values, and read from a file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Square;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, visible};
use crate::games::royalur::RoyalUr;
use crate::games::royalur::game::heads;
use crate::games::royalur::json::JsonFile;
use crate::pack::formats::beginning;
use crate::rules::{Game, Roll};
use crate::yaml::At;

/// One record of a list: a move, or a turn that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurRecord {
    /// Span of the whole record.
    pub span: Span,
    /// The player who wrote the record.
    pub author: At<String>,
    /// The game that it says it belongs to.
    pub game: Option<At<String>>,
    /// The record that it says it follows.
    pub previous: Option<At<String>>,
    /// Its own address, by which the next one names it.
    pub id: Option<At<String>>,
    /// The roll, if the record contains one.
    pub roll: Option<Rolled>,
    /// The move; `None` where nothing could move: an extension of ours, hc-ur has no record of such a turn.
    pub mv: Option<HcurMove>,
}

/// A roll as a record tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rolled {
    /// The coins; where only their heads are told, tails first.
    pub roll: Roll,
    /// True if each coin is given.
    pub tells_coins: bool,
    /// Span of the roll.
    pub span: Span,
}

/// A move of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HcurMove {
    /// The square at which the token starts (`MoveToken`); `None` for a token that comes onto the board (`CreateToken`).
    pub from: Option<At<Square>>,
    /// Number of squares of the move.
    pub distance: At<u64>,
}

/// The members of a record.
const MEMBERS: [&str; 9] = [
    "game",
    "author",
    "previous_move",
    "move_type",
    "roll",
    "skipped",
    "hash",
    "id",
    "address",
];

/// The forms of a record.
const HELP: &str = "a record is `{author: \"A\", roll: \"0 1 1 0\", move_type: {MoveToken: {from: {x: 0, y: 2}, distance: 2}}}`; \
    a new token has `move_type: {CreateToken: {distance: 2}}`, and a skipped turn `skipped: true` instead; a roll can be left out, or be \
    `[0, 1, 1, 0]`, or the number of heads";

/// A record as it is written. Text that is empty or null counts as missing: no move is before the first one.
#[derive(Deserialize)]
#[serde(expecting = "a record, which is an object")]
struct Record<'f> {
    #[serde(borrow)]
    author: &'f RawValue,
    game: Option<&'f RawValue>,
    previous_move: Option<&'f RawValue>,
    hash: Option<&'f RawValue>,
    id: Option<&'f RawValue>,
    address: Option<&'f RawValue>,
    roll: Option<&'f RawValue>,
    skipped: Option<bool>,
    move_type: Option<&'f RawValue>,
    #[serde(flatten)]
    others: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a roll is four coins or the number of heads")]
enum Coins {
    Heads(u64),
    Text(String),
    Each([u16; 4]),
}

#[derive(Deserialize)]
enum MoveType<'f> {
    MoveToken {
        #[serde(borrow)]
        from: &'f RawValue,
        distance: &'f RawValue,
    },
    CreateToken {
        #[serde(borrow)]
        distance: &'f RawValue,
    },
}

/// Returns true if these first bytes look like a list of records or one record, valid or not.
#[must_use]
pub fn is_records(start: &[u8]) -> bool {
    let start = beginning(start);
    if let Some(list) = start.strip_prefix(b"[") {
        return matches!(list.trim_ascii_start(), [] | [b']' | b'{', ..]);
    }
    let Some(object) = start.strip_prefix(b"{") else {
        return false;
    };
    let name = object.iter().copied().filter(|byte| *byte != b'"');
    let name: Vec<u8> = name.take_while(|byte| *byte != b':').collect();
    MEMBERS.map(str::as_bytes).contains(&name.trim_ascii())
}

/// Reads a list of records, or a record alone; with it come warnings.
///
/// # Errors
/// Returns every error of the file, or the first place that is not JSON.
pub fn read(source: &Source) -> Result<(Vec<HcurRecord>, Diagnostics), Diagnostics> {
    let file = JsonFile::new(source, "hc-ur/record")?;
    let list: Vec<&RawValue> =
        match beginning(source.bytes()).starts_with(b"[") {
            true => file.read()?,
            false => vec![file.read().map_err(|problem| {
                problem.help("write several records as one list: `[{…}, {…}]`")
            })?],
        };
    let mut reader = Reader {
        file: &file,
        problems: Diagnostics::new(),
    };
    let mut records = Vec::new();
    for record in list {
        records.extend(reader.record(record));
        if reader.problems.is_full() {
            break;
        }
    }
    let mut problems = reader.problems;
    if records.is_empty() && !problems.has_errors() {
        let problem = Diagnostic::error("hc-ur/empty", "there is no record in this file");
        let problem = problem.in_file(source.name());
        problems.push(problem.help("a game has at least one move"));
    }
    match problems.has_errors() {
        true => Err(problems),
        false => Ok((records, problems)),
    }
}

/// Reads records, and keeps what is wrong with them.
struct Reader<'f> {
    file: &'f JsonFile<'f>,
    problems: Diagnostics,
}

impl<'f> Reader<'f> {
    fn keep<T>(&mut self, problem: Diagnostic) -> Option<T> {
        self.problems.push(problem.help(HELP));
        None
    }

    fn problem<T>(&mut self, part: &RawValue, title: &str) -> Option<T> {
        self.keep(self.file.problem(part.get(), title))
    }

    fn value<T: Deserialize<'f>>(&mut self, part: &'f RawValue) -> Option<At<T>> {
        let value = self.file.value(part);
        value.map_or_else(|problem| self.keep(problem), Some)
    }

    fn text(&mut self, part: Option<&'f RawValue>) -> Option<At<String>> {
        let text: At<String> = self.value(part?)?;
        (!text.is.is_empty()).then_some(text)
    }

    fn record(&mut self, part: &'f RawValue) -> Option<HcurRecord> {
        let At { is: record, span } = self.value::<Record<'_>>(part)?;
        for name in record.others.into_keys() {
            self.unknown(part.get(), &name);
        }
        let author: At<String> = self.value(record.author)?;
        if author.is.is_empty() {
            return self.problem(part, "this record has no author");
        }
        let roll = match record.roll {
            Some(roll) => Some(self.roll(roll)?),
            None => None,
        };
        let is_skipped = record.skipped == Some(true);
        let mv = match record.move_type {
            Some(mv) if is_skipped => return self.problem(mv, "a skipped turn has no move"),
            Some(mv) => Some(self.mv(mv)?),
            None if !is_skipped => return self.problem(part, "this record has no move"),
            None if roll.is_none() => {
                return self.problem(part, "this record of a skipped turn has no roll");
            }
            None => None,
        };
        let [hash, id, address] =
            [record.hash, record.id, record.address].map(|part| self.text(part));
        Some(HcurRecord {
            span,
            author,
            game: self.text(record.game),
            previous: self.text(record.previous_move),
            id: hash.or(id).or(address),
            roll,
            mv,
        })
    }

    fn mv(&mut self, part: &'f RawValue) -> Option<HcurMove> {
        let (from, distance) = match self.value(part)?.is {
            MoveType::MoveToken { from, .. } if from.get().starts_with('[') => {
                return self.problem(from, "this is a list where an object is due");
            }
            MoveType::MoveToken { from, distance } => (Some(self.value(from)?), distance),
            MoveType::CreateToken { distance } => (None, distance),
        };
        let distance = self.value(distance)?;
        Some(HcurMove { from, distance })
    }

    fn roll(&mut self, part: &'f RawValue) -> Option<Rolled> {
        let At { is: coins, span } = self.value(part)?;
        let (roll, tells_coins) = match coins {
            Coins::Heads(count) => ((count <= 4).then(|| heads(count)), false),
            Coins::Text(text) => (RoyalUr.parse_roll(&text), true),
            Coins::Each(coins) => {
                let text = coins.map(|coin| coin.to_string()).concat();
                (RoyalUr.parse_roll(&text), true)
            }
        };
        let Some(roll) = roll else {
            return self.problem(part, "a roll is four coins or the number of heads");
        };
        Some(Rolled {
            roll,
            tells_coins,
            span,
        })
    }

    /// Warns of a member with an unknown name: it may be misspelt.
    fn unknown(&mut self, record: &str, name: &str) {
        let shown = visible::quoted(name).at_most(40);
        let title = format!("{shown} is not known here and is left out");
        // The record has the name between quotation marks, unless escapes hide it.
        let at = record.find(&format!("\"{name}\""));
        let part = at.map_or(record, |at| &record[at + 1..][..name.len()]);
        let warning = Diagnostic::warning("hc-ur/unknown-member", title);
        let known = format!("known in hc-ur are: {}", MEMBERS.join(", "));
        self.problems.push(self.file.at(part, warning).note(known));
    }
}
