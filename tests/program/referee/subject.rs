//! The built binary as a referee that tests talk to.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{self, Ran};

/// Only a net under tests that would hang otherwise; nothing is measured by it.
const NET: Duration = Duration::from_secs(60);

/// A referee under way; killed when dropped.
pub(crate) struct Referee {
    child: Child,
    players: SocketAddr,
    spectators: SocketAddr,
}

/// The built-in referee of Ur, with a pace of 0 unless the arguments set one.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = harness::command(&["referee", "royalur"]);
    command.args(args);
    if !args.contains(&"--pace") {
        command.args(["--pace", "0"]);
    }
    command
}

impl Referee {
    /// Starts the built-in referee with one spectator and waits until it listens.
    pub(crate) fn start(args: &[&str]) -> Referee {
        Referee::spawn(command(args).args(["--spectators", "1"]))
    }

    /// Starts a command that says where it listens.
    pub(crate) fn spawn(command: &mut Command) -> Referee {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program exists");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("listening"), "{line:?}");
        let mut address = |name: &str| -> SocketAddr {
            let word = words
                .next()
                .unwrap_or_else(|| panic!("no {name} in {line:?}"));
            word.strip_prefix(name).unwrap().parse().unwrap()
        };
        Referee {
            players: address("players="),
            spectators: address("spectators="),
            child,
        }
    }

    pub(crate) fn player(&self) -> Lane {
        Lane::connect(self.players)
    }

    pub(crate) fn spectator(&self) -> Lane {
        Lane::connect(self.spectators)
    }

    /// Plays a game in which each player sends its lines ahead of its turns: they are kept until then. Returns what the
    /// players and a spectator received.
    pub(crate) fn play(&self, sent: [&str; 2], then: Then) -> [Seen; 3] {
        let mut lanes = [self.player(), self.player(), self.spectator()];
        for (lane, lines) in lanes.iter_mut().zip(sent) {
            lane.send(lines);
            if then == Then::HangUp {
                lane.hang_up();
            }
        }
        lanes
            .map(|lane| thread::spawn(move || lane.rest()))
            .map(|reader| reader.join().unwrap())
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        let process = nix::unistd::Pid::from_raw(self.child.id().cast_signed());
        nix::sys::signal::kill(process, signal).unwrap();
    }

    /// Waits for the end of the process.
    pub(crate) fn end(mut self) -> Ran {
        let mut stderr = String::new();
        let mut pipe = self.child.stderr.take().unwrap();
        pipe.read_to_string(&mut stderr).unwrap();
        Ran {
            code: self.child.wait().unwrap().code(),
            stdout: String::new(),
            stderr,
        }
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What the players do when they have sent all they have to say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    HangUp,
    StaySilent,
}

/// What came on a lane, and how it ended.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) text: String,
    pub(crate) end: Result<(), ErrorKind>,
    /// From the connection to the end.
    pub(crate) took: Duration,
}

/// One participant.
pub(crate) struct Lane(BufReader<TcpStream>, Instant);

impl Lane {
    fn connect(address: SocketAddr) -> Lane {
        let since = Instant::now();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(NET)).unwrap();
        Lane(BufReader::new(stream), since)
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// The next lines, each with its newline.
    pub(crate) fn lines(&mut self, count: usize) -> String {
        let mut lines = String::new();
        for _ in 0..count {
            self.0.read_line(&mut lines).unwrap();
        }
        lines
    }

    /// All that comes until the end.
    pub(crate) fn rest(mut self) -> Seen {
        let mut text = String::new();
        let end = self
            .0
            .read_to_string(&mut text)
            .map_err(|error| error.kind());
        Seen {
            text,
            end: end.map(drop),
            took: self.1.elapsed(),
        }
    }

    pub(crate) fn hang_up(&self) {
        self.0.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// Two ends of the connection to give to a child process.
    pub(crate) fn into_stdio(self) -> [Stdio; 2] {
        let stream = self.0.into_inner();
        let other = stream.try_clone().unwrap();
        [stream, other].map(|stream| Stdio::from(std::os::fd::OwnedFd::from(stream)))
    }
}
