//! Scenarios that are kept because their files fail.

use std::io;
use std::path::Path;

use super::written::{self, Dropped, Rerun, UNWRITTEN, Written};
use super::{FailedGame, TIMES, is_same, reason};
use crate::event::Outcome;
use crate::explore::trials::Trials;
use crate::explore::{Script, title};
use crate::platform::write_output;
use crate::scenario::{self, Scenario, Side};
use crate::transcript::Direction;

/// Games with the file of a scenario that depends on chance, and the failures among them that it needs to be kept.
pub(super) const CHANCES: usize = 10;
pub(super) const LEAST_BY_CHANCE: usize = 3;

impl FailedGame {
    /// Writes a game as a scenario, and keeps it if it fails when its file is played: each time, or often enough where chance has a part although
    /// everything is forced on the referee.
    pub(super) async fn keep_game(
        &self,
        trials: &Trials,
        folder: &Path,
        name: &str,
        (game, whole): (&Script, &Script),
        requirement: Option<&'static str>,
    ) -> io::Result<Option<Written>> {
        if game.scenario(name, requirement).is_none() {
            return Ok(None);
        }
        let patient = trials.patient();
        let mut written = self.write_game(folder, name, game, requirement)?;
        written.before = Some(whole.length());
        written.seed = trials.is_seeded().then_some(self.planned.seed);
        written.again = Rerun::Fails(requirement);
        let seeds = [self.planned.seed; CHANCES];
        if game.side() == Side::Bot {
            return self.kept(&patient, written, &seeds[..TIMES], TIMES).await;
        }
        self.kept(&patient, written, &seeds, LEAST_BY_CHANCE).await
    }

    /// Plays the file of a scenario with these seeds, writes into it how often it failed, and keeps it if that was often enough. With
    /// one that fails each time it is left at [`TIMES`] games where all of them have the same seed.
    pub(super) async fn kept(
        &self,
        trials: &Trials,
        mut written: Written,
        seeds: &[u64],
        least: usize,
    ) -> io::Result<Option<Written>> {
        let requirement = match written.again {
            Rerun::Fails(requirement) => requirement,
            _ => self.requirement(),
        };
        let is_by_chance = seeds.windows(2).any(|pair| pair[0] != pair[1]);
        let first = if is_by_chance {
            seeds.len()
        } else {
            TIMES.min(seeds.len())
        };
        let mut outcomes = trials.play_file(&written.path, &seeds[..first]).await;
        let fails = |outcome: &Outcome| {
            is_same(outcome, &self.outcome)
                || requirement.is_some()
                    && reason(outcome).is_some_and(|(known, _)| known == requirement)
        };
        if outcomes.iter().filter(|outcome| fails(outcome)).count() < first {
            outcomes.extend(trials.play_file(&written.path, &seeds[first..]).await);
        }
        if trials.is_interrupted() {
            return Ok(Some(Written {
                again: Rerun::NotPlayed,
                ..written
            }));
        }
        let failed = outcomes.iter().filter(|outcome| fails(outcome)).count();
        let of = outcomes.len();
        if failed < least.min(of).max(1) {
            let is_same_bot = is_same_bot(std::iter::once(&self.outcome).chain(&outcomes));
            self.dropped.borrow_mut().push(Dropped {
                failed,
                of,
                is_same_bot,
            });
            written.remove()?;
            return Ok(None);
        }
        if is_by_chance {
            written.seed = seeds
                .iter()
                .zip(&outcomes)
                .find(|(_, outcome)| fails(outcome))
                .map(|(seed, _)| *seed);
        }
        written.again = if failed == of {
            Rerun::Fails(requirement)
        } else {
            Rerun::Sometimes(failed, of)
        };
        let comments = &mut written.scenario.comments;
        comments.push(format!("failed {failed} of {of}"));
        write_output(&written.path, scenario::write(&written.scenario).as_bytes())?;
        Ok(Some(written))
    }

    /// Writes a game down as a scenario that is about this requirement.
    pub(super) fn write_game(
        &self,
        folder: &Path,
        name: &str,
        script: &Script,
        requirement: Option<&'static str>,
    ) -> io::Result<Written> {
        let scenario = script.scenario(&title(requirement), requirement);
        let scenario = scenario.ok_or_else(|| io::Error::other(UNWRITTEN))?;
        let written = self.write(folder, name, scenario)?;
        Ok(Written {
            turns: Some(script.length()),
            ..written
        })
    }

    /// Writes a scenario, with the reason of the failure above it.
    pub(super) fn write(
        &self,
        folder: &Path,
        name: &str,
        scenario: Scenario,
    ) -> io::Result<Written> {
        let finding = self.outcome.findings.first();
        let comment = finding.map_or("", |finding| finding.title.as_str());
        written::write(folder, name, comment, scenario)
    }

    /// The scenario that failed most often, of those that were written and not kept.
    #[must_use]
    pub fn best_dropped(&self) -> Option<Dropped> {
        let dropped = self.dropped.borrow();
        let often = |dropped: &&Dropped| dropped.failed * CHANCES / dropped.of.max(1);
        let best = dropped.iter().max_by_key(often)?;
        Some(Dropped {
            is_same_bot: dropped.iter().all(|dropped| dropped.is_same_bot),
            ..*best
        })
    }
}

/// Returns true if a bot sent the same lines in all games, as far as both of two games went.
fn is_same_bot<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> bool {
    let said: Vec<Vec<_>> = outcomes
        .filter_map(|outcome| outcome.transcript.lanes.first())
        .map(|lane| lane.entries.iter().collect())
        .collect();
    said.windows(2).all(|pair| {
        let mut both = pair[0].iter().zip(&pair[1]);
        // Where something else was said to it, it may answer something else.
        both.find(|(one, other)| one != other)
            .is_none_or(|(one, _)| one.direction == Direction::Received)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::protocol::Line;
    use crate::transcript::{Entry, LaneLabel, LaneTranscript};

    /// Builds an outcome from lines that a bot received (`<`) and sent (`>`), one line a word.
    fn played(words: &str) -> Outcome {
        let entry = |word: &str| {
            let direction = if word.starts_with('<') {
                Direction::Received
            } else {
                Direction::Sent
            };
            Entry::new(direction, Line::new(&word.as_bytes()[1..]))
        };
        let entries = words.split(' ').map(entry).collect();
        let mut outcome = Outcome::new(&scenario::free_game(&CodeColosseum, 1));
        outcome.transcript.lanes = vec![LaneTranscript::new(LaneLabel::Unseated(1), entries)];
        outcome
    }

    #[test]
    fn a_bot_plays_otherwise_only_where_it_answers_the_same_lines_otherwise() {
        let is_same = |one: &str, other: &str| is_same_bot([played(one), played(other)].iter());
        assert!(is_same("<roll >3 <end", "<roll >3 <end"));
        assert!(
            is_same("<roll >3", "<roll >3 <roll >4"),
            "one game was shorter"
        );
        assert!(
            is_same("<roll >3 <1 >4", "<roll >3 <2 >5"),
            "something else was said to it"
        );
        assert!(!is_same("<roll >3 <1 >4", "<roll >3 <1 >5"));
    }
}
