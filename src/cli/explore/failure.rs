//! Reduction of a failed game to the shortest scenario found that fails alike.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::players::Players;
use crate::cli::{bless, subject::quote};
use crate::diagnostic::{self, visible};
use crate::event::{Outcome, Verdict};
use crate::explore::{self, Explorer, Planned, Script};
use crate::scenario::{self, Golden, Scenario, Side};
use crate::transcript::Direction;

/// Games with the file of a scenario that depends on chance, and the failures among them that it needs to be kept.
pub(super) const CHANCES: usize = 10;
pub(super) const LEAST_BY_CHANCE: usize = 3;

/// Reason why there is no scenario of a game.
const UNWRITTEN: &str = "no scenario can say what happened in it";

/// Prefix of the line that counts the failures of a kept scenario.
const FAILED: &str = "failed ";

/// Number of plays of a game that must all fail before the game counts as one that always fails.
pub(super) const TIMES: usize = 3;
/// Number of earlier candidates that are tried when the shortest one does not always fail.
pub(super) const BACK: usize = 4;

/// Number of plays, each with another seed, of a game that may fail again.
const TRIES: u64 = 3;

/// A game that failed.
pub(super) struct Failure {
    /// Number of the game in the exploration.
    pub(super) number: usize,
    pub(super) planned: Planned,
    pub(super) outcome: Outcome,
    pub(super) written: Vec<Written>,
    /// Reason why no scenario is written.
    pub(super) unwritten: Option<String>,
    /// In how many of how many games the scenarios failed that were written and not kept, and whether a bot played as in the game.
    pub(super) dropped: RefCell<Vec<Dropped>>,
    /// The recording of the game, where no scenario is kept.
    recording: Option<PathBuf>,
}

/// A scenario that did not fail often enough to be kept.
pub(super) struct Dropped {
    failed: usize,
    of: usize,
    /// True if the bot under test sent the same lines in each game, as far as each game went.
    is_same_bot: bool,
}

/// A scenario that was written.
pub(super) struct Written {
    path: PathBuf,
    scenario: Scenario,
    golden: Option<PathBuf>,
    turns: Option<usize>,
    /// Number of turns of the original failed game.
    before: Option<usize>,
    /// Decides what is left to urtext in it.
    pub(super) seed: Option<u64>,
    pub(super) again: Rerun,
    /// Capability that the subject lacks to play the scenario.
    missing_capability: Option<String>,
}

/// Result of playing a scenario from its file again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rerun {
    /// It fails each time, under this requirement.
    Fails(Option<&'static str>),
    /// In some of so many games.
    Sometimes(usize, usize),
    /// It was not played.
    NotPlayed,
}

/// Under which requirement a game failed, and in which words, whatever the numbers in them.
pub(super) fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, String)> {
    let failed = outcome
        .findings
        .iter()
        .find(|finding| finding.verdict == Verdict::Fail)?;
    let words = failed
        .title
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect();
    Some((failed.requirement, words))
}

/// Returns true if two games failed under the same requirement, or with the same words if there is no
/// requirement.
pub(super) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (reason(one), reason(other)) {
        (Some((Some(one), _)), Some((Some(other), _))) => one == other,
        (one, other) => one.is_some() && one == other,
    }
}

/// Returns true if the game failed because an expected line did not arrive.
fn is_by_silence(outcome: &Outcome) -> bool {
    let failed = outcome
        .findings
        .iter()
        .find(|finding| finding.verdict == Verdict::Fail);
    failed.is_some_and(|finding| finding.by_silence)
}

impl Failure {
    pub(super) fn new(number: usize, planned: Planned, outcome: Outcome) -> Failure {
        let (written, dropped) = (Vec::new(), RefCell::default());
        Failure {
            number,
            planned,
            outcome,
            written,
            unwritten: None,
            dropped,
            recording: None,
        }
    }

    pub(super) fn requirement(&self) -> Option<&'static str> {
        reason(&self.outcome).and_then(|(requirement, _)| requirement)
    }

    /// Shrinks the failure if its rolls can be forced, with at most `tries` games, and writes the scenario. A
    /// scenario whose file does not fail is dropped; if all are, the game's recording is kept.
    pub(super) async fn settle(
        &mut self,
        players: &Players,
        explorer: &Explorer,
        folder: &Path,
        tries: usize,
    ) {
        self.write_down(players, explorer, folder, tries).await;
        if self
            .written
            .iter()
            .any(|written| written.missing_capability.is_none())
        {
            return;
        }
        let Some(recording) = players.recording_of(&self.planned.scenario.name) else {
            return;
        };
        let name = file_name(self.requirement());
        match keep_recording(&recording, folder, &name) {
            Ok(path) => self.recording = Some(path),
            Err(error) => self.unwritten = Some(error.to_string()),
        }
    }

    async fn write_down(
        &mut self,
        players: &Players,
        explorer: &Explorer,
        folder: &Path,
        tries: usize,
    ) {
        let Some(script) = Script::of(&self.planned.scenario, &self.outcome) else {
            self.unwritten =
                Some("the game broke off before it was known how it starts".to_owned());
            return;
        };
        let requirement = self.requirement();
        let name = file_name(requirement);
        let Some(scenario) = script.scenario(&name, requirement) else {
            self.unwritten = Some(UNWRITTEN.to_owned());
            return;
        };
        let missing_capability = missing_capability(players, &scenario);
        let written = if tries == 0 {
            let written = self.write_game(folder, &name, &script, requirement);
            written.map(|written| {
                vec![Written {
                    missing_capability,
                    ..written
                }]
            })
        } else if script.side() == Side::Bot {
            self.settle_bot(players, explorer, script, folder, tries)
                .await
        } else if missing_capability.is_none() {
            self.settle_referee(players, explorer, script, folder, tries)
                .await
        } else {
            self.wait_for(players, explorer, &script, folder, &name, tries)
                .await
                .and_then(|mut all| {
                    let written =
                        self.write_game(folder, &format!("{name}-forced"), &script, requirement)?;
                    all.push(Written {
                        missing_capability,
                        ..written
                    });
                    Ok(all)
                })
        };
        match written {
            Ok(written) => self.written = written,
            Err(error) => self.unwritten = Some(error.to_string()),
        }
    }

    /// Writes the shortest game in which the referee fails; where none is known, the whole game; where that does not fail again, a scenario that
    /// waits for what failed.
    async fn settle_referee(
        &self,
        players: &Players,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let (requirement, name) = (self.requirement(), file_name(self.requirement()));
        let shortest = self.shortest_of_referee(players, &script, tries).await;
        let shortest = shortest.filter(|shortest| shortest.length() < script.length());
        for game in [
            shortest,
            Some(script.clone()),
            Some(script.with_turns_after()),
        ]
        .into_iter()
        .flatten()
        {
            if let Some(written) = self
                .keep_game(players, folder, &name, (&game, &script), requirement)
                .await?
            {
                return Ok(vec![written]);
            }
        }
        // Not all that was done is part of a game's turns.
        self.wait_for(players, explorer, &script, folder, &name, tries)
            .await
    }

    /// Writes the shortest game in which the bot fails; where none is known, the whole game; where that does not fail again, a scenario that waits
    /// for what failed.
    async fn settle_bot(
        &self,
        players: &Players,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let whole = (script.clone(), self.requirement());
        let shortest = match self.in_a_skipped_turn(players, &script).await {
            Some(clearer) => {
                let shown = Script::of(&clearer.planned.scenario, &clearer.outcome);
                clearer
                    .shortest_of_bot(players, shown.unwrap_or_else(|| script.clone()), tries)
                    .await
            }
            None => self.shortest_of_bot(players, script.clone(), tries).await,
        };
        let shortest = Some(shortest).filter(|(game, requirement)| {
            game.length() < script.length() || *requirement != self.requirement()
        });
        let on = (script.with_turns_after(), whole.1);
        for (game, requirement) in [shortest, Some(whole), Some(on)].into_iter().flatten() {
            let name = file_name(requirement);
            if let Some(written) = self
                .keep_game(players, folder, &name, (&game, &script), requirement)
                .await?
            {
                return Ok(vec![written]);
            }
        }
        let name = file_name(self.requirement());
        self.wait_for(players, explorer, &script, folder, &name, tries)
            .await
    }

    /// Writes a game as a scenario, and keeps it if it fails when its file is played: each time, or often enough where chance has a part although
    /// everything is forced on the referee.
    async fn keep_game(
        &self,
        players: &Players,
        folder: &Path,
        name: &str,
        (game, whole): (&Script, &Script),
        requirement: Option<&'static str>,
    ) -> io::Result<Option<Written>> {
        if game.scenario(name, requirement).is_none() {
            return Ok(None);
        }
        let patient = players.patient();
        let mut written = self.write_game(folder, name, game, requirement)?;
        written.before = Some(whole.length());
        written.seed = players.is_seeded().then_some(self.planned.seed);
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
        players: &Players,
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
        let mut outcomes = players.play_file(&written.path, &seeds[..first]).await;
        let fails = |outcome: &Outcome| {
            is_same(outcome, &self.outcome)
                || requirement.is_some()
                    && reason(outcome).is_some_and(|(known, _)| known == requirement)
        };
        if outcomes.iter().filter(|outcome| fails(outcome)).count() < first {
            outcomes.extend(players.play_file(&written.path, &seeds[first..]).await);
        }
        if players.is_interrupted() {
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
        comments.push(format!("{FAILED}{failed} of {of}"));
        std::fs::write(&written.path, scenario::write(&written.scenario))?;
        Ok(Some(written))
    }

    /// Returns true if a game with short timeouts failed as this one did. A line missing only under short
    /// timeouts is another failure.
    pub(super) fn fails_like(&self, outcome: &Outcome) -> bool {
        let is_hasty = self.awaits_silence() && !is_by_silence(&self.outcome);
        is_same(outcome, &self.outcome) && !(is_hasty && is_by_silence(outcome))
    }

    /// Returns true if a missing line is part of the failure.
    pub(super) fn awaits_silence(&self) -> bool {
        self.outcome
            .findings
            .iter()
            .any(|finding| finding.by_silence)
    }

    /// Plays a scenario a few times; the seed with which it failed as this game did.
    pub(super) async fn fails(&self, players: &Players, scenario: Arc<Scenario>) -> Option<u64> {
        for seed in 0..TRIES {
            let seed = self.planned.seed.wrapping_add(seed);
            let outcomes = players
                .play(vec![(Arc::clone(&scenario), seed)])
                .await
                .ok()?;
            if outcomes
                .iter()
                .any(|outcome| is_same(outcome, &self.outcome))
            {
                return Some(seed);
            }
        }
        None
    }

    /// The next games to be tried, so many.
    pub(super) fn untried(
        &self,
        candidates: &mut impl Iterator<Item = Script>,
        tried: &mut HashSet<String>,
        number: usize,
    ) -> Vec<(Script, Arc<Scenario>)> {
        let untried = candidates
            .filter(|script| tried.insert(scenario::write(&script.as_scenario("", None))));
        let read = |script: Script| {
            let mut scenario = script.scenario("a shorter game", self.requirement())?;
            scenario.attempts = 1;
            Some((script, scenario))
        };
        let named = |(place, (script, mut scenario)): (usize, (Script, Scenario))| {
            scenario.name = format!("a shorter game, {}", place + 1);
            (script, Arc::new(scenario))
        };
        untried
            .filter_map(read)
            .take(number)
            .enumerate()
            .map(named)
            .collect()
    }

    /// Writes a game down as a scenario that is about this requirement.
    fn write_game(
        &self,
        folder: &Path,
        name: &str,
        script: &Script,
        requirement: Option<&'static str>,
    ) -> io::Result<Written> {
        let scenario = script.scenario(&explore::title(requirement), requirement);
        let scenario = scenario.ok_or_else(|| io::Error::other(UNWRITTEN))?;
        let written = self.write(folder, name, scenario)?;
        Ok(Written {
            turns: Some(script.length()),
            ..written
        })
    }

    /// Writes a scenario and, where its game is determined, its golden transcript.
    pub(super) fn write(
        &self,
        folder: &Path,
        name: &str,
        mut scenario: Scenario,
    ) -> io::Result<Written> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| io::Error::new(error.kind(), unwritable(&path, &error))
        };
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        let title = self
            .outcome
            .findings
            .first()
            .map_or("", |finding| finding.title.as_str());
        scenario.comments = vec![visible::plain(title).at_most(200).to_string()];
        let text = scenario::write(&scenario);
        let path = free_path(folder, name, "yaml", text.as_bytes());
        std::fs::write(&path, &text).map_err(at(&path))?;
        let (scenarios, _) = scenario::load_file(&path);
        let mut golden = None;
        for scenario in scenarios {
            let Golden::File { path, .. } = scenario.golden.clone() else {
                continue;
            };
            if let Some(transcript) = explore::dry_run(&Arc::new(scenario)) {
                bless::write(&path, &transcript).map_err(at(&path))?;
                golden = Some(path);
            }
        }
        Ok(Written {
            path,
            scenario,
            golden,
            turns: None,
            before: None,
            seed: None,
            again: Rerun::NotPlayed,
            missing_capability: None,
        })
    }

    /// Returns the report about the written scenarios, line by line.
    pub(super) fn told(&self, arguments: &str, again: &str) -> Vec<String> {
        let mut lines: Vec<_> = self
            .unwritten
            .iter()
            .map(|why| format!("no scenario is written: {why}"))
            .collect();
        for written in &self.written {
            let path = visible::plain(written.path.as_os_str().as_encoded_bytes()).to_string();
            let turns = match (written.turns, written.before) {
                (None, _) => String::new(),
                (Some(1), None | Some(1)) => ", 1 turn".to_owned(),
                (Some(turns), Some(before)) if turns < before => {
                    format!(", {turns} of {before} turns")
                }
                (Some(turns), Some(_)) => format!(", {turns} turns, as many as the game had"),
                (Some(turns), None) => format!(", {turns} turns"),
            };
            let fails = match written.again {
                Rerun::Fails(Some(requirement)) if self.requirement() != Some(requirement) => {
                    format!("fails the same way, which shows as {requirement} there")
                }
                Rerun::Fails(_) => "fails the same way".to_owned(),
                Rerun::Sometimes(times, of) => format!("failed {times} of {of} games"),
                Rerun::NotPlayed if written.missing_capability.is_none() => {
                    "the failed game, not shortened".to_owned()
                }
                Rerun::NotPlayed => {
                    "the failed game; needs a subject that accepts forced rolls".to_owned()
                }
            };
            let golden = if written.golden.is_some() {
                ", with its golden transcript"
            } else {
                ""
            };
            lines.push(format!("written {path}{turns}: {fails}{golden}"));
            lines.push(match &written.missing_capability {
                Some(missing_capability) => {
                    format!("  no command plays it with this subject: {missing_capability}")
                }
                None => format!(
                    "  repeat: {}",
                    repeat(&written.path, written.seed, arguments)
                ),
            });
        }
        if let Some(recording) = &self.recording {
            let path = visible::plain(recording.as_os_str().as_encoded_bytes()).to_string();
            lines.push(format!("written {path}: the recording of the game"));
            if self.unwritten.is_none() {
                lines.push(format!("  no scenario is kept: {}", self.why_dropped()));
            }
        }
        lines.push(format!("  explore again: {again}"));
        lines
    }

    /// Returns the reason why no scenario is kept, of those that were written and played.
    fn why_dropped(&self) -> String {
        let dropped = self.dropped.borrow();
        let often = |dropped: &&Dropped| dropped.failed * CHANCES / dropped.of.max(1);
        let Some(best) = dropped.iter().max_by_key(often) else {
            return "none that was tried failed again often enough".to_owned();
        };
        let Dropped { failed, of, .. } = best;
        let bot = match self.planned.scenario.side {
            Side::Referee => "",
            Side::Bot if dropped.iter().all(|dropped| dropped.is_same_bot) => {
                ", although the bot played as in the game that failed"
            }
            Side::Bot => ": this bot plays otherwise each time",
        };
        format!("the best one failed {failed} of {of} games{bot}")
    }

    pub(super) fn as_json(&self, arguments: &str, again: &str) -> serde_json::Value {
        let finding = self.outcome.findings.first();
        let written = |written: &Written| {
            json!({
                "scenario": written.path,
                "golden": written.golden,
                "turns": written.turns,
                "before": written.before,
                "fails": (written.again != Rerun::NotPlayed).then_some(matches!(written.again, Rerun::Fails(_))),
                "failed": match written.again {
                    Rerun::Sometimes(times, _) => Some(times),
                    _ => None,
                },
                "of": match written.again {
                    Rerun::Sometimes(_, of) => Some(of),
                    _ => None,
                },
                "requirement": match written.again {
                    Rerun::Fails(requirement) => requirement,
                    _ => None,
                },
                "lacks": written.missing_capability,
                "repeat": written.missing_capability.is_none().then(|| repeat(&written.path, written.seed, arguments)),
            })
        };
        json!({
            "game": self.number,
            "requirement": finding.and_then(|finding| finding.requirement),
            "title": finding.map(|finding| finding.title.clone()),
            "again": again,
            "unwritten": self.unwritten.clone().or_else(|| self.recording.as_ref().map(|_| self.why_dropped())),
            "recording": self.recording,
            "written": self.written.iter().map(written).collect::<Vec<_>>(),
        })
    }
}

impl Written {
    /// Removes what was written.
    fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)?;
        self.golden.as_ref().map_or(Ok(()), std::fs::remove_file)
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

/// Copies a recording to where it is kept.
fn keep_recording(recording: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut text = Vec::new();
    diagnostic::open(recording)?.read_to_end(&mut text)?;
    std::fs::create_dir_all(folder)?;
    let path = free_path(folder, name, "jsonl", &text);
    std::fs::write(&path, text)
        .map_err(|error| io::Error::new(error.kind(), unwritable(&path, &error)))?;
    Ok(path)
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = visible::plain(path.as_os_str().as_encoded_bytes()).to_string();
    format!("{path} cannot be written: {error}")
}

/// Returns the capability that the subject lacks to play the scenario, with advice on how to name the
/// capability.
fn missing_capability(players: &Players, scenario: &Scenario) -> Option<String> {
    let missing_capability = players.subject.missing_capability(scenario)?;
    let is_hook = players.subject.roll_hook.is_none() && !scenario.forced_rolls().is_empty();
    let said = if is_hook {
        "; one that it has is named by --rolls-env NAME, or by {rolls} in its command"
    } else {
        ""
    };
    Some(format!("{missing_capability}{said}"))
}

fn file_name(requirement: Option<&'static str>) -> String {
    requirement.unwrap_or("failure").replace('/', "-")
}

/// The command that plays a scenario.
fn repeat(path: &Path, seed: Option<u64>, arguments: &str) -> String {
    let seed = seed
        .map(|seed| format!(" --seed {seed}"))
        .unwrap_or_default();
    format!(
        "urtext run {}{seed} {arguments}",
        quote(&path.to_string_lossy())
    )
    .trim_end()
    .to_owned()
}

/// The first file of this name, with a number where it needs one, that is not there or says this already, however often that failed.
fn free_path(folder: &Path, name: &str, ending: &str, text: &[u8]) -> PathBuf {
    let names =
        std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}-{number}")));
    let mut paths = names.map(|name| folder.join(format!("{name}.{ending}")));
    let is_free = |path: &PathBuf| {
        let counted = || {
            let mut known = String::new();
            let limit = text.len() as u64 + 100;
            diagnostic::open(path)
                .ok()?
                .take(limit)
                .read_to_string(&mut known)
                .ok()?;
            let (title, count) = known.split_once('\n')?;
            let (count, rest) = count.split_once('\n')?;
            let count = count.strip_prefix("# ")?;
            Some(count.starts_with(FAILED) && format!("{title}\n{rest}").as_bytes() == text)
        };
        !path.exists() || diagnostic::holds(path, text) || counted() == Some(true)
    };
    paths.find(is_free).expect("there are enough numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::protocol::Dialect;
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
            Entry {
                direction,
                line: Line::new(&word.as_bytes()[1..]),
            }
        };
        let entries = words.split(' ').map(entry).collect();
        let mut outcome = Outcome::new(&scenario::free_game(CodeColosseum.game(), 1));
        outcome.transcript.lanes = vec![LaneTranscript {
            label: LaneLabel::Unseated(1),
            entries,
        }];
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
