//! Formats of files with finished games, and the parts of a game that each keeps.

use super::GamePart;
use crate::pack;

/// A format of files with finished games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFormat {
    /// Name, as it continues "read as …".
    pub name: &'static str,
    /// The parts of a game that a file keeps.
    pub keeps: &'static [GamePart],
}

use GamePart::{Coins, Lanes, Loss, Names, Rolls, TokenNumbers};

/// A golden transcript.
pub const GOLDEN: FileFormat = FileFormat {
    name: "a golden transcript",
    keeps: &[Names, Rolls, Coins, TokenNumbers, Loss, Lanes],
};

/// A recording.
pub const RECORDING: FileFormat = FileFormat {
    name: "a recording",
    keeps: &GamePart::ALL,
};

/// The stream of one participant, or a stored match.
pub const STREAM: FileFormat = FileFormat {
    name: "the stream of one participant",
    keeps: &[Names, Rolls, Coins, TokenNumbers, Loss],
};

impl FileFormat {
    /// Every format of the process.
    pub fn all() -> impl Iterator<Item = FileFormat> {
        let notations = pack::notations().map(FileFormat::of_notation);
        [GOLDEN, RECORDING, STREAM].into_iter().chain(notations)
    }

    /// The format of files in a notation.
    #[must_use]
    pub fn of_notation(notation: &dyn super::Notation) -> FileFormat {
        FileFormat {
            name: notation.title(),
            keeps: notation.keeps(),
        }
    }

    /// Returns the parts that this format keeps and another drops.
    pub fn lost_in(self, other: FileFormat) -> impl Iterator<Item = GamePart> {
        let kept = GamePart::ALL
            .into_iter()
            .filter(move |part| self.keeps.contains(part));
        kept.filter(move |part| !other.keeps.contains(part))
    }
}
