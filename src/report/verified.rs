//! Which files of an archive were judged, and with what result: a file of JSON Lines that grows while an archive is verified, so that an
//! interrupted verification goes on where it was.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::VerdictCounts;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::platform::{append_below, create_below, folder_of};

/// Version of the format.
const VERSION: u32 = 1;

/// The most bytes that are read.
const LARGEST: u64 = 1 << 30;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The kind of the file: `verified`.
    urtext: String,
    version: u32,
    /// The options that decide a verdict.
    options: String,
}

/// A file with the result of its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedFile {
    /// The file, as the user named it or found in a folder.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its last change, in nanoseconds since 1970.
    pub modified: u64,
    /// The counts of its games, and the exit status that follows from them.
    #[serde(flatten)]
    pub counts: VerdictCounts,
}

/// The files that were judged before, by their names.
#[derive(Debug, Default)]
pub struct VerifiedFiles {
    known: HashMap<String, VerifiedFile>,
}

/// Writes down which files were judged.
#[derive(Debug)]
pub struct VerifiedWriter {
    output: File,
}

impl VerifiedFile {
    /// The file as it is now; `None` for what is no file with a time, such as standard input.
    #[must_use]
    pub fn of(file: &Path) -> Option<VerifiedFile> {
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(VerifiedFile {
            file: file.to_str()?.to_owned(),
            size: metadata.len(),
            modified: u64::try_from(modified.as_nanos()).ok()?,
            counts: VerdictCounts::new(),
        })
    }
}

impl VerifiedFiles {
    /// Opens the list, or begins one. A last line that was cut off is dropped. `options`: those that decide a verdict.
    ///
    /// # Errors
    /// The file is something else, is of other options, or cannot be read or written.
    pub fn open(
        path: &Path,
        options: &str,
    ) -> Result<(VerifiedFiles, VerifiedWriter), Diagnostics> {
        let name = path.to_string_lossy();
        let refused = |title: String| Diagnostic::error("verify/resume", title).in_file(&*name);
        let unwritten = |error: io::Error| {
            Diagnostics::from(refused(format!(
                "the list of verified files cannot be written: {error}"
            )))
        };
        let head = Head {
            urtext: "verified".to_owned(),
            version: VERSION,
            options: options.to_owned(),
        };
        let mut files = VerifiedFiles::default();
        let own_name = Path::new(path.file_name().unwrap_or_default());
        let is_empty = path.metadata().is_ok_and(|metadata| metadata.len() == 0);
        let output = if is_empty || !path.exists() {
            let made = create_below(folder_of(path), own_name);
            made.and_then(|mut made| writeln!(made, "{}", json(&head)).map(|()| made))
        } else {
            let whole = files.read(&Source::read(path, LARGEST)?, &head)?;
            let kept = append_below(folder_of(path), own_name);
            kept.and_then(|kept| kept.set_len(whole).map(|()| kept))
        };
        let output = output.map_err(unwritten)?;
        Ok((files, VerifiedWriter { output }))
    }

    /// Takes the lines of a list, and returns the number of bytes up to the end of the last whole one.
    fn read(&mut self, source: &Source, head: &Head) -> Result<u64, Diagnostics> {
        let fault = |line: usize, title: &str| {
            let place = format!("{}:{line}", source.name());
            let fault = Diagnostic::error("verify/resume", title).in_file(place);
            fault.help("name another file, or delete this one to verify every file again")
        };
        let text = source.utf8()?;
        let mut whole = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let is_last = whole + line.len() == text.len();
            if number == 1 {
                match serde_json::from_str::<Head>(line) {
                    Ok(known) if known == *head => {}
                    Ok(_) => {
                        let title =
                            "these files were verified with other options, or by another version";
                        return Err(fault(1, title).into());
                    }
                    Err(_) => {
                        return Err(fault(1, "this is no list of verified files").into());
                    }
                }
            } else {
                match serde_json::from_str::<VerifiedFile>(line) {
                    Ok(verified) if line.ends_with('\n') => {
                        self.known.insert(verified.file.clone(), verified);
                    }
                    _ if is_last => break,
                    _ => return Err(fault(number, "this line names no verified file").into()),
                }
            }
            whole += line.len();
        }
        Ok(whole as u64)
    }

    /// The counts of a file that has not changed since it was judged.
    #[must_use]
    pub fn counts(&self, file: &VerifiedFile) -> Option<&VerdictCounts> {
        let known = self.known.get(&file.file)?;
        let is_same = (known.size, known.modified) == (file.size, file.modified);
        is_same.then_some(&known.counts)
    }
}

impl VerifiedWriter {
    /// Writes down that a file was judged.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn add(&mut self, file: &VerifiedFile) -> io::Result<()> {
        let mut line = json(file);
        line.push('\n');
        self.output.write_all(line.as_bytes())
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a line holds text and numbers only")
}
