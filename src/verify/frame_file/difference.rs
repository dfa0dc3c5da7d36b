//! The first difference between a value of a file and the one that the rules demand.

use serde_json::Value;

use crate::diagnostic::{JsonNode, JsonValue, Span};

/// Returns the place of the first difference, and the value that is due there. What the file leaves out is no difference, nor is what it adds to an object.
pub(super) fn difference(node: &JsonNode, due: &Value) -> Option<(Span, String)> {
    let is_equal = match (&node.value, due) {
        (JsonValue::Object(members), Value::Object(due)) => {
            return members.iter().find_map(|member| {
                let due = due.get(&member.name)?;
                difference(&member.node, due)
            });
        }
        (JsonValue::List(nodes), Value::Array(due)) if nodes.len() == due.len() => {
            let pairs = nodes.iter().zip(due);
            return pairs
                .into_iter()
                .find_map(|(node, due)| difference(node, due));
        }
        (JsonValue::Null, Value::Null) => true,
        (JsonValue::Bool(flag), Value::Bool(due)) => flag == due,
        (JsonValue::Number(number), Value::Number(due)) => *number == due.as_i64(),
        (JsonValue::Text(text), Value::String(due)) => text == due,
        _ => false,
    };
    let due = || match due {
        Value::Array(items) => format!("a list of {}", items.len()),
        due => due.to_string(),
    };
    (!is_equal).then(|| (node.span, due()))
}
