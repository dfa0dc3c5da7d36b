//! Failed games, and the shortest scenario found that fails alike.

mod shortening;
mod written;

use std::io;
use std::path::{Path, PathBuf};

use super::script::Script;
use super::trials::Trials;
use super::{Explorer, Planned};
use crate::diagnostic::visible;
use crate::event::Outcome;
use crate::mistake;
use crate::scenario::Side;
use shortening::{Count, Shortening, TIMES, requirement};
pub use written::{Written, unwritable};

/// Number of earlier candidates that are tried when the shortest one does not fail often enough.
const BACK: usize = 4;
/// Number of games with a scenario that depends on chance.
const CHANCES: usize = 10;
/// Maximum number of turns of a game in which the bot chooses every answer, because a dry run has to follow
/// all possible choices.
const LONGEST_FREE: usize = 24;
/// Number of further turns for a game whose own turns do not show the failure.
const PLAYED_ON: usize = 2;

/// Reason why there is no scenario of a game.
const UNWRITTEN: &str = "no scenario can say what happened in it";

/// A game that failed, and what is written of it.
pub struct FailedGame {
    /// Number of the game in the exploration.
    pub number: usize,
    /// The game as it was planned.
    pub planned: Planned,
    /// Outcome of the game.
    pub outcome: Outcome,
    /// The scenario that was written.
    pub written: Option<Written>,
    /// Reason why none is.
    pub unwritten: Option<String>,
    /// The recording of the game, where no scenario is written.
    pub recording: Option<PathBuf>,
}

impl FailedGame {
    pub(super) fn new(number: usize, planned: Planned, outcome: Outcome) -> FailedGame {
        FailedGame {
            number,
            planned,
            outcome,
            written: None,
            unwritten: None,
            recording: None,
        }
    }

    /// Id of the requirement under which it failed.
    #[must_use]
    pub fn requirement(&self) -> Option<&'static str> {
        requirement(&self.outcome)
    }

    /// Shortens the failure with at most `tries` games for each way to do it, and writes the scenario; where none fails often enough, keeps
    /// the recording of the game. With no tries the whole game is written, and not played again.
    pub(super) async fn settle(
        &mut self,
        trials: &Trials,
        explorer: &Explorer,
        folder: &Path,
        tries: usize,
    ) {
        let ledger = explorer.ledger().clone();
        let Some(plan) = self.planned.scenario.game() else {
            return;
        };
        let seed = self.planned.seed;
        let mut games = Shortening::new(trials, ledger, plan, &self.outcome, seed, tries);
        match self.write_down(&mut games, folder, tries).await {
            Ok(written) => self.written = Some(written),
            Err(error) => self.unwritten = Some(error.to_string()),
        }
        let rows = match games.cause(&self.outcome) {
            Some(row) => vec![row],
            None => games.mistakes(&self.outcome),
        };
        mistake::suppose(rows, plan, &mut self.outcome);
        if self.written.is_none()
            && let Some(recording) = trials.recording_of(&self.planned.scenario.name)
        {
            let name = written::file_name(self.requirement());
            match written::keep_recording(&recording, folder, &name) {
                Ok(path) => self.recording = Some(path),
                Err(error) => self.unwritten = Some(error.to_string()),
            }
        }
    }

    /// Writes the shortest game that fails alike; where none is known, the whole game.
    async fn write_down(
        &self,
        games: &mut Shortening<'_>,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Written> {
        let script = Script::of(&self.planned.scenario, &self.outcome);
        let unknown = "the game broke off before it was known how it starts";
        let script = script.ok_or_else(|| io::Error::other(unknown))?;
        let scenario = script.scenario(self.requirement());
        let scenario = scenario.ok_or_else(|| io::Error::other(UNWRITTEN))?;
        if tries == 0 {
            return self.write(games, folder, [&script; 2], Count::default());
        }
        let subject = &games.trials.subject;
        let played = subject.as_played(scenario);
        games.is_by_chance = played.is_by_chance();
        if let Some(why) = subject.missing_capability(&played) {
            return Err(io::Error::other(why));
        }
        let mut starts = Vec::from_iter(games.told(&script).await?);
        starts.extend(games.with_pauses(&script).await?);
        let after = script.played_on_for(PLAYED_ON);
        starts.extend([script.clone(), after].map(|start| (start, self.outcome.clone())));
        let by_silence = self.outcome.failed_by_silence();
        let hasty = by_silence.then(|| games.trials.hasty(self.outcome.slowest));
        let patient = games.trials.patient();
        for (start, like) in starts {
            for trials in hasty.iter().flatten().chain([&patient]) {
                games.like.clone_from(&like);
                if !games.fails(trials, &start, TIMES).await?.is_often() {
                    continue;
                }
                let found = games.shorten(trials, &start).await?.into_iter().rev();
                let whole = (start.clone(), like.clone());
                for (game, like) in found.take(BACK).chain([whole]) {
                    games.like = like;
                    if let Some(written) = self.keep(games, folder, game, &script).await? {
                        return Ok(written);
                    }
                }
            }
        }
        let best = match games.best_dropped {
            Some((failed, of)) => format!("the best one failed {failed} of {of} games"),
            None => "none that was tried failed again often enough".to_owned(),
        };
        // Nothing fails again of one that chooses otherwise.
        let hint = match script.side() {
            Side::Bot => "; does this bot play the same each time?",
            Side::Referee => "",
        };
        Err(io::Error::other(best + hint))
    }

    /// Writes a game if it fails often enough with full timeouts: of a bot, if possible, with its moves left to it.
    async fn keep(
        &self,
        games: &mut Shortening<'_>,
        folder: &Path,
        game: Script,
        whole: &Script,
    ) -> io::Result<Option<Written>> {
        let is_free = game.side() == Side::Bot && game.length() <= LONGEST_FREE;
        let freed = is_free.then(|| game.freed());
        let patient = games.trials.patient();
        for game in freed.into_iter().chain([game]) {
            let times = if games.is_by_chance { CHANCES } else { TIMES };
            let count = games.fails(&patient, &game, times).await?;
            if count.is_often() || patient.is_interrupted() {
                return self.write(games, folder, [&game, whole], count).map(Some);
            }
        }
        Ok(None)
    }

    /// Writes a game as a scenario that is about the requirement under which it fails.
    fn write(
        &self,
        games: &Shortening<'_>,
        folder: &Path,
        [game, whole]: [&Script; 2],
        count: Count,
    ) -> io::Result<Written> {
        let requirement = requirement(&games.like);
        let scenario = game.scenario(requirement);
        let scenario = scenario.ok_or_else(|| io::Error::other(UNWRITTEN))?;
        let finding = self.outcome.findings.first();
        let title = finding.map_or("", |finding| &*finding.title);
        let mut comment = format!("# {}\n", visible::plain(title).at_most(200));
        if count.of > 0 {
            comment += &format!("# failed {} of {}\n", count.failed, count.of);
        }
        let name = written::file_name(requirement);
        let (path, golden) = written::write(folder, &name, &comment, &scenario)?;
        let is_seeded = games.is_by_chance || games.trials.is_seeded();
        Ok(Written {
            path,
            golden,
            turns: game.length(),
            before: whole.length(),
            requirement,
            failed: count.failed,
            of: count.of,
            seed: count.seed.filter(|_| is_seeded),
        })
    }
}
