use crate::rules::{PerSeat, Seat, Setup};

/// What the handshake has told so far: names, and what was fixed by chance before the first turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The players' names, as bytes without newline.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// What chance has fixed before the first turn, once it is known whole.
    pub setup: Option<Setup>,
}

impl Facts {
    /// Facts with both names known.
    #[must_use]
    pub fn with_names(first: impl Into<Vec<u8>>, second: impl Into<Vec<u8>>) -> Facts {
        Facts { names: PerSeat([Some(first.into()), Some(second.into())]), setup: None }
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
