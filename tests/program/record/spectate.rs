//! `urtext record` as a spectator.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use nix::sys::signal::Signal;

use super::command::{let_hang_ups_through, tell};
use crate::harness::Place;

const SPECTATOR: &str = include_str!("../../data/seed/spectator.txt");

#[test]
fn what_a_spectator_is_shown_is_recorded_and_judged() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let referee = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        SPECTATOR
            .as_bytes()
            .chunks(5)
            .for_each(|piece| stream.write_all(piece).unwrap());
    });
    let ran = place.urtext(&["record", "--spectate", &address, "--judge"]);
    referee.join().unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(
        ran.stderr
            .contains("pass game.jsonl: 9 turns: PlayerB (second) has lost"),
        "{ran:#?}"
    );
    assert_eq!(
        place.urtext(&["verify", "--complete", "game.jsonl"]).code,
        Some(0)
    );
}

/// A recorder that judges, and the stream on which it spectates.
fn spectating(place: &Place) -> (Child, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut command = place.command(&["record", "--spectate", &address, "--judge"]);
    let recorder = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (recorder, listener.accept().unwrap().0)
}

#[test]
fn a_wrong_line_is_told_while_the_game_goes_on() {
    let place = Place::new();
    let (mut recorder, mut stream) = spectating(&place);
    stream
        .write_all(SPECTATOR.replace("RETIRE", "2").as_bytes())
        .unwrap();
    let mut said = BufReader::new(recorder.stderr.take().unwrap());
    let mut lines = String::new();
    while !lines.contains("--> game.jsonl:") {
        assert_ne!(said.read_line(&mut lines).unwrap(), 0, "{lines}");
    }
    assert!(
        lines.starts_with("fail[ur/retire/own-token]: move 2 is not legal"),
        "{lines}"
    );
    // The game has gone on until now.
    assert!(recorder.try_wait().unwrap().is_none());
    drop(stream);
    said.read_to_string(&mut lines).unwrap();
    assert_eq!(recorder.wait().unwrap().code(), Some(1));
    assert_eq!(lines.matches("fail[").count(), 1, "once: {lines}");
    assert!(
        lines.ends_with("urtext record: fail game.jsonl\n"),
        "{lines}"
    );
}

#[test]
fn a_recording_in_which_nothing_was_played_is_not_green() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let referee = std::thread::spawn(move || drop(listener.accept().unwrap()));
    let ran = place.urtext(&["record", "--spectate", &address, "--judge"]);
    referee.join().unwrap();
    assert_eq!(ran.code, Some(4), "{ran:#?}");
}

#[test]
fn an_interrupted_recording_of_a_spectator_says_so() {
    let_hang_ups_through();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let place = Place::new();
        let (mut recorder, mut stream) = spectating(&place);
        stream
            .write_all(SPECTATOR.replace("RETIRE", "2").as_bytes())
            .unwrap();
        stream.write_all(b"half").unwrap();
        // The recording is under way when the wrong line in it is told.
        let mut said = String::new();
        let mut heard = BufReader::new(recorder.stderr.take().unwrap());
        while !said.contains("--> game.jsonl:") {
            assert_ne!(heard.read_line(&mut said).unwrap(), 0, "{said}");
        }
        tell(&recorder, signal);
        heard.read_to_string(&mut said).unwrap();
        assert_eq!(
            recorder.wait().unwrap().code(),
            Some(130),
            "{signal}: {said}"
        );
        let text = std::fs::read_to_string(place.join("game.jsonl")).unwrap();
        assert!(
            text.ends_with("\"interrupted\":true}\n"),
            "{signal}: {text}"
        );
    }
}
