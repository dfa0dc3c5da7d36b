use std::time::Duration;

use clap::ValueEnum;

use super::*;
use crate::case_files::assert_lines;
use crate::config::{
    Address, Bytes, Digits, Folder, LateSpectator, ParameterKind, RollHook, Values, Way,
};
use crate::diagnostic::Paint;
use crate::finding::Verdict;
use crate::scenario::Side;

/// Reads a file that stands in a folder of its own, which holds a program `bin/referee` and a file `bot.py`.
fn read_in_folder(text: &str) -> (Vec<Subject>, Diagnostics, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::write(folder.path().join("bin/referee"), "").unwrap();
    std::fs::write(folder.path().join("bot.py"), "").unwrap();
    let read = read(&Source::new("urtext.yaml", text), folder.path(), false);
    (read.subjects, read.problems, folder)
}

fn sound(text: &str) -> (Vec<Subject>, tempfile::TempDir) {
    let (subjects, faults, folder) = read_in_folder(text);
    assert_eq!(faults.draw(Paint::Plain), "");
    (subjects, folder)
}

#[test]
fn reads_a_referee_with_everything_that_can_be_said() {
    let (subjects, folder) = sound(
        "\
subjects:
  mine:
    as: referee
    game: royalur
    game-name: ur
    command: [bin/referee, --port, '{port}', --game, '{game}', '--mode={mode}', '{timeout}']
    environment:
      WATCH: '{spectator_port}'
      ROLLS: '{rolls}'
      HOME: ~
    ready: 'ready on {port}'
    players:
      say: ['JOIN {name}']
      expect: ['WELCOME {any}']
    spectators:
      at: same-port
      say: [WATCH]
    rolls: {argument: true, between-rolls: ', ', between-digits: ' ', digits: sum}
    late-spectator: from-now
    pace: 300ms
    budgets: {start: 3s, answer: 2s}
    limits: {memory: 256MiB, cpu: 10s, open-files: 64}
    parameters:
      mode: {type: [fast, slow], value: fast}
",
    );
    let [mine] = subjects.as_slice() else {
        panic!("one subject")
    };
    let here = folder.path().canonicalize().unwrap();
    let program = mine.program.as_ref().unwrap();
    assert_eq!(
        (mine.name.as_str(), mine.side, mine.game_name.as_str()),
        ("mine", Side::Referee, "ur")
    );
    assert_eq!(mine.players.way, Way::Connect(Address::Chosen));
    assert_eq!(
        mine.spectators.as_ref().unwrap().way,
        Way::Connect(Address::Players)
    );
    let named = Values::from([("name", "Ann".to_owned())]);
    assert_eq!(mine.players.say[0].fill(&named), "JOIN Ann");
    assert_eq!(
        program
            .command
            .program_from(here.to_str().unwrap())
            .unwrap(),
        here.join("bin/referee").to_str().unwrap()
    );
    assert_eq!(
        (program.folder.clone(), program.here.clone()),
        (Folder::Clean, here)
    );
    assert_eq!(program.environment[2], ("HOME".to_owned(), None));
    assert_eq!(mine.roll_hook, Some(RollHook::Arguments));
    assert_eq!(mine.roll_format.digits, Some(Digits::Sum));
    assert_eq!(mine.roll_format.between_rolls, Some(Text(", ".to_owned())));
    assert_eq!(mine.late_spectator, LateSpectator::FromNow);
    assert_eq!(
        mine.parameters[0].kind,
        ParameterKind::OneOf(vec!["fast".to_owned(), "slow".to_owned()])
    );
    assert_eq!(program.limits.memory, Some(Bytes(256 << 20)));
    assert_eq!(mine.budgets.handshake, None);
    assert_eq!(mine.budgets.start.unwrap().as_secs(), 3);
}

#[test]
fn the_way_to_a_subject_follows_from_its_command() {
    assert_lines("ways-to-subjects", |row| {
        let (side, rest) = row.split_once(": ").unwrap();
        let text = format!("subjects: {{s: {{as: {side}, game: ur, {rest}}}}}\n");
        let subject = sound(&text).0.remove(0);
        let watched = subject.spectators.map(|entrance| entrance.way);
        format!("{:?}, spectators {watched:?}", subject.players.way)
    });
}

#[test]
fn picks_a_subject_by_name_from_the_nearest_file() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    std::fs::create_dir_all(&below).unwrap();
    let path = folder.path().join(NAME);
    std::fs::write(
        &path,
        "subjects: {mine: {as: bot, game: ur, command: [b]}}\n",
    )
    .unwrap();
    assert_eq!(find(&below), Some(path.canonicalize().unwrap()));
    assert_eq!(pick(&path, "mine", &[]).unwrap().name, "mine");
    let drawn = pick(&path, "mien", &[]).unwrap_err().draw(Paint::Plain);
    assert!(
        drawn.contains("there is no subject `mien`") && drawn.contains("did you mean `mine`?"),
        "{drawn}"
    );
    std::fs::write(below.join(NAME), "subjects: {}\n").unwrap();
    assert_eq!(find(&below), Some(below.join(NAME).canonicalize().unwrap()));
    assert!(
        pick(&below.join(NAME), "mine", &[])
            .unwrap_err()
            .draw(Paint::Plain)
            .contains("config/empty")
    );
}

#[test]
fn reads_the_defaults_of_a_run_with_files_of_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let text = "run: {jobs: 3, retries: 2, for: 30m, allow: flaky, report: {html: site, markdown: '-'}, baseline: known.yaml}\n";
    std::fs::write(
        &path,
        format!("{text}subjects: {{b: {{as: bot, game: royalur, command: [x]}}}}\n"),
    )
    .unwrap();
    assert!(load(&path, false).problems.is_empty());
    let options = load(&path, false).run;
    let reports = [
        (ReportFormat::Markdown, "-".into()),
        (ReportFormat::Html, folder.path().join("site")),
    ]
    .map(|(format, file)| ReportFile { format, file });
    assert_eq!(
        (options.jobs.map(usize::from), options.retries),
        (Some(3), Some(2))
    );
    assert_eq!(options.limit, Some(Duration::from_secs(1800)));
    assert_eq!(options.allow, [Verdict::Flaky]);
    assert_eq!(options.reports.report, reports);
    assert_eq!(
        options.baseline.baseline,
        Some(folder.path().join("known.yaml"))
    );
}

fn set<'a>(settings: &[&'a str]) -> Vec<Setting<'a>> {
    let settings = settings
        .iter()
        .map(|setting| setting.split_once('=').unwrap());
    settings
        .map(|(key, value)| (key, value.to_owned()))
        .collect()
}

#[test]
fn keys_are_set_of_a_subject_of_the_command_line_and_of_one_in_a_file() {
    let sets = [
        "as=referee",
        "game=royalur",
        "players.at='h:1'",
        "timeout=3s",
        "budgets.answer=9s",
        "players.say=[HELLO, 'I AM {name}']",
        "late-spectator=nothing",
        "late-spectator=whole",
    ];
    let (subject, faults) = described("it", &set(&sets));
    assert_eq!(faults.draw(Paint::Plain), "");
    let subject = subject.unwrap();
    assert_eq!((subject.name.as_str(), subject.declared), ("it", None));
    let address = Address::At("h:1".to_owned());
    assert_eq!(subject.players.way, Way::Connect(address));
    assert_eq!(subject.players.say.len(), 2);
    assert_eq!(subject.timeout, Some(Duration::from_secs(3)));
    assert_eq!(subject.budgets.answer, Some(Duration::from_secs(9)));
    assert_eq!(subject.late_spectator, LateSpectator::Whole);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let parameters = "parameters: {depth: {type: number}, reach: a, tag: b}";
    let command = "command: [b, '{depth}', '{reach}', '{tag}']";
    let text = format!("subjects: {{mine: {{as: bot, game: ur, {parameters}, {command}}}}}");
    std::fs::write(&path, text).unwrap();
    let sets = ["depth=3", "parameters.reach=- c", "tag=[", "timeout=9s"];
    let mine = pick(&path, "mine", &set(&sets)).unwrap();
    let values = mine
        .parameters
        .iter()
        .map(|parameter| parameter.value.as_deref().unwrap());
    assert_eq!(values.collect::<Vec<_>>(), ["3", "- c", "["]);
    assert_eq!(mine.timeout, Some(Duration::from_secs(9)));
    assert_eq!(mine.declared.unwrap().0.name(), path.to_str().unwrap());
}

#[test]
fn every_format_of_a_report_is_read_by_its_name() {
    let formats = ReportFormat::NAMES.map(|name| ReportFormat::from_str(name, false));
    let all = ReportFormat::value_variants().iter().copied().map(Ok);
    assert_eq!(formats.to_vec(), all.collect::<Vec<_>>());
}

#[test]
fn a_command_of_the_command_line_runs_in_the_current_folder_unless_a_key_says_otherwise() {
    let folder = |more: &[&'static str]| {
        let own = ["as=bot", "game=royalur", "command=[./b, two words]"];
        let subject = described("b", &set(&[&own, more].concat())).0.unwrap();
        let program = subject.program.unwrap();
        (
            program
                .command
                .program_from(&program.here.to_string_lossy()),
            program.folder,
        )
    };
    let here = std::env::current_dir().unwrap();
    let located = Some(here.join("./b").to_str().unwrap().to_owned());
    assert_eq!(folder(&[]), (Some("./b".to_owned()), Folder::Current));
    assert_eq!(folder(&["folder=empty"]), (located.clone(), Folder::Clean));
    assert_eq!(folder(&["folder=."]), (located, Folder::At(here.join("."))));
}
