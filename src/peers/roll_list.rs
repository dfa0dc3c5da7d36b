//! Parser of forced rolls, from options, variables and files.

use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};
use crate::rules::{Game, Roll};

/// Reads a list of forced rolls, such as `0011 1111` or `0 0 1 1, 1 1 1 1`.
///
/// Rolls are separated by blanks, commas or line breaks. The digits of a roll are written together, or apart by blanks, and then
/// commas or line breaks have to stand between the rolls. An empty list has no rolls.
///
/// # Errors
/// Each word that is no roll (`rolls/not-a-roll`), or that the list is no text (`file/not-utf8`).
pub fn parse_rolls(game: &dyn Game, source: &Source) -> Result<Vec<Roll>, Diagnostics> {
    let mut faults = Diagnostics::new();
    let text = source.utf8().unwrap_or_else(|fault| {
        faults.push(fault);
        ""
    });
    let mut rolls = Vec::new();
    for part in pieces(text, Span::new(0, text.len()), &[',', '\n']) {
        let words = pieces(text, part, &[' ', '\t', '\r']);
        let (Some(&first), Some(&last)) = (words.first(), words.last()) else {
            continue;
        };
        let (whole, roll) = (first.to(last), |span: Span| {
            game.parse_roll(&text[span.range()])
        });
        let is_spread = words
            .iter()
            .all(|&word| word.len() == 1 && roll(word).is_none());
        for span in if is_spread || roll(whole).is_some() {
            vec![whole]
        } else {
            words
        } {
            match roll(span) {
                Some(roll) => rolls.push(roll),
                None => faults.push(
                    Diagnostic::error("rolls/not-a-roll", "this is no roll")
                        .at(source, span, format!("expected {}", game.roll_syntax()))
                        .help("write the rolls one after the other, with blanks between them"),
                ),
            }
        }
    }
    if faults.is_empty() {
        Ok(rolls)
    } else {
        Err(faults)
    }
}

/// Returns the spans between the separators in a part of the text, without empty ones.
fn pieces(text: &str, part: Span, separators: &[char]) -> Vec<Span> {
    let mut start = part.start;
    let mut spans = Vec::new();
    for piece in text[part.range()].split(separators) {
        if !piece.is_empty() {
            spans.push(Span::new(start, start + piece.len()));
        }
        // Every separator is one byte long.
        start += piece.len() + 1;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::RoyalUr;

    fn rolls(text: &str) -> Vec<u16> {
        let parsed = parse_rolls(&RoyalUr, &Source::new("--rolls", text));
        parsed.unwrap().into_iter().map(|roll| roll.0).collect()
    }

    #[test]
    fn reads_rolls_written_together_and_apart() {
        let expected = [0b0011, 0b1111, 0];
        for text in [
            "0011 1111 0000",
            "0011,1111,0000",
            "  0011\t1111\n0000\n",
            "0 0 1 1, 1 1 1 1, 0 0 0 0",
            "0 0 1 1\r\n1 1 1 1\r\n0 0 0 0\r\n",
            "0011 1111,\n0 0 0 0",
        ] {
            assert_eq!(rolls(text), expected, "{text:?}");
        }
        assert!(rolls(" ,\n").is_empty());
    }

    #[test]
    fn points_at_every_word_that_is_no_roll() {
        let text = "0011 0112 1111 011,0 0 1,banana";
        let faults = parse_rolls(&RoyalUr, &Source::new("--rolls", text)).unwrap_err();
        let words: Vec<_> = faults
            .sorted()
            .iter()
            .map(|fault| &text[fault.span().unwrap().range()])
            .collect();
        assert_eq!(words, ["0112", "011", "0 0 1", "banana"]);
    }
}
