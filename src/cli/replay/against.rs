//! `urtext replay --against`: the first difference between two finished games.

use std::path::Path;

use super::ReplayArgs;
use crate::archive::{FinishedGame, GameDifference, each_game, first_difference};
use crate::cli::output::{print, say, usage};
use crate::cli::{Status, game_files};
use crate::diagnostic::{Diagnostics, counted, visible};
use crate::pack::Protocol;

impl ReplayArgs {
    /// Compares the game with that of another file, and shows the first difference.
    pub(super) fn compare(&self, other: &Path, protocol: Option<Protocol>) -> Status {
        let [file] = self.files.as_slice() else {
            return usage("--against compares the games of two files");
        };
        let files = [file.as_path(), other];
        let told = files.map(|file| self.told(file, protocol));
        let [one, other] = match told {
            [Ok(one), Ok(other)] => [one, other],
            told => {
                let faults = told.iter().filter_map(|told| told.as_ref().err());
                faults.for_each(say);
                return Status::Usage;
            }
        };
        let Some(difference) = first_difference(&one, &other) else {
            print(&format!("equal: {}", counted(one.turns.len(), "turn")));
            return Status::Conforms;
        };
        print(&described(&difference, files, [&one, &other]));
        Status::Deviates
    }

    /// The game of a file.
    fn told(&self, file: &Path, protocol: Option<Protocol>) -> Result<FinishedGame, Diagnostics> {
        let number = self.game_number.unwrap_or(1);
        let (mut wanted, mut count) = (None, 0);
        each_game(
            file,
            self.dialect.as_deref(),
            protocol,
            &mut |found, told| {
                count = found;
                if found == number {
                    wanted = Some(told);
                }
            },
        )?;
        match wanted {
            Some(told) => told.map_err(Diagnostics::from),
            None => Err(game_files::no_such_game(
                &file.to_string_lossy(),
                number,
                count,
            )),
        }
    }
}

fn described(difference: &GameDifference, files: [&Path; 2], told: [&FinishedGame; 2]) -> String {
    let files = files.map(|file| visible::plain(&*file.to_string_lossy()).to_string());
    let width = files
        .iter()
        .map(|file| file.chars().count())
        .max()
        .unwrap_or(0);
    let sides = |texts: [&str; 2]| {
        let line = |side: usize| format!("  {:width$}  {}", files[side], texts[side]);
        format!("{}\n{}", line(0), line(1))
    };
    match difference {
        GameDifference::Game(names) => {
            format!("different games\n{}", sides([&names[0], &names[1]]))
        }
        GameDifference::Setup => "different random setups".to_owned(),
        GameDifference::Name { seat, names } => {
            let seat = told[0].dialect.game().seat_name(*seat);
            format!(
                "different names of the {seat} player\n{}",
                sides([&names[0], &names[1]])
            )
        }
        GameDifference::Turn {
            number,
            turns,
            board,
        } => {
            let ended = "the game has no such turn";
            let texts = [0, 1].map(|side| turns[side].as_deref().unwrap_or(ended));
            let equal = match number - 1 {
                0 => String::new(),
                1 => "; turn 1 is equal".to_owned(),
                last => format!("; turns 1 to {last} are equal"),
            };
            let (sides, board) = (sides(texts), board.trim_end());
            format!("different in turn {number}{equal}\n{sides}\n\nbefore turn {number}:\n{board}")
        }
        GameDifference::End(ends) => format!("different ends\n{}", sides([&ends[0], &ends[1]])),
    }
}
