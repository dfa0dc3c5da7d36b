use std::io::BufReader;

use super::*;
use crate::games::royalur::CodeColosseum;
use crate::transcript::recording::{Reader, Record};

fn recorder(folder: &tempfile::TempDir, lanes: &[LaneKind]) -> PassiveRecorder {
    let path = folder.path().join("game.jsonl");
    PassiveRecorder::create(&path, Protocol::Game(&CodeColosseum), lanes).unwrap()
}

/// Reads the events that the file holds now.
fn events(recorder: &PassiveRecorder) -> Vec<What> {
    let mut reader =
        Reader::new("game", BufReader::new(File::open(recorder.path()).unwrap())).unwrap();
    let event = |record| match record {
        Ok(Record::Event(event)) => event.what,
        other => panic!("{other:?}"),
    };
    let events = reader.by_ref().map(event).collect();
    assert!(reader.cut_off().is_none());
    events
}

fn line(lane: usize, direction: Direction, text: &str) -> What {
    What::Line {
        lane,
        direction,
        line: crate::protocol::Line::new(text),
    }
}

fn unfinished(text: &str) -> What {
    What::Unfinished {
        lane: 0,
        direction: Direction::Sent,
        text: text.into(),
    }
}

#[test]
fn a_line_is_in_the_file_before_its_last_bytes_are_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder, &[LaneKind::Player]);
    let lane = recorder.open(LaneKind::Player);
    assert_eq!(events(&recorder), [What::Opened { lane: 0 }]);
    recorder.bytes(lane, Direction::Received, b"0 0");
    recorder.bytes(lane, Direction::Sent, b"3\n+");
    recorder.bytes(lane, Direction::Received, b" 1 1\n>3\n1 ");
    let lines = [
        line(0, Direction::Sent, "3"),
        line(0, Direction::Received, "0 0 1 1"),
        line(0, Direction::Received, ">3"),
    ];
    assert_eq!(events(&recorder)[1..], lines);
    recorder.closed(lane, Direction::Received, Close::Reset);
    recorder.closed(lane, Direction::Received, Close::End);
    let [.., rest, closed] = &events(&recorder)[..] else {
        panic!()
    };
    assert!(
        matches!(rest, What::Line { line, .. } if line.text == b"1 "),
        "{rest:?}"
    );
    assert_eq!(
        *closed,
        What::Closed {
            lane: 0,
            direction: Direction::Received,
            close: Close::Reset
        }
    );
    recorder.interrupt();
    assert_eq!(events(&recorder)[6..], [unfinished("+"), What::Interrupted]);
}

#[test]
fn half_a_line_is_written_down_when_its_lane_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder, &[LaneKind::Player]);
    let lane = recorder.open(LaneKind::Player);
    recorder.bytes(lane, Direction::Sent, b"3");
    recorder.closed(lane, Direction::Received, Close::Reset);
    assert!(recorder.leave(lane));
    assert_eq!(events(&recorder).last(), Some(&unfinished("3")));
    recorder.interrupt();
    let once = [unfinished("3"), What::Interrupted];
    assert_eq!(events(&recorder)[2..], once);
}

#[test]
fn whoever_comes_gets_a_lane_and_the_game_is_over_when_all_have_left() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder, &[]);
    let spectator = recorder.open(LaneKind::Spectator);
    assert!(!recorder.leave(spectator), "nobody has played yet");
    let (one, other) = (
        recorder.open(LaneKind::Player),
        recorder.open(LaneKind::Player),
    );
    recorder.bytes(other, Direction::Received, b"B\n");
    assert!(!recorder.leave(one));
    assert!(recorder.leave(other) && recorder.is_over());
    assert_eq!(recorder.size(), (1, 3));
    let mut reader =
        Reader::new("game", BufReader::new(File::open(recorder.path()).unwrap())).unwrap();
    let game = crate::transcript::LoggedGame::from_recording("game", &mut reader).unwrap();
    let kinds = game
        .lanes
        .iter()
        .map(|lane| (lane.label.kind(), lane.entries.len()));
    let (player, spectator) = (LaneKind::Player, LaneKind::Spectator);
    assert!(kinds.eq([(spectator, 0), (player, 0), (player, 1)]));
}

#[test]
fn what_is_there_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let names = [(); 3].map(|()| {
        recorder(&folder, &[])
            .path()
            .file_name()
            .unwrap()
            .to_owned()
    });
    assert_eq!(names, ["game.jsonl", "game-2.jsonl", "game-3.jsonl"]);
    assert_eq!(numbered(Path::new("a.b/game"), 2), Path::new("a.b/game-2"));
}

#[test]
fn a_recording_that_cannot_be_written_any_more_is_told_once_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder, &[LaneKind::Player]);
    let (read, write) = nix::unistd::pipe().unwrap();
    let writer = Writer::new(
        File::from(write),
        &Header::new(Protocol::Game(&CodeColosseum), &[LaneKind::Player]),
    )
    .unwrap();
    recorder.state().writer = Some(writer);
    drop(read);
    let lane = recorder.open(LaneKind::Player);
    recorder.bytes(lane, Direction::Received, b"A\nB\n");
    assert_eq!(
        recorder.take_failure().unwrap().kind(),
        io::ErrorKind::BrokenPipe
    );
    assert!(recorder.take_failure().is_none());
    assert!(recorder.leave(lane));
}

#[test]
fn memory_does_not_grow_with_a_line_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder, &[LaneKind::Player]);
    let lane = recorder.open(LaneKind::Player);
    for _ in 0..64 {
        recorder.bytes(lane, Direction::Sent, &[b'x'; 64 * 1024]);
    }
    recorder.bytes(lane, Direction::Sent, b"\n1\n");
    let told = events(&recorder);
    assert_eq!(told.len(), 3);
    assert_eq!(told[2], line(0, Direction::Sent, "1"));
    assert!(std::fs::metadata(recorder.path()).unwrap().len() < 70 * 1024);
}
