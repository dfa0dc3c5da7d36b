//! JSON with positions, and with the slips of the seed's own examples: names without quotation marks, no comma after the last
//! member or one too many, and a comma missing between two members.
//!
//! Values are read one by one, and each is bounded, so that a hostile file costs no more than its own bytes.

use crate::diagnostic::{Diagnostic, Source, Span, visible};

/// Maximum nesting of lists and objects.
const DEPTH: usize = 16;

/// Maximum number of values in a whole value.
const LIMIT: usize = 256;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JsonNode {
    /// Span of the value.
    pub(super) span: Span,
    /// The value.
    pub(super) value: JsonValue,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonValue {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number that fits, without fraction or exponent; `None` for any other.
    Number(Option<i64>),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<JsonNode>),
    /// An object.
    Object(Vec<JsonMember>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JsonMember {
    /// Its name.
    pub(super) name: String,
    /// Span of the name.
    pub(super) name_span: Span,
    /// Its value.
    pub(super) node: JsonNode,
}

impl JsonNode {
    /// Returns the kind of the value for messages, such as `a list`.
    #[must_use]
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            JsonValue::Null => "null",
            JsonValue::Bool(_) => "true or false",
            JsonValue::Number(Some(_)) => "a number",
            JsonValue::Number(None) => "a number that is not whole, or too large",
            JsonValue::Text(_) => "a text",
            JsonValue::List(_) => "a list",
            JsonValue::Object(_) => "an object",
        }
    }
}

/// Reads values from a text, in order.
pub(super) struct JsonReader<'s> {
    source: &'s Source,
    text: &'s str,
    at: usize,
    left: usize,
}

impl<'s> JsonReader<'s> {
    /// Begins at the first value of a text.
    ///
    /// # Errors
    /// Fails if the text is not UTF-8.
    pub(super) fn new(source: &'s Source) -> Result<JsonReader<'s>, Diagnostic> {
        let text = source.utf8()?;
        let at = text.len() - text.trim_start_matches('\u{feff}').len();
        Ok(JsonReader {
            source,
            text,
            at,
            left: LIMIT,
        })
    }

    /// The next character that is no white space, which stays.
    pub(super) fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text[self.at..].chars().next()
    }

    /// Takes this character where it comes next.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += if is_next { wanted.len_utf8() } else { 0 };
        is_next
    }

    /// Returns the span of the next character.
    #[must_use]
    pub(super) fn here(&self) -> Span {
        let length = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    /// The fault of a syntax error.
    #[must_use]
    pub(super) fn fault(&self, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error("hc-ur/syntax", title).at(self.source, span, "")
    }

    /// The next whole value, within the limit.
    ///
    /// # Errors
    /// The first place that is not JSON.
    pub(super) fn value(&mut self) -> Result<JsonNode, Diagnostic> {
        self.left = LIMIT;
        self.node(0)
    }

    fn node(&mut self, depth: usize) -> Result<JsonNode, Diagnostic> {
        let first = self.peek();
        if depth > DEPTH {
            return Err(self.fault(
                self.here(),
                "lists and objects stand too deep in each other",
            ));
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Err(self.fault(
                self.here(),
                format!("one record holds more than {LIMIT} values"),
            ));
        };
        self.left = left;
        let start = self.at;
        let value = match first {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => JsonValue::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some(_) => self.word()?,
            None => return Err(self.fault(self.here(), "the file ends where a value is due")),
        };
        Ok(JsonNode {
            span: Span::new(start, self.at),
            value,
        })
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue, Diagnostic> {
        let opening = self.here();
        self.at += 1;
        let mut members: Vec<JsonMember> = Vec::new();
        loop {
            match self.peek() {
                Some('}') => break,
                None => return Err(self.fault(opening, "this `{` is never closed")),
                _ => {}
            }
            let start = self.at;
            let name = if self.text[start..].starts_with('"') {
                self.string()?
            } else {
                self.name()?
            };
            let name_span = Span::new(start, self.at);
            if members.iter().any(|member| member.name == name) {
                let title = format!("{} is given twice", visible::quoted(&name).at_most(40));
                return Err(self.fault(name_span, title));
            }
            if !self.take(':') {
                return Err(self.fault(self.here(), "a `:` is due here, and then the value"));
            }
            let node = self.node(depth + 1)?;
            members.push(JsonMember {
                name,
                name_span,
                node,
            });
            // The seed leaves the comma out between two members, so it is not asked for.
            self.take(',');
        }
        self.at += 1;
        Ok(JsonValue::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<JsonValue, Diagnostic> {
        let opening = self.here();
        self.at += 1;
        let mut items = Vec::new();
        loop {
            match self.peek() {
                Some(']') => break,
                None => return Err(self.fault(opening, "this `[` is never closed")),
                _ => {}
            }
            items.push(self.node(depth + 1)?);
            if !self.take(',') && self.peek().is_some_and(|next| next != ']') {
                return Err(self.fault(self.here(), "a `,` or `]` is due here"));
            }
        }
        self.at += 1;
        Ok(JsonValue::List(items))
    }

    fn name(&mut self) -> Result<String, Diagnostic> {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(self.fault(self.here(), "the name of a member, or `}`, is due here"));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }

    fn number(&mut self) -> Result<JsonValue, Diagnostic> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let text = &rest[..end];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let span = Span::new(self.at, self.at + end);
        if digits.is_empty()
            || digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.")
        {
            return Err(self.fault(span, "this is no number"));
        }
        // A form that JSON does not know is told apart from a number that is only of no use here.
        if serde_json::from_str::<serde_json::Number>(text).is_err() && text.parse::<f64>().is_err()
        {
            return Err(self.fault(span, "this is no number"));
        }
        self.at += end;
        Ok(JsonValue::Number(text.parse().ok()))
    }

    fn word(&mut self) -> Result<JsonValue, Diagnostic> {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let value = match &rest[..end] {
            "null" => JsonValue::Null,
            "true" => JsonValue::Bool(true),
            "false" => JsonValue::Bool(false),
            _ => {
                let span = if end == 0 {
                    self.here()
                } else {
                    Span::new(self.at, self.at + end)
                };
                return Err(self.fault(
                    span,
                    "a value is due here: a text stands in quotation marks",
                ));
            }
        };
        self.at += end;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| match byte {
            _ if is_escaped => {
                is_escaped = false;
                false
            }
            b'\\' => {
                is_escaped = true;
                false
            }
            byte => byte == b'"' || byte == b'\n',
        });
        let Some(end) = end.filter(|&end| rest.as_bytes()[end] == b'"') else {
            let line = self.source.first_line(Span::new(start, self.text.len()));
            return Err(self.fault(line, "this text has no closing quotation mark"));
        };
        self.at = start + end + 2;
        let span = Span::new(start, self.at);
        let text = &self.text[span.range()];
        serde_json::from_str(text).map_err(|_| {
            self.fault(
                span,
                "this text holds an escape or a control character that JSON does not know",
            )
        })
    }
}
