//! `urtext referee`: the built-in referee of every game.

mod options;

use std::path::Path;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use thiserror::Error as ThisError;

use super::Status;
use super::interrupt::Interrupt;
use crate::diagnostic::{Diagnostics, Source, visible};
use crate::peers::{
    self, Conditions, Departure, Lobby, LobbyError, Peers, Players, Referee, SetupSource,
    parse_rolls,
};
use crate::protocol::{Cause, GameEvent};
use crate::rules::{Game, GameResult, PerSeat, Roll, Seat, Setup};
use crate::scenario::Side;
use options::{NameOptions, RefereeOptions, RollOptions};
pub(super) use options::{fault_option, given_if};

/// The largest file of rolls that is read, in bytes.
const ROLLS_LIMIT: u64 = 16 * 1024 * 1024;

/// Arguments of `urtext referee`, with a subcommand for each game.
#[derive(Debug)]
pub(super) struct RefereeArgs {
    peers: Peers,
    options: Box<RefereeOptions>,
}

impl Args for RefereeArgs {
    fn augment_args(command: Command) -> Command {
        command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(peers::all().map(options::command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        RefereeArgs::augment_args(command)
    }
}

impl FromArgMatches for RefereeArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RefereeArgs, Error> {
        let (peers, matches) = game_of(matches)?;
        let options = Box::new(RefereeOptions::of(peers, matches)?);
        Ok(RefereeArgs { peers, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = RefereeArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The peers of the game whose subcommand is given, and its arguments.
pub(super) fn game_of(matches: &ArgMatches) -> Result<(Peers, &ArgMatches), Error> {
    let given = matches.subcommand();
    given
        .and_then(|(name, matches)| Some((peers::find(name)?, matches)))
        .ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))
}

/// Reason why there is no game.
#[derive(Debug, ThisError)]
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
        match self.conduct() {
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

    fn conduct(&self) -> Result<Status, Trouble> {
        let (dialect, options) = (self.peers.dialect, &*self.options);
        let game = dialect.game();
        if !matches!(options.players.bot.len(), 0 | 2) {
            let [first, second] = game.seat_names();
            return Err(Trouble::Usage(format!(
                "--bot has to be given twice, for the players {first} and {second}"
            )));
        }
        let names = options.names.as_ref().map(player_names).transpose()?;
        let rolls = match &options.rolls {
            Some(rolls) => self.forced_rolls(rolls)?,
            None => Vec::new(),
        };
        let setup = self.forced_setup()?;
        if let Err(number) = SetupSource::new(game, setup.clone(), 0).draw() {
            let (key, due) = game.setup_keys()[number];
            return Err(Trouble::Usage(format!("--{key}: expected {due}")));
        }
        let seed = options.games.seed.unwrap_or_else(|| {
            let seed = super::seed::random_seed();
            anstream::eprintln!("seed {seed}");
            seed
        });
        let setups = SetupSource::new(game, setup, seed);
        let conditions = Conditions {
            names: names
                .clone()
                .unwrap_or_else(|| PerSeat([Vec::new(), Vec::new()])),
            timeout: options.timeout,
            pace: options.pace,
            spectators: options
                .spectators
                .as_ref()
                .map_or(0, |given| given.spectators),
            rolls,
            setup: Setup::default(),
            seed,
        };
        let mut referee = Referee::new(dialect, &conditions).with_setups(setups);
        if let Some(name) = &options.fault {
            let fault = self.peers.fault(Side::Referee, name);
            referee =
                referee.with_fault(fault.expect("the parser admits only faults that there are"));
        }
        until_told_to_end(self.serve(referee, names.as_ref(), conditions.spectators))
    }

    async fn serve(
        &self,
        mut referee: Referee,
        names: Option<&PerSeat<Vec<u8>>>,
        spectators: usize,
    ) -> Result<Status, Trouble> {
        let (options, game) = (&*self.options, self.peers.game());
        let (players, has_door) = match options.players.bot.as_slice() {
            [first, second] => (
                Players::Start(PerSeat([first.clone(), second.clone()])),
                spectators > 0,
            ),
            _ => (Players::Connect(options.players.port), true),
        };
        let door = options.spectators.as_ref().filter(|_| has_door);
        let door = door.map(|given| given.spectator_port);
        let lobby = Lobby::open(&options.players.host, players, door, referee.closing()).await?;
        let addresses = lobby.addresses();
        if !addresses.is_empty() {
            super::output::print(&format!("listening {addresses}"));
        }
        for number in 1..=options.games.games {
            let participants = lobby.gather(spectators).await?;
            let (end, bots) = referee.conduct(participants).await;
            for (seat, bot) in Seat::BOTH.into_iter().zip(bots) {
                tell_departure(&named(game, names, seat), &bot);
            }
            let Some(end) = end else {
                return Ok(Status::Broken);
            };
            anstream::eprintln!("game {number}: {}", self.told(end, names));
        }
        Ok(Status::Conforms)
    }

    fn told(&self, end: GameEvent, names: Option<&PerSeat<Vec<u8>>>) -> String {
        let named = |seat| named(self.peers.game(), names, seat);
        match end {
            GameEvent::Lost { by, cause } => {
                let did = match cause {
                    Cause::Invalid(requirement) => format!("sent an invalid line ({requirement})"),
                    Cause::Timeout => {
                        format!("sent no move for {} s", self.options.timeout.as_secs_f64())
                    }
                    Cause::HangUp | Cause::Unseen | Cause::Resigned => "hung up".to_owned(),
                };
                format!("{} wins: {} {did}", named(by.other()), named(by))
            }
            GameEvent::Moved { result, .. } => match result.and_then(GameResult::winner) {
                Some(winner) => format!("{} wins: {}", named(winner), self.peers.row.win),
                None => "the game is drawn".to_owned(),
            },
            GameEvent::Rolled { .. } => unreachable!("no game ends by a roll"),
        }
    }

    /// Returns the forced rolls: from the options, else from the environment.
    fn forced_rolls(&self, given: &RollOptions) -> Result<Vec<Roll>, Trouble> {
        let variable = self.peers.variable("{rolls}");
        let value = variable.and_then(|name| Some((name, std::env::var_os(name)?)));
        let source = match (&given.rolls, &given.rolls_file, value) {
            (Some(rolls), ..) => Source::new("--rolls", rolls.as_str()),
            (None, Some(file), _) => read(file)?,
            (None, None, Some((name, value))) => {
                Source::from_bytes(name, value.into_encoded_bytes())
            }
            (None, None, None) => return Ok(Vec::new()),
        };
        parse_rolls(self.peers.game(), &source).map_err(Trouble::Rolls)
    }

    /// Returns the forced parts of the setup: from the options, else from the environment.
    fn forced_setup(&self) -> Result<Vec<Option<String>>, Trouble> {
        let (game, given) = (self.peers.game(), &self.options.setup);
        let value = self.peers.variable("{setup}").and_then(|variable| {
            let value = std::env::var_os(variable).filter(|value| !value.is_empty())?;
            Some((variable, value.to_string_lossy().into_owned()))
        });
        let Some((variable, text)) = value.filter(|_| given.iter().all(Option::is_none)) else {
            return Ok(given.clone());
        };
        let setup = game.parse_setup(&text).ok_or_else(|| {
            let shown = visible::quoted(&text).at_most(80);
            let due = game.setup_syntax().unwrap_or_default();
            Trouble::Usage(format!("{variable} is {shown}: expected {due}"))
        })?;
        Ok(SetupSource::fixed(game, setup).forced())
    }
}

fn player_names(given: &NameOptions) -> Result<PerSeat<Vec<u8>>, Trouble> {
    let usage = |message: &str| Err(Trouble::Usage(message.to_owned()));
    let names = match given.name.as_slice() {
        [] => match given.names.split(',').collect::<Vec<_>>().as_slice() {
            [first, second] => [first.as_bytes().to_vec(), second.as_bytes().to_vec()],
            _ => {
                return usage(
                    "--names takes two names with one comma between; for names with commas give --name twice",
                );
            }
        },
        [first, second] => [first, second].map(|name| name.clone().into_encoded_bytes()),
        _ => return usage("--name has to be given twice, for the first and the second player"),
    };
    if names.iter().any(|name| name.contains(&b'\n')) {
        return usage("a name is one line: it cannot hold a line feed");
    }
    Ok(PerSeat(names))
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
fn named(game: &dyn Game, names: Option<&PerSeat<Vec<u8>>>, seat: Seat) -> String {
    let seat_name = game.seat_name(seat);
    match names {
        Some(names) => format!(
            "{} ({seat_name})",
            visible::plain(&names[seat]).at_most(200)
        ),
        None => seat_name.to_owned(),
    }
}
