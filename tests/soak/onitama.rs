//! Onitama, by what both players saw.

use std::time::Duration;

use urtext::engine::Network;
use urtext::games::onitama::{Onitama, OnitamaJudge};
use urtext::peers::{self, Bot, Conditions, Policy, Referee, SetupSource};
use urtext::protocol::LaneKind;
use urtext::rules::{PerSeat, Setup};
use urtext::scenario::Side;

use super::{FILES, Files, Table, bot, judged, play, play_all, play_honestly, seeds, stream};

const LANES: &[LaneKind] = &[LaneKind::Player, LaneKind::Player];

/// The bots of a game. One of them plays at random: two that always choose alike may move to and fro for ever.
fn bots(number: u64) -> [Bot; 2] {
    let others = [Policy::Random, Policy::First, Policy::Last];
    let other = Bot::new(
        &OnitamaJudge,
        others[number as usize % 3],
        2 * number,
        Duration::ZERO,
    );
    let random = Bot::new(
        &OnitamaJudge,
        Policy::Random,
        2 * number + 1,
        Duration::ZERO,
    );
    if number.is_multiple_of(2) {
        [other, random]
    } else {
        [random, other]
    }
}

pub(super) fn table(number: u64, fault: Option<&str>) -> Table {
    let conditions = Conditions {
        names: PerSeat([Vec::new(), Vec::new()]),
        timeout: Duration::from_secs(60),
        pace: Duration::ZERO,
        spectators: 0,
        rolls: Vec::new(),
        setup: Setup::default(),
        seed: number,
    };
    let mut referee = Referee::new(&OnitamaJudge, &conditions);
    if let Some(fault) = fault {
        let fault = peers::find("onitama").unwrap().fault(Side::Referee, fault);
        referee = referee.with_fault(fault.unwrap());
    }
    let setups = SetupSource::new(&Onitama, None, number);
    let referee = referee.with_setups(setups);
    let referee = super::referee(referee, 0);
    let others = bots(number).map(|mut player| bot(async move |desk| player.play_at(desk).await));
    Table {
        dialect: &OnitamaJudge,
        lanes: LANES,
        referee,
        others: others.into(),
    }
}

#[test]
fn every_game_of_built_in_bots_is_won_and_verifies() {
    let played = play_all(seeds(), |number| play_honestly(table(number, None), number));
    let files = Files::new();
    for (lane, name) in ["top.txt", "bottom.txt"].into_iter().enumerate() {
        // As a program leaves them behind that plays a match: one game after the other, with nothing between.
        let match_seen: Vec<u8> = played
            .iter()
            .flat_map(|events| stream(events, lane, true))
            .collect();
        files.write(name, &match_seen);
    }
    files.assert_verify(&["top.txt"], played.len());
    files.assert_verify(&["--together", "top.txt", "bottom.txt"], played.len());
    files.assert_verify_recordings(&OnitamaJudge, LANES, &played[..FILES.min(played.len())]);
}

#[test]
fn a_line_after_the_end_is_a_complaint() {
    let watched = play(table(1, Some("says-who-wins")), 1, Network::Ideal);
    let judged = judged(&OnitamaJudge, LANES, &watched.events);
    assert_eq!(judged.findings[0].requirement, Some("oni/end/nothing-more"));
}
