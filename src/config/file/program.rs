//! Start of a subject, as its part of the file describes it.

use serde_json::{Value as Json, json};

use super::kinds::{Form, Reader, Text, is_variable, refuse, word};
use super::subject::SubjectKeys;
use crate::config::{Folder, Parameter, ParameterKind, Program, Template, Word, placeholders};
use crate::diagnostic::{Diagnostic, Faults};
use crate::yaml::{At, Kind, Node, Table, Value, keys};

/// The word for an empty folder. A folder of that name is `./empty`.
const EMPTY: &str = "empty";

keys! {
    /// A parameter.
    #[derive(Debug, Clone, Default)]
    pub(super) struct ParameterKeys in "a parameter" or At<Text> {
        /// Its type, or the words that it can be
        required "type" => kind: Option<ParameterKind>;
        /// Its value where a run sets none
        optional "value" => value: Option<At<Text>>;
    }
}

/// The parameters of a subject: a text alone is the value of one that can be any text.
pub(super) type Parameters = Table<ParameterKeys>;

impl From<At<Text>> for ParameterKeys {
    fn from(text: At<Text>) -> ParameterKeys {
        ParameterKeys {
            kind: Some(ParameterKind::Text),
            value: Some(text),
        }
    }
}

impl Kind for ParameterKind {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<ParameterKind> {
        if let Value::List(words) = &node.value {
            let words = words.iter().filter_map(|word| String::read(word, faults));
            return Some(ParameterKind::OneOf(words.collect()));
        }
        let word = node.as_one_of(&ParameterKind::WORDS.map(|(word, _)| word), faults)?;
        let mut words = ParameterKind::WORDS.into_iter();
        words
            .find(|(known, _)| *known == word)
            .map(|(_, kind)| kind)
    }

    fn shape() -> Json {
        let words = ParameterKind::WORDS.map(|(word, _)| word);
        json!({"anyOf": [{"enum": words}, {"type": "array", "items": String::shape()}]})
    }
}

/// Reads the program with its parameters. Without a command there is none, and what only a command needs is refused.
pub(super) fn program(keys: &SubjectKeys, reader: Reader<'_>) -> Option<(Program, Vec<Parameter>)> {
    let faults = reader.faults;
    let Some(command) = &keys.command else {
        let others = [
            ("folder", keys.folder.as_ref().map(|folder| folder.span)),
            ("environment", keys.environment.as_ref().map(|at| at.span)),
            ("ready", keys.ready.as_ref().map(|ready| ready.span)),
            ("limits", keys.limits.map(|limits| limits.span)),
            ("parameters", keys.parameters.as_ref().map(|at| at.span)),
        ];
        for (key, span) in others {
            let title =
                format!("`{key}` is for a subject that urtext starts, and there is no `command`");
            if let Some(span) = span {
                let help = format!("write its `command`, or leave `{key}` out");
                refuse(faults, "config/command", span, title, help);
            }
        }
        return None;
    };
    let parameters = parameters(keys.parameters.as_ref(), faults);
    let own: Vec<_> = parameters.iter().map(|own| own.name.as_str()).collect();
    let words = command.is.0.iter();
    let words = words.filter_map(|at| word(&at.is.0, at.span, Word::parse_in_list, &own, faults));
    let environment = keys.environment.as_ref().map(|at| &at.is.0);
    let environment = environment
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| {
            let is_sound = is_variable(&key.text, key.span, faults);
            let value = match value.as_ref()? {
                Some(text) => Some(word(&text.is.0, text.span, Word::parse, &own, faults)?),
                None => None,
            };
            is_sound.then(|| (key.text.clone(), value))
        });
    let mut program = Program {
        command: Template::of(words.collect()),
        environment: environment.collect(),
        folder: folder(keys.folder.as_ref(), reader),
        here: reader.here.to_owned(),
        limits: keys.limits.map(|limits| limits.is).unwrap_or_default(),
        ready: keys.ready.as_ref().map(|ready| ready.is.clone()),
    };
    // A path stands in the folder of the file; from the current folder, it is found as it is written.
    if program.folder != Folder::Current {
        program.locate();
    }
    if program.folder == Folder::Clean {
        let arguments = command.is.0.iter().skip(1);
        for word in arguments.filter(|word| program.misses(&word.is.0)) {
            let title = "this file is not found from the empty folder that the subject runs in";
            let fault =
                Diagnostic::warning("config/file", title).at(faults.source(), word.span, "");
            let help = format!("write `{{here}}/{}`, or say `folder: .`", word.is.0);
            faults.push(fault.help(help));
        }
    }
    if let (true, Some((name, reason))) = (reader.starts, program.missing()) {
        let word = command.is.0.first().map_or(command.span, |word| word.span);
        let title = format!("this program cannot be started: {reason}");
        let help = match name.contains('/') {
            true => "a path is taken from the folder of this file",
            false => "a name without `/` is looked for along PATH",
        };
        refuse(faults, "config/program", word, title, help);
    }
    for name in own.iter().filter(|name| !program.takes(name)) {
        let title = format!("the parameter `{name}` fills no place: nothing says {{{name}}}");
        let span = keys.parameters.as_ref().map(|at| at.span);
        let help = format!("write `{{{name}}}` into the command, or remove the parameter");
        refuse(
            faults,
            "config/parameter",
            span.unwrap_or_default(),
            title,
            help,
        );
    }
    Some((program, parameters))
}

fn folder(folder: Option<&At<String>>, reader: Reader<'_>) -> Folder {
    let Some(folder) = folder else {
        return match reader.form {
            Form::CommandLine => Folder::Current,
            Form::File => Folder::Clean,
        };
    };
    if folder.is == EMPTY {
        return Folder::Clean;
    }
    let path = reader.here.join(&folder.is);
    if !path.is_dir() {
        let title = format!("there is no folder `{}` beside the file", folder.is);
        refuse(reader.faults, "config/folder", folder.span, title, "");
    }
    Folder::At(path)
}

fn parameters(written: Option<&At<Parameters>>, faults: &Faults<'_>) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for (key, keys) in written.into_iter().flat_map(|at| &at.is.0) {
        let name = key.text.clone();
        let is_known = placeholders().any(|(known, _)| known == name);
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        if is_known || name.is_empty() || !name.bytes().all(is_letter) {
            let title = match is_known {
                true => format!("{{{name}}} has a meaning already"),
                false => "the name of a parameter is made of small letters and `_`".to_owned(),
            };
            let help = "write another name, such as `mode`";
            refuse(faults, "config/parameter", key.span, title, help);
            continue;
        }
        let Some(ParameterKeys {
            kind: Some(kind),
            value,
        }) = keys
        else {
            continue;
        };
        let value = value.as_ref().and_then(|text| match kind {
            ParameterKind::Text => Some(text.is.0.clone()),
            kind => {
                let read = kind.read(&text.is.0);
                if read.is_none() {
                    let title = format!("{} is due here", kind.due());
                    refuse(faults, "config/parameter", text.span, title, "");
                }
                read
            }
        });
        let kind = kind.clone();
        parameters.push(Parameter { name, kind, value });
    }
    parameters
}
