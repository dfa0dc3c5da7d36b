//! A referee in memory whose every choice can be set, and a game between it and the judge without sockets or clocks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use urtext::config::LateSpectator;
use urtext::event::{Event, Outcome, What};
use urtext::games::royalur::{RoyalUr, coins};
use urtext::judge::{Budgets, Command, Judge, Settings};
use urtext::protocol::{Framer, Line};
use urtext::rules::{Game, Move, Phase, RollSource, Setup, Table, below};
use urtext::scenario::{Leaving, Scenario};
use urtext::transcript::{Close, Direction};
use urtext::yaml::Words;

/// The timeout of the referee.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What a referee does with a line of a player who is not on turn, or a second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OffTurn {
    Keeps,
    Ignores,
    Retires,
    /// Keeps it, and reads it only so long after the roll.
    KeepsAndReadsLate(Duration),
}

/// When a referee retires a player who went away off turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    WhenOnTurn,
    AtOnce,
    /// It does not.
    Never,
    /// It closes the lane at once, and retires the player on turn.
    ClosesTheLane,
}

/// What a referee does with a number in another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Retires,
    PassesOnTheNumber,
    PassesOnTheLine,
}

/// What a spectator is shown who comes late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    Nothing,
    TurnsAway,
    Everything,
    NamesAndThenOn,
    FromThenOn,
    Garbage,
}

/// Everything that the specification leaves to a referee, and some faults.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Readings {
    pub(crate) off_turn: OffTurn,
    pub(crate) gone: Gone,
    pub(crate) form: Form,
    pub(crate) late: Late,
    /// What is declared of that.
    pub(crate) declared: LateSpectator,
    pub(crate) counts_unfinished: bool,
    pub(crate) tells_the_loser: bool,
    /// The time between two turns.
    pub(crate) pace: Duration,
    /// The same after a skipped turn.
    pub(crate) pace_after_skip: Duration,
    pub(crate) timeout: Duration,
}

impl Default for Readings {
    fn default() -> Self {
        Readings {
            off_turn: OffTurn::Keeps,
            gone: Gone::WhenOnTurn,
            form: Form::Retires,
            late: Late::Nothing,
            declared: LateSpectator::Nothing,
            counts_unfinished: false,
            tells_the_loser: false,
            pace: Duration::ZERO,
            pace_after_skip: Duration::ZERO,
            timeout: TIMEOUT,
        }
    }
}

impl Readings {
    /// Sets a reading by the words of a case.
    pub(crate) fn set(&mut self, key: &str, words: &str) {
        let duration = |text: &str| humantime::parse_duration(text).unwrap();
        match (key, words) {
            ("off-turn", "keeps") => self.off_turn = OffTurn::Keeps,
            ("off-turn", "ignores") => self.off_turn = OffTurn::Ignores,
            ("off-turn", "retires") => self.off_turn = OffTurn::Retires,
            ("off-turn", late) => self.off_turn = OffTurn::KeepsAndReadsLate(duration(late)),
            ("gone", "retires on turn") => self.gone = Gone::WhenOnTurn,
            ("gone", "retires at once") => self.gone = Gone::AtOnce,
            ("gone", "stays") => self.gone = Gone::Never,
            ("gone", "closes the lane") => self.gone = Gone::ClosesTheLane,
            ("form", "retires") => self.form = Form::Retires,
            ("form", "passes on the number") => self.form = Form::PassesOnTheNumber,
            ("form", "passes on the line") => self.form = Form::PassesOnTheLine,
            ("late", "nothing") => self.late = Late::Nothing,
            ("late", "turns away") => self.late = Late::TurnsAway,
            ("late", "everything") => self.late = Late::Everything,
            ("late", "names and then on") => self.late = Late::NamesAndThenOn,
            ("late", "from then on") => self.late = Late::FromThenOn,
            ("late", "garbage") => self.late = Late::Garbage,
            ("declared", word) => self.declared = LateSpectator::of(word).unwrap(),
            ("half a line counts", word) => self.counts_unfinished = word == "yes",
            ("tells the loser", word) => self.tells_the_loser = word == "yes",
            ("pace", text) => self.pace = duration(text),
            ("pace after a skip", text) => self.pace_after_skip = duration(text),
            ("timeout", text) => self.timeout = duration(text),
            _ => panic!("{key}: {words}"),
        }
    }
}

#[derive(Default)]
struct Lane {
    is_there: bool,
    is_gone: bool,
    framer: Framer,
    kept: VecDeque<Vec<u8>>,
    told: Vec<Vec<u8>>,
}

/// One game under way.
struct Conduct {
    readings: Readings,
    table: Box<dyn Table>,
    rolls: RollSource,
    lanes: Vec<Lane>,
    /// What a spectator is told from the beginning.
    story: Vec<Vec<u8>>,
    events: VecDeque<What>,
    now: Duration,
    /// When the next roll is due, or what was kept is read.
    due: Option<Duration>,
    deadline: Option<Duration>,
    is_over: bool,
}

/// Plays the scenario to its end; `order` decides in which order the lanes are read.
pub(crate) fn play(scenario: &Arc<Scenario>, readings: Readings, order: u64) -> Outcome {
    let settings = Settings {
        budgets: Budgets::default(),
        timeout: Some(TIMEOUT),
        pace: readings.pace,
        lag: Duration::ZERO,
        late_spectator: readings.declared,
        seed: 1,
    };
    let mut judge = Judge::new(Arc::clone(scenario), settings, None);
    let (players, spectators) = scenario.lanes();
    let mut game = Conduct {
        readings,
        table: RoyalUr.table(Setup::default()),
        rolls: RollSource::new(scenario.game().unwrap().forced_rolls(), 1),
        lanes: (0..players + spectators).map(|_| Lane::default()).collect(),
        story: Vec::new(),
        events: VecDeque::new(),
        now: Duration::ZERO,
        due: None,
        deadline: None,
        is_over: false,
    };
    for lane in (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane)) {
        game.lanes[lane].is_there = true;
        game.events.push_back(What::Opened { lane });
    }
    game.greet();
    let mut order = ChaCha8Rng::seed_from_u64(order);
    let mut alarm: Option<Duration> = None;
    for _ in 0..100_000 {
        let what = match game.next_event(&mut order) {
            Some(what) => what,
            None => {
                let next = [alarm, game.due, game.deadline].into_iter().flatten().min();
                game.now = game.now.max(next.expect("somebody waits for something"));
                if alarm.is_some_and(|alarm| alarm <= game.now) {
                    alarm = None;
                    What::Alarm
                } else {
                    game.time_has_come();
                    continue;
                }
            }
        };
        for action in judge.take(&Event { at: game.now, what }) {
            match action {
                Command::Send { lane, bytes } => game.take(lane, &bytes),
                // What was not said in time may come when its player has gone.
                Command::Leave { lane, how } => game.left(lane, how),
                Command::Open { lane } => game.join(lane),
                Command::WakeAt(at) => alarm = Some(at),
                Command::Read { .. } => unreachable!("no game of this kind asks for it"),
                Command::Finish => {}
            }
        }
        if judge.is_finished() {
            return judge.conclude();
        }
    }
    panic!("the game goes round in circles");
}

impl Conduct {
    /// The next event of any lane. There is order on each lane, and what was sent is known before what it led to.
    fn next_event(&mut self, order: &mut ChaCha8Rng) -> Option<What> {
        let lane_of = |what: &What| match *what {
            What::Opened { lane } | What::Line { lane, .. } | What::Closed { lane, .. } => lane,
            _ => unreachable!("the referee makes no such event"),
        };
        let is_sent = |what: &What| {
            let (What::Line { direction, .. } | What::Closed { direction, .. }) = what else {
                return false;
            };
            *direction == Direction::Sent
        };
        let until = self
            .events
            .iter()
            .position(is_sent)
            .map_or(self.events.len(), |at| at + 1);
        let mut seen = Vec::new();
        let mut first = Vec::new();
        for (index, what) in self.events.iter().take(until).enumerate() {
            if !seen.contains(&lane_of(what)) {
                seen.push(lane_of(what));
                first.push(index);
            }
        }
        let index = *first.get(below(order.next_u64(), first.len().max(1)))?;
        self.events.remove(index)
    }

    fn greet(&mut self) {
        for name in ["PlayerA", "PlayerB"] {
            self.tell(|_| Some(name.into()));
        }
        for seat in ["0", "1"] {
            let lane: usize = seat.parse().unwrap();
            self.tell_lane(lane, seat.as_bytes());
        }
        self.due = Some(self.now);
    }

    /// Tells every lane what is for it; spectators are told the same.
    fn tell(&mut self, line: impl Fn(usize) -> Option<Vec<u8>>) {
        for lane in 0..self.lanes.len() {
            if let Some(line) = line(lane) {
                self.tell_lane(lane, &line);
            }
        }
        self.story.extend(line(2));
    }

    fn tell_lane(&mut self, lane: usize, line: &[u8]) {
        let to = &mut self.lanes[lane];
        if to.is_there {
            to.told.push(line.to_vec());
            self.events.push_back(What::Line {
                lane,
                direction: Direction::Received,
                line: Line::new(line),
            });
        }
    }

    fn on_turn(&self) -> usize {
        self.table.to_move().index()
    }

    fn time_has_come(&mut self) {
        if self.deadline.is_some_and(|deadline| deadline <= self.now) {
            return self.retire(self.on_turn());
        }
        self.due = None;
        match self.table.phase() {
            Phase::Roll => self.roll(),
            _ => self.read_kept(),
        }
    }

    fn roll(&mut self) {
        let roll = self.rolls.next(|random| RoyalUr.draw_roll(random));
        let by = self.on_turn();
        let can_move = self.table.take_roll(roll);
        self.tell(|_| Some(coins(roll).into()));
        if !can_move {
            self.due = Some(self.now + self.readings.pace_after_skip);
            return;
        }
        self.deadline = Some(self.now + self.readings.timeout);
        if self.lanes[by].is_gone
            && self.lanes[by].kept.is_empty()
            && self.readings.gone != Gone::Never
        {
            return self.retire(by);
        }
        match self.readings.off_turn {
            OffTurn::KeepsAndReadsLate(delay) if !self.lanes[by].kept.is_empty() => {
                self.due = Some(self.now + delay);
            }
            _ => self.read_kept(),
        }
    }

    fn read_kept(&mut self) {
        let by = self.on_turn();
        if let Some(line) = self.lanes[by].kept.pop_front() {
            self.said(by, &line);
        }
    }

    fn take(&mut self, lane: usize, bytes: &[u8]) {
        let mut lines = Vec::new();
        self.lanes[lane].framer.push(bytes, |line| lines.push(line));
        for line in lines {
            self.events.push_back(What::Line {
                lane,
                direction: Direction::Sent,
                line: line.clone(),
            });
            self.said(lane, &line.text);
        }
    }

    fn said(&mut self, lane: usize, text: &[u8]) {
        if self.is_over {
            return;
        }
        let is_off_turn = self.table.phase() != Phase::Move || self.on_turn() != lane;
        if is_off_turn || (self.due.is_some() && !self.lanes[lane].kept.is_empty()) {
            match self.readings.off_turn {
                OffTurn::Keeps | OffTurn::KeepsAndReadsLate(_) => {
                    self.lanes[lane].kept.push_back(text.to_vec());
                }
                OffTurn::Ignores => {}
                OffTurn::Retires => self.retire(lane),
            }
            return;
        }
        let text_form = std::str::from_utf8(text).unwrap_or("x");
        let number = text_form.trim().trim_start_matches('+').parse::<u32>().ok();
        let is_plain = number.is_some_and(|number| number.to_string() == text_form);
        let mv = number.map(Move).filter(|&mv| self.table.check(mv).is_ok());
        match (mv, is_plain, self.readings.form) {
            (Some(mv), false, Form::PassesOnTheLine) => self.moved(lane, mv, text),
            (Some(mv), false, Form::PassesOnTheNumber) | (Some(mv), true, _) => {
                self.moved(lane, mv, mv.0.to_string().as_bytes());
            }
            _ => self.retire(lane),
        }
    }

    fn moved(&mut self, by: usize, mv: Move, shown: &[u8]) {
        self.table.play(mv).unwrap();
        self.tell(|lane| (lane != by).then(|| shown.to_vec()));
        self.deadline = None;
        match self.table.phase() {
            Phase::Roll => self.due = Some(self.now + self.readings.pace),
            _ => self.end(),
        }
    }

    fn retire(&mut self, loser: usize) {
        let tells = self.readings.tells_the_loser;
        self.tell(|lane| (tells || lane != loser).then(|| b"RETIRE".to_vec()));
        self.end();
    }

    fn end(&mut self) {
        self.is_over = true;
        (self.due, self.deadline) = (None, None);
        for lane in 0..self.lanes.len() {
            self.close(lane);
        }
    }

    fn close(&mut self, lane: usize) {
        if std::mem::take(&mut self.lanes[lane].is_there) {
            let direction = Direction::Received;
            self.events.push_back(What::Closed {
                lane,
                direction,
                close: Close::End,
            });
        }
    }

    fn left(&mut self, lane: usize, how: Leaving) {
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
        self.lanes[lane].is_there &= how == Leaving::HalfClose;
        self.lanes[lane].is_gone = true;
        if self.is_over || lane > 1 {
            return;
        }
        if self.table.phase() == Phase::Move && self.on_turn() == lane {
            let unfinished = self.lanes[lane].framer.pending().to_vec();
            if self.readings.counts_unfinished && !unfinished.is_empty() {
                return self.said(lane, &unfinished);
            }
            if self.readings.gone != Gone::Never {
                self.retire(lane);
            }
            return;
        }
        match self.readings.gone {
            Gone::AtOnce => self.retire(lane),
            Gone::ClosesTheLane => self.close(lane),
            Gone::WhenOnTurn | Gone::Never => {}
        }
    }

    fn join(&mut self, lane: usize) {
        self.events.push_back(What::Opened { lane });
        self.lanes[lane].is_there = true;
        let shown = match self.readings.late {
            Late::Everything => self.story.clone(),
            Late::NamesAndThenOn => self.story[..2].to_vec(),
            Late::Garbage => vec![b"you are late".to_vec()],
            Late::Nothing | Late::TurnsAway | Late::FromThenOn => Vec::new(),
        };
        shown.iter().for_each(|line| self.tell_lane(lane, line));
        match self.readings.late {
            Late::TurnsAway => self.close(lane),
            Late::Nothing => self.lanes[lane].is_there = false,
            _ => {}
        }
    }
}
