use super::*;
use crate::games::royalur::CodeColosseum;
use crate::protocol::{Deviation, Expected, Line, Party};
use crate::rules::Move;

/// The streams printed in seed `000`, with `>` before what was sent.
const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");

const LANES: [LaneKind; 3] = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];

pub(crate) fn receive(
    model: &mut Model,
    lane: usize,
    text: &str,
) -> Result<Received, Box<Deviation>> {
    model.receive(lane, &Line::new(text))
}

/// Feeds the lines of a lane one after the other, sent ones as sent.
pub(crate) fn feed(model: &mut Model, lane: usize, text: &str) {
    for line in text.lines() {
        match line.strip_prefix('>') {
            Some(sent) => {
                model.sent(lane, sent.as_bytes());
            }
            None => {
                receive(model, lane, line)
                    .unwrap_or_else(|deviation| panic!("{line}: {deviation:?}"));
            }
        }
    }
}

/// Returns the lines of a stream that were received.
pub(crate) fn received(stream: &str) -> String {
    stream
        .lines()
        .filter(|line| !line.starts_with('>'))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_spectators_stream_alone_tells_the_game() {
    let mut model = Model::new(
        &CodeColosseum,
        &[LaneKind::Spectator],
        PerSeat([false, false]),
    );
    feed(&mut model, 0, SPECTATOR);
    assert!(model.is_over() && model.is_caught_up());
    assert_eq!(
        model.history().last(),
        Some(&GameEvent::Lost {
            by: Seat::Second,
            cause: Cause::Unseen
        })
    );
}

#[test]
fn a_players_stream_alone_tells_the_game() {
    for (text, seat, cause) in [
        (FIRST, Seat::First, Cause::Unseen),
        (SECOND, Seat::Second, Cause::Invalid("ur/retire/own-token")),
    ] {
        let mut model = Model::new(&CodeColosseum, &[LaneKind::Player], PerSeat([false, false]));
        model.set_sees_sent(seat, true);
        feed(&mut model, 0, text);
        assert!(model.is_over());
        assert_eq!(
            model.history().last(),
            Some(&GameEvent::Lost {
                by: Seat::Second,
                cause
            })
        );
    }
}

#[test]
fn all_lanes_together_are_one_game_in_whatever_order_they_are_read() {
    let mut model = Model::new(&CodeColosseum, &LANES, PerSeat([false, false]));
    feed(&mut model, 2, SPECTATOR);
    feed(&mut model, 1, &received(SECOND));
    feed(&mut model, 0, &received(FIRST));
    assert!(model.is_over() && model.is_caught_up());
}

fn after_handshake() -> Model {
    let mut model = Model::new(&CodeColosseum, &LANES, PerSeat([true, true]));
    for (lane, lines) in ["A\nB\n0", "A\nB\n1", "A\nB"].into_iter().enumerate() {
        feed(&mut model, lane, lines);
    }
    model
}

fn roll(model: &mut Model, coins: &str) {
    for lane in 0..3 {
        receive(model, lane, coins).unwrap();
    }
}

#[test]
fn an_echo_is_one_whichever_lane_is_read_first() {
    for is_next_roll_known in [false, true] {
        let mut model = after_handshake();
        roll(&mut model, "0 0 1 1");
        model.sent(0, b"3");
        receive(&mut model, 1, "3").unwrap();
        if is_next_roll_known {
            receive(&mut model, 1, "1 1 1 1").unwrap();
        }
        let deviation = receive(&mut model, 0, "3").unwrap_err();
        assert_eq!(deviation.requirement, "ur/move/not-echoed");
    }
}

#[test]
fn seats_are_learnt_from_the_index_and_given_once() {
    let mut model = Model::new(&CodeColosseum, &LANES[..2], PerSeat([true, true]));
    feed(&mut model, 0, "A\nB\n1");
    assert_eq!(model.party(0), Some(Party::Player(Seat::Second)));
    feed(&mut model, 1, "A\nB");
    let deviation = receive(&mut model, 1, "1").unwrap_err();
    assert_eq!(deviation.requirement, "ur/handshake/index");
    assert_eq!(deviation.expected, Expected::Line(b"0".to_vec()));
}

#[test]
fn names_differ_on_no_lane() {
    let mut model = Model::new(&CodeColosseum, &LANES, PerSeat([true, true]));
    receive(&mut model, 0, "A").unwrap();
    let deviation = receive(&mut model, 1, "B").unwrap_err();
    assert_eq!(
        (deviation.requirement, deviation.line_number),
        ("ur/handshake/first-name", 1)
    );
}

#[test]
fn a_spectator_gets_no_index() {
    let mut model = Model::new(&CodeColosseum, &LANES, PerSeat([true, true]));
    feed(&mut model, 2, "A\nB");
    assert_eq!(
        receive(&mut model, 2, "0").unwrap_err().requirement,
        "ur/handshake/spectator-names-only"
    );
}

#[test]
fn a_missing_relay_after_a_rosette_rests_on_the_extra_turn() {
    let mut model = after_handshake();
    roll(&mut model, "1 1 1 1");
    assert_eq!(model.sent(0, b"0"), Answered::Moved(Move(0)));
    for lane in 1..3 {
        receive(&mut model, lane, "0").unwrap();
    }
    roll(&mut model, "0 0 0 1");
    assert_eq!(model.sent(0, b"1"), Answered::Moved(Move(1)));
    assert_eq!(
        model.missing(1).unwrap().requirement,
        "ur/extra-turn/cell-4"
    );
    assert!(model.missing(1).is_some() && model.awaits_roll());
}

#[test]
fn an_illegal_move_that_is_relayed_breaks_the_rule_that_refuses_it() {
    let mut model = after_handshake();
    roll(&mut model, "0 0 0 1");
    assert_eq!(
        model.sent(0, b"7"),
        Answered::Lost(Cause::Invalid("ur/retire/number-out-of-range"))
    );
    let deviation = receive(&mut model, 1, "7").unwrap_err();
    assert_eq!(deviation.requirement, "ur/retire/number-out-of-range");
    assert_eq!(deviation.expected, Expected::Line(b"RETIRE".to_vec()));
}

#[test]
fn the_retired_players_own_lane_may_see_it_or_not() {
    let mut model = after_handshake();
    roll(&mut model, "0 0 0 1");
    model.sent(0, b"banana");
    assert_eq!(
        receive(&mut model, 0, "RETIRE"),
        Ok(Received::Open("ur/retire/own-lane"))
    );
    assert_eq!(receive(&mut model, 1, "RETIRE"), Ok(Received::Due));
    assert_eq!(
        receive(&mut model, 1, "RETIRE").unwrap_err().requirement,
        "ur/retire/ends-the-game"
    );
    assert!(!model.is_caught_up(), "the spectator has not been told");
}

#[test]
fn an_open_form_of_a_number_is_what_the_referee_makes_of_it() {
    for (shown, is_over) in [("0", false), ("RETIRE", true)] {
        let mut model = after_handshake();
        roll(&mut model, "0 0 0 1");
        assert_eq!(
            model.sent(0, b"+0"),
            Answered::Open("ur/input/number-format")
        );
        assert_eq!(model.awaits_move_of(), None);
        receive(&mut model, 1, shown).unwrap();
        assert_eq!(model.is_over(), is_over);
    }
}

#[test]
fn a_line_while_a_move_is_awaited_is_one_too_many() {
    let mut model = after_handshake();
    roll(&mut model, "0 0 0 1");
    let deviation = receive(&mut model, 2, "0 0 0 1").unwrap_err();
    assert_eq!(
        (deviation.requirement, deviation.expected),
        ("ur/skip/only-when-blocked", Expected::NothingYet)
    );
}

#[test]
fn a_skipped_turn_must_be_followed_by_a_roll() {
    let mut model = after_handshake();
    roll(&mut model, "0 0 0 0");
    assert_eq!(model.missing(0).unwrap().requirement, "ur/skip/roll-0");
}
