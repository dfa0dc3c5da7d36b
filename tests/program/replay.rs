//! `urtext replay`: its data, and what goes on while it runs. What it prints is in `snapshots/cases`.

mod follow;
mod notation;
mod terminal;

use crate::harness::{DATA, Ran, urtext_in};

/// Runs it beside the streams of the seed and the captured game.
fn replay(arguments: &[&str]) -> Ran {
    urtext_in(DATA.as_ref(), &[&["replay"], arguments].concat(), "")
}

#[test]
fn the_command_of_the_viewer_continues_a_game() {
    // The viewer copies this command at turn 4 of the file.
    let said = urtext_in(DATA.as_ref(), &["run", "seed/first.txt", "--from", "5"], "");
    assert_eq!(said.code, Some(0), "{}", said.stdout);
}

#[test]
fn json_follows_its_schema_and_tells_every_turn() {
    let schema = urtext_in(DATA.as_ref(), &["schema", "replay"], "").stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for files in [
        &["code-colosseum/spectator.received"][..],
        &["onitama-judge/top.txt", "onitama-judge/bottom.txt"],
        &["seed/second.txt"],
        &["hc-ur/captured.json"],
    ] {
        let said = replay(&[files, &["--json"]].concat());
        let lines: Vec<serde_json::Value> = said
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for line in &lines {
            assert!(validator.is_valid(line), "{line}");
        }
        let turns = lines[0]["turns"].as_u64().unwrap();
        assert_eq!(
            (&lines[0]["type"], &lines[0]["version"]),
            (&"game".into(), &2.into())
        );
        assert_eq!(lines.len() as u64, turns + 3, "{files:?}");
        assert_eq!(lines.last().unwrap()["type"], "end");
    }
    let one = replay(&["onitama-judge/top.txt", "--json", "--at", "11"]);
    let turn: serde_json::Value = serde_json::from_str(one.stdout.lines().nth(1).unwrap()).unwrap();
    let facts = ["by", "move", "card"].map(|key| &turn[key]);
    assert_eq!(facts, ["second", "Frog e4 d3", "Frog"]);
    let places = ["from", "to"].map(|key| &turn[key]["name"]);
    assert_eq!(places, ["e4", "d3"]);
    assert_eq!(turn["captured"]["label"], "t");
    let game: serde_json::Value = serde_json::from_str(one.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(game["start"]["cells"].as_array().unwrap().len(), 25);
    let tokens = turn["tokens"].as_array().unwrap();
    let is_there = |token: &serde_json::Value| {
        token["seat"] == "second"
            && game["start"]["cells"][token["cell"].as_u64().unwrap() as usize]["name"] == "d3"
    };
    assert_eq!(
        tokens.iter().filter(|token| is_there(token)).count(),
        1,
        "{turn}"
    );
}
