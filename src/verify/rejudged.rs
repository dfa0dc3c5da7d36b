//! Recorded games of scenarios, judged again by the machine that judged them while they were played.

use std::collections::VecDeque;
use std::iter::repeat_n;
use std::sync::Arc;

use serde::Deserialize;

use crate::diagnostic::{Paint, Source, visible};
use crate::event::{Outcome, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Command, Judge, Settings};
use crate::protocol::{LaneKind, Line, LineEnding};
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
}

/// Feeds the events of a recorded game to the judge of its scenario. A recording that lacks a needed part is
/// *inconclusive*. A verdict that differs from the stored one is at best *inconclusive*, with the reason.
#[must_use]
pub fn rejudge(played: &Played) -> Rejudged {
    let (scenario, settings, golden) = match prepared(played) {
        Ok(prepared) => prepared,
        Err(reasons) => return unjudged(played, reasons),
    };
    let stored = stored_verdict(played);
    let scenario = Arc::new(scenario);
    let (mut outcome, mut doubts) = judge(played, &scenario, settings, golden);
    doubts.splice(0..0, unknown_lines(played));
    if stored.is_none() {
        doubts.push("it has no verdict, so it was not written to its end".to_owned());
    }
    let took = played.events.last().map(|event| event.at);
    outcome.took = took.unwrap_or_default();
    outcome.stderr = played.stderr.clone();
    if let Some(reason) = &played.broken {
        let title = format!("the recording cannot be written: {reason}");
        outcome = outcome.with(Finding::new(Verdict::Error, title));
    }
    reconcile(
        &mut outcome,
        doubts,
        stored,
        played.header.program.as_deref(),
    );
    Rejudged {
        scenario: Some(scenario),
        outcome,
    }
}

/// The verdict that was stored when the game was played.
fn stored_verdict(played: &Played) -> Option<Verdict> {
    Verdict::deserialize(played.verdict.as_ref()?.get("verdict")?).ok()
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
    let players = repeat_n(LaneKind::Player, players);
    let lanes = players.chain(repeat_n(LaneKind::Spectator, spectators));
    if !lanes.eq(header.lanes.iter().copied()) {
        return Err(vec![
            "the lanes of the recording are not those of its scenario".to_owned(),
        ]);
    }
    Ok((scenario, settings, golden))
}

/// The doubt about a recording with lines of unknown kinds.
fn unknown_lines(played: &Played) -> Option<String> {
    let count = played.passed_over;
    (count > 0)
        .then(|| format!("it holds {count} lines of a kind that urtext {PROGRAM} does not know"))
}

/// Judges the events. Says too where urtext sent something else in them than the judge asks for.
fn judge(
    played: &Played,
    scenario: &Arc<Scenario>,
    settings: Settings,
    golden: Option<Transcript>,
) -> (Outcome, Vec<String>) {
    let ours = match scenario.side() {
        Side::Referee => Direction::Sent,
        Side::Bot => Direction::Received,
    };
    let mut judge = Judge::new(Arc::clone(scenario), settings, golden.map(Arc::new));
    let mut asked: Vec<VecDeque<u8>> = vec![VecDeque::new(); played.header.lanes.len()];
    let mut doubts = Vec::new();
    for event in &played.events {
        if let What::Line {
            lane,
            direction,
            line,
        } = &event.what
            && doubts.is_empty()
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
    stored: Option<Verdict>,
    program: Option<&str>,
) {
    let is_certain = reasons.is_empty();
    if let Some(was) = stored.filter(|was| *was != outcome.verdict) {
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
        outcome.verdict == Verdict::Fail && (is_certain || stored == Some(Verdict::Fail));
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
fn unjudged(played: &Played, mut reasons: Vec<String>) -> Rejudged {
    let title = format!("the game cannot be judged again: {}", reasons.remove(0));
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.notes.extend(unknown_lines(played));
    finding.notes.extend(reasons);
    if let Some(stored) = stored_verdict(played) {
        let verdict = played.verdict.as_ref();
        let first = verdict.and_then(|verdict| verdict.pointer("/findings/0/title")?.as_str());
        let title = first.map_or(String::new(), |title| format!(": {title}"));
        let note = format!("the recording says `{}`{title}", stored.word());
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
    }
}
