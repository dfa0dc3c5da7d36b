use std::io::{self, Write};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::case_files::{assert_all, each_row};
use crate::games::royalur::CodeColosseum;
use crate::pack::Protocol;
use crate::protocol::LaneKind::{Player, Spectator};
use crate::protocol::{Line, LineEnding};
use crate::transcript::{Close, Direction, Event, Lag, LaneEvents, Processes, What, arbitrary};

fn header() -> Header {
    Header::new(Protocol::Game(&CodeColosseum), &[Player, Player, Spectator])
}

/// The line of a header.
fn head(header: &Header) -> String {
    let mut line = Vec::new();
    writer::write_line(&header.first_line(), &mut line);
    String::from_utf8(line).unwrap()
}

fn recorded(events: &[Event]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    events.iter().for_each(|event| writer.event(event).unwrap());
    writer.verdict(json!({"outcome": "pass"})).unwrap()
}

fn records(bytes: &[u8]) -> (Vec<Result<Record, String>>, Option<String>) {
    let mut reader = Reader::new("game.jsonl", bytes).unwrap();
    let records = reader
        .by_ref()
        .map(|record| record.map_err(|fault| fault.to_string()))
        .collect();
    (records, reader.cut_off().map(ToString::to_string))
}

fn event(micros: u64, what: What) -> Event {
    Event {
        at: Duration::from_micros(micros),
        what,
    }
}

fn line(lane: usize, text: &str) -> What {
    What::Line {
        lane,
        direction: Direction::Received,
        line: Line::new(text),
    }
}

proptest! {
    #[test]
    fn any_events_read_back_the_same(events in arbitrary::events(3)) {
        let (read, cut_off) = records(&recorded(&events));
        let mut expected: Vec<_> = events.into_iter().map(|event| Ok(Record::Event(event))).collect();
        expected.push(Ok(Record::Verdict(json!({"outcome": "pass"}))));
        prop_assert_eq!((read, cut_off), (expected, None));
    }

    #[test]
    fn after_a_crash_at_any_byte_every_complete_line_is_readable(
        events in arbitrary::events(3), share in 0.0..1.0_f64,
    ) {
        let whole = recorded(&events);
        let head = head(&header()).len();
        let cut = head + ((whole.len() - head) as f64 * share) as usize;
        let (read, cut_off) = records(&whole[..cut]);
        let complete = whole[head..cut].iter().filter(|&&byte| byte == b'\n').count();
        prop_assert!(read.iter().all(Result::is_ok));
        // A line that lacks nothing but its newline is complete too.
        let is_partial = whole[cut - 1] != b'\n';
        prop_assert_eq!(read.len() + usize::from(cut_off.is_some()), complete + usize::from(is_partial));
        prop_assert!(cut_off.is_none() || is_partial);
    }

    #[test]
    fn never_panics_on_any_bytes(bytes in any::<Vec<u8>>(), body in "[{}\":,a-z0-9.\n-]{0,80}") {
        let old = head(&header()).replace("\"version\":3", "\"version\":2");
        for start in [String::new(), head(&header()), head(&header()) + "[0,{\"", old + "{\"t\":"] {
            for tail in [bytes.as_slice(), body.as_bytes()] {
                let file = [start.as_bytes(), tail].concat();
                if let Ok(reader) = Reader::new("game.jsonl", file.as_slice()) {
                    reader.for_each(drop);
                }
            }
        }
    }
}

/// A sample of the kind of event after this one; the last has none after it. There is no wildcard, so that a new kind cannot be
/// forgotten here, nor in the writer.
fn next_kind(what: &What) -> Option<What> {
    let (lane, direction) = (1, Direction::Sent);
    Some(match what {
        What::Opened { .. } => line(0, "A"),
        What::Line { .. } => What::Piece {
            lane,
            direction,
            bytes: 7,
        },
        What::Piece { .. } => What::Unfinished {
            lane,
            direction,
            text: b"0 1".to_vec(),
        },
        What::Unfinished { .. } => What::Closed {
            lane,
            direction,
            close: Close::Broken,
        },
        What::Closed { .. } => What::Exited {
            status: "killed by signal 9".to_owned(),
            is_success: false,
        },
        What::Exited { .. } => What::Processes(Processes {
            lives: true,
            is_stopped: false,
            computed: Duration::from_millis(7),
            started: vec!["sleep".to_owned()],
        }),
        What::Processes(_) => What::Alarm,
        What::Alarm => What::Hurried,
        What::Hurried => What::Interrupted,
        What::Interrupted => What::Lag(Lag {
            own: Duration::from_millis(2),
            subject: Duration::from_millis(3),
        }),
        What::Lag(_) => What::OutOfTime {
            budget: Duration::from_millis(1500),
        },
        What::OutOfTime { .. } => What::Notice {
            text: "the server said: \u{202e}no\n".to_owned(),
        },
        What::Notice { .. } => What::Unsupervised,
        What::Unsupervised => What::SpeaksElsewhere,
        What::SpeaksElsewhere => return None,
    })
}

#[test]
fn every_kind_of_event_reads_back() {
    let kinds = std::iter::successors(Some(What::Opened { lane: 2 }), next_kind);
    let events: Vec<_> = kinds
        .enumerate()
        .map(|(at, what)| event(at as u64, what))
        .collect();
    assert_eq!(events.len(), 15, "the chain holds every kind");
    let recorded = recorded(&events);
    let mut reader = Reader::new("game.jsonl", &recorded[..])
        .unwrap()
        .map(Result::unwrap);
    for event in events {
        assert_eq!(reader.next(), Some(Record::Event(event)));
    }
}

/// What is read of a case: the header and each record, and what was passed over. `HEADER` stands for a usual first line.
fn said_of_recording(text: &str) -> String {
    let text = text.replace("HEADER", head(&header()).trim_end());
    let mut reader = match Reader::new("game.jsonl", text.trim_end().as_bytes()) {
        Ok(reader) => reader,
        Err(problem) => return format!("{problem}\n"),
    };
    let version = format!("{:?}", env!("CARGO_PKG_VERSION"));
    let mut said = head(reader.header()).replace(&version, "VERSION");
    for record in reader.by_ref() {
        said += &match record {
            Ok(record) => format!("{record:?}\n"),
            Err(problem) => format!("{problem}\n"),
        };
    }
    let cut_off = reader
        .cut_off()
        .map_or(String::new(), |cut_off| format!("{cut_off}\n"));
    format!("{said}{cut_off}passed over: {}\n", reader.passed_over())
}

#[test]
fn reads_what_others_write_and_says_what_is_wrong() {
    assert_all("recordings", |case| each_row(case, said_of_recording));
}

#[test]
fn writes_one_object_per_line() {
    let mut header = header();
    header.subject = Some("referee".to_owned());
    header.program = Some("0.1.0".to_owned());
    header.name = Some("mine".to_owned());
    header.is_again = true;
    header.scenario = Some(RecordedScenario {
        path: "a.yaml#one".to_owned(),
        text: "game: royalur\n".to_owned(),
        name: "a#one".to_owned(),
        included: vec![Included {
            path: "_b.yaml".to_owned(),
            text: "turns: []\n".to_owned(),
        }],
        golden: Some("dialect".to_owned()),
        by_chance: true,
        without_names: true,
    });
    header.parameters.insert("pace".to_owned(), json!(0.5));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    for what in [
        What::Opened { lane: 2 },
        line(0, "Al\u{202e}\"\\\u{e9}"),
        What::Piece {
            lane: 1,
            direction: Direction::Sent,
            bytes: 2,
        },
        What::Line {
            lane: 1,
            direction: Direction::Sent,
            line: Line {
                text: b"3\xff".to_vec(),
                ending: LineEnding::Missing,
            },
        },
        What::Closed {
            lane: 1,
            direction: Direction::Received,
            close: Close::Reset,
        },
        What::Exited {
            status: "exit status 1".to_owned(),
            is_success: false,
        },
        What::Alarm,
    ] {
        writer.event(&event(1_000_020, what)).unwrap();
    }
    let stderr = Record::Stderr(b"Traceback:\n  \x1b[1m".to_vec());
    writer.record(&stderr).unwrap();
    let bytes = writer.verdict(json!({"outcome": "fail"})).unwrap();
    let records = records(&bytes).0;
    assert_eq!(records[records.len() - 2], Ok(stderr));
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
    {"urtext":"recording","version":3,"program":"0.1.0","dialect":"code-colosseum","subject":"referee","name":"mine","again":true,"lanes":["player","player","spectator"],"scenario":{"path":"a.yaml#one","text":"game: royalur\n","name":"a#one","included":[{"path":"_b.yaml","text":"turns: []\n"}],"golden":"dialect","by_chance":true,"without_names":true},"parameters":{"pace":0.5}}
    [1000020,{"opened":{"lane":2}}]
    [1000020,{"line":{"lane":0,"dir":"received","text":"Al\\u{202e}\"\\\\é"}}]
    [1000020,{"piece":{"lane":1,"dir":"sent","bytes":2}}]
    [1000020,{"line":{"lane":1,"dir":"sent","text":"3\\xff\\"}}]
    [1000020,{"closed":{"lane":1,"dir":"received","close":"reset"}}]
    [1000020,{"exited":{"status":"exit status 1","success":false}}]
    [1000020,"alarm"]
    {"stderr":["Traceback:","  \\x1b[1m\\"]}
    {"verdict":{"outcome":"fail"}}
    "#);
}

/// A file whose every write call is seen.
#[derive(Default)]
struct Calls(Vec<Vec<u8>>);

impl Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn only_whole_lines_go_out_and_not_too_many_are_kept() {
    let mut writer = Writer::new(Calls::default(), &header()).unwrap();
    writer.event(&event(1, line(0, "A"))).unwrap();
    writer.write_out().unwrap();
    for _ in 0..2_000 {
        writer.event(&event(2, line(0, "0 1 1 0"))).unwrap();
    }
    let calls = writer.verdict(json!({})).unwrap().0;
    assert_eq!(
        calls.len(),
        4,
        "header, one line, as much as is kept, the rest with the verdict"
    );
    assert!(
        calls
            .iter()
            .all(|call| call.last() == Some(&b'\n') && call.len() < 80 * 1024)
    );
    let lines: usize = calls
        .iter()
        .map(|call| call.iter().filter(|&&byte| byte == b'\n').count())
        .sum();
    assert_eq!(lines, 2_003);
}

#[test]
fn a_recording_that_would_become_too_large_is_ended_with_a_whole_line() {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    writer.room = 200;
    let said = line(0, &"x".repeat(100));
    writer.event(&event(1, said.clone())).unwrap();
    let refused = writer.event(&event(2, said)).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
    assert!(
        refused.to_string().contains("larger than 536870912 bytes"),
        "{refused}"
    );
    let bytes = writer.verdict(json!({"verdict": "error"})).unwrap();
    let (read, cut_off) = records(&bytes);
    assert!(
        matches!(&read[1], Ok(Record::Broken(why)) if why.contains("larger than 536870912 bytes")),
        "{read:?}"
    );
    assert_eq!((read.len(), cut_off), (3, None));
}

#[test]
fn a_lane_that_the_header_does_not_name_is_named_when_it_opens() {
    let mut writer = Writer::new(
        Vec::new(),
        &Header::new(Protocol::Game(&CodeColosseum), &[Player]),
    )
    .unwrap();
    writer.event(&event(1, What::Opened { lane: 0 })).unwrap();
    writer.record(&Record::Lane(Spectator)).unwrap();
    writer.event(&event(2, What::Opened { lane: 1 })).unwrap();
    writer.event(&event(3, line(1, "A"))).unwrap();
    let bytes = writer.verdict(json!(null)).unwrap();
    let mut reader = Reader::new("game", &bytes[..]).unwrap();
    let read: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(read[1], Record::Event(event(2, What::Opened { lane: 1 })));
    assert_eq!(read[2], Record::Event(event(3, line(1, "A"))));
    assert_eq!(reader.header().lanes, [Player, Spectator]);
}

#[test]
fn a_write_that_is_not_one_line_is_a_piece() {
    let mut lane = LaneEvents::new(0);
    let mut events = Vec::new();
    for bytes in ["3\n", "4", "\n", "5\n6\n", "7\n8", "\n", "9\n"] {
        lane.write(Direction::Sent, bytes.as_bytes(), |what| {
            events.push(match what {
                What::Piece { bytes, .. } => format!("{bytes} bytes"),
                What::Line { line, .. } => String::from_utf8(line.text).unwrap(),
                other => panic!("{other:?}"),
            });
        });
    }
    let expected = "3, 1 bytes, 1 bytes, 4, 4 bytes, 5, 6, 3 bytes, 7, 1 bytes, 8, 9";
    assert_eq!(events.join(", "), expected);
}

/// Recordings of version 2, with what urtext said of each when it wrote it.
#[test]
fn every_line_of_version_2_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/recordings-2");
    let mut lines = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let (read, cut_off) = records(&bytes);
        assert!(read.iter().all(Result::is_ok), "{read:?}");
        assert_eq!(cut_off, None);
        let written = bytes.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(read.len() + 1, written);
        lines += written;
    }
    assert!(lines > 100, "{lines}");
}

#[test]
fn what_is_written_is_as_the_schema_says() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let kinds = std::iter::successors(Some(What::Opened { lane: 2 }), next_kind);
    let events: Vec<_> = kinds.map(|what| event(1, what)).collect();
    let mut writer = Writer::new(recorded(&events), &header()).unwrap();
    for record in [
        Record::Lane(Spectator),
        Record::Stderr(b"a\nb".to_vec()),
        Record::Broken("a full disk".to_owned()),
    ] {
        writer.record(&record).unwrap();
    }
    let bytes = writer.verdict(json!({"verdict": "pass"})).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&line)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
    for wrong in [
        json!([1, "thought"]),
        json!([-1, "alarm"]),
        json!([1, {"line": {"lane": 0, "dir": "up", "text": ""}}]),
        json!({"t": 1}),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}
