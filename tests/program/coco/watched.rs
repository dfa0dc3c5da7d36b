//! Matches of others, which urtext watches.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use super::client::Playing;
use super::server::Server;
use crate::harness::{Place, URTEXT, urtext};

/// The end of a client that has played.
const PLAYED: (Option<i32>, String) = (Some(0), String::new());

#[test]
fn a_match_that_others_play_is_listed_and_verified_to_its_end() {
    let Some(server) = Server::start(&["--cut", "3"]) else {
        return;
    };
    let secret = ["--password", "x"];
    let new = ["--pace", "0", "--title", "duel"];
    let (mut host, address) = Playing::create(&server.address, &[&new[..], &secret].concat());
    assert_eq!(address, server.url("match1"));
    urtext(&["record", "--spectate", &server.url("")])
        .expect(0)
        .mentions("match1  waiting  royalur \"duel\"  1 of 2 players");
    let mut watching =
        Playing::start(Command::new(URTEXT).args(["verify", "--complete", &address]));
    // It says so as soon as it is let in; only then may the match begin.
    let mut said = BufReader::new(watching.0.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("watched to its end"), "{line}");
    assert_eq!(Playing::join(&address, &secret).end(), PLAYED);
    assert_eq!(host.end(), PLAYED);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(
        (watching.0.wait().unwrap().code(), rest.as_str()),
        (Some(0), "")
    );
}

#[test]
fn a_match_is_recorded_by_a_spectator() {
    let Some(server) = Server::start(&["--cut", "3", "--empty-frames", "3000"]) else {
        return;
    };
    let (mut host, address) = Playing::create(&server.address, &["--pace", "0"]);
    let place = Place::new();
    let mut watching = Playing::start(
        Command::new(URTEXT)
            .args(["record", "--spectate", &address])
            .current_dir(place.path()),
    );
    // A spectator counts as soon as it is let in.
    wait_for_a_spectator(&server, &mut watching);
    assert_eq!(Playing::join(&address, &[]).end(), PLAYED);
    let (status, said) = watching.end();
    assert_eq!((host.end(), status), (PLAYED, Some(0)), "{said}");
    // It cuts lines anywhere and sends empty frames between the pieces as well.
    assert!(said.contains(" empty frames on one lane\n"), "{said}");
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
fn a_match_that_nobody_joins_is_not_watched_for_ever() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let (_host, address) = Playing::create(&server.address, &["--pace", "0"]);
    urtext(&["verify", "--for", "0s", &address])
        .expect(3)
        .complains("this match has sent nothing for 0s: nobody may have joined it");
}
