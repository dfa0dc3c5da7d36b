//! A plain game with a subject, step by step: what each step showed, and what to write so that more can be tested.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use crate::config::{LateSpectator, RollHook};
use crate::engine::GamePlan;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::rules::Seat;
use crate::scenario::{Side, suite};
use crate::transcript::{Direction, LaneLabel};

/// A plain game that was played with a subject.
#[derive(Debug, Clone)]
pub struct Examination {
    /// The plain game.
    pub game: GamePlan,
    /// Outcome of the plain game.
    pub outcome: Outcome,
    /// The time that an answer could take.
    pub answer_budget: Duration,
}

/// One step of an examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExaminedStep {
    /// Name of the step.
    pub name: &'static str,
    /// Result of the step.
    pub state: StepState,
    /// What to write in urtext.yaml, so that more can be tested.
    pub advice: Vec<String>,
}

/// Result of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepState {
    /// It went as it has to.
    Passed(String),
    /// The subject lacks something, which is no fault.
    Note(String),
    /// The game came to this verdict before the step was over.
    Missed(Verdict),
    /// A step before it was missed.
    Unreached,
}

/// A step's result and advice; `None` if it was missed.
type Shown = Option<(StepState, Vec<String>)>;

/// Name of a step, and how to find its result.
type Row = (&'static str, fn(&Examination) -> Shown);

/// A subject that misses one of these steps would fail in the same way in any other game.
const BEGINNING: [&str; 4] = ["starts", "first line", "first roll", "first move"];

/// The steps of a referee, in their order.
const OF_REFEREE: &[Row] = &[
    ("starts", Examination::start),
    ("first line", Examination::first_line),
    ("first roll", Examination::first_roll),
    ("first move", Examination::first_move),
    ("moves", Examination::moves),
    ("spectators", Examination::spectators),
    ("time", Examination::time),
    ("ends", Examination::end),
    ("scenarios", Examination::scenarios),
];

/// The steps of a bot, in their order.
const OF_BOT: &[Row] = &[
    ("starts", Examination::start),
    ("first move", Examination::first_move),
    ("moves", Examination::moves),
    ("time", Examination::time),
    ("ends", Examination::end),
    ("scenarios", Examination::scenarios),
];

impl Examination {
    /// Returns the steps in their order. At most one is missed.
    pub fn steps(&self) -> impl Iterator<Item = ExaminedStep> {
        let rows = match self.game.subject.side {
            Side::Referee => OF_REFEREE,
            Side::Bot => OF_BOT,
        };
        let mut is_missed = false;
        rows.iter().map(move |&(name, look)| {
            let shown = match is_missed {
                true => Some((StepState::Unreached, Vec::new())),
                false => look(self),
            };
            is_missed |= shown.is_none();
            let missed = || (StepState::Missed(self.outcome.verdict), Vec::new());
            let (state, advice) = shown.unwrap_or_else(missed);
            ExaminedStep {
                name,
                state,
                advice,
            }
        })
    }

    /// Returns the step that failed, if the game failed before it had begun.
    #[must_use]
    pub fn failed_beginning(&self) -> Option<&'static str> {
        let failed = StepState::Missed(self.outcome.verdict);
        let mut beginning = self
            .steps()
            .take_while(|step| BEGINNING.contains(&step.name));
        let missed = beginning.find(|step| step.state == failed)?;
        let has_failed = matches!(self.outcome.verdict, Verdict::Fail | Verdict::Error);
        has_failed.then_some(missed.name)
    }

    fn start(&self) -> Shown {
        let names = self.game.subject.protocol.dialect()?.game().seat_names();
        let lanes = self.outcome.transcript.lanes.iter();
        let lanes: Vec<_> = lanes.map(|lane| lane.label.display(names)).collect();
        (!lanes.is_empty()).then(|| passed(format!("connected: {}", lanes.join(", "))))
    }

    fn first_line(&self) -> Shown {
        let came = format!("came after {}", shown(self.outcome.slowest.first));
        let has_line = self.outcome.has_line(Direction::Received);
        has_line.then(|| passed(came))
    }

    fn first_roll(&self) -> Shown {
        let game = self.game.subject.protocol.dialect()?.game();
        if game.kinds_of_roll().is_empty() {
            return Some(passed("the game has none".to_owned()));
        }
        let rolled = self.outcome.history.iter().find_map(|event| match event {
            GameEvent::Rolled { roll, .. } => Some(*roll),
            _ => None,
        })?;
        let written = game.format_roll(rolled);
        let way = match &self.game.subject.roll_hook {
            Some(RollHook::Environment(name)) => format!("the variable {name}"),
            Some(RollHook::Arguments) => "its command".to_owned(),
            None => {
                let note = format!("{written}, from its own dice: it has no roll hook");
                let advice = "if it can take forced rolls, add `rolls: {environment: NAME}`, `rolls: argument` or `rolls: file`";
                return Some((StepState::Note(note), vec![advice.to_owned()]));
            }
        };
        let is_forced = self.game.scenario.game()?.forced_rolls().first() == Some(&rolled);
        is_forced.then(|| passed(format!("{written}, as forced through {way}")))
    }

    fn first_move(&self) -> Shown {
        match self.game.subject.side {
            // Our first move answers the handshake and the first roll.
            Side::Referee => self
                .outcome
                .has_line(Direction::Sent)
                .then(|| passed("urtext could send it".to_owned())),
            Side::Bot => (self.own_moves() > 0).then(|| passed("is legal".to_owned())),
        }
    }

    fn moves(&self) -> Shown {
        let taken = self.movers().count();
        let said = match self.game.subject.side {
            Side::Referee => format!("{taken} were accepted"),
            Side::Bot => format!("{} of its own, all legal", self.own_moves()),
        };
        (taken >= self.game.scenario.game()?.steps.len()).then(|| passed(said))
    }

    fn spectators(&self) -> Shown {
        if !self.game.subject.has_spectators() {
            return Some((StepState::Note("none can watch".to_owned()), Vec::new()));
        }
        let lanes = self.outcome.transcript.lanes.iter();
        let watching = lanes.filter(|lane| matches!(lane.label, LaneLabel::Spectator(_)));
        let counts: Vec<_> = watching.map(|lane| lane.entries.len()).collect();
        let lines: usize = counts.iter().sum();
        let said = format!("{} received {lines} lines", counts.len());
        let advice = (self.game.subject.late_spectator == LateSpectator::Unknown).then(|| {
            "`late-spectator: whole`, `from-now` or `nothing`: what a spectator receives who joins late"
                .to_owned()
        });
        (!counts.contains(&0)).then(|| (StepState::Passed(said), advice.into_iter().collect()))
    }

    fn time(&self) -> Shown {
        let (slowest, budget) = (self.outcome.slowest.longest(), self.answer_budget);
        let said = format!("its slowest line took {}", shown(slowest));
        if slowest * 2 <= budget {
            return Some(passed(said));
        }
        let ample = Duration::from_secs(slowest.as_secs() * 4 + 1);
        let ample = humantime::format_duration(ample);
        let note = StepState::Note(format!("{said} of the {} that it may take", shown(budget)));
        Some((note, vec![format!("`budgets: {{answer: {ample}}}`")]))
    }

    fn end(&self) -> Shown {
        let conforms = self.outcome.verdict <= Verdict::Lenient;
        conforms.then(|| passed("every stream ended after the game".to_owned()))
    }

    /// The shipped scenarios that this subject lacks something for, with the reasons, that of most scenarios first.
    fn scenarios(&self) -> Shown {
        let (game, side) = (
            self.game.subject.protocol.game_name(),
            self.game.subject.side.word(),
        );
        let (scenarios, _) = suite::load(&format!("{game}/{side}"));
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        let (all, mut by_chance) = (scenarios.len(), 0);
        for scenario in scenarios {
            let played = self.game.subject.as_played(scenario);
            match self.game.subject.missing_capability(&played) {
                Some(reason) => *reasons.entry(reason).or_default() += 1,
                None => by_chance += usize::from(played.is_by_chance()),
            }
        }
        let missing = reasons.values().sum::<usize>();
        if missing == 0 {
            let how = match by_chance {
                0 => String::new(),
                _ => format!(", {by_chance} of them by chance"),
            };
            return Some(passed(format!(
                "{all} shipped scenarios can be played{how}"
            )));
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|&(_, count)| Reverse(count));
        let reasons = reasons
            .into_iter()
            .map(|(reason, count)| format!("{count}: {reason}"));
        let note = format!("{missing} of {all} shipped scenarios cannot be played");
        Some((StepState::Note(note), reasons.collect()))
    }

    fn movers(&self) -> impl Iterator<Item = Seat> {
        self.outcome.history.iter().filter_map(|event| match event {
            GameEvent::Moved { by, .. } => Some(*by),
            _ => None,
        })
    }

    fn own_moves(&self) -> usize {
        let seat = self.game.scenario.game().map(|plan| plan.bot_seat);
        self.movers().filter(|by| Some(*by) == seat).count()
    }
}

fn passed(said: String) -> (StepState, Vec<String>) {
    (StepState::Passed(said), Vec::new())
}

/// A time as people read it.
fn shown(time: Duration) -> String {
    format!("{time:.1?}")
}
