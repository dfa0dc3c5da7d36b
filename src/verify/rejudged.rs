//! Recorded games of scenarios, judged again by the machine that judged them while they were played.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::{Ending, Judged};
use crate::diagnostic::{Paint, Source, visible};
use crate::event::{Event, Outcome, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Command, Judge, Judgement, Settings};
use crate::pack::{self, Protocol};
use crate::protocol::{Dialect, GameEvent, LaneKind, Line, LineEnding};
use crate::rules::PerSeat;
use crate::scenario::{Scenario, Side, Steering, from_script};
use crate::transcript::recording::STEERING;
use crate::transcript::{Direction, Played, Transcript};

/// This urtext, as recordings name the one that wrote them.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A recorded game of a scenario, judged again.
#[derive(Debug, Clone)]
pub struct Rejudged {
    /// The scenario; `None` if the recording cannot be judged again.
    pub scenario: Option<Arc<Scenario>>,
    /// Outcome of the recording, judged now.
    pub outcome: Outcome,
    /// Outcome stored in the recording when the game was played; `None` if the recording has none.
    pub stored: Option<StoredOutcome>,
    /// The players' names, where known.
    pub names: PerSeat<Option<Vec<u8>>>,
}

/// An outcome stored in a recording.
#[derive(Debug, Clone, Deserialize)]
pub struct StoredOutcome {
    /// The verdict.
    pub verdict: Verdict,
    #[serde(default)]
    findings: Vec<StoredFinding>,
}

#[derive(Debug, Clone, Deserialize)]
struct StoredFinding {
    verdict: Verdict,
    title: String,
    requirement: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
}

/// Feeds the events of a recorded game to the judge of its scenario. A recording that lacks a needed part is
/// *inconclusive*. A verdict that differs from the stored one is at best *inconclusive*, with the reason.
#[must_use]
pub fn rejudge(played: &Played) -> Rejudged {
    // A verdict may be none of `urtext run`.
    let verdict = played.verdict.as_ref();
    let stored = verdict.and_then(|verdict| StoredOutcome::deserialize(verdict).ok());
    let (scenario, settings, golden) = match prepared(played) {
        Ok(prepared) => prepared,
        Err(reasons) => return unjudged(played, reasons, stored),
    };
    let scenario = Arc::new(scenario);
    let (judgement, mut doubts) = judge(played, &scenario, settings, golden);
    doubts.splice(0..0, missing_capability(played));
    if stored.is_none() {
        doubts.push("it has no verdict, so it was not written to its end".to_owned());
    }
    let Judgement {
        verdict,
        findings,
        open,
        transcript,
        prediction,
        history,
        setup,
        names,
        has_lagged,
    } = judgement;
    let mut outcome = Outcome {
        verdict,
        findings,
        open,
        transcript,
        prediction,
        history,
        setup,
        has_lagged,
        took: played
            .events
            .last()
            .map_or(Duration::ZERO, |event| event.at),
        stderr: played.stderr.clone(),
        ..Outcome::new(&scenario)
    };
    reconcile(
        &mut outcome,
        doubts,
        stored.as_ref(),
        played.header.program.as_deref(),
    );
    Rejudged {
        scenario: Some(scenario),
        outcome,
        stored,
        names,
    }
}

/// The scenario of a recording with what its judge was given.
fn prepared(played: &Played) -> Result<(Scenario, Settings, Option<Transcript>), Vec<String>> {
    let header = &played.header;
    let (mut scenario, golden) =
        from_script(&played.script, header.protocol).map_err(|faults| {
            let mut reasons = vec!["the scenario in the recording cannot be read".to_owned()];
            reasons.extend(faults.sorted().iter().map(|fault| fault.draw(Paint::Plain)));
            reasons
        })?;
    let lacks = |name| {
        vec![format!(
            "the recording lacks the parameter `{name}`, or it is wrong there"
        )]
    };
    let settings = Settings::from_parameters(&header.parameters).map_err(lacks)?;
    if let (Some(value), Some(plan)) = (header.parameters.get(STEERING), scenario.game_mut()) {
        let steering = Steering::from_json(value, plan.dialect.game(), plan.hypotheses());
        plan.steering = Some(Arc::new(steering.ok_or_else(|| lacks(STEERING))?));
    }
    if let Some(plan) = scenario.game_mut()
        && plan.side == Side::Referee
    {
        // A referee that has no spectators is played without them.
        let watching = header
            .lanes
            .iter()
            .filter(|&&kind| kind == LaneKind::Spectator)
            .count();
        plan.spectators = plan
            .spectators
            .min(u32::try_from(watching).unwrap_or(u32::MAX));
    }
    let (players, spectators) = scenario.lanes();
    let lanes = [
        (players, LaneKind::Player),
        (spectators, LaneKind::Spectator),
    ];
    let lanes = lanes
        .into_iter()
        .flat_map(|(count, kind)| std::iter::repeat_n(kind, count));
    if !lanes.eq(header.lanes.iter().copied()) {
        return Err(vec![
            "the lanes of the recording are not those of its scenario".to_owned(),
        ]);
    }
    Ok((scenario, settings, golden))
}

/// Lists the parts that a recording needs and lacks, whatever its game.
fn missing_capability(played: &Played) -> Vec<String> {
    let mut missing_capability = Vec::new();
    if played.header.version < 2 {
        let version = played.header.version;
        missing_capability.push(format!(
            "it is in version {version} of the format, which lacks included texts, the golden transcript and part of what the judge was told"
        ));
    }
    if played.passed_over > 0 {
        let count = played.passed_over;
        missing_capability.push(format!(
            "it holds {count} lines of a kind that urtext {PROGRAM} does not know"
        ));
    }
    missing_capability
}

/// Judges the events. Says too where urtext sent something else in them than the judge asks for.
fn judge(
    played: &Played,
    scenario: &Arc<Scenario>,
    settings: Settings,
    golden: Option<Transcript>,
) -> (Judgement, Vec<String>) {
    let ours = match scenario.side() {
        Side::Referee => Direction::Sent,
        Side::Bot => Direction::Received,
    };
    let mut judge = Judge::new(Arc::clone(scenario), settings, golden.map(Arc::new));
    let mut asked: Vec<VecDeque<u8>> = vec![VecDeque::new(); played.header.lanes.len()];
    let mut doubts = Vec::new();
    for event in &played.events {
        if let (
            Event {
                what:
                    What::Line {
                        lane,
                        direction,
                        line,
                    },
                ..
            },
            true,
        ) = (event, doubts.is_empty())
            && *direction == ours
            && !takes(&mut asked[*lane], line)
        {
            let shown = visible::quoted(&line.text).at_most(40);
            doubts.push(format!(
                "urtext {PROGRAM} would not have sent {shown} there ({:.3} s into the game): it plays this scenario otherwise, or the file was changed",
                event.at.as_secs_f64()
            ));
        }
        for action in judge.take(event) {
            if let Command::Send { lane, bytes } = action {
                asked[lane].extend(bytes);
            }
        }
    }
    (judge.conclude(), doubts)
}

/// Takes a line that was sent from what was asked to be sent; `false` where that is something else.
fn takes(asked: &mut VecDeque<u8>, line: &Line) -> bool {
    let end: &[u8] = if line.ending == LineEnding::Newline {
        b"\n"
    } else {
        b""
    };
    let is_next = |byte: &u8| asked.pop_front() == Some(*byte);
    let is_asked = line.text.iter().chain(end).all(is_next);
    if line.ending == LineEnding::TooLong {
        // What was dropped of it, and its newline.
        while asked.pop_front().is_some_and(|byte| byte != b'\n') {}
    }
    is_asked
}

/// Holds the verdict against the stored one, and against what the recording lacks.
fn reconcile(
    outcome: &mut Outcome,
    mut reasons: Vec<String>,
    stored: Option<&StoredOutcome>,
    program: Option<&str>,
) {
    let is_certain = reasons.is_empty();
    let was = stored.map(|stored| stored.verdict);
    if let Some(was) = was.filter(|was| *was != outcome.verdict) {
        let (was, now) = (was.word(), outcome.verdict.word());
        reasons.push(match program {
            Some(PROGRAM) if is_certain => {
                format!("the recording says `{was}`, and its events lead to `{now}`: the file was changed")
            }
            Some(program) => {
                format!("the recording says `{was}`, by urtext {program}; urtext {PROGRAM} says `{now}`")
            }
            None => format!("the recording says `{was}`; urtext {PROGRAM} says `{now}`"),
        });
    }
    if reasons.is_empty() {
        return;
    }
    let is_worse_known =
        outcome.verdict == Verdict::Fail && (is_certain || was == Some(Verdict::Fail));
    let is_good = matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient);
    if is_worse_known || !is_good && outcome.verdict != Verdict::Fail {
        outcome
            .findings
            .iter_mut()
            .take(1)
            .for_each(|first| first.notes.append(&mut reasons));
        return;
    }
    let title = format!(
        "judged again, the game leads to `{}`, and that is not certain",
        outcome.verdict.word()
    );
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.notes = reasons;
    outcome.verdict = finding.verdict;
    outcome.findings.insert(0, finding);
}

/// A recording that its scenario's judge cannot judge.
fn unjudged(played: &Played, mut reasons: Vec<String>, stored: Option<StoredOutcome>) -> Rejudged {
    let title = format!("the game cannot be judged again: {}", reasons.remove(0));
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.notes = missing_capability(played);
    finding.notes.extend(reasons);
    if let Some(stored) = &stored {
        let mut note = format!("the recording says `{}`", stored.verdict.word());
        if let Some(first) = stored.findings.first() {
            write!(note, ": {}", first.title).expect("a string takes all");
        }
        finding.notes.push(note);
    }
    let script = &played.script;
    let name = match script.name.is_empty() {
        true => script.path.clone(),
        false => script.name.clone(),
    };
    let source = Source::new(&script.path, script.text.as_str());
    let outcome = Outcome {
        stderr: played.stderr.clone(),
        ..Outcome::unobserved(name, source, played.header.protocol).with(finding)
    };
    Rejudged {
        scenario: None,
        outcome,
        stored,
        names: PerSeat([None, None]),
    }
}

impl Rejudged {
    /// The game as far as the judge of the scenario followed it; the outcome has the findings.
    #[must_use]
    pub fn judged(&self, protocol: Protocol) -> Judged {
        let Outcome { history, setup, .. } = &self.outcome;
        let start = |dialect: &dyn Dialect| dialect.game().table(setup.unwrap_or_default());
        Judged {
            names: self.names.clone(),
            setup: *setup,
            begun: GameEvent::turns(history),
            history: history.clone(),
            ending: protocol
                .dialect()
                .map(|dialect| Ending::of(history, start(dialect))),
            ..Judged::default()
        }
    }

    /// The same with the stored verdict and findings in place of those to which its events lead now; `None` if none are stored.
    #[must_use]
    pub fn as_recorded(mut self) -> Option<Rejudged> {
        let stored = self.stored.as_ref()?;
        let findings = stored.findings.iter().map(|stored| {
            let id = stored.requirement.as_deref().and_then(pack::requirement);
            Finding {
                requirement: id.map(|known| known.id.as_str()),
                notes: stored.notes.clone(),
                ..Finding::new(stored.verdict, &*stored.title)
            }
        });
        self.outcome.findings = findings.collect();
        self.outcome.verdict = stored.verdict;
        Some(self)
    }
}
