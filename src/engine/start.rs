//! Starting a subject and connecting its lanes.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStdout;
use tokio::time::{Instant, timeout_at};

use super::lanes::Lanes;
use crate::config::{Ports, Reach, RollHook, Subject, Values};
use crate::judge::Judge;
use crate::scenario::Scenario;
use crate::transcript::Direction;
use crate::transport::{ConnectError, Process, StartError, Wire, connect};

/// How often a referee that finds its port taken is started again with another one.
const PORT_TRIES: usize = 3;

/// Why a game could not begin: that says nothing about the subject's conformance.
#[derive(Debug, thiserror::Error)]
pub(super) enum Breakdown {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error("the {who} ended before anybody was connected: {status}")]
    Ended { who: &'static str, status: String },
    #[error("the referee did not print where it listens within {0:.1?}")]
    NotReady(Duration),
    #[error("the referee printed `{0}`, not where it listens")]
    NotAnAddress(String),
    #[error("no free port: {0}")]
    Port(io::Error),
    #[error("the forced rolls cannot be written to a file: {0}")]
    RollFile(io::Error),
}

/// A subject that is reached.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) process: Option<Process>,
    pub(super) lanes: Lanes,
    /// The file with the forced rolls, kept as long as the subject may read it.
    pub(super) _rolls: Option<tempfile::NamedTempFile>,
}

/// What a started process has said before the game broke down, with the reason.
pub(super) type Broken = (Breakdown, Vec<u8>);

/// Starts the subject for one game and connects every lane.
pub(super) async fn start(
    subject: &Subject,
    scenario: &Scenario,
    timing: (Option<Duration>, Duration),
    seed: u64,
    budget: Duration,
) -> Result<Started, Broken> {
    let mut tries = 0;
    loop {
        tries += 1;
        match try_start(subject, scenario, timing, seed, budget).await {
            // Another program can have taken the port between our choosing it and the referee's binding it.
            Err((Breakdown::Ended { .. }, said))
                if tries < PORT_TRIES && String::from_utf8_lossy(&said).to_lowercase().contains("in use") => {
            }
            result => return result,
        }
    }
}

async fn try_start(
    subject: &Subject,
    scenario: &Scenario,
    (move_timeout, pace): (Option<Duration>, Duration),
    seed: u64,
    budget: Duration,
) -> Result<Started, Broken> {
    let deadline = Instant::now() + budget;
    let plain = |breakdown: Breakdown| (breakdown, Vec::new());
    let mut values = Values::from([
        ("spectators", scenario.spectators.to_string()),
        ("pace", seconds(pace)),
        ("seed", seed.to_string()),
        ("timeout", seconds(move_timeout.unwrap_or(Duration::from_secs(90)))),
        ("first", "PlayerA".to_owned()),
        ("second", "PlayerB".to_owned()),
    ]);
    if let Some(names) = &scenario.names {
        values.insert("first", names.0[0].clone());
        values.insert("second", names.0[1].clone());
    }
    let game = scenario.dialect.game();
    let rolls: Vec<_> =
        scenario.forced_rolls().into_iter().map(|roll| game.format_roll(roll).replace(' ', "")).collect();
    let mut environment = Vec::new();
    let mut roll_file = None;
    match &subject.roll_hook {
        Some(RollHook::Environment(name)) => environment.push((name.clone(), rolls.join(" "))),
        Some(RollHook::Arguments) => {
            let file = write_rolls(&rolls).map_err(|error| plain(Breakdown::RollFile(error)))?;
            values.insert("rolls", rolls.join(" "));
            values.insert("rolls_file", file.path().to_string_lossy().into_owned());
            roll_file = Some(file);
        }
        None => {}
    }
    let mut lanes = Lanes::new();
    let process = match &subject.reach {
        Reach::Connect { players, spectators } => {
            let spectators = spectators.as_deref().unwrap_or_default();
            open_all(&mut lanes, scenario, players, spectators, deadline)
                .await
                .map_err(|e| plain(e.into()))?;
            None
        }
        Reach::Pipes { command } => {
            let words = command.fill(&values);
            let mut process = Process::start(&words, &environment, true).map_err(|e| plain(e.into()))?;
            let reader = Box::new(process.take_stdout().expect("standard output is a pipe"));
            let writer = Box::new(process.take_stdin().expect("standard input is a pipe"));
            lanes.open(Wire { reader, writer }, Direction::Received);
            Some(process)
        }
        Reach::Listener { command, ports } => {
            let chosen = match ports {
                Ports::Chosen => Some(free_ports().map_err(|error| plain(Breakdown::Port(error)))?),
                Ports::Printed => None,
            };
            if let Some([port, spectator_port]) = chosen {
                values.insert("port", port.to_string());
                values.insert("spectator_port", spectator_port.to_string());
            }
            let words = command.fill(&values);
            let mut process = Process::start(&words, &environment, false).map_err(|e| plain(e.into()))?;
            let stdout = process.take_stdout().expect("standard output is a pipe");
            let reached = reach(&mut process, &mut lanes, scenario, chosen, stdout, deadline, budget).await;
            if let Err(breakdown) = reached {
                return Err((breakdown, process.end(Duration::ZERO).await));
            }
            Some(process)
        }
    };
    Ok(Started { process, lanes, _rolls: roll_file })
}

/// Connects to a referee that has been started, or says how it ended instead.
async fn reach(
    process: &mut Process,
    lanes: &mut Lanes,
    scenario: &Scenario,
    chosen: Option<[u16; 2]>,
    stdout: ChildStdout,
    deadline: Instant,
    budget: Duration,
) -> Result<(), Breakdown> {
    let mut stdout = BufReader::new(stdout);
    let connecting = async {
        let addresses = match chosen {
            Some(ports) => ports.map(|port| format!("127.0.0.1:{port}")),
            None => printed(&mut stdout, deadline, budget).await?,
        };
        open_all(lanes, scenario, &addresses[0], &addresses[1], deadline).await?;
        Ok(())
    };
    let connected = tokio::select! {
        // A referee that has printed and ended in one breath is judged by what it printed.
        biased;
        connected = connecting => connected,
        ended = process.ended() => Err(Breakdown::Ended { who: "referee", status: ended.status }),
    };
    // Whatever else it prints is of no interest, but it must not block on a full pipe.
    tokio::spawn(async move { drop(tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await) });
    connected
}

/// Reads the line that tells where a referee listens.
async fn printed(
    stdout: &mut BufReader<ChildStdout>,
    deadline: Instant,
    budget: Duration,
) -> Result<[String; 2], Breakdown> {
    let mut line = Vec::new();
    let mut limited = tokio::io::AsyncReadExt::take(stdout, 4096);
    match timeout_at(deadline, limited.read_until(b'\n', &mut line)).await {
        Ok(Ok(1..)) => {}
        // The end of its output: its exit status says more.
        Ok(_) => std::future::pending().await,
        Err(_) => return Err(Breakdown::NotReady(budget)),
    }
    let line = String::from_utf8_lossy(&line);
    let value = |name: &str| {
        line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    };
    let shown = || crate::diagnostic::visible::plain(line.trim_end()).at_most(200).to_string();
    let players = value("players").ok_or_else(|| Breakdown::NotAnAddress(shown()))?;
    Ok([players, value("spectators").unwrap_or_default()])
}

/// Connects the players in order, then the spectators.
async fn open_all(
    lanes: &mut Lanes,
    scenario: &Scenario,
    players: &str,
    spectators: &str,
    deadline: Instant,
) -> Result<(), ConnectError> {
    let (player_count, spectator_count) = Judge::lanes(scenario);
    for _ in 0..player_count {
        lanes.open(connect(players, deadline).await?, Direction::Sent);
    }
    for _ in 0..spectator_count {
        lanes.open(connect(spectators, deadline).await?, Direction::Sent);
    }
    Ok(())
}

/// Two ports that nobody uses at this moment.
fn free_ports() -> io::Result<[u16; 2]> {
    let listeners = [TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?];
    Ok([listeners[0].local_addr()?.port(), listeners[1].local_addr()?.port()])
}

fn write_rolls(rolls: &[String]) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("urtext-rolls-").tempfile()?;
    for roll in rolls {
        std::io::Write::write_all(&mut file, format!("{roll}\n").as_bytes())?;
    }
    Ok(file)
}

/// Seconds as programs take them: `1`, `0.3`.
fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}
