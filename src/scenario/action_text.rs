//! The words of a player's action in the line of a turn: `3 illegal`, `any except a`, `hang up`. The reader shares them with the
//! writer, which stands here.

use super::{AdaptiveAction, Choice, Leaving, PlayerAction};
use crate::diagnostic::visible::quoted;
use crate::protocol::{Dialect, PlayerLine};

pub(super) const AFTER: &str = "after";
pub(super) const ANY: &str = "any";
pub(super) const AS: &str = "as";
pub(super) const EXCEPT: &str = "except";
pub(super) const IGNORED: &str = "ignored";
pub(super) const ILLEGAL: &str = "illegal";
pub(super) const SILENT: &str = "silent";

/// The actions that are the same words in every position.
pub(super) fn plain_actions() -> [(&'static str, PlayerAction); 4] {
    let [hang_up, half_close, reset] =
        Leaving::ALL.map(|how| (how.words(), PlayerAction::Leave(how)));
    [(SILENT, PlayerAction::Silent), hang_up, half_close, reset]
}

impl PlayerAction {
    /// The action as the line of a turn has it, after the roll; empty for one that the line does not hold.
    pub(super) fn text(&self, dialect: &dyn Dialect) -> String {
        match self {
            PlayerAction::Skip | PlayerAction::Send(_) => String::new(),
            PlayerAction::Move(Choice::This(mv)) => dialect.game().format_move(*mv),
            PlayerAction::Move(Choice::Any { name, except }) => {
                let named = [(AS, name), (EXCEPT, except)].into_iter();
                let named = named.filter_map(|(word, name)| Some((word, name.as_ref()?)));
                named.fold(ANY.to_owned(), |text, (word, name)| {
                    format!("{text} {word} {name}")
                })
            }
            PlayerAction::Illegal(line) => match dialect.read_player_line(line) {
                PlayerLine::Move(mv) if dialect.write_move(mv) == *line => {
                    format!("{} {ILLEGAL}", dialect.game().format_move(mv))
                }
                _ => format!("{} {ILLEGAL}", quoted(line)),
            },
            PlayerAction::Ignored(line) => format!("{} {IGNORED}", quoted(line)),
            PlayerAction::Silent => SILENT.to_owned(),
            PlayerAction::Leave(how) => how.words().to_owned(),
        }
    }
}

impl AdaptiveAction {
    /// The action as the line of a turn has it.
    pub(super) fn text(&self, dialect: &dyn Dialect) -> String {
        match self {
            AdaptiveAction::Legal(None) => ANY.to_owned(),
            AdaptiveAction::Legal(Some(kind)) => format!("{ANY} {kind}"),
            AdaptiveAction::LegalAfter(line) => format!("{ANY} {AFTER} {}", quoted(line)),
            AdaptiveAction::Refused(None) => ILLEGAL.to_owned(),
            AdaptiveAction::Refused(Some(code)) => format!("{ILLEGAL} {code}"),
            AdaptiveAction::Plain(action) => action.text(dialect),
        }
    }
}
