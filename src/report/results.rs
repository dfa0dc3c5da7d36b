//! The results of a run as plain data. Every report for programs and teams is made from it, at once or later from
//! the JSON report.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mistakes::{CauseResult, SubjectMistakes};
use super::scenario::{EXPECTED, ScenarioResult, UNEXPECTED_PASS};
use super::status::Status;
use crate::diagnostic::{Diagnostic, counted};
use crate::finding::Finding;

/// Version of the JSON report. It changes if a field changes its meaning; new fields leave it as it is.
pub const VERSION: u32 = 1;

/// The words for results, in their order in every report, each with the word for a number of them.
pub(super) const WORDS: [(&str, &str); 10] = [
    ("pass", "passed"),
    ("lenient", "lenient"),
    ("fail", "failed"),
    (UNEXPECTED_PASS, "passed unexpectedly"),
    (EXPECTED, "expected to fail"),
    ("flaky", "flaky"),
    ("inconclusive", "inconclusive"),
    ("unsupported", "unsupported"),
    ("skipped", "skipped"),
    ("error", "could not be played"),
];

/// How many of these scenarios have each of the [`WORDS`].
pub(super) fn tally<'r>(
    scenarios: impl Iterator<Item = &'r ScenarioResult>,
) -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    let words: Vec<_> = scenarios.map(ScenarioResult::word).collect();
    WORDS.into_iter().map(move |(word, counted)| {
        let count = words.iter().filter(|of| **of == word).count();
        (word, counted, count)
    })
}

/// Results of a run: of `urtext run`, or of a command that reports like it.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The run.
    pub run: RunHead,
    /// The scenarios, in the order in which the run names them.
    pub scenarios: Vec<ScenarioResult>,
    /// Its end; `None` if the report breaks off.
    pub end: Option<RunEnd>,
}

/// What a subject chose where the specification leaves it open, or a time that it takes within what is allowed.
pub(super) struct Observed<'r> {
    /// Id of the entry of the catalogue.
    pub(super) requirement: &'r str,
    /// What was seen, with the least and the greatest time of all games.
    pub(super) seen: String,
    /// The scenarios that show it.
    pub(super) scenarios: Vec<&'r ScenarioResult>,
}

impl Display for Observed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (id, seen) = (self.requirement, &self.seen);
        let games = counted(self.scenarios.len(), "game");
        write!(f, "observed: {seen} ({id}, {games})")
    }
}

impl<'r> Observed<'r> {
    /// All that these scenarios show, each thing once.
    pub(super) fn ledger(scenarios: impl Iterator<Item = &'r ScenarioResult>) -> Vec<Observed<'r>> {
        let mut all: BTreeMap<_, (Vec<u64>, Vec<_>)> = BTreeMap::new();
        for scenario in scenarios {
            for choice in &scenario.open {
                let key = (choice.requirement.as_str(), choice.seen.as_str());
                let (times, shown) = all.entry(key).or_default();
                times.extend(choice.millis);
                shown.push(scenario);
            }
        }
        let observed = |((requirement, seen), (mut times, scenarios)): (_, (Vec<u64>, _))| {
            times.sort_unstable();
            let tenths = |millis: &u64| format!("{:.1}", *millis as f64 / 1000.0);
            let times = times.first().map(tenths).zip(times.last().map(tenths));
            let seen = match times {
                None => str::to_owned(seen),
                Some((least, most)) if least == most => format!("{seen} {least} s"),
                Some((least, most)) => format!("{seen} {least} to {most} s"),
            };
            Observed {
                requirement,
                seen,
                scenarios,
            }
        };
        all.into_iter().map(observed).collect()
    }
}

/// One line of a JSON report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "One line of an urtext report (JSON Lines)")]
pub enum ReportLine {
    /// The first line: the run.
    Run(RunHead),
    /// One line for each scenario.
    Scenario(Box<ScenarioResult>),
    /// The last line. Without it, the report is incomplete.
    End(RunEnd),
}

/// Identifies a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunHead {
    /// Version of this format: 1. Readers ignore unknown fields.
    pub version: u32,
    /// Version of urtext.
    pub urtext: String,
    /// The command, such as `run`.
    pub command: String,
    /// Start of the run in UTC, in the form of RFC 3339; of a simulated run there is none.
    pub began: Option<String>,
    /// The line that names the subjects and what was left out; of a command that plays no scenarios, what it counts.
    pub heading: String,
    /// The part of a run that this is; `None`: a whole run.
    pub shard: Option<ShardHead>,
}

/// End of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunEnd {
    /// Duration of the run in seconds.
    pub seconds: f64,
    /// Exit status.
    pub status: u8,
    /// True if the run was interrupted, so that scenarios are missing.
    pub interrupted: bool,
    /// Number of slow scenarios that were left out.
    pub slow_left_out: usize,
    /// Remarks on all games of a subject.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// For each subject, side and game: the mistakes in the rules that its games fit or refute.
    pub mistakes: Vec<SubjectMistakes>,
}

impl RunHead {
    /// True for a run of scenarios. The cases of another command are not what it counts.
    #[must_use]
    pub(super) fn is_run(&self) -> bool {
        self.noun() == "scenario"
    }

    /// What findings of the report are in.
    #[must_use]
    pub(super) fn noun(&self) -> &'static str {
        match self.command.as_str() {
            "verify" | "explore" => "game",
            "check" => "file",
            "mutants" => "fault",
            _ => "scenario",
        }
    }
}

impl Results {
    /// The results of a command that exits with this status, or with that of the worst scenario. `heading`: what it counts, in words.
    #[must_use]
    pub fn new(
        command: &str,
        heading: String,
        status: u8,
        scenarios: Vec<ScenarioResult>,
    ) -> Results {
        let run = RunHead {
            version: VERSION,
            urtext: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            began: None,
            heading,
            shard: None,
        };
        let standings = scenarios.iter().map(|scenario| scenario.standing);
        let worst = standings.fold(Status::of_code(status), Status::max);
        let end = RunEnd {
            status: worst.code(),
            ..RunEnd::default()
        };
        Results {
            run,
            scenarios,
            end: Some(end),
        }
    }

    /// The exit status; 3 if the report breaks off.
    #[must_use]
    pub fn status(&self) -> Status {
        let end = self.end.as_ref();
        end.map_or(Status::Broken, |end| Status::of_code(end.status))
    }

    /// The causes of failures, each with its sentence: those that are certain first, then those of which few mistakes are left. More tell a
    /// reader nothing.
    pub(super) fn causes(&self) -> impl Iterator<Item = (&CauseResult, String)> {
        (1..=Finding::INFERRED).flat_map(|count| {
            let causes = self.mistakes().iter();
            let causes = causes.flat_map(|part| part.causes.iter().map(move |cause| (part, cause)));
            let causes = causes.filter(move |(_, cause)| cause.mistakes.len() == count);
            causes.map(|(part, cause)| (cause, self.whose(part) + &part.sentence(cause)))
        })
    }

    /// A line for each subject that failed for no known cause: how many mistakes fit its games. `is_verbose`: a line for every subject, and the
    /// names below it.
    pub(super) fn diagnoses(&self, is_verbose: bool) -> impl Iterator<Item = String> {
        let is_known = |cause: &CauseResult| cause.mistakes.len() <= Finding::INFERRED;
        let parts = self.mistakes().iter().filter(move |part| {
            let is_unexplained = part.failed > 0 && !part.causes.iter().any(is_known);
            !part.mistakes.is_empty() && (is_verbose || is_unexplained)
        });
        parts.map(move |part| self.whose(part) + &part.draw(is_verbose))
    }

    /// Nothing if the report breaks off.
    pub(super) fn mistakes(&self) -> &[SubjectMistakes] {
        self.end.as_ref().map_or(&[], |end| &end.mistakes)
    }

    /// Names the subject, where the run has another one on that side of that game.
    fn whose(&self, part: &SubjectMistakes) -> String {
        let is_like =
            |other: &&SubjectMistakes| (&other.game, &other.side) == (&part.game, &part.side);
        match self.mistakes().iter().filter(is_like).count() {
            0 | 1 => String::new(),
            _ => format!("{}: ", part.subject),
        }
    }

    /// The remarks about those without a finding, and about all games. What follows the first line of one names more.
    pub(super) fn notes(&self) -> impl Iterator<Item = &String> {
        let clean = self.scenarios.iter().filter(|one| one.findings.is_empty());
        let of_all = self.end.iter().flat_map(|end| &end.notes);
        clean.flat_map(|scenario| &scenario.notes).chain(of_all)
    }

    /// The ledger of all scenarios.
    pub(super) fn observed(&self) -> Vec<Observed<'_>> {
        Observed::ledger(self.scenarios.iter())
    }

    /// What the subjects showed that the specification leaves open, in one line: the only thing, or their number. `hint` says how to list them.
    pub(super) fn observed_in_line(&self, hint: &str) -> Option<String> {
        match &self.observed()[..] {
            [] => None,
            [one] => Some(one.to_string()),
            all => {
                let count = all.len();
                Some(format!(
                    "observed: {count} things that the specification leaves open{hint}"
                ))
            }
        }
    }

    /// The number of scenarios, and how many there are of each result, or what another command counts: the summary of every report.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut summary = match self.run.is_run() {
            true => self.counts(),
            false => self.run.heading.clone(),
        };
        summary += match &self.end {
            Some(end) if end.interrupted => ", interrupted",
            Some(_) => "",
            None => ", the report breaks off",
        };
        summary
    }

    fn counts(&self) -> String {
        let parts = tally(self.scenarios.iter());
        let parts = parts.filter(|(word, _, count)| *count > 0 || *word == "pass");
        let parts = parts.map(|(_, counted, count)| format!("{count} {counted}"));
        let scenarios = counted(self.scenarios.len(), "scenario");
        format!("{scenarios}: {}", parts.collect::<Vec<_>>().join(", "))
    }

    /// Both runs as one, with the scenarios of the other one after its own.
    #[must_use]
    pub fn merged(mut self, other: Results) -> Results {
        let run = &mut self.run;
        run.began = [run.began.take(), other.run.began]
            .into_iter()
            .flatten()
            .min();
        if run.heading != other.run.heading {
            run.heading = format!("{}; {}", run.heading, other.run.heading);
        }
        // Parts of a run are a whole now.
        run.shard = None;
        let is_part = other.run.shard.is_some();
        self.scenarios.extend(other.scenarios);
        self.end = self.end.zip(other.end).map(|(mut end, other)| {
            let status = Status::of_code(end.status).max(Status::of_code(other.status));
            end.status = status.code();
            end.seconds += other.seconds;
            end.interrupted |= other.interrupted;
            end.slow_left_out = match is_part {
                // Each part counts those of the whole run.
                true => other.slow_left_out,
                false => end.slow_left_out + other.slow_left_out,
            };
            SubjectMistakes::join(&mut end.mistakes, other.mistakes);
            end
        });
        self
    }
}

/// Part of a run that this report holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardHead {
    /// Number of the shard, from 1.
    pub index: u32,
    /// The scenarios of every shard. Equal in all parts of one run.
    pub shards: Vec<Vec<String>>,
}

/// Checks that no report is there twice, and that reports of shards are all the parts of one run, also of a single one.
///
/// # Errors
/// The first reason why they are not.
pub fn assert_whole(reports: &[Results]) -> Result<(), Diagnostic> {
    let fault = |reason: String| {
        let title = match reports.len() {
            1 => reason,
            _ => format!("the reports cannot be joined: {reason}"),
        };
        Diagnostic::error("run/broken", title)
    };
    let heads: Vec<_> = reports
        .iter()
        .map(|report| report.run.shard.as_ref())
        .collect();
    let Some(first) = heads.iter().flatten().next() else {
        let is_again = |at: &usize| reports[..*at].contains(&reports[*at]);
        let again = (1..reports.len()).find(is_again).map(|at| at + 1);
        return again.map_or(Ok(()), |again| {
            Err(fault(format!(
                "report {again} is the same as an earlier one"
            )))
        });
    };
    let is_other = |head: &Option<&ShardHead>| head.is_none_or(|head| head.shards != first.shards);
    if let Some(place) = heads.iter().position(is_other) {
        let other = place + 1;
        return Err(fault(format!(
            "report {other} is not a part of the same run as the others"
        )));
    }
    let mut missing = Vec::new();
    for (number, names) in (1..).zip(&first.shards) {
        let parts = heads.iter().flatten().filter(|head| head.index == number);
        let part = format!("shard {number}/{}", first.shards.len());
        match parts.count() {
            0 => missing.extend(names.iter().map(|name| format!("{name} ({part})"))),
            1 => {}
            _ => return Err(fault(format!("shard {number} is there twice"))),
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let scenarios = counted(missing.len(), "scenario");
    let fault = fault(format!("no report has the result of {scenarios}"));
    Err(missing.into_iter().fold(fault, Diagnostic::note))
}
