//! "Did you mean": the known word nearest to one that is not known.

/// Words longer than this are not compared: a hostile file could make the comparing itself slow.
const LONGEST: usize = 64;

/// The candidate that `word` was most likely meant to be, or nothing where none is near.
///
/// Near means: at most one slip (a letter wrong, missing, too many, or two swapped) for every three
/// letters of the longer word, and at least one; capitals and the choice among `-`, `_` and a space do not
/// count. Of equally near ones the first is taken.
#[must_use]
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = folded(word);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > LONGEST {
            continue;
        }
        let folded = folded(candidate);
        let length = word.chars().count().max(folded.chars().count());
        let distance = strsim::osa_distance(&word, &folded);
        let near = distance == 0 || (distance < length && distance <= (length / 3).max(1));
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the question whether the candidate of [`suggest`] was meant.
#[must_use]
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    suggest(word, candidates).map(|meant| format!("did you mean `{meant}`?"))
}

/// The candidates that name something near `word` among ids made of parts such as `area/topic/detail`: those that contain it, or
/// whose last parts come near it, else those that share its first parts. At most `most`, the nearest first.
#[must_use]
pub fn nearby<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return Vec::new();
    }
    let word = folded(word);
    let word = word.trim_matches('/');
    let parts = word.split('/').count();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
    {
        let folded = folded(candidate);
        let all: Vec<&str> = folded.split('/').collect();
        let tail = all[all.len().saturating_sub(parts)..].join("/");
        let length = word.chars().count().max(tail.chars().count());
        let distance = strsim::osa_distance(word, &tail);
        let shared = word
            .split('/')
            .zip(&all)
            .take_while(|(one, other)| one == *other)
            .count();
        if distance < length && distance <= (length / 3).max(1) {
            found.push((distance, candidate));
        } else if folded.contains(word) {
            found.push((LONGEST, candidate));
        } else if parts > 1 && shared > 0 && shared + 1 >= parts {
            found.push((2 * LONGEST, candidate));
        }
    }
    found.sort_by_key(|(distance, _)| *distance);
    found
        .into_iter()
        .take(most)
        .map(|(_, candidate)| candidate)
        .collect()
}

fn folded(word: &str) -> String {
    word.to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::{nearby, suggest};
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

    #[test]
    fn lists_the_ids_near_a_word() {
        let ids = [
            "ur/extra-turn/cell-4",
            "ur/extra-turn/cell-14",
            "ur/roll/line",
            "ur/roll/four-coins",
            "ur/win/all-out",
        ];
        assert_lines("nearby-ids", |row| {
            let (most, word) = row.split_once(' ').unwrap();
            format!("{:?}", nearby(word, ids, most.parse().unwrap()))
        });
    }
}
