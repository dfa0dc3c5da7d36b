//! The steps of a `game: lines`: `- alice gets: welcome {id}`.

use serde_json::{Value as Json, json};

use super::budget::sent;
use super::sent::Captured;
use super::verbs::{LineStepReader, VERBS, Verb};
use crate::diagnostic::{Faults, suggest, visible};
use crate::scenario::keys::words;
use crate::scenario::{Dialogue, LineAct, LineEnd, LineStep, SendPart, Side};
use crate::yaml::{Entry, Key, Kind, Node, Number, Value, keys};

/// The name under which all participants are meant.
pub(super) const ALL: &str = "all";
/// Maximum nesting of repeats.
const DEEPEST: u32 = 8;
/// The most participants.
const MOST: usize = 64;

/// Returns the shape of the steps.
pub(super) fn steps_shape() -> Json {
    json!({"$ref": "#/definitions/steps"})
}

keys! {
    /// Steps that are repeated.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct RepeatKeys in "a repeat" {
        /// How often
        required "repeat" => times: Option<Number<0, { u64::MAX }>>;
        /// The steps, in order
        required "steps" => steps: Entry as steps_shape;
    }
}

/// Reads names and steps; faults are pushed.
pub(super) fn dialogue(
    participants: Option<&Node>,
    steps: &Node,
    side: Side,
    line_end: LineEnd,
    faults: &Faults,
) -> Option<Dialogue> {
    let before = faults.len();
    let participants = match (participants, side) {
        (Some(node), _) => names(node, side, faults),
        (None, Side::Bot) => vec!["bot".to_owned()],
        (None, Side::Referee) => vec!["first".to_owned(), "second".to_owned()],
    };
    let reader = LineStepReader {
        faults,
        participants: &participants,
        is_sure: faults.len() == before,
        side,
        line_end,
        depth: 0,
        times: 1,
        captured: &Captured::default(),
    };
    let steps = reader.steps(steps)?;
    (faults.len() == before).then_some(Dialogue {
        side,
        participants,
        line_end,
        checks: Vec::new(),
        steps,
    })
}

/// The names of the participants that are sound.
fn names(node: &Node, side: Side, faults: &Faults) -> Vec<String> {
    let is_name =
        |name: &str| !name.is_empty() && !name.contains(char::is_whitespace) && name != ALL;
    let no_name = [
        "lines/participant",
        "cannot be the name of a participant",
        "write one word, such as `alice`; `all` means all of them",
    ];
    let Some(names) = words(node, is_name, no_name, faults) else {
        return Vec::new();
    };
    let (most, title, help) = match side {
        Side::Bot => (
            1,
            "a scenario for a bot has one participant, the bot".to_owned(),
            "write one name, such as `[bot]`",
        ),
        Side::Referee => (
            MOST,
            format!("there are one to {MOST} participants"),
            "write a name for each, such as `[ada, bob]`",
        ),
    };
    if node.value == Value::List(Vec::new()) || names.len() > most {
        faults.refuse("lines/participant", title, node.span, "", help);
    }
    names
}

impl LineStepReader<'_> {
    fn steps(&self, node: &Node) -> Option<Vec<LineStep>> {
        let entries = node.as_list(self.faults)?.iter();
        Some(entries.filter_map(|entry| self.step(entry)).collect())
    }

    fn step(&self, node: &Node) -> Option<LineStep> {
        let entries = node.as_map(self.faults)?;
        if node.has_key("repeat") {
            return self.repeat(node);
        }
        let [(key, value)] = entries else {
            let second = entries.get(1).map(|(key, _)| key.span);
            let place = second.unwrap_or(node.span);
            let (title, help) = (
                "a step is one participant's deed",
                "each deed has a line of its own",
            );
            return self.faults.reject("lines/form", title, place, "", help);
        };
        let (lanes, verb) = self.key(key)?;
        let what = (verb.read)(self, value)?;
        if let LineAct::Does(_) | LineAct::Silence(_) = what
            && lanes.len() > 1
        {
            let help = "write it for each of them";
            return self.faults.reject(
                "lines/all",
                "this is one participant's to do",
                key.span,
                "",
                help,
            );
        }
        let lines = match &what {
            // Its lines were counted.
            LineAct::Does(deed) if deed.parts().iter().any(SendPart::ends_a_line) => 0,
            _ => lanes.len(),
        };
        let span = node.span;
        self.faults.spend(sent(self.times, lines, 0), span)?;
        Some(LineStep { span, lanes, what })
    }

    /// A repeat; nothing, and no fault, where nothing is repeated or never.
    fn repeat(&self, node: &Node) -> Option<LineStep> {
        let keys = RepeatKeys::read(node, self.faults)?;
        let span = node.span;
        if self.depth == DEEPEST {
            return self
                .faults
                .reject("lines/repeat", "repeats are nested too deep", span, "", "");
        }
        let times = keys.times?.0;
        let count = usize::try_from(times).unwrap_or(usize::MAX);
        let inner = LineStepReader {
            depth: self.depth + 1,
            times: self.times.saturating_mul(count),
            ..*self
        };
        let steps = inner.steps(keys.steps.node()?)?;
        (times > 0 && !steps.is_empty()).then_some(LineStep {
            span,
            lanes: Vec::new(),
            what: LineAct::Repeat { times, steps },
        })
    }

    /// `alice gets`: the lanes and the verb.
    fn key(&self, key: &Key) -> Option<(Vec<usize>, &'static Verb)> {
        let words: Vec<&str> = key.text.split_whitespace().collect();
        let [name, word] = words[..] else {
            let help = "write one such as `alice gets`";
            return self.faults.reject(
                "lines/form",
                "a step begins with who and what",
                key.span,
                "",
                help,
            );
        };
        let lanes = match self.participants.iter().position(|known| known == name) {
            Some(lane) => vec![lane],
            None if name == ALL => (0..self.participants.len()).collect(),
            None if !self.is_sure => vec![0],
            None => {
                let known = self.participants.iter().map(String::as_str).chain([ALL]);
                let help = match suggest(name, known) {
                    Some(meant) => format!("write `{meant} {word}`"),
                    None => format!("the participants are {}", self.participants.join(", ")),
                };
                let name = visible::short(name);
                let title = format!("there is no participant `{name}`");
                return self
                    .faults
                    .reject("lines/participant", title, key.span, "", help);
            }
        };
        let mut verbs = VERBS.iter();
        if let Some(verb) = verbs.find(|verb| verb.word(self.side) == word) {
            return Some((lanes, verb));
        }
        let words = VERBS.each_ref().map(|verb| verb.word(self.side));
        let help = match suggest(word, words) {
            Some(meant) => format!("write `{name} {meant}`"),
            None => format!("what is done is one of {}", words.join(", ")),
        };
        let title = format!("nobody can do `{}`", visible::short(word));
        self.faults.reject("lines/verb", title, key.span, "", help)
    }
}
