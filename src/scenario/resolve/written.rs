//! Steps as they are written: read, but not yet held against the rules.

use super::spot::Spot;
use crate::diagnostic::{Source, Span};
use crate::rules::{Move, Roll, Seat};
use crate::scenario::{
    ActKind, Choice, Leaving, Participant, PlayerAction, SendPart, Step, StepKind, Turn,
};

/// A parsed value with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written<T> {
    pub(super) is: T,
    pub(super) span: Span,
}

impl<T> Written<T> {
    pub(super) fn at(is: T, span: Span) -> Written<T> {
        Written { is, span }
    }
}

/// A step as it is written.
pub(super) enum WrittenStep {
    Turn(Box<WrittenTurn>),
    PlayToTheEnd {
        spot: Spot,
        /// Span in the scenario's own file, or of the entry that includes the turn.
        shown: Span,
    },
    /// It depends on the course of the game.
    Adaptive(Box<WrittenAdaptive>),
    /// There is a fault in it by which not even the seat is known.
    Unreadable,
}

impl WrittenStep {
    /// A step of a scenario that has been made as a value.
    pub(super) fn of(step: &Step, source: &Source) -> WrittenStep {
        let shown = step.span;
        let kind = step.kind.clone();
        let loses = match &step.kind {
            StepKind::Turn(turn) => return WrittenTurn::of(turn, shown, source),
            StepKind::PlayToTheEnd => {
                let spot = Spot::new(source, shown, "");
                return WrittenStep::PlayToTheEnd { spot, shown };
            }
            StepKind::PlayUntil(_) => false,
            StepKind::Improvise(turn) => turn.action.loses(),
        };
        WrittenAdaptive { shown, kind, loses }.step()
    }

    /// Says that it comes from another file, which is included there.
    pub(super) fn show_at(&mut self, place: Span) {
        match self {
            WrittenStep::Turn(turn) => turn.shown = place,
            WrittenStep::PlayToTheEnd { shown, .. } => *shown = place,
            WrittenStep::Adaptive(step) => step.shown = place,
            WrittenStep::Unreadable => {}
        }
    }
}

/// A turn as it is written.
pub(super) struct WrittenTurn {
    /// The file that it stands in.
    pub(super) source: Source,
    /// Span from the key to the end of the value on the same line.
    pub(super) span: Span,
    /// Span in the scenario's own file; for a turn from another file, of the entry that includes it.
    pub(super) shown: Span,
    /// The player of the turn, with the span.
    pub(super) seat: Written<Seat>,
    /// `None` in a game without rolls, and where it could not be read.
    pub(super) roll: Option<Written<Roll>>,
    /// Events before the action.
    pub(super) meanwhile: Vec<WrittenAct>,
    /// `None` where it could not be read.
    pub(super) action: Option<WrittenDeed>,
}

impl WrittenTurn {
    fn of(turn: &Turn, span: Span, source: &Source) -> WrittenStep {
        let acts = turn.meanwhile.iter().map(|act| WrittenAct {
            span: act.span,
            who: Written::at(act.who, act.span),
            what: Written::at(act.what.clone(), act.span),
        });
        let line = |bytes: &Vec<u8>, fate| WrittenDeed::Line {
            bytes: Written::at(bytes.clone(), span),
            fate: Some(fate),
        };
        let name = |name: &String| Written::at(name.clone(), span);
        let action = match &turn.action {
            PlayerAction::Skip => WrittenDeed::Skip,
            PlayerAction::Move(Choice::This(mv)) => WrittenDeed::Move {
                mv: Written::at(*mv, span),
                illegal: None,
            },
            PlayerAction::Move(Choice::Any { name: is, except }) => WrittenDeed::Any {
                span,
                name: is.as_ref().map(name),
                except: except.as_ref().map(name),
            },
            PlayerAction::Illegal(bytes) => line(bytes, Fate::Illegal),
            PlayerAction::Ignored(bytes) => line(bytes, Fate::Ignored),
            PlayerAction::Silent => WrittenDeed::Silent(span),
            PlayerAction::Send(parts) => WrittenDeed::Send(Written::at(parts.clone(), span)),
            PlayerAction::Leave(how) => WrittenDeed::Leave(Written::at(*how, span)),
        };
        WrittenStep::Turn(Box::new(WrittenTurn {
            source: source.clone(),
            span,
            shown: span,
            seat: Written::at(turn.seat, span),
            roll: turn.roll.map(|roll| Written::at(roll, span)),
            meanwhile: acts.collect(),
            action: Some(action),
        }))
    }
}

/// An act as it is written.
pub(super) struct WrittenAct {
    /// Span of the step, or of its first line.
    pub(super) span: Span,
    pub(super) who: Written<Participant>,
    pub(super) what: Written<ActKind>,
}

/// The written action of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WrittenDeed {
    /// Nothing is written after the roll.
    Skip,
    Silent(Span),
    Any {
        span: Span,
        name: Option<Written<String>>,
        except: Option<Written<String>>,
    },
    Move {
        mv: Written<Move>,
        illegal: Option<Span>,
    },
    /// A line in quotation marks.
    Line {
        bytes: Written<Vec<u8>>,
        fate: Option<Fate>,
    },
    /// Pieces, under a key of their own.
    Send(Written<Vec<SendPart>>),
    Leave(Written<Leaving>),
}

impl WrittenDeed {
    /// Returns the span of the action, if one is written.
    pub(super) fn span(&self) -> Option<Span> {
        match self {
            WrittenDeed::Skip => None,
            WrittenDeed::Silent(span) | WrittenDeed::Any { span, .. } => Some(*span),
            WrittenDeed::Move { mv, .. } => Some(mv.span),
            WrittenDeed::Line { bytes, .. } => Some(bytes.span),
            WrittenDeed::Send(parts) => Some(parts.span),
            WrittenDeed::Leave(leaving) => Some(leaving.span),
        }
    }
}

/// The scenario's claim about the effect of a quoted line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It loses the game.
    Illegal,
    /// It is ignored, and its sender is still on turn.
    Ignored,
}

impl Fate {
    pub(super) const ALL: [Fate; 2] = [Fate::Illegal, Fate::Ignored];

    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Fate::Illegal => "illegal",
            Fate::Ignored => "ignored",
        }
    }
}

/// A step that depends on the course of the game, as it is written.
pub(super) struct WrittenAdaptive {
    /// Span in the scenario's own file, or of the entry that includes the step.
    pub(super) shown: Span,
    pub(super) kind: StepKind,
    /// True if the player loses by it.
    pub(super) loses: bool,
}

impl WrittenAdaptive {
    pub(super) fn step(self) -> WrittenStep {
        WrittenStep::Adaptive(Box::new(self))
    }
}
