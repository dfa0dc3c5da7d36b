//! What the tests share: the built binary in an empty folder, what it said, the peers in Python and the built-in ones.

use std::ffi::OsStr;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;
use tokio::net::TcpSocket;
use urtext::config::Subject;
use urtext::peers;
use urtext::scenario::{Side, suite};

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");
pub(crate) const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");
pub(crate) const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// The shipped scenarios as files.
pub(crate) const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");

/// Budgets for a subject that does what it has to, or ends: no slow machine makes a verdict then. A judge that does not have to end, and
/// goes on waiting for a move, is waited for during the whole close budget.
pub(crate) const PATIENT: [&str; 4] = [
    "--budget=start=60s",
    "--budget=handshake=60s",
    "--budget=answer=60s",
    "--budget=close=10s",
];

/// A port at which nobody listens, kept so that nobody else gets it meanwhile: a connection would disturb another test's game.
pub(crate) fn closed_port() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = socket.local_addr().unwrap().to_string();
    (socket, address)
}

/// An empty folder to run in.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// A folder with an `urtext.yaml` of these subjects: the text below `subjects:`, in which `PROGRAM`, `PEERS` and `PYTHON` mean the
    /// binary, the folder of the peers, and the interpreter that runs them.
    pub(crate) fn with(subjects: &str) -> Place {
        let place = Place::new();
        let subjects = subjects.replace("PROGRAM", URTEXT).replace("PEERS", PEERS);
        let [python, no_site] = python_words();
        let subjects = subjects.replace("[PYTHON", &format!("[{python}, {no_site}"));
        let subjects = subjects.replace("PYTHON", &format!("{python} {no_site}"));
        place.write("urtext.yaml", &format!("subjects:\n{subjects}"));
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }

    /// The names of all files below the folder, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = walkdir::WalkDir::new(self.path())
            .sort_by_file_name()
            .into_iter()
            .map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        let name = |path: &Path| {
            path.strip_prefix(self.path())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        files.map(|entry| name(entry.path())).collect()
    }

    /// `urtext` with these arguments in this folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.current_dir(self.path());
        command
    }

    /// Runs `urtext` to its end. It must leave no temporary file behind.
    pub(crate) fn urtext(&self, args: &[&str]) -> Ran {
        let temporary = tempfile::tempdir().unwrap();
        let ran = Ran::of(self.command(args).env("TMPDIR", temporary.path()));
        let left: Vec<_> = fs::read_dir(temporary.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(left.is_empty(), "left behind: {left:?} by {ran:#?}");
        ran
    }

    /// Runs `urtext run` to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.urtext(&[&["run"], args].concat())
    }
}

/// `urtext` with these arguments, without the environment variables that change what it does.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(URTEXT);
    without_settings(command.args(args));
    command
}

/// Takes the environment variables out that change what `urtext` does.
pub(crate) fn without_settings(command: &mut Command) -> &mut Command {
    for name in [
        "CI",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "URTEXT_ROLLS",
        "UR_ROLLS",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs `urtext` in an empty folder.
pub(crate) fn urtext(args: &[&str]) -> Ran {
    Place::new().urtext(args)
}

/// Runs `urtext` in this folder on this standard input.
pub(crate) fn urtext_in(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut command = command(args);
    command.current_dir(folder);
    assert_cmd::Command::from_std(command)
        .write_stdin(input)
        .output()
        .unwrap()
        .into()
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
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Runs a command to its end, without input.
    pub(crate) fn of(command: &mut Command) -> Ran {
        command.stdin(Stdio::null()).output().unwrap().into()
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The one scenario that was played passed.
    #[track_caller]
    pub(crate) fn passes(self) {
        self.expect(0).says("1 scenario: 1 passed");
    }

    /// Something failed, for these reasons.
    #[track_caller]
    pub(crate) fn fails(self, says: &[&str]) {
        says.iter()
            .fold(self.expect(1), |ran, words| ran.says(words));
    }

    /// It ended with this status, and said each of these texts once, on either stream.
    #[track_caller]
    pub(crate) fn expect_once(self, code: i32, texts: &[&str]) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        let said = self.said();
        for text in texts {
            assert_eq!(said.matches(text).count(), 1, "{text:?} in {self:#?}");
        }
        self
    }

    /// All that was said, on both streams.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Says it on either stream.
    #[track_caller]
    pub(crate) fn mentions(self, text: &str) -> Ran {
        assert!(self.said().contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn leaves_out(self, text: &str) -> Ran {
        assert!(!self.said().contains(text), "{text:?} in {self:#?}");
        self
    }

    /// Nothing was said on standard error, but the first failure, the lines of `-v`, a note on a command without `{port}`, and what a run
    /// says on a slow machine: how far it is, and what it waits for to be sure.
    #[track_caller]
    pub(crate) fn quietly(self) -> Ran {
        let is_beat =
            |line: &str| line.starts_with("urtext: ") && line.contains(" games played after ");
        let is_suspicion =
            |line: &str| line.starts_with("suspected: ") || line.starts_with("withdrawn: ");
        let is_note = |line: &str| {
            let help = " = help: add it";
            line.starts_with("note[run/command]") || line.starts_with(help) || line.trim() == "|"
        };
        assert!(
            self.stderr.lines().all(|line| is_beat(line)
                || is_suspicion(line)
                || is_note(line)
                || line.is_empty()
                || line.starts_with("fail: ")
                || line.starts_with('[')),
            "{self:#?}"
        );
        self
    }
}

/// The text holds this part.
#[track_caller]
pub(crate) fn has(text: &str, part: impl AsRef<str>) {
    let part = part.as_ref();
    assert!(text.contains(part), "no {part:?} in {text}");
}

/// The words of a command line without quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The interpreter for the peers in Python: the program itself, since a script found by its name may be slow. Where there is none, the
/// test is skipped, or fails if nothing may be left out.
pub(crate) fn python() -> Option<&'static str> {
    static PYTHON: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let asked = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output()
            .ok()?;
        asked
            .status
            .success()
            .then(|| String::from_utf8(asked.stdout).unwrap().trim().to_owned())
    };
    let python = PYTHON.get_or_init(find).as_deref();
    if python.is_none() {
        skip("python3");
    }
    python
}

/// Says that the test is skipped without this program, or fails if nothing may be left out.
pub(crate) fn skip(needed: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let must_run = std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_some();
    assert!(
        !must_run,
        "{test} needs {needed}, and URTEXT_TEST_REQUIRE_ALL is set"
    );
    eprintln!("{test} is skipped: there is no {needed}");
}

/// The command that runs a peer in Python. The peers need nothing of `site`, which takes most of the interpreter's start. Where there is no
/// interpreter, the first word is empty.
pub(crate) fn python_words() -> [&'static str; 2] {
    [python().unwrap_or_default(), "-S"]
}

/// Whether there is a Python, by the same rule.
pub(crate) fn has_python() -> bool {
    python().is_some()
}

/// A word of a command line, as a shell reads it.
pub(crate) fn quoted(word: impl AsRef<OsStr>) -> String {
    shell_words::quote(word.as_ref().to_str().unwrap()).into_owned()
}

/// The built-in subject of a game and a side, with a fault.
pub(crate) fn built_in(game: &str, side: Side, fault: Option<&str>) -> Subject {
    peers::find(game)
        .expect("it has peers")
        .subject(URTEXT, side, fault)
}

/// How many scenarios of a shipped suite are played where nobody asks for slow ones.
pub(crate) fn count(suite: &str) -> usize {
    suite::load(suite)
        .0
        .iter()
        .filter(|scenario| !scenario.keys.is_slow)
        .count()
}

/// The arguments that make a built-in peer with a fault the subject, in memory.
pub(crate) fn faulty<'w>(side: &'w str, game: &'w str, fault: &'w str) -> [&'w str; 8] {
    [
        "--subject",
        "built-in",
        "--as",
        side,
        "--game",
        game,
        "--fault",
        fault,
    ]
}

/// The arguments that make a built-in referee with a fault the subject: a process.
pub(crate) fn faulty_referee(fault: &str) -> Vec<&str> {
    let subject = "--as referee --set rolls.environment=URTEXT_ROLLS --";
    let options = "--seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}";
    let mut args: Vec<_> = subject.split(' ').collect();
    args.extend([URTEXT, "referee", "royalur", "--fault", fault]);
    args.extend(options.split(' '));
    args
}
