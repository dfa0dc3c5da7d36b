//! Writing a game down while it runs.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, json};

use super::many::Round;
use crate::event::{Event, Frames, Outcome};
use crate::judge::{Judge, Settings};
use crate::protocol::LaneKind;
use crate::scenario::Scenario;
use crate::transcript::recording::{Header, Script, Writer};

/// Writes events to a recording, where one is wanted.
#[derive(Debug)]
pub(super) struct Recorder(Option<Writer<File>>);

impl Recorder {
    /// Begins the recording of a game in a folder, under the scenario's name: `NAME.jsonl`, or `NAME.again.jsonl` for the second game.
    pub(super) fn open(
        folder: Option<&Path>,
        scenario: &Scenario,
        settings: &Settings,
        round: Round,
    ) -> io::Result<Recorder> {
        let Some(folder) = folder else { return Ok(Recorder(None)) };
        let name = scenario.name.replace("..", "_");
        let ending = match round {
            Round::First => "jsonl",
            Round::Again => "again.jsonl",
        };
        let path = folder.join(format!("{}.{ending}", name.trim_start_matches('/')));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let (players, spectators) = Judge::lanes(scenario);
        let mut lanes = vec![LaneKind::Player; players];
        lanes.resize(players + spectators, LaneKind::Spectator);
        let mut header = Header::new(scenario.dialect, &lanes);
        header.subject = Some(scenario.side.word().to_owned());
        let text = String::from_utf8_lossy(scenario.source.bytes()).into_owned();
        header.scenario = Some(Script { path: scenario.place(), text });
        header.parameters = parameters(settings);
        match Writer::new(File::create(&path)?, &header) {
            Ok(writer) => Ok(Recorder(Some(writer))),
            Err(error) => {
                // Half a header is of no use to anybody.
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Takes an event; most are written out only by [`Recorder::write_out`].
    pub(super) fn event(&mut self, event: &Event) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |writer| writer.event(event))
    }

    /// Whether there is something to write out.
    pub(super) fn is_behind(&self) -> bool {
        self.0.as_ref().is_some_and(Writer::is_behind)
    }

    /// Writes out what has been kept.
    pub(super) fn write_out(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Writer::write_out)
    }

    /// Takes how what each lane received has come, where frames carried it.
    pub(super) fn frames(&mut self, at: Duration, lanes: &[(usize, Frames)]) -> io::Result<()> {
        let Some(writer) = &mut self.0 else { return Ok(()) };
        lanes.iter().try_for_each(|(lane, frames)| writer.frames(at, *lane, frames))
    }

    /// Ends the recording with the verdict.
    pub(super) fn conclude(self, outcome: &Outcome) -> io::Result<()> {
        let Some(writer) = self.0 else { return Ok(()) };
        let findings: Vec<_> = outcome
            .findings
            .iter()
            .map(|finding| json!({"verdict": finding.verdict.word(), "requirement": finding.requirement, "title": finding.title}))
            .collect();
        writer.verdict(&json!({"verdict": outcome.verdict.word(), "findings": findings})).map(|_| ())
    }
}

/// What the judge was told, so that the same events give the same verdict again.
fn parameters(settings: &Settings) -> Map<String, serde_json::Value> {
    let seconds = |time: Duration| time.as_secs_f64();
    let mut parameters = Map::new();
    parameters.insert("seed".to_owned(), json!(settings.seed));
    parameters.insert("timeout".to_owned(), json!(settings.timeout.map(seconds)));
    parameters.insert("pace".to_owned(), json!(seconds(settings.pace)));
    parameters.insert("lag".to_owned(), json!(seconds(settings.lag)));
    parameters.insert("forces_rolls".to_owned(), json!(settings.forces_rolls));
    parameters.insert("late_spectator".to_owned(), json!(settings.late_spectator.word()));
    parameters.insert("handshake_budget".to_owned(), json!(seconds(settings.budgets.handshake)));
    parameters.insert("answer_budget".to_owned(), json!(seconds(settings.budgets.answer)));
    parameters.insert("close_budget".to_owned(), json!(seconds(settings.budgets.close)));
    parameters.insert("forfeit_budget".to_owned(), json!(seconds(settings.budgets.forfeit)));
    parameters
}
