//! The built-in bot in a match.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use super::server::Server;
use crate::harness::{PATIENT, Place, URTEXT, urtext};

pub(crate) struct Playing(pub(crate) Child);

impl Playing {
    /// A bot that creates a match there, and the address of that match.
    pub(crate) fn create(url: &str, args: &[&str]) -> (Playing, String) {
        let mut command = Command::new(URTEXT);
        command
            .args([
                "bot", "royalur", "--seed", "1", "--at", url, "--name", "host",
            ])
            .args(args);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        (Playing(child), line.trim().to_owned())
    }

    /// How it ended, and what it complained of.
    pub(crate) fn end(&mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn two_bots_play_a_match_that_one_of_them_creates_and_a_spectator_verifies_it() {
    let Some(server) = Server::start(&["--cut", "3"]) else {
        return;
    };
    let (mut host, address) = Playing::create(&server.url("?pace=0s&password=x&title=duel"), &[]);
    assert_eq!(address, server.url("match1"));
    urtext(&["record", "--spectate", &server.url("")])
        .expect(0)
        .mentions("match1  waiting  royalur \"duel\"  1 of 2 players");
    let mut watching = Command::new(URTEXT);
    watching
        .args(["verify", "--complete", &address])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut watching = Playing(watching.spawn().unwrap());
    // It says so as soon as it is let in; only then may the match begin.
    let mut said = BufReader::new(watching.0.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("watched to its end"), "{line}");
    urtext(&[
        "bot",
        "royalur",
        "--at",
        &format!("{address}?password=x"),
        "--name",
        "guest",
    ])
    .expect(0);
    assert_eq!(host.end(), (Some(0), String::new()));
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(
        (watching.0.wait().unwrap().code(), rest.as_str()),
        (Some(0), "")
    );
}

#[test]
fn a_match_is_recorded_by_a_spectator() {
    let Some(server) = Server::start(&["--cut", "3"]) else {
        return;
    };
    let (mut host, address) = Playing::create(&server.url("?pace=0s"), &[]);
    let place = Place::new();
    let mut watching = Command::new(URTEXT);
    watching
        .args(["record", "--spectate", &address])
        .current_dir(place.path());
    let mut watching = Playing(
        watching
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    // A spectator counts as soon as it is let in.
    wait_for_a_spectator(&server, &mut watching);
    urtext(&["bot", "royalur", "--at", &address, "--name", "guest"]).expect(0);
    assert_eq!((host.end().0, watching.end().0), (Some(0), Some(0)));
    place
        .urtext(&["verify", "--complete", "game.jsonl"])
        .expect(0);
    let absent = ["record", "--spectate", &server.url("nothing")];
    place.urtext(&absent).expect(2).mentions("does not exists");
}

/// Waits until somebody watches the only match there.
pub(crate) fn wait_for_a_spectator(server: &Server, watching: &mut Playing) {
    while !urtext(&["record", "--spectate", &server.url("")])
        .expect(0)
        .stdout
        .contains("1 spectators")
    {
        assert_eq!(
            watching.0.try_wait().unwrap(),
            None,
            "it has ended before it began"
        );
    }
}

#[test]
fn a_bot_that_is_not_let_in_says_why() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let (_host, address) = Playing::create(&server.url("?password=x"), &[]);
    let joins =
        |address: &str, name: &str| urtext(&["bot", "royalur", "--at", address, "--name", name]);
    joins(&address, "guest")
        .expect(2)
        .mentions("Wrong password");
    joins(&format!("{address}?password=x"), "host")
        .expect(2)
        .mentions("already taken");
    joins(&server.url("nothing"), "guest")
        .expect(2)
        .mentions("does not exists");
    joins(&server.url(""), "a$b")
        .expect(2)
        .mentions("1 to 16 visible ASCII characters");
    joins(&server.url("?game=chess"), "guest")
        .expect(2)
        .mentions("Game not found");
    joins("coco://", "guest")
        .expect(2)
        .mentions("there is no server in this address");
}

#[test]
fn a_bot_whose_match_comes_to_nothing_has_not_failed_itself() {
    for (misbehaviour, says) in [
        ("expires", "the match expired in the lobby"),
        ("other-version", "version 3"),
        (
            "closes-at-handshake",
            "closed the connection instead of answering the handshake",
        ),
    ] {
        let Some(server) = Server::start(&["--misbehave", misbehaviour]) else {
            return;
        };
        urtext(&["bot", "royalur", "--at", &server.url("")])
            .expect(3)
            .mentions(says);
    }
}

#[test]
fn the_server_says_that_it_has_no_such_game() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    urtext(&["bot", "onitama", "--at", &server.url("")])
        .expect(2)
        .mentions("Game not found");
    urtext(&["bot", "onitama", "127.0.0.1", "1", "--at", &server.url("")])
        .expect(2)
        .mentions("cannot be used with");
}

#[test]
fn a_match_that_nobody_joins_is_not_watched_for_ever() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let (_host, address) = Playing::create(&server.url("?pace=0s"), &[]);
    urtext(&["verify", "--for", "0s", &address])
        .expect(3)
        .complains("this match has sent nothing for 0s: nobody may have joined it");
}

/// The pipes are those that `coco connect -c pipe` offers a bot.
#[test]
fn the_bot_plays_over_the_pipes_of_the_environment() {
    let pipes = ["run", "--as", "bot", "--reach", "named-pipes"];
    let suite = ["--suite", "royalur/bot/first-seat", "--no-diagnosis"];
    let bot = ["--", URTEXT, "bot", "royalur"];
    urtext(&[&pipes[..], &suite, &PATIENT, &bot].concat())
        .expect(0)
        .says("1 passed");
}
