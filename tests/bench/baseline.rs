//! What the engine is measured by: a bare blocking loop, and Python's pexpect where it is installed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use urtext::engine::Placement;

use crate::subject;

pub(crate) struct Baselines {
    has_pexpect: bool,
    /// The processors that this program may use.
    all: CpuSet,
    /// One of them.
    one: CpuSet,
}

/// A subject that listens, until it is dropped.
pub(crate) struct Server {
    child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Baselines {
    pub(crate) fn new() -> Baselines {
        let this = Pid::from_raw(0);
        let all = sched_getaffinity(this).expect("the system tells which processors there are");
        let first = (0..CpuSet::count())
            .find(|&number| all.is_set(number) == Ok(true))
            .expect("one at least");
        let mut one = CpuSet::new();
        one.set(first).expect("it is one of those that there are");
        let pexpect = Command::new("python3")
            .args(["-c", "import pexpect"])
            .stderr(Stdio::null())
            .status();
        Baselines {
            has_pexpect: pexpect.is_ok_and(|status| status.success()),
            all,
            one,
        }
    }

    /// Plays a script with a process for each of its games.
    pub(crate) fn bare_pipes(
        &self,
        script: &Path,
        command: &[&str],
        placement: Placement,
    ) -> Option<Duration> {
        self.placed(placement, || Some(play_over_pipes(script, command)))
    }

    /// Plays a script with so many connections for each of its games.
    pub(crate) fn bare_tcp(
        &self,
        script: &Path,
        address: &str,
        lanes: usize,
        placement: Placement,
    ) -> Option<Duration> {
        self.placed(placement, || Some(play_over_tcp(script, address, lanes)))
    }

    pub(crate) fn pexpect(
        &self,
        turns: usize,
        command: &[&str],
        placement: Placement,
    ) -> Option<Duration> {
        let mut pexpect = Command::new("python3");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/baseline.py");
        pexpect.args([source, &turns.to_string()]).args(command);
        self.has_pexpect
            .then(|| self.seconds(&mut pexpect, placement))?
    }

    /// Starts a subject that listens; where the measurement is pinned it shares the processor with whoever connects.
    pub(crate) fn serve(&self, program: &str, role: &[&str], placement: Placement) -> Server {
        self.placed(placement, || {
            let mut command = Command::new(program);
            command
                .arg(subject::ROLE)
                .args(role)
                .stdin(Stdio::null())
                .stdout(Stdio::piped());
            let mut child = command.spawn().expect("this program runs");
            let mut address = String::new();
            let output = child.stdout.as_mut().expect("a pipe");
            BufReader::new(output)
                .read_line(&mut address)
                .expect("it says where it listens");
            Server {
                child,
                address: address.trim().to_owned(),
            }
        })
    }

    /// What a program prints as the seconds that it took.
    fn seconds(&self, command: &mut Command, placement: Placement) -> Option<Duration> {
        let output = self
            .placed(placement, || command.stdin(Stdio::null()).output())
            .expect("it was there before");
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let seconds = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse()
            .expect("seconds");
        Some(Duration::from_secs_f64(seconds))
    }

    /// Does something on one processor, or on any; what is started meanwhile stays there.
    fn placed<T>(&self, placement: Placement, doing: impl FnOnce() -> T) -> T {
        let this = Pid::from_raw(0);
        if placement == Placement::Pinned {
            sched_setaffinity(this, &self.one).expect("a thread can be kept on a processor");
        }
        let done = doing();
        sched_setaffinity(this, &self.all).expect("a thread can be let go again");
        done
    }
}

/// The loop over pipes, which knows every line beforehand.
fn play_over_pipes(script: &Path, command: &[&str]) -> Duration {
    let games = read_script(script);
    let began = Instant::now();
    for game in &games {
        let mut child = Command::new(command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the subject runs");
        let lane = (
            child.stdout.take().expect("a pipe"),
            child.stdin.take().expect("a pipe"),
        );
        go_through(game, &mut [Lane::new(lane.0, lane.1)]);
        child.wait().expect("it ends");
    }
    began.elapsed()
}

fn play_over_tcp(script: &Path, address: &str, lanes: usize) -> Duration {
    let games = read_script(script);
    let began = Instant::now();
    for game in &games {
        let connect = || {
            let stream = TcpStream::connect(address).expect("it listens");
            stream.set_nodelay(true).expect("it is a connection");
            Lane::new(stream.try_clone().expect("a descriptor"), stream)
        };
        let mut lanes: Vec<_> = (0..lanes).map(|_| connect()).collect();
        go_through(game, &mut lanes);
    }
    began.elapsed()
}

struct Lane<R, W> {
    input: BufReader<R>,
    output: W,
    line: Vec<u8>,
}

impl<R: Read, W: Write> Lane<R, W> {
    fn new(input: R, output: W) -> Lane<R, W> {
        Lane {
            input: BufReader::new(input),
            output,
            line: Vec::new(),
        }
    }
}

enum Step {
    Send(usize, Vec<u8>),
    Await(usize),
}

fn go_through<R: Read, W: Write>(game: &[Step], lanes: &mut [Lane<R, W>]) {
    for step in game {
        match step {
            Step::Send(lane, bytes) => lanes[*lane].output.write_all(bytes).expect("it reads"),
            Step::Await(lane) => {
                let lane = &mut lanes[*lane];
                lane.line.clear();
                lane.input
                    .read_until(b'\n', &mut lane.line)
                    .expect("it answers");
            }
        }
    }
}

fn read_script(script: &Path) -> Vec<Vec<Step>> {
    let text = std::fs::read_to_string(script).expect("the script was written");
    let mut games = vec![Vec::new()];
    for line in text.lines() {
        let game = games.last_mut().expect("there is one from the beginning");
        let lane = line
            .get(1..2)
            .map_or(0, |digit| digit.parse().expect("the number of a lane"));
        match (line.as_bytes()[0], game.last_mut()) {
            (b'=', _) => games.push(Vec::new()),
            (b'<', _) => game.push(Step::Await(lane)),
            (_, Some(Step::Send(last, bytes))) if *last == lane => {
                bytes.extend_from_slice(format!("{}\n", &line[3..]).as_bytes());
            }
            _ => game.push(Step::Send(lane, format!("{}\n", &line[3..]).into_bytes())),
        }
    }
    games.pop();
    games
}
