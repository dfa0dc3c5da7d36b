//! The handshake: its lines, and the facts that they tell.

use crate::rules::{PerSeat, Seat, Setup};

/// One line of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Greeting {
    /// Content of the line.
    pub slot: Slot,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// Description of the expected line while its text is unknown.
    pub syntax: &'static str,
}

/// Content of a line of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The name of the player of that seat.
    Name(Seat),
    /// The receiver's seat.
    OwnSeat,
    /// A part of the random setup; the dialect numbers the parts.
    Setup(u8),
}

/// Form of a line of the handshake that tells a part of the random setup, as the game writes that part.
#[derive(Debug)]
pub struct SetupLine {
    /// The text before the part.
    pub before: &'static str,
    /// The text after it.
    pub after: &'static str,
    /// Id of the requirement that a line breaks which differs from what another lane was told.
    pub repeated: &'static str,
}

impl SetupLine {
    /// The part that a line tells; `None` for a line of another form.
    pub(super) fn part<'l>(&self, line: &'l [u8]) -> Option<&'l str> {
        let text = str::from_utf8(line).ok()?;
        text.strip_prefix(self.before)?.strip_suffix(self.after)
    }
}

/// Facts from the handshake so far: the names, and the random setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The players' names, as bytes without newline.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, once all its parts are known.
    pub setup: Option<Setup>,
    /// The lines of its parts that were told so far.
    pub setup_lines: [Option<Vec<u8>>; 2],
}

impl Facts {
    /// Facts with both names known.
    #[must_use]
    pub fn with_names(first: impl Into<Vec<u8>>, second: impl Into<Vec<u8>>) -> Facts {
        Facts {
            names: PerSeat([Some(first.into()), Some(second.into())]),
            ..Facts::default()
        }
    }

    /// Facts with what chance has fixed before the first turn.
    #[must_use]
    pub fn with_setup(self, setup: Setup) -> Facts {
        Facts {
            setup: Some(setup),
            ..self
        }
    }

    /// Learns a name, or compares it with the one that is known.
    ///
    /// # Errors
    /// The name that is known, where it is another.
    pub fn name(&mut self, seat: Seat, name: &[u8]) -> Result<(), Vec<u8>> {
        match &self.names[seat] {
            Some(known) if known == name => Ok(()),
            Some(known) => Err(known.clone()),
            None => {
                self.names[seat] = Some(name.to_vec());
                Ok(())
            }
        }
    }
}
