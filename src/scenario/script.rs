//! A scenario as it is played.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{AdaptiveAction, Dialogue, Improvised, Leaving, SendPart, Steering, Until};

use crate::diagnostic::{Source, Span};
use crate::protocol::{Dialect, Framer, LaneKind, PlayerLine};
use crate::rules::{Move, PerSeat, Roll, Seat, Setup};

/// Default number of attempts for a scenario that depends on the course of the game.
pub(super) const ATTEMPTS: u32 = 10;

/// Kind of subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// A referee; urtext plays both players and the spectators.
    Referee,
    /// A bot; urtext plays the referee and the opponent.
    Bot,
}

impl Side {
    /// The word for it in scenarios and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Side::Referee => "referee",
            Side::Bot => "bot",
        }
    }
}

/// A scenario, read and resolved: names found, moves checked as far as they can be without running.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its text, for positions.
    pub source: Source,
    /// Short name, such as `royalur/referee/extra-turn-cell-8`: its path in the suite without the ending, and `#` with the case.
    pub name: String,
    /// Name of the case, if the file has several.
    pub case: Option<String>,
    /// Comment above its first key, line by line; fit to show.
    pub comments: Vec<String>,
    /// Title, in one line.
    pub title: String,
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
    /// In which order players and spectators connect at the beginning, where it matters.
    pub connect: Vec<LaneKind>,
    /// The timeout that the subject has to be started with, where it matters.
    pub timeout: Option<Duration>,
    /// The pace that the subject has to be started with, where it matters.
    pub pace: Option<Duration>,
    /// The places, such as `timeout`, that are not filled, so that the subject plays by its own default.
    pub unset: Vec<&'static str>,
    /// True if the scenario is so slow that it is only played on request.
    pub is_slow: bool,
    /// Random setup before the first turn, if the scenario forces one.
    pub setup: Option<Setup>,
    /// Maximum number of games that are played until one meets the scenario's condition.
    pub attempts: u32,
    /// The players' names, where they matter.
    pub names: Option<PerSeat<String>>,
    /// The game, turn by turn.
    pub steps: Vec<Step>,
    /// In a game without rules: the dialogue, line by line, in place of turns.
    pub dialogue: Option<Arc<Dialogue>>,
    /// A roll that leaves a move after the last step, for a game that the scenario leaves unfinished.
    pub barrier: Option<Roll>,
    /// Its golden transcript.
    pub golden: Golden,
    /// Name of the golden transcript, where the scenario gives one.
    pub golden_name: Option<String>,
    /// The files that its text includes, with their paths from its folder.
    pub included: Arc<Vec<(String, Source)>>,
    /// File of the finished game that it plays again, if it does. No file says it.
    pub replayed: Option<String>,
    /// Target of free play; without one, free play is undirected. No file says it.
    pub steering: Option<Arc<Steering>>,
}

/// Location of the golden transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Golden {
    /// The game is not determined by the scenario, so there is none.
    None,
    /// This text, embedded in the program.
    Shipped {
        /// Its name, for messages.
        name: String,
        /// Its text.
        text: &'static str,
    },
    /// This file; `named` is where the scenario names it, if it does, and then it has to exist.
    File {
        /// Path of the file, which may not exist yet.
        path: PathBuf,
        /// Span of the scenario's reference to the file.
        named: Option<Span>,
    },
}

/// One step of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Span of the step.
    pub span: Span,
    /// Kind of the step.
    pub kind: StepKind,
}

/// Kind of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// One turn.
    Turn(Turn),
    /// Free rolls and legal moves until the game is over; always the last step.
    PlayToTheEnd,
    /// Free rolls and legal moves until a situation has come up.
    PlayUntil(Until),
    /// One turn, made up for the position that has come up.
    Improvise(Improvised),
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The player of the turn.
    pub seat: Seat,
    /// The forced roll, in a game with rolls.
    pub roll: Option<Roll>,
    /// Events between the roll and the player's action, in order.
    pub meanwhile: Vec<Act>,
    /// The player's action.
    pub action: PlayerAction,
}

/// An action of a participant outside the game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// Span of the act.
    pub span: Span,
    /// Participant of the act.
    pub who: Participant,
    /// Kind of the act.
    pub what: ActKind,
}

/// A participant of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Participant {
    /// The player of that seat.
    Player(Seat),
    /// A spectator, numbered from 1.
    Spectator(u32),
}

/// Action of a participant outside the game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ActKind {
    /// Sends bytes although it is not on turn.
    Send(Vec<SendPart>),
    /// Goes away.
    Leave(Leaving),
    /// Joins only now: a late spectator.
    Join,
}

/// Action of a player in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlayerAction {
    /// Nothing: no move is possible.
    Skip,
    /// A legal move.
    Move(Choice),
    /// A line that loses the game: an illegal move, or no move at all. Without its newline.
    Illegal(Vec<u8>),
    /// A line that is ignored, so that the player is still on turn. Without its newline.
    Ignored(Vec<u8>),
    /// Nothing until the timeout.
    Silent,
    /// These pieces, as they are; what they do follows from the lines that they make.
    Send(Vec<SendPart>),
    /// Goes away instead of moving.
    Leave(Leaving),
}

impl Turn {
    /// A turn in which nothing happens but the player's action.
    #[must_use]
    pub fn new(seat: Seat, roll: Option<Roll>, action: PlayerAction) -> Turn {
        Turn {
            seat,
            roll,
            meanwhile: Vec::new(),
            action,
        }
    }
}

impl PlayerAction {
    /// Any legal move.
    pub const ANY: PlayerAction = PlayerAction::Move(Choice::Any {
        name: None,
        except: None,
    });

    /// This legal move.
    #[must_use]
    pub fn this(mv: Move) -> PlayerAction {
        PlayerAction::Move(Choice::This(mv))
    }

    /// The move, where it is one and known.
    #[must_use]
    pub fn mv(&self) -> Option<Move> {
        match self {
            PlayerAction::Move(Choice::This(mv)) => Some(*mv),
            _ => None,
        }
    }

    /// Returns the time from the roll to the end of the player's first line, by the pauses in the line.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let PlayerAction::Send(parts) = self else {
            return Duration::ZERO;
        };
        let mut framer = Framer::default();
        let (mut delay, mut is_whole) = (Duration::ZERO, false);
        for part in parts {
            match part {
                SendPart::Bytes(bytes) => framer.push(bytes, |_| is_whole = true),
                SendPart::Pause(time) if !is_whole => delay += *time,
                SendPart::Pause(_) | SendPart::Leave(_) => {}
            }
        }
        delay
    }
}

/// Choice of a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// This one.
    This(Move),
    /// Any, but not the one that was called `except` before; it can be called `name` from now on.
    Any {
        /// Name of the choice.
        name: Option<String>,
        /// The earlier choice that is excluded.
        except: Option<String>,
    },
}

impl Scenario {
    /// A scenario without turns that leaves everything else as it is where a file says nothing. It has no text and no name.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, side: Side, title: String) -> Scenario {
        Scenario {
            source: Source::new("", ""),
            name: String::new(),
            case: None,
            comments: Vec::new(),
            title,
            dialect,
            side,
            bot_seat: Seat::First,
            checks: Vec::new(),
            spectators: u32::from(side == Side::Referee && dialect.has_spectators()),
            connect: Vec::new(),
            timeout: None,
            pace: None,
            unset: Vec::new(),
            is_slow: false,
            setup: None,
            attempts: ATTEMPTS,
            names: None,
            steps: Vec::new(),
            dialogue: None,
            barrier: None,
            golden: Golden::None,
            golden_name: None,
            replayed: None,
            included: Arc::default(),
            steering: None,
        }
    }

    /// The scenario with these steps. They get their places with its text.
    #[must_use]
    pub fn with_steps(&self, kinds: impl IntoIterator<Item = StepKind>) -> Scenario {
        let span = Span::at(0);
        Scenario {
            steps: kinds.into_iter().map(|kind| Step { span, kind }).collect(),
            ..self.clone()
        }
    }

    /// Returns true if the subject keeps its own value for this parameter.
    #[must_use]
    pub fn leaves(&self, parameter: &str) -> bool {
        self.unset.contains(&parameter)
    }

    /// Number of player lanes and of spectator lanes, which have the first numbers and those after them.
    #[must_use]
    pub fn lanes(&self) -> (usize, usize) {
        if let Some(dialogue) = &self.dialogue {
            return (dialogue.participants.len(), 0);
        }
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

    /// Returns the scenario's location for a command line: its file, and `#` with the case if the file has
    /// several.
    #[must_use]
    pub fn place(&self) -> String {
        let case = self.case.iter().map(|case| format!("#{case}"));
        std::iter::once(self.source.name().to_owned())
            .chain(case)
            .collect()
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

    /// The turns among its steps that are made up as the game goes.
    fn improvised(&self) -> impl Iterator<Item = &Improvised> {
        self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Improvise(turn) => Some(turn),
            _ => None,
        })
    }

    /// Returns true if the scenario depends on the course of the game, so that another game may meet its
    /// condition.
    #[must_use]
    pub fn is_adaptive(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step.kind, StepKind::PlayUntil(_) | StepKind::Improvise(_)))
    }

    /// Returns true if the game ends by free play.
    #[must_use]
    pub fn plays_to_the_end(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.kind == StepKind::PlayToTheEnd)
    }

    /// The spectators that join only in mid-game.
    pub fn late_spectators(&self) -> impl Iterator<Item = u32> {
        self.turns()
            .flat_map(|(_, turn)| &turn.meanwhile)
            .filter_map(|act| match (act.who, &act.what) {
                (Participant::Spectator(number), ActKind::Join) => Some(number),
                _ => None,
            })
    }

    /// Lists the participants that disconnect during the game, with the kind of disconnect.
    pub fn leavings(&self) -> impl Iterator<Item = (Participant, Leaving)> {
        let improvised = self.improvised().filter_map(|turn| match turn.action {
            AdaptiveAction::Leave(how) => {
                Some((Participant::Player(turn.who.unwrap_or(Seat::First)), how))
            }
            _ => None,
        });
        let written = self.turns().flat_map(|(_, turn)| {
            let acts = turn.meanwhile.iter().filter_map(|act| {
                let how = match &act.what {
                    ActKind::Leave(how) => Some(*how),
                    ActKind::Send(parts) => SendPart::leaving(parts),
                    ActKind::Join => None,
                };
                how.map(|how| (act.who, how))
            });
            let own = match &turn.action {
                PlayerAction::Leave(how) => Some(*how),
                PlayerAction::Send(parts) => SendPart::leaving(parts),
                _ => None,
            };
            acts.chain(own.map(|how| (Participant::Player(turn.seat), how)))
        });
        written.chain(improvised)
    }

    /// Returns true if a player lets the timeout pass, which needs a subject whose timeout is known.
    #[must_use]
    pub fn needs_timeout(&self) -> bool {
        let is_silent = self
            .improvised()
            .any(|turn| turn.action == AdaptiveAction::Silent)
            || self
                .turns()
                .any(|(_, turn)| self.lets_time_pass(&turn.action));
        self.side == Side::Referee && is_silent
    }

    /// Returns true if the scenario has pauses and a timeout, so that the timeout's effect depends on exact
    /// times.
    #[must_use]
    pub fn times_within_a_turn(&self) -> bool {
        let pauses =
            |parts: &[SendPart]| parts.iter().any(|part| matches!(part, SendPart::Pause(_)));
        let mut acts = self.turns().flat_map(|(_, turn)| &turn.meanwhile);
        let is_timed = acts.any(|act| matches!(&act.what, ActKind::Send(parts) if pauses(parts)))
            || self.turns().any(
                |(_, turn)| matches!(&turn.action, PlayerAction::Send(parts) if pauses(parts)),
            );
        is_timed && self.needs_timeout()
    }

    /// Returns true if the action makes no move and breaks no rule, so that the timeout passes.
    #[must_use]
    pub fn lets_time_pass(&self, action: &PlayerAction) -> bool {
        match action {
            PlayerAction::Silent => true,
            PlayerAction::Send(parts) => {
                let is_ignored = |line: &Vec<u8>| {
                    matches!(self.dialect.read_player_line(line), PlayerLine::Ignored(_))
                };
                SendPart::leaving(parts).is_none()
                    && SendPart::lines(parts).0.iter().all(is_ignored)
            }
            PlayerAction::Skip
            | PlayerAction::Move(_)
            | PlayerAction::Illegal(_)
            | PlayerAction::Ignored(_)
            | PlayerAction::Leave(_) => false,
        }
    }
}
