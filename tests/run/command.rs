//! The built binary in an empty folder.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");

/// The shipped scenarios as files.
pub(crate) const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");

/// How many scenarios a shipped suite has.
pub(crate) fn count(suite: &str) -> usize {
    urtext::scenario::suite::load(suite).0.iter().filter(|scenario| !scenario.is_slow).count()
}

/// An empty folder to run in.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The names of everything below the folder, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = walkdir::WalkDir::new(self.path()).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        let name = |path: &Path| path.strip_prefix(self.path()).unwrap().to_str().unwrap().to_owned();
        files.map(|entry| name(entry.path())).collect()
    }

    /// `urtext run` in this folder, with nothing of whoever runs the tests around it.
    pub(crate) fn command(&self, args: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(URTEXT);
        command.current_dir(self.path()).arg("run").args(args);
        for name in ["CI", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "URTEXT_ROLLS"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs `urtext run` to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.command(args).output().unwrap())
    }
}

/// How a run ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Nothing was said on standard error, but how far a run is that takes long on a slow machine.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        let is_beat = |line: &str| line.starts_with("urtext: ") && line.contains(" scenarios played after ");
        assert!(self.stderr.lines().all(is_beat), "{self:#?}");
    }

    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }
}

/// The arguments that make a built-in referee with a fault the subject.
pub(crate) fn faulty_referee(fault: &str) -> Vec<&str> {
    let command = "--seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}";
    let mut args = vec!["--as", "referee", "--rolls-env", "URTEXT_ROLLS", "--answer-budget", "3s", "--"];
    args.extend([URTEXT, "referee", "royalur"]);
    args.extend(command.split(' '));
    args.extend(["--fault", fault]);
    args
}

/// The arguments that make a built-in bot with a fault the subject.
pub(crate) fn faulty_bot(fault: &str) -> Vec<&str> {
    vec![
        "--as",
        "bot",
        "--answer-budget",
        "3s",
        "--close-budget",
        "3s",
        "--",
        URTEXT,
        "bot",
        "royalur",
        "--policy",
        "first",
        "--fault",
        fault,
    ]
}
