//! The places of a step's parts in the text, beside the step itself.

use super::spot::Spot;
use crate::diagnostic::{Source, Span};
use crate::scenario::{PlayerAction, Step, StepKind};

/// A parsed value with its span.
pub(super) struct Spanned<T> {
    pub(super) is: T,
    pub(super) span: Span,
}

/// A step that was read, not yet held against the rules.
pub(super) struct PlacedStep {
    /// Its span is in the scenario's own file; for a step from another file, that of the entry that includes it.
    pub(super) step: Step,
    pub(super) places: Places,
}

/// Places of a step in the file that it is written in.
pub(super) struct Places {
    pub(super) source: Source,
    /// Span from the key to the end of the value on the same line.
    pub(super) step: Span,
    pub(super) seat: Span,
    pub(super) roll: Option<Span>,
    /// `None` if the action has an error. The turn then allows any legal move.
    pub(super) action: Option<ActionPlaces>,
    pub(super) acts: Vec<ActPlaces>,
}

impl Places {
    /// Span of the action, or of the whole turn if no action is written.
    pub(super) fn action(&self) -> Span {
        self.action
            .and_then(|action| action.whole)
            .unwrap_or(self.step)
    }

    /// One of them, to explain another place.
    pub(super) fn spot(&self, span: Span, says: impl Into<String>) -> Spot {
        Spot::new(&self.source, span, says)
    }
}

/// Places of an act.
pub(super) struct ActPlaces {
    /// Span of the act, or of its first line.
    pub(super) act: Span,
    pub(super) who: Span,
}

/// Places of a player's action.
#[derive(Clone, Copy, Default)]
pub(super) struct ActionPlaces {
    /// `None` where nothing is written.
    pub(super) whole: Option<Span>,
    /// The word that marks a move.
    pub(super) illegal: Option<Span>,
    /// True for a line in quotation marks without the word that says what becomes of it.
    pub(super) is_unmarked: bool,
    pub(super) name: Option<Span>,
    pub(super) except: Option<Span>,
}

/// The action of a turn as it was read.
pub(super) struct PlacedAction {
    pub(super) action: PlayerAction,
    pub(super) places: ActionPlaces,
}

impl PlacedAction {
    /// Nothing is written.
    pub(super) fn skip() -> PlacedAction {
        PlacedAction {
            action: PlayerAction::Skip,
            places: ActionPlaces::default(),
        }
    }

    pub(super) fn at(action: PlayerAction, span: Span) -> PlacedAction {
        let places = ActionPlaces {
            whole: Some(span),
            ..ActionPlaces::default()
        };
        PlacedAction { action, places }
    }
}

impl PlacedStep {
    /// A step with one place for all its parts but the acts.
    pub(super) fn at(step: Step, source: &Source) -> PlacedStep {
        let span = step.span;
        let (mut whole, mut acts) = (Some(span), Vec::new());
        if let StepKind::Turn(turn) = &step.kind {
            whole = whole.filter(|_| turn.action != PlayerAction::Skip);
            let places = |span| ActPlaces {
                act: span,
                who: span,
            };
            acts.extend(turn.meanwhile.iter().map(|act| places(act.span)));
        }
        let places = Places {
            source: source.clone(),
            step: span,
            seat: span,
            roll: Some(span),
            action: Some(ActionPlaces {
                whole,
                name: whole,
                except: whole,
                ..ActionPlaces::default()
            }),
            acts,
        };
        PlacedStep { step, places }
    }

    /// Says that it comes from another file, which is included there.
    pub(super) fn show_at(&mut self, place: Span) {
        self.step.span = place;
        if let StepKind::Turn(turn) = &mut self.step.kind {
            turn.meanwhile.iter_mut().for_each(|act| act.span = place);
        }
    }
}
