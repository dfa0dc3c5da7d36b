//! The facts of a game that is played: its turns so far, and the turn that is being played.

use std::sync::Arc;
use std::time::Duration;

use super::choice::Chooser;
use super::clock::RefereeClock;
use super::course::Course;
use super::settings::Settings;
use crate::protocol::{Facts, LaneKind, Model};
use crate::rules::{PerSeat, Seat};
use crate::scenario::{PlannedGame, Side};

/// Facts of a game that is played.
#[derive(Debug, Clone)]
pub(super) struct GameFacts {
    pub(super) plan: Arc<PlannedGame>,
    /// Events of the game, as far as the lanes show them, and what each lane is owed.
    pub(super) model: Model,
    /// Position in the scenario.
    pub(super) course: Course,
    /// Progress of the turn.
    pub(super) progress: PlayedTurn,
    /// Times of the turn.
    pub(super) clock: RefereeClock,
    /// A line sent off turn that has to be ignored: id of the requirement, and what was sent.
    pub(super) sent_off_turn: Option<(&'static str, String)>,
    pub(super) bot: BotFacts,
    pub(super) chooser: Chooser,
}

/// Facts about a bot under test.
#[derive(Debug, Clone, Default)]
pub(super) struct BotFacts {
    /// Lines that were handed out to be written to the bot and are not reported as written yet.
    pub(super) unwritten: usize,
    /// Length of the model's history that the bot knew when the first of them was handed out.
    pub(super) known: usize,
    /// Last ignored line of the bot since its last move, with the requirement that the line would break as a
    /// move.
    pub(super) in_vain: Option<(&'static str, String)>,
    /// True if our direction of the bot's lane is closed.
    pub(super) has_hung_up: bool,
    /// True if the bot's process ended when it should: after the game, or after we closed its lane.
    pub(super) has_ended_in_time: bool,
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

impl GameFacts {
    /// The game before anything has happened, on lanes of these kinds.
    pub(super) fn new(
        plan: Arc<PlannedGame>,
        kinds: &[LaneKind],
        settings: &Settings,
    ) -> GameFacts {
        let mut model = Model::new(plan.dialect, kinds, PerSeat([true, true]));
        let mut chooser = Chooser::new(settings.seed);
        match (plan.side, &plan.names) {
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
        GameFacts {
            plan,
            model,
            course: Course::default(),
            progress: PlayedTurn {
                awaits_step: true,
                ..PlayedTurn::default()
            },
            clock: RefereeClock::default(),
            sent_off_turn: None,
            bot: BotFacts::default(),
            chooser,
        }
    }

    /// The lane of a player, once the handshake is complete.
    pub(super) fn player_lane(&self, seat: Seat) -> usize {
        let lane = self.model.lane_of(seat);
        lane.expect("the handshake is complete")
    }
}

/// The names that urtext gives where a scenario does not care.
fn default_names() -> PerSeat<String> {
    PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()])
}
