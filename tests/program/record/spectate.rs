//! `urtext record` as a spectator.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use nix::sys::signal::Signal;

use super::command::{let_hang_ups_through, tell};
use crate::harness::Place;

const SPECTATOR: &str = include_str!("../../data/seed/spectator.txt");

#[test]
fn what_a_spectator_is_shown_is_recorded() {
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
    place.urtext(&["record", "--spectate", &address]).expect(0);
    referee.join().unwrap();
    place
        .urtext(&["verify", "--complete", "game.jsonl"])
        .expect(0)
        .says("9 turns: PlayerB (second) has lost");
}

/// A recorder, and the stream on which it spectates.
fn spectating(place: &Place) -> (Child, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut command = place.command(&["record", "--spectate", &address]);
    let recorder = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (recorder, listener.accept().unwrap().0)
}

#[test]
fn an_interrupted_recording_of_a_spectator_says_so() {
    let_hang_ups_through();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let place = Place::new();
        let (mut recorder, mut stream) = spectating(&place);
        stream.write_all(SPECTATOR.as_bytes()).unwrap();
        stream.write_all(b"half").unwrap();
        // The recording is under way when the last whole line is in it.
        let written = || std::fs::read_to_string(place.join("game.jsonl")).unwrap_or_default();
        while !written().contains("RETIRE") {
            assert_eq!(recorder.try_wait().unwrap(), None);
        }
        tell(&recorder, signal);
        assert_eq!(recorder.wait().unwrap().code(), Some(130), "{signal}");
        let text = written();
        assert!(text.ends_with(",\"interrupted\"]\n"), "{signal}: {text}");
    }
}
