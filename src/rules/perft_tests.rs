//! Position counts, to verify the rules against known numbers.

use std::collections::HashMap;

use super::{Rules, Setup};

/// Counts, for each number of turns up to `depth`, skipped ones included, the sequences of turns (each kind of roll counted once, a skip
/// as one branch, a won position without continuation) and the distinct positions at their ends.
///
/// Cost grows with the number of distinct positions, not of paths.
fn perft<R: Rules>(rules: &R, setup: Setup, depth: u32) -> Vec<(u128, usize)> {
    let mut level: HashMap<R::Position, u128> = HashMap::from([(rules.start(setup), 1)]);
    let mut rows = Vec::new();
    for depth_now in 0..=depth {
        rows.push((level.values().sum(), level.len()));
        if depth_now == depth {
            break;
        }
        let mut next = HashMap::new();
        let none = [super::Roll(0)];
        let rolls = if R::has_rolls() { R::ROLLS } else { &none };
        for (position, paths) in &level {
            if rules.result(position).is_some() {
                continue;
            }
            for &roll in rolls {
                let moves = rules.legal_moves(position, roll);
                // Without rolls no turn is skipped: who cannot move stays on turn, and that ends the sequence.
                if moves.is_empty() && R::has_rolls() {
                    *next.entry(rules.skipped(position, roll)).or_insert(0) += paths;
                }
                for mv in moves {
                    let after = rules
                        .moved(position, roll, mv)
                        .expect("a legal move is not refused");
                    *next.entry(after).or_insert(0) += paths;
                }
            }
        }
        level = next;
    }
    rows
}

/// Holds the counts of a table against those of an independent program in another language: rows of `depth paths positions`, after the
/// words of a setup where the game has one.
pub(crate) fn assert_counts<R: Rules>(rules: &R, table: &str, setup: impl Fn(&str) -> Setup) {
    let mut games = std::collections::BTreeMap::<_, Vec<(u128, usize)>>::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split_whitespace().collect();
        let [words @ .., depth, paths, positions] = &words[..] else {
            continue;
        };
        let counts = games.entry(words.join(" ")).or_default();
        assert_eq!(*depth, counts.len().to_string(), "{line}");
        counts.push((paths.parse().unwrap(), positions.parse().unwrap()));
    }
    // Deeper ones take a while without optimization.
    let deepest = 5;
    for (words, counts) in games {
        assert!(counts.len() > 4, "{words}: too few depths to mean anything");
        let depth = deepest.min(counts.len() - 1);
        let rows = perft(rules, setup(&words), depth as u32);
        assert_eq!(rows, counts[..=depth], "{words}");
    }
}
