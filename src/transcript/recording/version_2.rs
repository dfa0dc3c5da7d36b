//! Lines of version 2 of the format, which had an object with a key `t` for each event.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Record;
use crate::protocol::{LaneKind, Line, LineEnding};
use crate::transcript::escape::write_line;
use crate::transcript::{Event, What};

/// The key by which a kind of event was known, and its name now.
const KINDS: [(&str, &str); 15] = [
    ("stderr", "stderr"),
    ("open", "opened"),
    ("close", "closed"),
    ("line", "line"),
    ("hex", "line"),
    ("exited", "exited"),
    ("processes", "processes"),
    ("alarm", "alarm"),
    ("lag", "lag"),
    ("hurried", "hurried"),
    ("interrupted", "interrupted"),
    ("out_of_time", "out-of-time"),
    ("notice", "notice"),
    ("unsupervised", "unsupervised"),
    ("speaks_elsewhere", "speaks-elsewhere"),
];

/// Lanes were objects with a `kind`.
pub(super) fn upgrade_header(header: &mut Value) {
    let lanes = header.get_mut("lanes").and_then(Value::as_array_mut);
    for lane in lanes.into_iter().flatten() {
        *lane = lane.get("kind").cloned().unwrap_or_default();
    }
}

/// Reads a line; `None` if it is of a kind that is not known. Adds the lane that it names to `lanes`, if it is the next one.
///
/// # Errors
/// Describes the error.
pub(super) fn read(mut line: Value, lanes: &mut Vec<LaneKind>) -> Result<Option<Record>, String> {
    if !line.is_object() {
        return Err("this line is not an object".to_owned());
    }
    if let Some(verdict) = line.get_mut("verdict") {
        return Ok(Some(Record::Verdict(verdict.take())));
    }
    let mut kinds = KINDS.into_iter();
    let Some((key, mut kind)) = kinds.find(|(key, _)| line.get(key).is_some()) else {
        return Ok(None);
    };
    let at = Duration::from_micros(micros(&line, "t")?);
    let value = line[key].clone();
    let content = match kind {
        "stderr" => return Ok(Some(Record::Stderr(bytes(&line)?))),
        "line" => {
            let ending = match line.get("end").and_then(Value::as_str) {
                Some("missing") => LineEnding::Missing,
                Some("too-long") => LineEnding::TooLong,
                Some("not-yet") => {
                    kind = "unfinished";
                    LineEnding::Newline
                }
                None => LineEnding::Newline,
                Some(_) => {
                    return Err("`end` is not \"missing\", \"too-long\" or \"not-yet\"".to_owned());
                }
            };
            let (mut escaped, text) = (String::new(), bytes(&line)?);
            if text.contains(&b'\n') {
                return Err("a line holds a line feed".to_owned());
            }
            write_line(&mut escaped, &Line { text, ending });
            line["text"] = escaped.into();
            line.clone()
        }
        "processes" => {
            let mut processes = value;
            if let Some(millis) = processes["computed_ms"].as_u64() {
                processes["computed"] = millis.saturating_mul(1000).into();
            }
            processes
        }
        "lag" => json!({
            "own": micros(&line, "lag")?,
            "subject": micros(&line, "run_delay")?.max(micros(&line, "start_delay")?),
        }),
        "out-of-time" => json!({"budget": micros(&line, "out_of_time")?}),
        "exited" => json!({"status": value, "success": line["success"]}),
        "notice" => json!({"text": value}),
        "opened" | "closed" => line.clone(),
        // The others say nothing but their name.
        _ => Value::Null,
    };
    let new = line.get("kind").filter(|_| line["lane"] == lanes.len());
    if let Some(kind) = new.filter(|_| kind == "opened") {
        lanes.push(LaneKind::deserialize(kind).map_err(|error| error.to_string())?);
    }
    let what = What::deserialize(json!({ kind: content })).map_err(|error| error.to_string())?;
    Ok(Some(Record::Event(Event { at, what })))
}

/// A time in seconds, in whole microseconds.
fn micros(line: &Value, key: &str) -> Result<u64, String> {
    let seconds = line[key].as_f64();
    let seconds = seconds.filter(|seconds| (0.0..=1e9).contains(seconds));
    let micros = seconds.map(|seconds| (seconds * 1e6).round() as u64);
    micros.ok_or_else(|| format!("`{key}` is not a time in seconds, from 0 to 1,000,000,000"))
}

/// The bytes of a line, which were digits where they were not UTF-8.
fn bytes(line: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = line.get("line") {
        let text = text.as_str().ok_or("`line` is not a string")?;
        return Ok(text.as_bytes().to_vec());
    }
    let digits = line["hex"].as_str().unwrap_or("?").as_bytes();
    let byte = |pair: &[u8]| {
        let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
        Some((digit(0)? << 4 | digit(1)?) as u8)
    };
    let bytes: Option<_> = digits.chunks(2).map(byte).collect();
    bytes.ok_or_else(|| "`hex` is not pairs of hexadecimal digits".to_owned())
}
