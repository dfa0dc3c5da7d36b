//! `urtext record` between connections.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use nix::sys::signal::Signal;
use urtext::protocol::LaneKind;
use urtext::transcript::Direction;

use super::command::{Listening, let_hang_ups_through, lines, recorded, tell};
use crate::harness::{PEERS, Place, URTEXT, closed_port, has, python, words};

/// A recorder in front of a referee.
fn recorder(place: &Place, name: &str, players: &str, more: &[&str]) -> Listening {
    let mut args = vec!["record", "-o", name, "--listen", ":0", "--connect", players];
    args.extend(more);
    Listening::start(&mut place.command(&args))
}

#[test]
fn a_free_game_through_it_passes_and_its_recording_is_legal_on_every_lane() {
    let place = Place::new();
    let args = words("referee royalur --seed 4 --pace 0 --spectators 1 --games 2");
    let referee = Listening::start(&mut place.command(&args));
    let more = ["--games", "2"];
    let tap = recorder(&place, "game.jsonl", &referee.players, &more);
    let budgets = words("--budget handshake=60s --budget answer=60s --budget close=60s");
    let mut args = vec![
        "run",
        "--as",
        "referee",
        "--free-games",
        "2",
        "--set",
        "pace=0s",
    ];
    args.extend(budgets);
    // Spectators pass the recorder by.
    let spectators = format!("spectators={}", referee.spectators);
    args.extend(["--connect", &tap.players, "--set", &spectators]);
    let ran = place.urtext(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(referee.end().0, Some(0));
    assert_eq!(tap.end().0, Some(0));
    let ran = place.urtext(&["verify", "--complete", "game.jsonl", "game-2.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.ends_with("2 games, 0 complaints\n"), "{ran:#?}");
    let lanes = recorded(&place, "game-2.jsonl").lanes;
    assert!(
        lanes
            .iter()
            .all(|lane| lane.label.kind() == LaneKind::Player)
    );
    assert_eq!(lanes.len(), 2);
}

#[test]
fn independent_referee_and_bots_play_through_it() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let peer = |file: &str| {
        let mut command = Command::new(python);
        command.arg(format!("{PEERS}/{file}"));
        command
    };
    let referee = Listening::start(peer("ur_referee.py").args(["--pace", "0", "--seed", "3"]));
    let tap = recorder(&place, "game.jsonl", &referee.players, &["--games", "1"]);
    let (host, port) = tap.players.rsplit_once(':').unwrap();
    let bots = ["first", "last"].map(|policy| {
        let mut bot = peer("ur_tcp_bot.py");
        bot.args(["--connect", host, port, "--policy", policy])
            .spawn()
            .unwrap()
    });
    for mut bot in bots {
        assert!(bot.wait().unwrap().success());
    }
    assert_eq!(referee.end().0, Some(0));
    assert_eq!(tap.end().0, Some(0));
    place
        .urtext(&["verify", "--complete", "game.jsonl"])
        .expect(0)
        .says("has won");
}

/// A game of Onitama through a recorder, between two bots of these words each.
fn onitama(judge: &mut Command, bots: [&mut Command; 2]) {
    let place = Place::new();
    let judge = Listening::start(judge);
    let more = ["--game", "onitama", "--games", "1"];
    let tap = recorder(&place, "game.jsonl", &judge.players, &more);
    let (host, port) = tap.players.rsplit_once(':').unwrap();
    let bots = bots.map(|bot| {
        bot.args([host, port])
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    });
    for mut bot in bots {
        // One may end when its opponent has won, with whatever status.
        let _ = bot.wait().unwrap();
    }
    assert_eq!(tap.end().0, Some(0));
    let ran = place.urtext(&["verify", "--complete", "game.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ran = place.urtext(&[
        "run",
        "game.jsonl",
        "--game",
        "onitama",
        "--budget",
        "answer=60s",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn a_game_of_onitama_is_recorded_and_played_again() {
    let bot = |seed| {
        let mut bot = Command::new(URTEXT);
        bot.args(["bot", "onitama", "--seed", seed]);
        bot
    };
    let judge = ["referee", "onitama", "--seed", "5"];
    onitama(
        Command::new(URTEXT).args(judge),
        [&mut bot("1"), &mut bot("2")],
    );
    let Some(python) = python() else { return };
    let peer = |file: &str| {
        let mut command = Command::new(python);
        command.arg(format!("{PEERS}/{file}"));
        command
    };
    onitama(
        peer("oni_judge.py").args(["--seed", "5"]),
        [
            peer("oni_bot.py").args(["--policy", "random", "--seed", "1"]),
            &mut bot("2"),
        ],
    );
}

#[test]
fn a_killed_recorder_has_written_every_line_that_it_passed_on() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // A referee that talks without end, in pieces that are no lines.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let text: String = (0..2000).map(|number| format!("line {number}\n")).collect();
            std::thread::spawn(move || {
                while text
                    .as_bytes()
                    .chunks(7)
                    .all(|piece| stream.write_all(piece).is_ok())
                {}
            });
        }
    });
    let mut tap = recorder(&place, "game.jsonl", &address, &[]);
    let players = [(); 2].map(|()| BufReader::new(TcpStream::connect(&tap.players).unwrap()));
    let passed = players.map(|mut player| {
        let mut text = Vec::new();
        for _ in 0..500 {
            player.read_until(b'\n', &mut text).unwrap();
        }
        (player, text)
    });
    tap.child.kill().unwrap();
    tap.child.wait().unwrap();
    let game = recorded(&place, "game.jsonl");
    for (lane, (mut player, mut text)) in passed.into_iter().enumerate() {
        // What is still on its way was passed on as well; that the end is a reset is no wonder.
        let _ = player.read_to_end(&mut text);
        let whole = text.iter().rposition(|&byte| byte == b'\n').unwrap();
        let passed: Vec<_> = text[..whole].split(|&byte| byte == b'\n').collect();
        let written = lines(&game, lane, Direction::Received);
        assert!(passed.len() >= 500 && written.len() >= passed.len());
        assert!(
            passed
                .iter()
                .zip(&written)
                .all(|(passed, written)| passed == written),
            "lane {lane}"
        );
    }
}

#[test]
fn an_interrupted_recording_is_whole_and_says_so() {
    let_hang_ups_through();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let place = Place::new();
        let referee = Listening::start(&mut place.command(&[
            "referee",
            "royalur",
            "--pace",
            "0",
            "--spectators",
            "0",
        ]));
        let tap = recorder(&place, "game.jsonl", &referee.players, &[]);
        let players = [(); 2].map(|()| TcpStream::connect(&tap.players).unwrap());
        let mut line = String::new();
        BufReader::new(&players[0]).read_line(&mut line).unwrap();
        (&players[0]).write_all(b"half").unwrap();
        tell(&tap.child, signal);
        assert_eq!(tap.end().0, Some(130), "{signal}");
        let text = std::fs::read_to_string(place.join("game.jsonl")).unwrap();
        assert!(text.contains(",\"interrupted\"]\n"), "{signal}: {text}");
        assert_eq!(place.urtext(&["check", "game.jsonl"]).code, Some(0));
        let received = lines(&recorded(&place, "game.jsonl"), 0, Direction::Received);
        assert_eq!(received[0], line.trim_end().as_bytes());
    }
}

#[test]
fn a_hang_up_that_was_to_be_ignored_is_ignored() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // As nohup does.
    let mut command = Command::new("sh");
    command
        .current_dir(place.path())
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh", URTEXT]);
    command.args([
        "record",
        "--listen",
        ":0",
        "--connect",
        &address,
        "--games",
        "1",
    ]);
    let tap = Listening::start(&mut command);
    tell(&tap.child, Signal::SIGHUP);
    let mut player = TcpStream::connect(&tap.players).unwrap();
    let mut referee = listener.accept().unwrap().0;
    referee.write_all(b"PlayerA\n").unwrap();
    drop(referee);
    let mut heard = String::new();
    player.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "PlayerA\n");
    drop(player);
    assert_eq!(tap.end().0, Some(0));
    let text = std::fs::read_to_string(place.join("game.jsonl")).unwrap();
    assert!(!text.contains("interrupted"), "{text}");
}

#[test]
fn who_comes_while_the_referee_is_not_there_is_refused_and_the_next_game_is_not_disturbed() {
    let place = Place::new();
    let (_port, closed) = closed_port();
    let mut tap = recorder(&place, "game.jsonl", &closed, &[]);
    let mut early = TcpStream::connect(&tap.players).unwrap();
    let refused = early.read(&mut [0]);
    assert!(refused.is_err(), "{refused:?}");
    let mut said = String::new();
    BufReader::new(tap.child.stderr.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert!(said.contains("the referee cannot be reached"), "{said}");
    assert!(!place.join("game.jsonl").exists());
}

#[test]
fn an_address_in_use_is_said() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = Command::new(URTEXT);
    command
        .args(["record", "--listen", &address, "--connect", ":1"])
        .current_dir(place.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on"));
}

#[test]
fn a_recording_that_cannot_be_written_is_said_before_anybody_plays() {
    let place = Place::new();
    let ran = place.urtext(&[
        "record",
        "-o",
        "/dev/null/a.jsonl",
        "--listen",
        ":0",
        "--connect",
        ":1",
    ]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    has(&ran.stderr, "/dev/null/a.jsonl cannot be written");
}

#[test]
fn a_game_that_cannot_be_written_down_is_passed_on_all_the_same() {
    let place = Place::new();
    std::fs::create_dir(place.join("games")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let tap = recorder(&place, "games/a.jsonl", &address, &["--games", "1"]);
    std::fs::remove_dir(place.join("games")).unwrap();
    std::fs::write(place.join("games"), "").unwrap();
    let mut player = TcpStream::connect(&tap.players).unwrap();
    let mut referee = listener.accept().unwrap().0;
    referee.write_all(b"PlayerA\n").unwrap();
    let mut heard = [0; 8];
    player.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"PlayerA\n");
    drop((player, referee));
    let (code, said) = tap.end();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("games/a.jsonl cannot be written"), "{said}");
    has(&said, "the game was passed on all the same");
}

#[test]
fn a_game_that_is_another_than_was_said_is_noticed_and_judged_as_what_it_is() {
    let place = Place::new();
    let judge = Listening::start(&mut place.command(&["referee", "onitama", "--seed", "5"]));
    let tap = recorder(&place, "game.jsonl", &judge.players, &["--games", "1"]);
    let (host, port) = tap.players.rsplit_once(':').unwrap();
    let bots = ["1", "2"].map(|seed| {
        let mut bot = place.command(&["bot", "onitama", "--seed", seed, host, port]);
        bot.stderr(Stdio::null()).spawn().unwrap()
    });
    for mut bot in bots {
        let _ = bot.wait().unwrap();
    }
    let (code, said) = tap.end();
    assert_eq!(code, Some(0), "{said}");
    has(
        &said,
        "are read as a game of `onitama`, and not of `royalur`",
    );
    for args in [
        &["verify", "--complete", "game.jsonl"][..],
        &[
            "run",
            "game.jsonl",
            "--as",
            "referee",
            "--game",
            "onitama",
            "--subject",
            "built-in",
        ],
    ] {
        let ran = place.urtext(args);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
    let as_ur = place.urtext(&["verify", "--dialect", "code-colosseum", "game.jsonl"]);
    assert_eq!(as_ur.code, Some(1), "{as_ur:#?}");
}

#[test]
fn who_does_not_read_holds_up_only_who_writes_to_it_and_in_bounded_memory() {
    const BYTES: usize = 64 << 20;
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let tap = recorder(
        &place,
        "game.jsonl",
        &listener.local_addr().unwrap().to_string(),
        &[],
    );
    let [mut slow, mut quick] = [(); 2].map(|()| {
        let player = TcpStream::connect(&tap.players).unwrap();
        (player, listener.accept().unwrap().0)
    });
    let flood = std::thread::spawn(move || {
        let line = [&[b'0'; 999][..], b"\n"].concat();
        let rest = BYTES % line.len();
        (0..BYTES / line.len()).for_each(|_| slow.1.write_all(&line).unwrap());
        slow.1.write_all(&vec![b'0'; rest]).unwrap();
    });
    // The other one reads nothing, and more is on its way to it than buffers usually hold.
    let mut heard = [0; 2];
    for _ in 0..100 {
        quick.1.write_all(b"1\n").unwrap();
        quick.0.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"1\n");
    }
    let mut came = 0;
    let mut buffer = vec![0; 1 << 20];
    while came < BYTES {
        came += slow.0.read(&mut buffer).unwrap();
    }
    flood.join().unwrap();
    // Where the system tells how much memory it has taken at most.
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", tap.child.id())).unwrap_or_default();
    let most = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or("0 kB");
    let most: usize = most.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(most * 1024 < BYTES, "{most} kB");
}
