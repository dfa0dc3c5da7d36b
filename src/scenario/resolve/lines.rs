//! The steps of a `game: lines`: `- alice gets: welcome {id}`.

use std::sync::Arc;
use std::time::Duration;

use super::budget::{Budget, Work};
use super::forms::{Argument, Doer, Hole};
use super::send_parts;
use crate::diagnostic::{Diagnostic, Faults, Problem, Span, suggest, visible};
use crate::scenario::{
    Coming, Dialogue, LineAct, LineEnd, LinePattern, LineStep, SendPart, Side, Wanted,
};
use crate::transcript::Close;
use crate::yaml::{Key, Kind, MapReader, Node, Value, Words};

/// The name under which all participants are meant.
const ALL: &str = "all";
/// Verbs of what has to come, which is no deed of urtext's participant. A participant's name and a verb are the key of a step.
pub(in crate::scenario) const DUE: [&str; 3] = ["gets", "sees", "waits"];
/// Maximum nesting of repeats.
const DEEPEST: u32 = 8;
/// The most participants.
const MOST: usize = 64;
/// The longest wait, and the longest pause.
const LONGEST: Duration = Duration::from_secs(3600);

/// The verb for a side of what is called so where a referee is under test: what a bot gets urtext sends, and the other way round.
pub(in crate::scenario) fn by_side(verb: &str, side: Side) -> &str {
    match (verb, side) {
        ("gets", Side::Bot) => "sends",
        ("sends", Side::Bot) => "gets",
        _ => verb,
    }
}

/// Reads names and steps; faults are pushed.
pub(super) fn dialogue(
    participants: Option<&Node>,
    steps: &Node,
    side: Side,
    line_end: LineEnd,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Option<Dialogue> {
    let participants = match (participants, side) {
        (Some(node), _) => names(node, side, faults)?,
        (None, Side::Bot) => vec!["bot".to_owned()],
        (None, Side::Referee) => vec!["first".to_owned(), "second".to_owned()],
    };
    let reader = Reader {
        participants: &participants,
        side,
        line_end,
        depth: 0,
        times: 1,
        budget,
        faults,
    };
    let before = faults.len();
    let steps = reader.steps(steps)?;
    if faults.len() > before {
        return None;
    }
    Some(Dialogue {
        side,
        participants,
        line_end,
        checks: Vec::new(),
        steps,
    })
}

fn names(node: &Node, side: Side, faults: &Faults<'_>) -> Option<Vec<String>> {
    let refuse = |title: String, span: Span, help: &str| {
        faults.refuse("lines/participant", title, span, "", help);
    };
    let help = "write one word, such as `alice`; `all` means all of them";
    let mut names: Vec<String> = Vec::new();
    let before = faults.len();
    for entry in node.as_list(faults)? {
        let Some(name) = entry.as_line(faults) else {
            continue;
        };
        let shown = visible::plain(name).at_most(40);
        if name.is_empty() || name.contains(char::is_whitespace) || name == ALL {
            let title = format!("`{shown}` cannot be the name of a participant");
            refuse(title, entry.span, help);
        } else if names.iter().any(|known| known == name) {
            refuse(format!("`{shown}` stands here twice"), entry.span, help);
        } else {
            names.push(name.to_owned());
        }
    }
    let (most, title) = match side {
        Side::Bot => (
            1,
            "a scenario for a bot has one participant, the bot".to_owned(),
        ),
        Side::Referee => (MOST, format!("there are one to {MOST} participants")),
    };
    if names.is_empty() || names.len() > most {
        refuse(title, node.span, &format!("write one to {most} names"));
    }
    (faults.len() == before).then_some(names)
}

/// The words for the end of a stream, and the kind of close that has to be its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) struct End(pub(in crate::scenario) Option<Close>);

impl Words for End {
    const WORDS: &'static [(&'static str, End)] = &[
        ("end", End(None)),
        ("end by close", End(Some(Close::End))),
        ("end by reset", End(Some(Close::Reset))),
    ];
}

/// The words for how a participant reads, with the bytes a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) struct Reading(pub(in crate::scenario) Option<u64>);

impl Words for Reading {
    const WORDS: &'static [(&'static str, Reading)] =
        &[("nothing", Reading(Some(0))), ("everything", Reading(None))];
}

struct Reader<'r, 'f> {
    participants: &'r [String],
    side: Side,
    line_end: LineEnd,
    /// The number of repeats around the steps.
    depth: u32,
    /// The number of times that the steps are played.
    times: usize,
    budget: &'r Budget,
    faults: &'r Faults<'f>,
}

impl Reader<'_, '_> {
    fn steps(&self, node: &Node) -> Option<Vec<LineStep>> {
        let entries = node.as_list(self.faults)?.iter();
        Some(entries.filter_map(|entry| self.step(entry)).collect())
    }

    fn step(&self, node: &Node) -> Option<LineStep> {
        let entries = node.as_map(self.faults)?;
        if entries.iter().any(|(key, _)| key.text == "repeat") {
            return self.repeat(node);
        }
        let [(key, value)] = entries else {
            let second = entries.get(1).map(|(key, _)| key.span);
            let place = second.unwrap_or(self.faults.source().first_line(node.span));
            let title = "a step is one participant's deed";
            let help = "each deed has a line of its own";
            return self.refuse("lines/form", title, place, help);
        };
        let (lanes, verb) = self.key(key)?;
        let what = self.act(&verb, value)?;
        if let LineAct::Does(_) | LineAct::Silence(_) = what
            && lanes.len() > 1
        {
            let title = "this is one participant's to do";
            let help = "write it for each of them";
            return self.refuse("lines/all", title, key.span, help);
        }
        let lines = match &what {
            // Its lines were counted.
            LineAct::Does(deed) if deed.parts().iter().any(SendPart::ends_a_line) => 0,
            _ => lanes.len(),
        };
        let work = Work::Sent {
            times: self.times,
            lines,
            bytes: 0,
        };
        let span = node.span;
        let is_paid = self.budget.spend(work, self.faults.source(), span);
        is_paid.then_some(LineStep { span, lanes, what })
    }

    /// A repeat; nothing, and no fault, where nothing is repeated or never.
    fn repeat(&self, node: &Node) -> Option<LineStep> {
        let mut keys = MapReader::new(node, "a repeat", self.faults)?;
        let (times, steps) = (keys.required("repeat"), keys.required("steps"));
        keys.finish();
        if self.depth == DEEPEST {
            let title = "repeats are nested too deep";
            return self.refuse("lines/repeat", title, node.span, "");
        }
        let times = times?.as_u64(self.faults)?;
        let count = usize::try_from(times).unwrap_or(usize::MAX);
        let inner = Reader {
            depth: self.depth + 1,
            times: self.times.saturating_mul(count),
            ..*self
        };
        let steps = inner.steps(steps?)?;
        if times == 0 || steps.is_empty() {
            return None;
        }
        Some(LineStep {
            span: node.span,
            lanes: Vec::new(),
            what: LineAct::Repeat { times, steps },
        })
    }

    /// `alice gets`: the lanes and the verb, as where a referee is under test.
    fn key(&self, key: &Key) -> Option<(Vec<usize>, String)> {
        let mut words = key.text.split_whitespace();
        let (Some(name), Some(verb), None) = (words.next(), words.next(), words.next()) else {
            let title = "a step begins with who and what";
            let help = "write one such as `alice gets`";
            return self.refuse("lines/form", title, key.span, help);
        };
        let lanes = match self.participants.iter().position(|known| known == name) {
            Some(lane) => vec![lane],
            None if name == ALL => (0..self.participants.len()).collect(),
            None => {
                let known = self.participants.iter().map(String::as_str).chain([ALL]);
                let help = match suggest(name, known) {
                    Some(meant) => format!("write `{meant} {verb}`"),
                    None => format!("the participants are {}", self.participants.join(", ")),
                };
                let name = visible::plain(name).at_most(40);
                let title = format!("there is no participant `{name}`");
                return self.refuse("lines/participant", &title, key.span, &help);
            }
        };
        let deeds = Doer::Participant.forms().map(|form| form.words_from(0));
        let verbs: Vec<String> = deeds.chain(DUE.map(str::to_owned)).collect();
        if let Some(known) = verbs.iter().find(|known| *known == verb) {
            return Some((lanes, by_side(known, self.side).to_owned()));
        }
        let help = match suggest(verb, verbs.iter().map(String::as_str)) {
            Some(meant) => format!("write `{name} {meant}`"),
            None => format!("what is done is one of {}", verbs.join(", ")),
        };
        let title = format!("nobody can do `{}`", visible::plain(verb).at_most(40));
        self.refuse("lines/verb", &title, key.span, &help)
    }

    fn act(&self, verb: &str, value: &Node) -> Option<LineAct> {
        let act = match verb {
            "gets" => LineAct::Lines(self.wanted(value)?),
            "sees" => LineAct::End(End::read(value, self.faults)?.0),
            "waits" => LineAct::Silence(send_parts::time(value, LONGEST, self.faults)?),
            verb => {
                let form = Doer::Participant.form_of(verb)?;
                let argument = self.argument(form.hole()?, value)?;
                LineAct::Does(form.deed(vec![argument], None)?)
            }
        };
        Some(act)
    }

    fn argument(&self, hole: Hole, value: &Node) -> Option<Argument> {
        match hole {
            Hole::Pieces => self.parts(value).map(Argument::Pieces),
            Hole::How => send_parts::leaving(value, self.faults).map(Argument::How),
            Hole::Pace => {
                let word = match &value.value {
                    Value::Scalar(scalar) => Reading::of(&scalar.text),
                    _ => None,
                };
                if let Some(Reading(pace)) = word {
                    return Some(Argument::Pace(pace));
                }
                let mut keys = MapReader::new(value, "a way to read", self.faults)?;
                let pace = keys.required("bytes a second");
                keys.finish();
                Some(Argument::Pace(Some(pace?.as_u64(self.faults)?)))
            }
            _ => None,
        }
    }

    fn wanted(&self, value: &Node) -> Option<Arc<Wanted>> {
        let (how, value) = match &value.value {
            Value::Map(_) => {
                let mut keys = MapReader::new(value, "a line that has to come", self.faults)?;
                let found = keys.one_of(&Coming::words());
                keys.finish();
                let (key, value) = found?;
                (Some(Coming::of(&key.text)?), value)
            }
            _ => (None, value),
        };
        let nodes = match &value.value {
            Value::List(nodes) if how.is_some() => nodes.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let how = how.unwrap_or(Coming::AnyOf);
        if nodes.is_empty() {
            let title = "there is no line in this list";
            return self.refuse("lines/pattern", title, value.span, "write one at least");
        }
        // All of them, whatever is wrong with the first.
        let lines: Vec<_> = nodes.iter().map(|node| self.pattern(node)).collect();
        let lines = lines.into_iter().collect::<Option<_>>()?;
        Some(Arc::new(Wanted { how, lines }))
    }

    fn pattern(&self, node: &Node) -> Option<LinePattern> {
        let line = node.as_line(self.faults)?.to_owned();
        let pattern = LinePattern::parse(&(line + self.line_end.before_newline()));
        let refuse = |problem: Problem| problem.refuse("lines/pattern", node.span, self.faults);
        pattern.map_err(refuse).ok()
    }

    /// Reads the bytes to send: a line, whose newline is added, or a list of raw pieces.
    fn parts(&self, value: &Node) -> Option<Vec<SendPart>> {
        let Value::List(entries) = &value.value else {
            let line = value.as_line(self.faults)?.to_owned() + self.line_end.before_newline();
            let bytes = (line + "\n").into_bytes();
            send_parts::within(&bytes, self.times, self.budget, value.span, self.faults)?;
            return Some(vec![SendPart::Bytes(bytes)]);
        };
        // All of them, whatever is wrong with the first.
        let part =
            |entry| send_parts::read_plain(entry, LONGEST, self.times, self.budget, self.faults);
        let parts: Vec<_> = entries.iter().map(part).collect();
        parts.into_iter().collect()
    }

    fn refuse<T>(&self, code: &'static str, title: &str, span: Span, help: &str) -> Option<T> {
        let fault = Diagnostic::error(code, title).at(self.faults.source(), span, "");
        self.faults.push(match help {
            "" => fault,
            help => fault.help(help),
        });
        None
    }
}
