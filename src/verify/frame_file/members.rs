//! The members of a line, by their types.

use std::time::Duration;

use crate::diagnostic::{Diagnostic, JsonMember, JsonNode, JsonValue, Source, Span, visible};
use crate::rules::{Game, Seat};

/// The members of an object.
pub(super) struct Members<'s> {
    source: &'s Source,
    /// Span of the object.
    pub(super) span: Span,
    members: Vec<JsonMember>,
}

impl<'s> Members<'s> {
    /// The members of a line.
    ///
    /// # Errors
    /// Fails if the line is no object.
    pub(super) fn of(source: &'s Source, node: JsonNode) -> Result<Members<'s>, Diagnostic> {
        let (span, kind) = (node.span, node.kind());
        match node.value {
            JsonValue::Object(members) => Ok(Members {
                source,
                span,
                members,
            }),
            _ => {
                let title = format!("a line of a replay is an object, and this is {kind}");
                Err(fault(source, span, title))
            }
        }
    }

    /// The fault of a place in the file.
    pub(super) fn fault(&self, span: Span, title: impl Into<String>) -> Diagnostic {
        fault(self.source, span, title)
    }

    /// The member of that name; `None` for null.
    pub(super) fn get(&self, name: &str) -> Option<&JsonNode> {
        let member = self.members.iter().find(|member| member.name == name)?;
        (member.node.value != JsonValue::Null).then_some(&member.node)
    }

    /// The member of that name, null as well.
    pub(super) fn given(&self, name: &str) -> Option<&JsonNode> {
        let member = self.members.iter().find(|member| member.name == name)?;
        Some(&member.node)
    }

    /// The text of that name.
    ///
    /// # Errors
    /// Fails if it is no text.
    pub(super) fn text(&self, name: &str) -> Result<Option<(&str, Span)>, Diagnostic> {
        match self.get(name) {
            None => Ok(None),
            Some(JsonNode {
                value: JsonValue::Text(text),
                span,
            }) => Ok(Some((text, *span))),
            Some(node) => {
                let title = format!("`{name}` is a text, and this is {}", node.kind());
                Err(self.fault(node.span, title))
            }
        }
    }

    /// The text of that name, which has to be there.
    ///
    /// # Errors
    /// Fails if it is missing or no text.
    pub(super) fn due_text(&self, name: &str) -> Result<(&str, Span), Diagnostic> {
        let missing = || self.fault(self.span, format!("`{name}` is missing"));
        self.text(name)?.ok_or_else(missing)
    }

    /// The number of that name, which has to be there.
    ///
    /// # Errors
    /// Fails if it is missing, or no whole number from 0.
    pub(super) fn due_number(&self, name: &str) -> Result<(usize, Span), Diagnostic> {
        let Some(node) = self.get(name) else {
            return Err(self.fault(self.span, format!("`{name}` is missing")));
        };
        let number = match node.value {
            JsonValue::Number(Some(number)) => usize::try_from(number).ok(),
            _ => None,
        };
        let title = || format!("`{name}` is a whole number from 0, and this is not");
        number
            .map(|number| (number, node.span))
            .ok_or_else(|| self.fault(node.span, title()))
    }

    /// The time of that name, in seconds.
    ///
    /// # Errors
    /// Fails if it is no time.
    pub(super) fn time(&self, name: &str) -> Result<Option<Duration>, Diagnostic> {
        let Some(node) = self.get(name) else {
            return Ok(None);
        };
        let text = std::str::from_utf8(self.source.slice(node.span)).unwrap_or_default();
        let time = text
            .parse()
            .ok()
            .filter(|_| matches!(node.value, JsonValue::Number(_)));
        let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let title = || format!("`{name}` is a number of seconds from 0, and this is not");
        time.map(Some).ok_or_else(|| self.fault(node.span, title()))
    }

    /// The seat of that name, which has to be there.
    ///
    /// # Errors
    /// Fails if it is missing, or no seat of the game.
    pub(super) fn due_seat(&self, name: &str, game: &dyn Game) -> Result<Seat, Diagnostic> {
        let (text, span) = self.due_text(name)?;
        game.seat_called(text).ok_or_else(|| {
            let names = game.seat_names();
            let text = visible::quoted(text).at_most(40);
            let title = format!("{text} is no seat: seats are {} and {}", names[0], names[1]);
            self.fault(span, title)
        })
    }
}

fn fault(source: &Source, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error("frames/record", title).at(source, source.first_line(span), "")
}
