//! The words in which a schema is written: text, numbers, times, lists, mappings, each with what it says.
//!
//! A schema is for editors, which complete and explain by it. It refuses nothing that is read without a fault, and it cannot know
//! what only playing the game tells.

use serde_json::{Map, Value, json};

/// The dialect of the schemas.
pub const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// A text on one line. To YAML `7` and `true` are no text, and are taken for it all the same.
#[must_use]
pub fn text(says: &str) -> Value {
    json!({"description": says, "type": ["string", "number", "boolean"]})
}

/// The pattern of a length of time.
pub const DURATION: &str = "^\\s*[0-9][0-9a-zA-Zµ. ]*$";

/// Returns a shape with a description: the first line of a doc comment.
#[must_use]
pub fn described(says: &str, mut shape: Value) -> Value {
    shape["description"] = json!(says.trim().trim_end_matches('.'));
    shape
}

/// A list.
#[must_use]
pub fn list(says: &str, entry: Value) -> Value {
    json!({"description": says, "type": "array", "items": entry})
}

/// Any of several shapes.
#[must_use]
pub fn either(says: &str, shapes: impl Into<Vec<Value>>) -> Value {
    json!({"description": says, "anyOf": shapes.into()})
}

/// Returns a schema that accepts the shape, or a name that is filled in.
#[must_use]
pub fn or_filled(mut shape: Value) -> Value {
    let says = shape
        .as_object_mut()
        .and_then(|shape| shape.remove("description"));
    let mut filled =
        json!({"anyOf": [shape, {"type": "string", "pattern": "\\{[a-z0-9][a-z0-9-]*\\}"}]});
    if let Some(says) = says {
        filled["description"] = says;
    }
    filled
}

/// Returns the schema of a mapping in whose values names are filled in, those in lists included.
#[must_use]
pub fn filled(mut mapping: Value) -> Value {
    let keys = mapping["properties"].as_object_mut();
    for shape in keys.into_iter().flat_map(Map::values_mut) {
        let inner = match shape["items"].is_null() {
            true => shape,
            false => &mut shape["items"],
        };
        let is_text = inner["type"] == text("")["type"] && inner["pattern"].is_null();
        if !is_text && inner["type"] != "object" {
            *inner = or_filled(inner.take());
        }
    }
    mapping
}

/// Returns the condition that a mapping has exactly one of these keys.
#[must_use]
pub fn one_of(keys: &[&str]) -> Value {
    keys.iter().map(|key| json!({"required": [key]})).collect()
}
