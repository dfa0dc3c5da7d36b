//! A mapping read key by key; what is left at the end is unknown.

use super::node::{Key, Node};
use super::short;
use crate::diagnostic::{Diagnostic, Faults, Span, suggest};

/// Reads the known keys of a mapping, and then tells which keys are missing and which nobody asked for.
///
/// Ask for all keys, call [`MapReader::finish`], and only then look into the values: whoever gives up over a value
/// before that leaves faults unsaid.
#[must_use = "unknown and missing keys are reported by `finish` alone"]
pub struct MapReader<'n, 'f> {
    faults: &'f Faults<'f>,
    what: &'f str,
    span: Span,
    entries: &'n [(Key, Node)],
    /// The keys that were asked for; true for those that are there.
    asked: Vec<(String, bool)>,
    /// The missing keys, as groups of which one key is enough.
    missing: Vec<Vec<String>>,
    /// What may be written where a key is missing.
    examples: Vec<(&'static str, Option<&'static str>)>,
}

impl<'n, 'f> MapReader<'n, 'f> {
    /// A reader of the mapping in `node`; of any other node nothing, and `yaml/expected-mapping` is pushed.
    ///
    /// `what` is what the mapping describes, with its article: `a scenario`, `a turn`.
    pub fn new(node: &'n Node, what: &'f str, faults: &'f Faults<'f>) -> Option<MapReader<'n, 'f>> {
        let entries = node.as_map(faults)?;
        Some(MapReader {
            faults,
            what,
            span: node.span,
            entries,
            asked: Vec::new(),
            missing: Vec::new(),
            examples: Vec::new(),
        })
    }

    /// The value of a key that has to be there; where it is not, `finish` reports `yaml/missing-key`.
    pub fn required(&mut self, key: &str) -> Option<&'n Node> {
        self.one_of(&[key]).map(|(_, node)| node)
    }

    /// The same, with a value that is written where the key is missing.
    pub fn required_such_as(
        &mut self,
        key: &'static str,
        example: Option<&'static str>,
    ) -> Option<&'n Node> {
        self.examples.push((key, example));
        self.required(key)
    }

    /// The value of a key that may be there.
    pub fn optional(&mut self, key: &str) -> Option<&'n Node> {
        self.entry(key).map(|(_, node)| node)
    }

    /// An entry that may be there, its key included.
    pub fn entry(&mut self, key: &str) -> Option<&'n (Key, Node)> {
        let found = self.entries.iter().find(|(written, _)| written.text == key);
        if !self.asked.iter().any(|(asked, _)| asked == key) {
            self.asked.push((key.to_owned(), found.is_some()));
        }
        found
    }

    /// The entry of the one key of several that has to be there.
    ///
    /// None of them is `yaml/missing-key`, and more than one `yaml/too-many-keys`; then the first one written counts.
    pub fn one_of(&mut self, keys: &[&str]) -> Option<&'n (Key, Node)> {
        let mut found: Vec<&'n (Key, Node)> =
            keys.iter().filter_map(|key| self.entry(key)).collect();
        found.sort_by_key(|(key, _)| key.span);
        let Some((first, others)) = found.split_first() else {
            self.missing
                .push(keys.iter().map(|key| (*key).to_owned()).collect());
            return None;
        };
        let source = self.faults.source();
        for (key, _) in others {
            let title = format!("{} takes only one of the keys {}", self.what, listed(keys));
            let fault =
                Diagnostic::error("yaml/too-many-keys", title).at(source, key.span, "one too many");
            self.faults
                .push(fault.context(source, first.0.span, "one is here already"));
        }
        Some(*first)
    }

    /// Reports the required keys that are missing, and the keys that nobody asked for.
    ///
    /// A key that looks like a slip for a missing one is reported as that, and the missing one not once more.
    pub fn finish(self) {
        let mut meant: Vec<&str> = Vec::new();
        let unknown = self
            .entries
            .iter()
            .filter(|(key, _)| !self.asked.iter().any(|(asked, _)| *asked == key.text));
        for (key, _) in unknown {
            let title = format!("there is no key `{}` in {}", short(&key.text), self.what);
            let fault = Diagnostic::error("yaml/unknown-key", title).at(
                self.faults.source(),
                key.span,
                "not known here",
            );
            if self.faults.is_full() {
                self.faults.push(fault);
                continue;
            }
            let asked = |is_there: bool| {
                let asked = self.asked.iter().filter(move |asked| asked.1 == is_there);
                asked.map(|(asked, _)| asked.as_str())
            };
            self.faults
                .push(if let Some(near) = suggest(&key.text, asked(false)) {
                    meant.push(near);
                    fault.help(format!("write `{near}`"))
                } else if let Some(near) = suggest(&key.text, asked(true)) {
                    fault.help(format!("remove it: the key `{near}` is there already"))
                } else {
                    let known: Vec<&str> =
                        self.asked.iter().map(|(asked, _)| asked.as_str()).collect();
                    let known = listed(&known);
                    fault.help(format!("the keys of {} are {known}", self.what))
                });
        }
        for keys in self
            .missing
            .iter()
            .filter(|keys| !keys.iter().any(|key| meant.contains(&key.as_str())))
        {
            let title = match keys.as_slice() {
                [key] => format!("{} needs the key `{key}`", self.what),
                keys => format!("{} needs one of the keys {}", self.what, listed(keys)),
            };
            let source = self.faults.source();
            let fault = Diagnostic::error("yaml/missing-key", title);
            let fault = fault.at(source, self.span, "not in this mapping");
            let examples = self.examples.iter();
            let examples = examples.filter(|(key, _)| keys.iter().any(|missing| missing == key));
            let helps = examples
                .filter_map(|(key, example)| Some(format!("write `{key}: {}`", (*example)?)));
            self.faults.push(helps.fold(fault, Diagnostic::help));
        }
    }
}

fn listed<K: AsRef<str>>(keys: &[K]) -> String {
    let keys: Vec<String> = keys
        .iter()
        .map(|key| format!("`{}`", key.as_ref()))
        .collect();
    keys.join(", ")
}
