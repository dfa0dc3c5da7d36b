//! `urtext replay --against`: the first difference between two finished games.

use std::path::Path;

use super::ReplayArgs;
use crate::archive::{self, Judging, ReadOptions};
use crate::cli::Status;
use crate::cli::output::{print, say, usage};
use crate::diagnostic::{Diagnostics, counted, visible};
use crate::replay::{Replay, first_difference};

impl ReplayArgs {
    /// Compares the game with that of another file, and shows the first difference.
    pub(super) fn compare(&self, other: &Path, options: &ReadOptions<'_>) -> Status {
        let [file] = self.files.as_slice() else {
            return usage("--against compares the games of two files");
        };
        let by_lanes = ReadOptions {
            judging: Judging::ByLanes,
            ..*options
        };
        let files = [file.as_path(), other];
        let games = files.map(|file| -> Result<Replay, Diagnostics> {
            let game = archive::game(&[file.to_owned()], self.game_number, &by_lanes)?;
            game.rules()?;
            Ok(Replay::new(game).expect("the game has rules"))
        });
        let [one, other] = match games {
            [Ok(one), Ok(other)] => [one, other],
            games => {
                let faults = games.iter().filter_map(|game| game.as_ref().err());
                faults.for_each(say);
                return Status::Usage;
            }
        };
        let names = files.map(|file| visible::plain(&*file.to_string_lossy()).to_string());
        match first_difference([&one, &other], [&names[0], &names[1]]) {
            Some(difference) => {
                print(&difference);
                Status::Deviates
            }
            None => {
                print(&format!(
                    "equal: {}",
                    counted(one.finished.turns.len(), "turn")
                ));
                Status::Conforms
            }
        }
    }
}
