use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Paint, Source};
use crate::protocol::{Line, LineEnding};
use crate::rules::Seat;
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript, arbitrary};

fn faults(text: &str) -> String {
    read(&Source::new("game.txt", text))
        .expect_err("the text has a fault")
        .draw(Paint::Plain)
}

fn transcript(lanes: &[(LaneLabel, &[(Direction, Line)])]) -> Transcript {
    let entries = |lines: &[(Direction, Line)]| {
        lines
            .iter()
            .cloned()
            .map(|(direction, line)| Entry { direction, line })
            .collect()
    };
    let lane = |&(label, lines): &(LaneLabel, &[_])| LaneTranscript {
        label,
        entries: entries(lines),
    };
    Transcript {
        dialect: "code-colosseum".to_owned(),
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
        prop_assert_eq!(back.map(|placed| placed.transcript), Ok(transcript), "{}", text);
    }

    #[test]
    fn a_checkout_with_crlf_line_ends_reads_alike(transcript in arbitrary::transcript()) {
        let text = write(&transcript).replace('\n', "\r\n");
        prop_assert_eq!(read(&Source::new("game.txt", text)).unwrap().transcript, transcript);
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
    let placed = read(&Source::new("game.txt", text)).unwrap();
    assert_eq!(placed.lines, [vec![5, 8, 9], vec![11]]);
    assert_eq!(placed.transcript.lanes[1].label, LaneLabel::Spectator(2));
}

#[test]
fn shows_every_fault_of_a_file_at_once() {
    let text = "# urtext golden transcript 2\nPlayerA\ndialect: code-colloseum\ndialect: code-colosseum\n\
                [first]\n3\\q\n\\x1 \n[fist]\nPlayerA\n[first]\n>\u{202e}3 \n[spectator]\n[second\nB\n\\u{d800}\n";
    insta::assert_snapshot!(faults(text), @r#"
    error[golden/version]: version "2" of the format is not known
     --> game.txt:1:28
      |
    1 | # urtext golden transcript 2
      |                            ^ this program reads version 1
      |
      = help: write `# urtext golden transcript 1`

    error[golden/no-header]: this line stands in no lane
     --> game.txt:2:1
      |
    2 | PlayerA
      | ^^^^^^^
      |
      = help: write the header of a lane above it, such as `[first]` or `[spectator 1]`

    error[golden/dialect]: there is no dialect "code-colloseum"
     --> game.txt:3:10
      |
    3 | dialect: code-colloseum
      |          ^^^^^^^^^^^^^^
      |
      = help: write `dialect: code-colosseum`

    error[golden/dialect-twice]: the dialect is named twice
     --> game.txt:4:1
      |
    4 | dialect: code-colosseum
      | ^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: a transcript has one dialect; take this line out

    error[golden/escape]: there is no escape for "q"
     --> game.txt:6:2
      |
    6 | 3\q
      |  ^^
      |
      = help: escapes are `\\`, `\r`, `\t`, `\xHH`, `\u{HEX}`, and at the end of a line `\` and `\…`; a backslash itself is `\\`

    error[golden/escape]: `\x` is not followed by two hexadecimal digits
     --> game.txt:7:1
      |
    7 | \x1
      | ^^^
      |
      = help: escapes are `\\`, `\r`, `\t`, `\xHH`, `\u{HEX}`, and at the end of a line `\` and `\…`; a backslash itself is `\\`

    error[golden/escape]: a space at the end of a line stands here raw
     --> game.txt:7:4
      |
    7 | \x1
      |    ^
      |
      = help: write `\x20`

    error[golden/header]: this names no lane
     --> game.txt:8:1
      |
    8 | [fist]
      | ^^^^^^
      |
      = help: write `[first]`

    error[golden/lane-twice]: this lane has a block already
      --> game.txt:10:1
       |
     5 | [first]
       | ------- first here
    ...
    10 | [first]
       | ^^^^^^^ again here
       |
       = help: a lane has one block; join the two

    error[golden/escape]: a hidden character stands here raw
      --> game.txt:11:2
       |
    11 | >�3
       |  ^
       |
       = help: write `\u{202e}`

    error[golden/escape]: a space at the end of a line stands here raw
      --> game.txt:11:4
       |
    11 | >�3
       |    ^
       |
       = help: write `\x20`

    error[golden/header]: this names no lane
      --> game.txt:12:1
       |
    12 | [spectator]
       | ^^^^^^^^^^^
       |
       = help: write `[spectator N]` with a number from 1

    error[golden/header]: this header does not end with `]`
      --> game.txt:13:1
       |
    13 | [second
       | ^^^^^^^
       |
       = help: a header is a lane's name in brackets; a line that was received and begins with `[` is written with `<` before it

    error[golden/escape]: `\u` is not followed by the number of a character in braces
      --> game.txt:15:1
       |
    15 | \u{d800}
       | ^^
       |
       = help: escapes are `\\`, `\r`, `\t`, `\xHH`, `\u{HEX}`, and at the end of a line `\` and `\…`; a backslash itself is `\\`
    "#);
}

#[test]
fn says_what_is_missing() {
    insta::assert_snapshot!(faults(""), @r"
    error[golden/empty]: the file is empty
     --> game.txt:1:1
      |
    1 |
      | ^
      |
      = help: a golden transcript begins with `# urtext golden transcript 1`
    ");
    insta::assert_snapshot!(faults("# urtext golden transcript 1\n"), @r"
    error[golden/no-dialect]: the file does not say which dialect it is in
     --> game.txt:2:1
      |
    2 |
      | ^
      |
      = help: write `dialect: NAME` below the first line; NAME is code-colosseum or onitama-judge or lines
    ");
    insta::assert_snapshot!(faults("# urtext golden transcript 1\ndialect: code-colosseum\n"), @r"
    error[golden/no-lane]: there is no lane in this transcript
     --> game.txt:3:1
      |
    3 |
      | ^
      |
      = help: write a header such as `[spectator 1]`, and the lines of that lane below it
    ");
    insta::assert_snapshot!(faults("# urtext golden transcript 1\n[first]\n"), @r"
    error[golden/no-dialect]: the file does not say which dialect it is in
     --> game.txt:2:1
      |
    2 | [first]
      | ^
      |
      = help: write `dialect: NAME` below the first line; NAME is code-colosseum or onitama-judge or lines
    ");
}
