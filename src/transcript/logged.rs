//! Finished games as their files hold them, the same for all formats.

use super::bare;
use super::recording::{self, Header, Record, RecordedScenario};
use super::{Close, Direction, Entry, Event, Extent, LaneLabel, LaneTranscript, Transcript, What};
use crate::diagnostic::Diagnostic;
use crate::pack::{FileFormat, Protocol, formats};
use crate::protocol::LaneKind;

/// The most lines that a game may have, in any format.
const LINES_LIMIT: usize = 1 << 20;

/// The most bytes that the lines of a recorded game may have together.
const TEXT_LIMIT: usize = 64 << 20;

/// A finished game as files tell it.
#[derive(Debug, Clone)]
pub struct LoggedGame {
    /// The format of the file.
    pub format: FileFormat,
    /// The protocol of the lanes.
    pub protocol: Protocol,
    /// The lanes that are at hand; there may be fewer than the game had.
    pub lanes: Vec<LaneTranscript>,
    /// Exit of a recorded bot before the end of the game, in words. `None` where no file says so, and where
    /// the user interrupted the recording.
    pub exited: Option<String>,
    /// True if a recording without a scenario says that no more lines come.
    pub has_ended: bool,
    /// The recording, where it holds the scenario that was played.
    pub played: Option<Box<Played>>,
    /// The warning about the place at which the file was cut off, if it was.
    pub cut_off: Option<Diagnostic>,
}

/// A recording of a game that was played by a scenario, with all that its judge was told.
#[derive(Debug, Clone)]
pub struct Played {
    /// Its header.
    pub header: Header,
    /// The scenario.
    pub script: RecordedScenario,
    /// The events.
    pub events: Vec<Event>,
    /// The end of what the subject wrote to standard error.
    pub stderr: Vec<u8>,
    /// The recorded verdict, if there is one.
    pub verdict: Option<serde_json::Value>,
    /// The reason why the game could not be played, or recorded, to its end.
    pub broken: Option<String>,
    /// Number of lines of unknown kinds.
    pub passed_over: usize,
}

impl LoggedGame {
    /// A game of streams, of which only the lanes are known.
    #[must_use]
    pub fn new(protocol: Protocol, lanes: Vec<LaneTranscript>) -> LoggedGame {
        LoggedGame {
            format: formats::STREAM,
            protocol,
            lanes,
            exited: None,
            has_ended: false,
            played: None,
            cut_off: None,
        }
    }

    /// The game of a golden transcript.
    #[must_use]
    pub fn from_golden(mut transcript: Transcript) -> LoggedGame {
        let lanes = transcript.lanes.iter_mut();
        for lane in lanes.filter(|lane| lane.label.kind() == LaneKind::Spectator) {
            // A spectator may leave, and no line of the file says so.
            lane.extent = Extent::LeftOff;
        }
        LoggedGame {
            format: formats::GOLDEN,
            ..LoggedGame::new(transcript.protocol, transcript.lanes)
        }
    }

    /// The game of a recording, its other events left out; `name` is the file's.
    ///
    /// # Errors
    /// The first line that is not sound, or `recording/too-large`.
    pub fn from_recording<R: std::io::BufRead>(
        name: &str,
        reader: &mut recording::Reader<R>,
    ) -> Result<LoggedGame, Diagnostic> {
        let header = reader.header();
        let mut game = LoggedGame::new(header.protocol, Vec::new());
        game.format = formats::RECORDING;
        let mut played = header.scenario.clone().map(|script| {
            Box::new(Played {
                header: header.clone(),
                script,
                events: Vec::new(),
                stderr: Vec::new(),
                verdict: None,
                broken: None,
                passed_over: 0,
            })
        });
        let mut ended = Ended::default();
        let (mut count, mut bytes) = (0, 0);
        while let Some(record) = reader.next() {
            let event = match (record?, &mut played) {
                (Record::Event(event), _) => event,
                (record, Some(played)) => {
                    match record {
                        Record::Verdict(verdict) => played.verdict = Some(verdict),
                        Record::Stderr(stderr) => played.stderr = stderr,
                        Record::Broken(reason) => played.broken = Some(reason),
                        Record::Event(_) | Record::Lane(_) => {}
                    }
                    continue;
                }
                (_, None) => continue,
            };
            // Of other events only those that are kept count.
            let size = match &event.what {
                What::Line { line, .. } => line.text.len(),
                What::Unfinished { text, .. } => text.len(),
                _ => 0,
            };
            if played.is_some() || matches!(event.what, What::Line { .. }) {
                (count, bytes) = (count + 1, bytes + size);
            }
            if count > LINES_LIMIT || bytes > TEXT_LIMIT {
                let title = format!(
                    "the game has more than {LINES_LIMIT} lines, or more than {TEXT_LIMIT} bytes in them, the most that is read"
                );
                return Err(Diagnostic::error("recording/too-large", title).in_file(name));
            }
            game.add_lanes(name, &reader.header().lanes);
            if let Some(played) = &mut played {
                played.events.push(event.clone());
            }
            game.take(event, reader.line_number(), &mut ended);
        }
        // Lanes can come while the game runs, and say nothing.
        game.add_lanes(name, &reader.header().lanes);
        if let Some(played) = &mut played {
            played.passed_over = reader.passed_over();
            // What the end of the process means in the game of a scenario is for its judge to say.
            game.exited = None;
        }
        if played.is_none() {
            game.has_ended = ended.is_final || ended.lanes.len() == game.lanes.len();
            game.protocol = game.likeliest();
        }
        game.played = played;
        game.cut_off = reader.cut_off().cloned();
        Ok(game)
    }

    /// Its protocol; of lanes that begin as those of another game, that of the other game, which `urtext record` may not have been told.
    fn likeliest(&self) -> Protocol {
        let received = self.lanes.iter().map(|lane| {
            let lines = lane
                .entries
                .iter()
                .filter(|entry| entry.direction == Direction::Received);
            let lines: Vec<_> = lines
                .take(bare::LINES_OF_START)
                .map(|entry| entry.line.to_wire())
                .collect();
            lines.concat()
        });
        let start = received.max_by_key(Vec::len).unwrap_or_default();
        let own = self.protocol.dialect();
        let other = own.and_then(|own| bare::other_dialect(&start, own));
        other.map_or(self.protocol, Protocol::Game)
    }

    /// Adds the lanes of a recording that are new among these.
    fn add_lanes(&mut self, file: &str, kinds: &[LaneKind]) {
        for (index, &kind) in kinds.iter().enumerate().skip(self.lanes.len()) {
            let alike = kinds[..index].iter().filter(|other| **other == kind);
            let label = LaneLabel::of(kind, alike.count() as u32 + 1);
            self.lanes.push(LaneTranscript {
                file: file.to_owned(),
                ..LaneTranscript::new(label, Vec::new())
            });
        }
    }

    /// Takes an event of a recording; `number` is its line in the file.
    fn take(&mut self, event: Event, number: usize, ended: &mut Ended) {
        let lanes = &mut self.lanes;
        ended.is_final |= matches!(event.what, What::Interrupted | What::Exited { .. });
        match event.what {
            What::Line {
                lane,
                direction,
                line,
            } => {
                let at = Some(event.at);
                lanes[lane].entries.push(Entry {
                    direction,
                    line,
                    number,
                    at,
                });
            }
            What::Closed {
                lane,
                direction: Direction::Received,
                close,
            } => {
                // A reset of a pipe says that the bot itself reads no more.
                ended.is_told |= close == Close::End && lanes[lane].extent == Extent::Whole;
                if close == Close::Lost {
                    lanes[lane].extent = Extent::Lost;
                }
                ended.lanes.push(lane);
            }
            What::Closed {
                lane,
                direction: Direction::Sent,
                ..
            } if !ended.lanes.contains(&lane) => {
                lanes[lane].extent = Extent::LeftOff;
            }
            What::Interrupted => ended.is_interrupted = true,
            What::Opened { lane } if lanes[lane].label.kind() == LaneKind::Spectator => {
                let mut entries = lanes.iter().flat_map(|lane| &lane.entries);
                if entries.any(|entry| entry.direction == Direction::Sent) {
                    lanes[lane].extent = Extent::LeftOff;
                }
            }
            What::Exited { status, .. } if !ended.is_interrupted && !ended.is_told => {
                self.exited = Some(status);
            }
            _ => {}
        }
    }
}

/// What has ended in a game that is read event by event.
#[derive(Default)]
struct Ended {
    /// Lanes that the other side has ended.
    lanes: Vec<usize>,
    is_interrupted: bool,
    is_final: bool,
    is_told: bool,
}
