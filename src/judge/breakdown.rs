//! Events from outside the lanes, and those that keep a game from its end: the budget of a whole game,
//! notices of a server, and a subject that is silent here and speaks in other games.

use std::time::Duration;

use super::finding_context::seconds;
use super::watch::{Heard, Watch};
use crate::finding::{Finding, Verdict};
use crate::requirement::Role;
use crate::scenario::{Scenario, Side};

/// The most that a subject may send in one game: bytes, and with each line so many more, which it takes to keep one.
const FLOOD: usize = 64 * 1024 * 1024;
const EACH_LINE: usize = 64;

impl Watch {
    /// Ends a game in which the subject has sent more than any game needs, before it fills the memory; `None` while it has not.
    pub(super) fn flood(&self) -> Option<Finding> {
        let Heard { lines, bytes, .. } = self.heard;
        let subject = self.scenario.side().word();
        let title = || {
            format!("the {subject} sent {lines} lines of {bytes} bytes, more than any game needs")
        };
        (bytes + lines * EACH_LINE > FLOOD).then(|| Finding::new(Verdict::Fail, title()))
    }
}

/// A game that takes longer than a game may take.
pub(super) fn out_of_time(budget: Duration) -> Finding {
    let title = format!("the game was not over after {budget:.0?}");
    Finding::new(Verdict::Error, title).noted("--budget whole=DURATION gives it more time")
}

/// A game whose network has lost a connection, for which nobody at the game is to blame.
pub(super) fn lost(lane: String) -> Finding {
    let title = format!("the network lost the connection of {lane} before the game was over");
    by_network(title)
        .noted("the system says that the other side cannot be reached; neither side has closed")
}

/// A game whose supervisor was killed or stopped: everything of the subject has been killed with it.
pub(super) fn unsupervised(side: Side) -> Finding {
    let subject = side.word();
    let title = format!("the supervisor of the {subject} was killed, and the {subject} with it");
    by_network(title).noted(format!(
        "another program, perhaps the {subject}, killed or stopped `urtext supervise game`; play the scenario again"
    ))
}

fn by_network(title: impl Into<String>) -> Finding {
    Finding {
        by_network: true,
        ..Finding::new(Verdict::Error, title)
    }
}

/// Blames a subject for its silence in this game: it speaks in other games, so it was started well. Returns whether it is to blame.
pub fn mute(scenario: &Scenario, verdict: &mut Verdict, findings: &mut [Finding]) -> bool {
    let is_silence =
        |finding: &&mut Finding| finding.verdict == Verdict::Error && !finding.by_network;
    let Some(finding) = findings.first_mut().filter(is_silence) else {
        return false;
    };
    let who = scenario.side().word();
    finding.retitle(format!(
        "the {who} sent nothing here, and answers in other scenarios"
    ));
    finding.verdict = Verdict::Fail;
    let plan = scenario.game().filter(|plan| plan.side == Side::Bot);
    let answers = plan.map(|plan| plan.dialect.id(Role::BotAnswers));
    finding.requirement = scenario.checks().first().copied().or(answers);
    finding.drop_questions();
    *verdict = Verdict::Fail;
    true
}

/// States that a process ended because urtext closed its input: the process still ran when urtext stopped
/// waiting for it.
pub(super) fn ended_as_told(who: &str, status: &str) -> String {
    format!("the {who} was still running; it ended with {status} after urtext closed its input")
}

/// The subject sent nothing: the run broke, the subject is not judged. `has_ended`: it ended by itself.
pub(super) fn never_spoke(seen: &Watch, has_ended: bool) -> Finding {
    let who = seen.scenario.side().word();
    let mut finding = Finding::new(Verdict::Error, format!("the {who} sent nothing"));
    let waited = seconds(seen.now);
    match &seen.exited {
        Some((status, true)) if has_ended => {
            finding = finding.noted(format!("its process ended: {status}"));
        }
        Some((status, false)) if has_ended => finding.crash = Some(status.clone()),
        _ if has_ended && seen.lanes.iter().any(|lane| lane.ended.is_some()) => {
            finding = finding.noted(format!("it ended the connection after {waited}"));
        }
        _ => {
            finding.by_silence = true;
            let asks = match seen.scenario.side() {
                Side::Referee => "does it flush its output after each line?",
                Side::Bot => {
                    "does it flush its output after each line, and read each of the lines that come at once?"
                }
            };
            finding = finding.noted(format!("nothing came for {waited}: {asks}"));
        }
    }
    let game = seen.scenario.protocol().game_name();
    finding.noted(format!(
        "is this a {who} for `{game}`, started with the right arguments?"
    ))
}
