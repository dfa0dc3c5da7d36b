//! What a participant of a game does: the one type for turns, for what happens meanwhile, and for turns that are made up for a position.

use std::time::Duration;

use super::{Leaving, SendPart};
use crate::diagnostic::visible::quoted;
use crate::protocol::{Dialect, Framer, PlayerLine};
use crate::rules::Move;

pub(super) const ANY: &str = "any";
pub(super) const AS: &str = "as";
pub(super) const EXCEPT: &str = "except";
pub(super) const IGNORED: &str = "ignored";
pub(super) const ILLEGAL: &str = "illegal";
pub(super) const SILENT: &str = "silent";

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
    /// A legal move that is sent by these pieces, with its line in the place of `{move}`.
    SendMove(Choice, Vec<SendPart>),
    /// Goes away.
    Leave(Leaving),
    /// Joins only now: a late spectator.
    Join,
}

/// Choice of a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// This one.
    This(Move),
    /// Any, but not the one that was called `except` before; it can be called `name` from now on.
    Any {
        /// Name of the choice.
        name: Option<String>,
        /// The earlier choice that is excluded.
        except: Option<String>,
    },
    /// Any of this kind.
    OfKind(&'static str),
}

/// A deed that is the same words in every position, and who can do it.
pub(super) struct Form {
    pub(super) words: &'static str,
    pub(super) deed: Deed,
    pub(super) by: &'static [Doer],
}

/// Who does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doer {
    OnTurn,
    OffTurn,
    Spectator,
}

/// The deeds that are words alone.
static FORMS: [Form; 6] = {
    use Doer::{OffTurn, OnTurn, Spectator};
    const fn form(words: &'static str, deed: Deed, by: &'static [Doer]) -> Form {
        Form { words, deed, by }
    }
    const fn leave(how: Leaving, by: &'static [Doer]) -> Form {
        form(how.words(), Deed::Leave(how), by)
    }
    [
        form(SILENT, Deed::Silent, &[OnTurn]),
        leave(Leaving::HangUp, &[OnTurn, OffTurn]),
        leave(Leaving::HalfClose, &[OnTurn, OffTurn]),
        form("join", Deed::Join, &[Spectator]),
        form("leave", Deed::Leave(Leaving::HangUp), &[Spectator]),
        leave(Leaving::Reset, &[OnTurn, OffTurn, Spectator]),
    ]
};

impl Doer {
    /// The deeds that it can do by words alone.
    pub(super) fn forms(self) -> impl Iterator<Item = &'static Form> + Clone {
        FORMS.iter().filter(move |form| form.by.contains(&self))
    }

    /// The words of a deed; empty for one that is more than words.
    pub(super) fn words(self, deed: &Deed) -> &'static str {
        let mut forms = self.forms();
        let form = forms.find(|form| form.deed == *deed);
        form.map_or("", |form| form.words)
    }
}

impl Deed {
    /// Any legal move.
    pub const ANY: Deed = Deed::Move(Choice::Any {
        name: None,
        except: None,
    });

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

    /// The pieces that are sent.
    #[must_use]
    pub fn parts(&self) -> &[SendPart] {
        match self {
            Deed::Send(parts) | Deed::SendMove(_, parts) => parts,
            _ => &[],
        }
    }

    /// Returns the kind of disconnect, if the participant goes away.
    #[must_use]
    pub fn leaving(&self) -> Option<Leaving> {
        match self {
            Deed::Leave(how) => Some(*how),
            _ => SendPart::leaving(self.parts()),
        }
    }

    /// Returns true if a player who is on turn loses by it, whatever the position is.
    #[must_use]
    pub fn loses(&self) -> bool {
        match self {
            Deed::Refused(_) | Deed::Illegal(_) | Deed::Silent | Deed::Leave(_) => true,
            Deed::Skip
            | Deed::Move(_)
            | Deed::Ignored(_)
            | Deed::Send(_)
            | Deed::SendMove(..)
            | Deed::Join => false,
        }
    }

    /// Returns true for one line that is sent in pieces, with a pause before its newline.
    #[must_use]
    pub fn comes_in_pieces(&self) -> bool {
        let parts = self.parts();
        let (lines, rest) = SendPart::lines(parts);
        let begins = matches!(parts.first(), Some(SendPart::Bytes(_)));
        begins && lines.len() == 1 && rest.is_empty() && !self.delay().is_zero()
    }

    /// Returns the time from the roll to the end of the player's first line, by the pauses in the line.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let mut framer = Framer::default();
        let (mut delay, mut is_whole) = (Duration::ZERO, false);
        for part in self.parts() {
            match part {
                SendPart::Bytes(bytes) => framer.push(bytes, |_| is_whole = true),
                SendPart::Pause(time) if !is_whole => delay += *time,
                SendPart::Pause(_) | SendPart::Leave(_) => {}
            }
        }
        delay
    }

    /// The deed as the line of a turn has it, after the roll; empty for one that the line does not hold.
    pub(super) fn text(&self, dialect: &dyn Dialect) -> String {
        match self {
            Deed::Skip | Deed::Send(_) => String::new(),
            Deed::Move(choice) | Deed::SendMove(choice, _) => choice.text(dialect),
            Deed::Refused(None) => ILLEGAL.to_owned(),
            Deed::Refused(Some(code)) => format!("{ILLEGAL} {code}"),
            Deed::Illegal(line) => match dialect.read_player_line(line) {
                PlayerLine::Move(mv) if dialect.write_move(mv) == *line => {
                    format!("{} {ILLEGAL}", dialect.game().format_move(mv))
                }
                _ => format!("{} {ILLEGAL}", quoted(line)),
            },
            Deed::Ignored(line) => format!("{} {IGNORED}", quoted(line)),
            Deed::Silent | Deed::Leave(_) | Deed::Join => Doer::OnTurn.words(self).to_owned(),
        }
    }
}

impl Choice {
    fn text(&self, dialect: &dyn Dialect) -> String {
        match self {
            Choice::This(mv) => dialect.game().format_move(*mv),
            Choice::OfKind(kind) => format!("{ANY} {kind}"),
            Choice::Any { name, except } => {
                let named = [(AS, name), (EXCEPT, except)].into_iter();
                let named = named.filter_map(|(word, name)| Some((word, name.as_ref()?)));
                named.fold(ANY.to_owned(), |text, (word, name)| {
                    format!("{text} {word} {name}")
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FORMS;

    #[test]
    fn the_page_of_scenarios_shows_every_form() {
        let page = include_str!("../../docs/scenarios.md");
        for form in &FORMS {
            let shown = format!("{}`", form.words);
            assert!(page.contains(&shown), "{shown}");
        }
    }
}
