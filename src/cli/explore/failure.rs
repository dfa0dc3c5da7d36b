//! What is made of a game that failed: a scenario that fails the same way, as short as it can be found.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::Players;
use crate::cli::{bless, subject::quote};
use crate::diagnostic::visible;
use crate::event::{Outcome, Verdict};
use crate::explore::{self, Explorer, Planned, Script};
use crate::scenario::{self, Golden, Scenario};

/// How often a scenario that may fail again is played, with another seed each time.
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
    /// Decides what is left to urtext in it.
    seed: Option<u64>,
    /// Whether it was seen to fail the same way.
    fails: Option<bool>,
}

/// Under which requirement a game failed, and in which words, whatever the numbers in them.
pub(super) fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, String)> {
    let failed = outcome.findings.iter().find(|finding| finding.verdict == Verdict::Fail)?;
    let words = failed.title.chars().filter(|c| !c.is_ascii_digit()).collect();
    Some((failed.requirement, words))
}

/// Whether two games failed under the same requirement; where it is none, in the same words.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (reason(one), reason(other)) {
        (Some((Some(one), _)), Some((Some(other), _))) => one == other,
        (one, other) => one.is_some() && one == other,
    }
}

impl Failure {
    fn requirement(&self) -> Option<&'static str> {
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
        let name = requirement.unwrap_or("failure").replace('/', "-");
        let Some(scenario) = script.scenario(&name, requirement) else {
            self.unwritten = Some("no scenario can say what happened in it".to_owned());
            return;
        };
        if tries == 0 {
            let text = script.text(&explore::title(requirement), requirement);
            match self.write(folder, &name, &text) {
                Ok(written) => {
                    self.written = vec![Written { turns: Some(script.length()), ..written }];
                }
                Err(error) => self.unwritten = Some(error.to_string()),
            }
            return;
        }
        let can_force = players.subject.lacks(&scenario).is_none();
        let written = if can_force {
            let fails = self.fails(players, Arc::new(scenario)).await.is_some();
            let script = if fails { self.shrunk_surely(players, script, tries).await } else { script };
            self.write(folder, &name, &script.text(&explore::title(requirement), requirement))
                .map(|written| vec![Written { turns: Some(script.length()), fails: Some(fails), ..written }])
        } else {
            self.wait_for(players, explorer, &script, folder, &name).await
        };
        match written {
            Ok(written) => self.written = written,
            Err(error) => self.unwritten = Some(error.to_string()),
        }
    }

    /// Writes a scenario that this subject can be played with, and the game as it went.
    async fn wait_for(
        &self,
        players: &Players,
        explorer: &Explorer,
        script: &Script,
        folder: &Path,
        name: &str,
    ) -> std::io::Result<Vec<Written>> {
        let requirement = self.requirement();
        let mut all = Vec::new();
        for text in explorer.waiting_for(&self.planned, script, requirement) {
            let Some(scenario) = explore::read(&text, name) else { continue };
            if let Some(seed) = self.fails(players, Arc::new(scenario)).await {
                let written = self.write(folder, name, &text)?;
                all.push(Written { seed: Some(seed), fails: Some(true), ..written });
                break;
            }
        }
        let text = script.text(&explore::title(requirement), requirement);
        let written = self.write(folder, &format!("{name}-forced"), &text)?;
        all.push(Written { turns: Some(script.length()), ..written });
        Ok(all)
    }

    /// Plays a scenario a few times; the seed with which it failed as this game did.
    async fn fails(&self, players: &Players, scenario: Arc<Scenario>) -> Option<u64> {
        for seed in 0..TRIES {
            let seed = self.planned.seed.wrapping_add(seed);
            let outcomes = players.play(vec![(Arc::clone(&scenario), seed)]).await.ok()?;
            if outcomes.iter().any(|outcome| is_same(outcome, &self.outcome)) {
                return Some(seed);
            }
        }
        None
    }

    /// The shortest game that was found to fail the same way, with as much patience as any game has.
    async fn shrunk_surely(&self, players: &Players, script: Script, tries: usize) -> Script {
        let hasty = players.hasty(self.outcome.findings.iter().any(|finding| finding.by_silence));
        let shrunk = self.shrunk(&hasty, script.clone(), tries).await;
        let Some(scenario) = shrunk.scenario("the shortest game", self.requirement()) else { return script };
        if self.fails(players, Arc::new(scenario)).await.is_some() { shrunk } else { script }
    }

    /// The shortest game that was found to fail the same way.
    async fn shrunk(&self, players: &Players, mut best: Script, tries: usize) -> Script {
        let requirement = self.requirement();
        let mut tried = HashSet::new();
        loop {
            let mut candidates = best.shorter();
            candidates.retain(|script| tried.len() < tries && tried.insert(script.text("", None)));
            let read = |script: Script| Some((script.scenario("a shorter game", requirement)?, script));
            let candidates: Vec<_> = candidates.into_iter().filter_map(read).collect();
            let mut found = None;
            for batch in candidates.chunks(super::AT_ONCE) {
                let games = batch
                    .iter()
                    .map(|(scenario, _)| (Arc::new(scenario.clone()), self.planned.seed))
                    .collect();
                let Ok(outcomes) = players.play(games).await else { return best };
                let fail = |outcome: &Outcome| is_same(outcome, &self.outcome);
                found = outcomes.iter().position(fail).map(|place| batch[place].1.clone());
                if found.is_some() || players.is_interrupted() {
                    break;
                }
            }
            match found {
                Some(shorter) => best = shorter,
                None => return best,
            }
        }
    }

    /// Writes a scenario and, where its game is determined, its golden transcript.
    fn write(&self, folder: &Path, name: &str, text: &str) -> std::io::Result<Written> {
        std::fs::create_dir_all(folder)?;
        let title = self.outcome.findings.first().map_or("", |finding| finding.title.as_str());
        let text = format!("# {}\n{text}", visible::plain(title).at_most(200));
        let path = free_path(folder, name, &text);
        std::fs::write(&path, &text)?;
        let (scenarios, _) = scenario::load_file(&path);
        let mut golden = None;
        for scenario in scenarios {
            let Golden::File { path, .. } = scenario.golden.clone() else { continue };
            if let Some(transcript) = explore::rehearse(&Arc::new(scenario)) {
                bless::write(&path, &transcript)?;
                golden = Some(path);
            }
        }
        Ok(Written { path, golden, turns: None, seed: None, fails: None })
    }

    /// What was made of it, line by line.
    pub(super) fn told(&self, arguments: &str, again: &str) -> Vec<String> {
        let mut lines: Vec<_> =
            self.unwritten.iter().map(|why| format!("no scenario is written: {why}")).collect();
        for written in &self.written {
            let path = visible::plain(written.path.as_os_str().as_encoded_bytes()).to_string();
            let turns = written.turns.map(|turns| format!(", {turns} turns")).unwrap_or_default();
            let fails = match written.fails {
                Some(true) => "fails the same way",
                Some(false) => "did not fail again",
                None => "the game as it went, for a subject by which it can be forced",
            };
            let golden = if written.golden.is_some() { ", with its golden transcript" } else { "" };
            lines.push(format!("written {path}{turns}: {fails}{golden}"));
            if written.fails.is_some() {
                lines.push(format!("  repeat: {}", repeat(&written.path, written.seed, arguments)));
            }
        }
        lines.push(format!("  explore again: {again}"));
        lines
    }

    pub(super) fn as_json(&self, arguments: &str) -> serde_json::Value {
        let finding = self.outcome.findings.first();
        let written = |written: &Written| {
            json!({
                "scenario": written.path,
                "golden": written.golden,
                "turns": written.turns,
                "fails": written.fails,
                "repeat": repeat(&written.path, written.seed, arguments),
            })
        };
        json!({
            "game": self.number,
            "requirement": finding.and_then(|finding| finding.requirement),
            "title": finding.map(|finding| finding.title.clone()),
            "written": self.written.iter().map(written).collect::<Vec<_>>(),
        })
    }
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
    let is_free =
        |path: &PathBuf| !path.exists() || std::fs::read(path).is_ok_and(|known| known == text.as_bytes());
    paths.find(is_free).expect("there are enough numbers")
}
