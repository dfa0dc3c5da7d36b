//! Runs whose processes can be counted: everything that a run starts inherits a variable that no other run has.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::harness::{Place, Ran, URTEXT};

static RUNS: AtomicU32 = AtomicU32::new(0);

/// A run of urtext that goes on.
pub(crate) struct Life {
    pub(crate) child: Child,
    mark: String,
    temporary: TempDir,
}

impl Life {
    /// Starts urtext in a folder.
    pub(crate) fn begin(place: &Place, args: &[&str]) -> Life {
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let mark = format!("URTEXT_TEST_LIFE={}-{number}-", std::process::id());
        let temporary = tempfile::tempdir().unwrap();
        let mut command = Command::new(URTEXT);
        let (name, value) = mark.split_once('=').unwrap();
        command
            .env(name, value)
            .env("TMPDIR", temporary.path())
            .env_remove("CI")
            .env_remove("URTEXT_ROLLS");
        command.current_dir(place.path()).args(args);
        let streams = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Life {
            child: streams.spawn().unwrap(),
            mark,
            temporary,
        }
    }

    /// The processes of the run that live, with their commands; who has ended and is not waited for yet does not.
    pub(crate) fn processes(&self) -> Vec<String> {
        self.pids()
            .into_iter()
            .map(|pid| command(pid).unwrap_or_default())
            .collect()
    }

    /// The process ids of the run, as [`Life::processes`].
    pub(crate) fn pids(&self) -> Vec<i32> {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(|&pid| self.lives(pid)).collect()
    }

    /// Whether this is a process of the run that lives.
    pub(crate) fn lives(&self, pid: i32) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|&byte| byte == 0)
            .any(|variable| variable == self.mark.as_bytes())
    }

    /// Waits for the end of urtext itself, after which nothing of the run may be there.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ran {
        let read = |stream: &mut dyn std::io::Read| {
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let stdout = read(self.child.stdout.as_mut().unwrap());
        let stderr = read(self.child.stderr.as_mut().unwrap());
        let code = self.child.wait().unwrap().code();
        let ran = Ran {
            code,
            stdout,
            stderr,
        };
        assert_eq!(self.processes(), [] as [&str; 0], "{ran:#?}");
        assert_eq!(self.left(), 0, "{ran:#?}");
        ran
    }

    /// Kills urtext itself, and waits until nothing of the run is there any more.
    #[track_caller]
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        // Nobody is left who could tell when the last process ends.
        self.until("nothing is left", |life| {
            life.pids().is_empty() && life.left() == 0
        });
    }

    /// Waits for something that no event tells.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&Life) -> bool) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !is_so(self) {
            assert!(Instant::now() < patience, "{what}: {:?}", self.processes());
            std::thread::yield_now();
        }
    }

    /// How many files and folders are left where the run keeps what it makes.
    fn left(&self) -> usize {
        fs::read_dir(self.temporary.path()).unwrap().count()
    }
}

/// The words of a process's command; `None` where it is gone.
pub(crate) fn command(pid: i32) -> Option<String> {
    let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    Some(String::from_utf8_lossy(&words).replace('\0', " "))
}

/// Plays to the end of the run.
#[track_caller]
pub(crate) fn play(place: &Place, args: &[&str]) -> Ran {
    Life::begin(place, args).end()
}
