use super::*;
use crate::rules::GameResult;
use crate::verify::Ending;

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");
const CAPTURED: &str = include_str!("../../tests/data/code-colosseum/spectator.received");

const WITH_BOARDS: PrintedParts = PrintedParts {
    boards: true,
    lanes: false,
    times: false,
    is_ascii: false,
};

/// The replay of a game that these streams tell.
pub(crate) fn of_streams(streams: &[&str]) -> Replay {
    of_streams_in(crate::pack::usual().dialects[0], streams)
}

/// The replay of a game that these streams tell in a dialect.
pub(crate) fn of_streams_in(
    dialect: &'static dyn crate::protocol::Dialect,
    streams: &[&str],
) -> Replay {
    Replay::new(crate::archive::of_streams(dialect, streams)).unwrap()
}

#[test]
fn goes_forward_and_back_and_stays_inside_the_game() {
    let mut replay = of_streams(&[CAPTURED]);
    assert_eq!(replay.last(), 164);
    replay.go(2);
    assert_eq!(replay.frame().number, 2);
    replay.go(usize::MAX);
    assert_eq!(replay.frame().number, 164);
    replay.seek(100).unwrap();
    let error = replay.seek(165).unwrap_err();
    assert_eq!(replay.frame().number, 100);
    assert_eq!(
        error.title(),
        "there is no turn 165: the last is turn 164, and 0 is before the first"
    );
}

#[test]
fn each_position_follows_from_the_one_before() {
    let replay = of_streams(&[CAPTURED]);
    for pair in replay.frames().windows(2) {
        let (mut table, after) = (pair[0].table.fork(), &pair[1]);
        let can_move = table.take_roll(after.roll.unwrap());
        match &after.action {
            FrameAction::Moved { mv, .. } => table.play(*mv).unwrap(),
            other => assert!(!can_move && matches!(other, FrameAction::Skipped { .. })),
        }
        assert_eq!(table.fingerprint(), after.table.fingerprint());
    }
    let won = Ending::Over(GameResult::Won(Seat::Second));
    assert_eq!(replay.finished.ending, Some(won));
}

#[test]
fn a_hostile_name_is_escaped() {
    let replay = of_streams(&["\u{1b}[31mA\u{202e}\nB\n0 0 0 1\n"]);
    insta::assert_snapshot!(replay.print(&mut 0, WITH_BOARDS), @r"
    Royal Game of Ur: \x1b[31mA\u{202e} (first) against B (second)

    before the first turn
      second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    |    |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
    > first   start: a0 a1 a2 a3 a4 a5 a6  out: -

    1. \x1b[31mA\u{202e} (first) rolled 0 0 0 1, and the lanes stop there
      second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    |    |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
    > first   start: a0 a1 a2 a3 a4 a5 a6  out: -

    incomplete: stops where \x1b[31mA\u{202e} (first) has to move
    ");
}

#[test]
fn a_game_without_a_turn_has_its_start() {
    let mut replay = of_streams(&["A\nB\n"]);
    assert_eq!(replay.last(), 0);
    assert_eq!(
        replay.seek(1).unwrap_err().title(),
        "there is no turn 1: the last is turn 0, and 0 is before the first"
    );
}

#[test]
fn every_line_of_every_lane_has_its_turn() {
    let replay = of_streams(&[FIRST, SECOND, SPECTATOR]);
    let told = |turn: usize| -> Vec<String> {
        let lanes = replay.lanes().iter();
        let lines = |lane: &ReplayLane| {
            let text =
                |line: &ReplayLine| String::from_utf8_lossy(&line.line.line.text).into_owned();
            let lines = lane.lines_of(turn).iter();
            lines.map(text).collect::<Vec<_>>().join("|")
        };
        lanes.map(lines).collect()
    };
    let greetings = ["PlayerA|PlayerB|0", "PlayerA|PlayerB|1", "PlayerA|PlayerB"];
    assert_eq!(told(0), greetings);
    assert_eq!(told(1), ["0 0 1 1|3"; 3]);
    assert_eq!(told(5), ["0 0 0 0"; 3]);
    assert_eq!(told(9), ["1 0 1 0|RETIRE", "1 0 1 0|2", "1 0 1 0|RETIRE"]);
    let owners: Vec<_> = replay
        .lanes()
        .iter()
        .map(|lane| lane.owner.as_str())
        .collect();
    assert_eq!(
        owners,
        ["PlayerA (first)", "PlayerB (second)", "spectator 1"]
    );
}
