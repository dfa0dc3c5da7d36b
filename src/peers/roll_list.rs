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
                        .at(
                            source,
                            span,
                            format!("expected {}", game.data().roll_syntax),
                        )
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
    use crate::case_files::assert_lines;
    use crate::games::royalur::RoyalUr;

    #[test]
    fn reads_rolls_written_together_and_apart_and_points_at_every_word_that_is_none() {
        assert_lines("roll-lists", |text| {
            let text = text.replace('\r', "\r\n");
            match parse_rolls(&RoyalUr, &Source::new("--rolls", text.as_str())) {
                Ok(rolls) => format!("{rolls:?}"),
                Err(problems) => {
                    let words = problems
                        .sorted()
                        .into_iter()
                        .map(|problem| &text[problem.span().unwrap().range()]);
                    format!("no rolls: {:?}", words.collect::<Vec<_>>())
                }
            }
        });
    }
}
