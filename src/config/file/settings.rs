//! Keys that the command line sets: they are read as those of the file are.

use std::path::Path;

use super::kinds::{Form, Reader};
use super::subject::{self, SubjectKeys};
use crate::config::Subject;
use crate::diagnostic::{Diagnostics, Faults, Source, Span};
use crate::yaml::{self, Key, Kind, Node, Value, Written};

/// A key of a subject and its value as YAML. A dot leads to a key below another.
pub type Setting<'a> = (&'a str, String);

/// Reads the subject of that name that these keys describe, and reports what is wrong with them. A command runs in the current folder, unless
/// a key says otherwise.
#[must_use]
pub fn described(name: &str, settings: &[Setting<'_>]) -> (Option<Subject>, Diagnostics) {
    let (span, text) = (Span::default(), name.to_owned());
    let value = Value::Map(Vec::new());
    let described = (Key { span, text }, Node { span, value });
    let here = std::env::current_dir().unwrap_or_default();
    let source = Source::new("command line", "");
    read(&source, described, &here, settings, Form::CommandLine)
}

/// Reads a subject with the keys that are set, each as a line after the text of the source.
pub(super) fn read(
    source: &Source,
    (mut key, mut node): (Key, Node),
    here: &Path,
    settings: &[Setting<'_>],
    form: Form,
) -> (Option<Subject>, Diagnostics) {
    let mut text = source.text().unwrap_or_default().to_owned();
    let mut spans = Vec::new();
    for (path, value) in settings {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let start = text.len();
        text += &line(&node, path, value);
        spans.push(Span::new(start, text.len()));
    }
    let source = Source::new(source.name(), text);
    let faults = Faults::new(&source);
    for &span in &spans {
        if let Some(set) = yaml::parse_value(span, &faults) {
            merge(&mut node, set);
        }
    }
    if let (Form::CommandLine, Some(last)) = (form, spans.last()) {
        key.span = *last;
    }
    let is_sound = !faults.has_errors();
    let keys = is_sound
        .then(|| Written::<SubjectKeys>::read(&node, &faults))
        .flatten();
    let reader = Reader {
        here,
        form,
        starts: false,
        faults: &faults,
    };
    let subject = keys.and_then(|keys| subject::subject(&key, keys, reader));
    let subject = subject.filter(|_| !faults.has_errors());
    (subject, faults.into_diagnostics())
}

/// The setting as a line of the file. The name of a parameter sets its value, which is a text.
fn line(subject: &Node, path: &str, value: &str) -> String {
    let mut names: Vec<_> = path.split('.').collect();
    let parameter = |name| subject.entry("parameters")?.1.entry(name);
    if names.len() == 1 && parameter(names[0]).is_some() {
        names.insert(0, "parameters");
    }
    let mut value = value.to_owned();
    if let ["parameters", name] = names[..] {
        value = yaml::entry(&value);
        if parameter(name).is_some_and(|(_, node)| matches!(node.value, Value::Map(_))) {
            names.push("value");
        }
    }
    let below = names.drain(1..).rev();
    let value = below.fold(value, |value, name| format!("{{{name}: {value}}}"));
    format!("{}: {value}", names[0])
}

/// Sets the keys of a mapping, and leaves its others.
fn merge(node: &mut Node, set: Node) {
    let Node { span, value } = set;
    let (Value::Map(entries), Value::Map(set)) = (&mut node.value, &value) else {
        *node = Node { span, value };
        return;
    };
    for (key, value) in set {
        match entries.iter_mut().find(|(known, _)| known.text == key.text) {
            Some((_, known)) => merge(known, value.clone()),
            None => entries.push((key.clone(), value.clone())),
        }
    }
}
