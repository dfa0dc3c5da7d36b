//! Games on a server that keeps to its protocol.

use super::server::{Server, run};
use crate::harness::{PEERS, Place, urtext};

#[test]
fn plays_on_whatever_is_cut_and_wherever() {
    let Some(server) = Server::start(&["--cut", "3", "--pings"]) else {
        return;
    };
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "4"]))
        .expect(0)
        .mentions("4 scenarios: 4 passed");
}

#[test]
fn hundreds_of_thousands_of_empty_frames_before_the_end_are_nothing() {
    let Some(server) = Server::start(&["--empty-frames", "100000"]) else {
        return;
    };
    let url = server.url("");
    let ran = urtext(&run(&url, &["--free-games", "1"]))
        .expect(0)
        .mentions("1 scenario: 1 passed");
    ran.mentions("the server sent 100000 empty frames on one lane\n");
}

#[test]
fn a_few_empty_frames_are_not_reported() {
    let Some(server) = Server::start(&["--empty-frames", "1000"]) else {
        return;
    };
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "1", "--verbose"]))
        .expect(0)
        .leaves_out("frames");
}

#[test]
fn exploring_says_how_many_empty_frames_came() {
    let Some(server) = Server::start(&["--empty-frames", "2000"]) else {
        return;
    };
    let url = server.url("");
    let args = [
        "explore",
        "--subject",
        &url,
        "--games",
        "2",
        "--seed",
        "1",
        "--budget",
        "answer=60s",
    ];
    urtext(&args).mentions("the server sent 2000 empty frames on one lane\n");
}

#[test]
fn bytes_after_the_end_of_a_match_are_no_lines_of_it() {
    let Some(server) = Server::start(&["--misbehave", "goes-on-after-the-end"]) else {
        return;
    };
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "1"]))
        .expect(0)
        .mentions("1 passed");
}

#[test]
fn what_depends_on_the_course_of_the_game_is_played_and_forced_rolls_are_unsupported() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let url = server.url("");
    let suites = [
        "--suite",
        "royalur/referee/adaptive-whoever",
        "--suite",
        "royalur/referee/own-token",
    ];
    urtext(&run(&url, &suites))
        .expect(4)
        .mentions("8 passed, 1 unsupported");
}

#[test]
fn a_fault_shows_through_the_frames() {
    let Some(server) = Server::start(&["--misbehave", "echoes-moves", "--cut", "2"]) else {
        return;
    };
    let url = server.url("");
    urtext(&run(&url, &["--free-games", "1"]))
        .expect(1)
        .mentions("fail[ur/move/not-echoed]");
}

#[test]
fn title_and_password_of_the_address_hold_for_players() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let url = server.url("?password=a%26b&title=a%20game&pace=1ms&timeout=60s");
    urtext(&run(&url, &["--free-games", "1"])).expect(0);
}

#[test]
fn a_server_can_be_a_subject_of_the_file_and_be_started_by_urtext() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let place = Place::new();
    let peer = format!("{PEERS}/coco_server.py");
    let text = format!(
        "subjects:\n  there: {{as: referee, game: royalur, players: '{}'}}\n  \
         plain: {{as: referee, game: royalur, reach: coco, players: '{}'}}\n  \
         started: {{as: referee, game: royalur, reach: coco, command: [python3, '{peer}', --port, '{{port}}']}}\n  \
         tells: {{as: referee, game: royalur, reach: coco, ready: 'listening on {{players}}', command: [python3, '{peer}']}}\n",
        server.url("?game=royalur"),
        server.address,
    );
    place.write("urtext.yaml", &text);
    for subject in ["there", "plain", "started", "tells"] {
        place
            .urtext(&run(subject, &["--free-games", "1"]))
            .expect(0);
    }
    let connect = [
        "run",
        "--as",
        "referee",
        "--connect",
        &server.url("?pace=0s"),
        "--free-games",
        "1",
    ];
    urtext(&connect).expect(0);
}
