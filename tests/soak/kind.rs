//! Games of honest peers over an ideal network, by what everybody saw.

use std::time::Duration;

use urtext::games::onitama::OnitamaJudge;
use urtext::games::royalur::CodeColosseum;
use urtext::peers::{self, Bot, Conditions, Policy, Referee};
use urtext::protocol::{Dialect, LaneKind};
use urtext::rules::PerSeat;
use urtext::scenario::Side;

use super::{Files, Table, bot, judged, play, play_all, play_honestly, seeds, spectator, stream};

/// How many recordings the program verifies as well.
const FILES: usize = 20;

const LANES: [LaneKind; 3] = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];

/// The policies of the bots of a game. Every pair comes up in Ur. In Onitama one of them plays at random: two that always choose alike may
/// move to and fro for ever.
fn policies(has_dice: bool, number: u64) -> [Policy; 2] {
    let policies = [Policy::Random, Policy::First, Policy::Last];
    let of = |number: u64| policies[number as usize % 3];
    match has_dice {
        true => [of(number), of(number / 3)],
        false if number.is_multiple_of(2) => [of(number), Policy::Random],
        false => [Policy::Random, of(number)],
    }
}

/// A game, with a spectator if the dialect has any.
pub(super) fn table(dialect: &'static dyn Dialect, number: u64, fault: Option<&str>) -> Table {
    let spectators = usize::from(dialect.data().has_spectators);
    let conditions = Conditions {
        names: PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]),
        timeout: Duration::from_secs(60),
        pace: Duration::ZERO,
        spectators,
        rolls: Vec::new(),
        setup: None,
        seed: number,
    };
    let game = dialect.game();
    let peers = peers::find(game.name()).unwrap();
    let fault = fault.map(|fault| peers.fault(Side::Referee, fault).unwrap());
    let referee = Referee::new(dialect, &conditions).with_fault(fault);
    let policies = policies(!game.kinds_of_roll().is_empty(), number);
    let bots = policies
        .into_iter()
        .zip(2 * number..)
        .map(|(policy, seed)| {
            let mut player = Bot::new(dialect, policy, seed, Duration::ZERO);
            bot(async move |desk| player.play_at(desk).await)
        });
    Table {
        dialect,
        lanes: &LANES[..2 + spectators],
        referee: super::referee(referee, spectators),
        others: bots.chain((0..spectators).map(|_| spectator())).collect(),
    }
}

/// Plays games, each of which is won and verifies, and writes the streams of some lanes, with this between two games.
fn assert_all_verify(
    dialect: &'static dyn Dialect,
    lanes: &[usize],
    between: &[u8],
    options: &[&str],
) {
    let played = play_all(seeds(), |number| {
        play_honestly(table(dialect, number, None), number)
    });
    let files = Files::new();
    let names: Vec<_> = lanes
        .iter()
        .map(|lane| format!("lane-{lane}.txt"))
        .collect();
    for (lane, name) in lanes.iter().zip(&names) {
        // What players sent is marked.
        let streams = played.iter().map(|events| stream(events, *lane, *lane < 2));
        files.write(name, &streams.collect::<Vec<_>>().join(between));
        files.assert_verify(&[name], played.len());
    }
    let names = names.iter().map(String::as_str);
    files.assert_verify(
        &options.iter().copied().chain(names).collect::<Vec<_>>(),
        played.len(),
    );
    let kinds = &LANES[..2 + usize::from(dialect.data().has_spectators)];
    files.assert_verify_recordings(dialect, kinds, &played[..FILES.min(played.len())]);
}

#[test]
fn every_game_of_ur_by_built_in_bots_is_won_and_verifies() {
    assert_all_verify(&CodeColosseum, &[2], b"\n", &[]);
}

/// The streams are as a program leaves them behind that plays a match: one game after the other, with nothing between.
#[test]
fn every_game_of_onitama_by_built_in_bots_is_won_and_verifies() {
    assert_all_verify(&OnitamaJudge, &[0, 1], b"", &["--together"]);
}

#[test]
fn a_wrong_line_is_a_complaint() {
    let cases: [(&'static dyn Dialect, _, _); 2] = [
        (
            &CodeColosseum,
            "garbles-roll-for-spectators",
            "ur/roll/same-for-all",
        ),
        (&OnitamaJudge, "says-who-wins", "oni/end/nothing-more"),
    ];
    for (dialect, fault, requirement) in cases {
        let table = table(dialect, 1, Some(fault));
        let lanes = table.lanes;
        let watched = play(table, 1, false);
        let judged = judged(dialect, lanes, &watched.events);
        assert_eq!(judged.findings[0].requirement, Some(requirement));
    }
}
