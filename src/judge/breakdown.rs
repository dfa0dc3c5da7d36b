//! Events from outside the lanes, and those that keep a game from its end: the budget of a whole game,
//! notices of a server, and a subject that is silent here and speaks in other games.

use std::time::Duration;

use super::judgement::Judgement;
use super::kind::Kind;
use super::state::State;
use crate::event::{Event, What};
use crate::finding::{Finding, FindingKind, Verdict};
use crate::scenario::{Scenario, Side};
use crate::transcript::Close;

/// The most that a subject may send in one game: bytes, and with each line so many more, which it takes to keep one.
const FLOOD: usize = 64 * 1024 * 1024;
const EACH_LINE: usize = 64;

impl<K: Kind> State<K> {
    /// Takes what an event shows, whoever is judged.
    pub(super) fn note(&mut self, event: &Event) {
        let leaving = self.outgoing.leaving.map(|(lane, _)| lane);
        self.seen.note(event, leaving);
        match &event.what {
            What::Closed {
                lane,
                close: Close::Lost,
                ..
            } => lost(self, *lane),
            What::OutOfTime { budget } => out_of_time(self, *budget),
            _ => {}
        }
    }

    /// Ends a game in which the subject sends more than any game needs, before it fills the memory.
    pub(super) fn refuse_flood(&mut self) {
        let (lines, bytes) = (self.seen.heard.lines, self.seen.heard.bytes);
        if bytes + lines * EACH_LINE > FLOOD && !self.results.is_finished {
            let who = self.seen.scenario.side().word();
            let kind = FindingKind::Flood {
                subject: who,
                lines,
                bytes,
            };
            self.fail(Finding::new(Verdict::Fail, kind));
        }
    }
}

/// Ends a game that takes longer than a game may take.
fn out_of_time<K>(state: &mut State<K>, budget: Duration) {
    if state.results.is_finished {
        return;
    }
    let kind = FindingKind::OutOfTime(format!("{budget:.0?}"));
    let mut finding = Finding::new(Verdict::Error, kind);
    finding
        .notes
        .push("--budget whole=DURATION gives it more time".to_owned());
    // It is the reason, whatever was about to be found.
    state.waits.pending = None;
    state.results.findings = vec![finding];
    state.finish();
}

/// Ends a game whose network has lost a connection, for which nobody at the game is to blame.
fn lost<K: Kind>(state: &mut State<K>, lane: usize) {
    if state.results.is_finished {
        return;
    }
    let lane = K::lane_name(&state.seen, lane);
    let mut finding = Finding {
        by_network: true,
        ..Finding::new(Verdict::Error, FindingKind::NetworkLost(lane))
    };
    finding.notes.push(
        "the system says that the other side cannot be reached; neither side has closed".to_owned(),
    );
    // A subject that could not be reached owes nothing.
    state.waits.pending = None;
    state.results.findings = vec![finding];
    state.finish();
}

/// Adds the violations of a server that ended lanes. If the game itself has no other failure, the verdict is
/// *error*.
pub(super) fn notices(judgement: &mut Judgement, notices: Vec<String>) {
    if notices.is_empty() {
        return;
    }
    if let Some(first) = judgement
        .findings
        .first_mut()
        .filter(|first| first.verdict > Verdict::Lenient)
    {
        if judgement.verdict == Verdict::Error {
            // Nothing was played, and this is why.
            first.notes = vec![std::mem::take(&mut first.title)];
            first.set_kind(notices.join("; "));
            judgement.transcript.lanes.clear();
            return;
        }
        return first.notes.extend(notices);
    }
    let mut finding = Finding::new(Verdict::Error, notices.join("; "));
    finding
        .notes
        .push("the lines of the game were as they have to be up to there".to_owned());
    judgement.verdict = finding.verdict;
    judgement.findings.insert(0, finding);
}

/// A game whose supervisor was killed or stopped: everything of the subject has been killed with it.
pub(super) fn unsupervised(side: Side) -> Finding {
    let subject = side.word();
    let title = format!("the supervisor of the {subject} was killed, and the {subject} with it");
    let mut finding = Finding {
        by_network: true,
        ..Finding::new(Verdict::Error, title)
    };
    finding.notes.push(format!(
        "another program, perhaps the {subject}, killed or stopped `urtext supervise game`; play the scenario again"
    ));
    finding
}

/// Blames a subject for its silence in this game: it speaks in other games, so it was started well. Returns whether it is to blame.
pub fn mute(scenario: &Scenario, verdict: &mut Verdict, findings: &mut [Finding]) -> bool {
    let is_silence =
        |finding: &&mut Finding| finding.verdict == Verdict::Error && !finding.by_network;
    let Some(finding) = findings.first_mut().filter(is_silence) else {
        return false;
    };
    let who = scenario.side().word();
    finding.set_kind(FindingKind::SpeaksElsewhere(who));
    finding.verdict = Verdict::Fail;
    finding.requirement = scenario.checks().first().copied();
    *verdict = Verdict::Fail;
    true
}
