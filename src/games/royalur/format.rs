//! Files with a game of Ur that are no transcripts.

use super::{hcur, royalur_net};
use crate::pack::{Format, Notation};

/// Names the format of a file with these first bytes, if it is one of Ur.
pub(super) fn recognise(text: &[u8]) -> Option<Format> {
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    let format = |name, help| Some(Format { name, help });
    let by_name = |title, name| {
        format(
            title,
            Some(format!(
                "give it by itself; on standard input with `--dialect {name}`"
            )),
        )
    };
    match text {
        _ if royalur_net::RoyalUrJson.is_records(text) => {
            by_name("a game in RoyalUr's JSON notation", "royalur-json")
        }
        _ if hcur::is_records(text) => by_name("a list of move records of hc-ur", "hc-ur"),
        [b'{', ..] if holds("player_1") && holds("tokens_home") => format(
            "a game state of hc-ur, which tells no moves",
            Some("`urtext verify RECORDS --state FILE` compares a state with the records that lead to it".to_owned()),
        ),
        _ => None,
    }
}
