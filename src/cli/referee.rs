//! `urtext referee`: the built-in referees, and the options that all games share.

mod onitama;
mod spectate;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand};
use thiserror::Error;

use super::Status;
use super::interrupt::Interrupt;
use super::subject::address_or_url;
use crate::diagnostic::{Diagnostics, Source, visible};
use crate::games::royalur::RoyalUr;
use crate::pack;
use crate::peers::royalur::{End, Referee};
use crate::peers::{Departure, Lobby, LobbyError, Players, parse_rolls};
use crate::protocol::Cause;
use crate::rules::{Game, PerSeat, Roll, RollSource, Seat};

/// The environment variable that forces rolls where no option does.
const ROLLS_VARIABLE: &str = "URTEXT_ROLLS";

/// The largest file of rolls that is read, in bytes.
const ROLLS_LIMIT: u64 = 16 * 1024 * 1024;

/// Arguments of `urtext referee`.
#[derive(Debug, Args)]
pub(super) struct RefereeArgs {
    #[command(subcommand)]
    game: RefereeGame,
}

#[derive(Debug, Subcommand)]
enum RefereeGame {
    /// Conducts the Royal Game of Ur, over TCP or between two bots that it starts, or watches whether another referee does it well
    ///
    /// Over TCP the first two connections are the first and the second player. Once it listens it prints one line on standard
    /// output, `listening players=HOST:PORT spectators=HOST:PORT`; how each game ended is said on standard error.
    #[command(visible_aliases = ["ur", "chess"])]
    Royalur(Box<RoyalUrArgs>),
    /// Conducts Onitama as its judge, over TCP or between two bots that it starts
    ///
    /// Once it listens it prints one line on standard output, `listening players=HOST:PORT`; the first of two connections is Top. The
    /// players are told moves and nothing else: how each game ended is said on standard error.
    Onitama(Box<onitama::OnitamaArgs>),
}

#[derive(Debug, Args)]
struct RoyalUrArgs {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port for the players; 0 for any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Port for spectators; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    spectator_port: u16,
    /// How many spectators a game waits for
    #[arg(long, value_name = "N", default_value_t = 0)]
    spectators: usize,
    /// A bot to start, with its arguments; given twice, for the first and the second player
    ///
    /// The command is split at blanks; quotes and backslashes work as in a shell, but no shell is involved. Each bot
    /// runs in a process group of its own, which is gone when the game is over.
    #[arg(long, value_name = "COMMAND", value_parser = command, conflicts_with = "port")]
    bot: Vec<Command>,
    /// The players' names
    #[arg(long, value_name = "FIRST,SECOND", default_value = "PlayerA,PlayerB")]
    names: String,
    /// One player's name; given twice, for names with commas in them
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    name: Vec<OsString>,
    /// Rolls that come first, such as `0011 1111` or `0 0 1 1, 1 1 1 1`
    ///
    /// Rolls are separated by blanks, commas or line breaks; where the coins of a roll are written apart, commas or line
    /// breaks have to stand between the rolls. Without this and without --rolls-file they are taken from the
    /// environment variable URTEXT_ROLLS. They are used up over all games; after them the coins fall by --seed.
    #[arg(long, value_name = "ROLLS")]
    rolls: Option<String>,
    /// A file with the rolls that come first
    #[arg(long, value_name = "FILE", conflicts_with = "rolls")]
    rolls_file: Option<PathBuf>,
    /// Decides how the coins fall [default: another one each time, shown on standard error]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How long a player may take for a move
    #[arg(long, value_name = "SECONDS", default_value = "90", value_parser = timeout, allow_negative_numbers = true)]
    timeout: Duration,
    /// The least time between two turns, from 0 to 30
    #[arg(long, value_name = "SECONDS", default_value = "1.5", value_parser = pace, allow_negative_numbers = true)]
    pace: Duration,
    /// How many games to conduct, one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// Conducts nothing: watches a real referee and tells every turn, up to the first line that breaks the rules
    ///
    /// HOST:PORT is where spectators of that referee connect, coco://HOST:PORT/ID a match on a Code Colosseum server that waits or is
    /// played. What is told is what `urtext replay --print` has for the finished game.
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = address_or_url, conflicts_with_all = CONDUCTING)]
    spectate: Option<String>,
    /// Something to do wrong, to show that a test notices
    #[arg(long, value_name = "NAME", value_parser = faults(&RoyalUr))]
    fault: Option<String>,
}

/// Options that only apply to a referee that conducts games.
const CONDUCTING: [&str; 14] = [
    "host",
    "port",
    "spectator_port",
    "spectators",
    "bot",
    "names",
    "name",
    "rolls",
    "rolls_file",
    "seed",
    "timeout",
    "pace",
    "games",
    "fault",
];

/// A program with its arguments.
type Command = Vec<String>;

/// Reason why there is no game.
#[derive(Debug, Error)]
enum Trouble {
    #[error("{0}")]
    Usage(String),
    #[error("{}", .0.draw(crate::diagnostic::Paint::Plain))]
    Rolls(Diagnostics),
    #[error(transparent)]
    Lobby(#[from] LobbyError),
    #[error("cannot watch for signals: {0}")]
    System(#[from] std::io::Error),
}

fn faults(game: &dyn Game) -> PossibleValuesParser {
    let peers = crate::peers::find(game.name()).expect("the built-in referee exists");
    let rows = peers.referee_faults();
    rows.iter()
        .map(|row| PossibleValue::new(row.name).help(row.summary))
        .collect::<Vec<_>>()
        .into()
}

fn command(text: &str) -> Result<Command, String> {
    let words =
        shell_words::split(text).map_err(|error| format!("{error}: close the quotation"))?;
    if words.is_empty() {
        Err("it names no program".to_owned())
    } else {
        Ok(words)
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds such as 1.5".to_owned())?;
    if seconds.is_finite() {
        Ok(seconds)
    } else {
        Err("expected a finite number of seconds".to_owned())
    }
}

fn timeout(text: &str) -> Result<Duration, String> {
    let timeout = Duration::try_from_secs_f64(seconds(text)?).unwrap_or_default();
    if timeout.is_zero() {
        Err("expected more than 0 seconds".to_owned())
    } else {
        Ok(timeout)
    }
}

fn pace(text: &str) -> Result<Duration, String> {
    let longest = RoyalUr.longest_pace().expect("turns of Ur have a pace");
    let pace = Duration::try_from_secs_f64(seconds(text)?)
        .ok()
        .filter(|&pace| pace <= longest);
    pace.ok_or_else(|| {
        format!(
            "the pace is at least 0 and at most {} seconds",
            longest.as_secs()
        )
    })
}

/// Serves until all games are over, or the process is told to end.
fn until_told_to_end(
    serving: impl Future<Output = Result<Status, Trouble>>,
) -> Result<Status, Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let interrupt = Interrupt::listen()?;
        tokio::select! {
            done = serving => done,
            () = interrupt.come() => Ok(Status::Interrupted),
        }
    })
}

impl RefereeArgs {
    /// Conducts the games.
    pub(super) fn run(self) -> Status {
        let done = match self.game {
            RefereeGame::Royalur(args) => args.run(),
            RefereeGame::Onitama(args) => args.run(),
        };
        match done {
            Ok(status) => status,
            Err(Trouble::Usage(message)) => super::output::usage(&message),
            Err(Trouble::Rolls(faults)) => {
                anstream::eprintln!("{}", faults.draw(crate::diagnostic::Paint::Coloured));
                Status::Usage
            }
            Err(trouble) => {
                anstream::eprintln!("urtext referee: {trouble}");
                Status::Broken
            }
        }
    }
}

impl RoyalUrArgs {
    fn run(self) -> Result<Status, Trouble> {
        if let Some(address) = &self.spectate {
            let dialect = pack::dialect(RoyalUr.name()).expect("the game has a protocol");
            return until_told_to_end(async { Ok(spectate::watch(dialect, address).await) });
        }
        if !matches!(self.bot.len(), 0 | 2) {
            return Err(Trouble::Usage(
                "--bot has to be given twice, for the first and the second player".into(),
            ));
        }
        let names = self.player_names()?;
        let forced = self.forced_rolls()?;
        let seed = self.seed.unwrap_or_else(|| {
            let seed = super::seed::random_seed();
            anstream::eprintln!("seed {seed}");
            seed
        });
        let mut referee = Referee::new(
            names.clone(),
            self.timeout,
            self.pace,
            RollSource::new(forced, seed),
        );
        if let Some(fault) = &self.fault {
            referee = referee
                .with_fault(fault)
                .expect("the parser admits only faults that there are");
        }
        until_told_to_end(self.serve(referee, &names))
    }

    async fn serve(
        &self,
        mut referee: Referee,
        names: &PerSeat<Vec<u8>>,
    ) -> Result<Status, Trouble> {
        let (players, has_spectator_door) = match self.bot.as_slice() {
            [first, second] => (
                Players::Start(PerSeat([first.clone(), second.clone()])),
                self.spectators > 0,
            ),
            _ => (Players::Connect(self.port), true),
        };
        let spectators = has_spectator_door.then_some(self.spectator_port);
        let lobby = Lobby::open(&self.host, players, spectators, referee.closing()).await?;
        let addresses = lobby.addresses();
        if !addresses.is_empty() {
            super::output::print_line(&format!("listening {addresses}"));
        }
        for game in 1..=self.games {
            let participants = lobby.gather(self.spectators).await?;
            let (end, bots) = referee.conduct(participants).await;
            for (seat, bot) in Seat::BOTH.into_iter().zip(bots) {
                tell_departure(&named(names, seat), &bot);
            }
            if end == End::Died {
                return Ok(Status::Broken);
            }
            anstream::eprintln!("game {game}: {}", self.told(end, names));
        }
        Ok(Status::Conforms)
    }

    fn told(&self, end: End, names: &PerSeat<Vec<u8>>) -> String {
        let (winner, why) = match end {
            End::Won(winner) => (winner, "all tokens are out".to_owned()),
            End::Lost(loser, cause) => {
                let did = match cause {
                    Cause::Invalid(requirement) => format!("sent an invalid line ({requirement})"),
                    Cause::Timeout => format!("sent nothing for {} s", self.timeout.as_secs_f64()),
                    Cause::HangUp | Cause::Unseen => "hung up".to_owned(),
                };
                (loser.other(), format!("{} {did}", named(names, loser)))
            }
            End::Died => unreachable!("who died tells nothing"),
        };
        format!("{} wins: {why}", named(names, winner))
    }

    fn player_names(&self) -> Result<PerSeat<Vec<u8>>, Trouble> {
        let names = match self.name.as_slice() {
            [] => match self.names.split(',').collect::<Vec<_>>().as_slice() {
                [first, second] => [first.as_bytes().to_vec(), second.as_bytes().to_vec()],
                _ => {
                    return Err(Trouble::Usage(
                        "--names takes two names with one comma between; for names with commas give --name twice".into(),
                    ));
                }
            },
            [first, second] => [first, second].map(|name| name.clone().into_vec()),
            _ => {
                return Err(Trouble::Usage(
                    "--name has to be given twice, for the first and the second player".into(),
                ));
            }
        };
        if names.iter().any(|name| name.contains(&b'\n')) {
            return Err(Trouble::Usage(
                "a name is one line: it cannot hold a line feed".into(),
            ));
        }
        Ok(PerSeat(names))
    }

    fn forced_rolls(&self) -> Result<Vec<Roll>, Trouble> {
        let source = match (
            &self.rolls,
            &self.rolls_file,
            std::env::var_os(ROLLS_VARIABLE),
        ) {
            (Some(rolls), ..) => Source::new("--rolls", rolls.as_str()),
            (None, Some(file), _) => read(file)?,
            (None, None, Some(value)) => Source::from_bytes(ROLLS_VARIABLE, value.into_vec()),
            (None, None, None) => return Ok(Vec::new()),
        };
        parse_rolls(&RoyalUr, &source).map_err(Trouble::Rolls)
    }
}

fn read(file: &Path) -> Result<Source, Trouble> {
    Source::read(file, ROLLS_LIMIT).map_err(|fault| {
        let mut faults = Diagnostics::new();
        faults.push(fault);
        Trouble::Rolls(faults)
    })
}

fn tell_departure(name: &str, bot: &Departure) {
    for line in bot
        .said
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        anstream::eprintln!("{name}: {}", visible::plain(line));
    }
    match &bot.ended {
        Some(ended) if ended.is_success => {}
        Some(ended) => anstream::eprintln!("{name} ended with {}", ended.status),
        None => anstream::eprintln!("{name} did not end by itself"),
    }
}

/// A player's name for people, with its seat: names can be equal, and hostile.
fn named(names: &PerSeat<Vec<u8>>, seat: Seat) -> String {
    format!(
        "{} ({})",
        visible::plain(&names[seat]).at_most(200),
        RoyalUr.seat_name(seat)
    )
}
