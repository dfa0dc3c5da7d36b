//! What a turn shows: the situations, kinds of moves and requirements in it, from one look at the turn.

use std::collections::HashMap;

use super::{Move, Seat};

/// Action of the player to move in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing: the roll leaves no legal move.
    Skipped,
    /// A legal move.
    Moved(Move),
    /// A move that the rules refuse.
    Refused(Move),
    /// No move until the game is lost: silence, a hang-up, or a line that names no move.
    Forfeited,
}

impl Attempt {
    /// A legal move, or the turn without one.
    #[must_use]
    pub fn of(mv: Option<Move>) -> Attempt {
        mv.map_or(Attempt::Skipped, Attempt::Moved)
    }
}

/// One thing that a turn shows. A requirement is named by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The coverage item of this number arises.
    Covers(usize),
    /// The move is of this kind.
    Kind(&'static str),
    /// The requirement that makes the move more than an ordinary step, such as a capture; of several the last one.
    Move(&'static str),
    /// The requirement that decides whose turn is next.
    Turn(&'static str),
    /// The turn itself puts the requirement to the test.
    Now(&'static str),
    /// The turn itself, for whoever chooses in it: a referee shows nothing of the moves that nobody tries.
    OfMover(&'static str),
    /// The next turn in which somebody moves or loses does: only then it shows whose turn it is.
    Next(&'static str),
    /// A later turn does, by showing this trace.
    Later(Trace),
    /// The turn shows what these traces of earlier turns have left behind.
    Shows(Traces),
    /// The turn does so where the mover is the bot under test, whose choice shows what it believes of all its moves.
    ShowsOfMover(Traces),
    /// The refused move breaks one more rule.
    BreaksMore,
}

/// Trace of a turn, until a later turn shows its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The game's own encoding of the turn.
    pub key: u32,
    /// Id of the requirement that shows then.
    pub requirement: &'static str,
}

/// Traces of earlier turns, by their requirement or of any, and by some bits of their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traces {
    /// Id of their requirement; `None` for traces of every requirement.
    pub requirement: Option<&'static str>,
    /// The bits of their keys that count.
    pub mask: u32,
    /// The values of these bits.
    pub key: u32,
}

impl Traces {
    /// Returns true if this trace is one of them.
    #[must_use]
    pub fn has(self, trace: Trace) -> bool {
        trace.key & self.mask == self.key
            && self.requirement.is_none_or(|id| id == trace.requirement)
    }
}

/// A situation of a game that tests are to bring about, and that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverageItem {
    /// Description of the situation: `first captures on cell 5`.
    pub name: &'static str,
    /// Id of the requirement that shows there, where it is one in particular.
    pub requirement: Option<&'static str>,
}

impl CoverageItem {
    /// A situation that shows this requirement.
    #[must_use]
    pub const fn new(name: &'static str, requirement: &'static str) -> CoverageItem {
        CoverageItem {
            name,
            requirement: Some(requirement),
        }
    }
}

/// Coverage items that are the same for each seat, found by a word and a number.
#[derive(Debug, Default)]
pub struct Situations {
    /// Those of the first seat, then those of the second.
    items: Vec<CoverageItem>,
    places: HashMap<(&'static str, u8), usize>,
}

/// The word and the number of a coverage item, its name behind that of the seat, and the requirement that shows there.
pub type Situation = (&'static str, u8, String, Option<&'static str>);

impl Situations {
    /// These situations, for seats of these names. They are kept for as long as the process lasts.
    #[must_use]
    pub fn new(seats: [&str; 2], rows: &[Situation]) -> Situations {
        let item = |seat: &str, (.., name, requirement): &Situation| CoverageItem {
            name: format!("{seat} {name}").leak(),
            requirement: *requirement,
        };
        let of_seat = |seat| rows.iter().map(move |row| item(seat, row));
        let keys = rows.iter().map(|&(word, number, ..)| (word, number));
        Situations {
            items: seats.into_iter().flat_map(of_seat).collect(),
            places: keys.zip(0..).collect(),
        }
    }

    /// Every item by its number.
    #[must_use]
    pub fn items(&self) -> &[CoverageItem] {
        &self.items
    }

    /// Names a situation of this seat to `see`, if it is one of these.
    pub fn show(&self, seat: Seat, word: &'static str, number: u8, see: &mut dyn FnMut(Fact)) {
        if let Some(place) = self.places.get(&(word, number)) {
            see(Fact::Covers(seat.index() * self.places.len() + place));
        }
    }
}
