//! Servers and addresses with which nothing can be done: a clear message, and the right exit status.

use super::server::{Server, run};
use crate::harness::urtext;

/// One free game against a server that does this wrong.
#[track_caller]
fn assert_ends(misbehaviour: &str, code: i32, says: &str) {
    let Some(server) = Server::start(&["--misbehave", misbehaviour]) else {
        return;
    };
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "1"]))
        .expect(code)
        .mentions(says)
        .leaves_out("\u{1b}");
}

#[test]
fn who_speaks_another_protocol_is_told_apart() {
    assert_ends(
        "plain-http",
        3,
        "does not speak WebSocket: HTTP error: 404 Not Found",
    );
    assert_ends(
        "other-version",
        3,
        "speaks version 3 of the protocol `coco`, and urtext version 2",
    );
    assert_ends(
        "other-magic",
        3,
        r"speaks the protocol `cocoa\x1b[31m`, not `coco`",
    );
    assert_ends(
        "garbled-handshake",
        3,
        r"answered the handshake with text that is no message: `220 welcome \x1b[2J`",
    );
    assert_ends(
        "bytes-for-handshake",
        3,
        "answered the handshake with bytes where a message is due: `{",
    );
    assert_ends(
        "closes-at-handshake",
        3,
        "closed the connection instead of answering the handshake",
    );
}

#[test]
fn who_says_nothing_has_the_start_budget() {
    let misses = |misbehaviour: &str, says: &str| {
        let Some(server) = Server::start(&["--misbehave", misbehaviour]) else {
            return;
        };
        let url = server.url("");
        let args = [
            "run",
            "--subject",
            &url,
            "--free-games",
            "1",
            "--budget",
            "start=5s",
        ];
        urtext(&args).expect(3).mentions(says);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            misses(
                "silent-handshake",
                "gave no answer in time to the handshake",
            )
        });
        scope.spawn(|| {
            misses(
                "trickling-opening",
                "gave no answer in time to the opening of a WebSocket",
            )
        });
    });
}

#[test]
fn what_a_server_refuses_is_told_in_its_words() {
    assert_ends(
        "refuses-players",
        3,
        "refused to let a player in: \"PlayerA\" is not a valid username",
    );
    let Some(server) = Server::start(&["--misbehave", "hostile-words"]) else {
        return;
    };
    let url = server.url("?game=tic-tac-toe");
    let ran = urtext(&run(&url, &["--free-games", "1"])).expect(3);
    ran.mentions(r"refused a new match: Game not found\x1b[31m\n")
        .leaves_out("\u{1b}");
}

#[test]
fn a_match_that_expires_has_not_been_played() {
    assert_ends(
        "expires",
        3,
        "error: the match expired in the lobby before everybody had come",
    );
}

#[test]
fn a_server_that_dies_is_one_finding_whatever_was_played_at_once() {
    let Some(server) = Server::start(&["--misbehave", "dies-mid-game"]) else {
        return;
    };
    let url = server.url("");
    let args = [
        "run",
        "--subject",
        &url,
        "--free-games",
        "3",
        "--jobs",
        "3",
        "--no-diagnosis",
    ];
    let ran = urtext(
        &[
            &args[..],
            &["--budget", "start=5s", "--budget", "answer=60s"],
        ]
        .concat(),
    )
    .expect(1);
    let ran = ran.mentions("3 scenarios: 0 passed, 1 failed, 2 could not be played");
    let ran = ran
        .mentions("fail: the server broke off in game ")
        .mentions("error: the server was gone");
    ran.leaves_out("specification:");
}

#[test]
fn a_match_that_breaks_off_fails_and_says_what_came() {
    assert_ends(
        "closes-mid-game",
        1,
        "the server closed the connection before MatchEnded",
    );
    assert_ends(
        "drops-mid-game",
        1,
        "the connection broke before MatchEnded",
    );
    assert_ends(
        "text-for-bytes",
        1,
        r"the server sent text that is no message: `0 0 1 1\n`",
    );
    for misbehaviour in ["closes-mid-game", "text-for-bytes"] {
        let Some(server) = Server::start(&["--misbehave", misbehaviour]) else {
            return;
        };
        let ran = urtext(&run(&server.url(""), &["--free-games", "1"]));
        ran.expect(1)
            .mentions("the referee broke off the lane of ")
            .mentions("a lane broken off")
            .leaves_out("reset");
    }
    assert_ends(
        "other-message",
        1,
        "the server sent the message GameList in a match",
    );
    assert_ends(
        "no-such-opcode",
        1,
        "the connection broke before MatchEnded",
    );
    assert_ends(
        "bytes-before-start",
        1,
        "the server sent bytes of the game before it said that the match begins",
    );
}

#[test]
fn a_frame_that_would_take_gigabytes_is_not_waited_for() {
    assert_ends("huge-frame", 1, "Message too long: 4294967296 > 2097152");
}

#[test]
fn a_message_in_ever_more_frames_takes_no_more_memory_than_one_may_have() {
    assert_ends("endless-message", 1, "Message too long: ");
}

#[test]
fn a_frame_of_which_the_rest_never_comes_is_silence() {
    let Some(server) = Server::start(&["--misbehave", "endless-frame"]) else {
        return;
    };
    let url = server.url("");
    let args = [
        "run",
        "--subject",
        &url,
        "--free-games",
        "1",
        "--no-diagnosis",
    ];
    urtext(&args).expect(1).mentions("nothing for ");
}

#[test]
fn a_breach_after_the_last_line_is_no_fault_of_the_game() {
    assert_ends(
        "text-at-the-end",
        3,
        "the server sent text that is no message: `good game`",
    );
}

#[test]
fn who_never_says_that_the_match_is_over_is_only_observed() {
    let Some(server) = Server::start(&["--misbehave", "never-ends"]) else {
        return;
    };
    let url = server.url("");
    let args = [
        "run",
        "--subject",
        &url,
        "--free-games",
        "1",
        "--budget",
        "close=200ms",
        "-v",
    ];
    urtext(&args)
        .expect(0)
        .mentions("still open 200.0ms after the end of the game");
}

#[test]
fn addresses_that_mean_nothing_are_usage() {
    for (address, says) in [
        ("coco://", "there is no server in this address"),
        ("ws://127.0.0.1:8088/", "write `coco://127.0.0.1:8088/`"),
        (
            "coco://127.0.0.1:99999/",
            "there is no server in this address",
        ),
        (
            "coco://127.0.0.1:8088/abc",
            "this is the address of a match",
        ),
        (
            "coco://127.0.0.1:8088/?pasword=x",
            "`pasword` says nothing here",
        ),
        ("coco://127.0.0.1:8088/?pace=31s", "the longest pace is 30s"),
    ] {
        urtext(&["run", "--subject", address, "--free-games", "1"])
            .expect(2)
            .mentions(says);
    }
}

#[test]
fn nobody_there_is_told_with_the_address() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("coco://{address}/");
    let args = [
        "run",
        "--subject",
        &url,
        "--free-games",
        "1",
        "--budget",
        "start=200ms",
    ];
    urtext(&args)
        .expect(3)
        .mentions(&format!("nobody accepted a connection at {address}"));
}
