//! `urtext replay --against`: the first difference between two finished games.

use std::path::Path;

use super::ReplayArgs;
use crate::archive::{self, Game, GameDifference, Judging, ReadOptions, first_difference};
use crate::cli::Status;
use crate::cli::output::{print, say, usage};
use crate::diagnostic::{Diagnostics, counted, visible};

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
        let told = files.map(|file| archive::game(&[file.to_owned()], self.game_number, &by_lanes));
        let [one, other] = match told {
            [Ok(one), Ok(other)] => [one, other],
            told => {
                let faults = told.iter().filter_map(|told| told.as_ref().err());
                faults.for_each(say);
                return Status::Usage;
            }
        };
        match first_difference(&one, &other) {
            Ok(None) => {
                print(&format!("equal: {}", counted(one.turns.len(), "turn")));
                Status::Conforms
            }
            Ok(Some(difference)) => {
                print(&described(&difference, files, &one));
                Status::Deviates
            }
            Err(fault) => {
                say(&Diagnostics::from(fault));
                Status::Usage
            }
        }
    }
}

fn described(difference: &GameDifference, files: [&Path; 2], one: &Game) -> String {
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
            let seat = one.logged.protocol.seat_names()[seat.index()];
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
