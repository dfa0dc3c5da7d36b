//! Unusual framing of the games' bytes.

use std::fmt::Write;

use crate::event::Frames;

/// A heading, and a line for each oddity of some games; nothing where there is none.
#[must_use]
pub fn draw<'f>(games: impl IntoIterator<Item = &'f Frames>) -> String {
    let oddities = Frames::oddities(games);
    let mut text = String::new();
    if !oddities.is_empty() {
        text.push_str("Beside the lines of the game:\n");
    }
    for oddity in oddities {
        writeln!(text, "  {oddity}").expect("a string takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_nothing_where_nothing_is_out_of_the_ordinary() {
        let odd = Frames {
            most_empty: 2000,
            empty: 2000,
            ..Frames::default()
        };
        assert_eq!(draw(&[Frames::default()]), "");
        assert_eq!(
            draw([&odd]),
            "Beside the lines of the game:\n  2000 empty frames on one lane\n"
        );
    }
}
