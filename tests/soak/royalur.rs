//! The Royal Game of Ur, with a spectator.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use urtext::peers::royalur::{Bot, End, Referee};
use urtext::peers::{Company, Lane, Policy};
use urtext::protocol::LaneKind;
use urtext::protocol::royalur::CodeColosseum;
use urtext::rules::{PerSeat, RollSource};
use urtext::transcript::Direction;
use urtext::verify::{Ending, Verdict};

use super::{Log, Tap, assert_files_verify, games, judged, play_all, player};

const LANES: [LaneKind; 3] = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];

/// What came of one game.
struct Played {
    end: End,
    recording: Vec<u8>,
    /// What the spectator received.
    stream: Vec<u8>,
}

/// The bots of a game: every pair of policies comes up.
fn bots(number: u64) -> [Bot; 2] {
    let policies = [Policy::Random, Policy::First, Policy::Last];
    let bot = |which: u64, seed: u64| Bot::new(policies[which as usize % 3], seed, Duration::ZERO);
    [bot(number, 2 * number), bot(number / 3, 2 * number + 1)]
}

async fn play(number: u64, fault: Option<&str>) -> Played {
    let log = Log::new();
    let names = PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]);
    let rolls = RollSource::new([], number);
    let mut referee = Referee::new(names, Duration::from_secs(60), Duration::ZERO, rolls);
    if let Some(fault) = fault {
        referee = referee.with_fault(fault).unwrap();
    }
    let [mut first, mut second] = bots(number);
    let (first, first_bot) = player(&log, 0, move |input, output| first.play(input, output));
    let (second, second_bot) = player(&log, 1, move |input, output| second.play(input, output));
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(ours);
    let company = Company {
        players: PerSeat([first, second]),
        spectators: vec![Lane::over(reader, writer)],
        bots: Vec::new(),
    };
    let mut tap = Tap::new(&log, 2, Direction::Received);
    let watch = async {
        let (mut theirs, mut stream, mut chunk) = (theirs, Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = theirs.read(&mut chunk).await {
            tap.pass(&chunk[..count]);
            stream.extend_from_slice(&chunk[..count]);
        }
        stream
    };
    let ((end, _), stream) = tokio::join!(referee.conduct(company), watch);
    for bot in [first_bot, second_bot] {
        bot.join().unwrap().unwrap_or_else(|error| panic!("game {number}: a bot gave up: {error}"));
    }
    Played { end, recording: log.recording(&CodeColosseum, &LANES), stream }
}

/// What verify says of a recording has to be what the referee said of the game.
fn assert_verifies(number: u64, played: &Played) {
    let judged = judged(&played.recording);
    let End::Won(winner) = played.end else { panic!("game {number} ended by {:?}", played.end) };
    match judged.verdict {
        Verdict::Legal(ending) => assert_eq!(ending, Ending::Won(winner), "game {number}"),
        other => panic!("game {number}: {other:?}"),
    }
    assert!(judged.notes.is_empty(), "game {number}: {:?}", judged.notes);
}

#[test]
fn every_game_of_built_in_bots_is_won_and_verifies() {
    let streams = play_all(games(), |runtime, number| {
        let played = runtime.block_on(play(number, None));
        assert_verifies(number, &played);
        played.stream
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.txt"), streams.join(&b'\n')).unwrap();
    assert_files_verify(folder.path(), &["games.txt"], streams.len());
}

#[tokio::test]
async fn a_wrong_line_on_one_lane_is_a_complaint() {
    let played = play(0, Some("garbles-roll-for-spectators")).await;
    match judged(&played.recording).verdict {
        Verdict::Wrong(complaint) => assert_eq!(complaint.requirement, "ur/roll/same-for-all"),
        other => panic!("{other:?}"),
    }
}
