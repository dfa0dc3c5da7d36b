//! A program for a game of somebody's own, with its pack alone: `tests/own_game/connect_four.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{PATIENT, Place, ROOT, Ran, URTEXT, command, has_python, python_words};
use crate::page;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/own_game");
const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/own_game/scenarios");

const PAGE: &str = include_str!("../../docs/own-game.md");

/// The moves of `drawn.yaml`: the columns of a game that is drawn.
fn drawn_game() -> Vec<String> {
    let text = fs::read_to_string(format!("{SCENARIOS}/referee/drawn.yaml")).unwrap();
    let turns = text.lines().filter(|line| line.starts_with("  - "));
    let column = |line: &str| line.rsplit(' ').next().unwrap().to_owned();
    turns.map(column).collect()
}

/// The program, which cargo builds with the tests: an example, in the folder beside that of the test's own binary. Where only this test is
/// built, the program is built here, once: one that is older than urtext may be of other code.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().unwrap().parent().unwrap();
    let program = profile.join("examples/connect-four");
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    if changed(&program) < changed(Path::new(URTEXT)) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--example", "connect-four"]);
        cargo.args(profile.ends_with("release").then_some("--release"));
        let status = cargo.current_dir(ROOT).status().unwrap();
        assert!(status.success(), "the program cannot be built");
    }
    program
});

/// Runs the program with these arguments in this folder.
fn run(place: &Place, args: &[&str]) -> Ran {
    let mut own = Command::new(&*PROGRAM);
    own.args(args).current_dir(place.path());
    for (name, value) in command(args).get_envs() {
        match value {
            Some(value) => own.env(name, value),
            None => own.env_remove(name),
        };
    }
    Ran::of(&mut own)
}

/// Lets the built-in referee conduct a game of these bots.
fn conduct(place: &Place, red: &str, yellow: &str) -> Ran {
    let referee = ["referee", "connect-four", "--seed", "1"];
    let bots = ["--bot", red, "--bot", yellow];
    run(place, &[referee, bots].concat()).expect(0)
}

/// A player that writes the columns of its turns, whatever the other one does: a command as `--bot` takes it.
fn player(seat: usize) -> String {
    let moves: Vec<_> = drawn_game().into_iter().skip(seat).step_by(2).collect();
    let turn = ["echo $m; read x", "read x; echo $m"][seat];
    format!(
        "sh -c 'read colour; for m in {}; do {turn}; done'",
        moves.join(" ")
    )
}

#[test]
fn the_built_in_peers_keep_their_suite_and_every_fault_is_caught_under_its_requirement() {
    let place = Place::new();
    run(&place, &["check", SCENARIOS])
        .expect(0)
        .says("checked 10 scenarios: no problems");
    run(&place, &["mutants", SCENARIOS])
        .expect(0)
        .says("18 of 18 caught, no false alarm")
        .says("6 of 6 caught, no false alarm");
}

#[test]
fn exploring_finds_a_fault_and_nothing_without_one() {
    let place = Place::new();
    let explore = ["explore", "--seed", "1", "--games", "40"];
    run(&place, &[&explore[..], &["-v"]].concat())
        .expect(0)
        .says("fills the board without a win")
        .says("explored connect-four, referee: 40 games");
    let faulty = ["--subject", "built-in", "--fault", "no-rows"];
    run(&place, &[&explore[..], &faulty].concat())
        .expect(1)
        .says("fail[c4/end/")
        .says("repeat: connect-four run explored/");
}

#[test]
fn a_scenario_for_a_requirement_that_went_is_played_all_the_same() {
    let place = Place::new();
    let text = fs::read_to_string(format!("{SCENARIOS}/referee/straight.yaml")).unwrap();
    place.write(
        "old.yaml",
        &text.replace("checks: [", "checks: [c4/end/said, "),
    );
    run(&place, &["check", "old.yaml"])
        .expect(0)
        .complains("warning[scenario/gone-requirement]: `c4/end/said` is no requirement any more");
    run(&place, &["run", "old.yaml"]).expect(0).says("2 passed");
}

#[test]
fn a_drawn_game_is_told_as_drawn_by_referee_judge_verify_and_replay() {
    let place = Place::new();
    let [red, yellow] = [0, 1].map(player);
    conduct(&place, &red, &yellow).complains("game 1: the game is drawn");

    let drawn = format!("{SCENARIOS}/referee/drawn.yaml");
    run(&place, &["run", &drawn, "--record", "games"])
        .expect(0)
        .says("1 passed");
    let recording = "games/referee/drawn.jsonl";
    run(&place, &["verify", recording])
        .expect(0)
        .says("pass games/referee/drawn.jsonl: referee/drawn, 42 turns");
    run(&place, &["run", recording]).expect(0).says("1 passed");
    run(&place, &["replay", "--print", recording])
        .expect(0)
        .says("42. yellow moved 1: a disc to column 1, row 6, the game is drawn")
        .says("pass: the game is drawn");
    run(&place, &["replay", "--moves", recording])
        .expect(0)
        .says("\n42 Y 1\n");
    run(&place, &["replay", "--json", "--at", "42", recording])
        .expect(0)
        .says(r#""to":{"cell":0,"name":"column 1, row 6"},"captured":null"#);
    run(&place, &["replay", "--html", "page.html", recording]).expect(0);
    if has_python() {
        let said =
            ["--json", "--moves"].map(|form| run(&place, &["replay", form, recording]).stdout);
        page::tells_all(&page::structure(&place, "page.html"), &said[0], &said[1]);
    }
}

#[test]
fn the_stream_of_a_spectator_shows_how_the_game_ended() {
    let place = Place::new();
    let moves = drawn_game();
    let lines = |moves: &[String]| format!("{}\n", moves.join("\n"));
    place.write("drawn.txt", &lines(&moves));
    place.write("open.txt", &lines(&moves[..41]));
    let last = vec!["1".to_owned()];
    place.write("longer.txt", &lines(&[moves, last].concat()));
    run(&place, &["verify", "drawn.txt"])
        .expect(0)
        .says("42 turns: the game is drawn");
    run(&place, &["verify", "open.txt"])
        .expect(0)
        .says("41 turns: incomplete: stops where yellow has to move");
    run(&place, &["verify", "longer.txt"])
        .expect(1)
        .says("fail[c4/lost/full-column]: the referee behaves as if a column held seven discs");
}

#[test]
fn a_bot_is_recorded_in_a_live_game_and_judged() {
    let place = Place::new();
    let own = PROGRAM.display();
    let bot = format!("{own} bot connect-four --seed 1");
    let recorded = format!("{own} record --output game.jsonl -- {bot}");
    conduct(&place, &recorded, &bot).complains(" has won");
    run(&place, &["verify", "game.jsonl"])
        .expect(0)
        .says("pass game.jsonl");
}

/// Plays the suite of referees against the Python referee that breaks this rule. A line that never comes is waited for here.
fn python_referee(place: &Place, wrong: &[&str]) -> Ran {
    let [python, no_site] = python_words();
    let referee = format!("{FOLDER}/four_referee.py");
    let suite = format!("{SCENARIOS}/referee");
    let options = "--port {port} --spectator-port {spectator_port} --spectators {spectators} --timeout {timeout}";
    let options: Vec<_> = options.split(' ').collect();
    let subject = ["--as", "referee", "--", python, no_site, &referee];
    let budgets = ["--budget", "start=60s", "--budget", "answer=5s"];
    let args = [&["run", &suite][..], &budgets, &subject, &options, wrong];
    run(place, &args.concat())
}

#[test]
#[ignore = "it starts dozens of interpreters; .ci/run has it played"]
fn a_wrong_rule_of_a_referee_in_python_is_named_from_the_mistakes_of_the_pack() {
    if !has_python() {
        return;
    }
    let names = |wrong: &str, cause: &str| {
        let ran = python_referee(&Place::new(), &["--wrong", wrong]).expect(1);
        let cause = format!("the referee behaves as if {cause}: this explains ");
        let Some((_, explained)) = ran.stdout.split_once(&cause) else {
            panic!("{wrong}: {ran:#?}")
        };
        let mut words = explained.split(' ');
        let (explained, failed) = (words.next(), words.nth(1));
        assert_eq!(explained, failed, "{ran:#?}");
        assert_eq!(ran.stdout.matches("this explains ").count(), 1, "{ran:#?}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| names("five-wins", "it took five discs in any direction to win"));
        names("column-holds-five", "a column held five discs");
    });
}

#[test]
#[ignore = "it starts dozens of interpreters; .ci/run has it played"]
fn a_referee_and_a_bot_in_python_keep_the_suite_and_no_reading_is_guessed_that_the_pack_has_not() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let honest = python_referee(&place, &[]).expect(0);
    honest
        .says("9 scenarios: 9 passed")
        .leaves_out("behaves as if");
    python_referee(&place, &["--wrong", "eighth-disc-ends"])
        .expect(1)
        .leaves_out("behaves as if");
    let [python, no_site] = python_words();
    let (suite, bot) = (format!("{SCENARIOS}/bot"), format!("{FOLDER}/four_bot.py"));
    let subject = [
        "--as", "bot", "--", python, no_site, &bot, "--seed", "{seed}",
    ];
    run(&place, &[&["run", &suite][..], &PATIENT, &subject].concat())
        .expect(0)
        .says("1 scenario: 1 passed");
}

#[test]
fn a_program_with_one_pack_knows_no_other_game() {
    let place = Place::new();
    let games = [
        ["referee", "--help"],
        ["bot", "--help"],
        ["requirements", "--verbose"],
    ];
    for args in games {
        let said = run(&place, &args).said();
        for game in urtext::pack::games() {
            assert!(!said.contains(game.title()), "{args:?}: {said}");
        }
    }
    run(&place, &["referee", "royalur"]).expect(2);
    run(&place, &["run", "--suite", "royalur/referee"])
        .expect(2)
        .complains("no suite is shipped with this program");
    run(&place, &["run"])
        .expect(2)
        .complains("no suite is shipped with this program");
    run(&place, &["requirements"])
        .expect(0)
        .says("c4/end/drawn")
        .leaves_out("ur/")
        .leaves_out("oni/");
    run(&place, &["run", "--help"])
        .expect(0)
        .says("[default: as the scenarios, or connect-four]");
    let games = format!("{ROOT}/scenarios/royalur/referee/timeout.yaml");
    run(&place, &["check", &games])
        .expect(2)
        .mentions("royalur");
}

#[test]
fn every_quoted_sentence_is_in_the_protocol() {
    let protocol = fs::read_to_string(format!("{FOLDER}/PROTOCOL.md")).unwrap();
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let protocol = folded(&protocol);
    let catalogue = fs::read_to_string(format!("{FOLDER}/requirements.yaml")).unwrap();
    let says = catalogue
        .lines()
        .filter_map(|line| line.trim().strip_prefix("says: "));
    let says: Vec<_> = says.map(|says| says.trim_matches('"')).collect();
    assert!(says.len() > 30, "{}", says.len());
    for sentence in says {
        let sentence = sentence.trim_end_matches('.');
        assert!(protocol.contains(sentence), "{sentence:?}");
    }
}

/// The blocks of the page in that language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    let rest = PAGE.split(start.as_str()).skip(1);
    rest.map(|rest| rest.split("```").next().expect("a split has a first part"))
        .collect()
}

/// All files of the example, one after the other.
fn files() -> String {
    let entries = walkdir::WalkDir::new(FOLDER).into_iter();
    let files = entries.filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
    files.collect()
}

#[test]
fn every_block_of_the_page_is_a_part_of_the_files() {
    let files = files();
    let blocks: Vec<_> = ["rust", "yaml", "text"]
        .into_iter()
        .flat_map(blocks)
        .collect();
    assert!(blocks.len() > 10, "{}", blocks.len());
    for block in blocks {
        // A list of sentences stands in the file sentence by sentence.
        let parts = match block.starts_with("- ") {
            true => block.lines().collect(),
            false => vec![block],
        };
        for part in parts {
            assert!(files.contains(part), "not in the files: {part}");
        }
    }
}

#[test]
fn every_command_of_the_page_says_what_the_page_shows() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let shown = blocks("console").concat().replace("\\\n", " ");
    let mut commands = 0;
    for shown in shown
        .split("$ cargo run --example connect-four -- ")
        .skip(1)
    {
        let (words, says) = shown.split_once('\n').unwrap();
        let words = words.replace("tests/own_game", FOLDER).replace("$PWD/", "");
        let mut words: Vec<_> = words.split_whitespace().collect();
        if words[0] == "run" {
            words.splice(2..2, PATIENT);
        }
        let ran = run(&place, &words).expect(0);
        assert!(says.lines().count() > 0);
        says.lines().fold(ran, |ran, line| ran.says(line));
        commands += 1;
    }
    assert_eq!(commands, 4);
}
