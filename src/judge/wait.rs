//! What the game waits for, and observations whose meaning later events decide.

use std::time::Duration;

use crate::finding::Finding;
use crate::protocol::Deviation;
use crate::transcript::Close;

/// Current wait of the game; each has its own budget and its own message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The handshake.
    Handshake,
    /// A line that is due.
    Answer,
    /// The timeout that a silent player lets pass.
    Timeout,
    /// The end of the streams after the end of the game.
    Close,
    /// The end of the streams after a player has gone away: at once, or when its time is over.
    Forfeit,
    /// The end of the streams after we have closed ours.
    CloseAfterUs,
    /// A line that is overdue: whether it comes at all, and how late.
    Late,
    /// A pause between two pieces of what is sent.
    Pause,
    /// A settling time, to see what the referee makes of a line sent off turn.
    Quiet,
    /// Events after an unexpected close: on other lanes, or the process's exit status.
    AfterClose,
    /// The end of the process after the end of its stream.
    Exit,
}

/// An observation whose meaning depends on later events: on other lanes, or the process's exit.
#[derive(Debug, Clone)]
pub(super) enum Pending {
    /// The subject ended a lane in mid-game.
    Ended { lane: usize, close: Close },
    /// A line that the model did not predict.
    Line(Box<Deviation>),
    /// A roll in the place of a move, which may come next; with its finding.
    Swapped(Box<Deviation>, Box<Finding>),
    /// The bot owes an answer, and its input was closed then; `heard`: how many lines it had sent by then, `has_exited`:
    /// whether its process had ended, `evidence`: what the platform showed of it.
    Unanswered {
        heard: usize,
        has_exited: bool,
        evidence: Option<String>,
    },
    /// The referee owes a line, and the players' lanes were closed then; `finding`: what that is without what comes of it, `heard`: how
    /// many lines each lane had by then.
    Silent {
        finding: Box<Finding>,
        heard: Vec<usize>,
        has_exited: bool,
    },
}

/// What the game waits for.
#[derive(Debug, Clone, Default)]
pub(super) struct Waits {
    /// The current wait, and its end.
    pub(super) current: Option<(Wait, Duration)>,
    pub(super) pending: Option<Pending>,
    /// Start and end of the last wait for something due; a second wait for an overdue line does not count.
    pub(super) due: Option<(Duration, Duration)>,
}

impl Waits {
    /// Returns true if an awaited line or close is due within a budget.
    pub(super) fn awaits_what_is_due(&self) -> bool {
        use Wait::{Answer, Close, CloseAfterUs, Exit, Handshake, Late};
        self.current.is_some_and(|(wait, _)| {
            matches!(
                wait,
                Handshake | Answer | Late | Close | CloseAfterUs | Exit
            )
        })
    }

    /// Returns true if only time has to pass: for the timeout, a pause, or silence.
    pub(super) fn is_biding(&self) -> bool {
        use Wait::{Forfeit, Pause, Quiet, Timeout};
        let wait = self.current.map(|(wait, _)| wait);
        matches!(wait, Some(Timeout | Pause | Quiet | Forfeit))
    }
}
