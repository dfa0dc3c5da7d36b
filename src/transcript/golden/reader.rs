//! Parser of golden transcripts.

use super::{MAGIC, VERSION, read_header};
use crate::diagnostic::{BYTE_ORDER_MARK, Diagnostics, Faults, Source, Span, suggest, visible};
use crate::pack::Protocol;
use crate::transcript::escape::{self, Slip};
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// Reads a golden transcript, with the line of the file on which each entry stands.
///
/// # Errors
/// Every fault of the file, each with its line and column.
pub fn read(source: &Source) -> Result<Transcript, Diagnostics> {
    let mut reader = Reader::new(source);
    match source.utf8() {
        Ok(text) => reader.file(text),
        Err(fault) => reader.faults.push(fault),
    }
    if reader.faults.has_errors() {
        return Err(reader.faults.into_diagnostics());
    }
    let dialect = reader
        .protocol
        .expect("a file without fault names its dialect")
        .name()
        .to_owned();
    Ok(Transcript {
        dialect,
        lanes: reader.lanes,
    })
}

struct Reader<'s> {
    faults: Faults<'s>,
    protocol: Option<Protocol>,
    /// True if the line with the dialect was found, valid or not.
    has_dialect: bool,
    lanes: Vec<LaneTranscript>,
    /// Spans of the lanes' headers.
    headers: Vec<Span>,
    /// The lane whose block is being read; `None` before the first and below a header that is not understood.
    current: Option<usize>,
    has_block: bool,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source) -> Reader<'s> {
        Reader {
            faults: Faults::new(source),
            protocol: None,
            has_dialect: false,
            lanes: Vec::new(),
            headers: Vec::new(),
            current: None,
            has_block: false,
        }
    }

    fn file(&mut self, text: &str) {
        let mut at = 0;
        if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
            at = text.len() - rest.len();
        }
        let mut number = 0;
        while at < text.len() {
            number += 1;
            let end = text[at..]
                .find('\n')
                .map_or(text.len(), |length| at + length);
            let line = &text[at..end];
            let line = line.strip_suffix('\r').unwrap_or(line);
            match number {
                1 => self.first_line(line, at),
                _ => self.line(line, at, number),
            }
            at = end + 1;
        }
        if number == 0 {
            let help = format!("a golden transcript begins with `{MAGIC}{VERSION}`");
            self.faults
                .refuse("golden/empty", "the file is empty", Span::at(0), "", &help);
        } else if !self.has_dialect {
            self.missing_dialect(Span::at(text.len()));
        } else if !self.has_block {
            let help =
                "write a header such as `[spectator 1]`, and the lines of that lane below it";
            self.faults.refuse(
                "golden/no-lane",
                "there is no lane in this transcript",
                Span::at(text.len()),
                "",
                help,
            );
        }
    }

    fn first_line(&mut self, line: &str, at: usize) {
        let span = Span::new(at, at + line.len());
        let help = format!("write `{MAGIC}{VERSION}`");
        match line.strip_prefix(MAGIC) {
            Some(VERSION) => {}
            Some(version) => {
                let span = Span::new(at + MAGIC.len(), span.end);
                let title = format!(
                    "version {} of the format is not known",
                    visible::quoted(version)
                );
                self.faults.refuse(
                    "golden/version",
                    title,
                    span,
                    "this program reads version 1",
                    &help,
                );
            }
            None => {
                let title = "the first line does not say that this is a golden transcript";
                self.faults
                    .refuse("golden/first-line", title, span, "", &help);
            }
        }
    }

    fn missing_dialect(&mut self, span: Span) {
        if !std::mem::replace(&mut self.has_dialect, true) {
            let names: Vec<_> = Protocol::all().map(Protocol::name).collect();
            let help = format!(
                "write `dialect: NAME` below the first line; NAME is {}",
                names.join(" or ")
            );
            self.faults.refuse(
                "golden/no-dialect",
                "the file does not say which dialect it is in",
                span,
                "",
                &help,
            );
        }
    }

    fn line(&mut self, line: &str, at: usize, number: usize) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        if line.starts_with('[') {
            self.missing_dialect(Span::at(at));
            return self.header(line, at);
        }
        if !self.has_block {
            return self.preamble(line, at);
        }
        let (direction, text) = match line.as_bytes()[0] {
            b'>' => (Direction::Sent, &line[1..]),
            b'<' => (Direction::Received, &line[1..]),
            _ => (Direction::Received, line),
        };
        let text_at = at + line.len() - text.len();
        let mut slips = Vec::new();
        let line = escape::read_line(text, &mut slips);
        for Slip {
            start,
            end,
            what,
            help,
        } in slips
        {
            self.faults.refuse(
                "golden/escape",
                what,
                Span::new(text_at + start, text_at + end),
                "",
                &help,
            );
        }
        if let Some(lane) = self.current {
            self.lanes[lane].entries.push(Entry {
                number,
                ..Entry::new(direction, line)
            });
        }
    }

    /// A line before the first block.
    fn preamble(&mut self, line: &str, at: usize) {
        let span = Span::new(at, at + line.len());
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        if key.trim() != "dialect" {
            let help = match suggest(key.trim(), ["dialect"]) {
                Some(_) if line.contains(':') => "write `dialect: NAME`",
                _ => "write the header of a lane above it, such as `[first]` or `[spectator 1]`",
            };
            return self.faults.refuse(
                "golden/no-header",
                "this line stands in no lane",
                span,
                "",
                help,
            );
        }
        if std::mem::replace(&mut self.has_dialect, true) {
            let help = "a transcript has one dialect; take this line out";
            return self.faults.refuse(
                "golden/dialect-twice",
                "the dialect is named twice",
                span,
                "",
                help,
            );
        }
        let name = value.trim();
        self.protocol = Protocol::named(name);
        if self.protocol.is_none() {
            let names: Vec<_> = Protocol::all().map(Protocol::name).collect();
            let near = suggest(name, names.iter().copied());
            // With the dialect that was meant, the headers below can be judged as well.
            self.protocol = near.and_then(Protocol::named);
            let help = match near {
                Some(near) => format!("write `dialect: {near}`"),
                None => format!("dialects are: {}", names.join(", ")),
            };
            let start = at + line.len() - value.trim_start().len();
            let title = format!("there is no dialect {}", visible::quoted(name));
            self.faults.refuse(
                "golden/dialect",
                title,
                Span::new(start, start + name.len()),
                "",
                &help,
            );
        }
    }

    fn header(&mut self, line: &str, at: usize) {
        let span = Span::new(at, at + line.len());
        self.has_block = true;
        self.current = None;
        let Some(words) = line[1..].strip_suffix(']') else {
            let help = "a header is a lane's name in brackets; a line that was received and begins with `[` is \
                        written with `<` before it";
            return self.faults.refuse(
                "golden/header",
                "this header does not end with `]`",
                span,
                "",
                help,
            );
        };
        // Without the dialect it is not known how the game calls its seats.
        let Some(protocol) = self.protocol else {
            return;
        };
        let label = match read_header(words, protocol.seat_names()) {
            Ok(label) => label,
            Err(help) => {
                return self
                    .faults
                    .refuse("golden/header", "this names no lane", span, "", &help);
            }
        };
        if let Some(known) = self.lanes.iter().position(|lane| lane.label == label) {
            let (title, places) = ("this lane has a block already", [self.headers[known], span]);
            let help = "a lane has one block; join the two";
            return self
                .faults
                .refuse_again("golden/lane-twice", title, places, help);
        }
        self.open(label, span);
    }

    fn open(&mut self, label: LaneLabel, header: Span) {
        self.current = Some(self.lanes.len());
        self.lanes.push(LaneTranscript {
            file: self.faults.source().name().to_owned(),
            ..LaneTranscript::new(label, Vec::new())
        });
        self.headers.push(header);
    }
}
