//! Participants of a simulated game, the ends of their links, and the parcels between these ends.

use crate::transcript::Close;

/// The number of a participant.
pub(super) type Node = usize;

/// The number of the judge among the participants, and of the peer it judges.
pub(super) const JUDGE: Node = 0;
pub(super) const PEER: Node = 1;

/// One end of a link. Links have the numbers of the game's lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) link: usize,
    pub(super) side: Side,
}

/// A side of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The side of a player, a spectator, or the judge.
    Near,
    /// The side of the peer that all lanes lead to.
    Far,
}

impl End {
    pub(super) fn near(link: usize) -> End {
        End {
            link,
            side: Side::Near,
        }
    }

    pub(super) fn other(self) -> End {
        let side = if self.side == Side::Near {
            Side::Far
        } else {
            Side::Near
        };
        End { side, ..self }
    }
}

/// Bytes or a close, on the way over a stream.
#[derive(Debug)]
pub(super) enum Parcel {
    Bytes(Vec<u8>),
    End(Close),
}
