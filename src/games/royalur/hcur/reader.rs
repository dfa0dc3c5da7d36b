//! Reads move records.

use super::json::{JsonMember, JsonNode, JsonReader, JsonValue};
use super::{HcurAction, HcurPlaced, HcurRecord, NAME, Rolled, Square, game};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, suggest, visible};
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
    let start = start
        .strip_prefix(crate::diagnostic::BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start);
    let inside = |bytes: &[u8], open: u8| -> Option<usize> {
        let rest = bytes.trim_ascii_start().strip_prefix(&[open])?;
        Some(bytes.len() - rest.trim_ascii_start().len())
    };
    let object = match inside(start, b'[') {
        Some(at) if matches!(start[at..], [] | [b']', ..]) => return true,
        Some(at) => &start[at..],
        None => start,
    };
    let Some(at) = inside(object, b'{') else {
        return false;
    };
    let name: Vec<u8> = object[at..]
        .iter()
        .copied()
        .filter(|byte| *byte != b'"')
        .take_while(|byte| *byte != b':')
        .collect();
    let is_member = MEMBERS
        .iter()
        .any(|member| name.trim_ascii() == member.as_bytes());
    is_member || start.trim_ascii_start().starts_with(b"[")
}

/// Reads a list of records, or a record alone; with it come warnings.
///
/// # Errors
/// Every fault of the file up to the first place that is not JSON.
pub fn read(source: &Source) -> Result<(Vec<HcurRecord>, Diagnostics), Diagnostics> {
    let mut faults = Diagnostics::new();
    let mut records = Vec::new();
    if let Err(fault) = read_into(source, &mut records, &mut faults) {
        faults.push(fault);
    }
    if records.is_empty() && !faults.has_errors() {
        let fault = Diagnostic::error("hc-ur/empty", "there is no record in this file");
        faults.push(
            fault
                .in_file(source.name())
                .help("a game has at least one move"),
        );
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
        let mut fields = Fields {
            source,
            faults: &mut *faults,
        };
        if let Some(record) = fields.record(node) {
            records.push(record);
        }
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

/// Takes values apart, and says what is wrong with them.
struct Fields<'a> {
    source: &'a Source,
    faults: &'a mut Diagnostics,
}

impl Fields<'_> {
    fn fault(&mut self, span: Span, title: String, help: &str) {
        let fault = Diagnostic::error("hc-ur/record", title).at(
            self.source,
            self.source.first_line(span),
            "",
        );
        self.faults.push(fault.help(help));
    }

    fn record(&mut self, node: JsonNode) -> Option<HcurRecord> {
        let span = node.span;
        let mut members = self.object(
            node,
            "a record",
            "a record is an object: `{author: …, move_type: …}`",
        )?;
        self.unknown(&members, &MEMBERS);
        let mut text = |fields: &mut Self, name| fields.text(take(&mut members, name)?.node, name);
        let (game, previous) = (text(self, "game"), text(self, "previous_move"));
        let ids: Vec<_> = ["hash", "id", "address"]
            .into_iter()
            .filter_map(|name| text(self, name))
            .collect();
        let said = self.faults.len();
        let author = text(self, "author");
        let is_said = self.faults.len() > said;
        let roll = take(&mut members, "roll");
        let has_roll = roll
            .as_ref()
            .is_some_and(|member| member.node.value != JsonValue::Null);
        let roll = roll.and_then(|member| self.roll(member.node));
        let act = self.act(span, &mut members, roll, has_roll);
        let Some(author) = author else {
            let help = "each record names its author: `author: \"…\"`";
            if !is_said {
                self.fault(span, "this record has no author".to_owned(), help);
            }
            return None;
        };
        Some(HcurRecord {
            span,
            author,
            game,
            previous,
            id: ids.into_iter().next(),
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
        const HELP: &str = "a record has `move_type: {MoveToken: {from: {x: 0, y: 2}, distance: 4}}`, \
            `move_type: {CreateToken: {distance: 3}}`, or `skipped: true` with a `roll`";
        let skipped = take(members, "skipped");
        let is_skipped = match skipped
            .as_ref()
            .map(|member| (&member.node.value, member.node.span))
        {
            None | Some((JsonValue::Bool(false), _)) => false,
            Some((JsonValue::Bool(true), _)) => true,
            Some((_, span)) => {
                self.fault(span, "`skipped` is true or false".to_owned(), HELP);
                return None;
            }
        };
        match (take(members, "move_type"), is_skipped) {
            (Some(member), true) => {
                let title = "a skipped turn has no move".to_owned();
                self.fault(
                    member.name_span,
                    title,
                    "leave out `move_type` or `skipped`",
                );
                None
            }
            (None, true) if roll.is_some() => Some(HcurAction::Skipped),
            // A roll that cannot be read has been told of.
            (None, true) if has_roll => None,
            (None, true) => {
                let title = "a skipped turn is told by its roll, and there is none".to_owned();
                self.fault(span, title, "such as `roll: \"0 0 0 0\"`");
                None
            }
            (None, false) => {
                self.fault(span, "this record has no move".to_owned(), HELP);
                None
            }
            (Some(member), false) => self.move_type(member.node, HELP),
        }
    }

    fn move_type(&mut self, node: JsonNode, help: &'static str) -> Option<HcurAction> {
        let span = node.span;
        let mut members = self.object(node, "`move_type`", help)?;
        self.unknown(&members, &["MoveToken", "CreateToken"]);
        let (moved, created) = (
            take(&mut members, "MoveToken"),
            take(&mut members, "CreateToken"),
        );
        let is_create = created.is_some();
        let (Some(member), None) = (if is_create {
            (created, moved)
        } else {
            (moved, None)
        }) else {
            self.fault(
                span,
                "a move is either a `MoveToken` or a `CreateToken`".to_owned(),
                help,
            );
            return None;
        };
        let span = member.node.span;
        let name = if is_create {
            "`CreateToken`"
        } else {
            "`MoveToken`"
        };
        let mut members = self.object(member.node, name, help)?;
        self.unknown(
            &members,
            if is_create {
                &["distance"]
            } else {
                &["from", "distance"]
            },
        );
        let Some(distance) = take(&mut members, "distance") else {
            self.fault(span, "this move has no distance".to_owned(), help);
            return None;
        };
        let distance_span = distance.node.span;
        let JsonValue::Number(Some(distance @ 0..)) = distance.node.value else {
            let title = format!(
                "a distance is a whole number from 0, and this is {}",
                shape(&distance.node)
            );
            self.fault(distance_span, title, help);
            return None;
        };
        let distance = distance.unsigned_abs();
        if is_create {
            return Some(HcurAction::Create {
                distance,
                span: distance_span,
            });
        }
        let Some(from) = take(&mut members, "from") else {
            self.fault(
                span,
                "a `MoveToken` says from where: `from` is missing".to_owned(),
                help,
            );
            return None;
        };
        let from_span = from.node.span;
        let from = self.square(from.node)?;
        Some(HcurAction::Move {
            from,
            from_span,
            distance,
            span: distance_span,
        })
    }

    fn square(&mut self, node: JsonNode) -> Option<Square> {
        square(node, |span, title| {
            let help =
                "a square is `{x: 0, y: 2}`: column from the left and row from the top, from 0";
            self.fault(span, title, help);
        })
    }

    fn roll(&mut self, node: JsonNode) -> Option<Rolled> {
        let span = node.span;
        let coins = match &node.value {
            JsonValue::Null => return None,
            JsonValue::Number(Some(heads @ 0..=4)) => {
                return Some(Rolled {
                    roll: Roll((1 << heads) - 1),
                    tells_coins: false,
                    span,
                });
            }
            JsonValue::Text(text) => game().parse_roll(text),
            JsonValue::List(coins) => coins_of(coins),
            _ => None,
        };
        if coins.is_none() {
            let title = format!(
                "a roll is four coins or the number of heads, and this is {}",
                shape(&node)
            );
            let help = "such as `roll: \"0 1 1 0\"`, `roll: [0, 1, 1, 0]` or `roll: 2`";
            self.fault(span, title, help);
        }
        Some(Rolled {
            roll: coins?,
            tells_coins: true,
            span,
        })
    }

    fn text(&mut self, node: JsonNode, name: &str) -> Option<HcurPlaced> {
        match node.value {
            JsonValue::Text(text) if !text.is_empty() => Some(HcurPlaced {
                text,
                span: node.span,
            }),
            // What is empty is not given: the first move has nothing before it.
            JsonValue::Null | JsonValue::Text(_) => None,
            _ => {
                let title = format!("`{name}` is a text, and this is {}", shape(&node));
                self.fault(node.span, title, "it stands in quotation marks");
                None
            }
        }
    }

    fn object(&mut self, node: JsonNode, what: &str, help: &str) -> Option<Vec<JsonMember>> {
        let title = format!("{what} is an object, and this is {}", node.kind());
        match node.value {
            JsonValue::Object(members) => Some(members),
            _ => {
                self.fault(node.span, title, help);
                None
            }
        }
    }

    /// Foreign members are let be, but not in silence: one may be a slip.
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

fn take(members: &mut Vec<JsonMember>, name: &str) -> Option<JsonMember> {
    let at = members.iter().position(|member| member.name == name)?;
    Some(members.swap_remove(at))
}

fn coins_of(coins: &[JsonNode]) -> Option<Roll> {
    let bit = |coin: &JsonNode| match coin.value {
        JsonValue::Number(Some(bit @ 0..=1)) => Some(bit.unsigned_abs() as u16),
        _ => None,
    };
    let bits: Vec<u16> = coins.iter().map(bit).collect::<Option<_>>()?;
    (bits.len() == 4).then(|| Roll(bits.into_iter().fold(0, |roll, bit| roll << 1 | bit)))
}

/// A value for messages: the number itself, or what it is.
fn shape(node: &JsonNode) -> String {
    match &node.value {
        JsonValue::Number(Some(number)) => number.to_string(),
        JsonValue::Text(text) => visible::quoted(text).at_most(40).to_string(),
        _ => node.kind().to_owned(),
    }
}

/// Reads `{x: 0, y: 2}`.
pub(super) fn square(node: JsonNode, mut fault: impl FnMut(Span, String)) -> Option<Square> {
    let span = node.span;
    let kind = node.kind();
    let JsonValue::Object(mut members) = node.value else {
        fault(
            span,
            format!("a square is an object with x and y, and this is {kind}"),
        );
        return None;
    };
    let mut coordinate = |name: &str| match take(&mut members, name).map(|member| member.node) {
        Some(JsonNode {
            value: JsonValue::Number(Some(number)),
            ..
        }) => Some(number),
        Some(node) => {
            fault(
                node.span,
                format!("`{name}` is a whole number, and this is {}", shape(&node)),
            );
            None
        }
        None => {
            fault(span, format!("this square has no `{name}`"));
            None
        }
    };
    let (x, y) = (coordinate("x"), coordinate("y"));
    Some(Square { x: x?, y: y? })
}
