//! A folder with an `urtext.yaml`, and what runs there.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;
use urtext::transcript::Transcript;
use urtext::transcript::recording::{Reader, to_transcript};

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
pub(crate) const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");

/// A folder with an `urtext.yaml`.
pub(crate) struct Place(TempDir);

/// How a run ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// A folder with these subjects: what follows `subjects:`, in which `PROGRAM`, `PEERS` and `PYTHON` stand for the program, the
    /// folder of the peers, and the interpreter that plays them.
    pub(crate) fn with(subjects: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let subjects =
            subjects.replace("PROGRAM", URTEXT).replace("PEERS", PEERS).replace("PYTHON", python());
        fs::write(place.path().join("urtext.yaml"), format!("subjects:\n{subjects}")).unwrap();
        place
    }

    /// A folder without one.
    pub(crate) fn empty() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn urtext(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(URTEXT);
        command.current_dir(self.path()).args(args).stdin(Stdio::null());
        // What the test makes for a game is to be seen, and nothing of whoever runs the tests.
        let temporary = tempfile::tempdir().unwrap();
        command.env("TMPDIR", temporary.path()).env_remove("CI").env_remove("URTEXT_ROLLS");
        let output = command.output().unwrap();
        let left: Vec<_> =
            fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Plays these shipped scenarios with a subject; the transcripts by the name of the scenario.
    pub(crate) fn transcripts(&self, subject: &str, scenarios: &[&str]) -> BTreeMap<String, Transcript> {
        let record = self.path().join(format!("recorded by {subject}"));
        let mut args = vec!["run", "--subject", subject, "--record", record.to_str().unwrap()];
        // A loaded machine is to make no verdict here.
        args.extend(["--start-budget", "60s", "--answer-budget", "30s", "--jobs", "4"]);
        scenarios.iter().for_each(|scenario| args.extend(["--suite", scenario]));
        let ran = self.urtext(&args);
        assert_eq!(ran.code, Some(0), "{subject}: {ran:#?}");
        let summary = format!("{0} scenarios: {0} passed", scenarios.len());
        assert!(ran.stdout.contains(&summary), "{subject}: {ran:#?}");
        let read = |scenario: &&str| {
            let path = record.join(format!("{scenario}.jsonl"));
            let file = BufReader::new(fs::File::open(&path).unwrap());
            let mut reader = Reader::new("recording", file).unwrap();
            let transcript = to_transcript(&mut reader).unwrap();
            (scenario.to_string(), transcript)
        };
        scenarios.iter().map(read).collect()
    }
}

/// The interpreter itself: what is found by its name may be a script that looks for it, and slow. Nothing where there is none.
pub(crate) fn python() -> &'static str {
    static PYTHON: OnceLock<String> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let path = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        path.unwrap_or_default()
    })
}

/// Whether there is a Python to run the peers with. Where not, the test says so, or fails if nothing may be left out.
pub(crate) fn has_python(test: &str) -> bool {
    let has_python = !python().is_empty();
    if !has_python {
        assert!(
            std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_none(),
            "{test} needs python3, and URTEXT_TEST_REQUIRE_ALL is set"
        );
        eprintln!("{test} is skipped: there is no python3");
    }
    has_python
}
