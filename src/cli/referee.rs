//! `urtext referee`: the built-in referee of every game.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::Status;
use super::interrupt::interruptible;
use super::output::{print, say, usage};
use crate::config::address;
use crate::diagnostic::{Source, did_you_mean, visible};
use crate::pack::FaultRow;
use crate::peers::{
    self, Conditions, Departure, Lobby, LobbyError, Peers, Players, Referee, SetupSource,
    parse_rolls,
};
use crate::protocol::{Cause, GameEvent};
use crate::rules::{Game, GameResult, PerSeat, Roll, Seat, Setup};
use crate::scenario::Side;

/// The time for a move where neither the user nor the specification says one.
const USUAL_TIMEOUT: Duration = Duration::from_secs(20);

const HELP: &str = "\
Over TCP, the first two connections are the players. The referee prints `listening players=HOST:PORT spectators=HOST:PORT` once it \
listens. On standard error it says how each game ended.

Examples:
  urtext referee royalur --listen :4000 --timeout 20 --games 3
  urtext referee royalur --bot 'python3 mybot.py' --bot 'urtext bot royalur'
  urtext referee onitama --fault list";

/// Arguments of `urtext referee`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct RefereeArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = games())]
    game: String,

    /// Address for players; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = ":0")]
    listen: String,

    /// Address for spectators [default: a free port]
    #[arg(long, value_name = "HOST:PORT", value_parser = address)]
    listen_spectators: Option<String>,

    /// Number of spectators that a game waits for [default: 0]
    #[arg(long, value_name = "N")]
    spectators: Option<usize>,

    /// A bot to start, with its arguments; given twice, first the first player
    ///
    /// The command is split at blanks; quotes and backslashes work as in a shell, but no shell is involved. Each bot uses its standard
    /// input and output, and runs in a process group of its own, which ends with the game.
    #[arg(long, value_name = "COMMAND", value_parser = bot_command, conflicts_with = "listen")]
    bot: Vec<BotCommand>,

    /// A player's name; given twice, first the first player [default: PlayerA, PlayerB]
    #[arg(long, value_name = "NAME")]
    name: Vec<OsString>,

    /// The first rolls, such as `0011 1111` [default: those of the environment variable of the game]
    ///
    /// Separate rolls by blanks, commas or line breaks; write `0 0 1 1, 1 1 1 1` for digits apart. The rolls are used up over all games;
    /// after them --seed decides.
    #[arg(long, value_name = "ROLLS")]
    rolls: Option<String>,

    /// The random setup of every game, as one text [default: that of the environment variable of the game, or drawn]
    #[arg(long, value_name = "SETUP")]
    setup: Option<String>,

    /// Decides what is left to chance [default: another one each time, shown on standard error]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Number of games to conduct, one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,

    /// How long a player may take for a move [default: the timeout of the specification, or 20]
    #[arg(long, value_name = "SECONDS", value_parser = timeout, allow_negative_numbers = true)]
    timeout: Option<Duration>,

    /// The least time between two turns [default: the pace of the specification]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pace: Option<f64>,

    /// A deviation, to show that a test notices it; `list` prints those of the game
    #[arg(long, value_name = "NAME")]
    fault: Option<String>,
}

/// A program with its arguments.
type BotCommand = Vec<String>;

/// The games with built-in peers, by their names and aliases.
pub(super) fn games() -> PossibleValuesParser {
    let value = |peers: Peers| {
        let game = peers.game();
        PossibleValue::new(game.name()).aliases(game.aliases().iter().copied())
    };
    peers::all().map(value).collect::<Vec<_>>().into()
}

/// The peers of a game that the parser has accepted.
pub(super) fn peers_of(game: &str) -> Peers {
    peers::find(game).expect("the parser accepts only games with peers")
}

/// The fault of that name.
///
/// # Errors
/// Returns the status of the command if the user asks for the list, or names no fault.
pub(super) fn fault(
    peers: Peers,
    side: Side,
    name: Option<&str>,
) -> Result<Option<FaultRow>, Status> {
    let Some(name) = name else { return Ok(None) };
    let known = peers::faults_of(peers.game().name(), side);
    if name == "list" {
        for row in known {
            print(&format!("{}: {}", row.name, row.summary));
        }
        return Err(Status::Conforms);
    }
    let found = peers.fault(side, name);
    found.map(Some).ok_or_else(|| {
        let meant = did_you_mean(name, known.iter().map(|row| row.name));
        let help = meant.unwrap_or_else(|| "`--fault list` prints all".to_owned());
        usage(&format!("there is no fault `{name}`; {help}"))
    })
}

impl RefereeArgs {
    /// Conducts the games.
    pub(super) fn run(self) -> Status {
        self.conduct().unwrap_or_else(|status| status)
    }

    /// # Errors
    /// The status to exit with, after saying why there is no game.
    fn conduct(&self) -> Result<Status, Status> {
        let peers = peers_of(&self.game);
        let fault = fault(peers, Side::Referee, self.fault.as_deref())?;
        let (dialect, game) = (peers.dialect, peers.game());
        self.check(peers)?;
        if !matches!(self.bot.len(), 0 | 2) {
            let [first, second] = game.seat_names();
            return Err(usage(&format!(
                "--bot has to be given twice, for the players {first} and {second}"
            )));
        }
        let names = match peers.has_names() {
            true => Some(self.names()?),
            false => None,
        };
        let (rolls, setup) = (self.forced_rolls(peers)?, self.forced_setup(peers)?);
        let seed = self.seed.unwrap_or_else(|| {
            let seed = super::seed::random_seed();
            anstream::eprintln!("seed {seed}");
            seed
        });
        let conditions = Conditions {
            names: names
                .clone()
                .unwrap_or_else(|| PerSeat([Vec::new(), Vec::new()])),
            timeout: self.timeout(peers),
            pace: self.pace(peers)?,
            spectators: self.spectators.unwrap_or_default(),
            rolls,
            setup: Setup::default(),
            seed,
        };
        let setups = SetupSource::new(game, setup, seed);
        let mut referee = Referee::new(dialect, &conditions).with_setups(setups);
        if let Some(fault) = fault {
            referee = referee.with_fault(fault);
        }
        // It ends after the last game, or on a signal.
        let served = interruptible(async |interrupt| {
            tokio::select! {
                done = self.serve(peers, referee, names.as_ref(), conditions.spectators) => done,
                () = interrupt.come() => Ok(Status::Interrupted),
            }
        });
        served.map_err(|error: LobbyError| {
            anstream::eprintln!("urtext referee: {error}");
            Status::Broken
        })
    }

    /// # Errors
    /// Names an option that this game has no use for.
    fn check(&self, peers: Peers) -> Result<(), Status> {
        let (game, has_spectators) = (peers.game(), peers.dialect.has_spectators());
        let needs = [
            (self.spectators.is_some(), has_spectators, "--spectators"),
            (
                self.listen_spectators.is_some(),
                has_spectators,
                "--listen-spectators",
            ),
            (!self.name.is_empty(), peers.has_names(), "--name"),
            (self.rolls.is_some(), peers.has_rolls(), "--rolls"),
            (
                self.setup.is_some(),
                !game.setup_keys().is_empty(),
                "--setup",
            ),
            (self.pace.is_some(), game.longest_pace().is_some(), "--pace"),
        ];
        let useless = needs
            .iter()
            .find(|(is_given, is_known, _)| *is_given && !is_known);
        useless.map_or(Ok(()), |(_, _, option)| {
            let (game, option) = (game.name(), &option);
            Err(usage(&format!(
                "{game} has nothing that {option} could set"
            )))
        })
    }

    async fn serve(
        &self,
        peers: Peers,
        mut referee: Referee,
        names: Option<&PerSeat<Vec<u8>>>,
        spectators: usize,
    ) -> Result<Status, LobbyError> {
        let (players, has_door) = match self.bot.as_slice() {
            [first, second] => (
                Players::Start(PerSeat([first.clone(), second.clone()])),
                spectators > 0,
            ),
            _ => (Players::Connect(self.listen.clone()), true),
        };
        let has_door = has_door && peers.dialect.has_spectators();
        let host = self.listen.rsplit_once(':').map_or("", |(host, _)| host);
        let door = has_door.then(|| self.listen_spectators.clone());
        let door = door.map(|door| door.unwrap_or(format!("{host}:0")));
        let lobby = Lobby::open(players, door, referee.closing()).await?;
        let addresses = lobby.addresses();
        if !addresses.is_empty() {
            print(&format!("listening {addresses}"));
        }
        for number in 1..=self.games {
            let participants = lobby.gather(spectators).await?;
            let (end, bots) = referee.conduct(participants).await;
            for (seat, bot) in Seat::BOTH.into_iter().zip(bots) {
                tell_departure(&named(peers.game(), names, seat), &bot);
            }
            let Some(end) = end else {
                return Ok(Status::Broken);
            };
            anstream::eprintln!("game {number}: {}", self.told(peers, end, names));
        }
        Ok(Status::Conforms)
    }

    fn told(&self, peers: Peers, end: GameEvent, names: Option<&PerSeat<Vec<u8>>>) -> String {
        let named = |seat| named(peers.game(), names, seat);
        match end {
            GameEvent::Lost { by, cause } => {
                let did = match cause {
                    Cause::Invalid(requirement) => format!("sent an invalid line ({requirement})"),
                    Cause::Timeout => {
                        format!("sent no move for {} s", self.timeout(peers).as_secs_f64())
                    }
                    Cause::HangUp | Cause::Unseen | Cause::Resigned => "hung up".to_owned(),
                };
                format!("{} wins: {} {did}", named(by.other()), named(by))
            }
            GameEvent::Moved { result, .. } => match result.and_then(GameResult::winner) {
                Some(winner) => format!("{} wins: {}", named(winner), peers.row.win),
                None => "the game is drawn".to_owned(),
            },
            GameEvent::Rolled { .. } => unreachable!("no game ends by a roll"),
        }
    }

    /// The timeout for a move.
    fn timeout(&self, peers: Peers) -> Duration {
        let usual = peers.game().default_timeout();
        self.timeout.or(usual).unwrap_or(USUAL_TIMEOUT)
    }

    /// # Errors
    /// The pace is out of the game's range.
    fn pace(&self, peers: Peers) -> Result<Duration, Status> {
        let (game, Some(pace)) = (peers.game(), self.pace) else {
            return Ok(peers.game().default_pace().unwrap_or_default());
        };
        let longest = game.longest_pace().unwrap_or_default();
        let pace = Duration::try_from_secs_f64(pace).ok();
        pace.filter(|&pace| pace <= longest).ok_or_else(|| {
            let longest = longest.as_secs();
            usage(&format!(
                "--pace: the pace is at least 0 and at most {longest} seconds"
            ))
        })
    }

    /// # Errors
    /// Not two names, or a name of several lines.
    fn names(&self) -> Result<PerSeat<Vec<u8>>, Status> {
        let usage = |message| Err(usage(message));
        let names = match self.name.as_slice() {
            [] => ["PlayerA", "PlayerB"].map(|name| name.as_bytes().to_vec()),
            [first, second] => [first, second].map(|name| name.clone().into_encoded_bytes()),
            _ => return usage("--name has to be given twice, for the first and the second player"),
        };
        if names.iter().any(|name| name.contains(&b'\n')) {
            return usage("a name is one line: it cannot hold a line feed");
        }
        Ok(PerSeat(names))
    }

    /// The forced rolls: from the option, else from the environment.
    fn forced_rolls(&self, peers: Peers) -> Result<Vec<Roll>, Status> {
        let variable = peers.variable("{rolls}");
        let value = variable.and_then(|name| Some((name, std::env::var_os(name)?)));
        let source = match (&self.rolls, value) {
            (Some(rolls), _) => Source::new("--rolls", rolls.as_str()),
            (None, Some((name, value))) => Source::from_bytes(name, value.into_encoded_bytes()),
            (None, None) => return Ok(Vec::new()),
        };
        parse_rolls(peers.game(), &source).map_err(|faults| {
            say(&faults);
            Status::Usage
        })
    }

    /// The forced setup: from the option, else from the environment.
    fn forced_setup(&self, peers: Peers) -> Result<Option<Setup>, Status> {
        let game = peers.game();
        let variable = peers.variable("{setup}");
        let value = variable.and_then(|name| Some((name, std::env::var_os(name)?)));
        let (name, text) = match (&self.setup, value) {
            (Some(setup), _) => ("--setup", setup.clone()),
            (None, Some((name, value))) if !value.is_empty() => {
                (name, value.to_string_lossy().into_owned())
            }
            _ => return Ok(None),
        };
        game.parse_setup(&text).map(Some).ok_or_else(|| {
            let shown = visible::quoted(&text).at_most(80);
            let due = game.setup_syntax().unwrap_or_default();
            usage(&format!("{name} is {shown}: expected {due}"))
        })
    }
}

fn bot_command(text: &str) -> Result<BotCommand, String> {
    match shell_words::split(text) {
        Ok(words) if words.is_empty() => Err("it names no program".to_owned()),
        Ok(words) => Ok(words),
        Err(error) => Err(format!("{error}: close the quotation")),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse::<f64>()
        .ok()
        .filter(|seconds| seconds.is_finite());
    seconds.ok_or_else(|| "expected a finite number of seconds such as 1.5".to_owned())
}

fn timeout(text: &str) -> Result<Duration, String> {
    let timeout = Duration::try_from_secs_f64(seconds(text)?).unwrap_or_default();
    match timeout.is_zero() {
        true => Err("expected more than 0 seconds".to_owned()),
        false => Ok(timeout),
    }
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
