//! Options of `urtext referee GAME`, built from the game and its protocol.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::pack::FaultRow;
use crate::peers::Peers;

/// The time for a move where neither the user nor the specification says one.
const USUAL_TIMEOUT: Duration = Duration::from_secs(20);

/// A program with its arguments.
pub(super) type BotCommand = Vec<String>;

/// Arguments of a referee, as far as its game has them.
#[derive(Debug)]
pub(super) struct RefereeOptions {
    pub(super) players: PlayerOptions,
    pub(super) spectators: Option<SpectatorOptions>,
    pub(super) names: Option<NameOptions>,
    pub(super) rolls: Option<RollOptions>,
    /// By the setup keys of the game.
    pub(super) setup: Vec<Option<String>>,
    pub(super) games: GameOptions,
    pub(super) timeout: Duration,
    pub(super) pace: Duration,
    pub(super) fault: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct PlayerOptions {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    pub(super) host: String,
    /// Port for the players; 0 for any free one
    #[arg(long, default_value_t = 0)]
    pub(super) port: u16,
    /// A bot to start, with its arguments; given twice, first the first player
    ///
    /// The command is split at blanks; quotes and backslashes work as in a shell, but no shell is involved. Each bot talks over its
    /// standard input and output, and runs in a process group of its own, which is gone when the game is over.
    #[arg(long, value_name = "COMMAND", value_parser = bot_command, conflicts_with = "port")]
    pub(super) bot: Vec<BotCommand>,
}

#[derive(Debug, Args)]
pub(super) struct SpectatorOptions {
    /// Port for spectators; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(super) spectator_port: u16,
    /// Number of spectators that a game waits for
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) spectators: usize,
}

#[derive(Debug, Args)]
pub(super) struct NameOptions {
    /// The players' names
    #[arg(long, value_name = "FIRST,SECOND", default_value = "PlayerA,PlayerB")]
    pub(super) names: String,
    /// One player's name; given twice, for names with commas in them
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    pub(super) name: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct RollOptions {
    #[arg(long, value_name = "ROLLS")]
    pub(super) rolls: Option<String>,
    /// A file with the rolls that come first
    #[arg(long, value_name = "FILE", conflicts_with = "rolls")]
    pub(super) rolls_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct GameOptions {
    /// Decides what is left to chance [default: another one each time, shown on standard error]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Number of games to conduct, one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) games: u64,
}

/// The command of a game's referee.
pub(super) fn command(peers: Peers) -> Command {
    let (game, has_spectators) = (peers.game(), peers.dialect.has_spectators());
    let (about, more) = introduction(peers);
    let mut command = PlayerOptions::augment_args(Command::new(game.name()));
    if has_spectators {
        command = SpectatorOptions::augment_args(command);
    }
    if peers.has_names() {
        command = NameOptions::augment_args(command);
    }
    if peers.has_rolls() {
        let (help, more) = rolls_help(peers);
        command = RollOptions::augment_args(command)
            .mut_arg("rolls", |arg| arg.help(help).long_help(more));
    }
    command = GameOptions::augment_args(command.args(setup_options(peers)));
    let timeout = usual_timeout(peers).as_secs_f64();
    command = command.arg(
        seconds_option("timeout")
            .value_parser(timeout_of)
            .help(format!(
                "How long a player may take for a move [default: {timeout}]"
            )),
    );
    if let (Some(pace), Some(longest)) = (game.default_pace(), game.longest_pace()) {
        let (pace, most) = (pace.as_secs_f64(), longest.as_secs());
        command = command.arg(
            seconds_option("pace")
                .value_parser(move |text: &str| pace_of(text, longest))
                .help(format!(
                    "The least time between two turns, from 0 to {most} [default: {pace}]"
                )),
        );
    }
    command
        .about(about)
        .long_about(more)
        .visible_aliases(game.aliases().iter().copied())
        .arg(fault_option(&peers.referee_faults()))
}

/// The introduction of a command's help, short and whole.
fn introduction(peers: Peers) -> (String, String) {
    let (title, [first, second]) = (peers.game().title(), peers.game().seat_names());
    let lanes = match peers.dialect.has_spectators() {
        true => "players=HOST:PORT spectators=HOST:PORT",
        false => "players=HOST:PORT",
    };
    let about = format!("{title}: conducts games over TCP or between two bots that it starts");
    let more = format!(
        "{about}\n\nOver TCP the first two connections are the players {first} and {second}. Once it listens it prints one line on \
         standard output, `listening {lanes}`; how each game ended is said on standard error."
    );
    (about, more)
}

/// An option for each part of the game's setup.
fn setup_options(peers: Peers) -> impl Iterator<Item = Arg> {
    let variable = peers.variable("{setup}").unwrap_or_default();
    peers.game().setup_keys().iter().map(move |(key, due)| {
        let help = format!("In every game: {due}");
        let more = format!(
            "{help}\n\nIf no part of the setup is given, all of it is taken from the environment variable {variable}."
        );
        let option = Arg::new(*key).long(*key).value_name("VALUE");
        option.help(help).long_help(more)
    })
}

/// The help of `--rolls`, short and whole.
fn rolls_help(peers: Peers) -> (String, String) {
    let game = peers.game();
    let written = |roll| game.format_roll(roll).replace(' ', "");
    let rolls: Vec<_> = game
        .kinds_of_roll()
        .iter()
        .map(|&roll| written(roll))
        .collect();
    let help = format!("Rolls that come first, such as `{}`", rolls.join(" "));
    let variable = peers.variable("{rolls}").map_or_else(String::new, |name| {
        format!(" Without this and without --rolls-file they are taken from the environment variable {name}.")
    });
    let more = format!(
        "{help}\n\nRolls are separated by blanks, commas or line breaks; where the digits of a roll are written apart, commas or line \
         breaks have to stand between the rolls.{variable} They are used up over all games; after them --seed decides."
    );
    (help, more)
}

fn seconds_option(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("SECONDS")
        .allow_negative_numbers(true)
}

/// The option `--fault`, with the faults that there are.
pub(in crate::cli) fn fault_option(faults: &[FaultRow]) -> Arg {
    let values = faults
        .iter()
        .map(|row| PossibleValue::new(row.name).help(row.summary));
    Arg::new("fault")
        .long("fault")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(values))
        .help("Something to do wrong, to show that a test notices")
}

impl RefereeOptions {
    /// The options from the arguments of a game's command.
    pub(super) fn of(peers: Peers, matches: &ArgMatches) -> Result<RefereeOptions, Error> {
        let game = peers.game();
        let one = |name: &str| matches.get_one::<String>(name).cloned();
        let time = |name: &str| matches.get_one::<Duration>(name).copied();
        let pace = game.default_pace();
        Ok(RefereeOptions {
            players: PlayerOptions::from_arg_matches(matches)?,
            spectators: given_if(peers.dialect.has_spectators(), matches)?,
            names: given_if(peers.has_names(), matches)?,
            rolls: given_if(peers.has_rolls(), matches)?,
            setup: game.setup_keys().iter().map(|(key, _)| one(key)).collect(),
            games: GameOptions::from_arg_matches(matches)?,
            timeout: time("timeout").unwrap_or_else(|| usual_timeout(peers)),
            pace: pace.map_or(Duration::ZERO, |usual| time("pace").unwrap_or(usual)),
            fault: one("fault"),
        })
    }
}

/// A group of options, if the game has them.
pub(in crate::cli) fn given_if<T: FromArgMatches>(
    has_them: bool,
    matches: &ArgMatches,
) -> Result<Option<T>, Error> {
    has_them.then(|| T::from_arg_matches(matches)).transpose()
}

fn usual_timeout(peers: Peers) -> Duration {
    peers.game().default_timeout().unwrap_or(USUAL_TIMEOUT)
}

fn bot_command(text: &str) -> Result<BotCommand, String> {
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

fn timeout_of(text: &str) -> Result<Duration, String> {
    let timeout = Duration::try_from_secs_f64(seconds(text)?).unwrap_or_default();
    if timeout.is_zero() {
        Err("expected more than 0 seconds".to_owned())
    } else {
        Ok(timeout)
    }
}

fn pace_of(text: &str, longest: Duration) -> Result<Duration, String> {
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
