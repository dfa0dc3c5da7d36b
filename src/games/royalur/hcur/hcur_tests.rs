use proptest::prelude::*;

use super::*;
use crate::case_files::assert_lines;
use crate::diagnostic::{Diagnostics, Source};
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

/// Returns the findings about records, and the position after them.
fn found(list: &[HcurRecord], findings: &[Finding]) -> String {
    let finding = |finding: &Finding| {
        let (id, number) = numbered(finding, list);
        format!("{} {id} in {number}", finding.verdict.word())
    };
    match findings {
        [] => "fine".to_owned(),
        all => all.iter().map(finding).collect::<Vec<_>>().join("; "),
    }
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
    let HcurMove { from, distance } = moved.mv.unwrap();
    let from = from.map(|from| from.is);
    assert_eq!((from, distance.is), (Some(Square { x: 0, y: 2 }), 4));
    let created = &records(include_str!("../../../../tests/data/hc-ur/seed-create.txt"))[0];
    let HcurMove { from, distance } = created.mv.unwrap();
    assert_eq!((from, distance.is), (None, 3));
    assert_eq!(created.author.is, "QmMyAgentAddress000");
    assert_eq!(
        created.previous.as_ref().unwrap().is,
        "QmHashOfPreviousMove"
    );
    let state = Source::new(
        "state",
        include_str!("../../../../tests/data/hc-ur/seed-state.txt"),
    );
    let state = HcurState::read(&state).unwrap();
    let squares = |side: &HcurSide| {
        side.tokens
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(squares(&state.player_1), ["(2,2)", "(4,1)", "(6,1)"]);
    assert_eq!(squares(&state.player_2), ["(2,0)", "(5,1)"]);
    assert_eq!((state.complete, state.player_1.tokens_home), (false, 1));
    assert_eq!(
        HcurState::read(&Source::new("again", state.to_json())).unwrap(),
        state
    );
}

#[test]
fn each_rule_has_its_own_finding() {
    assert_lines("hc-ur-records", |row| {
        let list = short(&row.split("; ").collect::<Vec<_>>());
        let game = reduce(&list, Diagnostics::new());
        let players = game
            .players
            .0
            .map(|name| name.unwrap_or_default())
            .join("-");
        let position = reached(&game.turns);
        let out = Seat::BOTH.map(|seat| position.out(seat));
        let found = found(&list, &game.findings);
        format!(
            "{found}; {players}, out: {out:?}, to move: {:?}",
            position.mover()
        )
    });
}

#[test]
fn a_captured_token_is_off_the_board() {
    let list = short(&["A 4", "A 0,2 3", "B 4", "B 0,0 1", "A 1", "B 0,1 2"]);
    let position = reached(&reduce(&list, Diagnostics::new()).turns);
    assert_eq!(position.token_on(Seat::Second, 7), Some(0));
    assert_eq!(position.token_on(Seat::First, 7), None);
}

#[test]
fn follows_the_chain_of_records() {
    // A and B move in turn, with `game`, `previous_move` and `hash` as given, `-` for none.
    assert_lines("hc-ur-chains", |row| {
        let record = |(index, links): (usize, &str)| {
            let links = links.split(' ').map(|link| link.trim_matches('-'));
            let [game, previous, hash] = links.collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let (author, distance) = (["A", "B"][index % 2], 1 + index / 2);
            format!(
                "{{game: \"{game}\", author: \"{author}\", previous_move: \"{previous}\", hash: \"{hash}\", \
                 move_type: {{CreateToken: {{distance: {distance}}}}}}}"
            )
        };
        let list: Vec<_> = row.split("; ").enumerate().map(record).collect();
        let list = records(&format!("[{}]", list.join(",")));
        found(&list, &chain(&list))
    });
}

#[test]
fn says_where_a_file_is_no_list_of_records() {
    assert_lines("hc-ur-files", |text| refused(&text.replace("\\n", "\n")));
    for (text, title) in [
        ("[".repeat(100_000), "EOF while parsing a list"),
        (
            format!("[{{a: [{}]}}]", "0,".repeat(1000)),
            "missing field `author`",
        ),
        (
            format!("[{}]", "0,".repeat(100_000)),
            "invalid type: integer `0`, expected a record, which is an object",
        ),
    ] {
        let said = refused(&text);
        assert!(said.contains(title), "{said}");
    }
}

#[test]
fn says_why_a_text_is_no_state_or_a_state_cannot_be() {
    assert_lines("hc-ur-states", |text| {
        match HcurState::read(&Source::new("state.json", text)) {
            Ok(state) => format!("complete: {}", state.complete),
            Err(problem) => problem.title().to_owned(),
        }
    });
}

#[test]
fn knows_records_by_their_first_bytes() {
    let is = |text: &str| is_records(text.replace("\\n", "\n").as_bytes()).to_string();
    assert_lines("hc-ur-beginnings", is);
    assert!(is_records("\u{feff}[{\"x\"".as_bytes()));
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
        position = RULES.turned(&position, roll, mv);
    }
    turns
}

fn after(position: &UrPosition, turn: &NotatedTurn) -> UrPosition {
    RULES.turned(position, turn.roll, turn.mv)
}

proptest! {
    #[test]
    fn a_game_written_down_and_read_again_is_the_same_game(
        choices in prop::collection::vec(any::<u64>(), 1..400), names in ("[^\n]{1,12}", "[^\n]{1,12}")
    ) {
        prop_assume!(names.0 != names.1);
        let turns = game_of(&choices);
        let names = PerSeat([Some(names.0.clone().into()), Some(names.1.clone().into())]);
        let authors = authors(&names, &turns).unwrap();
        let written = write(&turns, &authors);
        let list = records(&written);
        prop_assert_eq!(chain(&list), []);
        let game = reduce(&list, Diagnostics::new());
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
        let authors = authors(&PerSeat([Some(b"A".to_vec()), Some(b"B".to_vec())]), &turns).unwrap();
        let untold = turns.iter().map(|turn| NotatedTurn { rolled: None, ..*turn });
        let list = records(&write(&untold.collect::<Vec<_>>(), &authors));
        let game = reduce(&list, Diagnostics::new());
        let is_wrong = game.findings.iter().any(|finding| finding.verdict == Verdict::Fail);
        prop_assert!(!is_wrong, "{:?}", game.findings);
        prop_assert_eq!(chain(&list), []);
        let is_first = list[0].author.is == "A";
        // Whoever moves first is taken for player 1 where the rows do not tell, so only the number of tokens is compared.
        let sides = |position: &UrPosition| {
            let HcurState { player_1, player_2, .. } = HcurState::of(position, None);
            [player_1, player_2].map(|side| (side.tokens.len(), side.tokens_home))
        };
        let (read, known) = (sides(&reached(&game.turns)), sides(&reached(&turns)));
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
