//! `urtext stats`: an archive counted, in each form, with hostile content.

use crate::harness::{DATA, Place, urtext_in};

/// An archive: the captured game as RGN and as a stream, the example of the seed, and an own folder with two games in one file.
fn archive() -> Place {
    let place = Place::new();
    let rgn = urtext_in(
        DATA.as_ref(),
        &[
            "convert",
            "code-colosseum/spectator.received",
            "--to",
            "rgn",
        ],
        "",
    );
    place.write("games/a.rgn", &rgn.stdout);
    let captured =
        std::fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    place.write("games/captured.received", &captured);
    let seed = std::fs::read_to_string(format!("{DATA}/seed/spectator.txt")).unwrap();
    place.write("games/deeper/two.txt", &format!("{seed}\n{seed}"));
    place.write("games/.hidden", "no game");
    place
}

#[test]
fn counts_the_games_of_a_folder() {
    let place = archive();
    let said = urtext_in(place.path(), &["stats", "games"], "");
    insta::assert_snapshot!(said.stdout, @r"
    Royal Game of Ur: 4 games, 0 incomplete
      turns     shortest 8, quarter 8, median 8, three quarters 164, longest 164
      wins      first 2, second 2
      captures  first 18, second 18
      lost by   retired 2

    player                     games    wins   score  95 % interval  captures
    Alice                          2       0     0 %    0 % to 66 %        16
    Bob                            2       2   100 %  34 % to 100 %        18
    PlayerA                        2       2   100 %  34 % to 100 %         2
    PlayerB                        2       0     0 %    0 % to 66 %         0

    score against                    1         2         3         4
    1 Alice                          -   0 % ±33         -         -
    2 Bob                    100 % ±33         -         -         -
    3 PlayerA                        -         -         - 100 % ±33
    4 PlayerB                        -         -   0 % ±33         -
    ");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let json = |jobs: &str| {
        urtext_in(
            place.path(),
            &["stats", "games", "--format", "json", "--jobs", jobs],
            "",
        )
        .stdout
    };
    assert_eq!(json("1"), json("2"));
    let report: serde_json::Value = serde_json::from_str(&json("1")).unwrap();
    assert_eq!(
        report["games"][0]["losses"],
        serde_json::json!({"retired": 2})
    );
}

#[test]
fn writes_rows_for_databases() {
    let place = archive();
    let rows = |format: &str, rows: &str| {
        let said = urtext_in(
            place.path(),
            &["stats", "games", "--format", format, "--rows", rows],
            "",
        );
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said.stdout
    };
    insta::assert_snapshot!(rows("csv", "games"), @r"
    file,number,game,first,second,winner,ending,turns,captures_first,captures_second,slowest_ms
    games/a.rgn,1,royalur,Alice,Bob,second,won,164,8,9,
    games/captured.received,1,royalur,Alice,Bob,second,won,164,8,9,
    games/deeper/two.txt,1,royalur,PlayerA,PlayerB,first,retired,8,1,0,
    games/deeper/two.txt,2,royalur,PlayerA,PlayerB,first,retired,8,1,0,
    ");
    insta::assert_snapshot!(rows("csv", "pairs"), @r"
    game,player,opponent,games,wins,draws,losses,score,low,high
    royalur,Alice,Bob,2,0,0,2,0.0000,0.0000,0.6576
    royalur,Bob,Alice,2,2,0,0,1.0000,0.3424,1.0000
    royalur,PlayerA,PlayerB,2,2,0,0,1.0000,0.3424,1.0000
    royalur,PlayerB,PlayerA,2,0,0,2,0.0000,0.0000,0.6576
    ");
    assert_eq!(rows("csv", "players").lines().count(), 5);
    let games = rows("json", "games");
    let first: serde_json::Value = serde_json::from_str(games.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["file"], &first["turns"]),
        (&"games/a.rgn".into(), &164.into())
    );
    let said = urtext_in(place.path(), &["stats", "games", "--rows", "games"], "");
    assert_eq!(said.code, Some(2));
}

#[test]
fn leaves_out_and_names_what_cannot_be_counted() {
    let place = archive();
    place.write("games/letter.txt", "Dear reader,\n\nthis is a letter.\n");
    let captured = place.read("games/captured.received");
    place.write(
        "games/wrong.txt",
        &captured.replacen("\n0\n", "\n6\n6\n", 1),
    );
    let long = "x".repeat(500);
    let hostile = captured.replace("Alice", &format!("\u{1b}[31m\u{202e}{long}"));
    place.write("games/hostile.txt", &hostile);
    let said = urtext_in(place.path(), &["stats", "games"], "");
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(
        said.stdout
            .ends_with("not counted: 1 with an error\n\nnot counted: 1 unreadable\n"),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr.contains("--> games/letter.txt:1:1"),
        "{}",
        said.stderr
    );
    assert!(!said.stdout.contains('\u{1b}') && !said.stdout.contains('\u{202e}'));
    let csv = urtext_in(place.path(), &["stats", "games", "--format", "csv"], "").stdout;
    let longest = csv.lines().map(str::len).max().unwrap();
    assert!(longest < 600, "{longest}");
}

#[test]
fn the_slowest_answer_names_its_move_and_a_file_that_was_cut_off_is_named() {
    let place = Place::new();
    let suite = ["--simulated", "--suite", "royalur/referee/late-but-in-time"];
    place
        .run(&[&suite[..], &["--record", "games"]].concat())
        .expect(0);
    let file = "games/royalur/referee/late-but-in-time.jsonl";
    let said = place.urtext(&["stats", "games"]).expect(0);
    let slowest = format!("2.00 s by 3 in {file} game 1 turn 2\n");
    assert!(said.stdout.contains(&slowest), "{}", said.stdout);
    assert_eq!(said.stderr, "");
    let csv = place.urtext(&["stats", "games", "--format", "csv"]).stdout;
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",slowest_turn,slowest_move"),
        "{csv}"
    );
    assert!(csv.contains(&format!(",{file},1,2,3\n")), "{csv}");
    let whole = place.read(file);
    place.write(file, &whole[..whole.len() - 20]);
    let cut = place.urtext(&["stats", "games"]).expect(0);
    assert!(
        cut.stderr.contains("warning[recording/cut-off]"),
        "{}",
        cut.stderr
    );
    assert!(cut.stderr.contains(file), "{}", cut.stderr);
}
