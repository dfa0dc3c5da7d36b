//! Settings of a game in the JSON: the rules by which it was played.

use crate::diagnostic::{Diagnostic, Source, visible};
use crate::diagnostic::{JsonMember, JsonNode, JsonValue};

/// A setting of the rules that urtext plays by.
enum Due {
    Word(&'static str),
    Number(i64),
    Flag(bool),
}

/// The settings of the Finkel rules, which are those of the seed.
const FINKEL: [(&str, Due); 7] = [
    ("board_shape", Due::Word("standard")),
    ("paths", Due::Word("bell")),
    ("dice", Due::Word("four_binary")),
    ("start_pieces", Due::Number(7)),
    ("safe_rosettes", Due::Flag(true)),
    ("rosettes_grant_rolls", Due::Flag(true)),
    ("captures_grant_rolls", Due::Flag(false)),
];

/// Returns the fault of settings of other rules; it names each of them.
pub(super) fn other_rules(
    source: &Source,
    settings: &JsonNode,
    members: &[JsonMember],
) -> Option<Diagnostic> {
    let others: Vec<_> = FINKEL
        .iter()
        .filter_map(|row| difference(members, row))
        .collect();
    if others.is_empty() {
        return None;
    }
    let title = format!("this game has other rules: {}", others.join(", "));
    let fault = Diagnostic::error("royalur-json/other-rules", title);
    Some(
        fault
            .at(source, source.first_line(settings.span), "")
            .help("urtext plays by RoyalUr's Finkel rules: standard board, bell path, four binary dice, 7 pieces, safe rosettes that grant rolls"),
    )
}

/// The setting as the game has it, where it is another one.
fn difference(members: &[JsonMember], (name, due): &(&str, Due)) -> Option<String> {
    let value = members
        .iter()
        .find(|member| member.name == *name)
        .map(|member| &member.node.value);
    let (is_due, due) = match *due {
        Due::Word(word) => (
            matches!(value, Some(JsonValue::Text(text)) if text == word),
            format!("{word:?}"),
        ),
        Due::Number(number) => (
            value == Some(&JsonValue::Number(Some(number))),
            number.to_string(),
        ),
        Due::Flag(flag) => (value == Some(&JsonValue::Bool(flag)), flag.to_string()),
    };
    let found = match value {
        _ if is_due => return None,
        None => return Some(format!("no `{name}`")),
        Some(JsonValue::Text(text)) => visible::quoted(text).at_most(40).to_string(),
        Some(JsonValue::Number(Some(number))) => number.to_string(),
        Some(JsonValue::Bool(flag)) => flag.to_string(),
        Some(_) => "something else".to_owned(),
    };
    Some(format!("`{name}` is {found}, not {due}"))
}
