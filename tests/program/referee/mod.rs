//! The built-in referee as others meet it: over TCP and over pipes.

mod lifetime;
mod options;
mod python;
mod subject;

use subject::{Referee, Then};

/// The streams printed in the seed, with `>` before what was sent.
const FIRST: &str = include_str!("../../data/seed/first.txt");
const SECOND: &str = include_str!("../../data/seed/second.txt");
const SPECTATOR: &str = include_str!("../../data/seed/spectator.txt");

/// The rolls of the seed's example.
const ROLLS: &str = "0011 1111 1010 0100 0000 1011 0011 0001 1010";

fn received(stream: &str) -> String {
    stream
        .lines()
        .filter(|line| !line.starts_with('>'))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn sent(stream: &str) -> String {
    stream
        .lines()
        .filter_map(|line| line.strip_prefix('>'))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_example_of_the_seed_gives_its_three_streams() {
    let referee = Referee::start(&["--rolls", ROLLS]);
    let seen = referee.play([&sent(FIRST), &sent(SECOND)], Then::StaySilent);
    assert_eq!(seen.each_ref().map(|seen| seen.end), [Ok(()); 3]);
    assert_eq!(
        seen.map(|seen| seen.text),
        [FIRST, SECOND, SPECTATOR].map(received)
    );
    let ended = referee.end().expect(0);
    ended
        .complains("PlayerA (first) wins")
        .complains("ur/retire/own-token");
}

#[test]
fn each_player_can_wait_for_every_line_before_it_answers() {
    let referee = Referee::start(&["--rolls", ROLLS]);
    let lanes = [referee.player(), referee.player(), referee.spectator()];
    let players = lanes
        .into_iter()
        .zip([FIRST, SECOND, SPECTATOR])
        .map(|(mut lane, stream)| {
            std::thread::spawn(move || {
                for line in stream.lines() {
                    match line.strip_prefix('>') {
                        Some(sent) => lane.send(&format!("{sent}\n")),
                        None => assert_eq!(lane.lines(1), format!("{line}\n")),
                    }
                }
                assert_eq!(lane.rest().text, "");
            })
        });
    for player in players.collect::<Vec<_>>() {
        player.join().unwrap();
    }
}

#[test]
fn a_silent_player_is_retired_when_its_time_is_over() {
    let referee = Referee::start(&["--rolls", "0001", "--timeout", "0.2"]);
    let [first, second, spectator] = referee.play(["", ""], Then::StaySilent);
    assert_eq!(
        first.text, "PlayerA\nPlayerB\n0\n0 0 0 1\n",
        "the retired player is told nothing more"
    );
    assert_eq!(second.text, "PlayerA\nPlayerB\n1\n0 0 0 1\nRETIRE\n");
    assert_eq!(spectator.text, "PlayerA\nPlayerB\n0 0 0 1\nRETIRE\n");
    assert!(second.took.as_secs_f64() > 0.19, "{second:?}");
    let said = "PlayerA (first) has lost, PlayerB (second) wins: no move within the timeout";
    referee.end().complains(said);
}

#[test]
fn a_player_who_hangs_up_is_retired_when_its_turn_comes() {
    let referee = Referee::start(&["--rolls", "0001 0001"]);
    let [first, second, _] = referee.play(["0\n", ""], Then::HangUp);
    assert_eq!(
        first.text,
        "PlayerA\nPlayerB\n0\n0 0 0 1\n0 0 0 1\nRETIRE\n"
    );
    assert_eq!(second.text, "PlayerA\nPlayerB\n1\n0 0 0 1\n0\n0 0 0 1\n");
    referee
        .end()
        .complains("PlayerB (second) has lost, PlayerA (first) wins: hung up");
}

#[test]
fn anything_but_one_digit_and_a_line_feed_is_no_move() {
    let too_long = "0".repeat(100_000) + "\n";
    for line in [
        "+0\n", " 0\n", "0 \n", "00\n", "0\r\n", "7\n", "-1\n", "\n", "x\n", "0", &too_long,
    ] {
        let referee = Referee::start(&["--rolls", "0001 0001"]);
        let [_, second, _] = referee.play([line, ""], Then::HangUp);
        assert_eq!(
            second.text, "PlayerA\nPlayerB\n1\n0 0 0 1\nRETIRE\n",
            "{line:.9?}"
        );
        assert_eq!(second.end, Ok(()));
    }
}

#[test]
fn what_a_player_still_sends_after_the_end_does_not_cost_it_a_line() {
    let referee = Referee::start(&["--rolls", "0001 0001 0001"]);
    let [first, ..] = referee.play(
        [&("0\n9\n".to_owned() + &"0\n".repeat(20_000)), "0\n"],
        Then::StaySilent,
    );
    assert_eq!(
        first.text,
        "PlayerA\nPlayerB\n0\n0 0 0 1\n0 0 0 1\n0\n0 0 0 1\n"
    );
    assert_eq!(first.end, Ok(()));
}

#[test]
fn a_skipped_turn_shows_its_roll_and_nothing_else() {
    let referee = Referee::start(&["--rolls", "0000 0000 0001"]);
    let seen = referee.play(["", ""], Then::HangUp);
    assert_eq!(
        seen[2].text,
        "PlayerA\nPlayerB\n0 0 0 0\n0 0 0 0\n0 0 0 1\nRETIRE\n"
    );
}

#[test]
fn seven_tokens_out_win_and_nothing_follows() {
    // Each token goes 4, 8, 12 and out by 3: the first two steps end on rosettes. The second player never gets to move.
    let mut rolls = String::new();
    let mut moves = String::new();
    for token in 0..7 {
        rolls += "1111 1111 1111 0000 0111 0000 ";
        moves += &format!("{token}\n").repeat(4);
    }
    let referee = Referee::start(&["--rolls", &rolls]);
    let seen = referee.play([&moves, ""], Then::StaySilent);
    for lane in &seen {
        assert_eq!(lane.end, Ok(()));
        assert!(!lane.text.contains("RETIRE"));
    }
    assert!(
        seen[0].text.ends_with("\n0 1 1 1\n"),
        "the winner's own number is not sent back"
    );
    assert!(seen[1].text.ends_with("\n0 1 1 1\n6\n"));
    assert!(seen[2].text.ends_with("\n0 1 1 1\n6\n"));
    assert_eq!(seen[2].text.lines().count(), 2 + 6 * 7 - 1 + 4 * 7);
    let said = "PlayerA (first) has won";
    referee.end().complains(said);
}

#[test]
fn several_games_follow_each_other_on_the_same_ports() {
    let referee = Referee::start(&["--rolls", "0001 0011", "--games", "2"]);
    for (roll, winner) in [("0 0 0 1", 1), ("0 0 1 1", 1)] {
        let seen = referee.play(["", ""], Then::HangUp);
        assert!(
            seen[winner].text.ends_with(&format!("{roll}\nRETIRE\n")),
            "{seen:?}"
        );
    }
    referee.end().expect(0).complains("game 2: ");
}

#[test]
fn the_pace_goes_by_between_two_turns() {
    let referee = Referee::start(&["--rolls", "0000 0000 0001", "--pace", "0.2"]);
    let [first, ..] = referee.play(["", ""], Then::HangUp);
    assert!(
        first.took.as_secs_f64() > 0.39,
        "two turns have to wait: {first:?}"
    );
}
