//! `urtext check` as a user runs it.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::harness::{Ran, urtext_in};

const HEAD: &str = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\n";
const TURNS: &str = "turns:\n  - first: 0 0 1 1 > 3\n  - second: 0 0 0 0\n";
const GOLDEN: &str = "# urtext golden transcript 1\ndialect: code-colosseum\n\n\
    [first]\nA\nB\n0\n0 0 1 1\n>3\n0 0 0 0\n\n[spectator 1]\nA\nB\n0 0 1 1\n3\n0 0 0 0\n";

fn check(folder: &Path, arguments: &[&str]) -> Ran {
    urtext_in(folder, &[&["check"], arguments].concat(), "")
}

/// What it said on standard error, after it ended with status 2 and this summary.
fn faults(output: &Ran, summary: &str) -> String {
    assert_eq!(
        (output.code, output.stdout.clone()),
        (Some(2), format!("{summary}\n"))
    );
    output.stderr.clone()
}

fn no_faults(output: &Ran, summary: &str) {
    let said = (output.code, output.stdout.clone(), output.stderr.clone());
    assert_eq!(said, (Some(0), format!("{summary}\n"), String::new()));
}

/// A folder with a sound scenario in `scenarios/x/a.yaml`.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("scenarios/x")).unwrap();
    fs::create_dir_all(folder.path().join("snapshots/x")).unwrap();
    fs::write(
        folder.path().join("scenarios/x/a.yaml"),
        format!("{HEAD}{TURNS}"),
    )
    .unwrap();
    folder
}

#[test]
fn the_shipped_suites_have_no_faults() {
    let folder = tempfile::tempdir().unwrap();
    for suite in ["royalur", "royalur/referee", "royalur/bot"] {
        let output = check(folder.path(), &["--suite", suite]);
        assert_eq!(
            (output.code, output.stderr.clone()),
            (Some(0), String::new()),
            "{suite}"
        );
        let summary = output.stdout.clone();
        assert!(
            summary.starts_with("checked ") && summary.ends_with(": no faults\n"),
            "{summary}"
        );
    }
    let unknown = check(folder.path(), &["--suite", "royalur/refree"]);
    let said = faults(&unknown, "checked nothing: 1 fault");
    assert!(
        said.contains("error[suite/unknown]") && said.contains("help: write `royalur/referee`"),
        "{said}"
    );
}

#[test]
fn checks_the_folder_of_scenarios_where_no_path_is_given() {
    let folder = project();
    no_faults(&check(folder.path(), &[]), "checked 1 scenario: no faults");
    let empty = tempfile::tempdir().unwrap();
    let output = check(empty.path(), &[]);
    assert_eq!(
        (output.code, output.stdout.clone()),
        (Some(2), String::new())
    );
    assert!(
        output
            .stderr
            .clone()
            .contains("there is no folder `scenarios` here")
    );
}

#[test]
fn shows_all_faults_of_all_files_and_counts_them() {
    let folder = project();
    fs::write(
        folder.path().join("scenarios/x/b.yaml"),
        format!("{HEAD}golden: /x\nturns:\n  - first: 0 0 1 1 > 7\n"),
    )
    .unwrap();
    fs::write(folder.path().join("scenarios/x/c.yml"), "").unwrap();
    let output = check(folder.path(), &["scenarios"]);
    insta::assert_snapshot!(faults(&output, "checked 3 scenarios: 3 faults"), @r#"
    error[scenario/golden]: this cannot be the file of the golden transcript: it is absolute
     --> scenarios/x/b.yaml:5:9
      |
    5 | golden: /x
      |         ^^
      |
      = help: write a plain file name, such as `seed-example.txt`, or remove the line: the name follows from the scenario's

    error[turn/move]: `7` is no move
     --> scenarios/x/b.yaml:7:22
      |
    7 |   - first: 0 0 1 1 > 7
      |                      ^ due is the number of a token, 0 to 6
      |
      = help: to have the line sent all the same, write `"7" illegal`

    error[yaml/empty]: the file is empty
    --> scenarios/x/c.yml
     = help: begin with a key, such as `scenario: what is played`
    "#);
}

#[test]
fn reads_the_golden_transcript_of_a_scenario() {
    let folder = project();
    let golden = folder.path().join("snapshots/x/a.txt");
    fs::write(&golden, GOLDEN).unwrap();
    let summary = "checked 1 scenario, 1 golden transcript: no faults";
    no_faults(&check(folder.path(), &["scenarios"]), summary);
    let again = [
        "scenarios",
        "snapshots",
        "snapshots/x/a.txt",
        "scenarios/x/../x/a.yaml",
    ];
    no_faults(&check(folder.path(), &again), summary);
    fs::write(&golden, GOLDEN.replace("[first]", "[frist]")).unwrap();
    let said = faults(
        &check(folder.path(), &["scenarios"]),
        "checked 1 scenario, 1 golden transcript: 1 fault",
    );
    assert!(said.contains("snapshots/x/a.txt:4:1"), "{said}");
}

#[test]
fn a_golden_transcript_of_another_game_is_told_by_its_rolls_and_lanes() {
    let folder = project();
    let golden =
        GOLDEN
            .replace("[spectator 1]", "[spectator 2]")
            .replacen("0 0 1 1\n>3", "0 1 1 1\n>3", 1);
    fs::write(folder.path().join("snapshots/x/a.txt"), golden).unwrap();
    let output = check(folder.path(), &["scenarios"]);
    insta::assert_snapshot!(faults(&output, "checked 1 scenario, 1 golden transcript: 2 faults"), @r#"
    error[golden/other-game]: the scenario scenarios/x/a.yaml has no lane of `spectator 2`
    --> snapshots/x/a.txt
     = help: remove its block, or name another golden transcript

    error[golden/other-game]: this golden transcript is of another game than its scenario
     --> snapshots/x/a.txt:8:1
      |
    8 | 0 1 1 1
      | ^^^^^^^
      |
      = help: write it anew with `urtext run --bless`, or name another one in the scenario
      = note: roll 1 is 0 1 1 1 here, and 0 0 1 1 in the scenario scenarios/x/a.yaml
    "#);
}

#[test]
fn a_golden_transcript_that_goes_on_after_the_scenario_is_of_another_game() {
    let folder = project();
    let golden = GOLDEN.replacen("\n0 0 0 0\n", "\n0 0 0 0\n0 0 0 1\n0 0 0 1\n", 1);
    fs::write(folder.path().join("snapshots/x/a.txt"), golden).unwrap();
    let output = check(folder.path(), &["scenarios"]);
    let said = faults(&output, "checked 1 scenario, 1 golden transcript: 1 fault");
    assert!(
        said.contains("the scenario scenarios/x/a.yaml has only 3 rolls"),
        "{said}"
    );
}

#[test]
fn a_golden_transcript_that_a_scenario_names_has_to_exist() {
    let folder = project();
    fs::write(
        folder.path().join("scenarios/x/a.yaml"),
        format!("{HEAD}golden: other.txt\n{TURNS}"),
    )
    .unwrap();
    let output = check(folder.path(), &["scenarios/x/a.yaml"]);
    insta::assert_snapshot!(faults(&output, "checked 1 scenario: 1 fault"), @r"
    error[golden/missing]: there is no golden transcript snapshots/x/other.txt
     --> scenarios/x/a.yaml:5:9
      |
    5 | golden: other.txt
      |         ^^^^^^^^^
      |
      = help: check the spelling; `urtext run --bless` writes one
    ");
    fs::write(folder.path().join("snapshots/x/other.txt"), GOLDEN).unwrap();
    no_faults(
        &check(folder.path(), &["scenarios"]),
        "checked 1 scenario, 1 golden transcript: no faults",
    );
}

#[test]
fn a_golden_transcript_behind_a_link_that_leads_out_is_not_read() {
    let folder = project();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("a.txt"), "secret").unwrap();
    fs::remove_dir(folder.path().join("snapshots/x")).unwrap();
    symlink(elsewhere.path(), folder.path().join("snapshots/x")).unwrap();
    let said = faults(
        &check(folder.path(), &["scenarios"]),
        "checked 1 scenario: 1 fault",
    );
    assert!(
        said.contains(
            "error[scenario/golden]: the golden transcript snapshots/x/a.txt is not inside"
        ),
        "{said}"
    );
    assert!(!said.contains("secret"));
}

#[test]
fn checks_recordings_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"player"}],"scenario":null,"parameters":{}}"#;
    let event = r#"{"t":0.5,"lane":0,"dir":"received","line":"A"}"#;
    let path = folder.path().join("r.jsonl");
    fs::write(&path, format!("{header}\n{event}\n")).unwrap();
    no_faults(
        &check(folder.path(), &["."]),
        "checked 1 recording: no faults",
    );
    fs::write(
        &path,
        format!("{header}\n{event}\n{{\"t\":0.25,\"alarm\":true}}\n{{\"t\":9"),
    )
    .unwrap();
    let said = faults(
        &check(folder.path(), &["r.jsonl"]),
        "checked 1 recording: 1 fault, 1 warning",
    );
    assert!(
        said.contains("time runs backwards") && said.contains("warning[recording/cut-off]"),
        "{said}"
    );
    fs::write(&path, format!("{}\n", header.replace(":1,", ":9,"))).unwrap();
    let said = faults(
        &check(folder.path(), &["r.jsonl"]),
        "checked 1 recording: 1 fault",
    );
    assert!(said.contains("error[recording/version]"), "{said}");
}

#[test]
fn each_kind_of_bad_input_gets_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    File::create(root.join("large.yaml"))
        .unwrap()
        .set_len(100 * 1024 * 1024)
        .unwrap();
    fs::write(root.join("empty.yaml"), "").unwrap();
    fs::write(root.join("binary.yaml"), b"\xff\xfe\x00").unwrap();
    fs::write(root.join("other.txt"), "hello").unwrap();
    fs::create_dir(root.join("folder")).unwrap();
    let mut bomb = "k0: &n0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..20 {
        bomb += &format!(
            "k{n}: &n{n} [{}]\n",
            vec![format!("*n{}", n - 1); 9].join(", ")
        );
    }
    fs::write(root.join("bomb.yaml"), bomb).unwrap();
    for (path, code) in [
        ("large.yaml", "file/too-large"),
        ("empty.yaml", "yaml/empty"),
        ("binary.yaml", "file/not-utf8"),
        ("bomb.yaml", "yaml/too-large"),
        ("missing.yaml", "file/missing"),
        ("other.txt", "yaml/not-a-mapping"),
    ] {
        let said = faults(&check(root, &[path]), "checked 1 scenario: 1 fault");
        assert!(
            said.contains(&format!("error[{code}]")) && said.contains(path),
            "{path}: {said}"
        );
    }
    let said = faults(&check(root, &["folder"]), "checked nothing: 1 fault");
    assert!(
        said.contains("error[check/nothing]: there is nothing to check in this folder"),
        "{said}"
    );
}

#[test]
fn a_scenario_writes_nothing_to_the_terminal_that_steers_it() {
    let folder = project();
    let hostile = format!("{HEAD}\"\\x1b[2J\": 1\nnames: [a, \"\\x1b]0;x\\a\"]\n{TURNS}")
        .replace("royalur", "\"\\x1b[31m\"");
    fs::write(folder.path().join("scenarios/x/a.yaml"), hostile).unwrap();
    let said = faults(
        &check(folder.path(), &["scenarios"]),
        "checked 1 scenario: 2 faults",
    );
    assert!(!said.contains('\x1b'), "{said}");
}

/// A guard against reading the catalogue, or anything else, once for each scenario; a debug build takes some 100 ms.
#[test]
fn a_hundred_scenarios_are_no_matter_of_seconds() {
    let folder = project();
    for number in 0..100 {
        fs::write(
            folder.path().join(format!("scenarios/x/{number}.yaml")),
            format!("{HEAD}{TURNS}"),
        )
        .unwrap();
    }
    let start = Instant::now();
    no_faults(
        &check(folder.path(), &[]),
        "checked 101 scenarios: no faults",
    );
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_misspelt_program_is_found_and_so_is_a_line_of_readiness_that_leaves_spectators_out() {
    let folder = tempfile::tempdir().unwrap();
    let text = "subjects:\n  mine:\n    as: referee\n    game: royalur\n    command: [pyhton3, ref.py]\n    \
                ready: 'listening on {port}'\n";
    fs::write(folder.path().join("urtext.yaml"), text).unwrap();
    let output = check(folder.path(), &[]);
    insta::assert_snapshot!(faults(&output, "checked 1 subject: 1 fault, 1 warning"), @r"
    error[config/program]: this program cannot be started: No such file or directory (os error 2)
     --> urtext.yaml:5:15
      |
    5 |     command: [pyhton3, ref.py]
      |               ^^^^^^^
      |
      = help: a name without `/` is looked for along PATH

    warning[config/spectators]: this line does not say where spectators connect, so spectators cannot be tested
     --> urtext.yaml:6:12
      |
    6 |     ready: 'listening on {port}'
      |            ^^^^^^^^^^^^^^^^^^^^^
      |
      = help: write {spectator_port} or {spectators} where the subject prints it, or say `spectators: same-port`, `spectators: HOST:PORT`, or `spectators: none`
    ");
}

/// What is said of a file of that name and text, checked by itself.
fn said_of(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let output = check(folder.path(), &[name]);
    assert_eq!(output.code, Some(2), "{text}");
    output.stderr
}

fn said_of_turn(turn: &str) -> String {
    said_of("s.yaml", &format!("{HEAD}turns:\n  - first: {turn}\n"))
}

#[test]
fn another_arrow_is_told_with_the_line_as_it_is_written() {
    insta::assert_snapshot!(said_of_turn("0 0 1 1 -> 3"), @r"
    error[turn/arrow]: `>` is due between the roll and the move, not `->`
     --> s.yaml:6:20
      |
    6 |   - first: 0 0 1 1 -> 3
      |                    ^^
      |
      = help: write `0 0 1 1 > 3`
    ");
    for arrow in ["=>", "-->", "\u{2192}"] {
        let said = said_of_turn(&format!("0 0 1 1 {arrow} 3"));
        assert!(
            said.contains(&format!("not `{arrow}`")) && said.contains("write `0 0 1 1 > 3`"),
            "{said}"
        );
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
    let line = said_of_turn("0 0 1 1 > \"a -> b\"");
    assert!(
        !line.contains("turn/arrow"),
        "an arrow in a line is a part of it: {line}"
    );
}

#[test]
fn a_timeout_is_written_as_silence() {
    insta::assert_snapshot!(said_of_turn("0 0 1 1 > timeout"), @r"
    error[turn/move]: `timeout` is no move; did you mean `silent`?
     --> s.yaml:6:22
      |
    6 |   - first: 0 0 1 1 > timeout
      |                      ^^^^^^^
      |
      = help: write `silent`: the player sends nothing until the timeout is over
    ");
}

#[test]
fn an_unknown_id_is_told_with_the_ids_nearby() {
    let of = |id: &str| {
        said_of(
            "s.yaml",
            &format!("{}{TURNS}", HEAD.replace("ur/roll/line", id)),
        )
    };
    insta::assert_snapshot!(of("cell-5"), @r"
    error[scenario/unknown-requirement]: there is no requirement `cell-5`
     --> s.yaml:4:10
      |
    4 | checks: [cell-5]
      |          ^^^^^^
      |
      = help: ids nearby: `ur/extra-turn/cell-4`, `ur/extra-turn/cell-8`, `ur/extra-turn/cell-14`; `urtext requirements` lists them all
    ");
    assert!(of("banana").contains("help: `urtext requirements` lists them all"));
}

#[test]
fn empty_turns_are_told_with_a_turn_to_add() {
    for (turns, column) in [("turns:\n", 6), ("turns: []\n", 8)] {
        let said = said_of("s.yaml", &format!("{HEAD}{turns}"));
        assert_eq!(said.matches("error[").count(), 1, "{said}");
        for words in [
            "error[scenario/no-turns]",
            &format!("s.yaml:5:{column}\n"),
            "such as `- first: 0 0 1 1 > 3`",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}

#[test]
fn a_part_that_is_named_and_subjects_under_another_name_are_told_for_what_they_are() {
    insta::assert_snapshot!(said_of("_opening.yaml", TURNS), @r"
    error[scenario/part]: this file holds turns for the scenarios that include it, and is checked with them
    --> _opening.yaml
     = help: check a scenario that includes it, or the folder with both
    ");
    let folder = tempfile::tempdir().unwrap();
    let subjects = "# mine\nsubjects:\n  mine: {as: bot, game: ur, command: [cat]}\n";
    fs::write(folder.path().join("robots.yaml"), subjects).unwrap();
    for path in [".", "robots.yaml"] {
        no_faults(
            &check(folder.path(), &[path]),
            "checked 1 subject: no faults",
        );
    }
    let ran = urtext_in(folder.path(), &["run", "robots.yaml"], "");
    assert!(
        ran.stderr
            .contains("this is a file of subjects, not a scenario"),
        "{ran:#?}"
    );
    assert_eq!(
        (ran.code, ran.stderr.matches("error[").count()),
        (Some(2), 1)
    );
}
