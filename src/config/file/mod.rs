//! `urtext.yaml`: subjects by name. All that is wrong with the file is said at once.

mod keys;
mod program;
mod subject;

use std::path::{Path, PathBuf};

use super::{Program, Subject};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, suggest};
use crate::scenario::parse::{self, MapReader, Node};

/// The name of the file.
pub const NAME: &str = "urtext.yaml";

/// The file that holds in a folder: its own, or that of the nearest folder above.
#[must_use]
pub fn find(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// Reads a file: its subjects as far as they can be read, and what is wrong with it. They can be used where nothing is.
#[must_use]
pub fn load(path: &Path) -> (Vec<Subject>, Diagnostics) {
    match parse::read(path) {
        Ok(source) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            read(&source, folder.unwrap_or(Path::new(".")))
        }
        Err(fault) => (Vec::new(), fault.into()),
    }
}

/// Reads the text of a file that stands in this folder.
#[must_use]
pub fn read(source: &Source, folder: &Path) -> (Vec<Subject>, Diagnostics) {
    let faults = Faults::new(source);
    let here = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let subjects = subjects(&here, &faults).unwrap_or_default();
    (subjects, faults.into_diagnostics())
}

/// The programs of a file that the system would not start, each as a fault. Only a check looks for them: a run starts what it tests,
/// and is not kept from that by another subject.
#[must_use]
pub fn missing_programs(path: &Path) -> Diagnostics {
    let (subjects, found) = load(path);
    let Some(source) = parse::read(path).ok().filter(|_| !found.has_errors()) else {
        return Diagnostics::new();
    };
    let faults = Faults::new(&source);
    let root = parse::parse(&faults);
    let entry = |node: &Node, name: &str| {
        node.as_map(&faults)?.iter().find(|(key, _)| key.text == name).map(|(_, node)| node.clone())
    };
    let described = root.and_then(|root| entry(&root, "subjects"));
    for subject in &subjects {
        let missing = subject.program.as_ref().and_then(Program::missing);
        let command =
            described.as_ref().and_then(|subjects| entry(&entry(subjects, &subject.name)?, "command"));
        let (Some((program, reason)), Some(command)) = (missing, command) else { continue };
        let word = command.as_list(&faults).and_then(|words| words.first());
        let title = format!("this program cannot be started: {reason}");
        let fault =
            keys::fault(&faults, "config/program", word.map_or(command.span, |word| word.span), title);
        faults.push(fault.help(match program.contains('/') {
            true => "a path is taken from the folder of this file",
            false => "a name without `/` is looked for along PATH",
        }));
    }
    faults.into_diagnostics()
}

/// The subject of that name in a file, if it is there and everything in the file is right.
///
/// # Errors
/// What is wrong with the file, or that it has no such subject.
pub fn pick(path: &Path, name: &str) -> Result<Subject, Diagnostics> {
    let (mut subjects, mut faults) = load(path);
    if faults.has_errors() {
        return Err(faults);
    }
    if let Some(at) = subjects.iter().position(|subject| subject.name == name) {
        return Ok(subjects.swap_remove(at));
    }
    let names = || subjects.iter().map(|subject| subject.name.as_str());
    let title = format!("there is no subject `{name}` in {}", path.display());
    let fault = Diagnostic::error("config/subject", title);
    faults.push(match suggest(name, names()) {
        Some(meant) => fault.help(format!("did you mean `{meant}`?")),
        None => {
            let listed: Vec<_> = names().map(|name| format!("`{name}`")).collect();
            fault.help(format!("its subjects are {}", listed.join(", ")))
        }
    });
    Err(faults)
}

fn subjects(here: &Path, faults: &Faults<'_>) -> Option<Vec<Subject>> {
    let root = parse::parse(faults)?;
    let mut keys = MapReader::new(&root, "urtext.yaml", faults)?;
    let subjects = keys.required("subjects");
    keys.finish();
    let entries = subjects?.as_map(faults)?;
    if entries.is_empty() {
        let fault = Diagnostic::error("config/empty", "there is no subject in the file");
        let span = faults.source().first_line(root.span);
        faults.push(fault.at(faults.source(), span, "").help("`urtext init` writes a file with one"));
    }
    Some(entries.iter().filter_map(|(key, node)| subject::subject(key, node, here, faults)).collect())
}

#[cfg(test)]
mod tests;
