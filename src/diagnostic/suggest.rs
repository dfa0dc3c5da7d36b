//! "Did you mean": the known word nearest to one that is not known.

/// Words longer than this are not compared: a hostile file could make the comparing itself slow.
const LONGEST: usize = 64;

/// The candidate that `word` was most likely meant to be, or nothing where none is near.
///
/// Near means: at most one slip (a letter wrong, missing, too many, or two swapped) for every three
/// letters of the longer word, and at least one; capitals and the choice among `-`, `_` and a space do not
/// count. If only a piece of the candidate is missing, that is one slip for the order. Of equally near ones the first is taken.
#[must_use]
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word)?;
    let near = candidates.into_iter().filter_map(|candidate| {
        let candidate_word = folded(candidate)?;
        let slips = slips(&word, &candidate_word)?;
        let order = match lacks_a_piece(&word, &candidate_word) {
            true => slips.min(1),
            false => slips,
        };
        Some((order, slips, candidate))
    });
    let best = near.min_by_key(|(order, slips, _)| (*order, *slips));
    best.map(|(.., candidate)| candidate)
}

/// Returns the question whether the candidate of [`suggest`] was meant.
#[must_use]
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    suggest(word, candidates).map(|meant| format!("did you mean `{meant}`?"))
}

/// Returns true if the word is the other one without a piece of it.
fn lacks_a_piece(word: &str, other: &str) -> bool {
    let same = |(one, other): &(char, char)| one == other;
    let begin = word.chars().zip(other.chars()).take_while(same).count();
    let ends = word.chars().rev().zip(other.chars().rev());
    begin + ends.take_while(same).count() >= word.chars().count()
}

/// The number of slips between two folded words that are near each other.
fn slips(word: &str, other: &str) -> Option<usize> {
    let length = word.chars().count().max(other.chars().count());
    let slips = strsim::osa_distance(word, other);
    (slips == 0 || slips < length && slips <= (length / 3).max(1)).then_some(slips)
}

/// The word without what does not count; nothing for a word that is too long to be compared.
fn folded(word: &str) -> Option<String> {
    let is_short = word.len() <= LONGEST;
    is_short.then(|| word.to_lowercase().replace(['_', ' '], "-"))
}

#[cfg(test)]
mod tests {
    use super::suggest;
    use crate::case_files::assert_lines;

    #[test]
    fn finds_a_word_with_a_slip_and_keeps_silent_where_nothing_is_near() {
        let keys = "scenario, game, golden, turns, spectators, play legally until";
        assert_lines("suggestions", |row| {
            let (word, words) = row.split_once(" of ").unwrap_or((row, keys));
            format!("{:?}", suggest(word, words.split(", ")))
        });
        assert_eq!(suggest(&"g".repeat(1_000_000), ["golden"]), None);
    }
}
