//! Which wrong readings of the rules fit the games of files, and the game that shows each best.

use std::path::PathBuf;

use crate::archive::{
    self, ArchiveReadings, ExplainedFailure, ExplainedGames, Judging, ReadOptions,
};
use crate::diagnostic::{Paint, counted};
use crate::report::{ExplanationResult, NamedGame, draw_finding, draw_in_file};

/// Causes of failures, and the games that show them.
#[derive(Default)]
pub(super) struct Explained {
    /// The causes, and for each reading whether a game refutes it.
    pub(super) result: ExplanationResult,
    /// The name of each game that failed and its finding, drawn.
    failed: Vec<(String, String)>,
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
                readings.take(game);
            }
        });
        let mut explained = Explained {
            mute: readings.mute,
            ..Explained::default()
        };
        for games in readings.explain() {
            explained.add(games);
        }
        explained
    }

    /// Each cause with the finding of the game that shows it best, then what is ruled out. `is_verbose` names every reading that is not.
    pub(super) fn draw(&self, is_verbose: bool) -> String {
        let mut text = String::new();
        for cause in &self.result.causes {
            text += &format!("{}\n", self.result.sentence(cause));
            let shows = |(name, _): &&(String, String)| cause.explains.first() == Some(name);
            if let Some((_, finding)) = self.failed.iter().find(shows) {
                text += &format!("\n{finding}\n");
            }
        }
        if self.mute > 0 {
            let games = counted(self.mute, "game");
            text += &format!("{games} cannot be explained: there are no rules\n");
        }
        text + &self.result.draw_ruled_out(is_verbose)
    }

    fn add(&mut self, games: ExplainedGames) {
        let named = games.games.iter().map(|(name, subject)| NamedGame {
            scenario: name,
            subject,
        });
        let named: Vec<_> = named.collect();
        self.result
            .append(ExplanationResult::new(&games.explanation, &named));
        for (number, failure) in &games.failures {
            let drawn = match failure {
                ExplainedFailure::InFile(finding) => draw_in_file(finding).draw(Paint::Coloured),
                ExplainedFailure::Recorded(outcome) => {
                    outcome.failure().map_or_else(String::new, |finding| {
                        draw_finding(outcome, finding, true, Paint::Coloured)
                    })
                }
            };
            self.failed.push((games.games[*number].0.clone(), drawn));
        }
    }
}
