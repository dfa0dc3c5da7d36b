//! `urtext verify --rows`: a table with a row for each game.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::archive::{self, Judging, ReadOptions};
use crate::cli::Status;
use crate::cli::output::broken;
use crate::diagnostic::visible;
use crate::replay::{GameRow, GameTable};

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
        options: &ReadOptions<'_>,
    ) -> Result<String, Status> {
        let RowsFile { path, mut table } = self;
        let mut written = Ok(());
        let by_lanes = ReadOptions {
            judging: Judging::ByLanes,
            done: &|_| {},
            ..*options
        };
        archive::games(files, &by_lanes, &mut |game| {
            if let (Ok(game), Ok(())) = (game, &written)
                && let Some(row) = GameRow::new(&game)
            {
                written = table.add(Path::new(&*game.file), row);
            }
        });
        let finished = written.and_then(|()| table.finish());
        finished.map_err(|error| unwritable(&path, &error))
    }
}

fn unwritable(path: &str, error: &io::Error) -> Status {
    broken(&format!("{path} cannot be written: {error}"))
}
