//! The built binary as a referee that tests talk to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Only a net under tests that would hang otherwise; nothing is measured by it.
const NET: Duration = Duration::from_secs(60);

/// A referee under way; killed when dropped.
pub(crate) struct Referee {
    child: Child,
    players: SocketAddr,
    spectators: SocketAddr,
}

/// How a process ended, and what it said.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stderr: String,
}

impl Referee {
    /// Starts the built-in referee of Ur with a pace of 0 unless the arguments set one, and waits until it listens.
    pub(crate) fn start(args: &[&str]) -> Referee {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urtext"));
        command.args(["referee", "royalur"]).args(args);
        if !args.contains(&"--pace") {
            command.args(["--pace", "0"]);
        }
        Referee::spawn(command.env_remove("URTEXT_ROLLS"))
    }

    /// Starts a command that says where it listens.
    pub(crate) fn spawn(command: &mut Command) -> Referee {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary was built");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("listening"), "{line:?}");
        let mut address = |name: &str| -> SocketAddr {
            let word = words.next().unwrap_or_else(|| panic!("no {name} in {line:?}"));
            word.strip_prefix(name).unwrap().parse().unwrap()
        };
        Referee { players: address("players="), spectators: address("spectators="), child }
    }

    pub(crate) fn player(&self) -> Lane {
        Lane::connect(self.players)
    }

    pub(crate) fn spectator(&self) -> Lane {
        Lane::connect(self.spectators)
    }

    /// Plays a game in which each player sends its lines ahead of its turns: they are kept until then. Returns what the
    /// players and a spectator received.
    pub(crate) fn play(&self, sent: [&str; 2], then: Then) -> [String; 3] {
        let mut lanes = [self.player(), self.player(), self.spectator()];
        for (lane, lines) in lanes.iter_mut().zip(sent) {
            lane.send(lines);
            if then == Then::HangUp {
                lane.hang_up();
            }
        }
        lanes.map(|lane| thread::spawn(move || lane.rest())).map(|reader| reader.join().unwrap())
    }

    /// Waits for the end of the process.
    pub(crate) fn end(mut self) -> Ended {
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        Ended { code: self.child.wait().unwrap().code(), stderr }
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

/// One participant.
pub(crate) struct Lane(BufReader<TcpStream>);

impl Lane {
    fn connect(address: SocketAddr) -> Lane {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(NET)).unwrap();
        Lane(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// All that comes until the end of the stream.
    pub(crate) fn rest(mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).unwrap();
        rest
    }

    pub(crate) fn hang_up(&self) {
        self.0.get_ref().shutdown(Shutdown::Write).unwrap();
    }
}
