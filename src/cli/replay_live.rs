//! Finished games that `urtext run` plays again.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output;
use super::server::is_on_server;
use crate::archive::{self, Judging, ReadOptions};
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::protocol::{Cause, LaneKind, Party, PlayerLine};
use crate::replay::{Frame, FrameAction, Replay};
use crate::requirement::Role;
use crate::rules::Seat;
use crate::scenario::{
    Choice, Deed, Leaving, MOST_SPECTATORS, PlannedGame, Scenario, Side, StepKind, Turn,
};
use crate::transcript::Direction;
use crate::verify;

/// The options of `urtext run` that apply to a finished game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[group(conflicts_with_all = ["suite", "free_games"])]
pub(super) struct ReplayOptions {
    /// Go on live from turn N of a finished game
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "bless",
        hide_short_help = true
    )]
    from: Option<usize>,

    /// The bot's seat in a finished game [default: that of the player who recorded it, or the first]
    #[arg(long, value_name = "SEAT", hide_short_help = true)]
    pub(super) seat: Option<String>,

    /// Number of the game in a file with several finished ones, from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    game_number: Option<u64>,
}

/// Returns true if the path names a finished game rather than scenarios.
pub(super) fn is_finished_game(path: &Path) -> bool {
    is_on_server(path) || archive::is_finished_game(path)
}

/// An error in the options that apply to a finished game.
fn refusal(title: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("run/recording", title).help(help)
}

impl ReplayOptions {
    /// The scenario that plays a finished game again with a subject of this side, and of this protocol, where there is one. Reports the turns
    /// that it cannot play on standard error.
    ///
    /// # Errors
    /// Errors in the file, or in the options that apply to it.
    pub(super) fn scenario(
        &self,
        (side, protocol): (Side, Option<Protocol>),
        path: &Path,
        matches: &[(PathBuf, Vec<u8>)],
    ) -> Result<Scenario, Diagnostics> {
        let name = path.to_string_lossy();
        let options = ReadOptions {
            matches,
            judging: Judging::ByLanes,
            ..ReadOptions::default()
        };
        let game = archive::game(&[path.to_owned()], self.game_number, &options)?;
        output::say(&game.warnings);
        if game.is_of_records() {
            game.assert_rolls("a game is played again with its rolls")?;
        }
        let plan = match Replay::new(game) {
            Some(replay) => self.plan((side, protocol), &replay),
            None => Err(refusal(verify::UNRULED, "write a dialogue with its lines")),
        };
        let (mut plan, left_out) = plan.map_err(|fault| fault.in_file(&*name))?;
        let shown = visible::plain(name.as_bytes());
        for reason in &left_out {
            let reason = visible::plain(reason);
            anstream::eprintln!("note: {shown}: not played again: {reason}");
        }
        if plan.steps.is_empty() {
            let help = "`urtext verify` judges it, and `--from 1` begins a live game";
            let fault = refusal("no turn of this game can be played again", help);
            return Err(fault.in_file(name).into());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let number = self.game_number.filter(|number| *number > 1);
        let number = number.map_or(String::new(), |number| format!("-{number}"));
        plan.replayed = Some(name.to_string());
        let scenario = plan.titled(format!("{shown} played again"));
        Ok(Scenario {
            name: format!("{stem}{number}-again"),
            ..scenario.placed(&format!("{name} (played again)"))?
        })
    }

    /// The plan of a game with the turns of a finished one, as far as these are legal and told, and reasons why others are not played. The
    /// steps of the plan are the turns, from the first on.
    fn plan(
        &self,
        (side, protocol): (Side, Option<Protocol>),
        replay: &Replay,
    ) -> Result<(PlannedGame, Vec<String>), Diagnostic> {
        let played = replay.game().name();
        let subject = protocol.map(Protocol::game_name);
        if let Some(other) = subject.filter(|name| *name != played) {
            return Err(refusal(
                format!("this is a game of `{played}`, and the subject plays `{other}`"),
                format!("add --game {played}, or name a subject that plays it"),
            ));
        }
        let last = replay.last();
        let until = match self.from {
            None => last,
            Some(from @ 1..) if from <= last + 1 => from - 1,
            Some(from) => {
                let has = counted(last, "turn");
                return Err(refusal(
                    format!("there is no turn {from} to go on from: the game has {has}"),
                    "`--from 1` is a live game from its first turn; `urtext replay --print` shows the turns",
                ));
            }
        };
        let seat = self.seat(side, replay)?;
        let mut plan = head(side, replay, seat);
        let mut left_out = Vec::new();
        if let Some(finding) = replay.finished.stopped_by() {
            let finding = finding.in_one_line();
            left_out.push(format!("{finding}; the game is played again up to there"));
        }
        let frames = &replay.frames()[1..=until];
        let mut steps = Vec::new();
        for frame in frames {
            let is_bots = side == Side::Bot && frame.by == Some(seat);
            match turn(replay, frame, is_bots) {
                Ok(turn) => steps.push(StepKind::Turn(turn)),
                Err(reason) => left_out.push(format!("turn {}: {reason}", frame.number)),
            }
        }
        let is_over = |frame: &Frame| frame.picture().to_move.is_none();
        if self.from.is_some() && !frames.last().is_some_and(is_over) {
            steps.push(StepKind::PlayToTheEnd);
        }
        plan = plan.with_steps(steps);
        Ok((plan, left_out))
    }

    /// The seat of a bot under test: that of the only player whose lane is at hand, or the first, where the user names none.
    fn seat(&self, side: Side, replay: &Replay) -> Result<Seat, Diagnostic> {
        let Some(word) = &self.seat else {
            let parties = replay.lanes().iter().map(|lane| lane.party);
            let players: Vec<_> = parties
                .filter(|party| *party != Some(Party::Spectator))
                .collect();
            return Ok(match players[..] {
                [Some(Party::Player(only))] => only,
                _ => Seat::First,
            });
        };
        if side == Side::Referee {
            let title = "--seat says whose moves are the bot's, and there is no bot under test";
            return Err(refusal(title, "add --as bot -- COMMAND…"));
        }
        let rules = replay.game();
        rules.seat_called(word).ok_or_else(|| {
            let [first, second] = rules.seat_names();
            let title = format!("there is no seat {}", visible::quoted(word));
            refusal(title, format!("its seats are {first} and {second}"))
        })
    }
}

/// The game without its turns.
fn head(side: Side, replay: &Replay, seat: Seat) -> PlannedGame {
    let logged = &replay.finished.logged;
    let dialect = logged.protocol.dialect().expect("the replay has rules");
    let mut plan = PlannedGame::new(dialect, side);
    let is_dealt = !dialect.game().setup_keys().is_empty();
    plan.setup = replay.finished.outcome.setup.filter(|_| is_dealt);
    let role = match side {
        Side::Bot => {
            plan.bot_seat = seat;
            Role::BotOwnSeat
        }
        Side::Referee => {
            let lanes = logged.lanes.iter();
            let watching = lanes
                .filter(|lane| lane.label.kind() == LaneKind::Spectator)
                .count();
            // Who has recorded a player need not know whether anybody watched.
            if watching > 0 {
                plan.spectators = watching.min(MOST_SPECTATORS as usize) as u32;
            }
            Role::FirstTurn
        }
    };
    plan.checks = vec![dialect.id(role)];
    plan
}

/// A turn, or why it cannot be played again. `is_bots`: it is one of the bot under test.
fn turn(replay: &Replay, frame: &Frame, is_bots: bool) -> Result<Turn, &'static str> {
    let by = frame.by.ok_or("it is nobody's")?;
    let action = match frame.action {
        FrameAction::Moved { mv, .. } => Deed::this(mv),
        FrameAction::Skipped { .. } | FrameAction::Start => Deed::Skip,
        FrameAction::Awaited => return Err("its move is not told"),
        // What it does otherwise now is what the game is played again for.
        FrameAction::Lost { .. } if is_bots => Deed::Move(Choice::ANY),
        FrameAction::Lost { cause } => match cause {
            Cause::HangUp => Deed::Leave(Leaving::HangUp),
            Cause::Timeout => Deed::Silent,
            Cause::Invalid(_) => {
                Deed::Illegal(illegal_line(replay, by).ok_or("the line that lost is not told")?)
            }
            Cause::Unseen => return Err("why the player lost is not told"),
            Cause::Resigned => return Err("a resignation is no line of the game"),
        },
    };
    Ok(Turn::new(by, frame.roll, action))
}

/// The line by which a player has lost: the one after those of the moves that the player made.
fn illegal_line(replay: &Replay, loser: Seat) -> Option<Vec<u8>> {
    let dialect = replay.finished.dialect()?;
    let turns = replay.finished.turns.iter();
    let made = turns.filter(|turn| turn.by == loser && turn.mv.is_some());
    let lanes = replay.lanes().iter();
    let own = lanes.filter(|lane| lane.party == Some(Party::Player(loser)));
    let lines = own.flat_map(|lane| &lane.lines).map(|line| &line.line);
    let sent = lines.filter(|line| line.direction == Direction::Sent);
    let sent = sent.map(|line| &line.line.text);
    let counts =
        |text: &&Vec<u8>| !matches!(dialect.read_player_line(text), PlayerLine::Ignored(_));
    sent.filter(counts).nth(made.count()).cloned()
}

/// Adds to the finding that has stopped a finished game what the user can do about it.
pub(super) fn advise(outcome: &mut Outcome, scenario: &Scenario) {
    let replayed = scenario.game().filter(|plan| plan.replayed.is_some());
    let Some((plan, finding)) = replayed.zip(outcome.findings.first_mut()) else {
        return;
    };
    if finding.verdict == Verdict::Unsupported {
        finding.notes.push(
            "`--free-games 10` plays games that need no hook, and judges every line".to_owned(),
        );
    } else if finding.verdict == Verdict::Inconclusive && plan.side == Side::Bot {
        let is_its = |step: usize| Some(plan.steps[step].span) == finding.span;
        let mut turns = plan.turns();
        let own = turns.find(|(step, turn)| is_its(*step) && turn.seat == plan.bot_seat);
        finding.notes.extend(own.map(|(step, _)| {
            format!(
                "a bot may choose another move than the one that was recorded; `--from {}` lets it choose from this turn on",
                step + 1
            )
        }));
    }
}

#[cfg(test)]
#[path = "replay_live_tests.rs"]
mod tests;
