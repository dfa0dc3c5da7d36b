//! The judgement, once the game is over or was broken off, and the golden transcript beside what was observed.

use super::failing::pending_finding;
use super::state::State;
use super::watch::{LaneState, Watch};
use super::{Judge, Machine, breakdown, timeout};
use crate::event::Outcome;
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::pack::{self, Protocol};
use crate::protocol::LaneKind;
use crate::scenario::{PlannedGame, PlayedGame, Side};
use crate::transcript::compare::{Difference, compare as differences};
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// Maximum number of a lane's differences that a finding shows.
const SHOWN: usize = 3;

impl Judge {
    /// The outcome, once the game is over or was broken off.
    #[must_use]
    pub fn conclude(self) -> Outcome {
        let mut outcome = Outcome::new(&self.0.scenario);
        self.conclude_into(&mut outcome);
        outcome
    }

    /// Writes the judgement into the outcome of the game.
    pub fn conclude_into(mut self, outcome: &mut Outcome) {
        let lanes = 0..self.0.lanes.len();
        let labels: Vec<_> = lanes.map(|lane| self.label(lane)).collect();
        outcome.prediction = predicted(&self.0, &labels);
        let predicted = outcome.prediction.as_ref();
        let differs = predicted.and_then(|predicted| compare(&self.0, predicted));
        self.0.findings.extend(differs);
        if let Machine::Game(state) = &mut self.0 {
            state.end();
        }
        let watch = &mut self.0;
        if watch.findings.is_empty() && (!watch.is_finished || watch.was_interrupted) {
            let title = match watch.was_interrupted {
                true => "interrupted",
                false => "the game was broken off",
            };
            let finding = Finding::new(Verdict::Inconclusive, title);
            watch.findings.push(finding);
        }
        watch.open.sort();
        let mut watch = match self.0 {
            Machine::Game(mut state) => {
                if state.findings.is_empty() {
                    let idle = state.is_idle();
                    state.findings.extend(idle);
                }
                outcome.history = state.model.history().to_vec();
                outcome.turns = state.course.into_turns();
                outcome.losing_move = state.model.losing_move();
                outcome.setup = state.model.facts().setup;
                outcome.names = state.model.facts().names.clone();
                state.watch
            }
            Machine::Dialogue(talk) => talk.watch,
        };
        let kept = match watch.open.iter().any(|choice| choice.millis.is_none()) {
            false => Verdict::Pass,
            true => Verdict::Lenient,
        };
        outcome.transcript = transcript(watch.scenario.protocol(), &labels, |lane| {
            std::mem::take(&mut watch.lanes[lane].entries)
        });
        outcome.verdict = watch.findings.first().map_or(kept, |first| first.verdict);
        outcome.findings = watch.findings;
        outcome.open = watch.open;
        outcome.has_lagged = watch.lags.has_excused;
        notices(outcome, watch.notices);
        if watch.speaks_elsewhere {
            breakdown::mute(&watch.scenario, &mut outcome.verdict, &mut outcome.findings);
        }
        if watch.is_unsupervised {
            let finding = breakdown::unsupervised(watch.scenario.side());
            outcome.verdict = finding.verdict;
            outcome.findings = vec![finding];
        }
    }
}

impl State {
    /// Adds the findings that the end of the game itself shows.
    fn end(&mut self) {
        if let Some(pending) = self.pending.take() {
            let finding = pending_finding(self, &pending);
            self.findings.push(finding);
        }
        timeout::note_pace(self);
        if self.findings.is_empty() && self.is_finished && !self.was_interrupted {
            let cut_short = self.course.cut_short(&self.model);
            self.findings.extend(cut_short.map(|(span, title)| Finding {
                span: Some(span),
                ..Finding::new(Verdict::Inconclusive, title)
            }));
        }
    }

    /// Returns a finding if a game with free choices has not exercised a requirement that the scenario claims
    /// to check. Of a game that is written down whole, the scenario was refused for it.
    fn is_idle(&self) -> Option<Finding> {
        let plan = &self.plan;
        if plan.checks.is_empty() || !plan.is_chosen_as_it_goes() {
            return None;
        }
        let history = self.model.history();
        let game = PlayedGame {
            is_whole: true,
            ..self.course.played(&self.model, history)
        };
        let mut idle = plan.untested(&plan.checks, &game);
        idle.retain(|id| {
            let mut open = self.open.iter();
            open.all(|choice| choice.requirement != *id)
        });
        let id = *idle.first()?;
        let title = format!("as the game went, nothing put `{id}` to the test");
        let mut finding = Finding::new(Verdict::Inconclusive, title);
        finding.requirement = Some(id);
        let needs = pack::requirement(id).and_then(|entry| entry.needs.as_ref());
        finding
            .notes
            .extend(needs.map(|needs| format!("it takes {needs}")));
        if let [_, others @ ..] = &idle[..]
            && !others.is_empty()
        {
            finding.notes.push(format!("nor {}", others.join(", ")));
        }
        Some(finding)
    }
}

/// Adds the violations of a server that ended lanes. If the game itself has no other failure, the verdict is
/// *error*.
fn notices(outcome: &mut Outcome, notices: Vec<String>) {
    if notices.is_empty() {
        return;
    }
    if let Some(first) = outcome
        .findings
        .first_mut()
        .filter(|first| first.verdict > Verdict::Lenient)
    {
        if outcome.verdict == Verdict::Error {
            // Nothing was played, and this is why.
            first.notes = vec![first.title.clone()];
            first.retitle(notices.join("; "));
            outcome.transcript.lanes.clear();
            return;
        }
        return first.notes.extend(notices);
    }
    let finding = Finding::new(Verdict::Error, notices.join("; "))
        .noted("the lines of the game were as they have to be up to there");
    outcome.verdict = finding.verdict;
    outcome.findings.insert(0, finding);
}

/// A transcript of all lanes with these lines, players by seat and then spectators.
fn transcript(
    protocol: Protocol,
    labels: &[LaneLabel],
    mut entries: impl FnMut(usize) -> Vec<Entry>,
) -> Transcript {
    let lanes = labels.iter().enumerate();
    let mut lanes: Vec<_> = lanes
        .map(|(lane, label)| LaneTranscript::new(*label, entries(lane)))
        .collect();
    lanes.sort_by_key(|lane| lane.label);
    Transcript { protocol, lanes }
}

/// Returns the model's prediction for the played game. The judge has compared every line with the prediction
/// already, so where there is no finding it is what was observed, less the lines that the specification
/// leaves open.
fn predicted(watch: &Watch, labels: &[LaneLabel]) -> Option<Transcript> {
    if !watch.findings.is_empty()
        || watch.pending.is_some()
        || !watch.is_finished
        || watch.was_interrupted
    {
        return None;
    }
    let mut predicted = transcript(watch.scenario.protocol(), labels, |lane| {
        let lane = &watch.lanes[lane];
        let told = (0..lane.entries.len()).filter(|index| !lane.open_lines.contains(index));
        let plain = told.map(|index| {
            let mut entry = lane.entries[index].clone();
            entry.line.text = lane.text(index).to_vec();
            entry
        });
        plain.collect()
    });
    // What a spectator receives who came late is the referee's choice.
    let game = watch.scenario.game().into_iter();
    let late: Vec<u32> = game.flat_map(PlannedGame::late_spectators).collect();
    predicted.lanes.retain(
        |lane| !matches!(lane.label, LaneLabel::Spectator(number) if late.contains(&number)),
    );
    Some(predicted)
}

/// Compares the game with its golden transcript, modulo names and modulo what the bot was free in.
fn compare(watch: &Watch, predicted: &Transcript) -> Option<Finding> {
    let golden = watch.golden.as_deref()?;
    if golden == predicted {
        return None;
    }
    let mut golden = golden.clone();
    let is_watched = |lane: &LaneState| lane.kind == LaneKind::Spectator;
    if !watch.lanes.iter().any(is_watched) {
        golden
            .lanes
            .retain(|lane| !matches!(lane.label, LaneLabel::Spectator(_)));
    }
    if watch.scenario.side() == Side::Bot {
        adopt_free_lines(&watch.lanes[0], &mut golden, predicted);
    }
    let comparison = differences(&golden, predicted);
    if comparison.is_empty() {
        return None;
    }
    let mut finding = Finding::new(Verdict::Fail, "the game differs from its golden transcript");
    if watch.scenario.game().is_none() {
        finding.requirement = watch.scenario.checks().first().copied();
    }
    let seat_names = watch.scenario.protocol().seat_names();
    for lane in &comparison {
        let name = lane.label.display(seat_names);
        finding.lanes.extend(
            lane.differences
                .iter()
                .take(SHOWN)
                .map(|difference| lane_view(&name, difference)),
        );
        let more = lane.differences.len().saturating_sub(SHOWN);
        if more > 0 {
            finding
                .notes
                .push(format!("{more} more differences on the lane of {name}"));
        }
    }
    Some(finding.noted("the rules themselves agree with what was observed; if the golden transcript is out of date, --bless writes it anew"))
}

/// Replaces the golden choices by those in which the bot was free, together with the lines that confirm them.
fn adopt_free_lines(lane: &LaneState, golden: &mut Transcript, observed: &Transcript) {
    let (Some(golden), Some(observed)) = (golden.lanes.first_mut(), observed.lanes.first()) else {
        return;
    };
    let is_told_back = |entries: &[Entry]| {
        matches!(entries, [sent, told, ..]
            if told.direction == Direction::Received && told.line == sent.line)
    };
    for &line in &lane.free_lines {
        // Lines that are left open stand in no transcript.
        let index = line - lane.open_lines.iter().filter(|open| **open < line).count();
        let due = golden.entries.get_mut(index..).unwrap_or_default();
        let chosen = observed.entries.get(index..).unwrap_or_default();
        let count = 1 + usize::from(is_told_back(due) && is_told_back(chosen));
        if let ([Entry { direction, .. }, ..], Some(chosen)) = (&*due, chosen.get(..count))
            && *direction == Direction::Sent
        {
            due[..count].clone_from_slice(chosen);
        }
    }
}

fn lane_view(lane: &str, difference: &Difference) -> LaneView {
    let want = |entry: &Option<Entry>| match entry {
        Some(entry) => LaneText::Line(entry.line.text.clone()),
        None => LaneText::Nothing,
    };
    let direction = match difference.direction {
        Direction::Received => "",
        Direction::Sent => ", sent",
    };
    LaneView::new(
        format!("{lane}{direction}"),
        difference.observed_line as u64,
        want(&difference.expected),
        want(&difference.observed),
    )
}
