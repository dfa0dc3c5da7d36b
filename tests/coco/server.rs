//! A server for a test, and urtext beside it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/coco_server.py");

/// The independent server, in a process of its own.
pub(crate) struct Server {
    child: Child,
    /// `HOST:PORT`.
    pub(crate) address: String,
}

impl Server {
    /// A server with these options; `None` where there is no Python, and leaving a test out is allowed.
    pub(crate) fn start(options: &[&str]) -> Option<Server> {
        let mut command = Command::new("python3");
        command.arg(PEER).args(["--until-eof", "--seed", "7"]).args(options);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            let must_run = std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_some();
            assert!(!must_run, "there is no python3, and URTEXT_TEST_REQUIRE_ALL is set");
            eprintln!("skipped: there is no python3");
            return None;
        };
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Some(Server { child, address })
    }

    /// The address of something there.
    pub(crate) fn url(&self, rest: &str) -> String {
        format!("coco://{}/{rest}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// How a command ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// On either stream.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text) || self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn leaves_out(self, text: &str) -> Ran {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "{text:?} in {self:#?}");
        self
    }
}

/// Runs urtext in this folder, with nothing of whoever runs the tests around it.
pub(crate) fn urtext_in(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(URTEXT);
    command.current_dir(folder).args(args).stdin(Stdio::null());
    for name in ["CI", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs urtext in an empty folder.
pub(crate) fn urtext(args: &[&str]) -> Ran {
    urtext_in(empty().path(), args)
}

pub(crate) fn empty() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The arguments of a run that takes its time under load.
pub(crate) fn run<'a>(subject: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let budgets =
        ["--start-budget", "60s", "--answer-budget", "60s", "--close-budget", "60s", "--no-diagnosis"];
    [&["run", "--subject", subject], &budgets[..], rest].concat()
}
