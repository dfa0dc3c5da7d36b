use super::{is_frames, read};
use crate::diagnostic::Source;
use crate::verify::records::{Records, judge_records};

/// The first turns of a game, without what follows from the rules.
const LINES: &str = r#"{"type":"game","version":1,"game":"royalur","names":["Ann",null],"turns":3}
{"type":"turn","turn":1,"by":"first","roll":"0 0 1 1","action":"moved","move":"3","to":"2","at":1.5,"took":0.5}
{"type":"turn","turn":2,"by":"second","roll":"0 0 0 0","action":"skipped","at":2}
{"type":"later","of":"a later version"}
{"type":"turn","turn":3,"by":"first","action":"lost","cause":"timeout"}
{"type":"end","says":"lost","is_wrong":false}
"#;

fn judged(text: &str) -> Result<Records, String> {
    let source = Source::new("a.jsonl", text);
    match read(&source) {
        Ok(told) => Ok(judge_records(told, &source)),
        Err(faults) => Err(faults
            .sorted()
            .into_iter()
            .map(ToString::to_string)
            .collect()),
    }
}

#[test]
fn lines_without_what_the_rules_tell_are_a_game() {
    let game = judged(LINES).unwrap();
    assert!(game.complaints.is_empty() && game.open.is_empty() && game.warnings.is_empty());
    assert_eq!(
        (game.turns.len(), game.names.0.clone()),
        (2, [Some(b"Ann".to_vec()), None])
    );
    let took: Vec<_> = game
        .took()
        .iter()
        .map(|took| took.map(|took| took.as_millis()))
        .collect();
    assert_eq!(took, [Some(500), None]);
    let told = game.ending().describe(game.dialect.game(), &game.names);
    assert_eq!(
        told,
        "Ann (first) has lost, second wins: no move within the timeout"
    );
}

/// Malformed files: the text to replace, its replacement, the marked part of the file, and the message.
const MALFORMED: [[&str; 4]; 17] = [
    [
        "\"version\":1",
        "\"version\":2",
        "2,\"game",
        "record]: only version 1 of the format is read",
    ],
    [
        "\"royalur\"",
        "\"go\"",
        "\"go\"",
        "record]: there are no rules for a game of the name \"go\"",
    ],
    [
        "\"royalur\"",
        "\"onitama\"",
        "{\"type\":\"game",
        "record]: `setup` is missing: ",
    ],
    [
        "[\"Ann\",null]",
        "[\"Ann\"]",
        "[\"Ann\"]",
        "record]: `names` is a list of two, each a text or null",
    ],
    [
        "\"by\":\"first\"",
        "\"by\":\"third\"",
        "\"third\"",
        "record]: \"third\" is no seat: seats are first and second",
    ],
    [
        "\"0 0 1 1\"",
        "\"0 0 1 2\"",
        "\"0 0 1 2\"",
        "record]: \"0 0 1 2\" is no roll: a roll is four coins",
    ],
    [
        "\"move\":\"3\"",
        "\"move\":33",
        "33",
        "record]: `move` is a text, and this is a number",
    ],
    [
        "\"move\":\"3\"",
        "\"move\":\"x\"",
        "\"x\"",
        "record]: \"x\" is no move: a move is",
    ],
    [
        "\"move\":\"3\",",
        "",
        "{\"type\":\"turn\"",
        "record]: `move` is missing",
    ],
    [
        "\"moved\"",
        "\"jumped\"",
        "\"jumped\"",
        "record]: \"jumped\" is no action: moved, skipped, lost or awaited",
    ],
    [
        "\"at\":1.5",
        "\"at\":-1",
        "-1",
        "record]: `at` is a number of seconds from 0, and this is not",
    ],
    [
        "\"turn\":2",
        "\"turn\":7",
        "7,",
        "record]: this is turn 7, and turn 2 is due",
    ],
    [
        "\"timeout\"",
        "\"boredom\"",
        "\"boredom\"",
        "record]: \"boredom\" is no cause of a loss",
    ],
    [
        "\"took\":0.5}",
        "\"took\":0.5",
        "{\"type\":\"turn\",\"turn\":2",
        "syntax]: the name of a member, or `}`, is due here",
    ],
    [
        "{\"type\":\"later\",\"of\":\"a later version\"}",
        "later",
        "later",
        "syntax]: a value is due here",
    ],
    [
        "{\"type\":\"later\",\"of\":\"a later version\"}",
        "[]",
        "[]",
        "record]: a line of a replay is an object, and this is a list",
    ],
    [
        "later\",\"of\":\"a later version\"",
        "game\",\"version\":1",
        "\"game\",\"version\":1}",
        "record]: a second game begins here",
    ],
];

#[test]
fn a_malformed_line_is_named_with_its_place() {
    for [from, to, marked, title] in MALFORMED {
        assert!(LINES.contains(from), "{from}");
        let text = LINES.replacen(from, to, 1);
        let place = Source::new("", text.as_str()).position(text.find(marked).expect(marked));
        let found = judged(&text).map(|_| ()).expect_err(to);
        let due = format!(
            "a.jsonl:{}:{}: error[frames/{title}",
            place.line, place.column
        );
        assert!(found.starts_with(&due), "{found}\n{due}");
    }
    let no_game = LINES.lines().skip(1).collect::<String>();
    assert!(
        judged(&no_game)
            .unwrap_err()
            .contains("the first line of a replay has the type `game`")
    );
}

#[test]
fn a_turn_against_the_rules_is_a_finding_with_its_line() {
    for (from, to, line, title) in [
        (
            "\"to\":\"2\"",
            "\"to\":\"3\"",
            2,
            "`to` differs from the rules, by which it is \"2\" here",
        ),
        (
            "\"move\":\"3\"",
            "\"move\":\"3\",\"plays_again\":true",
            2,
            "`plays_again` differs from the rules, by which it is false here",
        ),
        (
            "\"by\":\"first\"",
            "\"by\":\"second\"",
            2,
            "a turn of the second player, and it is the first player's",
        ),
        (
            "\"0 0 1 1\"",
            "\"0 0 0 0\"",
            2,
            "a move, and the roll allows none",
        ),
        (
            "\"0 0 0 0\"",
            "\"0 0 0 1\"",
            3,
            "the turn is skipped, and the player can move",
        ),
        (
            "{\"type\":\"later\"",
            "{\"type\":\"turn\",\"turn\":3,\"by\":\"first\",\"roll\":\"0 0 1 1\",\"action\":\"moved\",\"move\":\"4\"",
            4,
            "the move is not valid: ",
        ),
        ("false}", "true}", 6, "the replay ends at an error: lost"),
        (
            "{\"type\":\"end\"",
            "{\"type\":\"turn\",\"turn\":4,\"by\":\"second\",\"action\":\"skipped\"",
            6,
            "a turn after the end of the game",
        ),
    ] {
        assert!(LINES.contains(from), "{from}");
        let game = judged(&LINES.replacen(from, to, 1)).unwrap();
        let [complaint] = game.complaints.as_slice() else {
            panic!("{to}: {:?}", game.complaints);
        };
        assert_eq!(
            complaint.in_file.as_ref().map(|place| place.line),
            Some(line),
            "{to}"
        );
        assert!(complaint.title.contains(title), "{to}: {}", complaint.title);
        assert!(game.wrong().is_some());
    }
}

#[test]
fn a_roll_that_is_not_told_is_found_by_the_move_and_a_skip_stays_open() {
    let text = LINES
        .replace("\"roll\":\"0 0 1 1\",", "")
        .replace("\"0 0 0 0\"", "null");
    let game = judged(&text).unwrap();
    assert!(game.complaints.is_empty(), "{:?}", game.complaints);
    assert_eq!(game.open.len(), 1);
    assert!(game.turns.iter().all(|turn| turn.rolled.is_none()));
    assert_eq!(
        game.dialect
            .game()
            .format_roll(game.turns[0].roll)
            .matches('1')
            .count(),
        2
    );
}

#[test]
fn says_where_the_file_breaks_off() {
    let lines: Vec<_> = LINES.lines().collect();
    let game = judged(&lines[..3].join("\n")).unwrap();
    let warnings: Vec<_> = game
        .warnings
        .sorted()
        .into_iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].ends_with("the file breaks off: it holds 2 of 3 turns"),
        "{warnings:?}"
    );
    assert!(game.complaints.is_empty());
}

#[test]
fn a_last_line_that_is_cut_off_ends_the_game_there() {
    let start = LINES.find("{\"type\":\"turn\",\"turn\":2").unwrap();
    let line = LINES[start..].lines().next().unwrap();
    let last = line.replace("skipped", "skippęd");
    let named = |bytes: &[u8]| {
        let source = Source::from_bytes("a.jsonl", [&LINES.as_bytes()[..start], bytes].concat());
        let told = read(&source).map_err(|faults| faults.sorted()[0].to_string())?;
        let game = judge_records(told, &source);
        assert!(game.complaints.is_empty(), "{:?}", game.complaints);
        let warnings = game.warnings.sorted();
        assert_eq!((game.turns.len(), warnings.len()), (1, 1));
        Ok::<_, String>(warnings[0].to_string())
    };
    let due =
        "a.jsonl:3: warning[frames/cut-off]: the last line was cut off; before it are 1 of 3 turns";
    for cut in 1..last.len() {
        assert_eq!(named(&last.as_bytes()[..cut]).as_deref(), Ok(due), "{cut}");
    }
    // A line that has its end is held to account, and so are bytes that are no text.
    let mut whole = line.as_bytes()[..9].to_vec();
    assert!(named(&[&whole[..], b"\n"].concat()).is_err());
    whole.push(0xff);
    assert!(named(&whole).unwrap_err().contains("not-utf8"));
    let unknown = line.replace("skipped", "jumped");
    assert!(named(unknown.as_bytes()).unwrap_err().contains("no action"));
    assert!(judged(&LINES[..9]).unwrap_err().contains("syntax"));
}

#[test]
fn the_first_line_tells_the_format() {
    assert!(is_frames(LINES.as_bytes()));
    assert!(is_frames(
        b"\xef\xbb\xbf{\n  \"type\": \"game\",\n  \"version\": 9"
    ));
    for other in [
        "",
        "{\"type\":\"run\",\"version\":1}",
        "{\"type\":\"game\"}",
        "Ann\nBob\n",
        "{\"a\":1}\n{\"type\":\"game\",\"version\":1}",
    ] {
        assert!(!is_frames(other.as_bytes()), "{other}");
    }
}
