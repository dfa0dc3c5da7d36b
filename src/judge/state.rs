//! State that judging a referee and judging a bot share: lanes, waits, findings.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::choice::Chooser;
use super::narrated::Narrated;
use super::settings::Settings;
use crate::event::{Finding, OpenChoice, Slowest};
use crate::protocol::{Deviation, Facts, Framer, LaneKind, Model, Party};
use crate::rules::{Move, PerSeat, Seat};
use crate::scenario::{Leaving, Scenario, SendPart, Side, Turn};
use crate::transcript::{Close, Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// Current wait of the game; each has its own budget and its own message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The handshake.
    Handshake,
    /// A line that is due.
    Answer,
    /// The timeout that a silent player lets pass.
    Timeout,
    /// The end of the streams after the end of the game.
    Close,
    /// The end of the streams after a player has gone away: at once, or when its time is over.
    Forfeit,
    /// The end of the streams after we have closed ours.
    CloseAfterUs,
    /// A line that is overdue: whether it comes at all, and how late.
    Late,
    /// A pause between two pieces of what is sent.
    Pause,
    /// A settling time, to see what the referee makes of a line sent off turn.
    Quiet,
    /// Events after an unexpected close: on other lanes, or the process's exit status.
    AfterClose,
    /// The end of the process after the end of its stream.
    Exit,
}

/// State of a lane, apart from the model's.
#[derive(Debug, Clone, Default)]
pub(super) struct LaneState {
    pub(super) is_open: bool,
    pub(super) entries: Vec<Entry>,
    /// Kind of close of the subject's direction.
    pub(super) ended: Option<Close>,
    /// True if the subject stopped reading before we closed the lane.
    pub(super) reader_closed: bool,
    /// Incomplete line at the last alarm.
    pub(super) unfinished: Vec<u8>,
    /// True if urtext has disconnected.
    pub(super) has_left: bool,
    /// Framing of urtext's own bytes, for the partial line at their end.
    pub(super) sent: Framer,
    /// Time of the subject's last line.
    pub(super) last_heard: Duration,
}

/// An observation whose meaning depends on later events: on other lanes, or the process's exit.
#[derive(Debug, Clone)]
pub(super) enum Pending {
    /// The subject ended a lane in mid-game.
    Ended { lane: usize, close: Close },
    /// A line that the model did not predict.
    Line(Box<Deviation>),
    /// The bot owes an answer, and its input was closed then; `heard`: how many lines it had sent by then, `has_exited`:
    /// whether its process had ended, `evidence`: what the platform showed of it.
    Unanswered {
        heard: usize,
        has_exited: bool,
        evidence: Option<String>,
    },
    /// The referee owes a line, and the players' lanes were closed then; `finding`: what that is without what comes of it, `heard`: how
    /// many lines each lane had by then.
    Silent {
        finding: Box<Finding>,
        heard: Vec<usize>,
        has_exited: bool,
    },
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) scenario: Arc<Scenario>,
    pub(super) settings: Settings,
    pub(super) golden: Option<Arc<Transcript>>,
    pub(super) model: Model,
    /// Progress of a dialogue without rules.
    pub(super) dialogue: Option<super::progress::Progress>,
    pub(super) lanes: Vec<LaneState>,
    pub(super) kinds: Vec<LaneKind>,
    pub(super) actions: Vec<Command>,
    pub(super) findings: Vec<Finding>,
    pub(super) open: Vec<OpenChoice>,
    pub(super) now: Duration,
    /// The step of the turn that is being played.
    pub(super) step: Option<usize>,
    /// The step whose turn comes next.
    pub(super) next_step: usize,
    /// Lines of the bot's lane, by index, that it was free in.
    pub(super) free_lines: Vec<usize>,
    /// Lines, by lane and index, that the specification leaves open: no golden transcript has them.
    pub(super) open_lines: Vec<(usize, usize)>,
    pub(super) waiting: Option<(Wait, Duration)>,
    pub(super) pending: Option<Pending>,
    /// Lines whose carriage return belongs to the line end, by lane and index.
    pub(super) carriage_returns: Vec<(usize, usize)>,
    /// Lines that were handed out to be written to the bot and are not reported as written yet.
    pub(super) unwritten: usize,
    /// Length of the model's history that the bot knew when the first of them was handed out.
    pub(super) known: usize,
    pub(super) exited: Option<(String, bool)>,
    /// State of the subject's processes.
    pub(super) processes: super::activity::Activity,
    /// True if the subject's process ended when it should: after the game, or after we closed a lane.
    pub(super) has_ended_in_time: bool,
    /// Time at which the first lane showed the roll of this turn, and whether the turn is skipped.
    pub(super) turn_began: Option<(Duration, bool)>,
    /// Time at which the beginning of this turn was first seen.
    pub(super) rolled_at: Duration,
    /// Time at which the last move was handed out to be sent; its consequences begin later.
    pub(super) moved_at: Option<Duration>,
    /// Time at which the move before the current turn was handed out: the referee's clock for this turn
    /// starts later.
    pub(super) clock_from: Option<Duration>,
    /// Known times of the referee's clock for this turn.
    pub(super) clock: super::clock::Clock,
    /// Own delay of urtext's players.
    pub(super) own_delay: super::own_delay::OwnDelay,
    /// Timeout remaining when a loss by timeout became observable, measured from our reading of the turn's
    /// beginning.
    pub(super) early_by: Duration,
    /// The line that urtext sent last, and the lane.
    pub(super) last_sent: Option<(usize, Vec<u8>)>,
    /// The move that the line sent last names, legal or not.
    pub(super) last_said: Option<(Seat, Option<Move>)>,
    /// The last turn that was played: its step, and what happened in words.
    pub(super) last_turn: Option<Narrated>,
    /// Description of the current turn.
    pub(super) narrated: Option<Narrated>,
    /// Lines handed out to be sent, and not yet seen to be.
    pub(super) in_flight: usize,
    /// True if a lane is being opened.
    pub(super) is_opening: bool,
    /// Pieces that are still to be sent, with their lanes.
    pub(super) outbox: VecDeque<(usize, SendPart)>,
    /// The way in which a lane is being left.
    pub(super) leaving: Option<(usize, Leaving)>,
    /// Acts of this turn that are done.
    pub(super) acts_done: usize,
    /// True if the player on turn has finished the scenario's action.
    pub(super) has_acted: bool,
    /// True if the settling time of this turn is over.
    pub(super) has_settled: bool,
    /// Start of the current pause.
    pub(super) paused_at: Option<Duration>,
    /// True if a line was sent off turn since the last settling time.
    pub(super) is_unsettled: bool,
    /// True if an observation in this turn may be the reaction to an off-turn line, read later than we
    /// waited.
    pub(super) rests_on_delay: bool,
    /// A line sent off turn that has to be ignored: id of the requirement, and what was sent.
    pub(super) off_turn: Option<(&'static str, String)>,
    /// True if the next turn without a roll, or the next action of the player on turn, still has to be taken
    /// from the scenario.
    pub(super) awaits_step: bool,
    /// Last ignored line of the bot since its last move, with the requirement that the line would break as a
    /// move.
    pub(super) in_vain: Option<(&'static str, String)>,
    /// True if our direction of the bot's lane is closed.
    pub(super) has_hung_up: bool,
    /// The turn that was made up for the current step.
    pub(super) improvised: Option<Turn>,
    /// Number of turns played to reach the awaited situation.
    pub(super) turns_played_on: u32,
    /// Moves of earlier choices, by name.
    pub(super) called: HashMap<String, Move>,
    pub(super) chooser: Chooser,
    pub(super) is_finished: bool,
    pub(super) has_heard: bool,
    /// Number of lines from the subject; `heard_bytes`: their bytes, line endings included.
    pub(super) heard_lines: usize,
    pub(super) heard_bytes: usize,
    pub(super) was_interrupted: bool,
    pub(super) lags: super::lag::Lags,
    /// Start and end of the last wait; a second wait for an overdue line does not count.
    pub(super) due: Option<(Duration, Duration)>,
    /// Violations by a server that ended lanes.
    pub(super) notices: Vec<String>,
    /// True if the subject speaks in other games of the run.
    pub(super) speaks_elsewhere: bool,
}

impl State {
    pub(super) fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
    ) -> State {
        let (players, spectators) = scenario.lanes();
        let mut kinds = vec![LaneKind::Player; players];
        kinds.extend(std::iter::repeat_n(LaneKind::Spectator, spectators));
        let mut model = Model::new(scenario.dialect, &kinds, PerSeat([true, true]));
        let mut chooser = Chooser::new(settings.seed);
        match (scenario.side, &scenario.names) {
            (Side::Bot, _) if scenario.dialogue.is_some() => {}
            (Side::Bot, names) => {
                let PerSeat([first, second]) = names.clone().unwrap_or_else(default_names);
                let facts = Facts::with_names(first, second);
                let setup = scenario
                    .setup
                    .unwrap_or_else(|| chooser.setup(scenario.dialect.game()));
                model = model.with_facts(facts.with_setup(setup));
                model.assign(0, scenario.bot_seat);
            }
            (Side::Referee, Some(PerSeat([first, second]))) => {
                model = model.with_facts(Facts::with_names(first.as_str(), second.as_str()));
            }
            (Side::Referee, None) => {}
        }
        for lane in (0..kinds.len()).filter(|&lane| !scenario.opens_at_start(lane)) {
            model.set_apart(lane);
        }
        let dialogue = scenario
            .dialogue
            .clone()
            .map(super::progress::Progress::new);
        State {
            lanes: kinds.iter().map(|_| LaneState::default()).collect(),
            kinds,
            scenario,
            settings,
            golden,
            model,
            dialogue,
            actions: Vec::new(),
            findings: Vec::new(),
            open: Vec::new(),
            now: Duration::ZERO,
            step: None,
            next_step: 0,
            free_lines: Vec::new(),
            open_lines: Vec::new(),
            waiting: None,
            pending: None,
            carriage_returns: Vec::new(),
            unwritten: 0,
            known: 0,
            exited: None,
            processes: super::activity::Activity::default(),
            has_ended_in_time: false,
            turn_began: None,
            rolled_at: Duration::ZERO,
            moved_at: None,
            clock_from: None,
            own_delay: super::own_delay::OwnDelay::default(),
            clock: super::clock::Clock::default(),
            early_by: Duration::ZERO,
            last_sent: None,
            last_said: None,
            last_turn: None,
            narrated: None,
            in_flight: 0,
            is_opening: false,
            outbox: VecDeque::new(),
            leaving: None,
            acts_done: 0,
            has_acted: false,
            has_settled: false,
            paused_at: None,
            is_unsettled: false,
            rests_on_delay: false,
            off_turn: None,
            awaits_step: true,
            in_vain: None,
            has_hung_up: false,
            improvised: None,
            turns_played_on: 0,
            called: HashMap::new(),
            chooser,
            is_finished: false,
            has_heard: false,
            heard_lines: 0,
            heard_bytes: 0,
            was_interrupted: false,
            lags: super::lag::Lags::default(),
            due: None,
            notices: Vec::new(),
            speaks_elsewhere: false,
        }
    }

    /// The text of a line, less the carriage return where that belongs to the line end.
    pub(super) fn text(&self, lane: usize, entry: usize) -> &[u8] {
        let text = self.lanes[lane].entries[entry].line.text.as_slice();
        match text.strip_suffix(b"\r") {
            Some(stripped) if self.carriage_returns.contains(&(lane, entry)) => stripped,
            _ => text,
        }
    }

    /// The direction in which the subject writes.
    pub(super) fn subject_direction(&self) -> Direction {
        match self.scenario.side {
            Side::Referee => Direction::Received,
            Side::Bot => Direction::Sent,
        }
    }

    /// Begins to wait, or goes on waiting for the same; the budget counts from the last progress.
    pub(super) fn wait(&mut self, wait: Wait, until: Duration) {
        // What is overdue is not in time because it is asked for again.
        let is_same = |known: Wait| known == wait || known == Wait::Late && wait == Wait::Answer;
        if self.waiting.is_some_and(|(known, _)| is_same(known)) {
            return;
        }
        self.waiting = Some((wait, until));
        if self.awaits_what_is_due() && wait != Wait::Late {
            self.due = Some((self.now, until));
        }
        self.actions.push(Command::WakeAt(until));
    }

    /// Treats the awaited line as missing, as if its whole budget had passed.
    pub(super) fn hurry(&mut self) {
        let Some((wait, _)) = self
            .waiting
            .filter(|_| self.awaits_what_is_due() && self.dialogue.is_none())
        else {
            return;
        };
        let wait = if wait == Wait::Answer {
            Wait::Late
        } else {
            wait
        };
        self.waiting = Some((wait, self.now));
        self.due = self.due.map(|(from, _)| (from, self.now));
    }

    /// Returns the time from which silence is suspicious, if the budgets were as short as `patience`.
    pub(super) fn suspects_at(&self, patience: Slowest) -> Option<Duration> {
        let budgets = self.settings.budgets;
        let (wait, until) = self.waiting?;
        let (from, _) = self.due?;
        let shorter = |budget: Duration, patience: Duration| {
            until.checked_sub(budget.saturating_sub(patience))
        };
        let at = match wait {
            Wait::Handshake => shorter(budgets.handshake, patience.first),
            Wait::Answer if self.scenario.side == Side::Bot => {
                let patience = if self.has_heard {
                    patience.later
                } else {
                    patience.first
                };
                Some(until.min(from + patience))
            }
            // A clock that was started anew shows later.
            Wait::Answer => {
                shorter(budgets.answer, patience.later).map(|at| at.max(from + self.clock.patience))
            }
            Wait::Close | Wait::CloseAfterUs => {
                Some(until.min(from + patience.later.max(self.clock.patience)))
            }
            _ => None,
        };
        at.map(|at| at + self.lags.lost_since(from))
    }

    /// Returns true if an awaited line or close is due within a budget.
    pub(super) fn awaits_what_is_due(&self) -> bool {
        use Wait::{Answer, Close, CloseAfterUs, Exit, Handshake, Late};
        self.waiting.is_some_and(|(wait, _)| {
            matches!(
                wait,
                Handshake | Answer | Late | Close | CloseAfterUs | Exit
            )
        })
    }

    /// Returns the lateness of a line that arrives now; `None` if it is in time, or late only by lag.
    pub(super) fn lateness(&mut self) -> Option<Duration> {
        let (Wait::Late, until) = self.waiting? else {
            return None;
        };
        let late = self.now.saturating_sub(until.checked_sub(self.patience())?);
        let lost = self
            .lags
            .lost_since(self.due.map_or(self.now, |(from, _)| from));
        if late <= lost {
            self.lags.has_excused = true;
            return None;
        }
        Some(late)
    }

    /// The most by which an event since `from` can have been seen too late, as the machine was loaded.
    pub(super) fn lag_since(&self, from: Duration) -> Duration {
        self.settings.lag.max(self.lags.most_since(from))
    }

    /// Returns the further wait for an overdue line.
    pub(super) fn patience(&self) -> Duration {
        self.settings.budgets.answer.min(Duration::from_secs(2))
    }

    /// Resets the wait after an awaited event.
    pub(super) fn progress(&mut self) {
        // An aftermath has its time, whatever comes in it, and so has a pause.
        let is_pausing = matches!(self.waiting, Some((Wait::Pause, _)));
        if self.pending.is_none() && !is_pausing {
            self.waiting = None;
        }
    }

    /// Returns true if the game only waits for time to pass: for the timeout, a pause, silence, or the pace.
    pub(super) fn is_biding(&self) -> bool {
        match self.waiting {
            Some((Wait::Timeout | Wait::Pause | Wait::Quiet | Wait::Forfeit, _)) => true,
            Some((Wait::Answer, _)) => !self.settings.pace.is_zero() && self.model.awaits_roll(),
            _ => false,
        }
    }

    /// Returns the current wait, if its time is over.
    pub(super) fn expired(&self) -> Option<Wait> {
        self.waiting
            .and_then(|(wait, until)| (self.now >= until).then_some(wait))
    }

    pub(super) fn finish(&mut self) {
        if !self.is_finished {
            self.is_finished = true;
            self.actions.push(Command::Finish);
        }
    }

    pub(super) fn choice(&mut self, requirement: &'static str, seen: String) {
        let choice = OpenChoice { requirement, seen };
        if !self.open.contains(&choice) {
            self.open.push(choice);
        }
    }

    pub(super) fn label(&self, lane: usize) -> LaneLabel {
        let before = self.kinds[..lane]
            .iter()
            .filter(|&&kind| kind == self.kinds[lane])
            .count() as u32;
        match self.model.party(lane) {
            Some(Party::Player(seat)) => LaneLabel::Player(seat),
            Some(Party::Spectator) => LaneLabel::Spectator(before + 1),
            None => LaneLabel::Unseated(before + 1),
        }
    }

    /// A transcript of all lanes with these lines, players by seat and then spectators.
    pub(super) fn transcript_of(&self, mut entries: impl FnMut(usize) -> Vec<Entry>) -> Transcript {
        let lane = |index: usize| LaneTranscript {
            label: self.label(index),
            entries: entries(index),
        };
        let mut lanes: Vec<_> = (0..self.lanes.len()).map(lane).collect();
        lanes.sort_by_key(|lane| lane.label);
        Transcript {
            dialect: self.scenario.dialect.name().to_owned(),
            lanes,
        }
    }
}

/// The names that urtext gives where a scenario does not care.
fn default_names() -> PerSeat<String> {
    PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()])
}
