//! One event as one line of JSON, and back.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Record;
use crate::diagnostic::visible::is_hostile;
use crate::protocol::{LaneKind, Line, LineEnding};
use crate::transcript::{Close, Direction, Event, Lag, Processes, What};

/// The latest time that a recording may tell, in seconds: some thirty years.
const LATEST: f64 = 1e9;

/// Appends the line of an event, its newline included.
pub(super) fn write_event(event: &Event, out: &mut String) {
    write_time(event.at, out);
    let lane_and = |out: &mut String, lane: usize, direction: Option<Direction>| {
        out.push_str(",\"lane\":");
        write_number(out, lane as u64, 1);
        match direction {
            Some(Direction::Received) => out.push_str(",\"dir\":\"received\""),
            Some(Direction::Sent) => out.push_str(",\"dir\":\"sent\""),
            None => {}
        }
    };
    match &event.what {
        What::Opened { lane } => {
            lane_and(out, *lane, None);
            out.push_str(",\"open\":true");
        }
        What::Line {
            lane,
            direction,
            line,
        } => {
            lane_and(out, *lane, Some(*direction));
            write_bytes(out, &line.text);
            match line.ending {
                LineEnding::Newline => {}
                LineEnding::Missing => out.push_str(",\"end\":\"missing\""),
                LineEnding::TooLong => out.push_str(",\"end\":\"too-long\""),
            }
        }
        What::Unfinished {
            lane,
            direction,
            text,
        } => {
            lane_and(out, *lane, Some(*direction));
            write_bytes(out, text);
            out.push_str(",\"end\":\"not-yet\"");
        }
        What::Closed {
            lane,
            direction,
            close,
        } => {
            lane_and(out, *lane, Some(*direction));
            out.push_str(match close {
                Close::End => ",\"close\":\"end\"",
                Close::Reset => ",\"close\":\"reset\"",
                Close::Broken => ",\"close\":\"broken\"",
                Close::Lost => ",\"close\":\"lost\"",
            });
        }
        What::Exited { status, is_success } => {
            out.push_str(",\"exited\":");
            write_string(out, status);
            write!(out, ",\"success\":{is_success}").expect("a string takes all");
        }
        What::Processes(Processes {
            lives,
            is_stopped,
            computed,
            started,
            asleep,
        }) => {
            write!(
                out,
                ",\"processes\":{{\"lives\":{lives},\"stopped\":{is_stopped},\"computed_ms\":{},\"started\":[",
                computed.as_millis()
            )
            .expect("a string takes all");
            for (number, name) in started.iter().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                write_string(out, name);
            }
            out.push(']');
            if let Some(lanes) = asleep {
                write!(out, ",\"asleep\":{lanes:?}").expect("a string takes all");
            }
            out.push('}');
        }
        What::Alarm => out.push_str(",\"alarm\":true"),
        What::Lag(Lag {
            own,
            subject,
            start,
        }) => {
            for (key, time) in [("lag", own), ("run_delay", subject), ("start_delay", start)] {
                write!(out, ",\"{key}\":{:.6}", time.as_secs_f64()).expect("a string takes all");
            }
        }
        What::Hurried => out.push_str(",\"hurried\":true"),
        What::Interrupted => out.push_str(",\"interrupted\":true"),
        What::OutOfTime { budget } => {
            out.push_str(",\"out_of_time\":");
            write_seconds(*budget, out);
        }
        What::Notice { text } => {
            out.push_str(",\"notice\":");
            write_string(out, text);
        }
        What::Unsupervised => out.push_str(",\"unsupervised\":true"),
        What::SpeaksElsewhere => out.push_str(",\"speaks_elsewhere\":true"),
    }
    out.push_str("}\n");
}

/// Appends the line with the end of what the subject wrote to standard error, its newline included.
pub(super) fn write_stderr(at: Duration, bytes: &[u8], out: &mut String) {
    write_time(at, out);
    out.push_str(",\"stderr\":true");
    write_bytes(out, bytes);
    out.push_str("}\n");
}

/// Appends the line that says of a lane that is not in the header what it is, and that it is connected.
pub(super) fn write_new_lane(at: Duration, lane: usize, kind: LaneKind, out: &mut String) {
    write_event(
        &Event {
            at,
            what: What::Opened { lane },
        },
        out,
    );
    out.truncate(out.len() - "}\n".len());
    out.push_str(match kind {
        LaneKind::Player => ",\"kind\":\"player\"}\n",
        LaneKind::Spectator => ",\"kind\":\"spectator\"}\n",
    });
}

/// Reads the kind of a lane that an event adds to those of the header.
///
/// # Errors
/// Describes the error.
pub(super) fn new_lane(
    object: &Map<String, Value>,
    lanes: usize,
) -> Result<Option<LaneKind>, String> {
    let is_next = object.get("lane").and_then(Value::as_u64) == Some(lanes as u64);
    if !is_next || !object.contains_key("open") || !object.contains_key("kind") {
        return Ok(None);
    }
    let kinds = [
        ("player", LaneKind::Player),
        ("spectator", LaneKind::Spectator),
    ];
    one_of(object, "kind", &kinds).map(Some)
}

/// Begins the object of an event.
fn write_time(at: Duration, out: &mut String) {
    out.push_str("{\"t\":");
    write_seconds(at, out);
}

fn write_seconds(time: Duration, out: &mut String) {
    write_number(out, time.as_secs(), 1);
    out.push('.');
    write_number(out, time.subsec_micros().into(), 6);
}

/// A number with at least so many digits; one is written for every event, and the general way takes longer than the rest of it.
fn write_number(out: &mut String, mut number: u64, least: usize) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    while number > 0 || digits.len() - at < least {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.push_str(str::from_utf8(&digits[at..]).expect("digits are text"));
}

/// Bytes as text where they are text, and as digits where not.
fn write_bytes(out: &mut String, bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(text) => {
            out.push_str(",\"line\":");
            write_string(out, text);
        }
        Err(_) => {
            out.push_str(",\"hex\":\"");
            for byte in bytes {
                write!(out, "{byte:02x}").expect("a string takes all");
            }
            out.push('"');
        }
    }
}

/// A JSON string that is safe on a terminal too: what steers or hides is escaped, beyond what JSON demands.
fn write_string(out: &mut String, text: &str) {
    out.push('"');
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
    {
        out.push_str(text);
        out.push('"');
        return;
    }
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            _ if is_hostile(character) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("a string takes all");
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Reads how processes are, in a game of so many lanes.
fn read_processes(value: &Value, lanes: usize) -> Option<Processes> {
    let object = value.as_object()?;
    let truth = |key: &str| object.get(key)?.as_bool();
    let names = object
        .get("started")?
        .as_array()?
        .iter()
        .map(|name| Some(name.as_str()?.to_owned()));
    let lane = |lane: &Value| {
        usize::try_from(lane.as_u64()?)
            .ok()
            .filter(|lane| *lane < lanes)
    };
    let asleep = match object.get("asleep") {
        Some(asleep) => Some(asleep.as_array()?.iter().map(lane).collect::<Option<_>>()?),
        None => None,
    };
    Some(Processes {
        lives: truth("lives")?,
        is_stopped: truth("stopped")?,
        computed: Duration::from_millis(object.get("computed_ms")?.as_u64()?),
        started: names.collect::<Option<_>>()?,
        asleep,
    })
}

/// A line of a lane in the most common form: text, and ended by a newline.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireLine<'a> {
    t: f64,
    lane: usize,
    dir: WireDirection,
    #[serde(borrow)]
    line: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WireDirection {
    Received,
    Sent,
}

/// Reads a line of a lane in the most common form, without building an object. `None`: it is in another form, or not sound.
pub(super) fn read_line(text: &[u8], lanes: usize) -> Option<Event> {
    let WireLine { t, lane, dir, line } = serde_json::from_slice(text).ok()?;
    let direction = match dir {
        WireDirection::Received => Direction::Received,
        WireDirection::Sent => Direction::Sent,
    };
    let is_sound = lane < lanes && !line.contains('\n');
    let line = Line::new(line.into_owned().into_bytes());
    let at = micros(t).filter(|_| is_sound)?;
    Some(Event {
        at,
        what: What::Line {
            lane,
            direction,
            line,
        },
    })
}

/// Reads the object of an event, and when it was; `None` where it is of a kind that is not known here.
///
/// # Errors
/// Describes the error.
pub(super) fn read_event(
    object: &Map<String, Value>,
    lanes: usize,
) -> Result<Option<(Duration, Record)>, String> {
    let has = |key| object.contains_key(key);
    let what = if has("open") {
        What::Opened {
            lane: lane(object, lanes)?,
        }
    } else if has("close") {
        let close = one_of(
            object,
            "close",
            &[
                ("end", Close::End),
                ("reset", Close::Reset),
                ("broken", Close::Broken),
                ("lost", Close::Lost),
            ],
        )?;
        What::Closed {
            lane: lane(object, lanes)?,
            direction: direction(object)?,
            close,
        }
    } else if object.get("end").and_then(Value::as_str) == Some("not-yet") {
        What::Unfinished {
            lane: lane(object, lanes)?,
            direction: direction(object)?,
            text: text(object)?,
        }
    } else if has("stderr") {
        return Ok(Some((time(object)?, Record::Stderr(bytes(object)?))));
    } else if has("line") || has("hex") {
        let ending = match has("end") {
            false => LineEnding::Newline,
            true => one_of(
                object,
                "end",
                &[
                    ("missing", LineEnding::Missing),
                    ("too-long", LineEnding::TooLong),
                ],
            )?,
        };
        let line = Line {
            text: text(object)?,
            ending,
        };
        What::Line {
            lane: lane(object, lanes)?,
            direction: direction(object)?,
            line,
        }
    } else if has("exited") {
        let status = string(object, "exited")?.to_owned();
        let is_success = object.get("success").and_then(Value::as_bool);
        What::Exited {
            status,
            is_success: is_success.ok_or("`success` is not true or false")?,
        }
    } else if let Some(processes) = object.get("processes") {
        What::Processes(
            read_processes(processes, lanes).ok_or("`processes` does not say how they are")?,
        )
    } else if has("alarm") {
        What::Alarm
    } else if has("lag") {
        What::Lag(Lag {
            own: seconds(object, "lag")?,
            subject: seconds(object, "run_delay")?,
            start: seconds(object, "start_delay")?,
        })
    } else if has("hurried") {
        What::Hurried
    } else if has("interrupted") {
        What::Interrupted
    } else if has("out_of_time") {
        What::OutOfTime {
            budget: seconds(object, "out_of_time")?,
        }
    } else if has("notice") {
        What::Notice {
            text: string(object, "notice")?.to_owned(),
        }
    } else if has("unsupervised") {
        What::Unsupervised
    } else if has("speaks_elsewhere") {
        What::SpeaksElsewhere
    } else {
        return Ok(None);
    };
    let at = time(object)?;
    Ok(Some((at, Record::Event(Event { at, what }))))
}

fn time(object: &Map<String, Value>) -> Result<Duration, String> {
    seconds(object, "t")
}

/// A time that is not negative, in whole microseconds.
fn seconds(object: &Map<String, Value>, key: &str) -> Result<Duration, String> {
    let seconds = object.get(key).and_then(Value::as_f64);
    let seconds = seconds.ok_or_else(|| format!("`{key}` is not a number of seconds"))?;
    micros(seconds).ok_or_else(|| match key {
        "t" => "`t` is not a time after the start of the game".to_owned(),
        _ => format!("`{key}` is not a length of time"),
    })
}

fn micros(seconds: f64) -> Option<Duration> {
    let is_time = (0.0..=LATEST).contains(&seconds);
    is_time.then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

fn lane(object: &Map<String, Value>, lanes: usize) -> Result<usize, String> {
    match object.get("lane").and_then(Value::as_u64) {
        Some(lane) if lane < lanes as u64 => Ok(lane as usize),
        Some(lane) => Err(format!(
            "there is no lane {lane}; the header names {lanes}, counted from 0"
        )),
        None => Err("`lane` is not the number of a lane".to_owned()),
    }
}

fn direction(object: &Map<String, Value>) -> Result<Direction, String> {
    one_of(
        object,
        "dir",
        &[("received", Direction::Received), ("sent", Direction::Sent)],
    )
}

fn string<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    object
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("`{key}` is not a string"))
}

fn one_of<T: Copy>(
    object: &Map<String, Value>,
    key: &str,
    words: &[(&str, T)],
) -> Result<T, String> {
    let said = object.get(key).and_then(Value::as_str);
    words
        .iter()
        .find(|(word, _)| Some(*word) == said)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let words: Vec<_> = words
                .iter()
                .map(|(word, _)| format!("\"{word}\""))
                .collect();
            format!("`{key}` is not {}", words.join(" or "))
        })
}

fn text(object: &Map<String, Value>) -> Result<Vec<u8>, String> {
    let text = bytes(object)?;
    if text.contains(&b'\n') {
        return Err("a line holds a line feed".to_owned());
    }
    Ok(text)
}

fn bytes(object: &Map<String, Value>) -> Result<Vec<u8>, String> {
    Ok(match object.get("line") {
        Some(_) => string(object, "line")?.as_bytes().to_vec(),
        None => {
            let digits = string(object, "hex")?.as_bytes();
            let pair = |pair: &[u8]| {
                let digits = str::from_utf8(pair).ok()?;
                let are_digits = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
                are_digits.then(|| u8::from_str_radix(digits, 16).ok())?
            };
            let bytes: Option<Vec<u8>> = digits.chunks(2).map(pair).collect();
            bytes.ok_or("`hex` is not pairs of hexadecimal digits")?
        }
    })
}
