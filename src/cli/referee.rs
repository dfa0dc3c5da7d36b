//! `urtext referee`: the built-in referee of every game.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Status;
use super::interrupt::interruptible;
use super::output::{print, readable, usage};
use crate::config::address;
use crate::diagnostic::{Source, did_you_mean, visible};
use crate::pack::FaultRow;
use crate::peers::{self, Conditions, Departure, Lobby, Peers, Referee, parse_rolls};
use crate::protocol::GameEvent;
use crate::rules::{PerSeat, Seat};
use crate::scenario::Side;
use crate::verify::{Ending, player};

/// The time for a move where neither the user nor the specification says one.
const USUAL_TIMEOUT: Duration = Duration::from_secs(20);

const HELP: &str = "\
The first two connections are the players. The referee prints `listening players=HOST:PORT spectators=HOST:PORT` when it listens, and \
the end of each game on standard error.

Examples:
  urtext referee royalur --listen :4000 --timeout 20 --games 3
  urtext referee royalur --bot 'python3 mybot.py' --bot 'urtext bot royalur'
  urtext referee onitama --fault list";

/// Arguments of `urtext referee`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct RefereeArgs {
    #[command(flatten)]
    peer: PeerArgs,

    /// Address for players; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = ":0")]
    listen: String,

    /// Address for spectators [default: a free port]
    #[arg(long, value_name = "HOST:PORT", value_parser = address)]
    listen_spectators: Option<String>,

    /// Number of spectators that a game waits for
    #[arg(long, value_name = "N", default_value_t = 0)]
    spectators: usize,

    /// A bot to start for each game, with its arguments; give it twice, the first player first
    ///
    /// Each bot uses its standard input and output. Quotes and backslashes work as in a shell, but no shell is involved.
    #[arg(long, value_name = "COMMAND", value_parser = bot_command, conflicts_with = "listen")]
    bot: Vec<BotCommand>,

    /// A player's name; give it twice, the first player first [default: PlayerA, PlayerB]
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    name: Vec<String>,

    /// The first rolls, such as `0011 1111` [default: from the environment variable of the game]
    ///
    /// `0 0 1 1, 1 1 1 1` works too. All games share the rolls; after the last one, --seed decides.
    #[arg(long, value_name = "ROLLS")]
    rolls: Option<String>,

    /// The setup of every game [default: from the environment variable of the game, or at random]
    #[arg(long, value_name = "SETUP")]
    setup: Option<String>,

    /// Number of games, one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,

    /// Timeout for a move [default: that of the specification, or 20]
    #[arg(long, value_name = "SECONDS", value_parser = timeout, allow_negative_numbers = true)]
    timeout: Option<Duration>,

    /// Minimum time between two turns [default: that of the specification]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pace: Option<Duration>,
}

/// A built-in peer of a game.
#[derive(Debug, Args)]
pub(super) struct PeerArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = games())]
    pub(super) peers: Peers,

    /// Seed of the random choices [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,

    /// A mistake to make on purpose; `list` prints the mistakes that the peer knows
    #[arg(long, value_name = "NAME")]
    fault: Option<String>,
}

/// A seed where the user gave none.
pub(super) fn random_seed() -> u64 {
    RandomState::new().hash_one(())
}

/// A program with its arguments.
type BotCommand = Vec<String>;

/// The built-in peers, by the names and aliases of their games.
fn games() -> impl TypedValueParser<Value = Peers> {
    let value = |peers: Peers| {
        let game = peers.game();
        PossibleValue::new(game.name()).aliases(game.aliases().iter().copied())
    };
    let games = PossibleValuesParser::from(peers::all().map(value).collect::<Vec<_>>());
    games.map(|game| peers::find(&game).expect("only games with peers are possible values"))
}

impl PeerArgs {
    /// The fault of the peer of this side.
    ///
    /// # Errors
    /// Returns the status of the command if the user asks for the list, or names no fault.
    pub(super) fn fault(&self, side: Side) -> Result<Option<FaultRow>, Status> {
        let Some(name) = &self.fault else {
            return Ok(None);
        };
        let known = peers::faults_of(self.peers.game().name(), side);
        if name == "list" {
            for row in known {
                print(&format!("{}: {}", row.name, row.summary));
            }
            return Err(Status::Conforms);
        }
        let found = known.iter().find(|row| row.name == name);
        found.copied().map(Some).ok_or_else(|| {
            let meant = did_you_mean(name, known.iter().map(|row| row.name));
            let help = meant.unwrap_or_else(|| "`--fault list` prints all".to_owned());
            usage(&format!("there is no fault `{name}`; {help}"))
        })
    }
}

impl RefereeArgs {
    /// Conducts the games.
    ///
    /// # Errors
    /// The status to exit with, after saying why there is no game.
    pub(super) fn run(&self) -> Result<Status, Status> {
        let fault = self.peer.fault(Side::Referee)?;
        self.check()?;
        let conditions = self.conditions()?;
        let referee = Referee::new(self.peer.peers.dialect, &conditions).with_fault(fault);
        // It ends after the last game, or on a signal.
        let served = interruptible(async |interrupt| {
            tokio::select! {
                done = self.serve(referee, &conditions) => done,
                () = interrupt.come() => Ok(Status::Interrupted),
            }
        });
        served.map_err(|error: io::Error| {
            anstream::eprintln!("urtext referee: {error}");
            Status::Broken
        })
    }

    /// # Errors
    /// Names an option that this game has no use for, or that has a wrong value.
    fn check(&self) -> Result<(), Status> {
        let (peers, game) = (self.peer.peers, self.peer.peers.game());
        let has_spectators = peers.dialect.data().has_spectators;
        let door = &self.listen_spectators;
        let (has_setup, longest) = (!game.setup_keys().is_empty(), game.data().longest_pace);
        let needs = [
            ("--spectators", self.spectators > 0, has_spectators),
            ("--listen-spectators", door.is_some(), has_spectators),
            ("--name", !self.name.is_empty(), peers.dialect.has_names()),
            ("--rolls", self.rolls.is_some(), peers.has_rolls()),
            ("--setup", self.setup.is_some(), has_setup),
            ("--pace", self.pace.is_some(), longest.is_some()),
        ];
        for (option, is_given, is_known) in needs {
            if is_given && !is_known {
                let game = game.name();
                return Err(usage(&format!(
                    "{game} has nothing that {option} could set"
                )));
            }
        }
        for (option, count) in [("--bot", self.bot.len()), ("--name", self.name.len())] {
            if !matches!(count, 0 | 2) {
                return Err(usage(&format!(
                    "{option} has to be given twice, for the first and the second player"
                )));
            }
        }
        match longest {
            Some(longest) if self.pace > Some(longest) => Err(usage(&format!(
                "--pace: the pace is at most {} seconds",
                longest.as_secs()
            ))),
            _ => Ok(()),
        }
    }

    /// The conditions of the games. Shows a seed that was not given.
    ///
    /// # Errors
    /// The status to exit with, after saying that the rolls or the setup cannot be read.
    fn conditions(&self) -> Result<Conditions, Status> {
        let game = self.peer.peers.game();
        let rolls = self.forced("{rolls}", "--rolls", self.rolls.as_deref());
        let rolls = readable(parse_rolls(game, &rolls))?;
        let source = self.forced("{setup}", "--setup", self.setup.as_deref());
        let setup = source.text().and_then(|text| game.parse_setup(text));
        if setup.is_none() && !source.bytes().is_empty() {
            let shown = visible::quoted(source.bytes()).at_most(80);
            let due: Vec<_> = game.setup_keys().iter().map(|key| key.due).collect();
            return Err(usage(&format!(
                "{} is {shown}: expected {}",
                source.name(),
                due.join(", then a blank, then ")
            )));
        }
        let names = match self.name.as_slice() {
            [first, second] => [first.as_str(), second],
            _ => ["PlayerA", "PlayerB"],
        };
        let seed = self.peer.seed.unwrap_or_else(|| {
            let seed = random_seed();
            anstream::eprintln!("seed {seed}");
            seed
        });
        let timeout = self.timeout.or(game.data().default_timeout);
        let pace = self.pace.or(game.data().default_pace);
        Ok(Conditions {
            names: PerSeat(names.map(|name| name.as_bytes().to_vec())),
            timeout: timeout.unwrap_or(USUAL_TIMEOUT),
            pace: pace.unwrap_or_default(),
            spectators: self.spectators,
            rolls,
            setup,
            seed,
        })
    }

    /// Returns the value of an option, or else of its environment variable; an empty value if neither is set.
    fn forced(&self, value: &str, option: &str, given: Option<&str>) -> Source {
        if let Some(given) = given {
            return Source::new(option, given);
        }
        let name = self.peer.peers.variable(value).unwrap_or(option);
        let text = std::env::var_os(name).unwrap_or_default();
        Source::from_bytes(name, text.into_encoded_bytes())
    }

    async fn serve(&self, mut referee: Referee, conditions: &Conditions) -> io::Result<Status> {
        let players = self.bot.is_empty().then(|| self.listen.clone());
        let is_open = players.is_some() || self.spectators > 0;
        let (peers, game) = (self.peer.peers, self.peer.peers.game());
        let name = |name: &Vec<u8>| peers.dialect.has_names().then(|| name.clone());
        let names = PerSeat(conditions.names.0.each_ref().map(name));
        let is_open = is_open && peers.dialect.data().has_spectators;
        let host = self.listen.rsplit_once(':').map_or("", |(host, _)| host);
        let door = self.listen_spectators.clone();
        let door = is_open.then(|| door.unwrap_or(format!("{host}:0")));
        let lobby = Lobby::open(players, door, self.bot.clone()).await?;
        let addresses = lobby.addresses();
        if !addresses.is_empty() {
            print(&format!("listening {addresses}"));
        }
        for number in 1..=self.games {
            let participants = lobby.gather(self.spectators).await?;
            let (end, bots) = referee.conduct(participants).await;
            for (seat, bot) in Seat::BOTH.into_iter().zip(bots) {
                report_departure(&player(game, &names, seat), &bot);
            }
            let ending = match end {
                Some(GameEvent::Lost { by, cause }) => Ending::Lost { by, cause },
                Some(GameEvent::Moved { result, .. }) => {
                    Ending::Over(result.expect("the game is over"))
                }
                _ => return Ok(Status::Broken),
            };
            anstream::eprintln!("game {number}: {}", ending.describe(game, &names));
        }
        Ok(Status::Conforms)
    }
}

fn bot_command(text: &str) -> Result<BotCommand, String> {
    match shell_words::split(text) {
        Ok(words) if words.is_empty() => Err("it names no program".to_owned()),
        Ok(words) => Ok(words),
        Err(error) => Err(format!("{error}: close the quotation")),
    }
}

fn one_line(text: &str) -> Result<String, &'static str> {
    match text.contains('\n') {
        true => Err("a name is one line: it cannot hold a line feed"),
        false => Ok(text.to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().map(Duration::try_from_secs_f64);
    let seconds = seconds.and_then(Result::ok);
    seconds.ok_or("expected a number of seconds such as 1.5, at least 0")
}

fn timeout(text: &str) -> Result<Duration, &'static str> {
    let timeout = seconds(text)?;
    match timeout.is_zero() {
        true => Err("expected more than 0 seconds"),
        false => Ok(timeout),
    }
}

fn report_departure(name: &str, bot: &Departure) {
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
