//! Transcripts of recordings.

use std::io::BufRead;

use super::{Reader, Record};
use crate::diagnostic::Diagnostic;
use crate::protocol::{LaneKind, Line, Model, Party};
use crate::rules::PerSeat;
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript, What};

/// The lines of every lane of a recorded game; a player's lane is labelled by the seat that its handshake tells.
///
/// # Errors
/// The first record that could not be read.
pub fn to_transcript<R: BufRead>(reader: &mut Reader<R>) -> Result<Transcript, Diagnostic> {
    // Which lanes there are is known when all has been read.
    let records: Vec<_> = reader.by_ref().collect::<Result<_, _>>()?;
    let header = reader.header();
    let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); header.lanes.len()];
    let model = |dialect| Model::new(dialect, &header.lanes, PerSeat([true, true]));
    let mut model = header.protocol.dialect().map(model);
    for record in records {
        let Record::Event(event) = record else {
            continue;
        };
        let What::Line {
            lane,
            direction,
            line,
        } = event.what
        else {
            continue;
        };
        // Only the handshake is of interest here, and what is wrong with it is for others to say.
        if let Some(model) = &mut model
            && direction == Direction::Received
            && model.party(lane).is_none()
        {
            let text = line.text.strip_suffix(b"\r").unwrap_or(&line.text);
            let _ = model.receive(
                lane,
                &Line {
                    text: text.to_vec(),
                    ending: line.ending,
                },
            );
        }
        entries[lane].push(Entry { direction, line });
    }
    let mut numbers = [0; 2];
    let mut label = |lane: usize| {
        let number = &mut numbers[usize::from(header.lanes[lane] == LaneKind::Player)];
        *number += 1;
        let party = model.as_ref().and_then(|model| model.party(lane));
        match (header.lanes[lane], party) {
            (LaneKind::Spectator, _) => LaneLabel::Spectator(*number),
            (_, Some(Party::Player(seat))) => LaneLabel::Player(seat),
            _ => LaneLabel::Unseated(*number),
        }
    };
    let lanes = entries.into_iter().enumerate();
    let mut lanes: Vec<_> = lanes
        .map(|(lane, entries)| LaneTranscript {
            label: label(lane),
            entries,
        })
        .collect();
    // Players by seat, then spectators, in whatever order they were connected.
    lanes.sort_by_key(|lane| match lane.label {
        LaneLabel::Player(seat) => (0, seat.index() as u32),
        LaneLabel::Unseated(number) => (1, number),
        LaneLabel::Spectator(number) => (2, number),
    });
    Ok(Transcript {
        dialect: header.protocol.name().to_owned(),
        lanes,
    })
}
