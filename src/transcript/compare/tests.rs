use proptest::prelude::*;

use super::*;
use crate::diagnostic::Source;
use crate::protocol::{Line, LineEnding};
use crate::transcript::{arbitrary, golden};

fn read(lanes: &str) -> Transcript {
    let text = format!("# urtext golden transcript 1\ndialect: code-colosseum\n{lanes}");
    golden::read(&Source::new("game.txt", text))
        .expect("a sound transcript")
        .transcript
}

/// Each difference as one line: lane, numbers of the lines, what was expected and what came.
fn shown(golden: &str, observed: &str) -> Vec<String> {
    let comparison = compare(&read(golden), &read(observed));
    let mut shown = Vec::new();
    for lane in &comparison.lanes {
        for difference in &lane.differences {
            let text = |entry: &Option<Entry>| {
                entry.as_ref().map_or("-".to_owned(), |entry| {
                    String::from_utf8_lossy(&entry.line.text).into_owned()
                })
            };
            let label = lane.label.display(["first", "second"]);
            let Difference {
                direction,
                expected_line,
                observed_line,
                expected,
                observed,
            } = difference;
            let (expected, observed) = (text(expected), text(observed));
            shown.push(format!(
                "{label} {direction:?} {expected_line} {expected} | {observed_line} {observed}"
            ));
        }
    }
    shown
}

const GOLDEN: &str = "[first]\nPlayerA\nPlayerB\n0\n0 0 1 1\n>3\n1 1 1 1\n[spectator 1]\nPlayerA\nPlayerB\n0 0 1 1\n3\n1 1 1 1\n";

proptest! {
    #[test]
    fn a_transcript_differs_from_itself_in_nothing(transcript in arbitrary::transcript()) {
        prop_assert!(compare(&transcript, &transcript).is_same());
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
        let marked = inline(&Line::new(expected.as_str()), &Line::new(received.as_str()));
        let side = |side: Change| -> String {
            let pieces = marked.pieces.iter().filter(|piece| piece.change == Change::Same || piece.change == side);
            pieces.map(|piece| piece.text.as_str()).collect()
        };
        if expected.chars().count().max(received.chars().count()) <= 160 {
            prop_assert_eq!(side(Change::Expected), crate::diagnostic::visible::plain(&expected).to_string());
            prop_assert_eq!(side(Change::Received), crate::diagnostic::visible::plain(&received).to_string());
        }
        prop_assert!(!marked.to_string().chars().any(crate::diagnostic::visible::is_hostile));
    }
}

#[test]
fn sees_past_the_names_in_the_handshake_only() {
    let observed = GOLDEN.replace("PlayerA", "3").replace("PlayerB", "PlayerA");
    assert_eq!(shown(GOLDEN, &observed), [""; 0]);
    let golden = GOLDEN.replace("0 0 1 1\n>3", "PlayerA\n>3");
    assert_eq!(
        shown(&golden, &observed),
        ["first Received 4 PlayerA | 4 0 0 1 1"]
    );
}

#[test]
fn a_name_that_one_lane_tells_otherwise_is_a_difference() {
    let observed = GOLDEN.replace("[first]\nPlayerA", "[first]\nOther");
    assert_eq!(
        shown(GOLDEN, &observed),
        ["first Received 1 PlayerA | 1 Other"]
    );
}

#[test]
fn tells_changed_missing_and_surplus_lines_apart() {
    assert_eq!(
        shown(GOLDEN, &GOLDEN.replace(">3", ">4")),
        ["first Sent 5 3 | 5 4"]
    );
    assert_eq!(
        shown(GOLDEN, &GOLDEN.replace("\n0\n", "\n")),
        ["first Received 3 0 | 3 -"]
    );
    let surplus = GOLDEN.replace("3\n1 1 1 1\n[", "3\n7\n1 1 1 1\n[");
    assert_eq!(shown(GOLDEN, &surplus), ["first Received 6 - | 6 7"]);
    assert_eq!(
        shown(GOLDEN, &format!("{GOLDEN}RETIRE\n")),
        ["spectator 1 Received 6 - | 6 RETIRE"]
    );
    assert_eq!(
        shown("[first]\n", "[second]\n>3\n"),
        ["second Sent 1 - | 1 3"]
    );
}

#[test]
fn an_ending_is_a_difference() {
    assert_eq!(shown("[first]\nA\n", "[first]\nA\\\n").len(), 1);
}

#[test]
fn compares_each_direction_by_itself() {
    assert_eq!(
        shown("[first]\nA\n>3\n0 0 0 1\n", "[first]\nA\n0 0 0 1\n>3\n"),
        [""; 0]
    );
}

#[test]
fn aligns_a_long_lane_that_has_nothing_in_common_within_its_patience() {
    let lane = |word: &str| -> Vec<Entry> {
        let line = |number| Line::new(format!("{word} {}", number % 7919));
        (0..60_000)
            .map(|n| Entry {
                direction: Direction::Received,
                line: line(n * 31),
            })
            .collect()
    };
    assert_eq!(differences(&lane("a"), &lane("b")).len(), 60_000);
}

fn marked(expected: &str, received: &str) -> String {
    inline(&Line::new(expected), &Line::new(received)).to_string()
}

#[test]
fn marks_what_differs_inside_a_line() {
    assert_eq!(marked("0 1 0 0", "0 0 1 0"), "0 {-1-}{+0+} {-0-}{+1+} 0");
    assert_eq!(marked("0 1 0 0", "0 1 0 0\r"), "0 1 0 0{+\\r+}");
    assert_eq!(marked("RETIRE", "3"), "{-RETIRE-}{+3+}");
    assert_eq!(marked("PlayerA", "PlayerB"), "Player{-A-}{+B+}");
    assert_eq!(marked("3", "3 "), "3{+ +}");
    let missing = Line {
        text: b"3".to_vec(),
        ending: LineEnding::Missing,
    };
    assert_eq!(
        inline(&Line::new("3"), &missing).to_string(),
        "3{+ (no newline)+}"
    );
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
