//! The files of an archive.

use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::diagnostic::{self, Diagnostic};
use crate::pack;
use crate::scenario::is_scenario_file;
use crate::transcript::{self, bare, golden, recording};

/// Number of bytes at the start of a file that identify its format.
const HEAD: u64 = 4096;

/// The paths, each pair of NAME.received and NAME.sent named once.
pub(super) fn without_second_halves(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        let key = transcript::pair_key(path);
        let is_new = kept.iter().all(|other| transcript::pair_key(other) != key);
        // The same stream twice is no second half, and is judged twice.
        if is_new || kept.contains(path) {
            kept.push(path.clone());
        }
    }
    kept
}

/// Returns the files at these paths: those named, and those below folders in the order of their names, or the fault of a folder that cannot be
/// read. Hidden files and scenarios are left out, and so is NAME.sent next to NAME.received. Only the names of one folder are in memory.
pub(super) fn files(paths: &[PathBuf]) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> {
    paths.iter().flat_map(|path| {
        let found: Box<dyn Iterator<Item = _>> = match path.is_dir() {
            true => Box::new(below(path)),
            false => Box::new(std::iter::once(Ok(path.clone()))),
        };
        let mut found = found.peekable();
        let is_empty = found.peek().is_none();
        let fault = is_empty.then(|| {
            let fault = Diagnostic::error("file/empty", "this folder holds no file");
            Err(fault.in_file(path.to_string_lossy()))
        });
        found.chain(fault)
    })
}

/// Returns the number of bytes of all files at these paths.
#[must_use]
pub fn size(paths: &[PathBuf]) -> u64 {
    files(paths).flatten().map(|file| file_size(&file)).sum()
}

/// Returns the size of a file in bytes; 0 where it is not known.
pub(super) fn file_size(file: &Path) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}

/// The first bytes of a file, which identify its format; none if it cannot be read, or is a pipe, which would be read only once.
#[must_use]
pub fn head(file: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if file.is_file()
        && let Ok(file) = diagnostic::open(file)
    {
        // An error is reported by whoever reads the file whole.
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    head
}

/// Returns true if the first bytes of a file are a finished game rather than scenarios.
#[must_use]
pub fn is_finished_game(file: &Path) -> bool {
    let head = if is_scenario_file(file) {
        Vec::new()
    } else {
        head(file)
    };
    !head.is_empty()
        && (golden::is_golden(&head)
            || recording::is_recording(&head)
            || pack::dialects().any(|dialect| bare::looks_like(&head, dialect))
            || pack::notations().any(|notation| notation.is_records(&head)))
}

fn below(folder: &Path) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> + use<> {
    let name = folder.to_string_lossy().into_owned();
    let is_shown = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    entries
        .filter_entry(is_shown)
        .filter_map(move |entry| match entry {
            Ok(entry) if entry.file_type().is_file() => {
                let path = entry.into_path();
                let is_second_half = path.extension().is_some_and(|ending| ending == "sent")
                    && path.with_extension("received").exists();
                let is_scenario = path
                    .extension()
                    .is_some_and(|ending| ending == "yaml" || ending == "yml");
                (!is_second_half && !is_scenario).then_some(Ok(path))
            }
            Ok(_) => None,
            Err(error) => {
                let title = format!("this folder cannot be read: {error}");
                Some(Err(Diagnostic::error("file/folder", title).in_file(&name)))
            }
        })
}
