use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Paint, Source};
use crate::pack::Protocol;
use crate::protocol::{Line, LineEnding};
use crate::rules::Seat;
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript, arbitrary};

fn transcript(lanes: &[(LaneLabel, &[(Direction, Line)])]) -> Transcript {
    let entries = |lines: &[(Direction, Line)]| {
        lines
            .iter()
            .cloned()
            .map(|(direction, line)| Entry::new(direction, line))
            .collect()
    };
    let lane = |&(label, lines): &(LaneLabel, &[_])| LaneTranscript::new(label, entries(lines));
    Transcript {
        protocol: Protocol::named("code-colosseum").unwrap(),
        lanes: lanes.iter().map(lane).collect(),
    }
}

proptest! {
    #[test]
    fn a_transcript_of_any_bytes_reads_back_the_same(transcript in arbitrary::transcript()) {
        let text = write(&transcript);
        let shown = text.chars().filter(|&character| character != '\n');
        prop_assert!(!shown.into_iter().any(crate::diagnostic::visible::is_hostile), "{:?}", text);
        let back = read(&Source::new("game.txt", text.as_str())).map_err(|f| f.draw(Paint::Plain));
        prop_assert_eq!(back, Ok(transcript), "{}", text);
    }

    #[test]
    fn a_checkout_with_crlf_line_ends_reads_alike(transcript in arbitrary::transcript()) {
        let text = write(&transcript).replace('\n', "\r\n");
        prop_assert_eq!(read(&Source::new("game.txt", text)).unwrap(), transcript);
    }

    #[test]
    fn never_panics_on_any_text(body in "[#\\[\\]<>\\\\xu{}0-9a-z \r\n\t…]{0,200}", bytes in any::<Vec<u8>>()) {
        for start in ["", "# urtext golden transcript 1\n", "# urtext golden transcript 1\ndialect: code-colosseum\n[first]\n"] {
            let _ = read(&Source::new("game.txt", format!("{start}{body}")));
            let mut raw = start.as_bytes().to_vec();
            raw.extend_from_slice(&bytes);
            let _ = read(&Source::from_bytes("game.txt", raw));
        }
    }
}

#[test]
fn writes_what_looks_like_markup_with_a_mark_before_it() {
    let line = |text: &str| (Direction::Received, Line::new(text));
    let missing = Line {
        text: b"RETI".to_vec(),
        ending: LineEnding::Missing,
    };
    let long = Line {
        text: b"3".to_vec(),
        ending: LineEnding::TooLong,
    };
    let first = [
        line(">A"),
        line("[B]"),
        line("0"),
        line(""),
        (Direction::Sent, Line::new("3 ")),
        line("#\u{202e}"),
    ];
    let spectator = [
        line("\\\r"),
        line("\u{1b}"),
        (Direction::Received, missing),
        (Direction::Sent, long),
    ];
    let text = write(&transcript(&[
        (LaneLabel::Player(Seat::First), &first),
        (LaneLabel::Unseated(2), &[]),
        (LaneLabel::Spectator(1), &spectator),
    ]));
    insta::assert_snapshot!(text, @r"
    # urtext golden transcript 1
    dialect: code-colosseum

    [first]
    <>A
    <[B]
    0
    <
    >3\x20
    <#\u{202e}

    [player 2]

    [spectator 1]
    \\\r
    \x1b
    RETI\
    >3\…
    ");
}

#[test]
fn says_on_which_line_of_the_file_each_entry_stands() {
    let text = "# urtext golden transcript 1\ndialect: code-colosseum\n\n[second]\nA\n# a comment\n\nB\n>3\n[spectator 2]\nA\n";
    let lanes = read(&Source::new("game.txt", text)).unwrap().lanes;
    let numbers = |lane: &LaneTranscript| -> Vec<_> {
        let entries = lane.entries.iter();
        entries.map(|entry| entry.number).collect()
    };
    assert_eq!(numbers(&lanes[0]), [5, 8, 9]);
    assert_eq!(numbers(&lanes[1]), [11]);
    assert_eq!(lanes[1].label, LaneLabel::Spectator(2));
}
