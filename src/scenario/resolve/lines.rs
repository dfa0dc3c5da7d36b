//! The steps of a `game: lines`: `- alice gets: welcome {id}`.

use std::sync::Arc;
use std::time::Duration;

use super::budget::{Budget, Work};
use super::send_parts;
use crate::diagnostic::{Diagnostic, Faults, Span, suggest, visible};
use crate::scenario::{
    Coming, Dialogue, LineDeed, LineEnd, LinePattern, LineStep, SendPart, Side, Wanted,
};
use crate::transcript::Close;
use crate::yaml::braces::BraceProblem;
use crate::yaml::{Key, MapReader, Node, Value, Words};

/// The name under which all participants are meant.
const ALL: &str = "all";
/// Verbs of a step; a participant's name and a verb are the step's key.
pub(in crate::scenario) const VERBS: [&str; 6] =
    ["gets", "sends", "sees", "leaves", "waits", "reads"];
/// Maximum nesting of repeats.
const DEEPEST: u32 = 8;
/// The most participants.
const MOST: usize = 64;
/// The longest wait, and the longest pause.
const LONGEST: Duration = Duration::from_secs(3600);

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
        steps,
    })
}

fn names(node: &Node, side: Side, faults: &Faults<'_>) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let before = faults.len();
    for entry in node.as_list(faults)? {
        let Some(name) = entry.as_line(faults) else {
            continue;
        };
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace) && name != ALL;
        let title = match (is_name, names.iter().any(|known| known == name)) {
            (true, false) => {
                names.push(name.to_owned());
                continue;
            }
            (false, _) => {
                format!(
                    "`{}` cannot be the name of a participant",
                    visible::plain(name).at_most(40)
                )
            }
            (true, true) => format!("`{name}` stands here twice"),
        };
        faults.refuse(
            "lines/participant",
            title,
            entry.span,
            "",
            "write one word, such as `alice`; `all` means all of them",
        );
    }
    let most = if side == Side::Bot { 1 } else { MOST };
    if names.is_empty() || names.len() > most {
        let title = match side {
            Side::Bot => "a scenario for a bot has one participant, the bot".to_owned(),
            Side::Referee => format!("there are one to {MOST} participants"),
        };
        faults.push(Diagnostic::error("lines/participant", title).at(
            faults.source(),
            node.span,
            "",
        ));
    }
    (faults.len() == before).then_some(names)
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
            let place = entries
                .get(1)
                .map_or(self.faults.source().first_line(node.span), |(key, _)| {
                    key.span
                });
            self.fault(
                "lines/form",
                "a step is one participant's deed",
                place,
                "each deed has a line of its own",
            );
            return None;
        };
        let (lanes, verb) = self.key(key)?;
        let what = self.action(&lanes, verb, key, value)?;
        let lines = match &what {
            LineDeed::Expect { lanes, .. } | LineDeed::ExpectEnd { lanes, .. } => lanes.len(),
            // Its lines were counted.
            LineDeed::Write { parts, .. } if parts.iter().any(SendPart::ends_a_line) => 0,
            _ => 1,
        };
        let work = Work::Sent {
            times: self.times,
            lines,
            bytes: 0,
        };
        let span = node.span;
        let is_paid = self.budget.spend(work, self.faults.source(), span);
        is_paid.then_some(LineStep { span, what })
    }

    /// A repeat; nothing, and no fault, where nothing is repeated or never.
    fn repeat(&self, node: &Node) -> Option<LineStep> {
        let mut keys = MapReader::new(node, "a repeat", self.faults)?;
        let (times, steps) = (keys.required("repeat"), keys.required("steps"));
        keys.finish();
        if self.depth == DEEPEST {
            self.fault("lines/repeat", "repeats are nested too deep", node.span, "");
            return None;
        }
        let times = times?.as_u64(self.faults)?;
        let inner = Reader {
            depth: self.depth + 1,
            times: self
                .times
                .saturating_mul(usize::try_from(times).unwrap_or(usize::MAX)),
            ..*self
        };
        let steps = inner.steps(steps?)?;
        if times == 0 || steps.is_empty() {
            return None;
        }
        Some(LineStep {
            span: node.span,
            what: LineDeed::Repeat { times, steps },
        })
    }

    /// `alice gets`: the lanes and the verb.
    fn key(&self, key: &Key) -> Option<(Vec<usize>, &'static str)> {
        let mut words = key.text.split_whitespace();
        let (Some(name), Some(verb), None) = (words.next(), words.next(), words.next()) else {
            self.fault(
                "lines/form",
                "a step begins with who and what",
                key.span,
                "write one such as `alice gets`",
            );
            return None;
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
                let title = format!(
                    "there is no participant `{}`",
                    visible::plain(name).at_most(40)
                );
                self.fault("lines/participant", &title, key.span, &help);
                return None;
            }
        };
        match VERBS.iter().find(|known| **known == verb) {
            Some(verb) => Some((lanes, verb)),
            None => {
                let help = match suggest(verb, VERBS) {
                    Some(meant) => format!("write `{name} {meant}`"),
                    None => format!("what is done is one of {}", VERBS.join(", ")),
                };
                let title = format!("nobody can do `{}`", visible::plain(verb).at_most(40));
                self.fault("lines/verb", &title, key.span, &help);
                None
            }
        }
    }

    fn action(&self, lanes: &[usize], verb: &str, key: &Key, value: &Node) -> Option<LineDeed> {
        let subject_speaks = match self.side {
            Side::Referee => verb == "gets",
            Side::Bot => verb == "sends",
        };
        match verb {
            "gets" | "sends" if subject_speaks => Some(LineDeed::Expect {
                lanes: lanes.to_vec(),
                want: self.wanted(value)?,
            }),
            "gets" | "sends" => {
                let lane = self.one(lanes, key)?;
                Some(LineDeed::Write {
                    lane,
                    parts: self.parts(value)?,
                })
            }
            "sees" => {
                let how =
                    match value.as_one_of(&["end", "end by close", "end by reset"], self.faults)? {
                        "end by close" => Some(Close::End),
                        "end by reset" => Some(Close::Reset),
                        _ => None,
                    };
                Some(LineDeed::ExpectEnd {
                    lanes: lanes.to_vec(),
                    how,
                })
            }
            "leaves" => {
                let how = send_parts::leaving(value, self.faults)?;
                Some(LineDeed::Leave {
                    lane: self.one(lanes, key)?,
                    how,
                })
            }
            "waits" => {
                let time = send_parts::time(value, LONGEST, self.faults)?;
                Some(LineDeed::Quiet {
                    lane: self.one(lanes, key)?,
                    time,
                })
            }
            _ => {
                let lane = self.one(lanes, key)?;
                let pace = match &value.value {
                    Value::Scalar(scalar) if scalar.text == "nothing" => Some(0),
                    Value::Scalar(scalar) if scalar.text == "everything" => None,
                    _ => {
                        let mut keys = MapReader::new(value, "a way to read", self.faults)?;
                        let pace = keys.required("bytes a second");
                        keys.finish();
                        Some(pace?.as_u64(self.faults)?)
                    }
                };
                Some(LineDeed::Read { lane, pace })
            }
        }
    }

    fn one(&self, lanes: &[usize], key: &Key) -> Option<usize> {
        if let [lane] = lanes {
            return Some(*lane);
        }
        self.fault(
            "lines/all",
            "this is one participant's to do",
            key.span,
            "write it for each of them",
        );
        None
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
            self.fault("lines/pattern", title, value.span, "write one at least");
        }
        // All of them, whatever is wrong with the first.
        let lines: Vec<_> = nodes.iter().map(|node| self.pattern(node)).collect();
        let lines = lines.into_iter().collect::<Option<_>>()?;
        Some(Arc::new(Wanted { how, lines }))
    }

    fn pattern(&self, node: &Node) -> Option<LinePattern> {
        let line = node.as_line(self.faults)?.to_owned();
        let pattern = LinePattern::parse(&(line + self.line_end.before_newline()));
        let refuse =
            |problem: BraceProblem| problem.refuse("lines/pattern", node.span, self.faults);
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

    fn fault(&self, code: &'static str, title: &str, span: Span, help: &str) {
        let fault = Diagnostic::error(code, title).at(self.faults.source(), span, "");
        self.faults.push(if help.is_empty() {
            fault
        } else {
            fault.help(help)
        });
    }
}
