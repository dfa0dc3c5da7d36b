//! The game that a scenario plays: its setting and its turns.

use std::sync::Arc;
use std::time::Duration;

use super::keys::PlanKeys;
use super::{
    Act, Deed, Leaving, OpenMistakes, Participant, Plan, Scenario, Side, Steering, Step, StepKind,
    Turn, TurnPlace,
};
use crate::diagnostic::Span;
use crate::protocol::Dialect;
use crate::rules::{Game, Mistake, Roll, Seat, Setup};

/// The game that a scenario plays.
#[derive(Debug, Clone)]
pub struct PlannedGame {
    /// The protocol.
    pub dialect: &'static dyn Dialect,
    /// Kind of subject.
    pub side: Side,
    /// The seat of the bot under test; the first where a referee is.
    pub bot_seat: Seat,
    /// Ids of the requirements that it checks, the one that it exists for first; each is in the catalogue.
    pub checks: Vec<&'static str>,
    /// Number of spectators of a referee.
    pub spectators: u32,
    /// The keys that are kept as they are written.
    pub keys: PlanKeys,
    /// The timeout that the subject has to be started with, where it matters.
    pub timeout: Option<Duration>,
    /// The pace that the subject has to be started with, where it matters.
    pub pace: Option<Duration>,
    /// The places, such as `timeout`, that are not filled, so that the subject plays by its own default.
    pub unset: Vec<&'static str>,
    /// Random setup before the first turn, if the scenario forces one.
    pub setup: Option<Setup>,
    /// The game, turn by turn.
    pub steps: Vec<Step>,
    /// A roll that leaves a move after the last step, for a game that the scenario leaves unfinished.
    pub barrier: Option<Roll>,
    /// File of the finished game that it plays again, if it does. No file says it.
    pub replayed: Option<String>,
    /// True where it waits for what a scenario forces. No file says it.
    pub is_by_chance: bool,
    /// True where the names of its file are left out, for a subject that does not take them. No file says it.
    pub is_without_names: bool,
    /// Target of free play; without one, free play is undirected. No file says it.
    pub steering: Option<Arc<Steering>>,
}

/// The mistakes of a game's rules that a subject on this side may believe in.
pub fn hypotheses_of(
    game: &dyn Game,
    side: Side,
) -> impl Iterator<Item = &'static Mistake> + use<> {
    let rows = game.mistakes().whole().iter();
    rows.filter(move |row| side == Side::Referee || row.general.is_none())
}

impl PlannedGame {
    /// The mistakes in the rules that the subject may believe in. A bot plays either seat, so it reads the rules for both players
    /// alike.
    pub fn hypotheses(&self) -> impl Iterator<Item = &'static Mistake> + use<> {
        hypotheses_of(self.dialect.game(), self.side)
    }

    /// Less usual mistakes, and those that a referee makes in some turns only, or those in what a bot keeps of the game: its illegal move ends
    /// its game, so it has no second time.
    pub fn further(&self) -> impl Iterator<Item = &'static Mistake> + use<> {
        let mistakes = self.dialect.game().mistakes();
        let rows = match self.side {
            Side::Referee => mistakes.occasional(),
            Side::Bot => mistakes.kept(),
        };
        mistakes.further().iter().chain(rows)
    }

    /// These mistakes, held against the game as it goes.
    pub fn hold(&self, setup: Setup, rows: impl Iterator<Item = &'static Mistake>) -> OpenMistakes {
        let bot = (self.side == Side::Bot).then_some(self.bot_seat);
        OpenMistakes::new(self.dialect.game(), bot, setup, rows)
    }

    /// The mistakes that one of these words names, each a mistake or the requirement that it breaks (also its first parts alone);
    /// without words all.
    pub fn mistakes_called<'a>(
        &self,
        words: &'a [String],
    ) -> impl Iterator<Item = &'static Mistake> + use<'a> {
        self.hypotheses().filter(move |row| {
            let is_called = |word: &String| {
                let rest = row.breaks.strip_prefix(word.as_str());
                row.name == word
                    || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            words.is_empty() || words.iter().any(is_called)
        })
    }

    /// A game without turns that leaves everything else as it is where a file says nothing.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, side: Side) -> PlannedGame {
        PlannedGame {
            dialect,
            side,
            bot_seat: Seat::First,
            checks: Vec::new(),
            spectators: u32::from(side == Side::Referee && dialect.data().has_spectators),
            keys: PlanKeys::default(),
            timeout: None,
            pace: None,
            unset: Vec::new(),
            setup: None,
            steps: Vec::new(),
            barrier: None,
            replayed: None,
            is_by_chance: false,
            is_without_names: false,
            steering: None,
        }
    }

    /// The game with these steps. They get their places with a text.
    #[must_use]
    pub fn with_steps(&self, kinds: impl IntoIterator<Item = StepKind>) -> PlannedGame {
        let span = Span::at(0);
        PlannedGame {
            steps: kinds.into_iter().map(|kind| Step { span, kind }).collect(),
            ..self.clone()
        }
    }

    /// A scenario that plays the game. It has no text and no name.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Scenario {
        Scenario::new(Plan::Game(Arc::new(self)), title.into())
    }

    /// Returns true if the subject keeps its own value for this parameter.
    #[must_use]
    pub fn leaves(&self, parameter: &str) -> bool {
        self.unset.contains(&parameter)
    }

    /// Number of player lanes and of spectator lanes, which have the first numbers and those after them.
    #[must_use]
    pub fn lanes(&self) -> (usize, usize) {
        match self.side {
            Side::Referee => (2, self.spectators as usize),
            Side::Bot => (1, 0),
        }
    }

    /// Returns true if a lane is open from the start of the game; a spectator that joins late opens its lane
    /// later.
    #[must_use]
    pub fn opens_at_start(&self, lane: usize) -> bool {
        let (players, _) = self.lanes();
        let is_late = |spectator: u32| lane == players + spectator as usize - 1;
        !self.late_spectators().any(is_late)
    }

    /// The turns among its steps, with their number.
    pub fn turns(&self) -> impl Iterator<Item = (usize, &Turn)> {
        self.steps
            .iter()
            .enumerate()
            .filter_map(|(index, step)| match &step.kind {
                StepKind::Turn(turn) => Some((index, turn)),
                StepKind::PlayToTheEnd | StepKind::PlayUntil(_) | StepKind::Improvise(_) => None,
            })
    }

    /// The rolls that have to be forced on a referee, the barrier included.
    #[must_use]
    pub fn forced_rolls(&self) -> Vec<Roll> {
        self.turns()
            .filter_map(|(_, turn)| turn.roll)
            .chain(self.barrier)
            .collect()
    }

    /// The turns among its steps, those that are made up too: the player where one is named, what happens meanwhile, and the deed.
    pub(super) fn deeds(&self) -> impl Iterator<Item = (Option<Seat>, &[Act], &Deed)> {
        let places = self.placed_deeds();
        places.map(|(seat, acts, deed, _)| (seat, acts, deed))
    }

    /// The same, each with the place of its turn.
    pub(super) fn placed_deeds(
        &self,
    ) -> impl Iterator<Item = (Option<Seat>, &[Act], &Deed, &TurnPlace)> {
        self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Turn(turn) => {
                Some((Some(turn.seat), &turn.meanwhile[..], &turn.deed, &turn.at))
            }
            StepKind::Improvise(turn) => Some((turn.seat, &turn.meanwhile, &turn.deed, &turn.at)),
            StepKind::PlayToTheEnd | StepKind::PlayUntil(_) => None,
        })
    }

    /// Returns true if it depends on the course of the game, so that another game may meet its
    /// condition.
    #[must_use]
    pub fn is_adaptive(&self) -> bool {
        self.steps.iter().any(|step| match &step.kind {
            StepKind::Turn(turn) => turn.deed.needs_a_position(),
            StepKind::PlayToTheEnd => false,
            StepKind::PlayUntil(_) | StepKind::Improvise(_) => true,
        })
    }

    /// Returns true if the game ends by free play.
    #[must_use]
    pub fn plays_to_the_end(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.kind == StepKind::PlayToTheEnd)
    }

    /// Returns true if urtext chooses in it as the game goes, so that another game may go otherwise.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.is_adaptive() || self.plays_to_the_end()
    }

    /// The spectators that join only in mid-game.
    pub fn late_spectators(&self) -> impl Iterator<Item = u32> {
        let acts = self.deeds().flat_map(|(_, acts, _)| acts);
        acts.filter_map(|act| match (act.who, &act.deed) {
            (Participant::Spectator(number), Deed::Join) => Some(number),
            _ => None,
        })
    }

    /// Lists the participants that disconnect during the game, with the kind of disconnect.
    pub fn leavings(&self) -> impl Iterator<Item = (Participant, Leaving)> {
        self.deeds().flat_map(|(seat, acts, deed)| {
            let acts = acts.iter().map(|act| (act.who, &act.deed));
            let own = Participant::Player(seat.unwrap_or(Seat::First));
            let all = acts.chain([(own, deed)]);
            all.filter_map(|(who, deed)| Some((who, deed.leaving()?)))
        })
    }

    /// Returns true if a player lets the timeout pass, which needs a subject whose timeout is known.
    #[must_use]
    pub fn needs_timeout(&self) -> bool {
        let mut deeds = self.deeds();
        self.side == Side::Referee && deeds.any(|(_, _, deed)| self.lets_time_pass(deed))
    }

    /// Returns true if the scenario has pauses and a timeout, so that the timeout's effect depends on exact
    /// times.
    #[must_use]
    pub fn times_within_a_turn(&self) -> bool {
        let mut deeds = self.deeds();
        let is_timed = deeds.any(|(_, acts, deed)| deed.pauses(acts));
        is_timed && self.needs_timeout()
    }

    /// Returns true if the deed makes no move and breaks no rule, so that the timeout passes.
    #[must_use]
    pub fn lets_time_pass(&self, deed: &Deed) -> bool {
        match deed {
            Deed::Silent => true,
            Deed::Send(_) | Deed::SendMove(..) => {
                deed.leaving().is_none() && deed.lines(self.dialect).first.is_none()
            }
            _ => false,
        }
    }
}
