//! `urtext replay --to`: writes a finished game in another notation.

use super::ReplayArgs;
use super::notation_target::NotationTarget;
use crate::archive::{FinishedGame, WrittenGame};
use crate::cli::server_matches::ServerMatches;
use crate::cli::{Status, game_files, output};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::pack::Protocol;
use crate::platform::write_output;
use crate::report;

impl ReplayArgs {
    /// Writes the game in another notation.
    pub(super) fn write_notation(
        &self,
        to: NotationTarget,
        protocol: Option<Protocol>,
        server_matches: &ServerMatches,
    ) -> Status {
        if self.at.is_some() && !matches!(to, NotationTarget::State) {
            return output::usage("`--at` goes with `--to state`");
        }
        if self.without_rolls && !matches!(to, NotationTarget::Records(_)) {
            return output::usage("`--without-rolls` goes with move records");
        }
        let told = match self.finished(protocol, server_matches) {
            Ok(told) => told,
            Err(faults) => {
                output::say(&faults);
                return Status::Usage;
            }
        };
        let whole = |written: Result<WrittenGame, Diagnostic>| {
            let WrittenGame { text, remarks } = written?;
            output::say(&remarks);
            Ok(text)
        };
        let written = match to {
            NotationTarget::State => told.state(self.at),
            _ if told.wrong.is_some() => Ok(Vec::new()),
            NotationTarget::Records(notation) => whole(told.notated(notation, !self.without_rolls)),
            NotationTarget::Golden => whole(told.golden()),
            NotationTarget::Spectator => whole(told.spectator()),
        };
        let mut status = server_matches.status();
        match written {
            Ok(bytes) if bytes.is_empty() => {}
            Ok(bytes) => status = status.worse(self.write(&bytes)),
            Err(fault) => {
                output::say(&fault.into());
                status = Status::Usage;
            }
        }
        if let Some(wrong) = &told.wrong {
            let drawn = report::draw_in_file(wrong).draw(Paint::Coloured);
            anstream::eprintln!("{drawn}\n");
            status = status.worse(Status::Deviates);
        }
        status
    }

    /// The game of the files.
    fn finished(
        &self,
        protocol: Option<Protocol>,
        server_matches: &ServerMatches,
    ) -> Result<FinishedGame, Diagnostics> {
        let files = game_files::without_second_halves(&self.files);
        if let ([file], None) = (files.as_slice(), self.game_number)
            && let Some(records) = game_files::records(file, self.dialect.as_deref())
        {
            let records = records.judge()?;
            output::say(&records.warnings);
            return Ok(FinishedGame::of_records(records));
        }
        let game = match (files.as_slice(), self.game_number) {
            ([file], number) => super::one_game(file, number, protocol, server_matches)?.0,
            (_, number) => game_files::joined(&files, number, protocol, server_matches)?.0,
        };
        Ok(FinishedGame::of_lanes(&game)?)
    }

    fn write(&self, bytes: &[u8]) -> Status {
        let ends = bytes.ends_with(b"\n");
        let bytes: Vec<u8> = bytes
            .iter()
            .copied()
            .chain((!ends).then_some(b'\n'))
            .collect();
        let Some(path) = &self.output else {
            output::print_bytes(&bytes);
            return Status::Conforms;
        };
        match write_output(path, &bytes) {
            Ok(()) => Status::Conforms,
            Err(error) => {
                let title = format!("the file cannot be written: {error}");
                let fault =
                    Diagnostic::error("convert/write", title).in_file(path.to_string_lossy());
                output::say(&fault.into());
                Status::Broken
            }
        }
    }
}
