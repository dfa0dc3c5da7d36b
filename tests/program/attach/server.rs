//! Referees that run already and play one game after the other: busy, slow to begin the next game, gone, and back again.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::harness::{PEERS, Place, Ran, has_python, python};

/// The independent server, in a process of its own.
struct Server {
    child: Child,
    /// It ends when this does.
    _stdin: ChildStdin,
    players: String,
    spectators: String,
}

impl Server {
    fn start(options: &[&str]) -> Server {
        let mut command = Command::new(python().unwrap());
        command.arg(format!("{PEERS}/ur_server.py")).args(options);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        // What else it prints is not to hold it up.
        std::thread::spawn(move || stdout.lines().for_each(drop));
        let word = |name: &str| {
            line.split_whitespace()
                .find_map(|word| word.strip_prefix(name))
                .unwrap()
                .to_owned()
        };
        let (players, spectators) = (word("players="), word("spectators="));
        Server {
            _stdin: child.stdin.take().unwrap(),
            child,
            players,
            spectators,
        }
    }

    fn ports(&self) -> [String; 2] {
        [&self.players, &self.spectators]
            .map(|address| address.rsplit_once(':').unwrap().1.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A folder with games that end for urtext after the first move; the referee goes on until it sees that.
fn place(subjects: &str) -> Place {
    let place = Place::with(subjects);
    for number in 1..=3 {
        let text = format!(
            "scenario: game {number}\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - play: until first can move\n  - mover: any\n"
        );
        place.write(&format!("game-{number}.yaml"), &text);
    }
    place
}

const FILES: [&str; 3] = ["game-1.yaml", "game-2.yaml", "game-3.yaml"];
const PATIENT: [&str; 5] = [
    "--budget",
    "start=60s",
    "--budget",
    "answer=60s",
    "--no-diagnosis",
];

fn run(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&PATIENT[..], more].concat())
}

#[test]
fn the_next_game_waits_until_a_server_has_done_with_the_one_before() {
    if !has_python() {
        return;
    }
    let busy: [&[&str]; 5] = [
        // Whoever comes before the old connections are closed is turned away; nobody listens; or five are turned away in any case.
        &["--linger", "0.2"],
        &["--linger", "0.2", "--busy", "refuse"],
        &["--linger", "0.2", "--busy", "silent"],
        &["--turn-away", "5"],
        &["--turn-away", "4", "--spectators", "1"],
    ];
    for options in busy {
        let server = Server::start(options);
        let place = place("");
        let spectators = format!("spectators={}", server.spectators);
        let mut args = [
            &FILES[..],
            &["--as", "referee", "--connect", &server.players],
        ]
        .concat();
        if options.contains(&"--spectators") {
            args.extend(["--set", &spectators]);
        }
        run(&place, &args).expect(0).says("3 scenarios: 3 passed");
    }
}

#[test]
fn a_referee_gets_as_many_spectators_as_it_waits_for() {
    if !has_python() {
        return;
    }
    for (number, waits) in [("0", "0"), ("2", "2")] {
        let server = Server::start(&["--spectators", number]);
        let Server {
            players,
            spectators,
            ..
        } = &server;
        let place = place(&format!(
            "  mine:\n    as: referee\n    game: royalur\n    players: {players}\n    spectators: {{at: '{spectators}', wait-for: {waits}}}\n"
        ));
        run(&place, &[&FILES[..], &["--subject", "mine"]].concat()).expect(0);
        // What needs another number cannot be played there.
        let about = "royalur/referee/spectator-joins-late";
        run(&place, &["--subject", "mine", "--suite", about]).expect(4);
    }
}

#[test]
fn a_server_that_breaks_off_is_one_finding_and_the_run_goes_on_when_it_is_back() {
    if !has_python() {
        return;
    }
    let mut server = Server::start(&["--die-in", "2"]);
    let [players, spectators] = server.ports();
    let address = server.players.clone();
    let returning = std::thread::spawn(move || {
        assert_eq!(server.child.wait().unwrap().code(), Some(7));
        Server::start(&["--port", &players, "--spectator-port", &spectators])
    });
    let games = ["--free-games", "4", "--as", "referee"];
    let ran = run(&place(""), &[&games[..], &["--connect", &address]].concat());
    drop(returning.join().unwrap());
    let ran = ran.expect(1).says("4 scenarios: 3 passed, 1 failed");
    if cfg!(target_os = "linux") {
        ran.says("fail: the server broke off in game 2\n")
            .says(" has ended\n")
            .says("last lines sent to it: \"")
            .says("its connections were closed (PlayerA (first), PlayerB (second))")
            .leaves_out("specification:");
    }
}

#[test]
fn the_games_after_a_server_has_broken_off_say_that_it_was_gone() {
    if !has_python() {
        return;
    }
    let server = Server::start(&["--die-in", "2"]);
    let games = ["--free-games", "5", "--as", "referee", "--no-diagnosis"];
    // Only the first one of the others waits for all of the start budget.
    let connect = ["--budget", "start=5s", "--connect", &server.players];
    let ran = place("").run(&[&games[..], &connect].concat()).expect(1);
    ran.says("5 scenarios: 1 passed, 1 failed, 3 could not be played")
        .says("fail: the server broke off in game 2\n")
        .says("error: the server was gone\n")
        .says("it broke off in game 2: royalur/free-game-2");
}

#[test]
fn a_server_that_keeps_the_board_of_the_game_before_is_known_for_it() {
    if !has_python() {
        return;
    }
    let server = Server::start(&["--keep", "board", "--seed", "2"]);
    let place = Place::with("");
    let text = "scenario: until a capture\ngame: royalur\nsubject: referee\nchecks: [ur/retire/number-out-of-range]\nturns:\n  - play: until first can capture\n  - mover: '\"7\" illegal'\n";
    for number in 1..=4 {
        place.write(&format!("game-{number}.yaml"), text);
    }
    let files = [&FILES[..], &["game-4.yaml"]].concat();
    let connect = ["--as", "referee", "--connect", &server.players];
    let budgets = &PATIENT[..4];
    let ran = place.run(&[&["--no-gate"], budgets, &files, &connect].concat());
    let cause = "the referee behaves as if the board was still that of the game before: this explains 3 of 3 failures, and fits the game that passed";
    let ran = ran.expect(1).says(cause);
    let title = "]: game 1 passed, games 2 to 4 failed: the referee behaves as if the board was still that of the game before (";
    let ran = ran.says(title);
    let mut lines = ran.stdout.lines();
    let repeat = lines.find(|line| line.starts_with("repeat: ")).unwrap();
    assert!(repeat.contains(" run --repeat 2 "), "{repeat}");
}
