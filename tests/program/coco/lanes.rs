//! Lanes of a match by themselves.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;
use urtext::config::{Address, Arena, Values};
use urtext::transport::coco::{Client, Notices};
use urtext::transport::{FailureKind, Patience, Wire};

use super::real::Cocod;
use super::server::Server;
use crate::harness::URTEXT;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

async fn client(server: &str) -> Client {
    Client::connect(server, Patience::Retry, soon())
        .await
        .unwrap()
}

async fn new_match(server: &str) -> String {
    let arena = Arena {
        address: Address::At(server.to_owned()),
        title: Some("a test".to_owned()),
        password: Some("secret".to_owned()),
    };
    let values = [("game", "royalur"), ("timeout", "60"), ("pace", "0")];
    let values = Values::from(values.map(|(name, value)| (name, value.to_owned())));
    let created = client(server).await.create(&arena, &values).await;
    created.unwrap()
}

async fn player(server: &str, id: &str, name: &str) -> Wire {
    client(server)
        .await
        .join(id, name, Some("secret"), Notices::default())
        .await
        .unwrap()
}

async fn spectator(server: &str, id: &str) -> Wire {
    client(server)
        .await
        .spectate(id, Notices::default())
        .await
        .unwrap()
}

/// urtext as a spectator of a match that expires when the first player comes.
async fn assert_breaks_off(args: &[&str], says: &str) {
    let Some(server) = Server::start(&["--misbehave", "expires"]) else {
        return;
    };
    let id = new_match(&server.address).await;
    let mut command = tokio::process::Command::new(URTEXT);
    command
        .args(args)
        .arg(server.url(&id))
        .current_dir(std::env::temp_dir())
        .kill_on_drop(true);
    let watching = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lobby = client(&server.address).await;
    while lobby.lobby().await.unwrap()[0].spectators == 0 {}
    let _player = player(&server.address, &id, "Ann").await;
    let output = watching.wait_with_output().await.unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(says), "{args:?}: {stderr}");
    assert_eq!(output.status.code(), Some(3), "{args:?}: {stderr}");
}

#[tokio::test]
async fn a_spectator_of_a_match_that_expires_has_seen_no_game() {
    let says = "the match expired in the lobby before everybody had come";
    let args = ["record", "--output", "/dev/null", "--spectate"];
    assert_breaks_off(&args, says).await;
}

async fn line(wire: &mut Wire) -> Vec<u8> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        line.push(wire.read_u8().await.unwrap());
    }
    line
}

async fn rest(mut wire: Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire.read_to_end(&mut bytes).await.unwrap();
    bytes
}

/// A match that goes wrong in its first turn: early and late spectators receive the same, from the first line to the last.
async fn assert_late_is_whole(server: &str) {
    let id = new_match(server).await;
    let early = spectator(server, &id).await;
    let mut lanes = [
        player(server, &id, "Ann").await,
        player(server, &id, "Bob").await,
    ];
    let mut names = [Vec::new(), Vec::new()];
    for lane in &mut lanes {
        names = [line(lane).await, line(lane).await];
        line(lane).await;
        line(lane).await;
    }
    let late = spectator(server, &id).await;
    for mut lane in lanes {
        lane.write_all(b"no number\n").await.unwrap();
    }
    let (early, late) = (rest(early).await, rest(late).await);
    assert!(
        early.starts_with(&names.concat()) && early.ends_with(b"RETIRE\n"),
        "{early:?}"
    );
    assert_eq!(
        String::from_utf8_lossy(&late),
        String::from_utf8_lossy(&early)
    );
}

#[tokio::test]
async fn a_late_spectator_receives_the_whole_past() {
    let Some(server) = Server::start(&["--cut", "4"]) else {
        return;
    };
    assert_late_is_whole(&server.address).await;
}

#[tokio::test]
async fn a_late_spectator_of_the_real_server_receives_the_whole_past() {
    let Some(server) = Cocod::find() else { return };
    assert_late_is_whole(&server.address).await;
}

#[tokio::test]
async fn a_lane_ends_with_its_match_and_not_before() {
    let Some(server) = Server::start(&["--cut", "2", "--empty-frames", "5000", "--pings"]) else {
        return;
    };
    let id = new_match(&server.address).await;
    let [first, second] = [
        player(&server.address, &id, "Ann").await,
        player(&server.address, &id, "Bob").await,
    ];
    // Whoever leaves loses as soon as it is on turn; the other one is told, and then the match is over.
    drop(first);
    let heard = rest(second).await;
    assert!(
        heard.starts_with(b"Ann\nBob\n") || heard.starts_with(b"Bob\nAnn\n"),
        "{heard:?}"
    );
}

#[tokio::test]
async fn passwords_names_and_ids_are_checked_by_the_server() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let (server, id) = (server.address.as_str(), new_match(&server.address).await);
    let refused = async |id: &str, name: &str, password: Option<&str>| {
        let joining = client(server)
            .await
            .join(id, name, password, Notices::default())
            .await;
        let failure = joining.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused, "{failure}");
        failure.to_string()
    };
    assert!(
        refused(&id, "Ann", Some("guess"))
            .await
            .ends_with("Wrong password")
    );
    assert!(
        refused("nothing", "Ann", None)
            .await
            .ends_with("Game \"nothing\" does not exists")
    );
    let _ann = player(server, &id, "Ann").await;
    assert!(
        refused(&id, "Ann", Some("secret"))
            .await
            .ends_with("already taken")
    );
    let lobby = client(server).await.lobby().await.unwrap();
    let found = lobby.iter().find(|found| found.id == id).unwrap();
    assert_eq!(
        (found.players, found.connected.as_slice()),
        (2, ["Ann".to_owned()].as_slice())
    );
    assert!(found.password && !found.running);
}
