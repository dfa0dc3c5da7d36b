//! `urtext verify --report json=-`: a case for each file, with what is wrong in each game.

use serde_json::Value;

use crate::harness::{DATA, Place};

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

fn lines(place: &Place, arguments: &[&str], status: i32) -> Vec<Value> {
    let report = ["--report", "json=-"];
    let ran = place.urtext(&[&["verify"], arguments, &report].concat());
    let ran = ran.expect(status);
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn each_file_is_a_case_and_the_heading_counts_the_games() {
    let lines = lines(&place(), &["games"], 2);
    let facts = |case: &Value| ["name", "title", "verdict"].map(|key| case[key].to_string());
    let cases: Vec<_> = lines[1..lines.len() - 1].iter().map(facts).collect();
    let case = |name: &str, title: &str, verdict: &str| {
        [name, title, verdict].map(|text| format!("{text:?}"))
    };
    let stops = "incomplete: stops before the roll of Alice (first)";
    assert_eq!(
        cases,
        [
            case("games/a.txt", "Bob (second) has won", "pass"),
            case("games/b.txt", "several games", "fail"),
            case("games/c.txt", stops, "pass"),
            case("games/d.txt", "", "error"),
        ]
    );
    assert_eq!(
        lines[0]["heading"], "4 games, 1 complaint, 1 incomplete",
        "{}",
        lines[0]
    );
    let wrong = &lines[2]["findings"][0];
    assert_eq!(wrong["game"], 2);
    assert!(
        wrong["requirement"].is_string() && wrong["place"]["line"].is_u64(),
        "{wrong}"
    );
    let drawn = wrong["text"].as_str().unwrap();
    assert!(drawn.contains("--> games/b.txt:"), "{drawn}");
    assert_eq!(lines.last().unwrap()["status"], 2);
}

#[test]
fn an_incomplete_game_fails_where_the_end_is_demanded() {
    let lines = lines(&place(), &["--complete", "games/c.txt"], 1);
    assert_eq!(lines[1]["verdict"], "fail");
    assert_eq!(
        lines[1]["findings"][0]["title"],
        "the game was not played to its end"
    );
}

#[test]
fn a_recorded_scenario_and_move_records_are_cases_as_well() {
    let place = Place::new();
    let records = format!("{DATA}/hc-ur/captured.json");
    let suite = ["--suite", "royalur/referee", "--shard", "1/40"];
    place
        .run(&[&suite[..], &["--record", "recorded"]].concat())
        .expect(0);
    let lines = lines(&place, &["recorded", &records], 4);
    assert!(lines.len() > 3, "{lines:?}");
    let records = &lines[lines.len() - 2];
    assert_eq!(records["name"], format!("{DATA}/hc-ur/captured.json"));
    assert_eq!(records["verdict"], "inconclusive");
}
