//! `urtext verify --rows`: a table with a row for each game.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::Status;
use super::output::broken;
use crate::archive::{ArchiveFiles, GameRow, GameTable, each_game};
use crate::diagnostic::visible;
use crate::pack::Protocol;
use crate::verify::in_order;

/// The file of the table, opened before the first game is judged.
pub(super) struct RowsFile {
    path: String,
    table: GameTable<BufWriter<File>>,
}

impl RowsFile {
    /// Begins the table.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn create(path: &Path) -> Result<RowsFile, Status> {
        let name = visible::plain(path.to_string_lossy().as_bytes()).to_string();
        let begun = File::create(path).and_then(|file| GameTable::new(BufWriter::new(file)));
        match begun {
            Ok(table) => Ok(RowsFile { path: name, table }),
            Err(error) => Err(unwritable(&name, &error)),
        }
    }

    /// Writes the rows of the games of these files, and returns the lines of the summary. A file that cannot be read has no row; `verify` has
    /// named it.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn write(
        self,
        files: &[PathBuf],
        jobs: usize,
        notation: Option<&str>,
        protocol: Option<Protocol>,
    ) -> Result<String, Status> {
        let RowsFile { path, mut table } = self;
        let mut written = Ok(());
        in_order(
            jobs,
            |give| ArchiveFiles::new(files).iter().flatten().for_each(give),
            |file| {
                let mut rows = Vec::new();
                let name = file.to_string_lossy();
                let read = each_game(&file, notation, protocol, &mut |number, told| {
                    rows.extend(
                        told.ok()
                            .and_then(|told| GameRow::new(&name, number, &told)),
                    );
                });
                drop(read);
                (file, rows)
            },
            |(file, rows)| {
                if written.is_ok() {
                    written = table.add(&file, rows);
                }
            },
        );
        let finished = written.and_then(|()| table.finish());
        finished.map_err(|error| unwritable(&path, &error))
    }
}

fn unwritable(path: &str, error: &io::Error) -> Status {
    broken(&format!("{path} cannot be written: {error}"))
}
