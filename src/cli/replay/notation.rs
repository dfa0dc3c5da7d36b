//! `urtext replay --to`: writes a finished game in another notation.

use super::ReplayArgs;
use super::notation_target::NotationTarget;
use crate::archive::{self, Judging, ReadOptions, WrittenGame};
use crate::cli::{Status, output};
use crate::diagnostic::Paint;
use crate::platform::write_output;
use crate::replay::NoSuchTurn;
use crate::report;

impl ReplayArgs {
    /// Writes the game in another notation.
    pub(super) fn write_notation(&self, to: NotationTarget, options: &ReadOptions<'_>) -> Status {
        if self.at.is_some() && !matches!(to, NotationTarget::State) {
            return output::usage("`--at` goes with `--to state`");
        }
        let by_lanes = ReadOptions {
            judging: Judging::ByLanes,
            ..*options
        };
        let game = match archive::game(&self.files, self.game_number, &by_lanes) {
            Ok(game) => game,
            Err(faults) => {
                output::say(&faults);
                return Status::Usage;
            }
        };
        output::say(&game.warnings);
        let mut status = Status::Conforms;
        if game.wrong().is_none() || self.at.is_some() {
            let last = game.turns.len() + usize::from(game.lost().is_some());
            let asked = self.at.unwrap_or(last);
            let written = match to {
                _ if asked > last => Err(NoSuchTurn { asked, last }.fault()),
                NotationTarget::State => game.state(asked),
                NotationTarget::Records(notation) => game.notated(notation),
                NotationTarget::Golden => game.golden(),
                NotationTarget::Spectator => game.spectator(),
            };
            status = match written {
                Ok(written) => self.write(written),
                Err(fault) => {
                    output::say(&fault.into());
                    Status::Usage
                }
            };
        }
        if let Some(wrong) = game.wrong() {
            let drawn = report::draw_in_file(wrong).draw(Paint::Coloured);
            anstream::eprintln!("{drawn}\n");
            status = status.worse(Status::Deviates);
        }
        status
    }

    fn write(&self, written: WrittenGame) -> Status {
        let WrittenGame { mut text, remarks } = written;
        output::say(&remarks);
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        let Some(path) = &self.output else {
            output::print_bytes(&text);
            return Status::Conforms;
        };
        match write_output(path, &text) {
            Ok(()) => Status::Conforms,
            Err(error) => {
                let file = path.to_string_lossy();
                output::broken(&format!("{file} cannot be written: {error}"))
            }
        }
    }
}
