//! Matches that are stored, and matches that are watched.

use std::path::Path;

use super::server::{Server, run};
use crate::harness::{Place, urtext};

/// A server on which one game was played, and the address of that match.
fn played(options: &[&str]) -> Option<(Server, String)> {
    let server = Server::start(options)?;
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "1"])).expect(0);
    let listed = urtext(&["record", "--spectate", &url]).expect(0);
    assert_eq!(listed.stdout, "match1  stored\n");
    let address = server.url("match1");
    Some((server, address))
}

#[test]
fn a_stored_match_is_verified_replayed_and_converted() {
    let Some((_server, address)) = played(&["--cut", "5"]) else {
        return;
    };
    urtext(&["verify", "--complete", &address])
        .expect(0)
        .mentions("has won")
        .leaves_out("has not stored");
    urtext(&["replay", "--print", &address])
        .expect(0)
        .mentions("PlayerA");
    urtext(&["replay", "--to", "spectator", &address])
        .expect(0)
        .mentions("PlayerA\n");
    urtext(&["run", &address, "--budget", "answer=60s"])
        .expect(0)
        .mentions("1 scenario: 1 passed");
}

#[test]
fn a_history_that_lacks_its_last_lines_is_legal_as_far_as_it_goes_and_not_complete() {
    let Some((_server, address)) = played(&["--history-lacks", "3"]) else {
        return;
    };
    let says = "the server has not stored the last lines of this match";
    urtext(&["verify", &address])
        .expect(0)
        .mentions(says)
        .mentions("incomplete: stops ");
    urtext(&["replay", "--print", &address])
        .expect(0)
        .mentions(says);
    urtext(&["verify", "--complete", &address]).expect(1);
}

#[test]
fn addresses_without_a_stored_match_are_told_apart() {
    let Some((server, _)) = played(&[]) else {
        return;
    };
    for command in [
        &["verify"][..],
        &["replay"],
        &["replay", "--to", "spectator"],
        &["run"],
    ] {
        let run = |address: &str| urtext(&[command, &[address]].concat());
        run(&server.url("nothing"))
            .expect(2)
            .mentions("refused a stored match")
            .mentions("lists the matches that are there");
        run(&server.url(""))
            .expect(2)
            .mentions("this is the address of a server, not of a match");
        run("coco://")
            .expect(2)
            .mentions("there is no server in this address");
    }
}

#[test]
fn histories_that_cannot_be_read_and_servers_that_are_not_there_break_the_run() {
    for (misbehaviour, says) in [
        (
            "cut-history",
            "bytes that are no stored match: it is cut off",
        ),
        (
            "text-for-history",
            r"text that is no message: `PlayerA\nPlayerB\n`",
        ),
    ] {
        let Some(server) = Server::start(&["--misbehave", misbehaviour]) else {
            return;
        };
        let url = server.url("");
        urtext(&run(&url, &["--free-games", "1"])).expect(0);
        urtext(&["verify", &server.url("match1")])
            .expect(3)
            .mentions(says);
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("coco://{}/abc", listener.local_addr().unwrap());
    drop(listener);
    urtext(&["verify", &address])
        .expect(3)
        .mentions("nobody accepted a connection");
    let server = address.strip_suffix("abc").unwrap();
    urtext(&["record", "--spectate", server])
        .expect(3)
        .mentions("nobody accepted a connection");
}

#[test]
fn a_stored_match_goes_together_with_other_lanes_of_its_game() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let (url, place) = (server.url(""), Place::new());
    place
        .urtext(&run(&url, &["--free-games", "1", "--record", "games"]))
        .expect(0);
    let recording = only_file(&place.path().join("games"));
    place
        .urtext(&[
            "replay",
            "--to",
            "spectator",
            &recording,
            "--output",
            "lane.txt",
        ])
        .expect(0);
    place
        .urtext(&["verify", "--together", "lane.txt", &server.url("match1")])
        .expect(0);
}

pub(crate) fn only_file(folder: &Path) -> String {
    let files = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap);
    let mut files = files.filter(|entry| entry.file_type().is_file());
    files.next().unwrap().path().to_string_lossy().into_owned()
}
