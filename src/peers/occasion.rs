//! Occasions and turns as they arise, and the spoilers that apply to them.

use crate::pack::spoiler::{On, Reading, Sort, Spoiler, To, When};
use crate::protocol::{Cause, Dialect, GameEvent, Open, Party, PlayerLine, Slot};
use crate::rules::{Game, Seat, Setup};

/// Occasion as it arises.
#[derive(Debug, Clone, Copy)]
pub(super) enum Occasion {
    Start,
    Greeting(Slot),
    Greeted,
    Event(GameEvent),
    Ended(GameEvent),
    Ignored,
    OffTurn,
}

/// Turn as a peer counts it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    pub(super) number: u32,
    /// True if the turn before was the same player's.
    pub(super) is_extra: bool,
    /// The kind of its move that a spoiler means, if it has that kind.
    pub(super) kind: Option<&'static str>,
    /// Its player; `None` for a turn of a bot.
    pub(super) by: Option<Seat>,
    /// True if the turn before was skipped.
    pub(super) follows_skip: bool,
    /// The kind of the move before, as `kind`.
    pub(super) follows_kind: Option<&'static str>,
}

impl On {
    pub(super) fn matches(self, occasion: Occasion) -> bool {
        let event = match occasion {
            Occasion::Start => return matches!(self, On::Any | On::Start),
            Occasion::Greeting(slot) => return self == On::Any || self == On::Greeting(slot),
            Occasion::Greeted => return matches!(self, On::Any | On::Greeted),
            Occasion::Ended(_) => return matches!(self, On::Any | On::Ended),
            Occasion::Ignored => return matches!(self, On::Any | On::Ignored),
            Occasion::OffTurn => return matches!(self, On::Any | On::OffTurn),
            Occasion::Event(event) => event,
        };
        match event {
            GameEvent::Rolled { skipped, .. } => match self {
                On::Any | On::Roll => true,
                On::RollToMove => !skipped,
                On::SkippedRoll => skipped,
                _ => false,
            },
            GameEvent::Moved { result, .. } => match self {
                On::Any | On::Move => true,
                On::LastMove | On::End => result.is_some(),
                _ => false,
            },
            GameEvent::Lost { cause, .. } => match self {
                On::Any | On::Loss | On::End => true,
                On::Invalid => matches!(cause, Cause::Invalid(_)),
                On::Timeout => cause == Cause::Timeout,
                On::HangUp => cause == Cause::HangUp,
                _ => false,
            },
        }
    }
}

impl When {
    pub(super) fn holds(self, turn: Turn) -> bool {
        match self {
            When::Always => true,
            When::From(number) => turn.number >= number,
            When::First => turn.number <= 1,
            When::Extra => turn.is_extra,
            When::Kind(kind) => turn.kind == Some(kind),
            When::Of(seat) => turn.by == Some(seat),
            When::AfterSkip => turn.follows_skip,
            When::AfterKind(kind) => turn.follows_kind == Some(kind),
        }
    }
}

impl Turn {
    /// A turn that begins.
    pub(super) fn new(number: u32, is_extra: bool) -> Turn {
        Turn {
            number,
            is_extra,
            ..Turn::default()
        }
    }
}

impl To {
    /// Returns true if it means this party; `by`: the player on turn.
    pub(super) fn means(self, party: Party, by: Option<Seat>) -> bool {
        match (self, party) {
            (To::All, _) | (To::Players, Party::Player(_)) | (To::Spectators, Party::Spectator) => {
                true
            }
            (To::Seat(meant), Party::Player(seat)) => meant == seat,
            (To::Mover, Party::Player(seat)) => by == Some(seat),
            (To::Opponent, Party::Player(seat)) => by == Some(seat.other()),
            _ => false,
        }
    }
}

impl Spoiler {
    /// The setup with words exchanged, if this does so.
    pub(super) fn of_setup(self, game: &dyn Game, setup: Setup) -> Option<Setup> {
        let Spoiler::Setup(one, other) = self else {
            return None;
        };
        let text = game.format_setup(setup);
        let exchanged = text.split_inclusive(' ').map(|word| {
            let bare = word.trim_end();
            match bare {
                _ if bare == one => word.replace(one, other),
                _ if bare == other => word.replace(other, one),
                _ => word.to_owned(),
            }
        });
        game.parse_setup(&exchanged.collect::<String>())
    }
}

impl Reading {
    /// The meaning of a line that has another one.
    pub(super) fn of(self, said: PlayerLine, text: &[u8], dialect: &dyn Dialect) -> PlayerLine {
        match (self, said) {
            (Reading::Move, PlayerLine::Open(Open { mv: Some(mv), .. })) => PlayerLine::Move(mv),
            (Reading::Invalid, PlayerLine::Ignored(id)) => PlayerLine::Invalid(id),
            (Reading::Invalid, PlayerLine::Open(open)) if open.may_lose => {
                PlayerLine::Invalid(open.requirement)
            }
            (Reading::Ignored, PlayerLine::Invalid(id)) => PlayerLine::Ignored(id),
            (Reading::WithoutFirstByte, _) => {
                dialect.read_player_line(text.get(1..).unwrap_or_default())
            }
            (Reading::SingleBlanks, _) => {
                let words = text.split(u8::is_ascii_whitespace);
                let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
                dialect.read_player_line(&words.join(&b' '))
            }
            _ => said,
        }
    }
}

impl Sort {
    pub(super) fn is(self, said: PlayerLine, text: &[u8]) -> bool {
        match self {
            Sort::Empty => text.is_empty(),
            Sort::Ignored => matches!(said, PlayerLine::Ignored(_)),
            Sort::Open => matches!(said, PlayerLine::Open(_)),
            Sort::Breaking(id) => said == PlayerLine::Invalid(id),
        }
    }
}
