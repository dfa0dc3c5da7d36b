//! The model over the judge's dialect: lanes that echo, lines that are ignored or open, a loss that only the end of the lanes shows.

use super::*;
use crate::protocol::{Answered, Cause, Expected, LaneKind, Model, feed, receive, received};
use crate::rules::{GameResult, PerSeat, Table};

/// One game on the public judge, with `>` before what was sent.
const TOP: &str = include_str!("../../../tests/data/onitama-judge/top.txt");
const BOTTOM: &str = include_str!("../../../tests/data/onitama-judge/bottom.txt");

const LANES: [LaneKind; 2] = [LaneKind::Player; 2];

fn moves(model: &Model) -> Vec<String> {
    let of = |happening: &GameEvent| match happening {
        GameEvent::Moved { mv, .. } => Some(model.dialect().game().format_move(*mv)),
        _ => None,
    };
    model.history().iter().filter_map(of).collect()
}

/// Returns the lines that the players sent, in turns: Bottom started.
fn sent() -> Vec<String> {
    let of = |stream: &'static str| stream.lines().filter_map(|line| line.strip_prefix('>'));
    let (mut top, mut bottom) = (of(TOP), of(BOTTOM));
    let mut all = Vec::new();
    loop {
        let round = [bottom.next(), top.next()];
        if round == [None, None] {
            return all;
        }
        all.extend(round.into_iter().flatten().map(str::to_owned));
    }
}

#[test]
fn each_lane_of_the_captured_game_alone_tells_it() {
    for stream in [TOP, BOTTOM] {
        for sees in [true, false] {
            let mut model = Model::new(&OnitamaJudge, &LANES[..1], PerSeat([false, false]));
            let (greeting, game) =
                stream.split_at(stream.match_indices('\n').nth(2).unwrap().0 + 1);
            feed(&mut model, 0, greeting);
            let Some(Party::Player(seat)) = model.party(0) else {
                panic!("no seat")
            };
            model.set_sees_sent(seat, sees);
            feed(
                &mut model,
                0,
                &if sees {
                    game.to_owned()
                } else {
                    received(game)
                },
            );
            assert!(model.is_over() && model.is_caught_up());
            assert_eq!(moves(&model), sent());
            let won = GameEvent::Moved {
                by: Seat::First,
                result: Some(GameResult::Won(Seat::First)),
                mv: model.dialect().game().parse_move("Frog a3 b4").unwrap(),
            };
            assert_eq!(model.history().last(), Some(&won));
            assert_eq!(
                model
                    .dialect()
                    .closes_after(&won)
                    .map(|closing| closing.some),
                Some("oni/win/drops-both")
            );
        }
    }
}

#[test]
fn both_lanes_of_the_captured_game_are_one_game_in_whatever_order_they_are_read() {
    for order in [[0, 1], [1, 0]] {
        let mut model = Model::new(&OnitamaJudge, &LANES, PerSeat([false, false]));
        for lane in order {
            feed(&mut model, lane, &received([TOP, BOTTOM][lane]));
        }
        assert!(model.is_over() && model.is_caught_up());
        assert_eq!(moves(&model), sent());
    }
}

/// Top has Cobra and Eel, Bottom Crab and Rabbit, Tiger lies in the middle; Top starts.
fn after_greeting() -> Model {
    let mut model = Model::new(&OnitamaJudge, &LANES, PerSeat([true, true]));
    let rest = "Cards: Cobra,Eel,Crab,Rabbit,Tiger\nTop starts";
    feed(&mut model, 0, &format!("You are Top\n{rest}"));
    feed(&mut model, 1, &format!("You are Bottom\n{rest}"));
    assert_eq!(model.awaits_move_of(), Some(Seat::First));
    model
}

#[test]
fn sides_cards_and_starter_are_told_alike_to_both() {
    let mut model = Model::new(&OnitamaJudge, &LANES, PerSeat([true, true]));
    feed(
        &mut model,
        1,
        "You are Top\nCards: Cobra,Eel,Crab,Rabbit,Tiger",
    );
    assert!(model.table().is_none(), "who starts is not known");
    let deviation = receive(&mut model, 0, "You are Top").unwrap_err();
    assert_eq!(
        deviation.expected,
        Expected::Line(b"You are Bottom".to_vec())
    );
    feed(&mut model, 0, "You are Bottom");
    let deviation = receive(&mut model, 0, "Cards: Eel,Cobra,Crab,Rabbit,Tiger").unwrap_err();
    assert_eq!(deviation.requirement, "oni/setup/cards-to-both");
    assert_eq!(
        deviation.expected,
        Expected::Line(b"Cards: Cobra,Eel,Crab,Rabbit,Tiger".to_vec())
    );
    feed(
        &mut model,
        0,
        "Cards: Cobra,Eel,Crab,Rabbit,Tiger\nBottom starts",
    );
    assert_eq!(
        receive(&mut model, 1, "Top starts")
            .unwrap_err()
            .requirement,
        "oni/setup/starter"
    );
    assert_eq!(model.table().map(Table::to_move), Some(Seat::Second));
}

#[test]
fn nobody_is_told_of_a_loss_and_every_lane_has_to_end() {
    let mut model = after_greeting();
    let answered = model.said(Seat::First, b"Tiger a1 a3");
    assert_eq!(
        answered,
        Answered::Lost(Cause::Invalid("oni/invalid/middle-card"))
    );
    assert!(model.is_over() && model.is_caught_up());
    assert!(
        model
            .dialect()
            .closes_after(model.history().last().unwrap())
            .is_some()
    );
    for (line, requirement) in [
        ("Tiger a1 a3", "oni/invalid/not-broadcast"),
        ("Bottom wins", "oni/end/nothing-more"),
    ] {
        let deviation = receive(&mut model, 1, line).unwrap_err();
        assert_eq!(
            (deviation.requirement, deviation.expected),
            (requirement, Expected::NothingMore)
        );
    }
}

#[test]
fn a_line_that_is_no_move_leaves_the_player_on_turn_and_bears_the_blame() {
    let mut model = after_greeting();
    assert_eq!(
        model.said(Seat::First, b"banana"),
        Answered::Ignored("oni/input/not-a-move")
    );
    assert_eq!(model.awaits_move_of(), Some(Seat::First));
    model.said(Seat::First, b"Cobra e1 d2");
    assert_eq!(
        model.missing(0).unwrap().requirement,
        "oni/input/not-a-move"
    );
    for lane in 0..2 {
        receive(&mut model, lane, "Cobra e1 d2").unwrap();
    }
    model.said(Seat::Second, b"Crab a5 a4");
    assert_eq!(model.missing(0).unwrap().requirement, "oni/turn/alternates");
}

#[test]
fn a_card_that_does_not_exist_loses_or_is_ignored_as_the_referee_has_it() {
    let mut model = after_greeting();
    assert_eq!(
        model.said(Seat::First, b"Kobra e1 d2"),
        Answered::Open("oni/input/unknown-card")
    );
    assert_eq!(
        (model.awaits_move_of(), model.missing(0)),
        (Some(Seat::First), None)
    );
    assert_eq!(
        model.said(Seat::First, b"Cobra e1 d2"),
        Answered::Open("oni/input/unknown-card")
    );
    assert_eq!(model.missing(1).unwrap().requirement, "oni/move/accepted");
    receive(&mut model, 1, "Cobra e1 d2").unwrap();
    assert_eq!(
        model.take_decisions(),
        [(
            "oni/input/unknown-card",
            "\"Kobra e1 d2\" was ignored".to_owned()
        )]
    );
    receive(&mut model, 0, "Cobra e1 d2").unwrap();
    assert_eq!(model.awaits_move_of(), Some(Seat::Second));

    let mut model = after_greeting();
    model.said(Seat::First, b"Cobra a0 b2");
    let lost = GameEvent::Lost {
        by: Seat::First,
        cause: Cause::Invalid("oni/input/off-board"),
    };
    assert_eq!(model.explain_end(), Some(lost));
    assert_eq!(
        model.take_decisions()[0].1,
        "\"Cobra a0 b2\" was taken as invalid: the lanes ended"
    );
    assert!(model.is_over());
}

#[test]
fn a_move_with_a_carriage_return_is_taken_or_ignored() {
    let mut model = after_greeting();
    assert_eq!(
        model.said(Seat::First, b"Cobra e1 d2\r"),
        Answered::Open("oni/input/crlf")
    );
    assert_eq!((model.awaits_move_of(), model.missing(0)), (None, None));
    assert_eq!(model.explain_end(), None, "it may not lose");
    receive(&mut model, 0, "Cobra e1 d2").unwrap();
    receive(&mut model, 1, "Cobra e1 d2").unwrap();
    assert_eq!(model.awaits_move_of(), Some(Seat::Second));

    let mut model = after_greeting();
    model.said(Seat::First, b"Cobra e1 d2\r");
    assert!(model.stay_silent());
    assert_eq!(model.awaits_move_of(), Some(Seat::First));
    assert_eq!(
        model.take_decisions()[0].1,
        "\"Cobra e1 d2\\r\" was ignored"
    );
}
