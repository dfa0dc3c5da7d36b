//! `urtext.yaml`: subjects by name. All that is wrong with the file is said at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use kinds::Text;
use kinds::{Form, Reader};
pub use rolls::{Digits, RollFormat, RollHook};
pub use run::{BaselineFile, ReportFile, ReportFormat, Reports, RunOptions};
use serde_json::{Value as Json, json};
pub use subject::BUILT_IN;
use subject::SubjectKeys;

use super::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, Span, did_you_mean, suggest};
use crate::platform::folder_of;
use crate::scenario::Side;
use crate::yaml::{self, At, Key, Kind, Node, Table, Value, Written, keys, shape};

mod kinds;
mod program;
mod rolls;
mod run;
mod subject;

/// The name of the file.
pub const NAME: &str = "urtext.yaml";

keys! {
    /// The keys of the file.
    #[derive(Debug, Clone, Default)]
    struct FileKeys in "urtext.yaml" {
        /// The subject that a run tests when none is named, or a list: one for each side and game
        optional "default" => default: Vec<At<SubjectName>>;
        /// Options of `urtext run` for the subjects of the file
        optional "run" => run: RunOptions;
        /// The subjects that can be tested, by name
        required "subjects" => subjects: Option<At<Table<Written<SubjectKeys>>>>;
    }
}

/// The name of a subject.
#[derive(Debug, Clone)]
struct SubjectName(String);

impl Kind for SubjectName {
    const IS_LIST_OF_ITSELF: bool = true;

    fn read(node: &Node, faults: &Faults) -> Option<SubjectName> {
        String::read(node, faults).map(SubjectName)
    }
}

/// Returns the JSON Schema of the file, for editors.
#[must_use]
pub fn schema() -> Json {
    let mut schema = <FileKeys as Kind>::shape();
    schema["$schema"] = json!(shape::DRAFT);
    schema
}

/// The file that holds in a folder: its own, or that of the nearest folder above.
#[must_use]
pub fn find(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder
        .ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| is_there(path))
}

/// Returns true if the path exists and is not a folder; reading reports anything that is not a file.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.exists() && !path.is_dir()
}

/// The content of a file, as far as it can be read. It is complete only if there are no problems.
#[derive(Debug, Default)]
pub struct ConfigFile {
    /// Its subjects.
    pub subjects: Vec<Subject>,
    /// The options of a run.
    pub run: RunOptions,
    /// The errors and warnings about it.
    pub problems: Diagnostics,
}

/// Reads a file. `starts`: report the programs as well that the system would not start. Only a check looks for them: a run starts what it tests,
/// and is not kept from that by another subject.
#[must_use]
pub fn load(path: &Path, starts: bool) -> ConfigFile {
    match yaml::read(path) {
        Ok(source) => read(&source, folder_of(path), starts),
        Err(fault) => ConfigFile {
            problems: fault.into(),
            ..ConfigFile::default()
        },
    }
}

/// Reads the text of a file that stands in this folder.
#[must_use]
pub fn read(source: &Source, folder: &Path, starts: bool) -> ConfigFile {
    let faults = Faults::new(source);
    let root = yaml::parse("subjects:", &faults).filter(|root| has_subjects(root, &faults));
    let reader = Reader {
        here: &whole(folder),
        form: Form::File,
        starts,
        faults: &faults,
    };
    let contents = root.and_then(|root| contents(&root, folder, reader));
    let (subjects, run) = contents.unwrap_or_default();
    ConfigFile {
        subjects,
        run,
        problems: faults.into_diagnostics(),
    }
}

/// The whole path of a folder.
fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The subject of that name in a file, with these keys set, if it is there and everything is right.
///
/// # Errors
/// Reports errors in the file and in the settings, or that the file has no such subject.
pub fn pick(path: &Path, name: &str, settings: &[Setting<'_>]) -> Result<Subject, Diagnostics> {
    let ConfigFile {
        mut subjects,
        problems: mut faults,
        ..
    } = load(path, false);
    if faults.has_errors() {
        return Err(faults);
    }
    let Some(at) = subjects.iter().position(|subject| subject.name == name) else {
        let names = || subjects.iter().map(|subject| subject.name.as_str());
        let title = format!("there is no subject `{name}` in {}", path.display());
        let fault = Diagnostic::error("config/subject", title);
        faults.push(fault.help(did_you_mean(name, names()).unwrap_or_else(|| {
            let listed: Vec<_> = names().map(|name| format!("`{name}`")).collect();
            format!("its subjects are {}", listed.join(", "))
        })));
        return Err(faults);
    };
    let subject = subjects.swap_remove(at);
    let (Some((source, span)), false) = (subject.declared.clone(), settings.is_empty()) else {
        return Ok(subject);
    };
    let shown = format!("{} with --set", source.name());
    let text = source.text().unwrap_or_default();
    let here = whole(folder_of(path));
    let (set, faults) = read_set(&shown, text, (name, span), &here, settings, Form::File);
    let declared = Some((source, span));
    set.map(|set| Subject { declared, ..set }).ok_or(faults)
}

/// The subject of that side and game that is tested where nobody names one: the default, or else the only one.
///
/// # Errors
/// The names of those among which nothing decides; none where there is no such subject.
pub fn usual<'s>(
    subjects: &'s [Arc<Subject>],
    side: Side,
    game: &str,
) -> Result<&'s Arc<Subject>, Vec<&'s str>> {
    let fits =
        |subject: &&Arc<Subject>| subject.side == side && subject.protocol.game_name() == game;
    let fitting: Vec<_> = subjects.iter().filter(fits).collect();
    let default = fitting.iter().find(|subject| subject.is_default);
    match (default, &fitting[..]) {
        (Some(only), _) | (None, [only]) => Ok(only),
        _ => Err(fitting
            .iter()
            .map(|subject| subject.name.as_str())
            .collect()),
    }
}

/// All that the file says.
fn contents(root: &Node, folder: &Path, reader: Reader<'_>) -> Option<(Vec<Subject>, RunOptions)> {
    let faults = reader.faults;
    let mut keys = FileKeys::read(root, faults)?;
    keys.run.locate(folder);
    let (span, described) = match keys.subjects {
        Some(subjects) => (subjects.span, subjects.is.0),
        None => return Some((Vec::new(), keys.run)),
    };
    if described.is_empty() {
        let help = "`urtext init` writes a file with one";
        faults.refuse(
            "config/empty",
            "there is no subject in the file",
            span,
            "",
            help,
        );
    }
    let names: Vec<_> = described.iter().map(|(key, _)| key.text.clone()).collect();
    let described = described.into_iter();
    let mut subjects: Vec<_> = described
        .filter_map(|(key, keys)| subject::subject(&key, keys?, reader))
        .collect();
    mark_defaults(&keys.default, &names, &mut subjects, faults);
    Some((subjects, keys.run))
}

/// Marks the subjects that are tested where nobody names one: at most one for each side and game.
fn mark_defaults(
    defaults: &[At<SubjectName>],
    names: &[String],
    subjects: &mut [Subject],
    faults: &Faults,
) {
    for At {
        is: SubjectName(name),
        span,
    } in defaults
    {
        if !names.contains(name) {
            let title = format!("there is no subject `{name}` here");
            let help = match suggest(name, names.iter().map(String::as_str)) {
                Some(meant) => format!("write `{meant}`"),
                None => format!("the subjects are `{}`", names.join("`, `")),
            };
            faults.refuse("config/default", title, *span, "", help);
            continue;
        }
        // What is wrong with the subject itself is said there.
        let Some(at) = subjects.iter().position(|subject| subject.name == *name) else {
            continue;
        };
        let (side, game) = (subjects[at].side, subjects[at].protocol.game_name());
        let is_alike = |subject: &&Subject| {
            subject.is_default && subject.side == side && subject.protocol.game_name() == game
        };
        if let Some(other) = subjects.iter().find(is_alike) {
            let (what, other) = (format!("{game} {}", side.word()), &other.name);
            let title = match other == name {
                true => format!("`{name}` stands here twice"),
                false => {
                    format!("`{other}` is the default {what} already, and there can be only one")
                }
            };
            faults.refuse("config/default", title, *span, "", "remove one");
            continue;
        }
        subjects[at].is_default = true;
    }
}

/// Returns true for a file with its level of subjects, and refuses another: its keys would all be unknown.
fn has_subjects(root: &Node, faults: &Faults) -> bool {
    let keys = root.as_map(faults).unwrap_or_default().iter();
    let mut keys = keys.map(|(key, _)| key.text.as_str());
    let has_subjects = keys.any(|key| suggest(key, ["subjects"]).is_some());
    if !has_subjects {
        let title = "the file needs the key `subjects`";
        let help = "write `subjects:`, below it the name of each subject such as `  mine:`, and below that its keys, indented by four spaces";
        faults.refuse("config/level", title, root.span, "", help);
    }
    has_subjects
}

/// A key of a subject and its value as YAML. A dot leads to a key below another.
pub type Setting<'a> = (&'a str, String);

/// Reads the subject of that name that these keys describe, and reports what is wrong with them. A command runs in the current folder, unless
/// a key says otherwise.
#[must_use]
pub fn described(name: &str, settings: &[Setting<'_>]) -> (Option<Subject>, Diagnostics) {
    let here = std::env::current_dir().unwrap_or_default();
    let place = (name, Span::default());
    read_set(
        "command line",
        "",
        place,
        &here,
        settings,
        Form::CommandLine,
    )
}

/// Reads a subject of a text with the keys that are set, each as a line after the text.
fn read_set(
    shown: &str,
    file: &str,
    (name, mut span): (&str, Span),
    here: &Path,
    settings: &[Setting<'_>],
    form: Form,
) -> (Option<Subject>, Diagnostics) {
    let whole = Source::new(shown, file);
    let mut root = yaml::parse("subjects:", &Faults::new(&whole)).unwrap_or(Node::map(Vec::new()));
    let known = root
        .entry("subjects")
        .and_then(|(_, node)| node.entry(name));
    let (mut text, mut spans) = (file.to_owned(), Vec::new());
    for (path, value) in settings {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let start = text.len();
        text += &line(known.map(|(_, node)| node), path, value);
        spans.push(Span::new(start, text.len()));
    }
    let source = Source::new(shown, text);
    let faults = Faults::new(&source);
    let mut set = Node::map(Vec::new());
    for &span in &spans {
        if let Some(value) = yaml::parse_value(span, &faults) {
            merge(&mut set, value);
        }
    }
    if let (Form::CommandLine, Some(last)) = (form, spans.last()) {
        span = *last;
    }
    for name in [name, "subjects"] {
        let text = name.to_owned();
        set = Node::map(vec![(Key { span, text }, set)]);
    }
    merge(&mut root, set);
    let reader = Reader {
        here,
        form,
        starts: false,
        faults: &faults,
    };
    let is_sound = !faults.has_errors();
    let contents = is_sound.then(|| contents(&root, here, reader)).flatten();
    let mut subjects = contents.unwrap_or_default().0.into_iter();
    let subject = subjects.find(|subject| subject.name == name);
    let subject = subject.filter(|_| !faults.has_errors());
    (subject, faults.into_diagnostics())
}

/// The setting as a line of the file. The name of a parameter sets its value, which is a text.
fn line(subject: Option<&Node>, path: &str, value: &str) -> String {
    let mut names: Vec<_> = path.split('.').collect();
    let parameter = |name| subject?.entry("parameters")?.1.entry(name);
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

#[cfg(test)]
mod tests;
