//! Reads RoyalUr's JSON notation, version 2.

use std::time::Duration;

use super::record::{NetAction, NetGame, NetMove, NetRecord};
use super::settings;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, visible};
use crate::diagnostic::{JsonFormat, JsonMember, JsonNode, JsonReader, JsonValue};
use crate::games::royalur::UrCell;
use crate::games::royalur::position::END;
use crate::rules::{PerSeat, Seat};

/// Keys of the players' names in the metadata. RoyalUr defines none.
const NAME_KEYS: [&str; 2] = ["Light", "Dark"];

/// Version of the notation that is read.
const VERSION: i64 = 2;

const JSON: JsonFormat = JsonFormat {
    code: "royalur-json/syntax",
    value: "the game",
    limit: 1 << 18,
};

/// Reads a game; with it come warnings.
///
/// # Errors
/// Every fault of the file up to the first place that is not JSON.
pub(super) fn read(source: &Source) -> Result<(NetGame, Diagnostics), Diagnostics> {
    let mut fields = Fields {
        source,
        faults: Diagnostics::new(),
    };
    let mut game = NetGame::default();
    let result = whole(source).and_then(|node| fields.game(node, &mut game));
    if let Err(fault) = result {
        fields.faults.push(fault);
    }
    // A writer without a clock gives every state the same time.
    if game
        .records
        .iter()
        .all(|record| record.at.is_none_or(|at| at.is_zero()))
    {
        game.records.iter_mut().for_each(|record| record.at = None);
    }
    match fields.faults.has_errors() {
        true => Err(fields.faults),
        false => Ok((game, fields.faults)),
    }
}

/// The one value of the file.
fn whole(source: &Source) -> Result<JsonNode, Diagnostic> {
    let mut reader = JsonReader::new(source, JSON)?;
    let node = reader.value()?;
    match reader.peek() {
        Some(_) => Err(reader.fault(reader.here(), "something follows the end of the game")),
        None => Ok(node),
    }
}

/// Takes values apart, and says what is wrong with them.
struct Fields<'a> {
    source: &'a Source,
    faults: Diagnostics,
}

impl Fields<'_> {
    fn fault(&self, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error("royalur-json/record", title).at(
            self.source,
            self.source.first_line(span),
            "",
        )
    }

    fn members(&self, node: JsonNode, name: &str) -> Result<Vec<JsonMember>, Diagnostic> {
        let title = || format!("{name} is an object, and this is {}", node.kind());
        match node.value {
            JsonValue::Object(members) => Ok(members),
            _ => Err(self.fault(node.span, title())),
        }
    }

    fn game(&mut self, node: JsonNode, game: &mut NetGame) -> Result<(), Diagnostic> {
        let span = node.span;
        let mut members = self.members(node, "a game")?;
        let version = self.demand(&mut members, span, "notation_version")?;
        if version.value != JsonValue::Number(Some(VERSION)) {
            let title = format!("only version {VERSION} of the notation is read");
            return Err(self.fault(version.span, title));
        }
        if let Some(metadata) = take(&mut members, "metadata") {
            game.names = self.names(metadata)?;
        }
        let settings = self.demand(&mut members, span, "settings")?;
        let rules = self.members(settings.clone(), "`settings`")?;
        if let Some(fault) = settings::other_rules(self.source, &settings, &rules) {
            return Err(fault);
        }
        if let Some(initial) = take(&mut members, "initial_state") {
            self.initial(initial)?;
        }
        let states = self.demand(&mut members, span, "states")?;
        let JsonValue::List(states) = states.value else {
            return Err(self.fault(states.span, "`states` is a list"));
        };
        for state in states {
            match self.state(state, &game.records) {
                Ok(record) => game.records.extend(record),
                Err(fault) => self.faults.push(fault),
            }
            if self.faults.is_full() {
                break;
            }
        }
        Ok(())
    }

    fn names(&self, metadata: JsonNode) -> Result<PerSeat<Option<String>>, Diagnostic> {
        let mut members = self.members(metadata, "`metadata`")?;
        Ok(PerSeat(NAME_KEYS.map(
            |key| match take(&mut members, key)?.value {
                JsonValue::Text(name) => Some(name),
                _ => None,
            },
        )))
    }

    /// Checks that the game begins at the start.
    fn initial(&self, node: JsonNode) -> Result<(), Diagnostic> {
        let span = node.span;
        let mut members = self.members(node, "`initial_state`")?;
        let board = take(&mut members, "board").map(|node| node.value);
        let is_empty = match board {
            Some(JsonValue::Object(mut board)) => {
                match take(&mut board, "pieces").map(|node| node.value) {
                    Some(JsonValue::Object(pieces)) => pieces.is_empty(),
                    _ => false,
                }
            }
            None => true,
            Some(_) => false,
        };
        if !is_empty {
            let title =
                "the game starts with pieces on the board, and urtext reads games from their start";
            return Err(self.fault(span, title));
        }
        match take(&mut members, "turn") {
            Some(turn) if self.seat(&turn)? != Seat::First => {
                let title = "Dark has the first turn, and here the first player is Light";
                Err(self.fault(turn.span, title))
            }
            _ => Ok(()),
        }
    }

    /// The record of a state; `None` where the state only waits, or is a roll whose move follows.
    fn state(&self, node: JsonNode, before: &[NetRecord]) -> Result<Option<NetRecord>, Diagnostic> {
        let span = node.span;
        let mut members = self.members(node, "a state")?;
        let kind = self.demand(&mut members, span, "type")?;
        let JsonValue::Text(word) = &kind.value else {
            return Err(self.fault(kind.span, "the type of a state is a text"));
        };
        let at = take(&mut members, "time").and_then(|time| match time.value {
            JsonValue::Number(Some(time @ 0..)) => Some(Duration::from_millis(time.unsigned_abs())),
            _ => None,
        });
        let seat_of = |members: &mut Vec<JsonMember>, name| match take(members, name) {
            Some(node) => self.seat(&node).map(Some),
            None => Ok(None),
        };
        let by = match seat_of(&mut members, "turn")? {
            Some(seat) => Some(seat),
            None => seat_of(&mut members, "player")?,
        };
        let missing = |name: &str| self.fault(span, format!("this state has no `{name}`"));
        let (by, roll, action) = match word.as_str() {
            "wait4roll" | "wait4move" => return Ok(None),
            "roll" => {
                let roll = self.roll(&mut members, span)?;
                let is_blocked = match take(&mut members, "moves").map(|node| node.value) {
                    Some(JsonValue::List(moves)) => moves.is_empty(),
                    _ => true,
                };
                // A roll that leaves moves is told again by the move.
                if !is_blocked {
                    return Ok(None);
                }
                (
                    by.ok_or_else(|| missing("turn"))?,
                    Some(roll),
                    NetAction::NoMove,
                )
            }
            "move" => {
                let by = by.ok_or_else(|| missing("turn"))?;
                let roll = self.roll(&mut members, span)?;
                let mv = self.demand(&mut members, span, "move")?;
                (by, Some(roll), NetAction::Move(self.mv(mv, by)?))
            }
            "resigned" => (
                by.ok_or_else(|| missing("player"))?,
                None,
                NetAction::Resigned,
            ),
            // A player who left has lost; a game that ended from outside has no loser.
            "abandoned" => match by {
                Some(by) => (by, None, NetAction::Resigned),
                None => return Ok(None),
            },
            "win" => {
                let winner = seat_of(&mut members, "winner")?.ok_or_else(|| missing("winner"))?;
                let by = before.last().map_or(winner, |record| record.by);
                (by, None, NetAction::End(winner))
            }
            other => {
                let title = format!(
                    "{} is no type of a state",
                    visible::quoted(other).at_most(40)
                );
                return Err(self.fault(kind.span, title).help(
                    "types are roll, move, wait4roll, wait4move, resigned, abandoned and win",
                ));
            }
        };
        Ok(Some(NetRecord {
            span,
            by,
            roll,
            at,
            action,
        }))
    }

    fn roll(&self, members: &mut Vec<JsonMember>, span: Span) -> Result<u8, Diagnostic> {
        let roll = self.demand(members, span, "roll")?;
        let roll_span = roll.span;
        let value = match roll.value {
            JsonValue::Object(mut members) => self.demand(&mut members, roll_span, "value")?.value,
            _ => {
                return Err(
                    self.fault(roll_span, "a roll is an object: `\"roll\": {\"value\": 2}`")
                );
            }
        };
        match value {
            JsonValue::Number(Some(value @ 0..=4)) => Ok(value.unsigned_abs() as u8),
            _ => Err(self.fault(roll_span, "the value of a roll is a number from 0 to 4")),
        }
    }

    fn mv(&self, node: JsonNode, by: Seat) -> Result<NetMove, Diagnostic> {
        let span = node.span;
        let mut members = self.members(node, "`move`")?;
        let mut piece = |name| match take(&mut members, name) {
            Some(node) => self.piece(&node, by).map(Some),
            None => Ok(None),
        };
        let (from, to) = (piece("src")?, piece("dest")?);
        if from.is_none() && to.is_none() {
            return Err(self.fault(span, "a move has `src`, `dest`, or both"));
        }
        Ok(NetMove {
            from: from.unwrap_or(0),
            to: to.unwrap_or(END),
            captures: take(&mut members, "captured")
                .is_some_and(|node| node.value != JsonValue::Null),
        })
    }

    /// The cell of a piece: an index on its path, positive for Light and negative for Dark.
    fn piece(&self, node: &JsonNode, by: Seat) -> Result<UrCell, Diagnostic> {
        let index = match (&node.value, by) {
            (JsonValue::Number(Some(index)), Seat::First) => *index,
            (JsonValue::Number(Some(index)), Seat::Second) => index.saturating_neg(),
            _ => 0,
        };
        match index {
            1..=14 => Ok(index as UrCell),
            _ => {
                let range = match by {
                    Seat::First => "1 to 14 for Light",
                    Seat::Second => "-1 to -14 for Dark",
                };
                Err(self.fault(
                    node.span,
                    format!("a piece is the number of its place on the path, {range}"),
                ))
            }
        }
    }

    fn seat(&self, node: &JsonNode) -> Result<Seat, Diagnostic> {
        match &node.value {
            JsonValue::Text(text) if text == "L" => Ok(Seat::First),
            JsonValue::Text(text) if text == "D" => Ok(Seat::Second),
            _ => Err(self.fault(node.span, "a player is \"L\" or \"D\"")),
        }
    }

    fn demand(
        &self,
        members: &mut Vec<JsonMember>,
        span: Span,
        name: &str,
    ) -> Result<JsonNode, Diagnostic> {
        take(members, name).ok_or_else(|| self.fault(span, format!("`{name}` is missing")))
    }
}

fn take(members: &mut Vec<JsonMember>, name: &str) -> Option<JsonNode> {
    let at = members.iter().position(|member| member.name == name)?;
    Some(members.swap_remove(at).node)
}
