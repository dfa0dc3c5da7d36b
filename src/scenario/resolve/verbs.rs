//! The verbs of a dialogue: a row for each, with the reader, the schema and the writer of its value.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;

use super::sent::{Captured, PieceReader, pieces, plain_shape, within};
use crate::diagnostic::{Faults, Problem};
use crate::scenario::{
    Coming, Deed, Leaving, LineAct, LineEnd, LinePattern, Place, SendPart, Side, Wanted,
};
use crate::transcript::Close;
use crate::yaml::shape::{described, either, list, or_filled, text};
use crate::yaml::{
    At, Kind, Node, Number, Row, Value, Words, entry, keys, known, list as listed, scalar, shape_of,
};

/// A verb. With a participant before it, it is the key of a step.
pub(super) struct Verb {
    /// The word where a referee is under test, and where a bot is: what a bot gets, urtext sends.
    words: [&'static str; 2],
    /// The shape of the value for editors.
    pub(super) shape: fn() -> Json,
    pub(super) read: fn(&LineStepReader<'_>, &Node) -> Option<LineAct>,
    /// The value as it is written; `None` for what another verb says.
    pub(super) written: fn(&LineAct, LineEnd) -> Option<String>,
}

impl Verb {
    pub(super) fn word(&self, side: Side) -> &'static str {
        self.words[side as usize]
    }
}

/// The longest wait, and the longest pause.
const LONGEST: Duration = Duration::from_secs(3600);

/// The reader of a dialogue.
#[derive(Clone, Copy)]
pub(super) struct LineStepReader<'r> {
    pub(super) faults: &'r Faults,
    pub(super) participants: &'r [String],
    /// False if there can be other participants, whose names could not be read.
    pub(super) is_sure: bool,
    pub(super) side: Side,
    pub(super) line_end: LineEnd,
    /// The number of repeats around the steps.
    pub(super) depth: u32,
    /// The number of times that the steps are played.
    pub(super) times: usize,
    /// The names that the lines before capture.
    pub(super) captured: &'r Captured,
}

impl LineStepReader<'_> {
    /// The bytes to send: a line, whose newline is added, or a list of raw pieces.
    fn sent(&self, value: &Node) -> Option<Vec<SendPart>> {
        let reader = PieceReader {
            faults: self.faults,
            longest_pause: LONGEST,
            times: self.times,
            captured: Some(self.captured),
        };
        let Value::List(entries) = &value.value else {
            let line = value.as_line(self.faults)?;
            let line = format!("{line}{}\n", self.line_end.before_newline());
            return Some(vec![reader.text(&line, None, value.span)?]);
        };
        reader.parts(entries)
    }

    /// Lines that the subject has to send, or not.
    fn wanted(&self, value: &Node) -> Option<Arc<Wanted>> {
        let faults = self.faults;
        let (how, value) = match &value.value {
            Value::Map(_) => {
                let entries = known(value, WANTED, &wanted_rows(), &Coming::words(), faults)?;
                let mut found = entries.iter();
                found.find_map(|(key, value)| Some((Some(Coming::of(&key.text)?), value)))?
            }
            _ => (None, value),
        };
        let nodes = match &value.value {
            Value::List(nodes) if how.is_some() => nodes.as_slice(),
            _ => std::slice::from_ref(value),
        };
        if nodes.is_empty() {
            let (title, help) = ("there is no line in this list", "write one at least");
            return faults.reject("lines/pattern", title, value.span, "", help);
        }
        // All of them, whatever is wrong with the first.
        let lines = nodes.iter().map(|node| {
            let line = node.as_line(faults)?.to_owned();
            let pattern = LinePattern::parse(&(line + self.line_end.before_newline()));
            let refuse = |problem: Problem| problem.refuse("lines/pattern", node.span, faults);
            pattern.map_err(refuse).ok()
        });
        let lines: Vec<_> = lines.collect();
        let lines = lines.into_iter().collect::<Option<_>>()?;
        let how = how.unwrap_or(Coming::AnyOf);
        let wanted = Wanted { how, lines };
        if wanted.is_due() {
            let places = wanted.lines.iter().flat_map(LinePattern::places);
            let names = places.map(|place| place.name.clone());
            let names = names.filter(|name| name != Place::UNNAMED);
            self.captured.borrow_mut().extend(names);
        }
        Some(Arc::new(wanted))
    }
}

/// All verbs.
pub(super) static VERBS: [Verb; 6] = [
    Verb {
        words: ["sends", "gets"],
        shape: sent_shape,
        read: |reader, node| Some(LineAct::Does(Deed::Send(reader.sent(node)?))),
        written: |act, end| match act {
            LineAct::Does(Deed::Send(parts)) => Some(sent(parts, end)),
            _ => None,
        },
    },
    Verb {
        words: ["leaves"; 2],
        shape: || or_filled(described("it goes away", Leaving::shape())),
        read: |reader, node| {
            let how = Leaving::read(node, reader.faults)?;
            Some(LineAct::Does(Deed::Leave(how)))
        },
        written: |act, _| match act {
            LineAct::Does(Deed::Leave(how)) => how.written(),
            _ => None,
        },
    },
    Verb {
        words: ["reads"; 2],
        shape: || or_filled(described("how it reads from now on", Pace::shape())),
        read: |reader, node| {
            let pace = Pace::read(node, reader.faults)?.pace;
            Some(LineAct::Does(Deed::Read(pace.map(|pace| pace.0))))
        },
        written: |act, _| match act {
            LineAct::Does(Deed::Read(pace)) => PaceWord(*pace).written().or_else(|| {
                let pace = pace.map(Number);
                Pace { pace }.written()
            }),
            _ => None,
        },
    },
    Verb {
        words: ["gets", "sends"],
        shape: wanted_shape,
        read: |reader, node| Some(LineAct::Lines(reader.wanted(node)?)),
        written: |act, end| match act {
            LineAct::Lines(want) => Some(wanted(want, end)),
            _ => None,
        },
    },
    Verb {
        words: ["sees"; 2],
        shape: || {
            let says = "its stream ends, in whatever way or in this one";
            or_filled(described(says, End::shape()))
        },
        read: |reader, node| Some(LineAct::End(End::read(node, reader.faults)?.0)),
        written: |act, _| match act {
            LineAct::End(how) => End(*how).written(),
            _ => None,
        },
    },
    Verb {
        words: ["waits"; 2],
        shape: || or_filled(described("nothing comes for so long", Duration::shape())),
        read: |reader, node| {
            let time = At::read(node, reader.faults)?;
            within(time, LONGEST, reader.faults).map(LineAct::Silence)
        },
        written: |act, _| match act {
            LineAct::Silence(time) => time.written(),
            _ => None,
        },
    },
];

/// The words for the end of a stream, and the kind of close that has to be its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End(Option<Close>);

impl Words for End {
    const WORDS: &'static [(&'static str, End)] = &[
        ("end", End(None)),
        ("end by close", End(Some(Close::End))),
        ("end by reset", End(Some(Close::Reset))),
    ];
}

/// The words for a pace of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PaceWord(Option<u64>);

impl Words for PaceWord {
    const WORDS: &'static [(&'static str, PaceWord)] = &[
        ("nothing", PaceWord(Some(0))),
        ("everything", PaceWord(None)),
    ];
}

keys! {
    /// The pace at which a participant reads.
    #[derive(Debug)]
    struct Pace in "a way to read" or PaceWord {
        /// no more than so many
        required "bytes a second" => pace: Option<Number<0, { u64::MAX }>>;
    }
}

impl From<PaceWord> for Pace {
    fn from(PaceWord(pace): PaceWord) -> Pace {
        let pace = pace.map(Number);
        Pace { pace }
    }
}

fn sent_shape() -> Json {
    let line = text("the line, whose end is added; what was captured as `{name}` is filled in");
    let pieces = list("pieces, as they are: no newline is added", plain_shape());
    either("a line, or pieces as they are", [line, pieces])
}

fn sent(parts: &[SendPart], end: LineEnd) -> String {
    if let [part] = parts
        && let Some(line) = part.written()
        && let Some(line) = line.strip_suffix('\n')
        && let Some(line) = line.strip_suffix(end.before_newline())
        && !line.contains(['\n', '\r'])
    {
        return scalar(line);
    }
    format!("[{}]", pieces(parts).join(", "))
}

/// The name of a mapping from one way to come to its lines.
const WANTED: &str = "a line that has to come";

fn wanted_rows() -> Vec<Row> {
    let words = Coming::words().into_iter();
    let several = || {
        let lines = [pattern_shape(), list("these lines", pattern_shape())];
        either("a line, or several", lines)
    };
    words.map(|word| Row::optional(word, several)).collect()
}

fn pattern_shape() -> Json {
    text(
        "the line; `{name}`, `{name:int}` or `{name:word}` captures a part of it, or repeats what was captured, `{_}` takes any text",
    )
}

fn wanted_shape() -> Json {
    let special = shape_of(WANTED, &wanted_rows(), &Coming::words());
    let says = "a line that has to come, or lines by how they come";
    either(says, [pattern_shape(), special])
}

fn wanted(want: &Wanted, end: LineEnd) -> String {
    let line = |line: &LinePattern| {
        let line = line.to_string();
        line.trim_end_matches(end.before_newline()).to_owned()
    };
    let lines: Vec<_> = want.lines.iter().map(line).collect();
    let lines = match (&lines[..], want.how) {
        ([only], Coming::AnyOf) => return scalar(only),
        ([only], _) => entry(only),
        (all, _) => listed(all),
    };
    format!("{{{}: {lines}}}", want.how.word())
}
