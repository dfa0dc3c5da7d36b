//! Kinds of findings: the data that distinguishes one failure from another.

use std::mem::{Discriminant, discriminant};

use thiserror::Error;

/// The failure that a finding reports, as data. Its words are the title of the finding.
///
/// Two findings of one requirement report the same failure if their kinds are equal. The engine relies on it: a failure is
/// confirmed by another game with an equal one, and two unequal ones are two failures. So a kind holds everything that its words
/// show, and nothing else:
///
/// - the lane, since a referee that forgets one player is not confirmed by one that forgets the other;
/// - times as they are shown, to a tenth of a second: a wrong time that is not the same again can come of load;
/// - an exit status and the last line before a crash: one crash is not another.
///
/// Explore and its gate compare less, see [`FindingKind::sort`]. Kinds of findings that nothing is compared with, such as a game that was
/// not played to its end, need no variant of their own: they are words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
pub enum FindingKind {
    /// No more than words: of an operating system or server, or of a finding that nothing is compared with.
    #[error("{0}")]
    Words(String),
    /// The subject plays by this variant of the rules.
    #[error("the {subject} behaves as if {summary}")]
    Variant {
        /// `bot` or `referee`.
        subject: &'static str,
        /// Name of the variant.
        name: &'static str,
        /// Its summary.
        summary: &'static str,
    },
    /// The subject plays by one of these two variants of the rules.
    #[error("the {subject} behaves as if {}, or as if {}", .summaries[0], .summaries[1])]
    EitherVariant {
        /// `bot` or `referee`.
        subject: &'static str,
        /// The summaries of the variants.
        summaries: [&'static str; 2],
    },
    /// An observation in games that alone have this circumstance.
    #[error("{0}, {1}")]
    Under(Box<FindingKind>, String),
    /// A failure of every game of a server but the first, which passed.
    #[error("{1}: {0}")]
    Later(Box<FindingKind>, String),
    /// A deviation that urtext or this machine can have caused by being late.
    #[error("{0}, and {1}")]
    Doubtful(Box<FindingKind>, Excuse),

    /// A line of a referee after the end of the game, on this lane.
    #[error("{0} received a line after the end of the game")]
    ReceivedAfterEnd(String),
    /// A line of a referee that waits for a move.
    #[error("{lane} received {came} while a move was awaited")]
    ReceivedInMove {
        /// The lane.
        lane: String,
        /// What came.
        came: &'static str,
    },
    /// A wrong line of a referee.
    #[error("{lane} received {came} instead of {due}")]
    ReceivedOther {
        /// The lane.
        lane: String,
        /// What came.
        came: &'static str,
        /// What was due.
        due: String,
    },
    /// Two lines of a referee in the wrong order.
    #[error("{lane} received {came} before {due}: the two lines changed places")]
    Swapped {
        /// The lane.
        lane: String,
        /// The line that came too early.
        came: &'static str,
        /// The expected line, which came after it.
        due: String,
    },
    /// A line of a player that is no move, and that a referee took as one.
    #[error("{0} was taken as a move")]
    TakenAsMove(String),
    /// A move that breaks the rules, and that a referee took.
    #[error("the illegal move {0} was taken")]
    IllegalTaken(String),
    /// A line of a referee that ends without a newline.
    #[error("{0} received a line without its newline")]
    ReceivedUnended(String),
    /// A line of a referee that is too long.
    #[error("{0} received a line without end")]
    ReceivedEndless(String),
    /// A missing line of a referee.
    #[error("{lane} did not receive {due}")]
    NotReceived {
        /// The lane.
        lane: String,
        /// What was due.
        due: String,
    },
    /// A line of a referee that came too late.
    #[error("{lane} received {due} {late} too late")]
    ReceivedLate {
        /// What was due.
        due: String,
        /// The lane.
        lane: String,
        /// Time after the end of the budget.
        late: String,
    },
    /// No lane received anything.
    #[error("nothing came in time")]
    NothingCame,
    /// A loss by timeout before the timeout.
    #[error("the loss by timeout was seen after {0}, too early")]
    LossTooEarly(String),
    /// A loss by timeout long after the timeout.
    #[error("the loss by timeout was seen after {waited}, too late{}", new_time(.restarted.as_ref()))]
    LossTooLate {
        /// Time until the loss.
        waited: String,
        /// Time of the action that seems to have given new time, and that action in words.
        restarted: Option<(String, String)>,
    },
    /// Turns that follow each other too fast.
    #[error("a turn began {apart} after the one before, with a pace of {pace}")]
    TooFast {
        /// Time between the turns.
        apart: String,
        /// The pace.
        pace: String,
    },
    /// A lane that ended before a line.
    #[error("the referee {how} the lane of {lane} before {due}")]
    EndedBeforeLine {
        /// Verb for the close.
        how: &'static str,
        /// What was due.
        due: String,
        /// The lane.
        lane: String,
    },
    /// A lane that ended in mid-game.
    #[error("the referee {how} the lane of {lane} in mid-game")]
    EndedInMidGame {
        /// Verb for the close.
        how: &'static str,
        /// The lane.
        lane: String,
    },
    /// A referee that crashed.
    #[error("the referee crashed in mid-game, {}: {status}", last_sent(.after.as_ref()))]
    Crashed {
        /// The last line sent to it, and its lane.
        after: Option<(String, String)>,
        /// Exit status of the process.
        status: String,
    },
    /// Lanes that are open after the end, while others have ended.
    #[error("the lane of {lanes} was still open {waited} after the end of the game")]
    SomeStillOpen {
        /// The lanes.
        lanes: String,
        /// Time since the end.
        waited: String,
    },
    /// No lane has ended although the game is over.
    #[error("no lane had ended {waited} after {end}")]
    AllStillOpen {
        /// Time since the end.
        waited: String,
        /// The end of the game.
        end: LastEvent,
    },
    /// A roll of a skipped turn that was not shown.
    #[error("the roll of a skipped turn was not shown: {forced} is next, {shown} was shown")]
    SkipNotShown {
        /// The roll that was forced.
        forced: String,
        /// The roll that was shown.
        shown: String,
    },
    /// A referee that did not speak until it was left.
    #[error("the referee said nothing until its players had gone")]
    SilentUntilLeft,
    /// A late spectator that received something else than is declared.
    #[error("{lane} joined late and received {seen}, and `late-spectator: {declared}` is declared")]
    LateSpectator {
        /// The lane of the spectator.
        lane: String,
        /// The lines that it received.
        seen: &'static str,
        /// The declared value.
        declared: &'static str,
    },

    /// A bot that ended.
    #[error("the bot ended in mid-game")]
    BotEnded,
    /// A bot without an answer.
    #[error("the bot did not answer")]
    NoAnswer,
    /// A bot that still computes when its time is over.
    #[error("the bot had not answered after {0}, and was still computing")]
    StillComputing(String),
    /// An answer after its time.
    #[error("the bot answered {0} too late")]
    AnsweredLate(String),
    /// A bot that stopped reading before its first answer.
    #[error("the bot closed its input before its first answer")]
    ClosedInput,
    /// A bot whose process is stopped.
    #[error("the bot did not answer: its process is stopped")]
    ProcessStopped,
    /// A bot that does not end after its game.
    #[error("the bot was still there {0} after the game ended")]
    StaysAfterGame(String),
    /// A bot that does not end without input.
    #[error("the bot was still there {0} after its input was closed")]
    StaysWithoutInput(String),
    /// A line of a bot that ends without a newline.
    #[error("the bot sent a line that does not end with a newline")]
    SentUnended,
    /// A bot that answers for the other seat.
    #[error("the bot behaves as if it had the other seat")]
    OtherSeat,
    /// A bot that answers a skipped turn.
    #[error("the bot sent a line although its turn was skipped")]
    SentWhenSkipped,
    /// A bot that answers twice.
    #[error("the bot sent a second line for one turn")]
    SentTwice,
    /// A bot that answers off turn.
    #[error("the bot sent a line while it was not its turn")]
    SentOffTurn,
    /// A bot that answers after the end.
    #[error("the bot sent a line after the end of the game")]
    SentAfterEnd,
    /// A bot that misreads the board.
    #[error("the bot behaves as if {summary}")]
    Misread {
        /// The wrong reading of the board.
        summary: &'static str,
        /// Reason for which the move that it sent is illegal.
        reason: &'static str,
    },
    /// An illegal move, and the reason.
    #[error("the bot sent an illegal move: {0}")]
    IllegalMove(&'static str),
    /// A line that is no move.
    #[error("the bot sent a line that is no move")]
    NoMove,
    /// A move in a form that a referee may refuse.
    #[error("the bot sent a move {0}")]
    OwnForm(&'static str),

    /// A subject that never spoke.
    #[error("the {0} never said a byte")]
    NeverSpoke(&'static str),
    /// A subject that spoke in other games only.
    #[error("the {0} never said a byte here, and speaks in other scenarios")]
    SpeaksElsewhere(&'static str),
    /// More lines than a game needs.
    #[error("the {subject} sent {lines} lines of {bytes} bytes, more than any game needs")]
    Flood {
        /// `bot` or `referee`.
        subject: &'static str,
        /// Number of lines.
        lines: usize,
        /// Number of bytes.
        bytes: usize,
    },
    /// A game that took longer than a game may take.
    #[error("the game was not over after {0}")]
    OutOfTime(String),
    /// A connection that the network lost.
    #[error("the network lost the connection of {0} before the game was over")]
    NetworkLost(String),
    /// Forced rolls that the referee never took.
    #[error(
        "the roll hook does not work: the referee shows other rolls than those that are forced"
    )]
    RollsNotForced,
    /// Forced rolls that the referee took for some turns only.
    #[error("the roll hook does not work: it did not hold later in the game")]
    RollsNotHeld,
    /// Another transcript than the golden one.
    #[error("the game differs from its golden transcript")]
    NotGolden,
    /// A server that broke off in the game with this number.
    #[error("the server broke off in game {0}")]
    ServerBrokeOff(usize),
    /// A server that was gone before the game.
    #[error("the server was gone")]
    ServerGone,
    /// A server that did not begin the game.
    #[error("the server did not begin this game")]
    ServerIdle,

    /// A wrong line of a dialogue.
    #[error("{lane} {verb} another line than the one that was due")]
    DialogueOther {
        /// The lane.
        lane: String,
        /// `sent` or `received`.
        verb: &'static str,
    },
    /// A missing line of a dialogue.
    #[error("the line that was due on the lane of {0} did not come")]
    DialogueMissing(String),
    /// A lane of a dialogue that does not end as it has to.
    #[error("the stream of {lane} {action}")]
    DialogueEnd {
        /// The lane.
        lane: String,
        /// What its participant did instead.
        action: &'static str,
    },
    /// A lane of a dialogue that ended in a silence.
    #[error("the lane of {0} ended while nothing was to come")]
    DialogueEndedInSilence(String),
}

/// A reason why a deviation decides nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Excuse {
    /// urtext sent a line late.
    #[error("urtext may have been late itself")]
    Late,
    /// The machine had no time for the subject or for urtext.
    #[error("this machine was busy")]
    Busy,
}

/// The event that ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum LastEvent {
    /// A move that wins.
    #[error("the move that wins the game")]
    Won,
    /// A move that draws.
    #[error("the move that draws the game")]
    Drawn,
    /// A line that loses.
    #[error("a line that loses the game")]
    WrongLine,
    /// Any other end.
    #[error("the end of the game")]
    Other,
}

/// Which kind of finding it is, without its data.
pub type FindingSort = (Discriminant<FindingKind>, String);

impl FindingKind {
    /// The observation alone, where the kind itself infers its cause.
    #[must_use]
    pub fn without_inference(self) -> FindingKind {
        match self {
            FindingKind::OtherSeat => FindingKind::SentOffTurn,
            FindingKind::Misread { reason, .. } => FindingKind::IllegalMove(reason),
            FindingKind::LossTooLate { waited, .. } => FindingKind::LossTooLate {
                waited,
                restarted: None,
            },
            observed => observed,
        }
    }

    /// The wrong or missing line of a referee, in words that leave out the lane; `None` for other kinds. Findings with the same words show
    /// the same mistake, whatever requirement their scenarios test.
    #[must_use]
    pub fn of_a_line(&self) -> Option<String> {
        match self {
            FindingKind::ReceivedInMove { came, .. } => Some(format!("{came} in a move")),
            FindingKind::ReceivedOther { came, due, .. } => Some(format!("{came} for {due}")),
            FindingKind::Swapped { came, due, .. } => Some(format!("{came} before {due}")),
            FindingKind::NotReceived { due, .. } => Some(format!("not {due}")),
            _ => None,
        }
    }

    /// The kind without lanes, numbers and times: those of a failure that breaks no requirement differ from game to game, with the
    /// seed and the port. Of words, all but the digits counts.
    #[must_use]
    pub fn sort(&self) -> FindingSort {
        if let FindingKind::Under(kind, _) | FindingKind::Later(kind, _) = self {
            return kind.sort();
        }
        let words = match self {
            FindingKind::Words(words) => words.replace(|c: char| c.is_ascii_digit(), ""),
            _ => String::new(),
        };
        (discriminant(self), words)
    }
}

impl<T: Into<String>> From<T> for FindingKind {
    fn from(words: T) -> FindingKind {
        FindingKind::Words(words.into())
    }
}

fn new_time(restarted: Option<&(String, String)>) -> String {
    restarted.map_or_else(String::new, |(at, what)| {
        format!(", as if {what} after {at} had given new time")
    })
}

fn last_sent(after: Option<&(String, String)>) -> String {
    match after {
        Some((line, lane)) => format!("after {line} by {lane}"),
        None => "before anything was sent to it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_on_another_lane_or_at_another_time_is_another_one_of_the_same_sort() {
        let late = |lane: &str, late: &str| FindingKind::ReceivedLate {
            due: "a roll".to_owned(),
            lane: lane.to_owned(),
            late: late.to_owned(),
        };
        let one = late("PlayerA", "0.3 s");
        assert_eq!(one, late("PlayerA", "0.3 s"));
        for other in [late("PlayerB", "0.3 s"), late("PlayerA", "0.4 s")] {
            assert_ne!(one, other);
            assert_eq!(one.sort(), other.sort());
        }
        assert_ne!(one.sort(), FindingKind::NothingCame.sort());
    }

    #[test]
    fn words_alone_are_of_one_sort_where_only_their_digits_differ() {
        let refused = |port: u16| FindingKind::from(format!("port {port} refused"));
        assert_ne!(refused(1), refused(2));
        assert_eq!(refused(1).sort(), refused(2).sort());
        assert_ne!(refused(1).sort(), FindingKind::from("timed out").sort());
    }

    #[test]
    fn a_doubt_is_a_kind_of_its_own_and_kinds_have_words() {
        let silent = FindingKind::NoAnswer;
        let doubtful = FindingKind::Doubtful(Box::new(silent.clone()), Excuse::Busy);
        assert_ne!(silent, doubtful);
        let crashed = |after| FindingKind::Crashed {
            after,
            status: "exit status 1".to_owned(),
        };
        let after = Some(("`1`".to_owned(), "PlayerA".to_owned()));
        for (kind, words) in [
            (
                doubtful,
                "the bot did not answer, and this machine was busy",
            ),
            (
                crashed(after),
                "the referee crashed in mid-game, after `1` by PlayerA: exit status 1",
            ),
            (
                crashed(None),
                "the referee crashed in mid-game, before anything was sent to it: exit status 1",
            ),
        ] {
            assert_eq!(kind.to_string(), words);
        }
    }
}
