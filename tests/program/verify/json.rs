//! `urtext verify --json`: a line for each game, and the counts.

use serde_json::{Value, json};

use crate::harness::{DATA, Place, Ran, urtext};

fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn assert_valid(lines: &[Value]) {
    let schema = urtext(&["schema", "verify"]).expect(0).stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for line in lines {
        let faults: Vec<_> = validator
            .iter_errors(line)
            .map(|fault| fault.to_string())
            .collect();
        assert!(faults.is_empty(), "{line}: {faults:?}");
    }
}

fn place() -> Place {
    let place = Place::new();
    let game =
        std::fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    let cut: Vec<_> = game.lines().take(9).collect();
    place.write("games/a.txt", &game);
    place.write("games/b.txt", &format!("{game}\n{}\n99\n", cut.join("\n")));
    place.write("games/c.txt", &format!("{}\n", cut.join("\n")));
    place.write("games/d.txt", "{\"some\":\"json\"}\n");
    place
}

#[test]
fn each_game_has_a_line_and_the_last_line_counts() {
    let ran = place().urtext(&["verify", "--json", "games"]).expect(2);
    let lines = lines(&ran);
    assert_valid(&lines);
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["file"].as_str(),
                line["number"].as_u64(),
                line["verdict"].as_str(),
            )
        })
        .collect();
    let row = |file, number, verdict| (Some(file), Some(number), Some(verdict));
    assert_eq!(
        rows[..rows.len() - 1],
        [
            row("games/a.txt", 1, "pass"),
            row("games/b.txt", 1, "pass"),
            row("games/b.txt", 2, "fail"),
            row("games/c.txt", 1, "pass"),
            row("games/d.txt", 1, "error"),
        ]
    );
    assert_eq!(
        lines[0],
        json!({
            "type": "verdict", "file": "games/a.txt", "number": 1, "verdict": "pass",
            "format": "the stream of one participant", "game": "royalur",
            "players": ["Alice", "Bob"], "turns": 164, "end": "Bob (second) has won", "complete": true,
            "findings": [], "notes": [],
        })
    );
    let wrong = &lines[2]["findings"][0];
    assert_eq!(wrong["file"], "games/b.txt");
    assert!(
        wrong["line"].as_u64().is_some() && wrong["requirement"].is_string(),
        "{wrong}"
    );
    assert_eq!(lines[3]["complete"], false);
    assert_eq!(
        lines[5],
        json!({
            "type": "summary", "version": 1, "games": 4, "complaints": 1, "incomplete": 1, "undecided": 0,
            "unreadable": 1, "status": 2,
        })
    );
}

#[test]
fn more_games_than_are_printed_for_people_have_a_line_each() {
    let place = place();
    for number in 0..30 {
        place.write(&format!("many/{number:02}.txt"), &place.read("games/a.txt"));
    }
    let lines = lines(&place.urtext(&["verify", "--json", "many"]).expect(0));
    assert_eq!(lines.len(), 31);
    assert_eq!(lines[30]["games"], 30);
}

#[test]
fn an_incomplete_game_fails_where_the_end_is_demanded() {
    let ran = place().urtext(&["verify", "--json", "--complete", "games/c.txt"]);
    let lines = lines(&ran.expect(1));
    assert_valid(&lines);
    assert_eq!(lines[0]["verdict"], "fail");
    assert_eq!(
        lines[0]["findings"][0]["title"],
        "the game was not played to its end"
    );
    assert_eq!(
        (&lines[1]["status"], &lines[1]["complaints"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_recorded_scenario_and_move_records_have_the_same_lines() {
    let place = Place::new();
    let records = format!("{DATA}/hc-ur/captured.json");
    place
        .run(&[
            "--suite",
            "royalur/referee",
            "--record",
            "recorded",
            "--shard",
            "1/40",
            "--simulated",
        ])
        .expect(0);
    let ran = place.urtext(&["verify", "--json", "recorded", &records]);
    let lines = lines(&ran);
    assert_valid(&lines);
    assert!(lines.len() > 2, "{ran:?}");
    assert!(lines[0]["scenario"].is_string(), "{}", lines[0]);
    let records = &lines[lines.len() - 2];
    assert_eq!(records["file"], format!("{DATA}/hc-ur/captured.json"));
    assert!(records["scenario"].is_null() && records["verdict"].is_string());
}
