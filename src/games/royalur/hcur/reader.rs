//! Reads move records.

use super::json::{JsonMember, JsonNode, JsonReader, JsonValue};
use super::{HcurAction, HcurPlaced, HcurRecord, NAME, Rolled, Square, game};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, suggest, visible};
use crate::pack::formats::beginning;
use crate::rules::Roll;

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
/// Returns every error of the file, up to the first place that is not JSON.
pub fn read(source: &Source) -> Result<(Vec<HcurRecord>, Diagnostics), Diagnostics> {
    let mut faults = Diagnostics::new();
    let mut records = Vec::new();
    if let Err(fault) = read_into(source, &mut records, &mut faults) {
        faults.push(fault);
    }
    if records.is_empty() && !faults.has_errors() {
        let fault = Diagnostic::error("hc-ur/empty", "there is no record in this file");
        let fault = fault.in_file(source.name());
        faults.push(fault.help("a game has at least one move"));
    }
    if faults.has_errors() {
        Err(faults)
    } else {
        Ok((records, faults))
    }
}

fn read_into(
    source: &Source,
    records: &mut Vec<HcurRecord>,
    faults: &mut Diagnostics,
) -> Result<(), Diagnostic> {
    let mut reader = JsonReader::new(source)?;
    let mut take = |node: JsonNode| {
        records.extend(Fields::new("hc-ur/record", source, faults).record(node));
        faults.is_full()
    };
    if reader.peek() == Some('[') {
        let opening = reader.here();
        reader.take('[');
        while !reader.take(']') {
            if reader.peek().is_none() {
                return Err(reader.fault(opening, "this `[` is never closed"));
            }
            let node = reader.value()?;
            if take(node) {
                return Ok(());
            }
            if !reader.take(',') && reader.peek().is_some_and(|next| next != ']') {
                return Err(reader.fault(reader.here(), "a `,` or `]` is due here"));
            }
        }
    } else {
        take(reader.value()?);
    }
    match reader.peek() {
        Some(_) => Err(reader
            .fault(reader.here(), "something follows the end of the records")
            .help("several records stand in one list: `[{…}, {…}]`")),
        None => Ok(()),
    }
}

const RECORD: &str = "a record is an object: `{author: …, move_type: …}`";
const MOVE: &str = "a record has `move_type: {MoveToken: {from: {x: 0, y: 2}, distance: 4}}`, \
    `move_type: {CreateToken: {distance: 3}}`, or `skipped: true` with a `roll`";
const SQUARE: &str =
    "a square is `{x: 0, y: 2}`: column from the left and row from the top, from 0";

/// Reads the members of JSON values, and reports the errors in them.
pub(super) struct Fields<'a> {
    code: &'static str,
    source: &'a Source,
    faults: &'a mut Diagnostics,
}

impl<'a> Fields<'a> {
    /// A reader for values of this source; its errors have this code.
    pub(super) fn new(
        code: &'static str,
        source: &'a Source,
        faults: &'a mut Diagnostics,
    ) -> Fields<'a> {
        Fields {
            code,
            source,
            faults,
        }
    }

    /// Reports an error, and returns no value.
    pub(super) fn fault<T>(
        &mut self,
        span: Span,
        title: impl Into<String>,
        help: &str,
    ) -> Option<T> {
        let span = self.source.first_line(span);
        let fault = Diagnostic::error(self.code, title).at(self.source, span, "");
        self.faults.push(fault.help(help));
        None
    }

    fn record(&mut self, node: JsonNode) -> Option<HcurRecord> {
        let span = node.span;
        let mut members = self.object(node, "a record is an object", RECORD)?;
        self.unknown(&members, &MEMBERS);
        let mut text = |fields: &mut Self, name| fields.text(take(&mut members, name)?, name);
        let [game, previous, hash, id, address] =
            ["game", "previous_move", "hash", "id", "address"].map(|name| text(self, name));
        let said = self.faults.len();
        let author = text(self, "author");
        let is_said = self.faults.len() > said;
        let roll = take(&mut members, "roll").filter(|node| node.value != JsonValue::Null);
        let has_roll = roll.is_some();
        let roll = roll.and_then(|node| self.roll(node));
        let act = self.act(span, &mut members, roll, has_roll);
        let Some(author) = author else {
            let help = "each record names its author: `author: \"…\"`";
            return match is_said {
                true => None,
                false => self.fault(span, "this record has no author", help),
            };
        };
        Some(HcurRecord {
            span,
            author,
            game,
            previous,
            id: hash.or(id).or(address),
            roll,
            act: act?,
        })
    }

    fn act(
        &mut self,
        span: Span,
        members: &mut Vec<JsonMember>,
        roll: Option<Rolled>,
        has_roll: bool,
    ) -> Option<HcurAction> {
        let is_skipped = match take(members, "skipped") {
            None => false,
            Some(node) => self.flag(node, "skipped", MOVE)?,
        };
        match (take_member(members, "move_type"), is_skipped) {
            (Some(member), true) => self.fault(
                member.name_span,
                "a skipped turn has no move",
                "leave out `move_type` or `skipped`",
            ),
            (Some(member), false) => self.move_type(member.node),
            (None, true) if roll.is_some() => Some(HcurAction::Skipped),
            // The error in the roll is reported already.
            (None, true) if has_roll => None,
            (None, true) => self.fault(
                span,
                "a skipped turn is told by its roll, and there is none",
                "such as `roll: \"0 0 0 0\"`",
            ),
            (None, false) => self.fault(span, "this record has no move", MOVE),
        }
    }

    fn move_type(&mut self, node: JsonNode) -> Option<HcurAction> {
        let span = node.span;
        let mut members = self.object(node, "`move_type` is an object", MOVE)?;
        self.unknown(&members, &["MoveToken", "CreateToken"]);
        let kinds = ["MoveToken", "CreateToken"].map(|name| take(&mut members, name));
        let (node, what, known): (_, _, &[_]) = match kinds {
            [Some(node), None] => (node, "`MoveToken` is an object", &["from", "distance"]),
            [None, Some(node)] => (node, "`CreateToken` is an object", &["distance"]),
            _ => {
                let title = "a move is either a `MoveToken` or a `CreateToken`";
                return self.fault(span, title, MOVE);
            }
        };
        let span = node.span;
        let mut members = self.object(node, what, MOVE)?;
        self.unknown(&members, known);
        let Some(distance) = take(&mut members, "distance") else {
            return self.fault(span, "this move has no distance", MOVE);
        };
        let JsonValue::Number(Some(squares @ 0..)) = distance.value else {
            let title = format!(
                "a distance is a whole number from 0, and this is {}",
                shape(&distance)
            );
            return self.fault(distance.span, title, MOVE);
        };
        let from = match take(&mut members, "from") {
            _ if !known.contains(&"from") => None,
            Some(from) => Some((from.span, self.square(from, SQUARE)?)),
            None => {
                let title = "a `MoveToken` says from where: `from` is missing";
                return self.fault(span, title, MOVE);
            }
        };
        Some(HcurAction::Move {
            from,
            distance: squares.unsigned_abs(),
            span: distance.span,
        })
    }

    /// Reads `{x: 0, y: 2}`.
    pub(super) fn square(&mut self, node: JsonNode, help: &str) -> Option<Square> {
        let span = node.span;
        let mut members = self.object(node, "a square is an object with x and y", help)?;
        let [x, y] = ["x", "y"].map(|name| match take(&mut members, name) {
            Some(node) => match node.value {
                JsonValue::Number(Some(number)) => Some(number),
                _ => {
                    let title = format!("`{name}` is a whole number, and this is {}", shape(&node));
                    self.fault(node.span, title, help)
                }
            },
            None => self.fault(span, format!("this square has no `{name}`"), help),
        });
        Some(Square { x: x?, y: y? })
    }

    /// Reads true or false.
    pub(super) fn flag(&mut self, node: JsonNode, name: &str, help: &str) -> Option<bool> {
        match node.value {
            JsonValue::Bool(flag) => Some(flag),
            _ => self.fault(node.span, format!("`{name}` is true or false"), help),
        }
    }

    fn roll(&mut self, node: JsonNode) -> Option<Rolled> {
        let span = node.span;
        let (roll, tells_coins) = match &node.value {
            JsonValue::Number(Some(heads @ 0..=4)) => (Some(Roll((1 << heads) - 1)), false),
            JsonValue::Text(text) => (game().parse_roll(text), true),
            JsonValue::List(coins) => (coins_of(coins), true),
            _ => (None, true),
        };
        let Some(roll) = roll else {
            let title = format!(
                "a roll is four coins or the number of heads, and this is {}",
                shape(&node)
            );
            let help = "such as `roll: \"0 1 1 0\"`, `roll: [0, 1, 1, 0]` or `roll: 2`";
            return self.fault(span, title, help);
        };
        Some(Rolled {
            roll,
            tells_coins,
            span,
        })
    }

    fn text(&mut self, node: JsonNode, name: &str) -> Option<HcurPlaced> {
        let span = node.span;
        match node.value {
            JsonValue::Text(text) if !text.is_empty() => Some(HcurPlaced { text, span }),
            // An empty text counts as missing: no move is before the first one.
            JsonValue::Null | JsonValue::Text(_) => None,
            _ => {
                let title = format!("`{name}` is a text, and this is {}", shape(&node));
                self.fault(span, title, "it stands in quotation marks")
            }
        }
    }

    /// Returns the members of an object. `due` says in the error that the value has to be one.
    pub(super) fn object(
        &mut self,
        node: JsonNode,
        due: &str,
        help: &str,
    ) -> Option<Vec<JsonMember>> {
        let kind = node.kind();
        match node.value {
            JsonValue::Object(members) => Some(members),
            _ => self.fault(node.span, format!("{due}, and this is {kind}"), help),
        }
    }

    /// Warns of each member with an unknown name: it may be misspelt.
    fn unknown(&mut self, members: &[JsonMember], known: &[&'static str]) {
        for member in members
            .iter()
            .filter(|member| !known.contains(&member.name.as_str()))
        {
            let title = format!(
                "{} is not known here and is left out",
                visible::quoted(&member.name).at_most(40)
            );
            let warning = Diagnostic::warning("hc-ur/unknown-member", title).at(
                self.source,
                member.name_span,
                "",
            );
            self.faults
                .push(match suggest(&member.name, known.iter().copied()) {
                    Some(meant) => warning.help(format!("did you mean `{meant}`?")),
                    None => warning.note(format!("known in {NAME} are: {}", known.join(", "))),
                });
        }
    }
}

fn take_member(members: &mut Vec<JsonMember>, name: &str) -> Option<JsonMember> {
    let at = members.iter().position(|member| member.name == name)?;
    Some(members.swap_remove(at))
}

/// Takes the value of the member of that name.
pub(super) fn take(members: &mut Vec<JsonMember>, name: &str) -> Option<JsonNode> {
    take_member(members, name).map(|member| member.node)
}

fn coins_of(coins: &[JsonNode]) -> Option<Roll> {
    let bit = |coin: &JsonNode| match coin.value {
        JsonValue::Number(Some(bit @ 0..=1)) => Some(bit.unsigned_abs() as u16),
        _ => None,
    };
    let bits: Vec<u16> = coins.iter().map(bit).collect::<Option<_>>()?;
    (bits.len() == 4).then(|| Roll(bits.into_iter().fold(0, |roll, bit| roll << 1 | bit)))
}

/// Describes a value for messages: a number or a text itself, anything else by its kind.
fn shape(node: &JsonNode) -> String {
    match &node.value {
        JsonValue::Number(Some(number)) => number.to_string(),
        JsonValue::Text(text) => visible::quoted(text).at_most(40).to_string(),
        _ => node.kind().to_owned(),
    }
}
