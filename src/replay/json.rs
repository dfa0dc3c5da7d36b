//! Turns of a replay for programs.

use super::record::{
    EndRecord, GameRecord, LineRecord, ReplayRecord, TurnRecord, VERSION, cells, stocks, tokens,
};
use super::{Frame, FrameAction, Replay};
use crate::archive::NoSuchTurn;
use crate::diagnostic::visible;
use crate::rules::{Seat, TokenPlace};
use crate::transcript::Direction;

impl Replay {
    /// The lines of the replay, or of one turn of it, in their order.
    ///
    /// # Errors
    /// Fails if the game has no such turn.
    fn records(
        &self,
        turn: Option<usize>,
    ) -> Result<impl Iterator<Item = ReplayRecord> + '_, NoSuchTurn> {
        let last = self.last();
        let turns = match turn {
            Some(asked) if asked > last => return Err(NoSuchTurn { asked, last }),
            Some(turn) => turn..turn + 1,
            None => 0..last + 1,
        };
        let game = GameRecord {
            version: VERSION,
            game: self.game().name().to_owned(),
            seats: Seat::BOTH.map(|seat| self.game().seat_name(seat).to_owned()),
            players: Seat::BOTH.map(|seat| self.player(seat)),
            names: Seat::BOTH.map(|seat| self.names[seat].as_ref().map(|name| shown(name))),
            setup: self
                .setup
                .filter(|_| self.game().setup_syntax().is_some())
                .map(|setup| self.game().format_setup(setup)),
            lanes: self.lanes.iter().map(|lane| lane.owner.clone()).collect(),
            cells: cells(&self.frames[0].picture()),
            turns: last,
        };
        let notes = self.notes.iter().map(|note| shown(note.as_bytes()));
        let end = EndRecord {
            says: self.ending(),
            is_wrong: self.is_wrong(),
            notes: notes.collect(),
        };
        let turns = self.frames[turns].iter().map(|frame| {
            let record = self.turn_record(frame);
            ReplayRecord::Turn(Box::new(record))
        });
        let game = std::iter::once(ReplayRecord::Game(game));
        Ok(game.chain(turns).chain([ReplayRecord::End(end)]))
    }

    /// Returns the replay, or one turn of it, as JSON Lines.
    ///
    /// # Errors
    /// Fails if the game has no such turn.
    pub fn json(&self, turn: Option<usize>) -> Result<String, NoSuchTurn> {
        let line = |record| serde_json::to_string(&record).expect("all keys are texts");
        let lines: Vec<_> = self.records(turn)?.map(line).collect();
        Ok(lines.join("\n"))
    }

    fn turn_record(&self, frame: &Frame) -> TurnRecord {
        let seat = |seat: Seat| self.game().seat_name(seat).to_owned();
        let times = self.times(frame.number);
        let picture = frame.picture();
        let facts = self.facts(frame.number);
        let plays_again = facts.as_ref().is_some_and(|facts| facts.plays_again);
        let change = facts.map(|facts| facts.change).unwrap_or_default();
        let name = |place: Option<TokenPlace>| place.map(|place| place.name);
        let cause = match frame.deed {
            FrameAction::Lost { cause } => Some(cause.word()),
            _ => None,
        };
        let (action, mv) = match &frame.deed {
            FrameAction::Start => ("start", None),
            FrameAction::Moved { mv, .. } => ("moved", Some(self.game().format_move(*mv))),
            FrameAction::Skipped { .. } => ("skipped", None),
            FrameAction::Lost { .. } => ("lost", None),
            FrameAction::Awaited => ("awaited", None),
        };
        let lanes = self.lanes.iter().enumerate();
        let lines = lanes.flat_map(|(lane, lines)| {
            let places = lines.places_of(frame.number).iter();
            places.map(move |&place| {
                let line = &lines.lines[place].1;
                LineRecord {
                    lane,
                    is_sent: line.direction == Direction::Sent,
                    text: shown(&line.line.text),
                    at: line.at.map(|at| at.as_secs_f64()),
                    is_wrong: lines.wrong == Some(place),
                }
            })
        });
        let to = self
            .facts(frame.number)
            .and_then(|facts| facts.change.to?.cell);
        let reach = self.reach(frame.number).into_iter();
        let reach = reach.filter(|&cell| Some(cell) != to);
        let cell_name = |cell: usize| picture.cells[cell].name.clone();
        TurnRecord {
            turn: frame.number,
            by: frame.by.map(seat),
            roll: frame.roll.map(|roll| self.game().format_roll(roll)),
            action,
            mv,
            cause,
            from: name(change.from),
            to: name(change.to),
            captured: change.captured.map(|token| token.label),
            card: change.card,
            reach: reach.map(cell_name).collect(),
            plays_again,
            short: self.short(frame),
            says: self.describe(frame),
            took: times.map(|(took, _)| took.as_secs_f64()),
            at: times.map(|(_, at)| at.as_secs_f64()),
            to_move: picture.to_move.map(seat),
            lines: lines.collect(),
            tokens: tokens(&picture),
            stocks: stocks(&picture),
        }
    }
}

fn shown(bytes: &[u8]) -> String {
    visible::plain(bytes).to_string()
}
