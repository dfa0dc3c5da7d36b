//! What urtext.yaml says of every run, the folder of a subject, and the command that repeats a run. `tests/cases/subjects` has the subjects.

use crate::harness::{Place, Ran, URTEXT, faulty};

#[test]
fn the_defaults_of_the_file_hold_and_the_command_line_wins() {
    // The depth is not set, so that nothing can be played.
    let place = Place::new();
    let text = format!(
        "run: {{allow: [unsupported], report: {{junit: out.xml, json: out.json}}}}\nsubjects: {{unset: {{as: bot, game: royalur, \
         command: [{URTEXT}, bot, royalur, '{{depth}}'], parameters: {{depth: {{type: number}}}}}}}}\n"
    );
    place.write("urtext.yaml", &text);
    std::fs::create_dir(place.path().join("below")).unwrap();
    let in_folder_below = |args: &[&str]| {
        let mut command =
            place.command(&[&["run", "--suite", "royalur/bot/first-seat"], args].concat());
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
