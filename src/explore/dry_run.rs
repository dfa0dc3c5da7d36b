//! A scenario played on paper, with a subject that does everything right: what its golden transcript has to say.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::event::{Event, What};
use crate::judge::{Budgets, Command, Judge, Judgement, Settings};
use crate::protocol::{Cause, Facts, Framer, LaneKind, Line, Model, Open, PlayerLine};
use crate::rules::{PerSeat, Roll, Seat, Setup};
use crate::scenario::{Choice, Deed, Leaving, PlannedGame, Scenario, Side};
use crate::transcript::{Close, Direction, Transcript};

/// Timeout of scenarios that set none.
const TIMEOUT: Duration = Duration::from_secs(1);
/// More events than any game has that ends.
const MOST_EVENTS: usize = 200_000;

/// The game of a scenario whose every turn is determined, as the model predicts it; `None` where something is left open or to chance.
#[must_use]
pub fn dry_run(scenario: &Arc<Scenario>) -> Option<Transcript> {
    let plan = scenario.game()?;
    let setup = match plan.setup {
        None if !plan.dialect.game().setup_keys().is_empty() => return None,
        setup => setup.unwrap_or_default(),
    };
    if plan.is_adaptive() || plan.plays_to_the_end() {
        return None;
    }
    DryRun::new(scenario, plan, setup).play()?.prediction
}

/// Returns the answers of the bot under test, by turn; `None` is any legal move.
fn answers(plan: &PlannedGame) -> VecDeque<Option<crate::rules::Move>> {
    let of_bot = plan.turns().filter(|(_, turn)| turn.seat == plan.bot_seat);
    let answer = |action: &Deed| match action {
        Deed::Move(Choice::This(mv)) => Some(Some(*mv)),
        Deed::Move(Choice::Any { .. }) => Some(None),
        _ => None,
    };
    of_bot.filter_map(|(_, turn)| answer(&turn.deed)).collect()
}

struct DryRun<'r> {
    judge: Judge,
    /// The game as the subject knows it, or as the bot's opponent and referee know it.
    model: Model,
    plan: &'r PlannedGame,
    rolls: VecDeque<Roll>,
    answers: VecDeque<Option<crate::rules::Move>>,
    events: VecDeque<What>,
    lanes: usize,
    /// Lines that are sent, which can come in pieces.
    sent: Vec<Framer>,
    now: Duration,
    alarm: Option<Duration>,
    has_ended: bool,
}

impl<'r> DryRun<'r> {
    fn new(scenario: &Arc<Scenario>, plan: &'r PlannedGame, setup: Setup) -> DryRun<'r> {
        let settings = Settings {
            budgets: Budgets::default(),
            timeout: Some(plan.timeout.unwrap_or(TIMEOUT)),
            pace: Duration::ZERO,
            lag: Duration::ZERO,
            forces_rolls: true,
            late_spectator: LateSpectator::Nothing,
            seed: 1,
        };
        let (players, spectators) = scenario.lanes();
        let mut kinds = vec![LaneKind::Player; players];
        kinds.extend(std::iter::repeat_n(LaneKind::Spectator, spectators));
        let usual = || PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()]);
        let PerSeat([first, second]) = plan.names.clone().unwrap_or_else(usual);
        let facts = Facts::with_names(first, second);
        // A bot is told what was dealt.
        let is_told = plan.side == Side::Bot && plan.setup.is_none();
        let facts = if is_told {
            facts
        } else {
            facts.with_setup(setup)
        };
        // A bot learns the moves of its opponent from what it is told.
        let sees_sent = Seat::BOTH.map(|seat| plan.side == Side::Referee || seat == plan.bot_seat);
        let sees_sent = PerSeat(sees_sent);
        let mut model = Model::new(plan.dialect, &kinds, sees_sent).with_facts(facts);
        match plan.side {
            Side::Referee => Seat::BOTH
                .into_iter()
                .for_each(|seat| model.assign(seat.index(), seat)),
            Side::Bot => model.assign(0, plan.bot_seat),
        }
        DryRun {
            judge: Judge::new(Arc::clone(scenario), settings, None),
            model,
            plan,
            rolls: plan.forced_rolls().into(),
            answers: answers(plan),
            events: (0..kinds.len()).map(|lane| What::Opened { lane }).collect(),
            lanes: kinds.len(),
            sent: kinds.iter().map(|_| Framer::default()).collect(),
            now: Duration::ZERO,
            alarm: None,
            has_ended: false,
        }
    }

    fn play(mut self) -> Option<Judgement> {
        for _ in 0..MOST_EVENTS {
            if self.judge.is_finished() {
                return Some(self.judge.conclude());
            }
            let Some(what) = self.events.pop_front() else {
                match self.plan.side {
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
            let is_timeout = what == What::Alarm && self.judge.awaits_timeout();
            let actions = self.judge.take(&Event { at: self.now, what });
            actions
                .into_iter()
                .for_each(|action| self.carry_out(action));
            // Where the scenario lets the timeout pass, and that has been waited for.
            if let Some(seat) = self.model.awaits_move_of().filter(|_| is_timeout) {
                self.model.forfeit(seat, Cause::Timeout);
            }
        }
        None
    }

    fn carry_out(&mut self, action: Command) {
        match action {
            Command::Send { lane, bytes } => {
                let direction = if self.plan.side == Side::Referee {
                    Direction::Sent
                } else {
                    Direction::Received
                };
                let mut lines = Vec::new();
                self.sent[lane].push(&bytes, |line| lines.push(line));
                for line in lines {
                    if self.plan.side == Side::Referee {
                        self.hear(lane, &line.text);
                    } else {
                        drop(self.model.receive(lane, &line));
                    }
                    self.events.push_back(What::Line {
                        lane,
                        direction,
                        line,
                    });
                }
            }
            Command::Leave { lane, how } => {
                let close = if how == Leaving::Reset {
                    Close::Reset
                } else {
                    Close::End
                };
                self.events.push_back(What::Closed {
                    lane,
                    direction: Direction::Sent,
                    close,
                });
                self.model.leave(lane, how == Leaving::HalfClose, b"");
            }
            // The bot's input ends, and so does the bot.
            Command::Close { .. } if self.plan.side == Side::Bot => self.end(Direction::Sent),
            Command::WakeAt(at) => self.alarm = Some(at),
            Command::Close { .. }
            | Command::Open { .. }
            | Command::Read { .. }
            | Command::Finish => {}
        }
    }

    /// Takes a line of a player; of what is open, one that may be a move is taken for it, and another one is ignored where it may be.
    fn hear(&mut self, lane: usize, text: &[u8]) {
        let dialect = self.plan.dialect;
        let is_on_turn = self
            .model
            .awaits_move_of()
            .and_then(|seat| self.model.lane_of(seat))
            == Some(lane);
        match dialect.read_player_line(text) {
            PlayerLine::Open(Open { mv: Some(mv), .. }) if is_on_turn => {
                self.model.sent(lane, &dialect.write_move(mv));
            }
            PlayerLine::Open(open) if is_on_turn && open.may_be_ignored => {}
            _ => drop(self.model.sent(lane, text)),
        }
    }

    /// Ends every lane in the direction of the subject.
    fn end(&mut self, direction: Direction) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        let closed = (0..self.lanes).map(|lane| What::Closed {
            lane,
            direction,
            close: Close::End,
        });
        self.events.extend(closed);
        self.events.push_back(What::Exited {
            status: "exit status 0".to_owned(),
            is_success: true,
        });
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
                self.events.push_back(What::Line {
                    lane,
                    direction,
                    line: Line::new(told.line),
                });
            }
        }
        if self.events.is_empty() && self.model.is_over() {
            self.end(direction);
        }
    }

    /// Says what the bot has to say.
    fn answer(&mut self) {
        let seat = self.plan.bot_seat;
        if self.model.is_over() {
            return self.end(Direction::Sent);
        }
        if self.model.awaits_move_of() != Some(seat) || self.has_ended {
            return;
        }
        let table = self.model.table();
        let any = || table?.legal_moves().first().copied();
        let Some(mv) = self.answers.pop_front().flatten().or_else(any) else {
            return;
        };
        let line = self.plan.dialect.write_move(mv);
        self.model.said(seat, &line);
        // Where it comes back, the bot's own lane is told of it by the judge.
        self.events.push_back(What::Line {
            lane: 0,
            direction: Direction::Sent,
            line: Line::new(line),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{golden_of, suite};
    use crate::transcript::compare::compare;

    /// Returns true if a shipped scenario consists of turns only, without waits and free choices.
    fn is_plain(scenario: &Scenario) -> bool {
        let is_clean =
            |action: &Deed| !matches!(action, Deed::Send(_) | Deed::Move(Choice::Any { .. }));
        scenario
            .game()
            .unwrap()
            .turns()
            .all(|(_, turn)| turn.meanwhile.is_empty() && is_clean(&turn.deed))
    }

    #[test]
    fn agrees_with_the_golden_transcripts_of_the_shipped_scenarios() {
        let (scenarios, problems) = suite::all();
        assert!(!problems.has_errors());
        let (mut agreeing, mut refused) = ([0, 0], Vec::new());
        for scenario in scenarios.into_iter().filter(is_plain).map(Arc::new) {
            let Ok(Some(golden)) = golden_of(&scenario) else {
                continue;
            };
            match dry_run(&scenario) {
                Some(checked) => {
                    let comparison = compare(&golden, &checked);
                    assert!(comparison.is_empty(), "{}: {comparison:?}", scenario.name);
                    agreeing[usize::from(scenario.side() == Side::Bot)] += 1;
                }
                None => refused.push(scenario.name.clone()),
            }
        }
        assert!(
            agreeing[0] > 60 && agreeing[1] > 1,
            "{agreeing:?}, none of {refused:?}"
        );
    }
}
