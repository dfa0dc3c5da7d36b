//! Whether urtext itself was late: the players that it plays have to answer before the referee's timeout is over, and on a busy machine a
//! roll can lie unread, or an answer be written, for so long that they do not.

use std::time::Duration;

use super::acting::early_slack;
use super::state::State;
use crate::event::{Finding, Verdict};
use crate::scenario::Side;

/// How long the referee can have waited for the player on turn, at most.
#[derive(Debug, Default)]
pub(super) struct Promptness {
    /// When the line was handed out that led to this turn; the referee's clock for the turn starts later. `None`: no line has yet.
    from: Option<Duration>,
    /// How many rolls were shown since: the pace stands before each.
    rolls: u32,
    /// When this turn was seen to begin.
    seen: Duration,
    /// When the answer was handed out.
    handed: Option<Duration>,
    /// How long the referee can have waited for the last answer, as long as nothing shows that it came in time.
    answered: Option<Duration>,
}

impl Promptness {
    /// A roll was shown for the first time: what was sent before came in time.
    pub(super) fn rolled(&mut self, now: Duration) {
        self.rolls += 1;
        self.began(now);
    }

    /// The turn of a player was seen to begin.
    pub(super) fn began(&mut self, now: Duration) {
        self.seen = now;
        self.answered = None;
    }

    /// A line of the player on turn is handed out to be written.
    pub(super) fn handed(&mut self, now: Duration, pace: Duration) {
        if self.handed.is_none() {
            self.handed = Some(now);
            self.answered = Some(now.saturating_sub(self.start(pace)));
        }
    }

    /// It was written, and `decides` the turn or was ignored.
    pub(super) fn sent(&mut self, now: Duration, pace: Duration, decides: bool) {
        let handed = self.handed.take();
        if decides {
            self.answered = Some(now.saturating_sub(self.start(pace)));
            self.from = handed.or(Some(now));
            self.rolls = 0;
            self.seen = now;
        }
    }

    /// When the referee's clock can have started, at the earliest.
    fn start(&self, pace: Duration) -> Duration {
        self.seen.min(self.from.unwrap_or_default() + pace.saturating_mul(self.rolls))
    }

    /// How long the referee can have waited, at most.
    fn waited(&self, pace: Duration) -> Duration {
        let unread = self.seen.saturating_sub(self.start(pace));
        self.answered.unwrap_or_default().max(if self.handed.is_none() { unread } else { Duration::ZERO })
    }
}

/// A deviation that can come of our own lateness is not held against the referee.
pub(super) fn excuse(state: &State, finding: &mut Finding) {
    let Some(timeout) = state.settings.timeout.filter(|_| state.scenario.side == Side::Referee) else {
        return;
    };
    let waited = state.promptness.waited(state.settings.pace);
    // In the first turn its clock starts while lanes are still being opened.
    let before = if state.promptness.from.is_none() { timeout / 4 } else { Duration::ZERO };
    let slack = early_slack(timeout, state.settings.lag).max(before);
    if finding.verdict != Verdict::Fail || waited + slack < timeout {
        return;
    }
    finding.verdict = Verdict::Inconclusive;
    finding.by_silence = true;
    finding.notes.push(format!(
        "urtext may have been late itself: the referee can have waited {waited:.2?} for its line, with a timeout of {timeout:.2?}; \
         a longer timeout or fewer --jobs help"
    ));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::LateSpectator;
    use crate::diagnostic::Source;
    use crate::event::{Event, What};
    use crate::judge::{Action, Budgets, Judge, Judgement, Settings};
    use crate::protocol::Line;
    use crate::scenario::{Alone, resolve};
    use crate::transcript::{Close, Direction};

    const UR: &str = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/move/relayed-to-opponent]\nspectators: 0\n\
        turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > 0\n";
    const ONITAMA: &str = "scenario: t\ngame: onitama\nsubject: referee\nchecks: [oni/board/cells]\n\
        deal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: Top\nturns:\n  - top: Eel a1 b2\n";

    /// What comes next, by our clock in milliseconds.
    enum Then {
        /// A lane receives a line, or its end.
        Hears(u64, usize, &'static str),
        Ends(u64, usize),
        /// What was handed out is written.
        Writes(u64),
    }
    use Then::{Ends, Hears, Writes};

    /// What is judged of a game with a timeout of 500 ms.
    fn judged(text: &str, pace: u64, then: &[Then]) -> Judgement {
        let (mut scenarios, problems) = resolve(&Source::new("s.yaml", text), "s", &Alone);
        let scenario = scenarios.pop().unwrap_or_else(|| panic!("{problems:?}"));
        let settings = Settings {
            budgets: Budgets::default(),
            timeout: Some(Duration::from_millis(500)),
            pace: Duration::from_millis(pace),
            lag: Duration::ZERO,
            forces_rolls: true,
            late_spectator: LateSpectator::Unknown,
            seed: 1,
        };
        let mut judge = Judge::new(Arc::new(scenario), settings, None);
        let (mut handed, mut alarm) = (Vec::new(), None);
        let mut take = |judge: &mut Judge, at: Duration, what: What, handed: &mut Vec<What>| {
            for action in judge.take(&Event { at, what }) {
                match action {
                    Action::Send { lane, bytes } => {
                        let line = Line::new(bytes.strip_suffix(b"\n").unwrap());
                        handed.push(What::Line { lane, direction: Direction::Sent, line });
                    }
                    Action::WakeAt(at) => alarm = Some(at),
                    _ => {}
                }
            }
        };
        (0..2).for_each(|lane| take(&mut judge, Duration::ZERO, What::Opened { lane }, &mut handed));
        for then in then {
            let direction = Direction::Received;
            match *then {
                Hears(at, lane, line) => {
                    let what = What::Line { lane, direction, line: Line::new(line) };
                    take(&mut judge, Duration::from_millis(at), what, &mut handed);
                }
                Ends(at, lane) => {
                    let what = What::Closed { lane, direction, close: Close::End };
                    take(&mut judge, Duration::from_millis(at), what, &mut handed);
                }
                Writes(at) => {
                    for what in std::mem::take(&mut handed) {
                        take(&mut judge, Duration::from_millis(at), what, &mut Vec::new());
                    }
                }
            }
        }
        // What may follow has its time.
        if let Some(at) = alarm.filter(|_| !judge.is_finished()) {
            judge.take(&Event { at, what: What::Alarm });
        }
        judge.conclude()
    }

    /// The handshake, and both lanes' first roll.
    fn until_the_roll(at: u64) -> Vec<Then> {
        let names = [(0, "Ada"), (0, "Bob"), (0, "0"), (1, "Ada"), (1, "Bob"), (1, "1")];
        let mut then: Vec<_> = names.into_iter().map(|(lane, line)| Hears(0, lane, line)).collect();
        then.extend([Hears(at, 0, "0 0 1 1"), Hears(at, 1, "0 0 1 1")]);
        then
    }

    fn verdict(judgement: &Judgement) -> Verdict {
        assert!(!judgement.findings.is_empty());
        judgement.verdict
    }

    #[test]
    fn a_player_retired_after_our_line_left_too_late_is_no_failure() {
        let game = |sent: u64| {
            let mut then = until_the_roll(1);
            then.extend([Writes(2), Hears(3, 1, "0"), Hears(4, 0, "0 0 0 1"), Hears(4, 1, "0 0 0 1")]);
            then.extend([Writes(sent), Hears(sent + 1, 0, "RETIRE")]);
            judged(UR, 0, &then)
        };
        let late = game(600);
        assert_eq!(verdict(&late), Verdict::Inconclusive, "{:?}", late.findings);
        assert!(late.findings[0].notes.iter().any(|note| note.contains("urtext may have been late itself")));
        // What left in time was not to be refused.
        assert_eq!(verdict(&game(100)), Verdict::Fail);
    }

    #[test]
    fn a_roll_that_lay_unread_until_the_retirement_is_no_failure_of_the_referee() {
        let game = |read: u64| {
            let mut then = until_the_roll(1);
            then.extend([Writes(2), Hears(3, 1, "0")]);
            // The opponent's lane is read first, its retirement included.
            then.extend([Hears(read, 0, "0 0 0 1"), Hears(read, 0, "RETIRE")]);
            judged(UR, 0, &then)
        };
        assert_eq!(verdict(&game(700)), Verdict::Inconclusive);
        assert_eq!(verdict(&game(10)), Verdict::Fail);
    }

    #[test]
    fn a_roll_that_one_lane_never_shows_stays_a_failure_however_long_we_wait_for_it() {
        let mut then = until_the_roll(1);
        then.extend([Writes(2), Hears(3, 1, "0"), Hears(4, 1, "0 0 0 1"), Hears(510, 0, "RETIRE")]);
        assert_eq!(verdict(&judged(UR, 0, &then)), Verdict::Fail);
    }

    #[test]
    fn the_pace_is_no_lateness_of_ours() {
        let mut then = until_the_roll(1);
        then.extend([Writes(2), Hears(3, 1, "0"), Hears(1004, 0, "0 0 0 1"), Hears(1004, 1, "0 0 0 1")]);
        then.extend([Writes(1010), Hears(1011, 0, "RETIRE")]);
        assert_eq!(verdict(&judged(UR, 1000, &then)), Verdict::Fail);
    }

    #[test]
    fn lanes_that_are_dropped_after_our_line_left_too_late_are_no_failure() {
        let game = |sent: u64| {
            let setup = "Cards: Cobra,Eel,Crab,Rabbit,Tiger";
            let mut then = Vec::new();
            for lane in 0..2 {
                let seat = if lane == 0 { "You are Top" } else { "You are Bottom" };
                then.extend([seat, setup, "Top starts"].map(|line| Hears(1, lane, line)));
            }
            then.extend([Writes(sent), Ends(sent + 1, 0), Ends(sent + 1, 1)]);
            judged(ONITAMA, 0, &then)
        };
        assert_eq!(verdict(&game(600)), Verdict::Inconclusive);
        assert_eq!(verdict(&game(50)), Verdict::Fail);
    }
}
