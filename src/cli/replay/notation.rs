//! `urtext replay --to`: writes a finished game in another notation.

use super::ReplayArgs;
use super::notation_target::NotationTarget;
use crate::archive::{self, Judging, ReadOptions, WrittenGame};
use crate::cli::{Status, output};
use crate::diagnostic::{Diagnostic, Paint};
use crate::platform::write_output;
use crate::report;

impl ReplayArgs {
    /// Writes the game in another notation.
    pub(super) fn write_notation(&self, to: NotationTarget, options: &ReadOptions<'_>) -> Status {
        if self.at.is_some() && !matches!(to, NotationTarget::State) {
            return output::usage("`--at` goes with `--to state`");
        }
        if self.without_rolls && !matches!(to, NotationTarget::Records(_)) {
            return output::usage("`--without-rolls` goes with move records");
        }
        let by_lanes = ReadOptions {
            judging: Judging::ByLanes,
            ..*options
        };
        let told = match archive::game(&self.files, self.game_number, &by_lanes) {
            Ok(told) => told,
            Err(faults) => {
                output::say(&faults);
                return Status::Usage;
            }
        };
        output::say(&told.warnings);
        let whole = |written: Result<WrittenGame, Diagnostic>| {
            let WrittenGame { text, remarks } = written?;
            output::say(&remarks);
            Ok(text)
        };
        let written = match to {
            NotationTarget::State => told.state(self.at),
            _ if told.wrong().is_some() => Ok(Vec::new()),
            NotationTarget::Records(notation) => whole(told.notated(notation, !self.without_rolls)),
            NotationTarget::Golden => whole(told.golden()),
            NotationTarget::Spectator => whole(told.spectator()),
        };
        let mut status = Status::Conforms;
        match written {
            Ok(bytes) if bytes.is_empty() => {}
            Ok(bytes) => status = status.worse(self.write(&bytes)),
            Err(fault) => {
                output::say(&fault.into());
                status = Status::Usage;
            }
        }
        if let Some(wrong) = told.wrong() {
            let drawn = report::draw_in_file(wrong).draw(Paint::Coloured);
            anstream::eprintln!("{drawn}\n");
            status = status.worse(Status::Deviates);
        }
        status
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
