//! Which wrong readings of the rules fit the games of files, and the game that shows each best.

use std::path::PathBuf;

use crate::archive::{self, ArchiveReadings, FinishedGame, Judging, ReadOptions};
use crate::diagnostic::{Paint, counted};
use crate::finding::Verdict;
use crate::report::{ExplanationResult, NAMES_OTHERS, NamedGame, draw_game};

/// Causes of failures, and the games that show them.
#[derive(Default)]
pub(super) struct Explained {
    /// The causes, and for each reading whether a game refutes it.
    pub(super) result: ExplanationResult,
    /// The games that failed.
    failed: Vec<FinishedGame>,
    /// Number of games that say nothing of the rules.
    mute: usize,
}

impl Explained {
    /// Reads the games of these files once more. Whoever has judged them says what of them cannot be read.
    pub(super) fn read(files: &[PathBuf], options: &ReadOptions<'_>) -> Explained {
        let mut readings = ArchiveReadings::default();
        let whole = ReadOptions {
            judging: Judging::Whole,
            done: &|_| {},
            ..*options
        };
        archive::games(files, &whole, &mut |game| {
            if let Ok(game) = game {
                readings.take(&game);
            }
        });
        let mut explained = Explained {
            mute: readings.mute,
            ..Explained::default()
        };
        for games in readings.explain() {
            let named = games.games.iter().map(|(name, subject)| NamedGame {
                scenario: name,
                subject,
            });
            let named: Vec<_> = named.collect();
            let result = ExplanationResult::new(&games.explanation, &named);
            explained.result.append(result);
            explained.failed.extend(games.failed);
        }
        explained
    }

    /// Each cause with the finding of the game that shows it best, then what is ruled out. `is_verbose` names every reading that is not.
    pub(super) fn draw(&self, is_verbose: bool) -> String {
        let mut text = String::new();
        for cause in &self.result.causes {
            text += &format!("{}\n", self.result.sentence(cause));
            let shows = |game: &&FinishedGame| cause.explains.first() == Some(&game.name());
            if let Some(game) = self.failed.iter().find(shows) {
                let drawn = game.findings().iter().zip(draw_game(game, Paint::Coloured));
                let mut failed = drawn.filter(|(finding, _)| finding.verdict == Verdict::Fail);
                let finding = failed.next().map_or(String::new(), |(_, drawn)| drawn);
                text += &format!("\n{finding}\n");
            }
        }
        if self.mute > 0 {
            let games = counted(self.mute, "game");
            text += &format!("{games} cannot be explained: there are no rules\n");
        }
        let hint = if is_verbose { "" } else { NAMES_OTHERS };
        for line in self.result.ruled_out(is_verbose) {
            text += &format!("{line}{hint}\n");
        }
        text
    }
}
