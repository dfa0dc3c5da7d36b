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

fn folded(word: &str) -> String {
    word.to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::suggest;

    const KEYS: [&str; 6] = ["scenario", "game", "golden", "turns", "spectators", "play legally until"];

    #[test]
    fn finds_a_word_with_a_slip() {
        assert_eq!(suggest("gmae", KEYS), Some("game"));
        assert_eq!(suggest("turn", KEYS), Some("turns"));
        assert_eq!(suggest("spectater", KEYS), Some("spectators"));
    }

    #[test]
    fn passes_over_capitals_and_the_kind_of_separator() {
        assert_eq!(suggest("Golden", KEYS), Some("golden"));
        assert_eq!(suggest("play_legally-until", KEYS), Some("play legally until"));
    }

    #[test]
    fn keeps_silent_where_nothing_is_near() {
        assert_eq!(suggest("timeout", KEYS), None);
        assert_eq!(suggest("x", ["a", "b"]), None);
        assert_eq!(suggest("", KEYS), None);
        assert_eq!(suggest(&"g".repeat(1_000_000), KEYS), None);
    }

    #[test]
    fn takes_the_nearest_and_of_equals_the_first() {
        assert_eq!(suggest("seat", ["send", "seats", "sea"]), Some("seats"));
        assert_eq!(suggest("send", ["sent", "send"]), Some("send"));
    }
}
