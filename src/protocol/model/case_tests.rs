//! Dialogues of the model: `tests/cases/model/NAME.txt`, and what the model says to them in `snapshots/model/NAME.snap`.
//!
//! After a sentence, its rows and `---`, the first line names the dialect, the lanes (`p` for a player, `s` for a spectator) and the players
//! whose lines are seen, `12`, `1`, `2` or `-`. Each further line is an event or a question:
//!
//! `01 LINE`: both lanes receive a line; `0 > LINE`: the participant of the lane sends one; `0 leaves`: it hangs up; `0 reads FILE` and `0 receives FILE`: what a
//! file of `tests/data` holds comes, with or without what it sent; `sees 1`: from now on, what the first player sends is seen.

use std::fmt::Write;

use crate::case_files::{assert_all, each_row, unescaped};
use crate::pack;
use crate::protocol::{Cause, Expected, GameEvent, LaneKind, Line, Model, Received};
use crate::rules::{Move, PerSeat, Roll, Seat};

#[test]
fn the_model_says_to_each_dialogue_what_is_kept() {
    assert_all("model", |case| each_row(case, said_of_dialogue));
}

/// The events of turns of Ur: in `first 3 > 0, second 0` the first player rolls three heads and moves token 0, and the second player is
/// skipped. After a roll of some heads that stands alone, the move is still due.
pub(crate) fn history(turns: &str) -> Vec<GameEvent> {
    let mut events = Vec::new();
    for turn in turns.split(", ") {
        let (roll, token) = turn.split_once(" > ").unwrap_or((turn, ""));
        let (seat, heads) = roll.split_once(' ').unwrap();
        let by = [Seat::First, Seat::Second][usize::from(seat == "second")];
        let roll = Roll((1 << heads.parse::<u32>().unwrap()) - 1);
        let skipped = roll == Roll(0);
        events.push(GameEvent::Rolled { by, roll, skipped });
        let mv = token.parse().ok().map(Move);
        events.extend(mv.map(|mv| GameEvent::Moved {
            by,
            mv,
            result: None,
        }));
    }
    events
}

fn said_of_dialogue(text: &str) -> String {
    let mut lines = text.lines();
    let head: Vec<_> = lines.next().unwrap().split(' ').collect();
    let kind = |letter| match letter {
        'p' => LaneKind::Player,
        _ => LaneKind::Spectator,
    };
    let lanes: Vec<_> = head[1].chars().map(kind).collect();
    let sees = PerSeat(["1", "2"].map(|seat| head[2].contains(seat)));
    let mut model = Model::new(pack::dialect(head[0]).unwrap(), &lanes, sees);
    let mut said = String::new();
    for line in lines {
        let answer = answer(&mut model, line);
        writeln!(said, "{line} -> {answer}").unwrap();
    }
    said + &state(&mut model, lanes.len())
}

fn answer(model: &mut Model, line: &str) -> String {
    let (who, what) = line.split_once(' ').unwrap();
    let lane = |digit: &str| digit.parse::<usize>().unwrap();
    let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
    match (who, word) {
        ("sees", seat) => {
            model.set_sees_sent([Seat::First, Seat::Second][lane(seat) - 1], true);
            "yes".to_owned()
        }
        ("missing", at) => match model.missing(lane(at)) {
            Some(missing) => missing.requirement.to_owned(),
            None => "nothing".to_owned(),
        },
        ("explain", "end") => format!("{:?}", model.explain_end()),
        ("stay", "silent") => model.stay_silent().to_string(),
        (at, "leaves") => {
            model.leave(lane(at), false, b"");
            "gone".to_owned()
        }
        (at, ">") => format!("{:?}", model.sent(lane(at), unescaped(rest).as_bytes())),
        (at, "reads" | "receives") => {
            let file = format!("{}/tests/data/{rest}", env!("CARGO_MANIFEST_DIR"));
            for line in std::fs::read_to_string(file).unwrap().lines() {
                match line.strip_prefix('>') {
                    Some(sent) if word == "reads" => drop(model.sent(lane(at), sent.as_bytes())),
                    Some(_) => {}
                    None => assert_eq!(received(model, lane(at), line).find("not"), None, "{line}"),
                }
            }
            "all of it".to_owned()
        }
        (digits, _) => {
            let each = digits.bytes().map(|digit| usize::from(digit - b'0'));
            let all: Vec<_> = each
                .map(|lane| received(model, lane, &unescaped(what)))
                .collect();
            all.join(", ")
        }
    }
}

/// What the model says of a line that comes.
fn received(model: &mut Model, lane: usize, text: &str) -> String {
    match model.receive(lane, &Line::new(text)) {
        Ok(Received::News(_)) => "news".to_owned(),
        Ok(received) => format!("{received:?}").to_lowercase(),
        Err(deviation) => {
            let expected = match deviation.expected {
                Expected::Line(line) => format!("{:?}", String::from_utf8(line).unwrap()),
                expected => format!("{expected:?}"),
            };
            let (id, number) = (deviation.requirement, deviation.line_number);
            format!("not line {number}: {id}, {expected}")
        }
    }
}

/// All that the model knows: the parties, the game so far, and what is awaited.
fn state(model: &mut Model, lanes: usize) -> String {
    let parties = (0..lanes).map(|lane| model.party(lane));
    let mut said = format!("{:?}\n", parties.collect::<Vec<_>>());
    let game = model.dialect().game();
    for event in model.history() {
        let seat = game.seat_name(event.by());
        let words = match *event {
            GameEvent::Rolled { roll, skipped, .. } => {
                format!(
                    "rolls {}{}",
                    game.format_roll(roll),
                    if skipped { ", skipped" } else { "" }
                )
            }
            GameEvent::Moved { mv, result, .. } => {
                let result = result.map_or(String::new(), |result| format!(", {result:?}"));
                format!("moves {}{result}", game.format_move(mv))
            }
            GameEvent::Lost {
                cause: Cause::Invalid(id),
                ..
            } => format!("loses by {id}"),
            GameEvent::Lost { cause, .. } => format!("loses: {cause:?}"),
        };
        writeln!(said, "{seat} {words}").unwrap();
    }
    let last = model.history().last();
    let closing = last.and_then(|last| model.dialect().closes_after(last));
    if let Some(closing) = closing {
        writeln!(said, "closes by {}, {}", closing.none, closing.some).unwrap();
    }
    for (id, decision) in model.take_decisions() {
        writeln!(said, "decided {id}: {decision}").unwrap();
    }
    let (is_over, is_caught_up) = (model.is_over(), model.is_caught_up());
    let (roll, mover) = (model.awaits_roll(), model.awaits_move_of());
    let begun = model.table().is_some();
    writeln!(said, "begun: {begun}, over: {is_over}, all told: {is_caught_up}, awaits a roll: {roll}, a move of: {mover:?}").unwrap();
    said
}
