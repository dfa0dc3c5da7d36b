//! Differences inside a line.

use crate::diagnostic::visible;

/// The most of a line that is shown, in characters; of a longer one the part around the first difference.
const SHOWN: usize = 160;

/// A line in pieces, each with whether the other line lacks it. Everything hostile is escaped.
pub type Pieces = Vec<(bool, String)>;

/// Marks the differences between an expected line and the received line; returns the pieces of both.
///
/// Lines with the same number of words are compared word by word, others as a whole: what is between the common beginning and the common
/// end differs.
#[must_use]
pub fn inline(expected: &[u8], received: &[u8]) -> [Pieces; 2] {
    let mut lines = [expected, received].map(units);
    if lines.iter().any(|line| line.len() > SHOWN) {
        // Some of what is before the first difference, for orientation.
        let start = common(lines[0].iter().zip(&lines[1])).saturating_sub(SHOWN / 4);
        for line in &mut lines {
            window(line, start);
        }
    }
    let words = lines
        .each_ref()
        .map(|line| Vec::from_iter(line.split_inclusive(|unit| unit == " ")));
    let [expected, received] = if words[0].len() == words[1].len() {
        words
    } else {
        lines.each_ref().map(|line| vec![line.as_slice()])
    };
    let mut pieces = [Pieces::new(), Pieces::new()];
    for both in expected.into_iter().zip(received).map(<[_; 2]>::from) {
        let start = common(both[0].iter().zip(both[1]));
        let [old, new] = both.map(|word| word[start..].iter().rev());
        let same = common(old.zip(new));
        for (pieces, word) in pieces.iter_mut().zip(both) {
            let end = word.len() - same;
            pieces.push((false, word[..start].concat()));
            pieces.push((true, word[start..end].concat()));
            pieces.push((false, word[end..].concat()));
        }
    }
    pieces
}

/// Returns how many pairs are equal before the first that is not.
fn common<'u>(pairs: impl Iterator<Item = (&'u String, &'u String)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// The line as it is shown, character by character of the line, so that no escape is cut.
fn units(text: &[u8]) -> Vec<String> {
    let mut units = Vec::new();
    for chunk in text.utf8_chunks() {
        let characters = chunk.valid().chars();
        units.extend(
            characters
                .map(|character| visible::plain(character.encode_utf8(&mut [0; 4])).to_string()),
        );
        units.extend(
            chunk
                .invalid()
                .iter()
                .map(|byte| visible::plain(&[*byte]).to_string()),
        );
    }
    units
}

fn window(units: &mut Vec<String>, start: usize) {
    if units.len() > start + SHOWN {
        units.truncate(start + SHOWN);
        units.push("…".to_owned());
    }
    if start > 0 {
        let start = start.min(units.len());
        units.splice(..start, ["…".to_owned()]);
    }
}
