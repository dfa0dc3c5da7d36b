//! A dialogue, played by urtext against a referee within the test, or against a bot that is a line of shell.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use tempfile::TempDir;

/// What `urtext run` said and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn passes(&self) {
        assert_eq!(self.status, 0, "{self:#?}");
        assert!(self.stdout.contains("1 scenario: 1 passed"), "{self:#?}");
    }

    /// Does not conform, and says these.
    #[track_caller]
    pub(crate) fn fails(&self, says: &[&str]) {
        assert_eq!(self.status, 1, "{self:#?}");
        for words in says {
            assert!(self.stdout.contains(words), "{words:?} is not said: {self:#?}");
        }
    }
}

fn run(folder: &TempDir, args: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("urtext").unwrap();
    command.current_dir(folder.path()).args(["run", "s.yaml", "--game", "lines"]).args(args);
    let output = command.env_remove("CI").env_remove("FORCE_COLOR").output().unwrap();
    // How far a run is that takes long is said there.
    let is_beat = |line: &str| line.starts_with("urtext: ") && line.contains(" scenarios played after ");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.lines().all(is_beat), "{stderr}");
    Ran { status: output.status.code().unwrap(), stdout: String::from_utf8(output.stdout).unwrap() }
}

fn scenario(side: &str, participants: &str, steps: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let head = format!("scenario: t\ngame: lines\nsubject: {side}\nparticipants: [{participants}]\nsteps:\n");
    let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
    fs::write(folder.path().join("s.yaml"), head + &steps).unwrap();
    folder
}

/// A whole scenario in a folder of its own.
fn whole(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), text).unwrap();
    folder
}

/// The stream of one participant, on the side of the referee.
pub(crate) struct Lane {
    read: BufReader<TcpStream>,
}

impl Lane {
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.read.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    /// Bytes to and with the next newline, or to the end.
    pub(crate) fn line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        self.read.read_until(b'\n', &mut line).unwrap();
        line
    }

    /// How the other side ends.
    pub(crate) fn end(&mut self) -> &'static str {
        match self.read.read(&mut [0]) {
            Ok(0) => "closed",
            Ok(_) => "sent",
            Err(_) => "reset",
        }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.read.get_ref()
    }
}

/// Plays steps against this referee, with participants `a` and `b`, who connect in this order.
#[track_caller]
pub(crate) fn referee(steps: &str, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    conduct(&scenario("referee", "a, b", steps), subject)
}

/// Plays a whole scenario of two participants against this referee.
#[track_caller]
pub(crate) fn scripted(text: &str, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    conduct(&whole(text), subject)
}

#[track_caller]
fn conduct(folder: &TempDir, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = door.local_addr().unwrap().to_string();
    let playing = thread::spawn(move || {
        subject([(); 2].map(|()| Lane { read: BufReader::new(door.accept().unwrap().0) }));
    });
    let ran = run(folder, &["--as", "referee", "--connect", &address, "--answer-budget", "10s"]);
    playing.join().unwrap();
    ran
}

/// Plays steps against a bot that is this line of shell, over its standard input and output.
#[track_caller]
pub(crate) fn bot(steps: &str, shell: &str) -> Ran {
    run(&scenario("bot", "bot", steps), &["--as", "bot", "--answer-budget", "1s", "--", "sh", "-c", shell])
}
