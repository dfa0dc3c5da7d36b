//! The dialect of a stream, by its beginning.

use crate::pack::{self, Protocol, formats};
use crate::protocol::{Dialect, Facts, Party, RefereeLine, Slot};
use crate::rules::Seat;

/// Number of lines that show the dialect of a stream.
pub const LINES_OF_START: usize = 18;

/// The dialect whose handshake and lines the beginning of a stream looks like; where none does, the first there is.
#[must_use]
pub fn dialect_of(start: &[u8]) -> &'static dyn Dialect {
    let likest = pack::dialects()
        .rev()
        .max_by_key(|dialect| likeness(start, *dialect));
    likest.expect("there are dialects")
}

/// Returns the dialect of a stream with this beginning: the one that is asked for, or else the likeliest.
///
/// # Errors
/// Fails with the protocol that the stream does not look like.
pub fn dialect_in(start: &[u8], asked: Option<Protocol>) -> Result<&'static dyn Dialect, Protocol> {
    let protocol = asked.unwrap_or_else(|| Protocol::Game(dialect_of(start)));
    let dialect = protocol.dialect();
    dialect
        .filter(|dialect| looks_like(start, *dialect))
        .ok_or(protocol)
}

/// The dialect of another game, where a stream begins as in that one and not as in this dialect.
#[must_use]
pub fn other_dialect(start: &[u8], dialect: &dyn Dialect) -> Option<&'static dyn Dialect> {
    let begins = |dialect: &dyn Dialect| likeness(start, dialect) == Likeness::Begins;
    let mut others = pack::dialects().filter(|_| !begins(dialect));
    others.find(|other| begins(*other))
}

/// Returns true if a stream with this beginning could be in the dialect, with or without errors: a line after
/// the names has a form of the dialect, or the stream ends before such a line. Names that look like a file of
/// another format need the beginning of a game after them.
#[must_use]
pub fn looks_like(start: &[u8], dialect: &dyn Dialect) -> bool {
    match likeness(start, dialect) {
        Likeness::None => false,
        Likeness::OnlyNames | Likeness::SomeLine => formats::recognise(start).is_none(),
        Likeness::Begins => true,
    }
}

/// Similarity of the beginning of a stream to a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// Not at all.
    None,
    /// It ends before a line that would show it.
    OnlyNames,
    /// One of its first lines has a form that the dialect knows.
    SomeLine,
    /// The game begins as it should, right after the handshake.
    Begins,
}

fn likeness(start: &[u8], dialect: &dyn Dialect) -> Likeness {
    let all: Vec<_> = start
        .split_inclusive(|&byte| byte == b'\n')
        .take(LINES_OF_START)
        .collect();
    let names = names(dialect);
    if lacks_names(start, dialect) {
        return Likeness::None;
    }
    let Some(after) = all.get(names..).filter(|after| !after.is_empty()) else {
        return match names > 0 && !start.is_empty() {
            true => Likeness::OnlyNames,
            false => Likeness::None,
        };
    };
    let slots = || {
        dialect.greeting(false)[names..]
            .iter()
            .map(|greeting| greeting.slot)
    };
    let reads = |slot, line: &[u8]| {
        dialect
            .read_greeting(slot, line, &mut Facts::default())
            .is_ok()
    };
    let is_known = |raw: &&[u8]| {
        let line = raw.trim_ascii();
        slots().any(|slot| reads(slot, line))
            || is_begun(raw, dialect)
            || dialect.hear(line.strip_prefix(b">").unwrap_or(line)) != RefereeLine::Other
    };
    // One character is too little to know a protocol by: it may be the number of anything.
    let tells = |raw: &&[u8]| is_known(raw) && raw.trim_ascii().len() > 1;
    match after {
        [first, ..] if tells(first) => Likeness::Begins,
        [first, second, ..] if is_known(first) && tells(second) => Likeness::Begins,
        _ if after.iter().any(is_known) => Likeness::SomeLine,
        _ => Likeness::None,
    }
}

/// Returns true if a roll is in the place of the first name: the capture lacks its beginning.
#[must_use]
pub fn lacks_names(start: &[u8], dialect: &dyn Dialect) -> bool {
    let first = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    names(dialect) > 0 && matches!(dialect.hear(first.trim_ascii()), RefereeLine::Roll(_))
}

/// Returns true if a line without its newline is the beginning of the line that shows a seat.
fn is_begun(line: &[u8], dialect: &dyn Dialect) -> bool {
    let tells_seat = dialect
        .greeting(false)
        .iter()
        .any(|greeting| greeting.slot == Slot::OwnSeat);
    let due = |seat| dialect.write_greeting(Slot::OwnSeat, Party::Player(seat), &Facts::default());
    let is_beginning = |due: Vec<u8>| line.len() > 1 && due.starts_with(line);
    tells_seat && Seat::BOTH.into_iter().filter_map(due).any(is_beginning)
}

/// Returns the number of lines with names at the beginning of a stream.
pub(super) fn names(dialect: &dyn Dialect) -> usize {
    dialect
        .greeting(false)
        .iter()
        .take_while(|greeting| matches!(greeting.slot, Slot::Name(_)))
        .count()
}
