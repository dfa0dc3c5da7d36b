use proptest::prelude::*;

use super::*;
use crate::case_files::assert_lines;
use crate::diagnostic::Source;
use crate::protocol::Line;
use crate::transcript::{arbitrary, golden};

fn read(lanes: &str) -> Transcript {
    let text = format!("# urtext golden transcript 1\ndialect: code-colosseum\n{lanes}");
    golden::read(&Source::new("game.txt", text)).expect("a sound transcript")
}

/// Each difference as one line: lane, numbers of the lines, what was expected and what came.
fn shown(golden: &str, observed: &str) -> Vec<String> {
    let comparison = compare(&read(golden), &read(observed));
    let mut shown = Vec::new();
    for lane in &comparison {
        for difference in &lane.differences {
            let text = |entry: &Option<Entry>| {
                entry.as_ref().map_or("-".to_owned(), |entry| {
                    String::from_utf8_lossy(&entry.line.text).into_owned()
                })
            };
            let label = lane.label.display(["first", "second"]);
            let (expected, observed) = (text(&difference.expected), text(&difference.observed));
            shown.push(format!(
                "{label} {:?} {} {expected} | {} {observed}",
                difference.direction, difference.expected_line, difference.observed_line
            ));
        }
    }
    shown
}

const GOLDEN: &str = "[first]\nPlayerA\nPlayerB\n0\n0 0 1 1\n>3\n1 1 1 1\n[spectator 1]\nPlayerA\nPlayerB\n0 0 1 1\n3\n1 1 1 1\n";

proptest! {
    #[test]
    fn a_transcript_differs_from_itself_in_nothing(transcript in arbitrary::transcript()) {
        prop_assert!(compare(&transcript, &transcript).is_empty());
    }

    #[test]
    fn what_differs_is_everything_that_is_not_the_same(
        expected in arbitrary::transcript(), observed in arbitrary::transcript(),
    ) {
        let [expected, observed] = [&expected.lanes[0].entries, &observed.lanes[0].entries];
        let differences = differences(expected, observed);
        for direction in [Direction::Received, Direction::Sent] {
            let left = |entries: &[Entry], taken: &[usize]| -> Vec<Entry> {
                let kept = entries.iter().enumerate().filter(|(index, _)| !taken.contains(&(index + 1)));
                kept.map(|(_, entry)| entry.clone()).filter(|entry| entry.direction == direction).collect()
            };
            let side = |is_expected: bool| -> Vec<usize> {
                let of = |d: &Difference| match is_expected {
                    true => d.expected.is_some().then_some(d.expected_line),
                    false => d.observed.is_some().then_some(d.observed_line),
                };
                differences.iter().filter(|d| d.direction == direction).filter_map(of).collect()
            };
            prop_assert_eq!(left(expected, &side(true)), left(observed, &side(false)));
        }
    }

    #[test]
    fn both_lines_can_be_read_off_the_marks(
        expected in "[01 a\u{202e}\\\\]{0,200}", received in "[01 b\u{202e}\\\\]{0,200}",
    ) {
        let [left, right] = inline(expected.as_bytes(), received.as_bytes()).map(|pieces| {
            pieces.into_iter().map(|(_, piece)| piece).collect::<String>()
        });
        if expected.chars().count().max(received.chars().count()) <= 160 {
            prop_assert_eq!(&left, &crate::diagnostic::visible::plain(&expected).to_string());
            prop_assert_eq!(&right, &crate::diagnostic::visible::plain(&received).to_string());
        }
        prop_assert!(!(left + &right).chars().any(crate::diagnostic::visible::is_hostile));
    }
}

/// Each row has what is replaced in a golden transcript, and then in the observed one, which was the golden one before.
#[test]
fn shows_each_line_that_differs_by_lane_and_direction() {
    let replaced = |text: &str, changes: &str| {
        let changes = changes.split("; ").filter(|change| *change != "-");
        changes.fold(text.to_owned(), |text, change| {
            let (from, to) = change.split_once(" => ").unwrap();
            let [from, to] = [from, to].map(|part| part.replace('/', "\n"));
            assert!(text.contains(&from), "{from:?} in {text}");
            text.replace(&from, &to)
        })
    };
    assert_lines("compared-transcripts", |row| {
        let (golden, observed) = row.split_once(" | ").unwrap();
        let golden = replaced(GOLDEN, golden);
        shown(&golden, &replaced(&golden, observed)).join("; ")
    });
    assert_eq!(
        shown("[first]\n", "[second]\n>3\n"),
        ["second Sent 1 - | 1 3"]
    );
    assert_eq!(shown("[first]\nA\n", "[first]\nA\\\n").len(), 1);
    let (golden, observed) = ("[first]\nA\n>3\n0 0 0 1\n", "[first]\nA\n0 0 0 1\n>3\n");
    assert_eq!(shown(golden, observed), [""; 0], "each direction by itself");
}

#[test]
fn aligns_a_long_lane_that_has_nothing_in_common_within_its_patience() {
    let lane = |word: &str| -> Vec<Entry> {
        let line = |number| Line::new(format!("{word} {}", number % 7919));
        (0..60_000)
            .map(|n| Entry::new(Direction::Received, line(n * 31)))
            .collect()
    };
    assert_eq!(differences(&lane("a"), &lane("b")).len(), 60_000);
}

/// Both lines in one: `{-..-}` is only in the expected line, `{+..+}` only in the received line.
fn marked(expected: &str, received: &str) -> String {
    let [expected, received] = inline(expected.as_bytes(), received.as_bytes());
    let pieces = expected.into_iter().zip(received);
    let marked = pieces.map(|((differs, expected), (_, received))| match differs {
        true => format!("{{-{expected}-}}{{+{received}+}}"),
        false => expected,
    });
    let marked: String = marked.collect();
    marked.replace("{--}", "").replace("{++}", "")
}

#[test]
fn marks_what_differs_inside_a_line() {
    assert_lines("marks-inside-a-line", |row| {
        let (expected, received) = row.split_once(" | ").unwrap();
        marked(expected, received)
    });
}

#[test]
fn shows_of_a_long_line_the_part_that_differs() {
    let (left, right) = ("a".repeat(30_000), "b".repeat(30_000));
    let shown = marked(&format!("{left}x{right}"), &format!("{left}y{right}"));
    assert!(
        shown.starts_with("…a") && shown.ends_with("b…") && shown.contains("a{-x-}{+y+}b"),
        "{shown}"
    );
    assert!(shown.chars().count() < 400);
}
