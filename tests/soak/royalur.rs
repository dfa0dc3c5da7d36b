//! The Royal Game of Ur, with a spectator.

use std::time::Duration;

use urtext::engine::Network;
use urtext::games::royalur::CodeColosseum;
use urtext::peers::{self, Bot, Conditions, Policy, Referee};
use urtext::protocol::LaneKind;
use urtext::rules::{PerSeat, Setup};
use urtext::scenario::Side;

use super::{
    FILES, Files, Table, bot, judged, play, play_all, play_honestly, seeds, spectator, stream,
};

const LANES: &[LaneKind] = &[LaneKind::Player, LaneKind::Player, LaneKind::Spectator];

/// The bots of a game: every pair of policies comes up.
fn bots(number: u64) -> [Bot; 2] {
    let policies = [Policy::Random, Policy::First, Policy::Last];
    let bot = |which: u64, seed: u64| {
        Bot::new(
            &CodeColosseum,
            policies[which as usize % 3],
            seed,
            Duration::ZERO,
        )
    };
    [bot(number, 2 * number), bot(number / 3, 2 * number + 1)]
}

pub(super) fn table(number: u64, fault: Option<&str>) -> Table {
    let conditions = Conditions {
        names: PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]),
        timeout: Duration::from_secs(60),
        pace: Duration::ZERO,
        spectators: 1,
        rolls: Vec::new(),
        setup: Setup::default(),
        seed: number,
    };
    let mut referee = Referee::new(&CodeColosseum, &conditions);
    if let Some(fault) = fault {
        let fault = peers::find("royalur").unwrap().fault(Side::Referee, fault);
        referee = referee.with_fault(fault.unwrap());
    }
    let referee = super::referee(referee, 1);
    let [first, second] =
        bots(number).map(|mut player| bot(async move |desk| player.play_at(desk).await));
    Table {
        dialect: &CodeColosseum,
        lanes: LANES,
        referee,
        others: vec![first, second, spectator()],
    }
}

#[test]
fn every_game_of_built_in_bots_is_won_and_verifies() {
    let played = play_all(seeds(), |number| play_honestly(table(number, None), number));
    let files = Files::new();
    let streams: Vec<_> = played
        .iter()
        .map(|events| stream(events, 2, false))
        .collect();
    files.write("games.txt", &streams.join(&b'\n'));
    files.assert_verify(&["games.txt"], streams.len());
    files.assert_verify_recordings(&CodeColosseum, LANES, &played[..FILES.min(played.len())]);
}

#[test]
fn a_wrong_line_on_one_lane_is_a_complaint() {
    let watched = play(
        table(0, Some("garbles-roll-for-spectators")),
        0,
        Network::Ideal,
    );
    let judged = judged(&CodeColosseum, LANES, &watched.events);
    assert_eq!(judged.findings[0].requirement, Some("ur/roll/same-for-all"));
}
