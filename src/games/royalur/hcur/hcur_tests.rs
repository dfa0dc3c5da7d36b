use proptest::prelude::*;

use super::*;
use crate::diagnostic::Source;
use crate::finding::{Finding, Verdict};
use crate::games::royalur::{UrPosition, UrRules};
use crate::pack::{self, NotatedTurn};
use crate::rules::{PerSeat, Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

fn records(text: &str) -> Vec<HcurRecord> {
    let source = Source::new("game.json", text);
    read(&source)
        .unwrap_or_else(|faults| panic!("{}", faults.draw(crate::diagnostic::Paint::Plain)))
        .0
}

/// Returns the code and the place of the first error in a text that is no list of records.
fn refused(text: &str) -> String {
    let source = Source::new("game.json", text);
    let faults = read(&source).expect_err("this should be refused");
    let first = faults.sorted()[0];
    let at = first.span().map_or(String::new(), |span| {
        let position = source.position(span.start);
        format!(" at {}:{}", position.line, position.column)
    });
    format!("{}{at}: {}", first.code(), first.title())
}

/// Records in short: `A 3` brings a token onto the board, `A 0,2 4` moves one; a roll may follow after `|`, and `A - | 0 0 0 0`
/// is a skipped turn.
fn short(lines: &[&str]) -> Vec<HcurRecord> {
    let record = |line: &&str| {
        let (line, roll) = line
            .split_once('|')
            .map_or((*line, String::new()), |(line, roll)| {
                (
                    line,
                    format!(", \"roll\": {}", roll.trim().replace('\'', "\"")),
                )
            });
        let words: Vec<_> = line.split_whitespace().collect();
        let act = match words[1..] {
            ["-"] => "\"skipped\": true".to_owned(),
            [distance] => {
                format!("\"move_type\": {{\"CreateToken\": {{\"distance\": {distance}}}}}")
            }
            [from, distance] => {
                let (x, y) = from.split_once(',').unwrap();
                format!(
                    "\"move_type\": {{\"MoveToken\": {{\"from\": {{\"x\": {x}, \"y\": {y}}}, \"distance\": {distance}}}}}"
                )
            }
            _ => panic!("{line}"),
        };
        format!("{{\"author\": \"{}\", {act}{roll}}}", words[0])
    };
    records(&format!(
        "[{}]",
        lines.iter().map(record).collect::<Vec<_>>().join(",\n")
    ))
}

/// Lists the rules that the records break, each with the number of its record.
fn broken(lines: &[&str]) -> Vec<(&'static str, usize)> {
    found(lines, Verdict::Fail)
}

fn found(lines: &[&str], verdict: Verdict) -> Vec<(&'static str, usize)> {
    let list = short(lines);
    let findings = reduce(&list).findings;
    findings
        .iter()
        .filter(|finding| finding.verdict == verdict)
        .map(|finding| numbered(finding, &list))
        .collect()
}

/// The requirement that a finding is about, and the number of its record.
fn numbered(finding: &Finding, list: &[HcurRecord]) -> (&'static str, usize) {
    let requirement = finding.requirement.unwrap();
    assert!(pack::requirement(requirement).is_some(), "{requirement}");
    let start = finding.span.unwrap().start;
    let number = list.partition_point(|record| record.span.start <= start);
    (requirement, number)
}

#[test]
fn reads_the_examples_of_the_seed_as_they_stand() {
    let moved = &records(include_str!("../../../../tests/data/hc-ur/seed-move.txt"))[0];
    let HcurAction::Move { from, distance, .. } = moved.act else {
        panic!("{moved:?}")
    };
    assert_eq!((from, distance), (Square { x: 0, y: 2 }, 4));
    let created = &records(include_str!("../../../../tests/data/hc-ur/seed-create.txt"))[0];
    assert!(matches!(
        created.act,
        HcurAction::Create { distance: 3, .. }
    ));
    assert_eq!(created.author.text, "QmMyAgentAddress000");
    assert_eq!(
        created.previous.as_ref().unwrap().text,
        "QmHashOfPreviousMove"
    );
    let state = Source::new(
        "state",
        include_str!("../../../../tests/data/hc-ur/seed-state.txt"),
    );
    let state = HcurState::read(&state).unwrap();
    let squares = |seat: Seat| {
        state.sides[seat]
            .tokens
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(squares(Seat::First), ["(2,2)", "(4,1)", "(6,1)"]);
    assert_eq!(squares(Seat::Second), ["(2,0)", "(5,1)"]);
    assert_eq!(
        (state.complete, state.sides[Seat::First].tokens_home),
        (false, 1)
    );
    assert_eq!(
        HcurState::read(&Source::new("again", state.to_json())).unwrap(),
        state
    );
}

#[test]
fn each_rule_of_a_create_token_has_its_own_finding() {
    assert_eq!(broken(&["A 5"]), [("hc/create/length", 1)]);
    assert_eq!(broken(&["A 18446744073709"]), [("hc/create/length", 1)]);
    assert_eq!(
        broken(&["A 3", "B 2", "A 3"]),
        [("hc/create/destination", 3)]
    );
    assert_eq!(
        broken(&["A 3 | '0 1 1 0'"]),
        [("hc/create/length-matches-roll", 1)]
    );
    assert_eq!(
        broken(&["A 3 | 3", "A 2 | 2"]),
        [("hc/create/players-turn", 2)]
    );
    assert_eq!(
        broken(&["A 3 | 3", "B 2 | 2", "C 1 | 1"]),
        [("hc/players/two", 3)]
    );
}

#[test]
fn each_rule_of_a_move_token_has_its_own_finding() {
    let found = [("hc/move/length", 3)];
    assert_eq!(broken(&["A 2", "B 1", "A 2,2 5"]), found);
    assert_eq!(
        broken(&["A 2", "B 1", "A 1", "B 3,0 1", "A 3,2 1"]),
        [("hc/move/destination", 5)]
    );
    assert_eq!(
        broken(&["A 2 | 2", "B 1 | 1", "A 2,2 1 | 2"]),
        [("hc/move/length-matches-roll", 3)]
    );
    assert_eq!(
        broken(&["A 2 | 2", "B 1 | 1", "B 3,0 1 | 1"]),
        [("hc/move/players-turn", 3)]
    );
    for from in ["3,2", "4,2", "2,0", "0,1", "-1,7", "3,0"] {
        let lines = ["A 2", "B 1", &format!("A {from} 1")];
        // Without another row to go by, A may as well be player 2 where he moves from y = 0.
        if from != "2,0" && from != "3,0" {
            assert_eq!(broken(&lines), [("hc/move/token-at-from", 3)], "{from}");
        }
    }
    // From cell 14 only one square is left.
    let lines = ["A 4", "A 0,2 4", "A 3,1 4", "B 1", "A 7,1 2", "A 6,2 2"];
    assert_eq!(broken(&lines), [("hc/move/off-the-end", 6)]);
    let lines = ["A 4", "A 0,2 4", "A 3,1 4", "B 1", "A 7,1 2", "A 6,2 1"];
    assert_eq!(broken(&lines), []);
    let game = reduce(&short(&lines));
    assert_eq!(
        (game.position.out(Seat::First), game.position.mover()),
        (1, Seat::Second)
    );
}

#[test]
fn a_token_on_a_rosette_is_safe_and_another_is_captured() {
    // A stands on the eighth cell, (3,1); B comes from the fifth.
    let lines = [
        "A 4", "A 0,2 4", "A 1", "B 4", "B 0,0 1", "A 3,2 1", "B 0,1 3",
    ];
    assert_eq!(broken(&lines), [("hc/capture/not-on-a-rosette", 7)]);
    // A stands on the seventh cell, (2,1).
    let lines = ["A 4", "A 0,2 3", "B 4", "B 0,0 1", "A 1", "B 0,1 2"];
    assert_eq!(broken(&lines), []);
    let game = reduce(&short(&lines));
    assert_eq!(game.position.token_on(Seat::Second, 7), Some(0));
    assert_eq!(game.position.token_on(Seat::First, 7), None);
}

#[test]
fn a_rosette_gives_another_turn_and_nothing_else_does() {
    assert_eq!(broken(&["A 4 | 4", "A 1 | 1"]), []);
    assert_eq!(
        broken(&["A 4 | 4", "B 1 | 1"]),
        [("hc/create/players-turn", 2)]
    );
    assert_eq!(
        broken(&["A 4 | 4", "A 0,2 1 | 1", "A 3 | 3"]),
        [("hc/create/players-turn", 3)]
    );
}

#[test]
fn all_rules_that_one_record_breaks_are_told_and_none_after_it() {
    let lines = ["A 2 | 2", "B 1 | 1", "B 7,1 5 | 3", "A 9 | 1"];
    let expected = [
        ("hc/move/players-turn", 3),
        ("hc/move/length", 3),
        ("hc/move/length-matches-roll", 3),
        ("hc/move/token-at-from", 3),
    ];
    assert_eq!(broken(&lines), expected);
}

#[test]
fn an_unexpected_author_is_open_without_rolls_and_wrong_with_them() {
    assert_eq!(
        found(&["A 2", "A 1"], Verdict::Inconclusive),
        [("hc/turn/skipped-unrecorded", 2)]
    );
    assert_eq!(broken(&["A 2", "A 1"]), []);
    assert_eq!(
        found(&["A 2 | 2", "A 1"], Verdict::Inconclusive),
        [("hc/turn/skipped-unrecorded", 2)]
    );
    assert_eq!(
        broken(&["A 2 | 2", "A 1 | 1"]),
        [("hc/create/players-turn", 2)]
    );
    assert_eq!(broken(&["A 2 | 2", "B - | 0", "A 1 | 1"]), []);
    assert_eq!(broken(&["A 2 | 2", "A - | 0"]), [("hc/turn/alternates", 2)]);
}

#[test]
fn a_turn_is_skipped_only_where_nothing_can_move() {
    assert_eq!(
        broken(&["A 2 | 2", "B - | '0 0 1 0'"]),
        [("hc/turn/skip-only-when-blocked", 2)]
    );
    assert_eq!(
        found(&["A 2 | 2", "B 0 | 0", "A 1 | 1"], Verdict::Lenient),
        [("hc/move/distance-0", 2)]
    );
}

#[test]
fn the_rows_of_the_board_tell_who_is_player_1() {
    let game = reduce(&short(&["A 2", "B 1", "A 2,0 1"]));
    assert_eq!(
        game.players,
        PerSeat([Some("B".to_owned()), Some("A".to_owned())])
    );
    assert_eq!(
        found(&["A 2", "B 1", "A 2,0 1"], Verdict::Lenient),
        [("hc/turn/first", 1)]
    );
    let game = reduce(&short(&["A 2", "B 1", "A 2,2 1", "B 3,2 1"]));
    assert_eq!(
        game.players[Seat::First].as_deref(),
        Some("A"),
        "rows that disagree change nothing"
    );
}

/// A list of moves by A and B in turn with `game`, `previous_move` and `hash` as given.
fn linked(links: &[(&str, &str, &str)]) -> Vec<(&'static str, usize)> {
    let record = |(index, (game, previous, hash)): (usize, &(&str, &str, &str))| {
        let author = ["A", "B"][index % 2];
        format!(
            "{{game: \"{game}\", author: \"{author}\", previous_move: \"{previous}\", hash: \"{hash}\", \
             move_type: {{CreateToken: {{distance: {}}}}}}}",
            1 + index / 2
        )
    };
    let text = links
        .iter()
        .enumerate()
        .map(record)
        .collect::<Vec<_>>()
        .join(",");
    let list = records(&format!("[{text}]"));
    let findings = chain(&list);
    findings
        .iter()
        .map(|finding| numbered(finding, &list))
        .collect()
}

#[test]
fn follows_the_chain_of_records() {
    assert_eq!(
        linked(&[("g", "g", "a"), ("g", "a", "b"), ("g", "b", "c")]),
        []
    );
    assert_eq!(
        linked(&[("g", "", "a"), ("", "a", "b"), ("g", "b", "")]),
        []
    );
    assert_eq!(
        linked(&[("g", "g", "a"), ("h", "a", "b")]),
        [("hc/chain/one-game", 2)]
    );
    assert_eq!(
        linked(&[("g", "g", "a"), ("g", "x", "b")]),
        [("hc/chain/unbroken", 2)]
    );
    assert_eq!(
        linked(&[("g", "g", "a"), ("g", "a", "b"), ("g", "a", "c")]),
        [("hc/chain/no-fork", 3)]
    );
    assert_eq!(
        linked(&[("g", "g", ""), ("g", "x", ""), ("g", "x", "")]),
        [("hc/chain/no-fork", 3)]
    );
    assert_eq!(
        linked(&[("g", "b", "a"), ("g", "a", "b")]),
        [("hc/chain/in-order", 1)]
    );
    assert_eq!(
        linked(&[("g", "g", "a"), ("g", "a", "a")]),
        [("hc/chain/one-address", 2)]
    );
    assert_eq!(
        linked(&[("g", "a", "b"), ("g", "g", "c")]),
        [("hc/chain/unbroken", 2)]
    );
    assert_eq!(
        linked(&[("g", "x", ""), ("g", "y", ""), ("g", "z", "")]),
        [],
        "nothing to compare with"
    );
}

#[test]
fn says_where_a_file_is_no_list_of_records() {
    insta::assert_snapshot!(refused("[{author: \"A\", move_type: {CreateToken: {distance: -1}}}]"), @"hc-ur/record at 1:52: a distance is a whole number from 0, and this is -1");
    insta::assert_snapshot!(refused("[{author: \"A\", move_type: {CreateToken: {distance: 99999999999999999999}}}]"), @"hc-ur/record at 1:52: a distance is a whole number from 0, and this is a number that is not whole, or too large");
    insta::assert_snapshot!(refused("[{author: \"A\", move_type: {CreateToken: {distance: \"3\"}}}]"), @r#"hc-ur/record at 1:52: a distance is a whole number from 0, and this is "3""#);
    insta::assert_snapshot!(refused("[{author: \"A\", move_type: {MoveToken: {from: [0, 2], distance: 3}}}]"), @"hc-ur/record at 1:46: a square is an object with x and y, and this is a list");
    insta::assert_snapshot!(refused("[{author: \"A\", move_type: {MoveToken: {from: {x: 0.5, y: 2}, distance: 3}}}]"), @"hc-ur/record at 1:50: `x` is a whole number, and this is a number that is not whole, or too large");
    insta::assert_snapshot!(refused("[{author: 7, move_type: {}}]"), @"hc-ur/record at 1:11: `author` is a text, and this is 7");
    insta::assert_snapshot!(refused("[{author: \"A\"}]"), @"hc-ur/record at 1:2: this record has no move");
    insta::assert_snapshot!(refused("[{author: \"A\", skipped: true}]"), @"hc-ur/record at 1:2: a skipped turn is told by its roll, and there is none");
    insta::assert_snapshot!(refused("[{author: \"A\", roll: 5, skipped: true}]"), @"hc-ur/record at 1:22: a roll is four coins or the number of heads, and this is 5");
    insta::assert_snapshot!(refused("[{author: \"A\", author: \"B\"}]"), @r#"hc-ur/syntax at 1:16: "author" is given twice"#);
    insta::assert_snapshot!(refused("[\n {author: \"A"), @"hc-ur/syntax at 2:11: this text has no closing quotation mark");
    insta::assert_snapshot!(refused("[{author: \"A\", "), @"hc-ur/syntax at 1:2: this `{` is never closed");
    insta::assert_snapshot!(refused("[1, 2] x"), @"hc-ur/record at 1:2: a record is an object, and this is a number");
    insta::assert_snapshot!(refused("[]"), @"hc-ur/empty: there is no record in this file");
    insta::assert_snapshot!(refused(&"[".repeat(100_000)), @"hc-ur/syntax at 1:19: lists and objects stand too deep in each other");
    insta::assert_snapshot!(refused(&format!("[{{a: [{}]}}]", "0,".repeat(1000))), @"hc-ur/syntax at 1:515: one record holds more than 256 values");
    insta::assert_snapshot!(refused(&format!("[{}]", "0,".repeat(100_000))), @"hc-ur/record at 1:2: a record is an object, and this is a number");
}

#[test]
fn says_why_a_state_cannot_be() {
    let refused = |text: &str| {
        let faults = HcurState::read(&Source::new("state.json", text)).unwrap_err();
        faults
            .sorted()
            .iter()
            .map(|fault| fault.title().to_owned())
            .collect::<Vec<_>>()
            .join("; ")
    };
    let with = |first: &str, second: &str| {
        refused(&format!(
            "{{complete: false, player_1: {first}, player_2: {second}}}"
        ))
    };
    let none = "{tokens: [], tokens_home: 0, resigned: false}";
    insta::assert_snapshot!(with("{tokens: [{x: 4, y: 2}], tokens_home: 0, resigned: false}", none), @"(4,2) is no square of the path of player_1");
    insta::assert_snapshot!(with("{tokens: [{x: 4, y: 1}, {x: 4, y: 1}], tokens_home: 0, resigned: false}", none), @"two tokens of player_1 stand on (4,1)");
    insta::assert_snapshot!(with("{tokens: [{x: 4, y: 1}], tokens_home: 7, resigned: false}", none), @"player_1 has more than 7 tokens");
    let shared = "{tokens: [{x: 4, y: 1}], tokens_home: 0, resigned: false}";
    insta::assert_snapshot!(with(shared, shared), @"both players have a token on (4,1)");
    insta::assert_snapshot!(with(none, "{tokens: 1, tokens_home: 8}"), @"player_2 has no `resigned`");
    insta::assert_snapshot!(refused("{}"), @"a state has no `complete`; a state has no `player_1`; a state has no `player_2`");
}

#[test]
fn knows_records_by_their_first_bytes() {
    for text in [
        "[{",
        "[]",
        " [\n {\n",
        "{game:",
        "{\"author\": \"A\"",
        "\u{feff}[{\"x\"",
        "[",
    ] {
        assert!(is_records(text.as_bytes()), "{text}");
    }
    for text in [
        "",
        "Alice\nBob\n",
        "{\"urtext\":\"recording\"}",
        "[clan] Bob\nAlice\n",
        "{curly}\nBob\n",
    ] {
        assert!(!is_records(text.as_bytes()), "{text}");
    }
}

/// A legal game that these numbers choose, with every roll told.
pub(in crate::games::royalur) fn game_of(choices: &[u64]) -> Vec<NotatedTurn> {
    let mut position = UrPosition::START;
    let mut turns = Vec::new();
    for &choice in choices {
        if RULES.winner(&position).is_some() {
            break;
        }
        let roll = Roll((choice & 0xF) as u16);
        let moves = RULES.legal_moves(&position, roll);
        let mv = moves
            .get((choice >> 8) as usize % moves.len().max(1))
            .copied();
        turns.push(NotatedTurn {
            record: None,
            by: position.mover(),
            rolled: Some(roll),
            is_roll_complete: true,
            roll,
            mv,
            at: None,
        });
        position = after(&position, &turns[turns.len() - 1]);
    }
    turns
}

fn after(position: &UrPosition, turn: &NotatedTurn) -> UrPosition {
    match turn.mv {
        Some(mv) => RULES.moved(position, turn.roll, mv).unwrap(),
        None => RULES.skipped(position, turn.roll),
    }
}

proptest! {
    #[test]
    fn a_game_written_down_and_read_again_is_the_same_game(
        choices in prop::collection::vec(any::<u64>(), 1..400), names in ("[^\n]{1,12}", "[^\n]{1,12}")
    ) {
        prop_assume!(names.0 != names.1);
        let turns = game_of(&choices);
        let authors = Authors::new(&PerSeat([Some(names.0.clone().into()), Some(names.1.clone().into())])).unwrap();
        let written = write(&turns, &authors);
        let list = records(&written);
        prop_assert_eq!(chain(&list), []);
        let game = reduce(&list);
        prop_assert_eq!(&game.findings, &[]);
        prop_assert_eq!(game.turns.len(), turns.len());
        let (mut written_down, mut played) = (UrPosition::START, UrPosition::START);
        for (read, turn) in game.turns.iter().zip(&turns) {
            (written_down, played) = (after(&written_down, read), after(&played, turn));
            prop_assert_eq!(HcurState::of(&written_down, None), HcurState::of(&played, None));
            prop_assert_eq!((read.by, read.rolled, read.mv.is_some()), (turn.by, turn.rolled, turn.mv.is_some()));
        }
        prop_assert_eq!(write(&game.turns, &authors).lines().count(), list.len() + 2);
    }

    #[test]
    fn a_game_without_rolls_is_never_found_wrong(choices in prop::collection::vec(any::<u64>(), 1..300)) {
        let turns = game_of(&choices);
        prop_assume!(turns.iter().any(|turn| turn.mv.is_some()));
        let authors = Authors::new(&PerSeat([Some(b"A".to_vec()), Some(b"B".to_vec())])).unwrap();
        let untold = turns.iter().map(|turn| NotatedTurn { rolled: None, ..*turn });
        let list = records(&write(&untold.collect::<Vec<_>>(), &authors));
        let game = reduce(&list);
        prop_assert!(!game.is_wrong(), "{:?}", game.findings);
        prop_assert_eq!(chain(&list), []);
        let is_first = list[0].author.text == "A";
        // Whoever moves first is taken for player 1 where the rows do not tell, so only the number of tokens is compared.
        let sides = |position: &UrPosition| Seat::BOTH.map(|seat| {
            let side = &HcurState::of(position, None).sides[seat];
            (side.tokens.len(), side.tokens_home)
        });
        let (read, known) = (sides(&game.position), sides(&reached(&turns)));
        let is_turned = !is_first && game.players[Seat::First].as_deref() == Some("B");
        prop_assert_eq!(read, if is_turned { [known[1], known[0]] } else { known });
    }

    #[test]
    fn no_text_makes_the_reader_fall_over(text in "[\\[\\]{}:,\"\\\\0-9a-zx \n-]{0,200}") {
        let source = Source::new("game.json", text.as_str());
        let _ = read(&source);
        let _ = HcurState::read(&source);
    }
}
