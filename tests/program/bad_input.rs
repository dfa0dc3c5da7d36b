//! What cannot work gets one clear message with the next step and the right exit status, and leaves nothing behind: no process,
//! no half-written file.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};
use std::thread;

use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use urtext::transcript::recording::Reader;

use crate::harness::{Place, Ran, URTEXT, without_settings, words};

/// A folder to run in, with a named pipe by which a subject shows that it lives.
struct Watched {
    place: Place,
    life: File,
}

impl Watched {
    fn new() -> Watched {
        let place = Place::new();
        let fifo = place.join("life");
        mkfifo(&fifo, Mode::S_IRWXU).unwrap();
        let life = File::options()
            .read(true)
            .custom_flags(OFlag::O_NONBLOCK.bits())
            .open(&fifo)
            .unwrap();
        Watched { place, life }
    }

    /// Runs a scenario against a shell script that says `lives` into the pipe, and keeps it open as long as it lives. Returns
    /// what was said once nobody holds the pipe any more.
    fn run_script(&mut self, args: &[&str], script: &str) -> Ran {
        let script = format!("exec 3>life; echo lives >&3; {script}");
        let ran = self
            .place
            .run(&[args, &["--", "sh", "-c", &script, URTEXT]].concat());
        let mut said = String::new();
        match self.life.read_to_string(&mut said) {
            Ok(_) => assert!(said.starts_with("lives\n"), "it was not started: {ran:#?}"),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                panic!("a process is left: {ran:#?}")
            }
            Err(error) => panic!("{error}"),
        }
        ran
    }
}

const FIRST_SEAT: &[&str] = &["--suite", "royalur/bot/first-seat", "--as", "bot"];
const ILLEGAL_LINE: &[&str] = &[
    "--suite",
    "royalur/referee/illegal-lines#word",
    "--as",
    "referee",
    "--set",
    "rolls.environment=R",
];

#[test]
fn a_socket_in_the_place_of_a_file() {
    let place = Place::new();
    let _door = std::os::unix::net::UnixListener::bind(place.path().join("socket.yaml")).unwrap();
    for command in ["run", "check"] {
        place
            .urtext(&[command, "socket.yaml"])
            .expect_once(2, &["this is a socket, and a file is due here"]);
    }
}

#[test]
fn a_recording_that_has_no_place() {
    let place = Place::new();
    place.write("file", "");
    let ran = place.urtext(&["run", "--suite", "royalur/bot", "--record", "file"]);
    let texts = [
        "error: the recording cannot be written: Not a directory",
        "note: give --record a folder",
    ];
    ran.expect_once(3, &texts);
}

/// A run in which no file can become larger than so many blocks of 512 bytes.
fn with_little_space(place: &Place, blocks: usize, args: &[&str]) -> Ran {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, URTEXT, "run"]).args(args);
    Ran::of(without_settings(shell.current_dir(place.path())))
}

#[test]
fn a_disk_that_fills_up_while_a_game_is_recorded() {
    let place = Place::new();
    let suite = words("--suite royalur/bot/plays-to-the-end-from-the-first-seat --record rec");
    let ran = with_little_space(&place, 8, &suite);
    ran.expect_once(
        3,
        &[
            "error: the recording cannot be written: File too large",
            "note: give --record a folder",
        ],
    );
    let path = place
        .path()
        .join("rec")
        .join(suite[1])
        .with_extension("jsonl");
    let text = std::fs::read(path).unwrap();
    let mut reader = Reader::new("rec", &text[..]).unwrap();
    let records = reader.by_ref().map(Result::unwrap).count();
    // Chance can put the end of a line where the room ends.
    let is_cut_off = reader.cut_off().is_some() || text.ends_with(b"\n");
    assert!(
        records > 10 && is_cut_off,
        "what was written can be read: {records}"
    );
}

#[test]
fn a_disk_that_is_full_before_a_game_is_recorded() {
    let place = Place::new();
    let ran = with_little_space(&place, 1, &["--suite", "royalur/bot", "--record", "rec"]);
    ran.expect_once(
        3,
        &["error: the recording cannot be written: File too large"],
    );
    assert_eq!(place.files(), [""; 0], "half a header is of no use");
}

#[test]
fn a_command_that_exits_at_once() {
    let ran = Watched::new().run_script(FIRST_SEAT, "echo no such option >&2; exit 7");
    let texts = [
        "error: the bot sent nothing, exit status 7: no such option",
        "standard error: no such option",
    ];
    ran.expect_once(3, &texts);
}

#[test]
fn a_referee_that_never_listens() {
    let impatient = [ILLEGAL_LINE, &["--budget", "start=5s"]].concat();
    thread::scope(|scope| {
        scope.spawn(|| {
            let ran =
                Watched::new().run_script(&impatient, "trap '' TERM; tail -f /dev/null & wait");
            let error =
                "error: the referee did not print where it listens (the start budget is over)";
            ran.expect_once(3, &[error, "note: have it listen where {port}"]);
        });
        scope.spawn(|| {
            let ran = Watched::new().run_script(&impatient, "echo hello; tail -f /dev/null");
            let texts = [
                "error: the referee did not print where it listens (the start budget is over)",
                "note: the subject printed on standard output:",
                "note: have it listen where {port}",
            ];
            ran.expect_once(3, &texts);
        });
        // It is told a port, and does not listen there.
        let deaf = ["--", "sh", "-c", "exec tail -f /dev/null", "{port}"];
        let others = ["--suite", "royalur/referee/illegal-lines#empty"];
        let ran = Place::new().run(&[&impatient[..], &others, &deaf].concat());
        let texts = [
            "error: nobody accepted a connection at 127.0.0.1:",
            "note: have it listen there: {port}",
            "= and 1 more scenario: ",
        ];
        ran.expect_once(3, &texts);
    });
}

#[test]
fn an_address_has_a_port() {
    let nowhere = words("--free-games 1 --as referee --connect nowhere");
    let ran = Place::new().run(&nowhere);
    ran.expect_once(2, &["the address `nowhere` has no port"]);
}

/// A referee that lets two players in, sends each so much, and then waits until they have gone.
fn half_a_referee(greeting: &'static str) -> (String, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let referee = thread::spawn(move || {
        let mut players: Vec<TcpStream> = (0..2).map(|_| listener.accept().unwrap().0).collect();
        for player in &mut players {
            player.write_all(greeting.as_bytes()).unwrap();
        }
        for player in players {
            let mut rest = Vec::new();
            drop(BufReader::new(player).read_until(b'\n', &mut rest));
        }
    });
    (address, referee)
}

#[test]
fn a_referee_that_hangs_before_the_handshake() {
    let hangs = |greeting, code, text| {
        let (address, referee) = half_a_referee(greeting);
        // One game: a failure by silence would be confirmed by a second one, for which nobody is there.
        let args = words("--free-games 1 --as referee --budget start=5s --jobs 1");
        Place::new()
            .run(&[&args[..], &["--connect", &address]].concat())
            .expect_once(code, &[text]);
        referee.join().unwrap();
    };
    thread::scope(|scope| {
        scope.spawn(|| hangs("", 3, "error: the referee sent nothing"));
        scope.spawn(|| hangs("PlayerA\n", 1, "fail[ur/handshake/second-name]"));
        scope.spawn(|| hangs("PlayerA", 1, "fail[ur/line/newline-terminated]"));
        scope.spawn(|| hangs("PlayerA\nPlayerB\n0", 1, "fail[ur/line/newline-terminated]"));
    });
}

#[test]
fn nothing_is_left_of_a_subject_that_fails_or_leaves_children_behind() {
    // It ends in mid-game, and its child does not.
    let ran = Watched::new().run_script(
        FIRST_SEAT,
        "read a; read b; read c; read d; echo 0; (trap '' TERM HUP; tail -f /dev/null) & exit 3",
    );
    ran.expect_once(1, &["fail[ur/bot/", "exit status 3"]);
    // It passes, and leaves a child.
    let script =
        "(trap '' TERM HUP; tail -f /dev/null >/dev/null) & exec \"$0\" bot royalur --seed 1 3>&-";
    Watched::new()
        .run_script(FIRST_SEAT, script)
        .expect_once(0, &["1 scenario: 1 passed"]);
    // It ignores every gentle signal.
    let script = "trap '' TERM INT HUP; read a; read b; read c; read d; echo banana; while :; do read x; done";
    Watched::new()
        .run_script(FIRST_SEAT, script)
        .expect_once(1, &["fail[ur/bot/plain-digit]"]);
}

#[test]
fn a_subject_that_talks_without_end_is_stopped() {
    let ran = Watched::new().run_script(FIRST_SEAT, "exec tr '\\0' x </dev/zero");
    let ran = ran.expect_once(1, &["fail[ur/bot/newline]"]);
    assert!(ran.stdout.len() < 10_000, "what is shown is bounded");
    let ran = Watched::new().run_script(FIRST_SEAT, "exec yes banana");
    ran.expect_once(1, &["fail[ur/bot/plain-digit]"]);
}

#[test]
fn hostile_bytes_do_not_reach_the_terminal() {
    let script =
        r#"read a; read b; read c; read d; printf '\033[2J\377\342\200\256\n' | tee /dev/stderr"#;
    let ran = Watched::new()
        .run_script(FIRST_SEAT, script)
        .expect_once(1, &["fail[ur/bot/plain-digit]"]);
    assert!(ran.stdout.contains(r"\x1b[2J\xff\u{202e}"), "{ran:#?}");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{ran:#?}");
}

#[test]
fn a_pipe_that_nobody_reads_does_not_keep_the_run() {
    let place = Place::new();
    let mut command = place.command(&["run", "--list", "--suite", "royalur/referee"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
