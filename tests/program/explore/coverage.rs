//! What explored games have shown.

use super::{explore, explore_json, times};

/// The built-in bot of a game.
fn bot(game: &str) -> [&str; 6] {
    ["--subject", "built-in", "--as", "bot", "--game", game]
}

#[test]
fn counts_what_an_honest_referee_has_shown() {
    let (status, table) = explore_json(&["--games", "8", "--seed", "1"]);
    assert_eq!(status, Some(0), "{table}");
    assert_eq!(
        (&table["game"], &table["games"]),
        (&"royalur".into(), &8.into())
    );
    assert_eq!(table["failures"].as_array().unwrap().len(), 0);
    let requirements = times(&table, "requirements", "id");
    let of = |id: &str| {
        requirements
            .iter()
            .find(|(known, _)| known == id)
            .map(|(_, times)| *times)
            .unwrap()
    };
    // Every game has its handshake on two lanes and begins once.
    assert_eq!(
        (
            of("ur/handshake/index"),
            of("ur/handshake/first-player-starts")
        ),
        (16, 8)
    );
    assert!(of("ur/roll/line") > of("ur/skip/roll-shown"));
    assert_eq!(of("ur/example/streams"), 0, "no rolls are forced");
    let situations = times(&table, "situations", "name");
    let seen = situations.iter().filter(|(_, times)| *times > 0).count();
    assert!(seen > situations.len() / 2, "{situations:?}");
}

#[test]
fn shows_a_table_with_what_was_never_reached() {
    let (status, said, problems) = explore(&[
        "--game",
        "onitama",
        "--games",
        "2",
        "--seed",
        "5",
        "--hostile",
        "0",
    ]);
    assert_eq!(status, Some(0), "{said}{problems}");
    assert!(said.contains("put to the test\n"), "{said}");
    let line = |text: &str| {
        said.lines()
            .find(|line| line.contains(text))
            .unwrap_or_else(|| panic!("{text}: {said}"))
    };
    assert!(
        line("oni/invalid/middle-card")
            .trim_start()
            .starts_with("never"),
        "{said}"
    );
    assert!(
        line("oni/greeting/seat").trim_start().starts_with('4'),
        "two games with two players: {said}"
    );
    assert!(said.contains("hostile turns: 0 of 32 seen"), "{said}");
    assert!(
        said.contains("explored onitama, referee: 2 games: 2 pass, seed 5"),
        "{said}"
    );
}

#[test]
fn a_seed_gives_the_same_games_again() {
    let situations = |seed: &str| {
        let arguments = ["--game", "onitama", "--games", "4", "--seed", seed];
        explore_json(&arguments).1["situations"].take()
    };
    assert_eq!(situations("77"), situations("77"));
    assert_ne!(situations("77"), situations("78"));
}

#[test]
fn ends_when_its_time_is_over() {
    let (status, table) = explore_json(&[
        "--game", "onitama", "--games", "1000000", "--for", "1ms", "--seed", "1",
    ]);
    let games = table["games"].as_u64().unwrap();
    // A busy machine may not even begin in that time.
    assert_eq!(status, Some(if games == 0 { 4 } else { 0 }), "{table}");
    assert!(games <= 8, "what was planned together is played");
}

#[test]
fn ends_when_everything_was_seen() {
    let arguments = [&["--games", "2000", "--seed", "2"][..], &bot("onitama")];
    let (status, table) = explore_json(&arguments.concat());
    assert_eq!(status, Some(0), "{table}");
    assert_eq!(table["complete"], true);
    assert!(table["games"].as_u64().unwrap() < 400, "{}", table["games"]);
}

#[test]
fn sends_the_illegal_moves_that_untested_readings_allow() {
    let (_, table) = explore_json(&["--game", "onitama", "--games", "150", "--seed", "1"]);
    // Without them it is 294: that a card has a step too many shows in no legal game.
    let refuted = table["readings"]["refuted"].as_u64().unwrap();
    assert!(refuted > 310, "{}", table["readings"]);
}

#[test]
fn explores_a_bot_in_both_seats() {
    for game in ["royalur", "onitama"] {
        let arguments = [&["--games", "6", "--seed", "2"][..], &bot(game)];
        let (status, table) = explore_json(&arguments.concat());
        assert_eq!(status, Some(0), "{table}");
        assert_eq!(table["subject"], "bot");
        let hostile = times(&table, "hostile", "name");
        assert!(
            hostile
                .iter()
                .any(|(name, times)| name.starts_with("bot as ") && *times > 0),
            "{hostile:?}"
        );
        let requirements = times(&table, "requirements", "id");
        let legal = if game == "onitama" {
            "oni/bot/valid-move"
        } else {
            "ur/bot/legal-token"
        };
        assert!(
            requirements
                .iter()
                .any(|(id, times)| id == legal && *times > 20),
            "{requirements:?}"
        );
    }
}

#[test]
fn refuses_what_cannot_be_explored() {
    let (status, _, problems) = explore(&["--game", "lines"]);
    assert_eq!(status, Some(2));
    assert!(problems.contains("explore/"), "{problems}");
    let (status, _, problems) = explore(&["--as", "bot"]);
    assert_eq!(status, Some(2));
    assert!(
        problems.contains("write its command after --"),
        "{problems}"
    );
    let (status, said, _) = explore(&[
        "--games",
        "3",
        "--as",
        "referee",
        "--",
        "/nonexistent/referee",
        "{port}",
    ]);
    assert_eq!(status, Some(3), "{said}");
}

#[test]
fn what_was_not_explored_is_not_silently_green() {
    let (status, said, _) = explore(&["--for", "0s"]);
    assert_eq!(status, Some(4), "{said}");
    let (status, _, problems) = explore(&["--games", "0"]);
    assert_eq!(status, Some(2), "{problems}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let out = file.join("explored");
    let (status, said, problems) = explore(&["--games", "1", "--out", out.to_str().unwrap()]);
    assert_eq!((status, said.as_str()), (Some(3), ""), "{problems}");
    assert!(
        problems.contains(&format!("{} cannot be written", out.display())),
        "{problems}"
    );
    // One that can be made is made only for what is written.
    let out = folder.path().join("new/explored");
    let arguments = [
        "--games",
        "1",
        "--seed",
        "1",
        "--out",
        out.to_str().unwrap(),
    ];
    let (status, said, problems) = explore(&arguments);
    assert_eq!(status, Some(0), "{said}{problems}");
    assert!(!folder.path().join("new").exists());
}

#[test]
fn the_time_to_start_can_be_set_as_the_note_on_it_says() {
    // It never listens.
    let arguments = [
        "--budget",
        "start=200ms",
        "--as",
        "referee",
        "--",
        "sleep",
        "60",
        "{port}",
    ];
    let (status, said, problems) = explore(&arguments);
    assert_eq!(status, Some(3), "{said}{problems}");
    assert!(
        said.contains("--budget start=DURATION gives it more time"),
        "{said}{problems}"
    );
}

#[test]
fn what_cannot_be_reached_is_tried_once_and_no_table_is_drawn() {
    let (status, said, _) = explore(&["--as", "referee", "--", "/nonexistent/referee", "{port}"]);
    assert_eq!(status, Some(3), "{said}");
    assert!(
        said.contains("explored royalur, referee: 1 game: 1 error"),
        "{said}"
    );
    assert!(!said.contains("never  "), "{said}");
}

#[test]
fn a_closed_output_is_no_error_and_a_full_one_is() {
    let arguments = [
        "explore", "--game", "onitama", "--games", "1",
        // Of some seeds the one game has no verdict, since its situation does not come up.
        "--seed", "1",
    ];
    let (closed, output) = std::io::pipe().unwrap();
    drop(closed);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_urtext"));
    let status = command
        .args(arguments)
        .stdout(output)
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = command.stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(3));
    }
}
