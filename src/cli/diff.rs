//! `urtext diff`: the first difference between two finished games.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{print, say};
use super::{Status, game_files};
use crate::archive::{FinishedGame, GameDifference, each_game, first_difference};
use crate::diagnostic::{Diagnostics, counted, visible};
use crate::pack::Protocol;

/// Arguments of `urtext diff`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is whatever `urtext verify` reads, and the two may have different formats. Players, rolls, moves and the end are compared, \
    as far as both formats tell them: numbers of equal tokens and coins of a roll count only where both files have them. Times do not count.\n\n\
    Exit status: 0 the games are equal, 1 they are different, 2 a file cannot be read."
)]
pub(super) struct DiffArgs {
    /// A file with a finished game
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The file to compare
    #[arg(value_name = "B")]
    other: PathBuf,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game_number: u64,
    /// The dialect of streams, or their game, where their content does not tell; or a notation, such as `hc-ur`
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

impl DiffArgs {
    /// Compares the games.
    pub(super) fn run(self) -> Status {
        let protocol = match game_files::protocol(self.dialect.as_deref()) {
            Ok(protocol) => protocol,
            Err(status) => return status,
        };
        let (one, other) = match (
            self.told(&self.one, protocol),
            self.told(&self.other, protocol),
        ) {
            (Ok(one), Ok(other)) => (one, other),
            (one, other) => {
                let faults = [one.err(), other.err()];
                faults.iter().flatten().for_each(say);
                return Status::Usage;
            }
        };
        let Some(difference) = first_difference(&one, &other) else {
            print(&format!("equal: {}", counted(one.turns.len(), "turn")));
            return Status::Conforms;
        };
        print(&self.described(&difference, [&one, &other]));
        Status::Deviates
    }

    /// The game of a file.
    fn told(&self, file: &Path, protocol: Option<Protocol>) -> Result<FinishedGame, Diagnostics> {
        let (mut wanted, mut count) = (None, 0);
        each_game(
            file,
            self.dialect.as_deref(),
            protocol,
            &mut |number, told| {
                count = number;
                if number == self.game_number {
                    wanted = Some(told);
                }
            },
        )?;
        match wanted {
            Some(told) => told.map_err(Diagnostics::from),
            None => Err(game_files::no_such_game(
                &file.to_string_lossy(),
                self.game_number,
                count,
            )),
        }
    }

    fn described(&self, difference: &GameDifference, told: [&FinishedGame; 2]) -> String {
        let files = [&self.one, &self.other]
            .map(|file| visible::plain(&*file.to_string_lossy()).to_string());
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
                format!(
                    "different in turn {number}{equal}\n{sides}\n\nbefore turn {number}:\n{board}"
                )
            }
            GameDifference::End(ends) => format!("different ends\n{}", sides([&ends[0], &ends[1]])),
        }
    }
}
