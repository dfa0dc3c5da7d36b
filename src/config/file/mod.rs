//! `urtext.yaml`: subjects by name. All that is wrong with the file is said at once.

mod keys;
mod program;
mod run;
mod settings;
mod subject;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use keys::quoted;
use program::Form;
pub use run::{RunDefaults, RunOptions};
pub use settings::{Setting, described};
pub use subject::BUILT_IN;

use super::{Program, Subject};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, did_you_mean, suggest};
use crate::platform::folder_of;
use crate::scenario::Side;
use crate::yaml::{self, Key, MapReader, Node, Value};

/// The name of the file.
pub const NAME: &str = "urtext.yaml";

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
    let (subjects, _) = contents(&here(folder), &faults);
    (subjects, faults.into_diagnostics())
}

/// The whole path of a folder.
fn here(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The defaults of a run in a file, as far as they can be read; what is wrong with the file, [`load`] says.
#[must_use]
pub fn run_defaults(path: &Path) -> RunDefaults {
    let Ok(source) = yaml::read(path) else {
        return RunDefaults::default();
    };
    contents(folder_of(path), &Faults::new(&source)).1
}

/// The programs of a file that the system would not start, each as a fault. Only a check looks for them: a run starts what it tests,
/// and is not kept from that by another subject.
#[must_use]
pub fn missing_programs(path: &Path) -> Diagnostics {
    let (subjects, found) = load(path);
    let Some(source) = yaml::read(path).ok().filter(|_| !found.has_errors()) else {
        return Diagnostics::new();
    };
    let faults = Faults::new(&source);
    let root = yaml::parse(&faults);
    let entry = |node: &Node, name: &str| {
        node.as_map(&faults)?
            .iter()
            .find(|(key, _)| key.text == name)
            .map(|(_, node)| node.clone())
    };
    let described = root.and_then(|root| entry(&root, "subjects"));
    for subject in &subjects {
        let missing = subject.program.as_ref().and_then(Program::missing);
        let command = described
            .as_ref()
            .and_then(|subjects| entry(&entry(subjects, &subject.name)?, "command"));
        let (Some((program, reason)), Some(command)) = (missing, command) else {
            continue;
        };
        let word = command.as_list(&faults).and_then(|words| words.first());
        let title = format!("this program cannot be started: {reason}");
        let fault = keys::fault(
            &faults,
            "config/program",
            word.map_or(command.span, |word| word.span),
            title,
        );
        faults.push(fault.help(match program.contains('/') {
            true => "a path is taken from the folder of this file",
            false => "a name without `/` is looked for along PATH",
        }));
    }
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
    let (here, shown) = (here(folder_of(path)), Source::new(&shown, text));
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
fn contents(here: &Path, faults: &Faults<'_>) -> (Vec<Subject>, RunDefaults) {
    let Some(root) = yaml::parse(faults) else {
        return Default::default();
    };
    if let Some(fault) = lacks_level(&root, faults) {
        faults.push(fault);
        return Default::default();
    }
    let Some(mut keys) = MapReader::new(&root, "urtext.yaml", faults) else {
        return Default::default();
    };
    let (run, default) = (keys.optional("run"), keys.optional("default"));
    let described = keys.required("subjects");
    keys.finish();
    let run = run
        .and_then(|run| run::run_defaults(run, here, faults))
        .unwrap_or_default();
    let subjects =
        described.and_then(|described| subjects(&root, described, default, here, faults));
    (subjects.unwrap_or_default(), run)
}

fn subjects(
    root: &Node,
    described: &Node,
    default: Option<&Node>,
    here: &Path,
    faults: &Faults<'_>,
) -> Option<Vec<Subject>> {
    let entries = described.as_map(faults)?;
    if entries.is_empty() {
        let fault = Diagnostic::error("config/empty", "there is no subject in the file");
        let span = faults.source().first_line(root.span);
        faults.push(
            fault
                .at(faults.source(), span, "")
                .help("`urtext init` writes a file with one"),
        );
    }
    let mut subjects: Vec<_> = entries
        .iter()
        .filter_map(|(key, node)| subject::subject(key, node, here, Form::File, faults))
        .collect();
    if let Some(default) = default {
        let names: Vec<_> = entries.iter().map(|(key, _)| key.text.as_str()).collect();
        mark_defaults(default, &names, &mut subjects, faults);
    }
    Some(subjects)
}

/// Marks the subjects that are tested where nobody names one: at most one for each side and game.
fn mark_defaults(node: &Node, names: &[&str], subjects: &mut [Subject], faults: &Faults<'_>) {
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    for node in nodes {
        let Some(name) = node.as_line(faults) else {
            continue;
        };
        if !names.contains(&name) {
            let fault = keys::fault(
                faults,
                "config/default",
                node.span,
                format!("there is no subject `{name}` here"),
            );
            faults.push(match suggest(name, names.iter().copied()) {
                Some(meant) => fault.help(format!("write `{meant}`")),
                None => fault.help(format!("the subjects are `{}`", names.join("`, `"))),
            });
            continue;
        }
        // What is wrong with the subject itself is said there.
        let Some(at) = subjects.iter().position(|subject| subject.name == name) else {
            continue;
        };
        let (side, game) = (subjects[at].side, subjects[at].protocol.game_name());
        let is_alike = |subject: &&Subject| {
            subject.is_default && subject.side == side && subject.protocol.game_name() == game
        };
        if let Some(other) = subjects.iter().find(is_alike) {
            let what = format!("{game} {}", side.word());
            let title = match other.name == name {
                true => format!("`{name}` stands here twice"),
                false => format!(
                    "`{}` is the default {what} already, and there can be only one",
                    other.name
                ),
            };
            faults.push(keys::fault(faults, "config/default", node.span, title).help("remove one"));
            continue;
        }
        subjects[at].is_default = true;
    }
}

/// The fault of a file in which a subject, or subjects by name, stand without the key `subjects` above them.
fn lacks_level(root: &Node, faults: &Faults<'_>) -> Option<Diagnostic> {
    const KEYS: [&str; 4] = ["as", "game", "command", "players"];
    let Value::Map(entries) = &root.value else {
        return None;
    };
    let is_subject = |node: &Node| KEYS.iter().filter(|key| node.has_key(key)).count() > 1;
    let is_slip = |(key, _): &(Key, Node)| suggest(&key.text, ["subjects"]).is_some();
    if entries.iter().any(is_slip) || root.has_key("scenario") {
        return None;
    }
    let (title, help) = if is_subject(root) {
        let help = "write `subjects:` first, below it the name of the subject, such as `  mine:`, and below that these keys, indented by four spaces";
        (
            "a subject has no name here: it stands at the top of the file",
            help,
        )
    } else if entries.iter().any(|(_, node)| is_subject(node)) {
        (
            "the subjects stand at the top of the file, and not below the key `subjects`",
            "write `subjects:` above them, and indent them by two spaces",
        )
    } else {
        return None;
    };
    let source = faults.source();
    Some(
        Diagnostic::error("config/level", title)
            .at(source, source.first_line(root.span), "")
            .help(help),
    )
}

#[cfg(test)]
mod tests;
