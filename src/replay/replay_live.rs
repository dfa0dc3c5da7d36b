//! A finished game as a scenario: the same turns, to be played again with a live subject.

use std::fmt::Write;

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::protocol::{Cause, Dialect, LaneKind, Model, Party, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Game, PerSeat, Phase, Seat};
use crate::scenario::{MOST_SPECTATORS, Side};
use crate::transcript::{Direction, LoggedGame, LoggedLane, LoggedLine};
use crate::verify::{GameVerdict, Judged};

/// Options for playing a finished game again.
#[derive(Debug, Clone, Copy)]
pub struct LiveReplay<'a> {
    /// Title of the scenario.
    pub title: &'a str,
    /// The kind of subject that is tested this time.
    pub side: Side,
    /// The seat of a bot under test.
    pub seat: Seat,
    /// The turn from which it goes on live, from 1; `None`: it ends where the recording does.
    pub from: Option<usize>,
}

/// A scenario that plays a finished game again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveScript {
    /// Its text.
    pub text: String,
    /// Number of steps; a scenario without steps plays nothing.
    pub steps: usize,
    /// Parts of the finished game that the scenario cannot play.
    pub left_out: Vec<String>,
}

/// Marker between a turn of a scenario and its number in the original game.
pub const TURN: &str = "   # turn ";

/// A game cannot go on from that turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no turn {asked} to go on from: the game has {}", match .last { 0 => "no turn yet".to_owned(), 1 => "1 turn".to_owned(), last => format!("{last} turns") })]
pub struct NotFrom {
    /// The number that was asked for.
    pub asked: usize,
    /// The number of the last turn.
    pub last: usize,
}

impl LiveReplay<'_> {
    /// The scenario with the turns of a game that was judged, as far as it is legal and told.
    ///
    /// # Errors
    /// Fails if the game does not reach the turn from which it should go on.
    pub fn script(self, filed: &LoggedGame, judged: Judged) -> Result<LiveScript, NotFrom> {
        let (dialect, setup) = (judged.dialect, judged.setup);
        let game = dialect.game();
        let mut left_out = Vec::new();
        if let GameVerdict::Wrong(complaint) = &judged.verdict {
            left_out.push(format!(
                "{}; the game is played again up to there",
                complaint.in_one_line()
            ));
        }
        let replay = Replay::new(judged);
        let last = replay.last();
        let until = self.from.map_or(last, |from| from.saturating_sub(1));
        if self.from == Some(0) || until > last {
            return Err(NotFrom {
                asked: self.from.unwrap_or_default(),
                last,
            });
        }
        let frames = &replay.frames()[1..=until];
        let mut turns = Vec::new();
        for frame in frames {
            match self.turn(game, frame, || illegal_line(filed, frames, frame)) {
                Ok(turn) => turns.push(format!("{turn}{TURN}{}", frame.number)),
                Err(reason) => left_out.push(format!("turn {}: {reason}", frame.number)),
            }
        }
        let is_over = frames.last().is_some_and(|frame| {
            matches!(frame.deed, FrameAction::Lost { .. })
                || matches!(frame.table.phase(), Phase::Over(_))
        });
        if self.from.is_some() && !is_over {
            turns.push("play: to the end".to_owned());
        }
        let mut text = self.head(dialect, filed);
        for (place, value) in setup.into_iter().flat_map(|setup| game.setup_values(setup)) {
            // The whole setup in one word is for commands; a scenario names its parts.
            if place != "setup" {
                write_key(&mut text, place, &value);
            }
        }
        text.push_str("turns:\n");
        turns
            .iter()
            .for_each(|turn| writeln!(text, "  - {turn}").expect("a string takes all"));
        Ok(LiveScript {
            text,
            steps: turns.len(),
            left_out,
        })
    }

    /// Returns the keys above the turns.
    fn head(&self, dialect: &dyn Dialect, filed: &LoggedGame) -> String {
        let game = dialect.game();
        let mut text = String::new();
        write_key(&mut text, "scenario", self.title);
        write_key(&mut text, "game", game.name());
        write_key(&mut text, "subject", self.side.word());
        let check = match self.side {
            Side::Referee => dialect.id(Role::FirstTurn),
            Side::Bot => dialect.id(Role::BotOwnSeat),
        };
        writeln!(text, "checks: [{check}]").expect("a string takes all");
        let watched = filed
            .lanes
            .iter()
            .filter(|lane| lane.kind == LaneKind::Spectator)
            .count();
        match self.side {
            Side::Bot => write_key(&mut text, "seat", game.seat_name(self.seat)),
            // Who has recorded a player need not know whether anybody watched.
            Side::Referee if watched > 0 => {
                let watched = watched.min(MOST_SPECTATORS as usize);
                writeln!(text, "spectators: {watched}").expect("a string takes all");
            }
            Side::Referee => {}
        }
        text
    }

    /// A turn, or why it cannot be played again.
    fn turn(
        &self,
        game: &dyn Game,
        frame: &Frame,
        illegal: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Result<String, &'static str> {
        let by = frame.by.ok_or("it is nobody's")?;
        let who = match self.side {
            Side::Referee => game.seat_name(by),
            Side::Bot if by == self.seat => "bot",
            Side::Bot => "opponent",
        };
        let what = match frame.deed {
            FrameAction::Moved { mv, .. } => Some(game.format_move(mv)),
            FrameAction::Skipped { .. } | FrameAction::Start => None,
            FrameAction::Awaited => return Err("its move is not told"),
            FrameAction::Lost { .. } if who == "bot" => {
                return Err("the player whose seat the bot takes has lost in it");
            }
            FrameAction::Lost {
                cause: Cause::HangUp,
            } => Some("hang up".to_owned()),
            FrameAction::Lost {
                cause: Cause::Timeout,
            } => Some("silent".to_owned()),
            FrameAction::Lost {
                cause: Cause::Invalid(_),
            } => {
                let line = illegal().ok_or("the line that lost is not told")?;
                Some(format!("{} illegal", visible::quoted(&line)))
            }
            FrameAction::Lost {
                cause: Cause::Unseen,
            } => return Err("why the player lost is not told"),
        };
        let roll = frame.roll.map(|roll| game.format_roll(roll));
        let whole = [roll, what]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" > ");
        let mut turn = String::new();
        write_key(&mut turn, who, &whole);
        Ok(turn.trim_end().to_owned())
    }
}

/// A key, and its value in single quotation marks, so that nothing in it means anything to YAML.
fn write_key(text: &mut String, key: &str, value: &str) {
    writeln!(text, "{key}: '{}'", value.replace('\'', "''")).expect("a string takes all");
}

/// The seat whose lane this is, as the handshake tells.
#[must_use]
pub fn seat_of(dialect: &'static dyn Dialect, lane: &LoggedLane) -> Option<Seat> {
    let mut model = Model::new(dialect, &[lane.kind], PerSeat([true, true]));
    let received = lane
        .lines
        .iter()
        .filter(|line| line.direction == Direction::Received);
    for LoggedLine { line, .. } in received.take(dialect.greeting(false).len()) {
        // What is wrong with a handshake is for others to say.
        let _ = model.receive(0, line);
    }
    match model.party(0) {
        Some(Party::Player(seat)) => Some(seat),
        _ => lane.seat,
    }
}

/// The line by which a player has lost: the last of his lane, where the others before it are the moves that he made.
fn illegal_line(filed: &LoggedGame, frames: &[Frame], lost: &Frame) -> Option<Vec<u8>> {
    let by = lost.by?;
    let dialect = filed.dialect;
    let moves =
        |frame: &&Frame| frame.by == Some(by) && matches!(frame.deed, FrameAction::Moved { .. });
    let made = frames.iter().filter(moves).count();
    let is_his = |lane: &&LoggedLane| lane.tells_sent && seat_of(dialect, lane) == Some(by);
    let lane = filed.lanes.iter().find(is_his)?;
    let apart = lane.sent_apart.iter().flat_map(|apart| &apart.lines);
    let sent = lane
        .lines
        .iter()
        .filter(|line| line.direction == Direction::Sent)
        .chain(apart);
    let counts = |line: &&LoggedLine| {
        !matches!(
            dialect.read_player_line(&line.line.text),
            PlayerLine::Ignored(_)
        )
    };
    sent.filter(counts)
        .nth(made)
        .map(|line| line.line.text.clone())
}

#[cfg(test)]
#[path = "replay_live_tests.rs"]
mod tests;
