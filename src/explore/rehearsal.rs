//! A scenario played on paper, with a subject that does everything right: what its golden transcript has to say.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::event::{Event, What};
use crate::judge::{Action, Budgets, Judge, Settings};
use crate::protocol::{Cause, Facts, LaneKind, Line, Model};
use crate::rules::{PerSeat, Roll, Seat};
use crate::scenario::{Choice, Deed, Leaving, Scenario, Side};
use crate::transcript::{Close, Direction, Transcript};

/// Where the scenario says no timeout.
const TIMEOUT: Duration = Duration::from_secs(1);
/// More events than any game has that ends.
const MOST_EVENTS: usize = 200_000;

/// The game of a scenario whose every turn is determined, as the model predicts it; `None` where something is left open or to chance.
#[must_use]
pub fn rehearse(scenario: &Arc<Scenario>) -> Option<Transcript> {
    let setup = match scenario.setup {
        None if !scenario.dialect.game().setup_keys().is_empty() => return None,
        setup => setup.unwrap_or_default(),
    };
    if scenario.dialogue.is_some() || scenario.is_adaptive() || scenario.plays_to_the_end() {
        return None;
    }
    let settings = Settings {
        budgets: Budgets::default(),
        timeout: Some(scenario.timeout.unwrap_or(TIMEOUT)),
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        forces_rolls: true,
        late_spectator: LateSpectator::Nothing,
        seed: 1,
    };
    let (players, spectators) = Judge::lanes(scenario);
    let mut kinds = vec![LaneKind::Player; players];
    kinds.extend(std::iter::repeat_n(LaneKind::Spectator, spectators));
    let usual = || PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()]);
    let PerSeat([first, second]) = scenario.names.clone().unwrap_or_else(usual);
    let facts = Facts::with_names(first, second).with_setup(setup);
    // A bot learns the moves of its opponent from what it is told.
    let sees_sent = Seat::BOTH.map(|seat| scenario.side == Side::Referee || seat == scenario.bot_seat);
    let sees_sent = PerSeat(sees_sent);
    let mut model = Model::new(scenario.dialect, &kinds, sees_sent).with_facts(facts);
    match scenario.side {
        Side::Referee => Seat::BOTH.into_iter().for_each(|seat| model.assign(seat.index(), seat)),
        Side::Bot => model.assign(0, scenario.bot_seat),
    }
    let rehearsal = Rehearsal {
        judge: Judge::new(Arc::clone(scenario), settings, None),
        model,
        scenario,
        rolls: scenario.forced_rolls().into(),
        answers: answers(scenario),
        events: (0..kinds.len()).map(|lane| What::Opened { lane }).collect(),
        lanes: kinds.len(),
        now: Duration::ZERO,
        alarm: None,
        has_ended: false,
    };
    rehearsal.play()
}

/// What the bot under test answers, turn by turn; `None`: any legal move.
fn answers(scenario: &Scenario) -> VecDeque<Option<crate::rules::Move>> {
    let of_bot = scenario.turns().filter(|(_, turn)| turn.seat == scenario.bot_seat);
    let answer = |deed: &Deed| match deed {
        Deed::Move(Choice::This(mv)) => Some(Some(*mv)),
        Deed::Move(Choice::Any { .. }) => Some(None),
        _ => None,
    };
    of_bot.filter_map(|(_, turn)| answer(&turn.deed)).collect()
}

struct Rehearsal<'r> {
    judge: Judge,
    /// The game as the subject knows it, or as the bot's opponent and referee know it.
    model: Model,
    scenario: &'r Scenario,
    rolls: VecDeque<Roll>,
    answers: VecDeque<Option<crate::rules::Move>>,
    events: VecDeque<What>,
    lanes: usize,
    now: Duration,
    alarm: Option<Duration>,
    has_ended: bool,
}

impl Rehearsal<'_> {
    fn play(mut self) -> Option<Transcript> {
        for _ in 0..MOST_EVENTS {
            if self.judge.is_finished() {
                return self.judge.conclude().prediction;
            }
            let Some(what) = self.events.pop_front() else {
                match self.scenario.side {
                    Side::Referee => self.conduct(),
                    Side::Bot => self.answer(),
                }
                if self.events.is_empty() {
                    // Nobody has anything to say: time goes by.
                    self.now = self.now.max(self.alarm.take()?);
                    self.events.push_back(What::Alarm);
                }
                continue;
            };
            let is_alarm = what == What::Alarm;
            let actions = self.judge.take(&Event { at: self.now, what });
            actions.into_iter().for_each(|action| self.carry_out(action));
            if is_alarm && self.scenario.side == Side::Referee {
                self.time_out();
            }
        }
        None
    }

    fn carry_out(&mut self, action: Action) {
        match action {
            Action::Send { lane, bytes } => {
                let direction =
                    if self.scenario.side == Side::Referee { Direction::Sent } else { Direction::Received };
                for text in bytes.split_inclusive(|&byte| byte == b'\n') {
                    let text = text.strip_suffix(b"\n").unwrap_or(text);
                    self.events.push_back(What::Line { lane, direction, line: Line::new(text) });
                    if self.scenario.side == Side::Referee {
                        self.model.sent(lane, text);
                    } else {
                        drop(self.model.receive(lane, &Line::new(text)));
                    }
                }
            }
            Action::Leave { lane, how } => {
                let close = if how == Leaving::Reset { Close::Reset } else { Close::End };
                self.events.push_back(What::Closed { lane, direction: Direction::Sent, close });
                self.model.leave(lane, how == Leaving::HalfClose, b"");
            }
            // The bot's input ends, and so does the bot.
            Action::Close { .. } if self.scenario.side == Side::Bot => self.end(Direction::Sent),
            Action::WakeAt(at) => self.alarm = Some(at),
            Action::Close { .. } | Action::Open { .. } | Action::Read { .. } | Action::Finish => {}
        }
    }

    /// Ends every lane in the direction of the subject.
    fn end(&mut self, direction: Direction) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        let closed = (0..self.lanes).map(|lane| What::Closed { lane, direction, close: Close::End });
        self.events.extend(closed);
        self.events.push_back(What::Exited { status: "exit status 0".to_owned(), is_success: true });
    }

    /// Says what the referee has to say.
    fn conduct(&mut self) {
        let direction = Direction::Received;
        if self.model.awaits_roll()
            && let Some(roll) = self.rolls.pop_front()
        {
            self.model.roll(roll);
        }
        for lane in 0..self.lanes {
            while let Some(told) = self.model.take_due(lane) {
                self.events.push_back(What::Line { lane, direction, line: Line::new(told.line) });
            }
        }
        if self.events.is_empty() && self.model.is_over() {
            self.end(direction);
        }
    }

    /// Has the player on turn lose where the scenario lets the timeout pass, and that has been waited for.
    fn time_out(&mut self) {
        let is_last_silent = self.scenario.turns().last().is_some_and(|(_, turn)| turn.deed == Deed::Silent);
        if let Some(seat) = self.model.awaits_move_of().filter(|_| is_last_silent) {
            self.model.forfeit(seat, Cause::Timeout);
        }
    }

    /// Says what the bot has to say.
    fn answer(&mut self) {
        let seat = self.scenario.bot_seat;
        if self.model.is_over() {
            return self.end(Direction::Sent);
        }
        if self.model.awaits_move_of() != Some(seat) || self.has_ended {
            return;
        }
        let legal = self.model.table().map(crate::rules::Table::legal_moves).unwrap_or_default();
        let Some(mv) = self.answers.pop_front().flatten().or_else(|| legal.first().copied()) else { return };
        let line = self.scenario.dialect.write_move(mv);
        self.model.said(seat, &line);
        // Where it comes back, the bot's own lane is told of it by the judge.
        self.events.push_back(What::Line { lane: 0, direction: Direction::Sent, line: Line::new(line) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{golden_of, suite};
    use crate::transcript::compare::compare;

    /// Whether a shipped scenario is of turns alone, so that nothing has to be waited for or left open.
    fn is_plain(scenario: &Scenario) -> bool {
        let is_clean = |deed: &Deed| !matches!(deed, Deed::Send(_) | Deed::Move(Choice::Any { .. }));
        scenario.turns().all(|(_, turn)| turn.meanwhile.is_empty() && is_clean(&turn.deed))
    }

    #[test]
    fn agrees_with_the_golden_transcripts_of_the_shipped_scenarios() {
        let (scenarios, problems) = suite::all();
        assert!(!problems.has_errors());
        let (mut agreeing, mut refused) = ([0, 0], Vec::new());
        for scenario in scenarios.into_iter().filter(is_plain).map(Arc::new) {
            let Ok(Some(golden)) = golden_of(&scenario) else { continue };
            match rehearse(&scenario) {
                Some(rehearsed) => {
                    let comparison = compare(&golden, &rehearsed);
                    assert!(comparison.is_same(), "{}: {comparison:?}", scenario.name);
                    agreeing[usize::from(scenario.side == Side::Bot)] += 1;
                }
                None => refused.push(scenario.name.clone()),
            }
        }
        assert!(agreeing[0] > 60 && agreeing[1] > 1, "{agreeing:?}, none of {refused:?}");
    }
}
