//! What is made of a game that failed: a scenario that fails the same way, as short as it can be found.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::bot::{Settled, TIMES};
use super::players::Players;
use super::referee::Shortest;
use super::unwritable;
use crate::cli::{bless, subject::quote};
use crate::diagnostic::{self, visible};
use crate::event::{Outcome, Verdict};
use crate::explore::{self, Explorer, Planned, Script};
use crate::scenario::{self, Golden, Scenario, Side};

/// How often a game that may fail again is played, with another seed each time.
const TRIES: u64 = 3;

/// A game that failed.
pub(super) struct Failure {
    /// Which one of the exploration.
    pub(super) number: usize,
    pub(super) planned: Planned,
    pub(super) outcome: Outcome,
    pub(super) written: Vec<Written>,
    /// What keeps the scenario from being written.
    pub(super) unwritten: Option<String>,
}

/// A scenario that was written.
pub(super) struct Written {
    path: PathBuf,
    golden: Option<PathBuf>,
    turns: Option<usize>,
    /// How many turns the game had that failed.
    before: Option<usize>,
    /// Decides what is left to urtext in it.
    pub(super) seed: Option<u64>,
    pub(super) again: Again,
    /// What the subject would need to be played with it, where it lacks that.
    lacks: Option<String>,
}

/// What became of a scenario when it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// It fails, under this requirement.
    Fails(Option<&'static str>),
    /// Never.
    Passes,
    /// In so many of [`TIMES`] games with a bot.
    OfBot(usize),
    /// In some of so many games.
    Sometimes(usize, usize),
    /// It was not played.
    NotPlayed,
}

/// Under which requirement a game failed, and in which words, whatever the numbers in them.
pub(super) fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, String)> {
    let failed = outcome.findings.iter().find(|finding| finding.verdict == Verdict::Fail)?;
    let words = failed.title.chars().filter(|c| !c.is_ascii_digit()).collect();
    Some((failed.requirement, words))
}

/// Whether two games failed under the same requirement; where it is none, in the same words.
pub(super) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (reason(one), reason(other)) {
        (Some((Some(one), _)), Some((Some(other), _))) => one == other,
        (one, other) => one.is_some() && one == other,
    }
}

/// Whether it failed by something that did not come.
fn is_by_silence(outcome: &Outcome) -> bool {
    let failed = outcome.findings.iter().find(|finding| finding.verdict == Verdict::Fail);
    failed.is_some_and(|finding| finding.by_silence)
}

impl Failure {
    pub(super) fn new(number: usize, planned: Planned, outcome: Outcome) -> Failure {
        Failure { number, planned, outcome, written: Vec::new(), unwritten: None }
    }

    pub(super) fn requirement(&self) -> Option<&'static str> {
        reason(&self.outcome).and_then(|(requirement, _)| requirement)
    }

    /// Writes it down, after it has been shrunk where it can be forced, `tries` games at most.
    pub(super) async fn settle(
        &mut self,
        players: &Players,
        explorer: &Explorer,
        folder: &Path,
        tries: usize,
    ) {
        let Some(script) = Script::of(&self.planned.scenario, &self.outcome) else {
            self.unwritten = Some("the game broke off before it was known how it starts".to_owned());
            return;
        };
        let requirement = self.requirement();
        let name = file_name(requirement);
        let Some(scenario) = script.scenario(&name, requirement) else {
            self.unwritten = Some("no scenario can say what happened in it".to_owned());
            return;
        };
        let lacks = lacks(players, &scenario);
        let written = if tries == 0 {
            let written = self.write_game(folder, &name, &script, requirement);
            written.map(|written| vec![Written { lacks, ..written }])
        } else if script.side() == Side::Bot {
            self.settle_bot(players, explorer, script, folder, tries).await
        } else if lacks.is_none() {
            self.settle_referee(players, explorer, script, folder, tries).await
        } else {
            self.wait_for(players, explorer, &script, folder, &name, tries).await.and_then(|mut all| {
                let written = self.write_game(folder, &format!("{name}-forced"), &script, requirement)?;
                all.push(Written { lacks, ..written });
                Ok(all)
            })
        };
        match written {
            Ok(written) => self.written = written,
            Err(error) => self.unwritten = Some(error.to_string()),
        }
    }

    /// Writes the shortest game in which the referee fails; where the game itself does not fail again, a scenario that waits for what
    /// failed, or else the game as it went.
    async fn settle_referee(
        &self,
        players: &Players,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let (requirement, before) = (self.requirement(), Some(script.length()));
        let name = file_name(requirement);
        let (script, again) = match self.shortest_of_referee(players, &script, tries).await {
            Some(Shortest { script, failed, of }) if failed < of => (script, Again::Sometimes(failed, of)),
            Some(Shortest { script, .. }) => (script, Again::Fails(requirement)),
            None => {
                // Not all that was done is part of a game's turns.
                let waiting = self.wait_for(players, explorer, &script, folder, &name, tries).await?;
                if !waiting.is_empty() {
                    return Ok(waiting);
                }
                (script, Again::Passes)
            }
        };
        let written = self.write_game(folder, &name, &script, requirement)?;
        Ok(vec![Written { before, again, ..written }])
    }

    /// Writes the shortest game in which the bot fails; where it plays otherwise each time, a scenario that waits for what failed, and
    /// the game as it went.
    async fn settle_bot(
        &self,
        players: &Players,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let before = Some(script.length());
        let Settled { script, requirement, failed } = self.shortest_of_bot(players, script, tries).await;
        let name = file_name(requirement);
        let is_sure = failed == TIMES;
        let mut all = if is_sure {
            Vec::new()
        } else {
            self.wait_for(players, explorer, &script, folder, &name, tries).await?
        };
        let again = if is_sure { Again::Fails(requirement) } else { Again::OfBot(failed) };
        let seed = players.subject.takes("seed").then_some(self.planned.seed);
        let name = if all.is_empty() { name } else { format!("{name}-as-it-went") };
        let written = self.write_game(folder, &name, &script, requirement)?;
        all.push(Written { before, seed, again, ..written });
        Ok(all)
    }

    /// Whether a game that was played in haste failed as this one did. What did not come in haste is not what failed by something else.
    pub(super) fn fails_like(&self, outcome: &Outcome) -> bool {
        let is_hasty = self.awaits_silence() && !is_by_silence(&self.outcome);
        is_same(outcome, &self.outcome) && !(is_hasty && is_by_silence(outcome))
    }

    /// Whether something that did not come is part of how it failed.
    pub(super) fn awaits_silence(&self) -> bool {
        self.outcome.findings.iter().any(|finding| finding.by_silence)
    }

    /// Plays a scenario a few times; the seed with which it failed as this game did.
    pub(super) async fn fails(&self, players: &Players, scenario: Arc<Scenario>) -> Option<u64> {
        for seed in 0..TRIES {
            let seed = self.planned.seed.wrapping_add(seed);
            let outcomes = players.play(vec![(Arc::clone(&scenario), seed)]).await.ok()?;
            if outcomes.iter().any(|outcome| is_same(outcome, &self.outcome)) {
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
        let untried = candidates.filter(|script| tried.insert(script.text("", None)));
        let read = |script: Script| {
            let mut scenario = script.scenario("a shorter game", self.requirement())?;
            scenario.attempts = 1;
            Some((script, scenario))
        };
        let named = |(place, (script, mut scenario)): (usize, (Script, Scenario))| {
            scenario.name = format!("a shorter game, {}", place + 1);
            (script, Arc::new(scenario))
        };
        untried.filter_map(read).take(number).enumerate().map(named).collect()
    }

    /// Writes a game down as a scenario that is about this requirement.
    fn write_game(
        &self,
        folder: &Path,
        name: &str,
        script: &Script,
        requirement: Option<&'static str>,
    ) -> io::Result<Written> {
        let written = self.write(folder, name, &script.text(&explore::title(requirement), requirement))?;
        Ok(Written { turns: Some(script.length()), ..written })
    }

    /// Writes a scenario and, where its game is determined, its golden transcript.
    pub(super) fn write(&self, folder: &Path, name: &str, text: &str) -> io::Result<Written> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| io::Error::new(error.kind(), unwritable(&path, &error))
        };
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        let title = self.outcome.findings.first().map_or("", |finding| finding.title.as_str());
        let text = format!("# {}\n{text}", visible::plain(title).at_most(200));
        let path = free_path(folder, name, &text);
        std::fs::write(&path, &text).map_err(at(&path))?;
        let (scenarios, _) = scenario::load_file(&path);
        let mut golden = None;
        for scenario in scenarios {
            let Golden::File { path, .. } = scenario.golden.clone() else { continue };
            if let Some(transcript) = explore::rehearse(&Arc::new(scenario)) {
                bless::write(&path, &transcript).map_err(at(&path))?;
                golden = Some(path);
            }
        }
        Ok(Written {
            path,
            golden,
            turns: None,
            before: None,
            seed: None,
            again: Again::NotPlayed,
            lacks: None,
        })
    }

    /// What was made of it, line by line.
    pub(super) fn told(&self, arguments: &str, again: &str) -> Vec<String> {
        let mut lines: Vec<_> =
            self.unwritten.iter().map(|why| format!("no scenario is written: {why}")).collect();
        for written in &self.written {
            let path = visible::plain(written.path.as_os_str().as_encoded_bytes()).to_string();
            let turns = match (written.turns, written.before) {
                (None, _) => String::new(),
                (Some(1), None | Some(1)) => ", 1 turn".to_owned(),
                (Some(turns), Some(before)) if turns < before => format!(", {turns} of {before} turns"),
                (Some(turns), Some(_)) => format!(", {turns} turns, as many as the game had"),
                (Some(turns), None) => format!(", {turns} turns"),
            };
            let fails = match written.again {
                Again::Fails(Some(requirement)) if self.requirement() != Some(requirement) => {
                    format!("fails the same way, which shows as {requirement} there")
                }
                Again::Fails(_) => "fails the same way".to_owned(),
                Again::Passes => "did not fail again".to_owned(),
                Again::OfBot(times) => format!(
                    "the game as it went, which failed again in {times} of {TIMES} games: this bot plays otherwise each time"
                ),
                Again::Sometimes(times, of) => format!("failed again in {times} of {of} games"),
                Again::NotPlayed if written.lacks.is_none() => "the game as it went".to_owned(),
                Again::NotPlayed => "the game as it went, for a subject by which it can be forced".to_owned(),
            };
            let golden = if written.golden.is_some() { ", with its golden transcript" } else { "" };
            lines.push(format!("written {path}{turns}: {fails}{golden}"));
            lines.push(match &written.lacks {
                Some(lacks) => format!("  no command plays it with this subject: {lacks}"),
                None => format!("  repeat: {}", repeat(&written.path, written.seed, arguments)),
            });
        }
        lines.push(format!("  explore again: {again}"));
        lines
    }

    pub(super) fn as_json(&self, arguments: &str, again: &str) -> serde_json::Value {
        let finding = self.outcome.findings.first();
        let written = |written: &Written| {
            json!({
                "scenario": written.path,
                "golden": written.golden,
                "turns": written.turns,
                "before": written.before,
                "fails": (written.again != Again::NotPlayed).then_some(matches!(written.again, Again::Fails(_))),
                "failed": match written.again {
                    Again::OfBot(times) | Again::Sometimes(times, _) => Some(times),
                    _ => None,
                },
                "of": match written.again {
                    Again::OfBot(_) => Some(TIMES),
                    Again::Sometimes(_, of) => Some(of),
                    _ => None,
                },
                "requirement": match written.again {
                    Again::Fails(requirement) => requirement,
                    _ => None,
                },
                "lacks": written.lacks,
                "repeat": written.lacks.is_none().then(|| repeat(&written.path, written.seed, arguments)),
            })
        };
        json!({
            "game": self.number,
            "requirement": finding.and_then(|finding| finding.requirement),
            "title": finding.map(|finding| finding.title.clone()),
            "again": again,
            "unwritten": self.unwritten,
            "written": self.written.iter().map(written).collect::<Vec<_>>(),
        })
    }
}

/// What the subject would need to be played with in a scenario, and how that is said of one that has it.
fn lacks(players: &Players, scenario: &Scenario) -> Option<String> {
    let lacks = players.subject.lacks(scenario)?;
    let is_hook = players.subject.roll_hook.is_none() && !scenario.forced_rolls().is_empty();
    let said = if is_hook {
        "; one that it has is named by --rolls-env NAME, or by {rolls} in its command"
    } else {
        ""
    };
    Some(format!("{lacks}{said}"))
}

fn file_name(requirement: Option<&'static str>) -> String {
    requirement.unwrap_or("failure").replace('/', "-")
}

/// The command that plays a scenario.
fn repeat(path: &Path, seed: Option<u64>, arguments: &str) -> String {
    let seed = seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
    format!("urtext run {}{seed} {arguments}", quote(&path.to_string_lossy())).trim_end().to_owned()
}

/// The first file of this name, with a number where it needs one, that is not there or says this already.
fn free_path(folder: &Path, name: &str, text: &str) -> PathBuf {
    let names = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}-{number}")));
    let mut paths = names.map(|name| folder.join(format!("{name}.yaml")));
    let is_free = |path: &PathBuf| !path.exists() || diagnostic::holds(path, text.as_bytes());
    paths.find(is_free).expect("there are enough numbers")
}
