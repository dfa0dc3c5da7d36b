//! Finished games that `urtext run` plays again.

use std::path::Path;

use super::output;
use super::server_matches::ServerMatches;
use crate::archive::{self, FinishedGame, Judging, ReadOptions};
use crate::config::CocoUrl;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::{NotatedTurn, Notation, Protocol};
use crate::replay::{LiveReplay, Replay, seat_of_recorder};
use crate::rules::Seat;
use crate::scenario::{PlannedGame, Scenario, Side, Turn};
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
        server_matches: &ServerMatches,
    ) -> Result<Scenario, Diagnostics> {
        let name = path.to_string_lossy();
        let fault = |(title, help): Refusal| {
            Diagnostic::error("run/recording", title)
                .in_file(&*name)
                .help(help)
        };
        let options = ReadOptions {
            matches: server_matches.all(),
            judging: Judging::ByLanes,
            ..ReadOptions::default()
        };
        let game = archive::game(&[path.to_owned()], self.number, &options)?;
        output::say(&game.warnings);
        assert_rolls(&game)?;
        let (mut plan, left_out) = self.plan(&game).map_err(fault)?;
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

    /// The turns that are played again, and reasons why others are not.
    fn plan(self, game: &FinishedGame) -> Result<(PlannedGame, Vec<String>), Refusal> {
        let Some(finished) = Replay::new(game) else {
            let help = "what was said in it can be written as a dialogue";
            return Err((verify::UNRULED.into(), help.into()));
        };
        let played = finished.game().name();
        let subject = self.protocol.map(Protocol::game_name);
        if let Some(other) = subject.filter(|name| *name != played) {
            return Err((
                format!("this is a game of `{played}`, and the subject plays `{other}`"),
                format!("add --game {played}, or name a subject that plays it"),
            ));
        }
        let (side, seat, from) = (self.side, self.seat(game, &finished)?, self.from);
        let live = LiveReplay { side, seat, from };
        live.plan(game, &finished).map_err(|error| {
            let help = match from {
                Some(0) => "`--from 1` is a live game from its first turn",
                _ => "`urtext replay --print` shows the turns with their numbers",
            };
            (error.to_string(), help.into())
        })
    }

    /// The seat of a bot under test.
    fn seat(self, game: &FinishedGame, finished: &Replay) -> Result<Seat, Refusal> {
        let Some(word) = self.seat else {
            return Ok(seat_of_recorder(game));
        };
        if self.side == Side::Referee {
            let title = "--seat says whose moves are the bot's, and there is no bot under test";
            return Err((title.into(), "add --as bot -- COMMAND…".into()));
        }
        let rules = finished.game();
        rules.seat_called(word).ok_or_else(|| {
            let [first, second] = rules.seat_names();
            let title = format!("there is no seat {}", visible::quoted(word));
            (title, format!("its seats are {first} and {second}"))
        })
    }
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
    if !game.is_of_records() {
        return Ok(());
    }
    let is_untold = |(_, turn): &(usize, &NotatedTurn)| turn.rolled.is_none();
    let mut untold = (1..).zip(&game.turns).filter(is_untold);
    if let Some((first, _)) = untold.next() {
        let title = match untold.count() {
            0 => "1 turn here has no roll, and a game is played again with its rolls".to_owned(),
            others => format!(
                "{} turns here have no roll, and a game is played again with its rolls",
                others + 1
            ),
        };
        let fault = Diagnostic::error("run/no-rolls", title).in_file(&*game.file);
        let fault = fault.note(format!("the first is turn {first}"));
        let help = game.notation().and_then(Notation::roll_help);
        return Err(help.into_iter().fold(fault, Diagnostic::help));
    }
    if let (Some(broken), Some(_)) = (game.wrong(), game.ending) {
        let (file, title) = (visible::plain(&*game.file), visible::plain(&broken.title));
        anstream::eprintln!("note: {file}: {title}; the moves are legal and are played again");
    }
    Ok(())
}
