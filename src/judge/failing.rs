//! Findings that end a game: of observations whose meaning was open until later events came or did not come, and excuses for the subject,
//! by lag of the machine or urtext's own delay.

use std::time::Duration;

use super::bot::finding as of_bot;
use super::breakdown::{ended_as_told, never_spoke};
use super::clock::{AFTERMATH, SETTLE, tolerance};
use super::finding_context::{End, busy, doubt};
use super::progress::Talk;
use super::state::State;
use super::wait::Pending;
use super::watch::Watch;
use super::{attribution, deviation};
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Deviation, DueLine, Expected, GameEvent, Line, RefereeLine};
use crate::scenario::Side;
use crate::transcript::Direction;

/// The share of a budget that must be lag before lag explains that nothing came: one part in so many.
const LEAST_SHARE: u32 = 4;

/// The least lag that explains that nothing came, however short the budget.
const LEAST: Duration = Duration::from_millis(500);

impl State {
    /// Takes a finding that ends the game.
    pub(super) fn fail(&mut self, mut finding: Finding) {
        self.excuse(&mut finding);
        attribution::blame(self, &mut finding);
        self.end_with(finding);
    }

    /// Doubts a finding that can come of our own lateness, or of the machine's.
    pub(super) fn excuse(&mut self, finding: &mut Finding) {
        if let Some(timeout) = self.timeout_of_referee() {
            let waited = self.clock.waited(self.settings.pace);
            let waited = waited.max(self.own_lateness()).max(self.own_pause());
            let is_first = self.clock.from.is_none();
            self.excuse_late_line(finding, timeout, waited, is_first);
            // A silent player's timeout passed before another player's off-turn line could show its effect, since urtext was late: the loss
            // may belong to either of them.
            if finding.verdict == Verdict::Fail
                && self.is_unsettled
                && self.course.lets_time_pass()
                && self.now >= self.clock.not_before(timeout)
            {
                let why = "the timeout passed before a line off turn could show its effect";
                doubt(finding, why);
            }
        }
        self.excuse_lag(finding);
    }

    /// Takes the observation whose meaning was open as a finding, once the time for later events is over.
    pub(super) fn fail_pending(&mut self) {
        let pending = self.pending.take();
        let pending = pending.expect("an aftermath follows something");
        let mut finding = pending_finding(self, &pending);
        match &pending {
            // It was excused, or not, when it was found.
            Pending::Swapped(..) => return self.end_with(finding),
            Pending::Line(deviation) => self.excuse_late_reading(deviation, &mut finding),
            _ => {}
        }
        self.fail(finding);
    }

    /// Returns the longest time that the referee can have waited for a player of urtext's that still pauses before its line.
    fn own_pause(&self) -> Duration {
        if self.outbox.is_empty() || self.course.lets_time_pass() {
            return Duration::ZERO;
        }
        self.clock.kept_waiting(self.now, self.settings.pace)
    }

    /// A deviation that can come of the referee's reading a line off turn, or missing a player, later than we waited is not held
    /// against it.
    pub(super) fn excuse_late_reading(&self, deviation: &Deviation, finding: &mut Finding) {
        // What a player sends before it goes away is read before that.
        let mover = match deviation.due {
            Some(DueLine::Event(_, GameEvent::Moved { by, .. }, _)) => Some(by),
            _ => None,
        };
        let may_be_late =
            deviation.heard == Some(RefereeLine::Loss) && self.model.may_lose_but(mover);
        if finding.verdict == Verdict::Fail && (self.progress.rests_on_delay || may_be_late) {
            finding.verdict = Verdict::Inconclusive;
            let note = format!(
                "what was sent off turn, or a hang-up, may have been read later than {SETTLE:?} after it"
            );
            finding.notes.push(note);
        }
    }
}

impl Talk {
    /// Takes a finding that ends the game. No step names a requirement: a failure is about the one that the scenario exists for.
    pub(super) fn fail(&mut self, mut finding: Finding) {
        if finding.verdict == Verdict::Fail {
            finding.requirement = self.dialogue.checks.first().copied();
        }
        if let Some(timeout) = self.timeout_of_referee() {
            let waited = self.own_lateness();
            self.excuse_late_line(&mut finding, timeout, waited, true);
        }
        self.excuse_lag(&mut finding);
        self.end_with(finding);
    }
}

impl Watch {
    fn end_with(&mut self, mut finding: Finding) {
        if let Some(requirement) = finding.requirement {
            // A note that names it as well says nothing new.
            finding.notes.retain(|note| !note.ends_with(requirement));
        }
        self.findings.push(finding);
        self.finish();
    }

    /// The timeout that a referee under test has for urtext's players.
    fn timeout_of_referee(&self) -> Option<Duration> {
        let timeout = self.settings.timeout;
        timeout.filter(|_| self.scenario.side() == Side::Referee)
    }

    /// Returns urtext's own delay. What led to the finding may have been looked at for a moment.
    fn own_lateness(&self) -> Duration {
        self.lags.since(self.now.saturating_sub(2 * AFTERMATH)).own
    }

    /// A deviation that can come of our own lateness is not held against the referee. `waited`: the longest time that it can have waited
    /// for a player of urtext's; in the first turn its clock starts while lanes are still being opened.
    fn excuse_late_line(
        &mut self,
        finding: &mut Finding,
        timeout: Duration,
        waited: Duration,
        is_first_turn: bool,
    ) {
        let before = match is_first_turn {
            true => timeout / 4,
            false => Duration::ZERO,
        };
        let lag = self.lag_since(self.now.saturating_sub(waited));
        let slack = (tolerance(timeout) + 2 * lag).min(timeout / 2).max(before);
        if finding.verdict != Verdict::Fail || waited + slack < timeout {
            return;
        }
        let why = format!(
            "the referee can have waited {waited:.2?} for its line, with a timeout of {timeout:.2?}; \
             a longer timeout or fewer --jobs help"
        );
        doubt(finding, why);
    }

    /// Makes a finding inconclusive where only lag explains it: something did not come within its budget, and without the time that the
    /// subject lacked the budget would not be over.
    fn excuse_lag(&mut self, finding: &mut Finding) {
        if let Some((from, until)) = self.due.filter(|(_, until)| self.now >= *until) {
            let (lost, budget) = (self.lags.lost_since(from), until.saturating_sub(from));
            let waited = self.now.saturating_sub(from);
            let may_be =
                finding.by_silence && matches!(finding.verdict, Verdict::Fail | Verdict::Error);
            if may_be && waited < budget + lost && lost >= LEAST.max(budget / LEAST_SHARE) {
                let budget = "a longer --budget answer=DURATION helps as well";
                doubt(finding, format!("{}; {budget}", busy(lost)));
            }
        }
        self.lags.has_excused |= finding.by_silence && finding.verdict == Verdict::Inconclusive;
    }
}

/// Returns the finding of a pending observation, after the wait for later events.
pub(super) fn pending_finding(seen: &State, pending: &Pending) -> Finding {
    let mut finding = match pending {
        Pending::Ended { .. } if seen.plan.side == Side::Bot => match seen.heard.anything {
            true => of_bot::ended(seen),
            false => of_bot::mute(seen, true),
        },
        Pending::Ended { .. } if !seen.heard.anything => never_spoke(seen, true),
        Pending::Ended { lane } => deviation::ended(seen, *lane),
        Pending::Silent {
            finding: Some(finding),
            heard,
            ..
        } => silent(seen, finding, heard),
        Pending::Silent {
            heard, has_exited, ..
        } => of_bot::unanswered(seen, heard[0], *has_exited),
        Pending::Line(line) => deviation::deviation(seen, line, End::Line),
        Pending::Swapped(line, finding) => deviation::maybe_swapped(seen, line, finding),
    };
    let who = seen.plan.side.word();
    match (pending, &seen.exited) {
        // What never spoke has been said to have ended, or not.
        (_, None) => {}
        _ if !seen.heard.anything => {}
        // A referee that we have left may well end, and that says nothing.
        (
            Pending::Silent {
                finding: of_referee,
                has_exited: false,
                ..
            },
            Some((status, _)),
        ) => {
            let note = of_referee.is_none().then(|| ended_as_told(who, status));
            finding.notes.extend(note);
        }
        (_, Some((status, true))) => {
            let note = format!("the {who}'s process ended: {status}");
            finding.notes.push(note);
        }
        (_, Some((status, false))) => finding.crash = Some(status.clone()),
    }
    let is_turn_of_bot = seen.model.awaits_move_of() == Some(seen.plan.bot_seat);
    if finding.crash.is_some() && is_turn_of_bot {
        // That shows a mistake in its program, and none about the rules.
        finding.symptom = None;
    }
    finding
}

/// The referee did not say what was due; what came when the lanes of the players were closed tells more.
fn silent(seen: &State, silence: &Finding, heard: &[usize]) -> Finding {
    let mut finding = silence.clone();
    // Whether a carriage return belongs to the line end is open.
    let text = |line: &Line| line.text.strip_suffix(b"\r").unwrap_or(&line.text).to_vec();
    let said_after_all = |lane: usize| {
        let missing = seen.model.missing(lane)?;
        let mut lines = seen.lanes[lane].lines(Direction::Received);
        let line = lines.nth(heard[lane])?;
        // A loss is the answer to our going away, and was not held back.
        let is_due = match &missing.expected {
            Expected::Line(due) => *due == text(line),
            _ => seen.plan.dialect.hear(&text(line)) != RefereeLine::Loss,
        };
        is_due.then_some((missing, line))
    };
    if let Some((missing, line)) = (0..seen.lanes.len()).find_map(said_after_all) {
        if finding.verdict == Verdict::Error {
            finding.verdict = Verdict::Fail;
            finding.retitle("the referee said nothing until its players had gone");
            finding.requirement = Some(missing.requirement);
        }
        let shown = quoted(&line.text).at_most(60);
        let came = format!("{shown} came when the lanes of the players were closed");
        finding.notes.push(if seen.plan.dialect.hear(&text(line)) == RefereeLine::Loss {
            format!("{came}: as the answer to that, or because the referee does not flush its output after each line")
        } else {
            format!("{came}: does it flush its output after each line?")
        });
    }
    finding
}
