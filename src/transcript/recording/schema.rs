//! The JSON Schema of recordings, from the types that are written and read.

use schemars::JsonSchema;
use serde_json::Value;

use super::Record;
use super::header::FirstLine;
use super::record::Timed;
use crate::transcript::What;

/// A line of a recording.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyLine<'a> {
    Header(FirstLine<'a>),
    Event(Timed<What>),
    Record(Record),
}

/// Returns the JSON Schema of a line of a recording.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(AnyLine<'_>).to_value()
}
