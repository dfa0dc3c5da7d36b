//! State of the judge of one game: observed facts, the turn that is played, waits and results.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::activity::Activity;
use super::choice::Chooser;
use super::clock::RefereeClock;
use super::course::Course;
use super::lag::Lags;
use super::lane::LaneState;
use super::observed::{BotFacts, Heard, Observed, Outside, Sent};
use super::progress::Progress;
use super::settings::Settings;
use super::wait::Waits;
use crate::event::OpenChoice;
use crate::finding::Finding;
use crate::protocol::lines::LinesDialect;
use crate::protocol::{Facts, LaneKind, Model};
use crate::rules::PerSeat;
use crate::scenario::{Leaving, Plan, PlannedGame, Scenario, SendPart, Side};
use crate::transcript::Transcript;

/// State of the judge of one game.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) seen: Observed,
    pub(super) turn: PlayedTurn,
    pub(super) outgoing: Outgoing,
    pub(super) waits: Waits,
    pub(super) results: Results,
    pub(super) chooser: Chooser,
    /// Progress of a dialogue without rules.
    pub(super) dialogue: Option<Progress>,
    pub(super) golden: Option<Arc<Transcript>>,
}

/// The turn that is being played, from its beginning to that of the next one.
#[derive(Debug, Clone, Default)]
pub(super) struct PlayedTurn {
    /// True once the scenario's next step is due: the next turn without a roll, or the next action of the
    /// player on turn, still has to be taken from it.
    pub(super) awaits_step: bool,
    /// Acts of this turn that are done.
    pub(super) acts_done: usize,
    /// True if the player on turn has finished the scenario's action.
    pub(super) has_acted: bool,
    pub(super) settling: Settling,
    /// True if an observation in this turn may be the reaction to an off-turn line, read later than we
    /// waited.
    pub(super) rests_on_delay: bool,
}

/// A time without anything sent, in which the subject can show its interpretation of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Settling {
    #[default]
    NotYet,
    /// A pause before the next line to the bot, since this time.
    Since(Duration),
    Over,
}

/// What urtext's participants are about to send or to do.
#[derive(Debug, Clone, Default)]
pub(super) struct Outgoing {
    /// Pieces that are still to be sent, with their lanes.
    pub(super) outbox: VecDeque<(usize, SendPart)>,
    /// Lines handed out to be sent, and not yet seen to be.
    pub(super) in_flight: usize,
    /// The way in which a lane is being left.
    pub(super) leaving: Option<(usize, Leaving)>,
    /// True if a lane is being opened.
    pub(super) is_opening: bool,
    /// True if a line was sent off turn since the last settling time.
    pub(super) is_unsettled: bool,
}

/// Results of the game so far, and requests that wait to be handed out.
#[derive(Debug, Clone, Default)]
pub(super) struct Results {
    pub(super) findings: Vec<Finding>,
    pub(super) open: Vec<OpenChoice>,
    pub(super) commands: Vec<Command>,
    pub(super) is_finished: bool,
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
        let (plan, dialogue) = match &scenario.plan {
            Plan::Game(plan) => (Arc::clone(plan), None),
            Plan::Dialogue(dialogue) => (
                Arc::new(PlannedGame::new(&LinesDialect, dialogue.side)),
                Some(Arc::clone(dialogue)),
            ),
        };
        let mut model = Model::new(plan.dialect, &kinds, PerSeat([true, true]));
        let mut chooser = Chooser::new(settings.seed);
        match (plan.side, &plan.names) {
            (Side::Bot, _) if dialogue.is_some() => {}
            (Side::Bot, names) => {
                let PerSeat([first, second]) = names.clone().unwrap_or_else(default_names);
                let facts = Facts::with_names(first, second);
                let setup = plan
                    .setup
                    .unwrap_or_else(|| chooser.setup(plan.dialect.game()));
                model = model.with_facts(facts.with_setup(setup));
                model.assign(0, plan.bot_seat);
            }
            (Side::Referee, Some(PerSeat([first, second]))) => {
                model = model.with_facts(Facts::with_names(first.as_str(), second.as_str()));
            }
            (Side::Referee, None) => {}
        }
        for lane in (0..kinds.len()).filter(|&lane| !plan.opens_at_start(lane)) {
            model.set_apart(lane);
        }
        let seen = Observed {
            lanes: kinds.into_iter().map(LaneState::new).collect(),
            model,
            now: Duration::ZERO,
            course: Course::default(),
            clock: RefereeClock::default(),
            heard: Heard::default(),
            sent: Sent::default(),
            bot: BotFacts::default(),
            exited: None,
            processes: Activity::default(),
            lags: Lags::default(),
            outside: Outside::default(),
            scenario,
            plan,
            settings,
        };
        State {
            dialogue: dialogue.map(Progress::new),
            seen,
            turn: PlayedTurn {
                awaits_step: true,
                ..PlayedTurn::default()
            },
            outgoing: Outgoing::default(),
            waits: Waits::default(),
            results: Results::default(),
            chooser,
            golden,
        }
    }

    pub(super) fn finish(&mut self) {
        if !self.results.is_finished {
            self.results.is_finished = true;
            self.results.commands.push(Command::Finish);
        }
    }

    pub(super) fn choice(&mut self, requirement: &'static str, seen: String) {
        let choice = OpenChoice { requirement, seen };
        if !self.results.open.contains(&choice) {
            self.results.open.push(choice);
        }
    }
}

/// The names that urtext gives where a scenario does not care.
fn default_names() -> PerSeat<String> {
    PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()])
}
