//! Files with a game of Ur that are no transcripts.

use super::hcur;
use crate::diagnostic::Setting;
use crate::pack::Format;
use crate::pack::formats::is_numbered_game;

/// Names the format of a file with these first bytes, if it is one of Ur.
pub(super) fn recognise(text: &[u8]) -> Option<Format> {
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    let format = |name, help| Some(Format { name, help });
    match text {
        // RGN puts a token on the board with `@`.
        _ if is_numbered_game(text) && holds("@") => format(
            "a game in RGN, the notation of RoyalUr.net, which urtext does not read",
            None,
        ),
        _ if hcur::is_records(text) => format(
            "a list of move records of hc-ur",
            Some(format!(
                "give it by itself; on standard input with `{} hc-ur`",
                Setting::Dialect
            )),
        ),
        [b'{', ..] if holds("notation_version") => format(
            "a game in the JSON of RoyalUr.net, which urtext does not read",
            None,
        ),
        [b'{', ..] if holds("player_1") && holds("tokens_home") => format(
            "a game state of hc-ur, which tells no moves",
            Some(format!(
                "`urtext verify RECORDS {} FILE` compares a state with the records that lead to it",
                Setting::State
            )),
        ),
        _ => None,
    }
}
