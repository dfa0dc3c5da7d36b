//! Matches of others, which urtext watches.

use std::process::Command;

use super::client::Playing;
use super::server::Server;
use crate::harness::{Place, URTEXT, urtext};

/// The end of a client that has played.
const PLAYED: (Option<i32>, String) = (Some(0), String::new());

#[test]
fn a_match_that_others_play_is_listed_and_recorded_by_a_spectator() {
    let Some(server) = Server::start(&["--cut", "3", "--empty-frames", "3000"]) else {
        return;
    };
    let secret = ["--password", "x"];
    let new = ["--pace", "0", "--title", "duel"];
    let (mut host, address) = Playing::create(&server.address, &[&new[..], &secret].concat());
    assert_eq!(address, server.url("match1"));
    urtext(&["record", "--spectate", &server.url("")])
        .expect(0)
        .mentions("match1  waiting  royalur \"duel\"  1 of 2 players");
    // What is not stored yet is no finished game.
    urtext(&["verify", &address])
        .expect(2)
        .mentions("refused the request for a stored match")
        .mentions("with an id records one that is played");
    let place = Place::new();
    let mut watching = Playing::start(
        Command::new(URTEXT)
            .args(["record", "--spectate", &address])
            .current_dir(place.path()),
    );
    // A spectator counts as soon as it is let in.
    wait_for_a_spectator(&server, &mut watching);
    assert_eq!(Playing::join(&address, &secret).end(), PLAYED);
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
