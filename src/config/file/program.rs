//! Start of a subject, as its part of the file describes it.

use serde_json::{Value as Json, json};

use super::kinds::{Form, Reader, Text, is_variable, word};
use super::subject::SubjectKeys;
use crate::config::{Folder, Parameter, ParameterKind, Program, Template, Word, placeholders};
use crate::diagnostic::{Diagnostic, Faults};
use crate::yaml::{At, Key, Kind, Node, Table, Value, Written, keys};

/// The word for an empty folder. A folder of that name is `./empty`.
const EMPTY: &str = "empty";

keys! {
    /// A parameter.
    #[derive(Debug, Clone, Default)]
    struct ParameterKeys in "a parameter" or At<Text> {
        /// Its type, or the words that it can be
        required "type" => kind: Option<ParameterKind>;
        /// Its value where a run sets none
        optional "value" => value: Option<At<Text>>;
    }
}

/// The parameters of a subject, those with a sound name: a text alone is the value of one that can be any text.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters(Table<ParameterKeys>);

impl Kind for Parameters {
    fn read(node: &Node, faults: &Faults) -> Option<Parameters> {
        let mut parameters = Table::read(node, faults)?;
        parameters.0.retain(|(key, _)| is_parameter(key, faults));
        Some(Parameters(parameters))
    }

    fn shape() -> Json {
        let mut shape = Table::<ParameterKeys>::shape();
        shape["propertyNames"] = json!({"pattern": "^[a-z_]+$"});
        shape
    }
}

/// Returns true for the name of a parameter, and refuses another.
fn is_parameter(key: &Key, faults: &Faults) -> bool {
    let name = &key.text;
    let is_known = placeholders().any(|known| known == name);
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let is_sound = !is_known && !name.is_empty() && name.bytes().all(is_letter);
    if !is_sound {
        let title = match is_known {
            true => format!("{{{name}}} has a meaning already"),
            false => "the name of a parameter is made of small letters and `_`".to_owned(),
        };
        let help = "write another name, such as `mode`";
        faults.refuse("config/parameter", title, key.span, "", help);
    }
    is_sound
}

impl From<At<Text>> for ParameterKeys {
    fn from(text: At<Text>) -> ParameterKeys {
        ParameterKeys {
            kind: Some(ParameterKind::Text),
            value: Some(text),
        }
    }
}

impl Kind for ParameterKind {
    fn read(node: &Node, faults: &Faults) -> Option<ParameterKind> {
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

/// Reads the program with its parameters; without a command there is none.
pub(super) fn program(
    subject: &Written<SubjectKeys>,
    reader: Reader<'_>,
) -> Option<(Program, Vec<Parameter>)> {
    let (keys, faults) = (&subject.is, reader.faults);
    let command = keys.command.as_ref()?;
    let parameters = parameters(keys.parameters.as_ref(), faults);
    let own: Vec<_> = parameters.iter().map(|own| own.name.as_str()).collect();
    let words = command.0.iter();
    let words = words.filter_map(|at| word(&at.is.0, at.span, Word::parse_in_list, &own, faults));
    let environment = keys.environment.iter().flat_map(|table| &table.0);
    let environment = environment.filter_map(|(key, value)| {
        let is_sound = is_variable(&key.text, key.span, faults);
        let value = match &value.as_ref()?.0 {
            Some(text) => Some(word(&text.is.0, text.span, Word::parse, &own, faults)?),
            None => None,
        };
        is_sound.then(|| (key.text.clone(), value))
    });
    let mut program = Program {
        command: Template::of(words.collect()),
        environment: environment.collect(),
        folder: folder(subject, reader),
        here: reader.here.to_owned(),
        limits: keys.limits,
        ready: keys.ready.clone(),
    };
    // A relative path leads from the folder of the file, but from the current folder for a command of the command line.
    if program.folder != Folder::Current {
        program.command.locate();
    }
    if program.folder == Folder::Clean {
        let arguments = command.0.iter().skip(1);
        for word in arguments.filter(|word| program.misses(&word.is.0)) {
            let title = "this file is not found from the empty folder that the subject runs in";
            let fault =
                Diagnostic::warning("config/file", title).at(faults.source(), word.span, "");
            let help = format!("write `{{here}}/{}`, or say `folder: .`", word.is.0);
            faults.push(fault.help(help));
        }
    }
    if let Some((name, reason)) = program.missing()
        && (reader.starts || is_line(&name))
    {
        let first = command.0.first().map(|word| word.span);
        let word = first
            .or(subject.node.span_of("command"))
            .unwrap_or_default();
        let title = format!("this program cannot be started: {reason}");
        let help = if is_line(&name) {
            let words = name.replace(' ', ", ");
            format!("write each word as an entry of the list, such as `[{words}]`")
        } else if name.contains('/') {
            "a path is taken from the folder of this file".to_owned()
        } else {
            "a name without `/` is looked for along PATH".to_owned()
        };
        faults.refuse("config/program", title, word, "", help);
    }
    for name in own.iter().filter(|name| !program.takes(name)) {
        let title = format!("the parameter `{name}` fills no place: nothing says {{{name}}}");
        let span = subject.node.span_of("parameters");
        let help = format!("write `{{{name}}}` into the command, or remove the parameter");
        faults.refuse(
            "config/parameter",
            title,
            span.unwrap_or_default(),
            "",
            help,
        );
    }
    Some((program, parameters))
}

/// Returns true for a command line in the place of a program.
fn is_line(program: &str) -> bool {
    program.contains(' ') && !program.contains('/')
}

fn folder(subject: &Written<SubjectKeys>, reader: Reader<'_>) -> Folder {
    let Some(folder) = &subject.is.folder else {
        return match reader.form {
            Form::CommandLine => Folder::Current,
            Form::File => Folder::Clean,
        };
    };
    if folder == EMPTY {
        return Folder::Clean;
    }
    let path = reader.here.join(folder);
    if !path.is_dir() {
        let title = format!("there is no folder `{folder}` beside the file");
        let span = subject.node.span_of("folder").unwrap_or_default();
        reader.faults.refuse("config/folder", title, span, "", "");
    }
    Folder::At(path)
}

fn parameters(written: Option<&Parameters>, faults: &Faults) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for (key, keys) in written.into_iter().flat_map(|table| &table.0.0) {
        let ParameterKeys { kind, value } = keys.clone().unwrap_or_default();
        let (name, kind) = (key.text.clone(), kind.unwrap_or(ParameterKind::Text));
        let value = match value {
            None => {
                let title = format!("the parameter `{name}` has no value");
                let error = Diagnostic::error("config/parameter", title);
                let help = format!("write `--set {name}=VALUE`, or a `value` here");
                Err(error.at(faults.source(), key.span, "").help(help))
            }
            Some(text) if kind == ParameterKind::Text => Ok(text.is.0),
            Some(text) => {
                let read = kind.read(&text.is.0);
                if read.is_none() {
                    let title = format!("{} is due here", kind.due());
                    faults.refuse("config/parameter", title, text.span, "", "");
                }
                Ok(read.unwrap_or_default())
            }
        };
        parameters.push(Parameter { name, kind, value });
    }
    parameters
}
