//! Finished games that `urtext run` plays again.

use std::io::Read;
use std::path::Path;

use super::game_files::NotatedFile;
use super::server_matches::ServerMatches;
use super::subject::quote;
use super::{game_files, output, replay};
use crate::config::CocoUrl;
use crate::diagnostic::{self, Diagnostic, Diagnostics, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack;
use crate::protocol::LaneKind;
use crate::replay::{LiveReplay, seat_of};
use crate::rules::{Game, Seat};
use crate::scenario::{Scenario, Side, Turn, is_scenario_file};
use crate::transcript::{LoggedGame, bare, golden, recording};
use crate::verify::{self, GameVerdict, Judged};

/// Number of bytes at the start of a file that identify the kind of file.
const HEAD: u64 = 4096;

/// The options of `urtext run` that apply to a finished game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The kind of subject: a referee or a bot.
    pub(super) side: Side,
    /// The seat of a bot under test; `None`: that of the player who has recorded it.
    pub(super) seat: Option<&'a str>,
    /// The turn from which it goes on live.
    pub(super) from: Option<usize>,
    /// The game that the subject plays, where there is one.
    pub(super) game: Option<&'static dyn Game>,
    /// Number of the game in a file with several, from 1; `None` selects the first, with a remark that there
    /// are others.
    pub(super) number: Option<u64>,
}

/// Returns true if the path names a finished game rather than scenarios.
pub(super) fn is_finished_game(path: &Path) -> bool {
    if CocoUrl::is_meant(&path.to_string_lossy()) {
        return true;
    }
    let mut head = Vec::new();
    // What cannot be read is reported by whoever reads it whole.
    let is_read = path.is_file()
        && diagnostic::open(path).is_ok_and(|file| file.take(HEAD).read_to_end(&mut head).is_ok());
    let is_stream = || pack::dialects().any(|dialect| bare::looks_like(&head, dialect));
    let is_recorded = || golden::is_golden(&head) || recording::is_recording(&head);
    is_read
        && !is_scenario_file(path)
        && (is_recorded() || is_stream() || game_files::records(path, None).is_some())
}

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
        let fault = |title: String, help: &str| {
            Diagnostics::from(
                Diagnostic::error("run/recording", title)
                    .in_file(&*name)
                    .help(help),
            )
        };
        let (game, judged) = match game_files::records(path, None) {
            Some(records) => match self.number.unwrap_or(1) {
                1 => of_records(records)?,
                number => return Err(game_files::no_such_game(&name, number, 1)),
            },
            None => {
                let game = replay::one_game(path, self.number, None, server_matches)?.0;
                let judged = verify::judge(&game);
                (game, judged)
            }
        };
        match &judged.verdict {
            GameVerdict::Unruled => {
                return Err(fault(
                    verify::unruled(judged.dialect),
                    "what was said in it can be written as a dialogue",
                ));
            }
            GameVerdict::Untold(lane) => {
                return Err(verify::half_a_lane(&game.lanes[*lane].name).into());
            }
            GameVerdict::Legal(_) | GameVerdict::Wrong(_) => {}
        }
        let played = judged.dialect.game();
        if let Some(other) = self.game.filter(|game| game.name() != played.name()) {
            let (played, other) = (played.name(), other.name());
            let title = format!("this is a game of `{played}`, and the subject plays `{other}`");
            return Err(fault(
                title,
                &format!("add --game {played}, or name a subject that plays it"),
            ));
        }
        if self.seat.is_some() && self.side == Side::Referee {
            let title =
                "--seat says whose moves are the bot's, and there is no bot under test".to_owned();
            return Err(fault(title, "add --as bot -- COMMAND…"));
        }
        let seat = match self.seat {
            Some(word) => seat_called(&game, word).map_err(|help| {
                fault(format!("there is no seat {}", visible::quoted(word)), &help)
            })?,
            None => seat_of_recorder(&game),
        };
        let again = LiveReplay {
            side: self.side,
            seat,
            from: self.from,
        };
        let (mut plan, left_out) = again.plan(&game, judged).map_err(|error| {
            let help = match self.from {
                Some(0) => "`--from 1` is a live game from its first turn",
                _ => "`urtext replay --print` shows the turns with their numbers",
            };
            fault(error.to_string(), help)
        })?;
        for reason in &left_out {
            anstream::eprintln!(
                "note: {}: not played again: {}",
                visible::plain(name.as_bytes()),
                visible::plain(reason)
            );
        }
        if plan.steps.is_empty() {
            let title = "no turn of this game can be played again".to_owned();
            return Err(fault(
                title,
                "`urtext verify` judges it, and `--from 1` begins a live game",
            ));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let number = self
            .number
            .filter(|&number| number > 1)
            .map(|number| format!("-{number}"));
        let called = format!("{stem}{}-again", number.unwrap_or_default());
        plan.replayed = Some(name.to_string());
        let scenario = plan.titled(format!("{} played again", visible::plain(name.as_bytes())));
        Ok(Scenario {
            name: called,
            ..scenario.placed(&format!("{name} (played again)"))?
        })
    }

    /// The words that play it once more, for a command line.
    pub(super) fn repeat(self, scenario: &Scenario) -> Vec<String> {
        let replayed = scenario.game().and_then(|plan| plan.replayed.as_ref());
        let Some(file) = replayed else {
            return vec![quote(&scenario.place())];
        };
        let number = self.number.map(|number| format!("--game-number {number}"));
        let from = self.from.map(|from| format!("--from {from}"));
        let seat = self.seat.map(|seat| format!("--seat {}", quote(seat)));
        [Some(quote(file)), number, from, seat]
            .into_iter()
            .flatten()
            .collect()
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
    let (notation, source) = file.read()?;
    let records = verify::judge_records(notation, &source)?;
    output::say(&records.warnings);
    let turns = &records.turns;
    if let Some(at) = turns.iter().position(|turn| turn.rolled.is_none()) {
        let count = turns.iter().filter(|turn| turn.rolled.is_none()).count();
        let title = match count {
            1 => "1 turn here has no roll, and a game is played again with its rolls".to_owned(),
            count => format!(
                "{count} turns here have no roll, and a game is played again with its rolls"
            ),
        };
        let fault = Diagnostic::error("run/no-rolls", title).in_file(source.name());
        let fault = fault.note(format!("the first is turn {}", at + 1));
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
    Ok((LoggedGame::new(judged.dialect, Vec::new()), judged))
}

fn seat_called(game: &LoggedGame, word: &str) -> Result<Seat, String> {
    let names = Seat::BOTH.map(|seat| game.dialect.game().seat_name(seat));
    let seat = Seat::BOTH
        .into_iter()
        .find(|seat| names[seat.index()] == word);
    seat.ok_or_else(|| format!("its seats are {} and {}", names[0], names[1]))
}

/// The seat of the only player whose lane is at hand.
fn seat_of_recorder(game: &LoggedGame) -> Seat {
    let mut players = game
        .lanes
        .iter()
        .filter(|lane| lane.kind == LaneKind::Player);
    match (players.next(), players.next()) {
        (Some(only), None) => seat_of(game.dialect, only).unwrap_or(Seat::First),
        _ => Seat::First,
    }
}
