//! Starting a subject and finding the ways to its lanes.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStdout;
use tokio::time::{Instant, timeout_at};

use super::attach::{Attached, Breakdown, Doors};
use crate::config::{Ports, Reach, RollHook, Subject, Values};
use crate::judge::Judge;
use crate::scenario::Scenario;
use crate::transport::{Process, Wire};

/// How often a referee that finds its port taken is started again with another one.
const PORT_TRIES: usize = 3;

/// What a started process has said before the game broke down, with the reason.
pub(super) type Broken = (Breakdown, Vec<u8>);

/// Starts the subject for one game and opens the lanes that are there from the beginning, in this order.
pub(super) async fn start(
    subject: &Subject,
    scenario: &Scenario,
    timing: (Option<Duration>, Duration),
    seed: u64,
    budget: Duration,
    first: &[usize],
) -> Result<(Attached, Vec<Wire>), Broken> {
    let mut tries = 0;
    loop {
        tries += 1;
        match try_start(subject, scenario, timing, seed, budget, first).await {
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
    timing: (Option<Duration>, Duration),
    seed: u64,
    budget: Duration,
    first: &[usize],
) -> Result<(Attached, Vec<Wire>), Broken> {
    let deadline = Instant::now() + budget;
    let mut attached = attach(subject, scenario, timing, seed, (budget, deadline)).await?;
    let mut wires = Vec::new();
    for &lane in first {
        match attached.open(lane, deadline).await {
            Ok(wire) => wires.push(wire),
            Err(breakdown) => {
                let said = match attached.process {
                    Some(process) => process.end(Duration::ZERO).await,
                    None => Vec::new(),
                };
                return Err((breakdown, said));
            }
        }
    }
    Ok((attached, wires))
}

/// Starts the subject, if it does not run already, and finds the ways to its lanes.
async fn attach(
    subject: &Subject,
    scenario: &Scenario,
    (move_timeout, pace): (Option<Duration>, Duration),
    seed: u64,
    (budget, deadline): (Duration, Instant),
) -> Result<Attached, Broken> {
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
    let (player_count, _) = Judge::lanes(scenario);
    let (process, doors) = match &subject.reach {
        Reach::Connect { players, spectators } => {
            (None, Doors::Tcp { players: players.clone(), player_count, spectators: spectators.clone() })
        }
        Reach::Pipes { command } => {
            let words = command.fill(&values);
            let mut process = Process::start(&words, &environment, true).map_err(|e| plain(e.into()))?;
            let reader = process.take_stdout().expect("standard output is a pipe");
            let writer = process.take_stdin().expect("standard input is a pipe");
            (Some(process), Doors::Ready(Some(Wire::new(reader, writer))))
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
            let [players, spectators] = match reach(&mut process, chosen, stdout, deadline, budget).await {
                Ok(addresses) => addresses,
                Err(breakdown) => return Err((breakdown, process.end(Duration::ZERO).await)),
            };
            let spectators = Some(spectators).filter(|address| !address.is_empty());
            (Some(process), Doors::Tcp { players, player_count, spectators })
        }
    };
    let who = scenario.side.word();
    Ok(Attached { who, process, doors, _rolls: roll_file })
}

/// Learns where a referee listens that has been started, or how it ended instead.
async fn reach(
    process: &mut Process,
    chosen: Option<[u16; 2]>,
    stdout: ChildStdout,
    deadline: Instant,
    budget: Duration,
) -> Result<[String; 2], Breakdown> {
    let mut stdout = BufReader::new(stdout);
    let addresses = match chosen {
        Some(ports) => Ok(ports.map(|port| format!("127.0.0.1:{port}"))),
        None => tokio::select! {
            // A referee that has printed and ended in one breath is judged by what it printed.
            biased;
            printed = printed(&mut stdout, deadline, budget) => printed,
            ended = process.ended() => Err(Breakdown::Ended { who: "referee", status: ended.status }),
        },
    };
    // Whatever else it prints is of no interest, but it must not block on a full pipe.
    tokio::spawn(async move { drop(tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await) });
    addresses
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
