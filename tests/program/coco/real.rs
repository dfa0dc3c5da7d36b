//! The real server, `cocod` of Code Colosseum, where URTEXT_COCOD names the program or the address of one that runs.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use super::client::Playing;
use super::server::run;
use crate::harness::{Place, URTEXT, urtext, words};

/// A server that runs, or one that was started for a test.
pub(crate) struct Cocod {
    child: Option<Child>,
    /// `HOST:PORT`.
    pub(crate) address: String,
    _folder: Place,
}

impl Cocod {
    /// `None` where the environment names none.
    pub(crate) fn find() -> Option<Cocod> {
        let Ok(named) = std::env::var("URTEXT_COCOD") else {
            eprintln!("skipped: URTEXT_COCOD names no server");
            return None;
        };
        let folder = Place::new();
        if !named.contains('/') {
            return Some(Cocod {
                child: None,
                address: named,
                _folder: folder,
            });
        }
        // It cannot tell a port of its own choosing.
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut command = Command::new(named);
        command
            .args(["--listen-port", &port.to_string()])
            .current_dir(folder.path());
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Cocod {
            child: Some(child),
            address: format!("127.0.0.1:{port}"),
            _folder: folder,
        })
    }
}

impl Drop for Cocod {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

#[test]
fn the_real_server_keeps_the_rules_in_free_games() {
    let Some(server) = Cocod::find() else { return };
    let url = format!("coco://{}/", server.address);
    urtext(&run(&url, &["--free-games", "10"]))
        .expect(0)
        .mentions("10 scenarios: 10 passed");
}

#[test]
fn matches_of_the_real_server_are_followed_and_taken_from_its_store() {
    let Some(server) = Cocod::find() else { return };
    let place = Place::new();
    let url = |rest: &str| format!("coco://{}/{rest}", server.address);
    // Nobody else asks before a server listens that was started just now.
    urtext(&run(&url(""), &["--free-games", "1"])).expect(0);
    let secret = ["--password", "x"];
    let new = [&["--pace", "0.005"], &secret[..]].concat();
    let (mut host, address) = Playing::create(&server.address, &new);
    let mut watching = Playing::start(
        Command::new(URTEXT)
            .args(["record", "--spectate", &address])
            .current_dir(place.path()),
    );
    while !urtext(&["record", "--spectate", &url("")])
        .expect(0)
        .stdout
        .contains("1 spectators")
    {}
    // It refuses in the words of the independent server.
    for (args, words) in [
        (&["--password", "y"][..], "Wrong password"),
        (&["--password", "x", "--name", "host"], "already taken"),
    ] {
        let (status, said) = Playing::join(&address, args).end();
        assert!(status == Some(2) && said.contains(words), "{said}");
    }
    assert_eq!(Playing::join(&address, &secret).end().0, Some(0));
    assert_eq!((host.end().0, watching.end().0), (Some(0), Some(0)));
    place
        .urtext(&["verify", "--complete", "game.jsonl"])
        .expect(0);
    // It stores a match only after it has told everybody that it is over.
    while !urtext(&["record", "--spectate", &url("")])
        .expect(0)
        .stdout
        .contains("stored")
    {}
    urtext(&["verify", &address]).expect(0);
    urtext(&["run", &address]).expect(0).mentions("1 passed");
    urtext(&["verify", &url("nothing")])
        .expect(2)
        .mentions("refused the request for a stored match");
    urtext(&["record", "--spectate", &url("nothing")])
        .expect(2)
        .mentions("Invalid ID");
    urtext(&run(&url("?game=ludo"), &["--free-games", "1"]))
        .expect(3)
        .mentions("Game not found");
}

#[test]
fn the_built_in_bot_plays_against_the_bot_of_the_real_server() {
    let Some(server) = Cocod::find() else { return };
    urtext(&run(
        &format!("coco://{}/", server.address),
        &["--free-games", "1"],
    ))
    .expect(0);
    let args = ["--bots", "1", "--pace", "0.005", "--"];
    let bot = [URTEXT, "bot", "royalur"];
    for _ in 0..3 {
        let (mut client, _) = Playing::create(&server.address, &[&args[..], &bot].concat());
        assert_eq!(client.end(), (Some(0), String::new()));
    }
}

#[test]
fn the_real_server_passes_every_scenario_that_a_match_can_carry() {
    let Some(server) = Cocod::find() else { return };
    let url = format!("coco://{}/?pace=0s", server.address);
    // A WebSocket has no half-close and no reset. The server checks a pace by a pattern that takes two digits of any size.
    let suite = words("--suite royalur/referee --allow unsupported");
    urtext(&run(&url, &suite))
        .expect(1)
        .mentions("fail[ur/pace/upper-bound]: the server creates a match with `pace: 31`")
        .mentions("1 failed, 7 unsupported");
}
