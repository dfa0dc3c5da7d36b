//! A turn: its player, its roll, what happens meanwhile, and what the player does.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use super::{Leaving, SendPart};
use crate::diagnostic::{Diagnostic, Mark, Source, Span};
use crate::protocol::{Dialect, Framer, PlayerLine};
use crate::rules::{Move, Roll, Seat};

/// One turn. `S` is the player: of a turn that is made up for the position, `None` is whoever is on turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Turn<S = Seat> {
    /// The player of the turn.
    pub seat: S,
    /// The forced roll, in a game with rolls.
    pub roll: Option<Roll>,
    /// Events between the roll and the player's deed, in order.
    pub meanwhile: Vec<Act>,
    /// The player's deed.
    pub deed: Deed,
    /// The place of each part.
    pub at: TurnPlace,
}

/// The place of a turn in a file, part by part. Turns are equal wherever they are written.
#[derive(Debug, Clone)]
pub struct TurnPlace {
    /// The file.
    pub source: Source,
    /// From the player to the end of the deed, on one line.
    pub whole: Span,
    /// The player.
    pub seat: Span,
    /// The roll, or the whole turn.
    pub roll: Span,
    /// The deed, or the whole turn where it has none.
    pub deed: Span,
}

/// A deed of a participant outside its own turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// Span of the act, in the file of its turn.
    pub span: Span,
    /// Participant of the act.
    pub who: Participant,
    /// Sends pieces, goes away, or joins.
    pub deed: Deed,
}

/// A participant of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Participant {
    /// The player of that seat.
    Player(Seat),
    /// The player who is not on turn, in the turn of whoever is.
    Other,
    /// A spectator, numbered from 1.
    Spectator(u32),
}

impl Act {
    /// A line that a participant sends, without a place in a text. `line` is without its newline.
    #[must_use]
    pub fn says(who: Participant, line: &[u8]) -> Act {
        Act {
            span: Span::at(0),
            who,
            deed: Deed::Send(vec![SendPart::line(line)]),
        }
    }
}

impl<S> Turn<S> {
    /// A turn in which nothing happens but the player's deed.
    #[must_use]
    pub fn new(seat: S, roll: Option<Roll>, deed: Deed) -> Turn<S> {
        Turn {
            seat,
            roll,
            meanwhile: Vec::new(),
            deed,
            at: TurnPlace::default(),
        }
    }

    /// The turn in this place.
    #[must_use]
    pub fn at(self, at: TurnPlace) -> Turn<S> {
        Turn { at, ..self }
    }

    /// The turn as one of this player.
    #[must_use]
    pub fn of<T>(self, seat: T) -> Turn<T> {
        let Turn { meanwhile, at, .. } = self;
        Turn {
            meanwhile,
            at,
            ..Turn::new(seat, self.roll, self.deed)
        }
    }
}

impl Turn<Option<Seat>> {
    /// The turn where this player is on turn.
    #[must_use]
    pub fn taken_by(self, seat: Seat) -> Turn {
        let mut turn = self.of(seat);
        for act in &mut turn.meanwhile {
            if act.who == Participant::Other {
                act.who = Participant::Player(seat.other());
            }
        }
        turn
    }
}

impl TurnPlace {
    /// One span for all parts.
    #[must_use]
    pub fn new(source: &Source, span: Span) -> TurnPlace {
        TurnPlace {
            source: source.clone(),
            whole: span,
            seat: span,
            roll: span,
            deed: span,
        }
    }

    /// A problem of the deed.
    pub(super) fn problem(
        &self,
        code: &'static str,
        title: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, title).at(&self.source, self.deed, label)
    }

    /// The whole turn, to explain another place.
    pub(super) fn says(&self, words: impl Into<String>) -> Mark {
        Mark::new(&self.source, self.whole, words)
    }
}

impl Default for TurnPlace {
    /// No file.
    fn default() -> TurnPlace {
        TurnPlace::new(&Source::default(), Span::at(0))
    }
}

impl PartialEq for TurnPlace {
    fn eq(&self, _: &TurnPlace) -> bool {
        true
    }
}

impl Eq for TurnPlace {}

impl Hash for TurnPlace {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What a participant does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Nothing: no move is possible.
    Skip,
    /// A legal move.
    Move(Choice),
    /// A move that the rules refuse, for the reason with this code where one is named. The position decides which.
    Refused(Option<&'static str>),
    /// A line that loses the game: an illegal move, or no move at all. Without its newline.
    Illegal(Vec<u8>),
    /// A line that is ignored, so that the player is still on turn. Without its newline.
    Ignored(Vec<u8>),
    /// Nothing until the timeout.
    Silent,
    /// These pieces, as they are; what they do follows from the lines that they make.
    Send(Vec<SendPart>),
    /// The line of this deed, sent by these pieces in the place of `{move}`.
    SendMove(Box<Deed>, Vec<SendPart>),
    /// Goes away.
    Leave(Leaving),
    /// Joins only now: a late spectator.
    Join,
    /// Reads at most so many bytes a second from now on; `None`: everything again.
    Read(Option<u64>),
}

/// The lines that a player sends, as the protocol reads them.
pub(super) struct SentLines {
    /// The requirements by which the lines before the first are ignored.
    pub(super) ignored: Vec<&'static str>,
    /// The first line that is not ignored.
    pub(super) first: Option<PlayerLine>,
    /// Number of lines after it.
    pub(super) more: usize,
    /// The bytes after the last newline: a line that has not ended.
    pub(super) half: PlayerLine,
}

/// Choice of a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// This one.
    This(Move),
    /// Any, but not the one that was called `except` before; it can be called `name` from now on.
    Any {
        /// The kind of the move.
        kind: Option<&'static str>,
        /// Name of the choice.
        name: Option<String>,
        /// The earlier choice that is excluded.
        except: Option<String>,
    },
}

impl Deed {
    /// Any legal move.
    pub const ANY: Deed = Deed::Move(Choice::ANY);

    /// This legal move.
    #[must_use]
    pub fn this(mv: Move) -> Deed {
        Deed::Move(Choice::This(mv))
    }

    /// The move, where it is one and known.
    #[must_use]
    pub fn mv(&self) -> Option<Move> {
        match self {
            Deed::Move(Choice::This(mv)) => Some(*mv),
            _ => None,
        }
    }

    /// The deed whose line is sent: another one only where that is sent by pieces.
    #[must_use]
    pub fn of_line(&self) -> &Deed {
        match self {
            Deed::SendMove(deed, _) => deed,
            deed => deed,
        }
    }

    /// The choice of a legal move that is sent as a line or by pieces.
    #[must_use]
    pub fn choice(&self) -> Option<&Choice> {
        match self.of_line() {
            Deed::Move(choice) => Some(choice),
            _ => None,
        }
    }

    /// Returns true if it is one line that is sent whole.
    #[must_use]
    pub fn is_line(&self) -> bool {
        matches!(
            self,
            Deed::Move(_) | Deed::Refused(_) | Deed::Illegal(_) | Deed::Ignored(_)
        )
    }

    /// Returns true if it leaves a move open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(
            self.of_line(),
            Deed::Refused(_) | Deed::Move(Choice::Any { .. })
        )
    }

    /// Returns true if it leaves a move open that a position can lack, although the player can move there.
    #[must_use]
    pub fn needs_a_position(&self) -> bool {
        self.is_open() && !matches!(self.choice(), Some(Choice::Any { kind: None, .. }))
    }

    /// The deed with this move, where it leaves one open.
    #[must_use]
    pub fn with(&self, mv: Move, dialect: &dyn Dialect) -> Deed {
        match self {
            Deed::Move(Choice::Any { .. }) => Deed::this(mv),
            Deed::Refused(_) => Deed::Illegal(dialect.write_move(mv)),
            Deed::SendMove(deed, parts) => {
                Deed::SendMove(Box::new(deed.with(mv, dialect)), parts.clone())
            }
            deed => deed.clone(),
        }
    }

    /// What is sent by it: the pieces, with the departure if the player goes away. A move that it leaves open has no line.
    #[must_use]
    pub fn sent(&self, dialect: &dyn Dialect) -> Vec<SendPart> {
        let line = match self.of_line() {
            Deed::Move(Choice::This(mv)) => Some(dialect.write_move(*mv)),
            Deed::Illegal(line) | Deed::Ignored(line) => Some(line.clone()),
            _ => None,
        };
        match (self, line) {
            (Deed::SendMove(_, parts), Some(line)) => SendPart::with_move(parts, &line),
            (Deed::Leave(how), _) => vec![SendPart::Leave(*how)],
            (_, Some(line)) => vec![SendPart::line(&line)],
            (deed, None) => deed.parts().to_vec(),
        }
    }

    /// The lines that it sends, as the protocol reads them, with some move where it leaves one open.
    pub(super) fn lines(&self, dialect: &dyn Dialect) -> SentLines {
        let (lines, half) = SendPart::lines(&self.sent_with_some_move(dialect));
        let mut lines = lines.iter().map(|line| dialect.read_player_line(line));
        let mut ignored = Vec::new();
        let first = lines.by_ref().find(|line| match line {
            PlayerLine::Ignored(id) => {
                ignored.push(*id);
                false
            }
            _ => true,
        });
        SentLines {
            ignored,
            first,
            more: lines.count(),
            half: dialect.read_player_line(&half),
        }
    }

    /// What is sent by it with some move, where it leaves one open.
    #[must_use]
    pub fn sent_with_some_move(&self, dialect: &dyn Dialect) -> Vec<SendPart> {
        let moves = dialect.game().every_move();
        match moves.first().filter(|_| self.is_open()) {
            Some(mv) => self.with(*mv, dialect).sent(dialect),
            None => self.sent(dialect),
        }
    }

    /// The pieces that are sent.
    #[must_use]
    pub fn parts(&self) -> &[SendPart] {
        match self {
            Deed::Send(parts) | Deed::SendMove(_, parts) => parts,
            _ => &[],
        }
    }

    /// Returns true if time passes in it, or in one of these acts before it.
    #[must_use]
    pub(super) fn pauses(&self, acts: &[Act]) -> bool {
        let deeds = acts.iter().map(|act| &act.deed).chain([self]);
        let mut parts = deeds.flat_map(Deed::parts);
        parts.any(SendPart::is_pause)
    }

    /// Returns the kind of disconnect, if the participant goes away.
    #[must_use]
    pub fn leaving(&self) -> Option<Leaving> {
        match self {
            Deed::Leave(how) => Some(*how),
            _ => SendPart::leaving(self.parts()),
        }
    }

    /// Returns true for one line that is sent in pieces, with a pause before its newline.
    #[must_use]
    pub fn comes_in_pieces(&self) -> bool {
        let parts = self.parts();
        let (lines, rest) = SendPart::lines(parts);
        let begins = parts.first().is_some_and(SendPart::is_text);
        begins && lines.len() == 1 && rest.is_empty() && !self.delay().is_zero()
    }

    /// Returns the time from the roll to the end of the player's first line, by the pauses in the line.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let mut framer = Framer::default();
        let (mut delay, mut is_whole) = (Duration::ZERO, false);
        for part in self.parts() {
            match part {
                SendPart::Pause(time) if !is_whole => delay += *time,
                part => {
                    for text in part.texts() {
                        framer.push(text, |_| is_whole = true);
                    }
                }
            }
        }
        delay
    }
}

impl Choice {
    /// Any.
    pub const ANY: Choice = Choice::Any {
        kind: None,
        name: None,
        except: None,
    };

    /// Any of this kind.
    #[must_use]
    pub fn of_kind(kind: &'static str) -> Choice {
        Choice::Any {
            kind: Some(kind),
            name: None,
            except: None,
        }
    }
}
