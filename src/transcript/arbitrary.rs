//! Transcripts and events of any kind, for the properties of the formats.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;

use super::{
    Close, Direction, Entry, Event, Lag, LaneLabel, LaneTranscript, Processes, Transcript, What,
};
use crate::pack::Protocol;
use crate::protocol::{Line, LineEnding};
use crate::rules::Seat;

fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        any::<char>().prop_map(|character| character.to_string().into_bytes()),
        "[\\\\\\[\\]#<>xurt{}0-9a-f …]{1,5}".prop_map(String::into_bytes),
        select(vec![
            "\u{202e}", "\u{feff}", "\u{2028}", "\r", "\t", " ", "\x1b[2J", "RETIRE", "0 1 1 0"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let text = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
    text.prop_map(|text| text.into_iter().filter(|&byte| byte != b'\n').collect())
}

fn line() -> impl Strategy<Value = Line> {
    let ending = select(vec![
        LineEnding::Newline,
        LineEnding::Missing,
        LineEnding::TooLong,
    ]);
    (text(), ending).prop_map(|(text, ending)| Line { text, ending })
}

fn direction() -> impl Strategy<Value = Direction> {
    select(vec![Direction::Received, Direction::Sent])
}

fn lane() -> impl Strategy<Value = Vec<Entry>> {
    let entry = (direction(), line()).prop_map(|(direction, line)| Entry::new(direction, line));
    prop::collection::vec(entry, 0..12)
}

/// Any transcript with one to five lanes.
pub(super) fn transcript() -> impl Strategy<Value = Transcript> {
    let labels = [
        LaneLabel::Player(Seat::First),
        LaneLabel::Player(Seat::Second),
        LaneLabel::Unseated(2),
        LaneLabel::Spectator(1),
        LaneLabel::Spectator(17),
    ];
    let lanes = (
        prop::sample::subsequence(labels.to_vec(), 1..=5),
        prop::collection::vec(lane(), 5),
    );
    lanes.prop_map(|(labels, lanes)| {
        let lanes = labels.into_iter().zip(lanes);
        let lanes = lanes
            .map(|(label, entries)| LaneTranscript::new(label, entries))
            .collect();
        Transcript {
            protocol: Protocol::named("code-colosseum").unwrap(),
            lanes,
        }
    })
}

/// Any events of a game with this many lanes, in the order of time.
pub(super) fn events(lanes: usize) -> impl Strategy<Value = Vec<Event>> {
    let close = select(vec![Close::End, Close::Reset, Close::Broken]);
    let what = prop_oneof![
        (0..lanes).prop_map(|lane| What::Opened { lane }),
        (0..lanes, direction(), line()).prop_map(|(lane, direction, line)| What::Line {
            lane,
            direction,
            line
        }),
        (0..lanes, direction(), any::<usize>()).prop_map(|(lane, direction, bytes)| What::Piece {
            lane,
            direction,
            bytes
        }),
        (0..lanes, direction(), close).prop_map(|(lane, direction, close)| What::Closed {
            lane,
            direction,
            close
        }),
        (any::<String>(), any::<bool>())
            .prop_map(|(status, is_success)| What::Exited { status, is_success }),
        (
            any::<bool>(),
            any::<bool>(),
            0..1_000_000_u64,
            prop::collection::vec(any::<String>(), 0..3)
        )
            .prop_map(|(lives, is_stopped, computed, started)| {
                let computed = Duration::from_millis(computed);
                What::Processes(Processes {
                    lives,
                    is_stopped,
                    computed,
                    started,
                })
            }),
        Just(What::Alarm),
        Just(What::Hurried),
        Just(What::Interrupted),
        [0..10_000_000_u64, 0..10_000_000_u64].prop_map(|micros| {
            let [own, subject] = micros.map(Duration::from_micros);
            What::Lag(Lag { own, subject })
        }),
        Just(What::Unsupervised),
        Just(What::SpeaksElsewhere),
        (0..1_000_000_000_u64).prop_map(|micros| What::OutOfTime {
            budget: Duration::from_micros(micros)
        }),
        any::<String>().prop_map(|text| What::Notice { text }),
        (0..lanes, direction(), line()).prop_map(|(lane, direction, line)| What::Unfinished {
            lane,
            direction,
            text: line.text
        }),
    ];
    let steps = prop::collection::vec((0..100_000_000_u64, what), 0..20);
    steps.prop_map(|steps| {
        let mut at = Duration::ZERO;
        let event = |(step, what)| {
            at += Duration::from_micros(step);
            Event { at, what }
        };
        steps.into_iter().map(event).collect()
    })
}
