//! Finished games that `urtext run` plays again.

use std::path::Path;

use super::game_files::NotatedFile;
use super::server_matches::ServerMatches;
use super::{game_files, output, replay};
use crate::config::CocoUrl;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::protocol::Dialect;
use crate::replay::{LiveReplay, seat_of_recorder};
use crate::rules::Seat;
use crate::scenario::{PlannedGame, Scenario, Side, Turn};
use crate::transcript::LoggedGame;
use crate::verify::{self, GameVerdict, Judged, judge_records};

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
    CocoUrl::is_meant(&path.to_string_lossy()) || verify::is_finished_game(path)
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
        let (game, judged) = self.judged(path, server_matches)?;
        if let Some(GameVerdict::Untold(lane)) = judged.as_ref().map(|judged| &judged.verdict) {
            return Err(verify::half_a_lane(&game.lanes[*lane].name).into());
        }
        let (mut plan, left_out) = self.plan(&game, judged).map_err(fault)?;
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

    /// The game of a file, judged.
    fn judged(
        self,
        path: &Path,
        server_matches: &ServerMatches,
    ) -> Result<(LoggedGame, Option<Judged>), Diagnostics> {
        let Some(records) = game_files::records(path, None) else {
            let game = replay::one_game(path, self.number, None, server_matches)?.0;
            let judged = verify::judge(&game);
            return Ok((game, judged));
        };
        match self.number.unwrap_or(1) {
            1 => of_records(records).map(|(game, judged)| (game, Some(judged))),
            number => {
                let name = path.to_string_lossy();
                Err(game_files::no_such_game(&name, number, 1))
            }
        }
    }

    /// The turns that are played again, and reasons why others are not.
    fn plan(
        self,
        game: &LoggedGame,
        judged: Option<Judged>,
    ) -> Result<(PlannedGame, Vec<String>), Refusal> {
        let Some(judged) = judged else {
            let help = "what was said in it can be written as a dialogue";
            return Err((verify::UNRULED.into(), help.into()));
        };
        let played = judged.dialect.game().name();
        let subject = self.protocol.map(Protocol::game_name);
        if let Some(other) = subject.filter(|name| *name != played) {
            return Err((
                format!("this is a game of `{played}`, and the subject plays `{other}`"),
                format!("add --game {played}, or name a subject that plays it"),
            ));
        }
        let (side, seat, from) = (self.side, self.seat(judged.dialect, game)?, self.from);
        let replay = LiveReplay { side, seat, from };
        replay.plan(game, judged).map_err(|error| {
            let help = match from {
                Some(0) => "`--from 1` is a live game from its first turn",
                _ => "`urtext replay --print` shows the turns with their numbers",
            };
            (error.to_string(), help.into())
        })
    }

    /// The seat of a bot under test.
    fn seat(self, dialect: &'static dyn Dialect, game: &LoggedGame) -> Result<Seat, Refusal> {
        let Some(word) = self.seat else {
            return Ok(seat_of_recorder(dialect, game));
        };
        if self.side == Side::Referee {
            let title = "--seat says whose moves are the bot's, and there is no bot under test";
            return Err((title.into(), "add --as bot -- COMMAND…".into()));
        }
        let rules = dialect.game();
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

/// The game that move records tell, where they tell all that a live game needs.
///
/// # Errors
/// Every fault of the file; that a roll is missing.
fn of_records(file: NotatedFile) -> Result<(LoggedGame, Judged), Diagnostics> {
    let notation = file.notation;
    let source = file.read()?;
    let records = judge_records(notation, &source)?;
    output::say(&records.warnings);
    let mut without_roll = records
        .turns
        .iter()
        .zip(1..)
        .filter(|(turn, _)| turn.rolled.is_none())
        .map(|(_, number)| number);
    if let Some(first) = without_roll.next() {
        let title = match without_roll.count() {
            0 => "1 turn here has no roll, and a game is played again with its rolls".to_owned(),
            others => format!(
                "{} turns here have no roll, and a game is played again with its rolls",
                others + 1
            ),
        };
        let fault = Diagnostic::error("run/no-rolls", title).in_file(source.name());
        let fault = fault.note(format!("the first is turn {first}"));
        let help = notation.roll_help();
        return Err(help.into_iter().fold(fault, Diagnostic::help).into());
    }
    if let (Some(broken), None) = (records.complaints.first(), records.wrong()) {
        let (file, title) = (
            visible::plain(source.name().as_bytes()),
            visible::plain(broken.title.as_bytes()),
        );
        anstream::eprintln!("note: {file}: {title}; the moves are legal and are played again");
    }
    let judged = records.judged();
    // Records tell no lane, and what a lane would tell beside the game is left out.
    Ok((
        LoggedGame::new(Protocol::Game(judged.dialect), Vec::new()),
        judged,
    ))
}
