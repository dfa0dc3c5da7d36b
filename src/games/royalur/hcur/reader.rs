//! Move records: as values, and read from a file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Square;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, suggest, visible};
use crate::games::royalur::RoyalUr;
use crate::games::royalur::game::heads;
use crate::games::royalur::json::{JsonFile, Part};
use crate::pack::formats::beginning;
use crate::rules::{Game, Roll};

/// A text of a record, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurPlaced {
    /// The text.
    pub text: String,
    /// Span of the value.
    pub span: Span,
}

/// One record of a list: a move, or a turn that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurRecord {
    /// Span of the whole record.
    pub span: Span,
    /// The player who wrote the record.
    pub author: HcurPlaced,
    /// The game that it says it belongs to.
    pub game: Option<HcurPlaced>,
    /// The record that it says it follows.
    pub previous: Option<HcurPlaced>,
    /// Its own address, by which the next one names it.
    pub id: Option<HcurPlaced>,
    /// The roll, if the record contains one.
    pub roll: Option<Rolled>,
    /// The recorded action.
    pub act: HcurAction,
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

/// A recorded action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HcurAction {
    /// A move of a token.
    Move {
        /// The square at which the token starts, and its span (`MoveToken`); `None` for a token that comes onto the board (`CreateToken`).
        from: Option<(Span, Square)>,
        /// Number of squares of the move.
        distance: u64,
        /// Span of the distance.
        span: Span,
    },
    /// Nothing could move: an extension of ours, hc-ur has no record of such a turn.
    Skipped,
}

impl HcurRecord {
    /// Returns true for a move, by hc-ur's definition.
    #[must_use]
    pub fn is_move(&self) -> bool {
        self.act != HcurAction::Skipped
    }
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
    author: Part<'f, String>,
    game: Option<Part<'f, String>>,
    previous_move: Option<Part<'f, String>>,
    hash: Option<Part<'f, String>>,
    id: Option<Part<'f, String>>,
    address: Option<Part<'f, String>>,
    roll: Option<Part<'f, Coins>>,
    skipped: Option<Part<'f, bool>>,
    move_type: Option<Part<'f, MoveType<'f>>>,
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
        from: Part<'f, Square>,
        distance: Part<'f, u64>,
    },
    CreateToken {
        #[serde(borrow)]
        distance: Part<'f, u64>,
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
    fn problem<T>(&mut self, part: &str, title: impl Into<String>) -> Option<T> {
        let problem = self.file.problem(part, title);
        self.problems.push(problem.help(HELP));
        None
    }

    /// The value of a part, with its span.
    fn value<T>(&mut self, name: &str, part: Part<'f, T>) -> Option<(T, Span)> {
        match part.is {
            Ok(value) => Some((value, self.file.span(part.text))),
            Err(why) => self.problem(part.text, format!("{name}: {why}")),
        }
    }

    fn text(&mut self, name: &str, part: Option<Part<'f, String>>) -> Option<HcurPlaced> {
        let (text, span) = self.value(name, part?)?;
        (!text.is_empty()).then_some(HcurPlaced { text, span })
    }

    fn record(&mut self, record: &'f RawValue) -> Option<HcurRecord> {
        let part = record.get();
        let (record, span) = self.value("this is no record", Part::<Record<'_>>::of(record))?;
        for name in record.others.into_keys() {
            self.unknown(part, &name);
        }
        let is_named = !matches!(&record.author.is, Ok(name) if name.is_empty());
        let author = self.text("`author`", Some(record.author));
        if !is_named {
            return self.problem(part, "this record has no author");
        }
        let roll = match record.roll {
            Some(roll) => Some(self.roll(roll)?),
            None => None,
        };
        let is_skipped = match record.skipped {
            Some(skipped) => self.value("`skipped`", skipped)?.0,
            None => false,
        };
        let act = match record.move_type {
            Some(mv) if is_skipped => self.problem(mv.text, "a skipped turn has no move"),
            Some(mv) => self.action(mv),
            None if !is_skipped => self.problem(part, "this record has no move"),
            None if roll.is_none() => {
                self.problem(part, "this record of a skipped turn has no roll")
            }
            None => Some(HcurAction::Skipped),
        };
        let [hash, id, address] = [
            ("`hash`", record.hash),
            ("`id`", record.id),
            ("`address`", record.address),
        ]
        .map(|(name, part)| self.text(name, part));
        Some(HcurRecord {
            span,
            author: author?,
            game: self.text("`game`", record.game),
            previous: self.text("`previous_move`", record.previous_move),
            id: hash.or(id).or(address),
            roll,
            act: act?,
        })
    }

    fn action(&mut self, part: Part<'f, MoveType<'f>>) -> Option<HcurAction> {
        let (from, distance) = match self.value("`move_type`", part)?.0 {
            MoveType::MoveToken { from, distance } => (Some(from), distance),
            MoveType::CreateToken { distance } => (None, distance),
        };
        let from = from.map(|Part { text, is }| {
            let is = Part { text, is }.object();
            self.value("`from`", Part { text, is })
        });
        let (distance, span) = self.value("`distance`", distance)?;
        let from = match from {
            Some(from) => from.map(|(square, span)| Some((span, square)))?,
            None => None,
        };
        Some(HcurAction::Move {
            from,
            distance,
            span,
        })
    }

    fn roll(&mut self, part: Part<'f, Coins>) -> Option<Rolled> {
        let text = part.text;
        let (told, span) = self.value("`roll`", part)?;
        let (roll, tells_coins) = match told {
            Coins::Heads(count @ 0..=4) => (Some(heads(count)), false),
            Coins::Text(text) => (RoyalUr.parse_roll(&text), true),
            Coins::Each(coins) if coins.iter().all(|&coin| coin < 2) => {
                let roll = coins.into_iter().fold(0, |roll, coin| roll << 1 | coin);
                (Some(Roll(roll)), true)
            }
            _ => (None, true),
        };
        let Some(roll) = roll else {
            return self.problem(text, "a roll is four coins or the number of heads");
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
        let warning = self.file.at(part, warning);
        self.problems
            .push(match suggest(name, MEMBERS.iter().copied()) {
                Some(meant) => warning.help(format!("did you mean `{meant}`?")),
                None => warning.note(format!("known in hc-ur are: {}", MEMBERS.join(", "))),
            });
    }
}
