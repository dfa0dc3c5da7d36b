//! Writing a game down while it runs.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::run_plan::{GamePlan, Round};
use crate::event::{Event, Outcome, What};
use crate::finding::Finding;
use crate::judge::Settings;
use crate::platform::{append_below, create_below, remove_below};
use crate::protocol::LaneKind;
use crate::scenario::{Scenario, to_script};
use crate::transcript::recording::{Header, Record, STEERING, Writer};

/// Writes events to a recording, where one is wanted.
#[derive(Debug, Default)]
pub(super) struct Recorder(Option<Writer<File>>);

impl Recorder {
    /// Begins the recording of a game in a folder, under the scenario's name: `NAME.jsonl`, or
    /// `NAME.again.jsonl` for the second game. Replaces an existing file.
    pub(super) fn open(
        file: Option<(&Path, Round)>,
        scenario: &Scenario,
        game: &GamePlan,
        settings: &Settings,
    ) -> io::Result<Recorder> {
        let Some((folder, round)) = file else {
            return Ok(Recorder(None));
        };
        let (players, spectators) = scenario.lanes();
        let mut lanes = vec![LaneKind::Player; players];
        lanes.resize(players + spectators, LaneKind::Spectator);
        let mut header = Header::new(scenario.protocol(), &lanes);
        header.subject = Some(scenario.side().word().to_owned());
        header.name = Some(game.subject.name.clone());
        header.is_again = round == Round::Again;
        header.scenario = Some(to_script(scenario, game.golden.as_deref()));
        header.parameters = settings.to_parameters();
        if let Some(plan) = scenario.game()
            && let Some(steering) = &plan.steering
        {
            let value = steering.to_json(plan.dialect.game());
            header.parameters.insert(STEERING.to_owned(), value);
        }
        let name = file_name(scenario, round);
        if round == Round::First {
            // That of an earlier run.
            let _ = remove_below(folder, &file_name(scenario, Round::Again));
        }
        match Writer::new(create_below(folder, &name)?, &header) {
            Ok(writer) => Ok(Recorder(Some(writer))),
            Err(error) => {
                // Half a header is of no use to anybody.
                let _ = remove_below(folder, &name);
                Err(error)
            }
        }
    }

    /// Takes an event; most are written out only by [`Recorder::write_out`].
    pub(super) fn event(&mut self, event: &Event) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |writer| writer.event(event))
    }

    /// Writes out what has been kept.
    pub(super) fn write_out(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Writer::write_out)
    }

    /// Ends the recording with what the subject wrote to standard error, and the verdict.
    pub(super) fn conclude(self, outcome: &Outcome) -> io::Result<()> {
        let Some(mut writer) = self.0 else {
            return Ok(());
        };
        if !outcome.stderr.is_empty() {
            writer.record(&Record::Stderr(outcome.stderr.clone()))?;
        }
        writer.verdict(verdict(outcome)).map(drop)
    }
}

pub(super) fn file_name(scenario: &Scenario, round: Round) -> PathBuf {
    let ending = match round {
        Round::First => "jsonl",
        Round::Again => "again.jsonl",
    };
    format!(
        "{}.{ending}",
        scenario.name.replace("..", "_").trim_start_matches('/')
    )
    .into()
}

/// Returns the verdict as the last line of a recording.
fn verdict(outcome: &Outcome) -> serde_json::Value {
    let finding = |finding: &Finding| {
        let Finding {
            requirement, title, ..
        } = finding;
        let notes = &finding.notes;
        json!({"verdict": finding.verdict.word(), "requirement": requirement, "title": &**title, "notes": notes})
    };
    let findings: Vec<_> = outcome.findings.iter().map(finding).collect();
    json!({"verdict": outcome.verdict.word(), "findings": findings})
}

/// Adds to the finished recordings of a scenario what became known when all games were over, and the verdict that it led to.
pub(super) fn amend(
    folder: &Path,
    scenario: &Scenario,
    what: What,
    outcome: &Outcome,
) -> io::Result<()> {
    for round in [Round::First, Round::Again] {
        let file = match append_below(folder, &file_name(scenario, round)) {
            Err(error) if round == Round::Again && error.kind() == io::ErrorKind::NotFound => {
                continue;
            }
            file => file?,
        };
        let mut writer = Writer::append(file);
        writer.event(&Event {
            at: in_micros(outcome.took),
            what: what.clone(),
        })?;
        writer.verdict(verdict(outcome))?;
    }
    Ok(())
}

/// A time in whole microseconds, as a recording has it: the judge is given no other, so that it says the same of the recording. It
/// is rounded up, so that no alarm is early.
pub(super) fn in_micros(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_nanos().div_ceil(1000)).unwrap_or(u64::MAX))
}
