//! Which subject a run tests, and how its first line names it.

use crate::harness::{Place, Ran, SCENARIOS, URTEXT, count, faulty};

/// The first line of a report.
fn heading(ran: &Ran) -> String {
    ran.stdout
        .lines()
        .next()
        .unwrap_or_default()
        .replace(URTEXT, "[urtext]")
        .replace(SCENARIOS, "[scenarios]")
}

/// A folder with a bot of each kind: `good`, and `bad`, which moves onto its own tokens; `more` stands above and below them.
fn with_bots(before: &str, more: &str) -> Place {
    let place = Place::new();
    let bot = |name: &str, fault: &str| {
        format!(
            "  {name}: {{as: bot, game: royalur, command: [{URTEXT}, bot, royalur, --policy, first{fault}]}}\n"
        )
    };
    let bad = bot("bad", ", --fault, moves-onto-own-token");
    place.write(
        "urtext.yaml",
        &format!("{before}subjects:\n{}{bad}{more}", bot("good", "")),
    );
    place
}

const OWN_TOKEN: &str = "royalur/bot/no-move-onto-an-own-token";

#[test]
fn the_default_of_the_file_is_tested_and_not_the_built_in_peer() {
    let place = with_bots("default: bad\n", "");
    let ran = place
        .run(&["--suite", OWN_TOKEN, "--no-diagnosis"])
        .expect(1);
    let shown = heading(&ran);
    assert!(
        shown.starts_with("urtext 0.1.0: royalur bot `bad` ("),
        "{shown}"
    );
    assert!(shown.ends_with("), from urtext.yaml"), "{shown}");
    // What repeats it names the subject.
    let repeat = format!("repeat: urtext run --suite {OWN_TOKEN} --subject bad\n");
    assert!(ran.stdout.contains(&repeat), "{ran:#?}");
    place
        .run(&["--suite", OWN_TOKEN, "--subject", "good"])
        .expect(0);
    // A folder below belongs to the same file, and a scenario in a path is for the same subject.
    std::fs::create_dir(place.path().join("below")).unwrap();
    let path = format!("{SCENARIOS}/{OWN_TOKEN}.yaml");
    let mut command = place.command(&["run", &path, "--no-diagnosis"]);
    let ran = Ran::from(
        command
            .current_dir(place.path().join("below"))
            .output()
            .unwrap(),
    )
    .expect(1);
    assert!(heading(&ran).contains("royalur bot `bad`"), "{ran:#?}");
}

#[test]
fn a_list_of_defaults_has_one_for_each_side_and_game() {
    let referee = format!(
        "  ref: {{as: referee, game: royalur, rolls: argument, command: [{URTEXT}, referee, royalur, --spectators, \
         '{{spectators}}', --timeout, '{{timeout}}', --pace, '{{pace}}', --rolls, '{{rolls}}']}}\n"
    );
    let place = with_bots("default: [good, ref]\n", &referee);
    let ran = place
        .run(&["--suite", OWN_TOKEN, "--suite", "royalur/referee/own-token"])
        .expect(0);
    let shown = heading(&ran);
    assert!(
        shown.contains("royalur bot `good` (") && shown.contains("royalur referee `ref` ("),
        "{shown}"
    );
    ran.says("2 scenarios: 2 passed");
}

#[test]
fn the_only_subject_of_a_side_is_tested_and_what_is_for_none_is_counted_as_left_out() {
    let place = Place::new();
    let text = format!(
        "subjects: {{mine: {{as: bot, game: royalur, command: [{URTEXT}, bot, royalur]}}}}\n"
    );
    place.write("urtext.yaml", &text);
    let suites = [
        "--suite",
        "royalur/bot/first-seat",
        "--suite",
        "royalur/referee/own-token",
    ];
    let ran = place
        .run(&[&suites[..], &["--suite", "onitama/bot"]].concat())
        .expect(0);
    let onitama = count("onitama/bot");
    let (shown, total) = (heading(&ran), onitama + 1);
    let left_out = format!(
        "; {total} scenarios left out: {onitama} no onitama bot in urtext.yaml, 1 no royalur referee in urtext.yaml"
    );
    assert!(
        shown.contains("royalur bot `mine` (") && shown.ends_with(&left_out),
        "{shown}"
    );
    let one = place.run(&suites).expect(0);
    assert!(
        heading(&one).ends_with("; 1 scenario left out: no royalur referee in urtext.yaml"),
        "{one:#?}"
    );
    one.says("1 scenario: 1 passed");
}

#[test]
fn without_a_default_nothing_is_chosen_among_several() {
    let place = with_bots("", "");
    let ran = place.run(&["--suite", OWN_TOKEN]).expect(2);
    assert_eq!(ran.stdout, "");
    let ran = ran.complains("none of 1 scenarios has a subject in urtext.yaml");
    let ran = ran.complains(
        "no `default:` in urtext.yaml decides which royalur bot is meant (`good`, `bad`)",
    );
    ran.complains("--subject built-in");
}

#[test]
fn the_built_in_peers_are_tested_where_there_is_no_file_or_where_they_are_named() {
    let ran = Place::new()
        .run(&["--suite", OWN_TOKEN, "--suite", "royalur/referee/own-token"])
        .expect(0);
    assert_eq!(
        heading(&ran),
        "urtext 0.1.0: the built-in royalur bot, royalur referee, in memory on a virtual clock"
    );
    let place = with_bots("default: bad\n", "");
    let ran = place
        .run(&["--suite", OWN_TOKEN, "--subject", "built-in"])
        .expect(0);
    assert_eq!(
        heading(&ran),
        "urtext 0.1.0: the built-in royalur bot, in memory on a virtual clock"
    );
    place
        .run(&["--subject", "built-in", "--config", "urtext.yaml"])
        .expect(2);
}

#[test]
fn a_subject_of_the_command_line_is_the_only_one_that_is_tested() {
    let place = with_bots("default: bad\n", "");
    let suites = ["--suite", OWN_TOKEN, "--suite", "royalur/referee/own-token"];
    let bot = ["--as", "bot", "--", "./my bot", "--level", "3"];
    let ran = place.run(&[&suites[..], &bot].concat()).expect(3);
    let due = "urtext 0.1.0: royalur bot `./my bot --level 3`; 1 scenario left out: for the royalur referee";
    assert_eq!(heading(&ran), due);
}

#[test]
fn what_is_wrong_with_the_file_is_said_and_nothing_is_run() {
    for (default, words) in [
        ("default: godo\n", "there is no subject `godo` here"),
        (
            "default: [good, bad]\n",
            "`good` is the default royalur bot already",
        ),
        ("default: [good, good]\n", "`good` stands here twice"),
    ] {
        let place = with_bots(default, "");
        let ran = place
            .run(&["--suite", OWN_TOKEN])
            .expect(2)
            .complains(words)
            .complains("urtext.yaml:1:");
        assert_eq!(ran.stdout, "");
    }
    let taken = with_bots(
        "",
        &format!("  built-in: {{as: bot, game: royalur, command: [{URTEXT}]}}\n"),
    );
    taken
        .run(&["--suite", OWN_TOKEN])
        .expect(2)
        .complains("`built-in` means the peers inside urtext");
}

#[test]
fn free_games_are_played_with_the_referee_of_the_file() {
    let place = Place::new();
    let text = format!(
        "subjects: {{mine: {{as: referee, game: royalur, command: [{URTEXT}, referee, royalur, --pace, '0', --spectators, '{{spectators}}']}}}}\n"
    );
    place.write("urtext.yaml", &text);
    let ran = place
        .run(&["--free-games", "1"])
        .expect(0)
        .says("1 scenario: 1 passed");
    assert!(heading(&ran).contains("royalur referee `mine`"), "{ran:#?}");
    with_bots("", "")
        .run(&["--free-games", "1"])
        .expect(2)
        .complains("--free-games needs a referee");
}

#[test]
fn the_defaults_of_the_file_hold_and_the_command_line_wins() {
    // The depth is not set, so that nothing can be played.
    let before =
        "run: {allow: [unsupported], report: {junit: out.xml, json: out.json}}\ndefault: unset\n";
    let unset = format!(
        "  unset: {{as: bot, game: royalur, command: [{URTEXT}, bot, royalur, '{{depth}}'], parameters: {{depth: {{type: number}}}}}}\n"
    );
    let place = with_bots(before, &unset);
    std::fs::create_dir(place.path().join("below")).unwrap();
    let in_folder_below = |args: &[&str]| {
        let mut command = place.command(&[&["run", "--suite", OWN_TOKEN], args].concat());
        Ran::of(command.current_dir(place.path().join("below")))
    };
    in_folder_below(&[]).expect(0).says("1 unsupported");
    assert_eq!(place.files(), ["out.json", "out.xml", "urtext.yaml"]);
    std::fs::remove_file(place.join("out.json")).unwrap();
    in_folder_below(&["--allow", "flaky"]).expect(4);
    assert!(place.files().contains(&"out.json".to_owned()));
    std::fs::remove_file(place.join("out.json")).unwrap();
    in_folder_below(&["--report", "junit=own.xml"]).expect(0);
    assert_eq!(place.files(), ["below/own.xml", "out.xml", "urtext.yaml"]);
    // The subject of the command line is none of the file.
    in_folder_below(&["--subject", "built-in"]).expect(0);
    assert!(!place.files().contains(&"out.json".to_owned()));
}

#[test]
fn a_default_number_of_retries_makes_a_failure_flaky() {
    let place = Place::new();
    let bot = format!(
        "echo x >> starts; [ $(wc -l < starts) -gt 1 ] || echo banana; exec {URTEXT} bot royalur --policy first"
    );
    let yaml = |run: &str| {
        let _ = std::fs::remove_file(place.join("starts"));
        place.write("urtext.yaml", &format!("{run}subjects:\n  it: {{as: bot, game: royalur, folder: ., command: [sh, -c, '{bot}']}}\n"));
        place.run(&["--suite", "royalur/bot/first-seat"])
    };
    yaml("").expect(1);
    yaml("run: {retries: 1}\n").expect(4).says("1 flaky");
    yaml("run: {retries: 1, allow: flaky}\n")
        .expect(0)
        .says("1 flaky");
    let ran = yaml("run: {retrys: 1}\n").expect(2);
    ran.complains("urtext.yaml:1:7")
        .complains("write `retries`");
    assert!(!place.join("starts").exists());
}

#[test]
fn a_command_runs_in_the_current_folder_or_in_an_empty_one() {
    let place = Place::new();
    place.write(
        "bot.sh",
        "#!/bin/sh\nls >\"$1\"\ntouch made\nexec \"$2\" bot royalur --seed 1\n",
    );
    let script = place.join("bot.sh");
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let seen = place.join("seen");
    let seen = seen.to_str().unwrap();
    let run = |workdir: &[&str], command: &[&str]| {
        let subject = ["--as", "bot", "--suite", "royalur/bot/first-seat"];
        place.run(&[&subject[..], workdir, &["--"], command, &[seen, URTEXT]].concat())
    };
    run(&["--set", "folder=empty"], &["./bot.sh"]).passes();
    assert_eq!(place.read("seen"), "", "the folder is empty");
    assert_eq!(place.files(), ["bot.sh", "seen"]);
    run(&["--set", "folder=empty"], &["sh", "bot.sh"])
        .expect(3)
        .complains("this file is not found from the empty folder that the subject runs in")
        .complains("command line:4:15")
        .complains("write `{here}/bot.sh`");
    run(&["--set", "folder=empty"], &["sh", "{here}/bot.sh"]).passes();
    for current in [&["--set", "folder=."][..], &[]] {
        run(current, &["./bot.sh"]).passes();
        assert_eq!(place.files(), ["bot.sh", "made", "seen"]);
        std::fs::remove_file(place.join("made")).unwrap();
    }
}

#[test]
fn a_described_subject_plays_the_game_of_the_selection() {
    let place = Place::new();
    let bot = [
        "--no-diagnosis",
        "--as",
        "bot",
        "--",
        URTEXT,
        "bot",
        "onitama",
    ];
    let suite = "onitama/bot/no-move-onto-an-own-piece";
    let path = format!("{SCENARIOS}/{suite}.yaml");
    for selection in [["--suite", suite], [&path, "--pin"]] {
        let ran = place.run(&[&selection[..], &bot, &["{host}", "{port}"]].concat());
        assert!(heading(&ran.expect(0)).contains("onitama bot "));
    }
    // Where several games are selected, it plays the usual one.
    let both = ["--suite", suite, "--suite", OWN_TOKEN];
    let other = ["--as", "bot", "--", URTEXT, "bot", "royalur"];
    let ran = place.run(&[&both[..], &other].concat()).expect(0);
    assert!(
        heading(&ran).ends_with("; 1 scenario left out: for the onitama bot"),
        "{ran:#?}"
    );
    let named = ["--game", "royalur", "--suite", suite];
    place
        .run(&[&named[..], &other].concat())
        .expect(2)
        .complains("none of 1 scenarios is for this subject");
}

#[test]
fn the_repeat_command_has_every_option_of_the_run() {
    let place = Place::new();
    let options = [
        "--budget",
        "answer=900ms",
        "--jobs",
        "1",
        "--network",
        "jitter",
    ];
    let suite = ["--suite", "royalur/bot/captures-both-ways"];
    let bot = faulty("bot", "royalur", "forgets-captures");
    let ran = place.run(&[&options[..], &suite, &bot].concat()).expect(1);
    let repeat = "repeat: urtext run --suite royalur/bot/captures-both-ways --subject built-in --network jitter \
                  --budget answer=900ms --fault forgets-captures --as bot --game royalur\n";
    ran.says(repeat);
}
