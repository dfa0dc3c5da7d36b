//! Finished games that `urtext run` plays again.

use std::path::{Path, PathBuf};

use super::output;
use crate::archive::{self, FinishedGame, Judging, ReadOptions};
use crate::config::CocoUrl;
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::protocol::{Cause, LaneKind, Party, PlayerLine};
use crate::replay::{Frame, FrameAction, Replay};
use crate::requirement::Role;
use crate::rules::Seat;
use crate::scenario::{
    Leaving, MOST_SPECTATORS, PlannedGame, PlayerAction, Scenario, Side, StepKind, Turn,
};
use crate::transcript::{Direction, LoggedLane};
use crate::verify;

/// The options of `urtext run` that apply to a finished game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The kind of subject: a referee or a bot.
    pub(super) side: Side,
    /// The seat of a bot under test; `None`: that of the player who has recorded it.
    pub(super) seat: Option<&'a str>,
    /// The turn from which it goes on live.
    pub(super) from: Option<usize>,
    /// The protocol of the subject, where there is one.
    pub(super) protocol: Option<Protocol>,
    /// Number of the game in a file with several, from 1; `None` selects the first, with a remark that there
    /// are others.
    pub(super) number: Option<u64>,
}

/// Returns true if the path names a finished game rather than scenarios.
pub(super) fn is_finished_game(path: &Path) -> bool {
    CocoUrl::is_meant(&path.to_string_lossy()) || archive::is_finished_game(path)
}

/// The title of a fault, and its help.
type Refusal = (String, String);

impl Asked<'_> {
    /// The scenario that plays a finished game again. Reports the turns that it cannot play on standard
    /// error.
    ///
    /// # Errors
    /// Errors in the file, or in the options that apply to it.
    pub(super) fn scenario(
        self,
        path: &Path,
        matches: &[(PathBuf, Vec<u8>)],
    ) -> Result<Scenario, Diagnostics> {
        let name = path.to_string_lossy();
        let fault = |(title, help): Refusal| {
            Diagnostic::error("run/recording", title)
                .in_file(&*name)
                .help(help)
        };
        let options = ReadOptions {
            matches,
            judging: Judging::ByLanes,
            ..ReadOptions::default()
        };
        let game = archive::game(&[path.to_owned()], self.number, &options)?;
        output::say(&game.warnings);
        if game.is_of_records() {
            assert_rolls(&game)?;
        }
        let Some(replay) = Replay::new(game) else {
            let help = "what was said in it can be written as a dialogue";
            return Err(fault((verify::UNRULED.into(), help.into())).into());
        };
        let (mut plan, left_out) = self.plan(&replay).map_err(fault)?;
        let shown = visible::plain(name.as_bytes());
        for reason in &left_out {
            let reason = visible::plain(reason);
            anstream::eprintln!("note: {shown}: not played again: {reason}");
        }
        if plan.steps.is_empty() {
            let title = "no turn of this game can be played again";
            let help = "`urtext verify` judges it, and `--from 1` begins a live game";
            return Err(fault((title.into(), help.into())).into());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let number = match self.number {
            Some(number) if number > 1 => format!("-{number}"),
            _ => String::new(),
        };
        plan.replayed = Some(name.to_string());
        let scenario = plan.titled(format!("{shown} played again"));
        Ok(Scenario {
            name: format!("{stem}{number}-again"),
            ..scenario.placed(&format!("{name} (played again)"))?
        })
    }

    /// The plan of a game with the turns of a finished one, as far as these are legal and told, and reasons why others are not played. The
    /// steps of the plan are the turns, from the first on.
    fn plan(self, replay: &Replay) -> Result<(PlannedGame, Vec<String>), Refusal> {
        let played = replay.game().name();
        let subject = self.protocol.map(Protocol::game_name);
        if let Some(other) = subject.filter(|name| *name != played) {
            return Err((
                format!("this is a game of `{played}`, and the subject plays `{other}`"),
                format!("add --game {played}, or name a subject that plays it"),
            ));
        }
        let last = replay.last();
        let until = match self.from {
            None => last,
            Some(from @ 1..) if from <= last + 1 => from - 1,
            Some(from) => {
                let has = match last {
                    0 => "no turn yet".to_owned(),
                    last => counted(last, "turn"),
                };
                let title = format!("there is no turn {from} to go on from: the game has {has}");
                let help = match from {
                    0 => "`--from 1` is a live game from its first turn",
                    _ => "`urtext replay --print` shows the turns with their numbers",
                };
                return Err((title, help.into()));
            }
        };
        let seat = self.seat(replay)?;
        let plan = self.head(replay, seat);
        let mut left_out = Vec::new();
        if let Some(finding) = replay.finished.stopped_by() {
            let finding = finding.in_one_line();
            left_out.push(format!("{finding}; the game is played again up to there"));
        }
        let frames = &replay.frames()[1..=until];
        let mut turns = Vec::new();
        for frame in frames {
            let is_bots = self.side == Side::Bot && frame.by == Some(seat);
            match turn(frame, is_bots, || illegal_line(replay, frame)) {
                Ok(turn) => turns.push(StepKind::Turn(turn)),
                Err(reason) => left_out.push(format!("turn {}: {reason}", frame.number)),
            }
        }
        let is_over = frames
            .last()
            .is_some_and(|frame| frame.picture().to_move.is_none());
        if self.from.is_some() && !is_over {
            turns.push(StepKind::PlayToTheEnd);
        }
        Ok((plan.with_steps(turns), left_out))
    }

    /// The game without its turns.
    fn head(self, replay: &Replay, seat: Seat) -> PlannedGame {
        let logged = &replay.finished.logged;
        let dialect = logged.protocol.dialect().expect("the replay has rules");
        let mut plan = PlannedGame::new(dialect, self.side);
        let is_dealt = !dialect.game().setup_keys().is_empty();
        plan.setup = replay.finished.judged.setup.filter(|_| is_dealt);
        match self.side {
            Side::Bot => {
                plan.bot_seat = seat;
                plan.checks = vec![dialect.id(Role::BotOwnSeat)];
            }
            Side::Referee => {
                plan.checks = vec![dialect.id(Role::FirstTurn)];
                let watches = |lane: &&LoggedLane| lane.kind == LaneKind::Spectator;
                // Who has recorded a player need not know whether anybody watched.
                if let watched @ 1.. = logged.lanes.iter().filter(watches).count() {
                    plan.spectators = watched.min(MOST_SPECTATORS as usize) as u32;
                }
            }
        }
        plan
    }

    /// The seat of a bot under test: that of the only player whose lane is at hand, or the first, where the user names none.
    fn seat(self, replay: &Replay) -> Result<Seat, Refusal> {
        let Some(word) = self.seat else {
            let parties = replay.lanes().iter().map(|lane| lane.party);
            let mut players = parties.filter(|party| *party != Some(Party::Spectator));
            return Ok(match (players.next(), players.next()) {
                (Some(Some(Party::Player(only))), None) => only,
                _ => Seat::First,
            });
        };
        if self.side == Side::Referee {
            let title = "--seat says whose moves are the bot's, and there is no bot under test";
            return Err((title.into(), "add --as bot -- COMMAND…".into()));
        }
        let rules = replay.game();
        rules.seat_called(word).ok_or_else(|| {
            let [first, second] = rules.seat_names();
            let title = format!("there is no seat {}", visible::quoted(word));
            (title, format!("its seats are {first} and {second}"))
        })
    }
}

/// A turn, or why it cannot be played again. `is_bots`: it is one of the bot under test.
fn turn(
    frame: &Frame,
    is_bots: bool,
    illegal: impl FnOnce() -> Option<Vec<u8>>,
) -> Result<Turn, &'static str> {
    let by = frame.by.ok_or("it is nobody's")?;
    let action = match frame.action {
        FrameAction::Moved { mv, .. } => PlayerAction::this(mv),
        FrameAction::Skipped { .. } | FrameAction::Start => PlayerAction::Skip,
        FrameAction::Awaited => return Err("its move is not told"),
        FrameAction::Lost { .. } if is_bots => {
            return Err("the player whose seat the bot takes has lost in it");
        }
        FrameAction::Lost { cause } => match cause {
            Cause::HangUp => PlayerAction::Leave(Leaving::HangUp),
            Cause::Timeout => PlayerAction::Silent,
            Cause::Invalid(_) => {
                PlayerAction::Illegal(illegal().ok_or("the line that lost is not told")?)
            }
            Cause::Unseen => return Err("why the player lost is not told"),
            Cause::Resigned => return Err("a resignation is no line of the game"),
        },
    };
    Ok(Turn::new(by, frame.roll, action))
}

/// The line by which a player has lost: the one after those of the moves that the player made.
fn illegal_line(replay: &Replay, lost: &Frame) -> Option<Vec<u8>> {
    let dialect = replay.finished.dialect()?;
    let moves =
        |frame: &&Frame| frame.by == lost.by && matches!(frame.action, FrameAction::Moved { .. });
    let made = replay.frames().iter().filter(moves).count();
    let party = lost.by.map(Party::Player);
    let lane = replay.lanes().iter().find(|lane| {
        let mut lines = lane.lines.iter();
        lane.party == party && lines.any(|line| line.line.direction == Direction::Sent)
    })?;
    let lines = lane.lines.iter().map(|line| &line.line);
    let counts = |text: &[u8]| !matches!(dialect.read_player_line(text), PlayerLine::Ignored(_));
    let mut sent =
        lines.filter(|line| line.direction == Direction::Sent && counts(&line.line.text));
    sent.nth(made).map(|line| line.line.text.clone())
}

/// Says beside what has stopped a finished game what can be done about it.
pub(super) fn advise(outcome: &mut Outcome, scenario: &Scenario) {
    let replayed = scenario.game().filter(|plan| plan.replayed.is_some());
    let Some((plan, finding)) = replayed.zip(outcome.findings.first_mut()) else {
        return;
    };
    match finding.verdict {
        Verdict::Unsupported => finding.notes.push(
            "`--free-games 10` plays games that need no hook, and judges every line".to_owned(),
        ),
        Verdict::Inconclusive => {
            let is_it = |turn: &&(usize, &Turn)| Some(plan.steps[turn.0].span) == finding.span;
            let turn = plan.turns().find(|turn| is_it(&turn));
            if let Some((before, Turn { seat, .. })) = turn
                && plan.side == Side::Bot
                && *seat == plan.bot_seat
            {
                let turn = before + 1;
                finding.notes.push(format!(
                    "a bot may choose another move than the one that was recorded; `--from {turn}` lets it choose from this turn on"
                ));
            }
        }
        _ => {}
    }
}

/// Checks that move records have every roll, which a live game needs, and says which of them contradict each other.
///
/// # Errors
/// A roll is missing.
fn assert_rolls(game: &FinishedGame) -> Result<(), Diagnostic> {
    game.assert_rolls("a game is played again with its rolls")?;
    if let (Some(broken), Some(_)) = (game.wrong(), game.judged.ending) {
        let (file, title) = (visible::plain(&*game.file), visible::plain(&broken.title));
        anstream::eprintln!("note: {file}: {title}; the moves are legal and are played again");
    }
    Ok(())
}

#[cfg(test)]
#[path = "replay_live_tests.rs"]
mod tests;
