//! Onitama, by what both players saw.

use std::time::Duration;

use urtext::event::What;
use urtext::peers::onitama::{Bot, Dealer, End, Referee};
use urtext::peers::{Company, Policy};
use urtext::protocol::LaneKind;
use urtext::protocol::onitama::OnitamaJudge;
use urtext::rules::PerSeat;
use urtext::transcript::Direction;
use urtext::verify::{Ending, Verdict};

use super::{Log, assert_files_verify, games, judged, play_all, player};

/// What came of one game.
struct Played {
    end: End,
    recording: Vec<u8>,
    /// What each player saw.
    lanes: [Vec<u8>; 2],
}

/// The bots of a game. One of them plays at random: two that always choose alike may move to and fro for ever.
fn bots(number: u64) -> [Bot; 2] {
    let others = [Policy::Random, Policy::First, Policy::Last];
    let other = Bot::new(others[number as usize % 3], 2 * number, Duration::ZERO);
    let random = Bot::new(Policy::Random, 2 * number + 1, Duration::ZERO);
    if number.is_multiple_of(2) { [other, random] } else { [random, other] }
}

async fn play(number: u64, fault: Option<&str>) -> Played {
    let log = Log::new();
    let mut referee = Referee::new(Duration::from_secs(60), Dealer::new(None, None, number));
    if let Some(fault) = fault {
        referee = referee.with_fault(fault).unwrap();
    }
    let [mut top, mut bottom] = bots(number);
    let (top, top_bot) = player(&log, 0, move |input, output| top.play(input, output));
    let (bottom, bottom_bot) = player(&log, 1, move |input, output| bottom.play(input, output));
    let company = Company { players: PerSeat([top, bottom]), spectators: Vec::new(), bots: Vec::new() };
    let (end, _) = referee.conduct(company).await;
    for bot in [top_bot, bottom_bot] {
        let played = bot.join().unwrap();
        assert!(fault.is_some() || played.is_ok(), "game {number}: a bot gave up: {played:?}");
    }
    let lanes = [0, 1].map(|lane| seen(&log, lane));
    let recording = log.recording(&OnitamaJudge, &[LaneKind::Player, LaneKind::Player]);
    Played { end, recording, lanes }
}

/// What came on a lane, with `>` before what was sent.
fn seen(log: &Log, wanted: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    for event in log.events.lock().unwrap().iter() {
        match &event.what {
            What::Line { lane, direction, line } if *lane == wanted => {
                stream.extend((*direction == Direction::Sent).then_some(b'>'));
                stream.extend(line.to_wire());
            }
            _ => {}
        }
    }
    stream
}

/// What verify says of a recording has to be what the referee said of the game.
fn assert_verifies(number: u64, played: &Played) {
    let judged = judged(&played.recording);
    let End::Won(winner) = played.end else { panic!("game {number} ended by {:?}", played.end) };
    match judged.verdict {
        Verdict::Legal(ending) => assert_eq!(ending, Ending::Won(winner), "game {number}"),
        other => panic!("game {number}: {other:?}"),
    }
}

#[test]
fn every_game_of_built_in_bots_is_won_and_verifies() {
    let played = play_all(games(), |runtime, number| {
        let played = runtime.block_on(play(number, None));
        assert_verifies(number, &played);
        played.lanes
    });
    let folder = tempfile::tempdir().unwrap();
    for (index, name) in ["top.txt", "bottom.txt"].into_iter().enumerate() {
        // As a program leaves them behind that plays a match: one game after the other, with nothing between.
        let match_seen: Vec<u8> = played.iter().flat_map(|lanes| lanes[index].clone()).collect();
        std::fs::write(folder.path().join(name), match_seen).unwrap();
    }
    assert_files_verify(folder.path(), &["top.txt"], played.len());
    assert_files_verify(folder.path(), &["--together", "top.txt", "bottom.txt"], played.len());
}

#[tokio::test]
async fn a_line_after_the_end_is_a_complaint() {
    let played = play(1, Some("says-who-wins")).await;
    match judged(&played.recording).verdict {
        Verdict::Wrong(complaint) => assert_eq!(complaint.requirement, "oni/end/nothing-more"),
        other => panic!("{other:?}"),
    }
}
