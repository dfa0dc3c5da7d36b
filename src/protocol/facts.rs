//! Facts about one game from its handshake.

use crate::rules::{PerSeat, Seat, Setup};

/// Facts from the handshake so far: the names, and the random setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The players' names, as bytes without newline.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, once all its parts are known.
    pub setup: Option<Setup>,
    /// The parts of it that were told so far, by the number of their line; the dialect says what the values mean.
    pub setup_parts: [Option<u64>; 2],
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

    /// Learns a part of the setup, or compares it with the one that is known.
    ///
    /// # Errors
    /// The value that is known, where it is another.
    pub fn setup_part(&mut self, number: u8, value: u64) -> Result<(), u64> {
        match self.setup_parts[usize::from(number)] {
            Some(known) if known != value => Err(known),
            _ => {
                self.setup_parts[usize::from(number)] = Some(value);
                Ok(())
            }
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
