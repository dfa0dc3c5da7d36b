//! How the lines came, in recordings of matches.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::client::Playing;
use super::history::only_file;
use super::server::{Server, run};
use super::watched::wait_for_a_spectator;
use crate::harness::{Place, URTEXT, urtext};

/// What a recording says of the frames of its lanes: lane, filled, cutting, empty.
fn frames(recording: &Path) -> Vec<[u64; 4]> {
    let text = std::fs::read_to_string(recording).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = records.filter(|record| record.get("frames").is_some());
    told.map(|record| {
        let counts = &record["frames"];
        assert_eq!(counts["late"], 0, "{record}");
        [
            &record["lane"],
            &counts["filled"],
            &counts["cutting"],
            &counts["empty"],
        ]
        .map(|number| number.as_u64().unwrap())
    })
    .collect()
}

#[test]
fn a_run_writes_down_how_the_lines_of_each_lane_came_and_hosts_of_empty_frames_are_told_again() {
    for (number, is_told) in [(1000, false), (2000, true)] {
        let Some(server) = Server::start(&["--empty-frames", &number.to_string()]) else {
            return;
        };
        let (url, place) = (server.url(""), Place::new());
        let ran = run(
            &url,
            &["--free-games", "1", "--record", "games", "--verbose"],
        );
        let said = place.urtext(&ran).expect(0);
        let recording = only_file(&place.path().join("games"));
        let lanes = frames(Path::new(&recording));
        assert!(
            lanes
                .iter()
                .all(|&[_, filled, cutting, empty]| filled > 0 && cutting == 0 && empty == number)
        );
        assert_eq!(
            lanes.iter().map(|lane| lane[0]).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        let filled: u64 = lanes.iter().map(|lane| lane[1]).sum();
        let all = format!(
            "{filled} frames, 0 of which cut a line, and {} empty ones ({number} of them on one lane)",
            3 * number
        );
        said.mentions(&all);
        urtext(&["check", &recording])
            .expect(0)
            .mentions("1 recording")
            .leaves_out("frames");
        for command in [&["verify", "--complete"][..], &["replay", "--print"]] {
            let ran = urtext(&[command, &[&recording]].concat()).expect(0);
            match is_told {
                true => ran
                    .mentions(&format!(
                        "note[recording/frames]: {number} empty frames on one lane"
                    ))
                    .mentions(&format!("the lines came in {all}\n")),
                false => ran.leaves_out("frames"),
            };
        }
    }
}

#[test]
fn a_spectator_writes_down_how_the_lines_of_its_lane_came() {
    let Some(server) = Server::start(&["--cut", "2", "--empty-frames", "3000"]) else {
        return;
    };
    let (mut host, address) = Playing::create(&server.address, &["--pace", "0"]);
    let place = Place::new();
    let mut watching = Playing::start(
        Command::new(URTEXT)
            .args(["record", "--spectate", &address])
            .current_dir(place.path()),
    );
    wait_for_a_spectator(&server, &mut watching);
    assert_eq!(Playing::join(&address, &[]).end().0, Some(0));
    let ((code, said), host) = (watching.end(), host.end().0);
    assert_eq!((code, host), (Some(0), Some(0)), "{said}");
    let told = frames(&place.path().join("game.jsonl"));
    let [[0, filled, cutting, empty]] = told[..] else {
        panic!("{told:?}")
    };
    // A roll alone has four pieces of at most two bytes, and one of them ends with the line.
    assert!(
        cutting > filled / 2 && cutting < filled && empty >= 3000,
        "{told:?}"
    );
    let came = format!(
        "they came in {filled} frames, {cutting} of which cut a line, and {empty} empty ones\n"
    );
    assert!(said.contains(&came), "{said}");
    let remark = format!("note[recording/frames]: {empty} empty frames on one lane");
    place
        .urtext(&["verify", "--complete", "game.jsonl"])
        .expect(0)
        .mentions(&remark);
}
