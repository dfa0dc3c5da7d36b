//! `urtext.yaml`: subjects by name. All that is wrong with the file is said at once.

mod kinds;
mod program;
mod rolls;
mod run;
mod settings;
mod subject;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use kinds::{Form, Reader};
pub use run::{Reports, RunOptions};
pub use settings::{Setting, described};
pub use subject::BUILT_IN;
use subject::SubjectKeys;

use super::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, did_you_mean, suggest};
use crate::platform::folder_of;
use crate::scenario::Side;
use crate::yaml::{self, At, Kind, Node, Table, Written, keys, shape};

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

    fn read(node: &Node, faults: &Faults<'_>) -> Option<SubjectName> {
        String::read(node, faults).map(SubjectName)
    }

    fn shape() -> Json {
        String::shape()
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

/// Reads a file: its subjects as far as they can be read, and what is wrong with it. They can be used where nothing is.
#[must_use]
pub fn load(path: &Path) -> (Vec<Subject>, Diagnostics) {
    match yaml::read(path) {
        Ok(source) => read(&source, folder_of(path)),
        Err(fault) => (Vec::new(), fault.into()),
    }
}

/// Reads the text of a file that stands in this folder.
#[must_use]
pub fn read(source: &Source, folder: &Path) -> (Vec<Subject>, Diagnostics) {
    let faults = Faults::new(source);
    let (subjects, _) = contents(&whole(folder), false, &faults);
    (subjects, faults.into_diagnostics())
}

/// The whole path of a folder.
fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The options of a run in a file, as far as they can be read; what is wrong with the file, [`load`] says.
#[must_use]
pub fn run_options(path: &Path) -> RunOptions {
    let source = yaml::read(path).ok();
    let read = |source| contents(folder_of(path), false, &Faults::new(&source)).1;
    source.map(read).unwrap_or_default()
}

/// The programs of a file that the system would not start, each as a fault, with what else [`load`] reports. Only a check looks for them: a
/// run starts what it tests, and is not kept from that by another subject.
#[must_use]
pub fn missing_programs(path: &Path) -> Diagnostics {
    let Ok(source) = yaml::read(path) else {
        return Diagnostics::new();
    };
    let faults = Faults::new(&source);
    contents(&whole(folder_of(path)), true, &faults);
    faults.into_diagnostics()
}

/// The subject of that name in a file, with these keys set, if it is there and everything is right.
///
/// # Errors
/// Reports errors in the file and in the settings, or that the file has no such subject.
pub fn pick(path: &Path, name: &str, settings: &[Setting<'_>]) -> Result<Subject, Diagnostics> {
    let (mut subjects, mut faults) = load(path);
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
    let (Some((source, _)), false) = (&subject.declared, settings.is_empty()) else {
        return Ok(subject);
    };
    let root = yaml::parse(&Faults::new(source));
    let entry = root.and_then(|root| root.entry("subjects")?.1.entry(name).cloned());
    let entry = entry.expect("the file was read, and has the subject");
    let shown = format!("{} with --set", source.name());
    let text = source.text().unwrap_or_default();
    let (here, shown) = (whole(folder_of(path)), Source::new(&shown, text));
    let (set, faults) = settings::read(&shown, entry, &here, settings, Form::File);
    let declared = subject.declared;
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
fn contents(here: &Path, starts: bool, faults: &Faults<'_>) -> (Vec<Subject>, RunOptions) {
    let root = yaml::parse(faults).filter(|root| has_subjects(root, faults));
    let keys = root.as_ref().and_then(|root| FileKeys::read(root, faults));
    let Some(mut keys) = keys else {
        return Default::default();
    };
    keys.run.locate(here);
    let Some(At {
        is: Table(described),
        span,
    }) = keys.subjects
    else {
        return (Vec::new(), keys.run);
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
    let reader = Reader {
        here,
        form: Form::File,
        starts,
        faults,
    };
    let described = described.into_iter();
    let mut subjects: Vec<_> = described
        .filter_map(|(key, keys)| subject::subject(&key, keys?, reader))
        .collect();
    mark_defaults(&keys.default, &names, &mut subjects, faults);
    (subjects, keys.run)
}

/// Marks the subjects that are tested where nobody names one: at most one for each side and game.
fn mark_defaults(
    defaults: &[At<SubjectName>],
    names: &[String],
    subjects: &mut [Subject],
    faults: &Faults<'_>,
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
fn has_subjects(root: &Node, faults: &Faults<'_>) -> bool {
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

#[cfg(test)]
mod tests;
