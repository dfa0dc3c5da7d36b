//! Start of a subject, as its part of the file describes it.

use std::path::Path;
use std::time::Duration;

use super::keys::{
    fault, is_null, list, mapping, pattern, quoted, text, variable, word, word_in_list,
};
use crate::config::{
    Folder, Kind, Limits, Parameter, Program, Template, Word, parse_bytes, placeholders,
};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::yaml::{MapReader, Node, Scalar, Value};

/// The place that describes a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In a file: where no key says so, it runs in an empty folder.
    File,
    /// On the command line: it runs in the current folder.
    CommandLine,
}

/// The word for an empty folder. A folder of that name is `./empty`.
const EMPTY: &str = "empty";

/// The keys that only a subject has that urtext starts.
#[derive(Debug, Default)]
pub(super) struct Keys<'n> {
    command: Option<&'n Node>,
    folder: Option<&'n Node>,
    environment: Option<&'n Node>,
    ready: Option<&'n Node>,
    limits: Option<&'n Node>,
    parameters: Option<&'n Node>,
}

impl<'n> Keys<'n> {
    pub(super) fn ask(keys: &mut MapReader<'n, '_>) -> Keys<'n> {
        Keys {
            command: keys.optional("command"),
            folder: keys.optional("folder"),
            environment: keys.optional("environment"),
            ready: keys.optional("ready"),
            limits: keys.optional("limits"),
            parameters: keys.optional("parameters"),
        }
    }

    /// Returns the span of the `ready` line.
    pub(super) fn ready_span(&self) -> Option<Span> {
        self.ready.map(|node| node.span)
    }

    /// The program with its parameters; nothing where there is no command, and what only a command needs is a fault then.
    pub(super) fn read(
        &self,
        here: &Path,
        form: Form,
        faults: &Faults<'_>,
    ) -> Option<(Program, Vec<Parameter>)> {
        let Some(command) = self.command else {
            let others = [
                ("folder", self.folder),
                ("environment", self.environment),
                ("ready", self.ready),
                ("limits", self.limits),
                ("parameters", self.parameters),
            ];
            for (key, node) in others {
                if let Some(node) = node {
                    let title = format!(
                        "`{key}` is for a subject that urtext starts, and there is no `command`"
                    );
                    faults.push(fault(faults, "config/command", node.span, title));
                }
            }
            return None;
        };
        let parameters = parameters(self.parameters, faults);
        let own: Vec<_> = parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        let (folder, words) = (
            self.folder(here, form, faults),
            self.words(command, &own, faults),
        );
        let mut program = Program {
            command: Template::of(words),
            environment: self.environment(&own, faults),
            folder,
            here: here.to_owned(),
            limits: limits(self.limits, faults),
            ready: self.ready.and_then(|node| pattern(node, faults)),
        };
        self.resolve(command, &mut program, faults);
        for parameter in &parameters {
            if !program.takes(&parameter.name) {
                let title = format!(
                    "the parameter `{0}` fills no place: nothing says {{{0}}}",
                    parameter.name
                );
                let span = self.parameters.map(|node| node.span).unwrap_or_default();
                faults.push(fault(faults, "config/parameter", span, title));
            }
        }
        Some((program, parameters))
    }

    fn words(&self, command: &Node, own: &[&str], faults: &Faults<'_>) -> Vec<Word> {
        if let Value::Scalar(Scalar { text, .. }) = &command.value {
            let fault = fault(
                faults,
                "config/command",
                command.span,
                "a command is a list of words",
            );
            let words = shell_words::split(text)
                .ok()
                .filter(|words| !words.is_empty());
            let words = words.map(|words| {
                words
                    .iter()
                    .map(|word| quoted(word))
                    .collect::<Vec<_>>()
                    .join(", ")
            });
            faults.push(match words {
                Some(words) => fault.help(format!("there is no shell; write `command: [{words}]`")),
                None => fault.help(
                    "there is no shell; write each word in a list, such as `command: [python3, mybot.py]`",
                ),
            });
            return Vec::new();
        }
        let words = list(Some(command), faults, |node| {
            word_in_list(node, own, faults)
        });
        if matches!(&command.value, Value::List(nodes) if nodes.is_empty()) {
            faults.push(fault(
                faults,
                "config/command",
                command.span,
                "the command has no words",
            ));
        }
        words
    }

    /// A program with a path that is not absolute stands in the folder of the file.
    fn resolve(&self, command: &Node, program: &mut Program, faults: &Faults<'_>) {
        let Value::List(nodes) = &command.value else {
            return;
        };
        if nodes.is_empty() {
            return;
        }
        let source = faults.source();
        // From the current folder, it is found as it is written.
        if program.folder != Folder::Current {
            program.locate();
        }
        if program.folder != Folder::Clean {
            return;
        }
        for node in &nodes[1..] {
            let Value::Scalar(Scalar { text, .. }) = &node.value else {
                continue;
            };
            if program.misses(text) {
                let title = "this file is not found from the empty folder that the subject runs in";
                let fault = Diagnostic::warning("config/file", title).at(source, node.span, "");
                faults.push(fault.help(format!("write `{{here}}/{text}`, or say `folder: .`")));
            }
        }
    }

    fn folder(&self, here: &Path, form: Form, faults: &Faults<'_>) -> Folder {
        let text = match self.folder {
            Some(node) => node.as_line(faults).map(|text| (node, text)),
            None if form == Form::CommandLine => return Folder::Current,
            None => None,
        };
        let Some((node, text)) = text.filter(|(_, text)| *text != EMPTY) else {
            return Folder::Clean;
        };
        let path = here.join(text);
        if !path.is_dir() {
            let title = format!("there is no folder `{text}` beside the file");
            faults.push(fault(faults, "config/folder", node.span, title));
        }
        Folder::At(path)
    }

    fn environment(&self, own: &[&str], faults: &Faults<'_>) -> Vec<(String, Option<Word>)> {
        let entries = self
            .environment
            .and_then(|node| node.as_map(faults))
            .unwrap_or_default();
        let read = |(key, node): &(crate::yaml::Key, Node)| {
            let name = variable(&key.text, key.span, faults)?;
            if is_null(node) {
                return Some((name, None));
            }
            Some((name, Some(word(node, own, faults)?)))
        };
        entries.iter().filter_map(read).collect()
    }
}

fn limits(node: Option<&Node>, faults: &Faults<'_>) -> Limits {
    let Some(mut keys) = mapping(node, "limits", faults) else {
        return Limits::default();
    };
    let (memory, cpu, open_files) = (
        keys.optional("memory"),
        keys.optional("cpu"),
        keys.optional("open-files"),
    );
    keys.finish();
    Limits {
        memory: memory.and_then(|node| {
            let bytes = parse_bytes(node.as_line(faults)?).filter(|&bytes| bytes > 0);
            if bytes.is_none() {
                let fault = fault(
                    faults,
                    "config/memory",
                    node.span,
                    "a number of bytes is due here",
                );
                faults.push(fault.help("write a number and a unit, such as `512MiB`"));
            }
            bytes
        }),
        cpu: cpu.and_then(|node| {
            let time = node.as_duration(faults)?;
            if time < Duration::from_secs(1) || time.subsec_nanos() > 0 {
                faults.push(fault(
                    faults,
                    "config/cpu",
                    node.span,
                    "whole seconds are due here, at least one",
                ));
                return None;
            }
            Some(time)
        }),
        open_files: open_files.and_then(|node| {
            let files = node.as_u64(faults)?;
            if files < 4 {
                let title = "a program needs at least 4 open files: its three streams and one more";
                faults.push(fault(faults, "config/open-files", node.span, title));
                return None;
            }
            Some(files)
        }),
    }
}

fn parameters(node: Option<&Node>, faults: &Faults<'_>) -> Vec<Parameter> {
    let entries = node
        .and_then(|node| node.as_map(faults))
        .unwrap_or_default();
    let mut parameters = Vec::new();
    for (key, node) in entries {
        let name = key.text.clone();
        let is_known = placeholders().any(|(known, _)| known == name);
        if is_known
            || name.is_empty()
            || !name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        {
            let title = match is_known {
                true => format!("{{{name}}} has a meaning already"),
                false => "the name of a parameter is made of small letters and `_`".to_owned(),
            };
            faults.push(fault(faults, "config/parameter", key.span, title));
            continue;
        }
        parameters.extend(parameter(name, node, faults));
    }
    parameters
}

fn parameter(name: String, node: &Node, faults: &Faults<'_>) -> Option<Parameter> {
    if !matches!(node.value, Value::Map(_)) {
        return Some(Parameter {
            name,
            kind: Kind::Text,
            value: Some(text(node, faults)?.to_owned()),
        });
    }
    let mut keys = MapReader::new(node, "a parameter", faults)?;
    let (kind, value) = (keys.required("type"), keys.optional("value"));
    keys.finish();
    let kind = kind?;
    let kind = match &kind.value {
        Value::List(words) => {
            let words = words
                .iter()
                .filter_map(|word| word.as_line(faults).map(str::to_owned));
            Kind::OneOf(words.collect())
        }
        _ => match kind.as_one_of(&["text", "number", "duration", "boolean"], faults)? {
            "number" => Kind::Number,
            "duration" => Kind::Duration,
            "boolean" => Kind::Truth,
            _ => Kind::Text,
        },
    };
    let value = value.and_then(|node| {
        let read = kind.read(node.as_line(faults)?);
        if read.is_none() {
            let title = format!("{} is due here", kind.due());
            faults.push(fault(faults, "config/parameter", node.span, title));
        }
        read
    });
    Some(Parameter { name, kind, value })
}
