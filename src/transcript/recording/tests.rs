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
use crate::rules::Seat;
use crate::transcript::{Close, Direction, Event, Lag, LaneLabel, Processes, What, arbitrary};

fn header() -> Header {
    Header::new(Protocol::Game(&CodeColosseum), &[Player, Player, Spectator])
}

fn recorded(events: &[Event]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    events.iter().for_each(|event| writer.event(event).unwrap());
    writer.verdict(&json!({"outcome": "pass"})).unwrap()
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
        let head = header().to_json().len() + 1;
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
        for start in [String::new(), header().to_json() + "\n", header().to_json() + "\n{\"t\":"] {
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
        What::Line { .. } => What::Unfinished {
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
            asleep: Some(vec![0, 2]),
        }),
        What::Processes(_) => What::Alarm,
        What::Alarm => What::Hurried,
        What::Hurried => What::Interrupted,
        What::Interrupted => What::Lag(Lag {
            own: Duration::from_millis(2),
            subject: Duration::from_millis(3),
            start: Duration::from_millis(4),
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
    assert_eq!(events.len(), 14, "the chain holds every kind");
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
    let text = text.replace("HEADER", &header().to_json());
    let mut reader = match Reader::new("game.jsonl", text.trim_end().as_bytes()) {
        Ok(reader) => reader,
        Err(problem) => return format!("{problem}\n"),
    };
    let version = format!("{:?}", env!("CARGO_PKG_VERSION"));
    let head = reader.header().to_json().replace(&version, "VERSION");
    let mut said = format!("{head}\n");
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
    });
    header.parameters.insert("pace".to_owned(), json!(0.5));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    for what in [
        What::Opened { lane: 2 },
        line(0, "Al\u{202e}\"\\\u{e9}"),
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
    let bytes = writer.verdict(&json!({"outcome": "fail"})).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
    {"urtext":"recording","version":2,"program":"0.1.0","dialect":"code-colosseum","subject":"referee","name":"mine","again":true,"lanes":[{"kind":"player"},{"kind":"player"},{"kind":"spectator"}],"scenario":{"path":"a.yaml#one","text":"game: royalur\n","name":"a#one","included":[{"path":"_b.yaml","text":"turns: []\n"}],"golden":"dialect"},"parameters":{"pace":0.5}}
    {"t":1.000020,"lane":2,"open":true}
    {"t":1.000020,"lane":0,"dir":"received","line":"Al\u202e\"\\é"}
    {"t":1.000020,"lane":1,"dir":"sent","hex":"33ff","end":"missing"}
    {"t":1.000020,"lane":1,"dir":"received","close":"reset"}
    {"t":1.000020,"exited":"exit status 1","success":false}
    {"t":1.000020,"alarm":true}
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
    assert!(!writer.is_behind());
    writer.event(&event(1, line(0, "A"))).unwrap();
    assert!(writer.is_behind());
    writer.write_out().unwrap();
    assert!(!writer.is_behind());
    for _ in 0..2_000 {
        writer.event(&event(2, line(0, "0 1 1 0"))).unwrap();
    }
    let calls = writer.verdict(&json!({})).unwrap().0;
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
    writer
        .event(&event(1, said.clone()))
        .and_then(|()| writer.write_out())
        .unwrap();
    let refused = writer
        .event(&event(2, said))
        .and_then(|()| writer.write_out())
        .unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
    assert!(
        refused.to_string().contains("larger than 536870912 bytes"),
        "{refused}"
    );
    assert!(!writer.is_behind());
    let bytes = writer.verdict(&json!({"verdict": "error"})).unwrap();
    let (read, cut_off) = records(&bytes);
    assert_eq!((read.len(), cut_off), (2, None));
}

#[test]
fn labels_the_lanes_by_the_seats_that_the_handshakes_tell() {
    let texts = ["A", "B", "1", "0 0 1 1"];
    let mut events: Vec<_> = texts.iter().map(|text| event(1, line(0, text))).collect();
    events.extend(["A", "B"].iter().map(|text| event(2, line(2, text))));
    events.push(event(
        3,
        What::Line {
            lane: 0,
            direction: Direction::Sent,
            line: Line::new("3"),
        },
    ));
    events.push(event(3, line(1, "A")));
    let recorded = recorded(&events);
    let transcript = to_transcript(&mut Reader::new("game", &recorded[..]).unwrap()).unwrap();
    let lanes: Vec<_> = transcript
        .lanes
        .iter()
        .map(|lane| (lane.label, lane.entries.len()))
        .collect();
    assert_eq!(
        lanes,
        [
            (LaneLabel::Player(Seat::Second), 5),
            (LaneLabel::Unseated(2), 1),
            (LaneLabel::Spectator(1), 2)
        ]
    );
}

#[test]
fn a_lane_that_the_header_does_not_name_is_named_when_it_opens() {
    let mut writer = Writer::new(
        Vec::new(),
        &Header::new(Protocol::Game(&CodeColosseum), &[Player]),
    )
    .unwrap();
    writer.event(&event(1, What::Opened { lane: 0 })).unwrap();
    writer
        .new_lane(Duration::from_micros(2), 1, Spectator)
        .unwrap();
    writer.event(&event(3, line(1, "A"))).unwrap();
    let bytes = writer.verdict(&json!(null)).unwrap();
    let mut reader = Reader::new("game", &bytes[..]).unwrap();
    let read: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(read[1], Record::Event(event(2, What::Opened { lane: 1 })));
    assert_eq!(read[2], Record::Event(event(3, line(1, "A"))));
    assert_eq!(reader.header().lanes, [Player, Spectator]);
}
