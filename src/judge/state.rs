//! A game that is judged: the model of the game, the position in the scenario, and the turn that is being played.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::clock::RefereeClock;
use super::wait::Wait;
use super::watch::{Played, Watch};
use crate::diagnostic::Span;
use crate::diagnostic::visible::plain;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Facts, Model, Party};
use crate::requirement::Role;
use crate::rules::{PerSeat, Roll, Seat};
use crate::scenario::{Course, Deed, PlannedGame, SendPart, Side, Turn, Wrong};
use crate::transcript::LaneLabel;

/// A game that is judged.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) watch: Watch,
    pub(super) plan: Arc<PlannedGame>,
    /// Events of the game, as far as the lanes show them, and what each lane is owed.
    pub(super) model: Model,
    pub(super) course: Course,
    /// The step of the turn before this one, and the number of events before this one.
    pub(super) turn_before: Option<(Span, usize)>,
    /// Progress of the turn.
    pub(super) progress: PlayedTurn,
    /// Times of the turn.
    pub(super) clock: RefereeClock,
    /// A line that has to be ignored: the last that urtext sent off turn to a referee, or the last of a bot since its last move. Id of
    /// the requirement that it would break if it were not, and what was sent.
    pub(super) ignored: Option<(&'static str, String)>,
    /// Lines handed out to be sent, and not yet seen to be.
    pub(super) in_flight: usize,
    /// True if a lane is being opened.
    pub(super) is_opening: bool,
    /// True if a line was sent off turn since the last settling time.
    pub(super) is_unsettled: bool,
    /// Length of the model's history that the bot knew when the first of the lines in flight was handed out.
    pub(super) known_to_bot: usize,
    /// True if the bot's process ended when it should: after the game, or after we closed its lane.
    pub(super) has_ended_in_time: bool,
}

impl Deref for State {
    type Target = Watch;

    fn deref(&self) -> &Watch {
        &self.watch
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Watch {
        &mut self.watch
    }
}

/// The turn that is being played, from its beginning to that of the next one.
#[derive(Debug, Clone, Default)]
pub(super) struct PlayedTurn {
    /// True once the scenario's next step is due: the next turn without a roll, or the next action of the
    /// player on turn, still has to be taken from it.
    pub(super) awaits_step: bool,
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

impl State {
    /// The game before anything has happened.
    pub(super) fn new(plan: Arc<PlannedGame>, watch: Watch) -> State {
        let kinds: Vec<_> = watch.lanes.iter().map(|lane| lane.kind).collect();
        let mut model = Model::new(plan.dialect, &kinds, PerSeat([true, true]));
        let mut course = Course::new(Arc::clone(&plan), watch.settings.seed);
        match (plan.side, &plan.keys.names) {
            (Side::Bot, names) => {
                let PerSeat([first, second]) = names.clone().unwrap_or_else(default_names);
                let facts = match plan.dialect.has_names() {
                    true => Facts::with_names(first, second),
                    false => Facts::default(),
                };
                model = model.with_facts(facts.with_setup(course.setup()));
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
        State {
            watch,
            plan,
            model,
            course,
            turn_before: None,
            progress: PlayedTurn {
                awaits_step: true,
                ..PlayedTurn::default()
            },
            clock: RefereeClock::default(),
            ignored: None,
            in_flight: 0,
            is_opening: false,
            is_unsettled: false,
            known_to_bot: 0,
            has_ended_in_time: false,
        }
    }

    /// The lane of a player, once the handshake is complete.
    pub(super) fn player_lane(&self, seat: Seat) -> usize {
        let lane = self.model.lane_of(seat);
        lane.expect("the handshake is complete")
    }

    /// Id of the requirement with this role.
    pub(super) fn id(&self, role: Role) -> &'static str {
        self.plan.dialect.id(role)
    }

    /// Id of the requirement with this role, where the dialect has one.
    pub(super) fn find_id(&self, role: Role) -> Option<&'static str> {
        self.plan.dialect.find_id(role)
    }

    /// Returns true if the scenario checks this requirement.
    pub(super) fn checks(&self, id: &'static str) -> bool {
        self.plan.checks.contains(&id)
    }

    /// Label of a lane in transcripts.
    pub(super) fn label(&self, lane: usize) -> LaneLabel {
        let number = self.number(lane);
        match self.model.party(lane) {
            Some(Party::Player(seat)) => LaneLabel::Player(seat),
            Some(Party::Spectator) => LaneLabel::Spectator(number),
            None => LaneLabel::Unseated(number),
        }
    }

    /// `PlayerA (first)`, `spectator 1`: the name from the handshake where there is one.
    pub(super) fn lane_name(&self, lane: usize) -> String {
        let seat_names = self.plan.dialect.game().seat_names();
        let label = self.label(lane).display(seat_names);
        let name = match self.model.party(lane) {
            Some(Party::Player(seat)) => self.model.facts().names[seat].as_deref(),
            _ => None,
        };
        match name {
            Some(name) => format!("{} ({label})", plain(name).at_most(40)),
            None => label,
        }
    }

    /// Builds a finding that the current step does not fit the game that has come up.
    pub(super) fn misfit(&self, wrong: Wrong) -> Box<Finding> {
        Box::new(self.never(self.course.misfit(wrong)))
    }

    /// Builds a finding that the precondition of the current step did not arise.
    pub(super) fn never(&self, title: impl Into<String>) -> Finding {
        Finding {
            span: self.course.span(),
            ..Finding::new(Verdict::Inconclusive, title)
        }
    }

    /// Returns true if only the pace has to pass.
    pub(super) fn awaits_pace(&self) -> bool {
        let is_answer = matches!(self.waiting, Some((Wait::Answer, _)));
        is_answer && !self.settings.pace.is_zero() && self.model.awaits_roll()
    }

    /// What the player on turn, which urtext plays, sends.
    ///
    /// # Errors
    /// A finding where the scenario's choice is not there.
    pub(super) fn own_turn(&mut self) -> Played<Vec<SendPart>> {
        let turn = self.course.own_turn(&self.model);
        turn.map_err(|title| Box::new(self.never(title)))
    }

    /// Takes the next step for the turn that has just begun, with this roll where there are rolls.
    ///
    /// # Errors
    /// A finding where the turn is not the one that the scenario means.
    pub(super) fn begin_turn(&mut self, by: Seat, roll: Option<Roll>, skipped: bool) -> Played {
        self.progress = PlayedTurn::default();
        let (step, events) = (self.course.span(), self.model.history().len());
        let begun = self.course.begin_turn(&self.model, by, roll, skipped);
        if !self.course.is_between_steps() {
            let before = events - usize::from(roll.is_some());
            self.turn_before = step.map(|step| (step, before));
        }
        if let (Some(turn), Some(roll)) = (self.course.turn(), roll) {
            self.check_roll(turn, roll)?;
        }
        begun.map_err(|title| Box::new(self.never(title)))
    }

    fn check_roll(&self, turn: &Turn, shown_roll: Roll) -> Played {
        let Some(forced) = turn.roll.filter(|&forced| forced != shown_roll) else {
            return Ok(());
        };
        let game = self.plan.dialect.game();
        let (forced, shown) = (game.format_roll(forced), game.format_roll(shown_roll));
        let is_skip_hidden = self.is_next_move_turn(turn, shown_roll);
        let has_held = self.course.steps_begun() > 1;
        let mut finding = if has_held && is_skip_hidden {
            let title = format!(
                "the roll of a skipped turn was not shown: {forced} is next, {shown} was shown"
            );
            let mut finding = Finding::new(Verdict::Fail, title);
            finding.requirement =
                Some(self.find_id(Role::SkipShown).unwrap_or(self.id(Role::Roll)));
            finding
        } else {
            let title = "the roll hook does not work: the referee shows other rolls than those that are forced";
            let number = self.course.steps_begun();
            let mut finding = Finding::new(Verdict::Error, title).noted(format!(
                "roll {number} was forced as `{forced}`, and `{shown}` was shown"
            ));
            if is_skip_hidden {
                finding = finding.noted("that is the roll after the next one: it may also be that the roll of a skipped turn is not shown");
            }
            finding.by_hook = true;
            finding
        };
        finding.span = self.course.span();
        Err(Box::new(finding))
    }

    /// Returns true if this turn has to be skipped and the shown roll belongs to the next turn that is not
    /// skipped: then the referee held back the rolls of the skipped turns.
    fn is_next_move_turn(&self, turn: &Turn, shown: Roll) -> bool {
        let is_skipped = |turn: &Turn| turn.deed == Deed::Skip;
        let mut later = self
            .plan
            .turns()
            .filter(|(index, _)| *index >= self.course.steps_begun())
            .map(|(_, turn)| turn);
        is_skipped(turn)
            && later
                .find(|turn| !is_skipped(turn))
                .and_then(|turn| turn.roll)
                .or(self.plan.barrier)
                == Some(shown)
    }
}

/// The names that urtext gives where a scenario does not care.
fn default_names() -> PerSeat<String> {
    PerSeat(["PlayerA".to_owned(), "PlayerB".to_owned()])
}
