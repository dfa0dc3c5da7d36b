use std::time::Duration;

use super::*;
use crate::config::{Address, Digits, Folder, Kind, LateSpectator, RollHook, Values, Way};
use crate::diagnostic::Paint;
use crate::scenario::Side;

/// Reads a file that stands in a folder of its own, which holds a program `bin/referee` and a file `bot.py`.
fn read_in_folder(text: &str) -> (Vec<Subject>, Diagnostics, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::write(folder.path().join("bin/referee"), "").unwrap();
    std::fs::write(folder.path().join("bot.py"), "").unwrap();
    let (subjects, faults) = read(&Source::new("urtext.yaml", text), folder.path());
    (subjects, faults, folder)
}

fn sound(text: &str) -> (Vec<Subject>, tempfile::TempDir) {
    let (subjects, faults, folder) = read_in_folder(text);
    assert_eq!(faults.draw(Paint::Plain), "");
    (subjects, folder)
}

fn faults(text: &str) -> Vec<String> {
    let (_, faults, _folder) = read_in_folder(text);
    faults
        .sorted()
        .iter()
        .map(|fault| fault.to_string())
        .collect()
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
        program.command.program().unwrap(),
        here.join("bin/referee").to_str().unwrap()
    );
    assert_eq!(
        (program.folder.clone(), program.here.clone()),
        (Folder::Clean, here)
    );
    assert_eq!(program.environment[2], ("HOME".to_owned(), None));
    assert_eq!(mine.roll_hook, Some(RollHook::Arguments));
    assert_eq!(mine.roll_format.digits, Digits::Sum);
    assert_eq!(mine.roll_format.between_rolls.as_deref(), Some(", "));
    assert_eq!(mine.late_spectator, LateSpectator::FromNow);
    assert_eq!(
        mine.parameters[0].kind,
        Kind::OneOf(vec!["fast".to_owned(), "slow".to_owned()])
    );
    assert_eq!(program.limits.memory, Some(256 << 20));
    assert_eq!(mine.budgets.handshake, None);
    assert_eq!(mine.budgets.start.unwrap().as_secs(), 3);
}

#[test]
fn the_way_to_a_subject_follows_from_its_command() {
    let of = |side: &str, rest: &str| {
        let (subjects, _folder) = sound(&format!(
            "subjects: {{s: {{as: {side}, game: ur, {rest}}}}}\n"
        ));
        let subject = subjects.into_iter().next().unwrap();
        (
            subject.players.way,
            subject.spectators.map(|entrance| entrance.way),
        )
    };
    let chosen = || Way::Connect(Address::Chosen);
    let printed = || Way::Connect(Address::Printed);
    assert_eq!(of("referee", "command: [r, '{port}']"), (chosen(), None));
    assert_eq!(
        of("referee", "command: [r, '{port}', '{spectator_port}']"),
        (chosen(), Some(chosen()))
    );
    assert_eq!(of("referee", "command: [r]"), (printed(), Some(printed())));
    assert_eq!(
        of("referee", "command: [r], spectators: none"),
        (printed(), None)
    );
    assert_eq!(
        of(
            "referee",
            "command: [r], ready: 'on {port}', spectators: none"
        ),
        (printed(), None)
    );
    let both = "command: [r], ready: 'on {port} and {spectator_port}'";
    assert_eq!(of("referee", both), (printed(), Some(printed())));
    assert_eq!(
        of("referee", "command: [r, '{seat_first}', '{seat_second}']"),
        (Way::Seats, None)
    );
    assert_eq!(
        of(
            "referee",
            "command: [r, '{seat_first}', '{seat_second}', '{seat_spectators...}']"
        ),
        (Way::Seats, Some(Way::Seats))
    );
    let pipes = "'{pipe_in_first}', '{pipe_out_first}', '{pipe_in_second}', '{pipe_out_second}'";
    assert_eq!(
        of("referee", &format!("command: [r, {pipes}]")),
        (Way::NamedPipes, None)
    );
    assert_eq!(
        of("referee", "command: [r], reach: lanes-on-stdio"),
        (Way::LanesOnStdio, Some(Way::LanesOnStdio))
    );
    let at = |address: &str| Way::Connect(Address::At(address.to_owned()));
    assert_eq!(
        of("referee", "players: 'h:1', spectators: 'h:2'"),
        (at("h:1"), Some(at("h:2")))
    );
    assert_eq!(of("bot", "command: [b]"), (Way::Stdio, None));
    assert_eq!(
        of("bot", "command: [b, '{pipe_in}']"),
        (Way::NamedPipes, None)
    );
    assert_eq!(
        of("bot", "command: [b], reach: named-pipes"),
        (Way::NamedPipes, None)
    );
    assert_eq!(
        of("bot", "command: [b, '{host}', '{port}']"),
        (Way::Accept, None)
    );
    assert_eq!(
        of("bot", "command: [b, '{port}'], reach: listens"),
        (chosen(), None)
    );
    assert_eq!(
        of("bot", "command: [b], reach: listens, ready: 'at {players}'"),
        (printed(), None)
    );
}

#[test]
fn every_fault_is_said_at_once_with_what_to_write() {
    let (_, faults, _folder) = read_in_folder(
        "\
subjects:
  one:
    as: refree
    game: royalr
    command: [bin/referee, '{prot}', '{seat_first...}x']
    folder: nowhere
    limits: {memory: 12, cpu: 1500ms, open-files: 1}
    late-spectator: maybe
    pace: 1h
  two:
    as: bot
    game: ur
    command: []
    rolls: argument
    spectators: everywhere
    parameters: {port: 3, mode: {type: number, value: x}}
  three:
    as: referee
    game: ur
    ready: on {prt}
    timout: 2s
",
    );
    insta::assert_snapshot!(faults.draw(Paint::Plain), @r"
    error[yaml/expected-one-of]: one of `referee`, `bot` is due here
     --> urtext.yaml:3:9
      |
    3 |     as: refree
      |         ^^^^^^ this is the text `refree`
      |
      = help: write `referee`

    error[config/game]: there is no game `royalr`
     --> urtext.yaml:4:11
      |
    4 |     game: royalr
      |           ^^^^^^
      |
      = help: write `royalur`

    error[config/place]: {prot} in `{prot}` is no place that can be filled; did you mean {port}?
     --> urtext.yaml:5:28
      |
    5 |     command: [bin/referee, '{prot}', '{seat_first...}x']
      |                            ^^^^^^^^
      |
      = help: the places are {host} {port} {spectator_port} {spectators} {timeout} {timeout_ms} {pace} {pace_ms} {first} {second} {game} {here} {rolls} {rolls_file} {setup} {seed} {seat_first} {seat_second} {pipe_in_first} {pipe_out_first} {pipe_in_second} {pipe_out_second} {pipe_in} {pipe_out} {deal} {starter} {seat_first...} {seat_second...} {seat_spectators...} {pipe_out_spectators...}
      = help: write {{ for a brace

    error[config/place]: {seat_first...} in `{seat_first...}x` expands to several words, and must be a word of its own
     --> urtext.yaml:5:38
      |
    5 |     command: [bin/referee, '{prot}', '{seat_first...}x']
      |                                      ^^^^^^^^^^^^^^^^^^

    error[config/folder]: there is no folder `nowhere` beside the file
     --> urtext.yaml:6:13
      |
    6 |     folder: nowhere
      |             ^^^^^^^

    error[config/memory]: a number of bytes is due here
     --> urtext.yaml:7:22
      |
    7 |     limits: {memory: 12, cpu: 1500ms, open-files: 1}
      |                      ^^
      |
      = help: write a number and a unit, such as `512MiB`

    error[config/cpu]: whole seconds are due here, at least one
     --> urtext.yaml:7:31
      |
    7 |     limits: {memory: 12, cpu: 1500ms, open-files: 1}
      |                               ^^^^^^

    error[config/open-files]: a program needs at least 4 open files: its three streams and one more
     --> urtext.yaml:7:51
      |
    7 |     limits: {memory: 12, cpu: 1500ms, open-files: 1}
      |                                                   ^

    error[yaml/expected-one-of]: one of `whole`, `from-now`, `nothing`, `unknown` is due here
     --> urtext.yaml:8:21
      |
    8 |     late-spectator: maybe
      |                     ^^^^^ this is the text `maybe`

    error[config/command]: the command has no words
      --> urtext.yaml:13:14
       |
    13 |     command: []
       |              ^^

    error[config/rolls]: rolls are forced by {rolls}, and neither command nor environment has that place
      --> urtext.yaml:14:12
       |
    14 |     rolls: argument
       |            ^^^^^^^^

    error[config/side]: `rolls` is for a referee, and this is a bot
      --> urtext.yaml:14:12
       |
    14 |     rolls: argument
       |            ^^^^^^^^

    error[config/spectators]: `none`, `same-port`, `own-port` or an address HOST:PORT is due here
      --> urtext.yaml:15:17
       |
    15 |     spectators: everywhere
       |                 ^^^^^^^^^^

    error[config/side]: `spectators` is for a referee, and this is a bot
      --> urtext.yaml:15:17
       |
    15 |     spectators: everywhere
       |                 ^^^^^^^^^^

    error[config/parameter]: {port} has a meaning already
      --> urtext.yaml:16:18
       |
    16 |     parameters: {port: 3, mode: {type: number, value: x}}
       |                  ^^^^

    error[config/parameter]: a whole number such as 3 is due here
      --> urtext.yaml:16:55
       |
    16 |     parameters: {port: 3, mode: {type: number, value: x}}
       |                                                       ^

    error[config/reach]: nothing says where this subject is
      --> urtext.yaml:17:3
       |
    17 |   three:
       |   ^^^^^
       |
       = help: give its command, or the address at which it listens

    error[config/command]: `ready` is for a subject that urtext starts, and there is no `command`
      --> urtext.yaml:20:12
       |
    20 |     ready: on {prt}
       |            ^^^^^^^^

    error[yaml/unknown-key]: there is no key `timout` in a subject
      --> urtext.yaml:21:5
       |
    21 |     timout: 2s
       |     ^^^^^^ not known here
       |
       = help: write `timeout`
    ");
}

#[test]
fn a_subject_that_nothing_leads_to_is_a_fault() {
    let of = |side: &str, rest: &str| {
        faults(&format!(
            "subjects: {{s: {{as: {side}, game: ur, {rest}}}}}\n"
        ))
        .concat()
    };
    assert!(of("bot", "command: [b, '{port}']").contains("can listen there or connect there"));
    assert!(of("bot", "command: [b], reach: connects").contains("does not say where"));
    assert!(of("bot", "command: [b], reach: seats").contains("a bot is not reached by `seats`"));
    assert!(of("referee", "command: [r, '{pipe_in_first}']").contains("{pipe_out_first}"));
    assert!(
        of("referee", "command: [r], reach: stdio").contains("a referee is not reached by `stdio`")
    );
    assert!(
        of("referee", "command: [r], reach: seats, players: 'h:1'").contains("it has an address")
    );
    assert!(
        of(
            "referee",
            "command: [r], reach: seats, spectators: same-port"
        )
        .contains("not reached over TCP")
    );
    assert!(of("referee", "rolls: {environment: R}, players: 'h:1'").contains("no `command`"));
    assert!(of("referee", "spectators: none").contains("nothing says where this subject is"));
    assert!(of("referee", "players: 'h:0'").contains("HOST:PORT"));
}

#[test]
fn warns_of_a_file_that_the_empty_folder_does_not_have() {
    let of =
        |rest: &str| faults(&format!("subjects: {{s: {{as: bot, game: ur, {rest}}}}}\n")).concat();
    assert!(of("command: [python3, bot.py]").contains("warning[config/file]"));
    assert_eq!(of("command: [python3, bot.py], folder: ."), "");
    assert_eq!(of("command: [python3, '{here}/bot.py']"), "");
    // A program that is not there is the affair of a check, and of a run that starts it.
    assert_eq!(of("command: [bin/nothing]"), "");
}

#[test]
fn a_check_finds_misspelt_programs_and_a_run_of_another_subject_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let text = "subjects:\n  mine: {as: bot, game: ur, command: [sh]}\n  \
                slip: {as: bot, game: ur, command: [shh, -c, x]}\n  \
                gone: {as: bot, game: ur, command: [bin/bot]}\n";
    std::fs::write(&path, text).unwrap();
    let drawn = missing_programs(&path)
        .draw(Paint::Plain)
        .replace(&*path.to_string_lossy(), NAME);
    insta::assert_snapshot!(drawn, @r"
    error[config/program]: this program cannot be started: No such file or directory (os error 2)
     --> urtext.yaml:3:39
      |
    3 |   slip: {as: bot, game: ur, command: [shh, -c, x]}
      |                                       ^^^
      |
      = help: a name without `/` is looked for along PATH

    error[config/program]: this program cannot be started: No such file or directory (os error 2)
     --> urtext.yaml:4:39
      |
    4 |   gone: {as: bot, game: ur, command: [bin/bot]}
      |                                       ^^^^^^^
      |
      = help: a path is taken from the folder of this file
    ");
    assert!(pick(&path, "mine").is_ok());
}

#[test]
fn warns_where_the_line_of_readiness_leaves_spectators_out() {
    let of = |ready: &str, rest: &str| {
        let text = format!(
            "subjects: {{s: {{as: referee, game: ur, command: [r], ready: '{ready}'{rest}}}}}\n"
        );
        faults(&text).concat()
    };
    let silent = of("up at {port}", "");
    assert!(
        silent.contains("warning[config/spectators]") && silent.contains("cannot be tested"),
        "{silent}"
    );
    assert_eq!(of("up at {port} and {spectator_port}", ""), "");
    assert_eq!(of("up at {port}", ", spectators: none"), "");
    assert_eq!(of("up at {port}", ", spectators: same-port"), "");
    assert_eq!(of("up", ", spectators: 'h:1'"), "");
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
    assert_eq!(pick(&path, "mine").unwrap().name, "mine");
    let drawn = pick(&path, "mien").unwrap_err().draw(Paint::Plain);
    assert!(
        drawn.contains("there is no subject `mien`") && drawn.contains("did you mean `mine`?"),
        "{drawn}"
    );
    std::fs::write(below.join(NAME), "subjects: {}\n").unwrap();
    assert_eq!(find(&below), Some(below.join(NAME).canonicalize().unwrap()));
    assert!(
        pick(&below.join(NAME), "mine")
            .unwrap_err()
            .draw(Paint::Plain)
            .contains("config/empty")
    );
}

/// One subject with these keys, and all that is said of it.
fn drawn(text: &str) -> String {
    read_in_folder(text).1.draw(Paint::Plain)
}

fn drawn_with(keys: &str) -> String {
    drawn(&format!(
        "subjects:\n  mine:\n    as: referee\n    game: royalur\n    {keys}\n"
    ))
}

#[test]
fn an_unknown_place_is_told_with_the_one_that_was_meant_and_all_others() {
    let drawn = drawn_with("command: [ref, '{port}', '{dice_file}']");
    assert_eq!(drawn.matches("error[").count(), 1, "{drawn}");
    for words in [
        "urtext.yaml:5:30\n",
        "did you mean {rolls_file}?",
        "the places are {host} {port}",
        " {pipe_out_spectators...}",
    ] {
        assert!(drawn.contains(words), "{words}: {drawn}");
    }
}

#[test]
fn a_place_without_quotation_marks_is_to_be_quoted() {
    insta::assert_snapshot!(drawn_with("command: [ref.py, {rolls_file}]"), @r"
    error[config/quote]: `{rolls_file}` is a mapping to YAML, and a text is due here
     --> urtext.yaml:5:23
      |
    5 |     command: [ref.py, {rolls_file}]
      |                       ^^^^^^^^^^^^
      |
      = help: put it in quotation marks: `'{rolls_file}'`
    ");
    let list = drawn_with("command:\n      - ref\n      - {seat_first...}");
    assert!(
        list.contains("urtext.yaml:7:9") && list.contains("`'{seat_first...}'`"),
        "{list}"
    );
}

#[test]
fn the_name_of_a_variable_alone_is_no_way_to_force_rolls() {
    insta::assert_snapshot!(drawn_with("command: [ref, '{port}']\n    rolls: MY_ROLLS"), @r"
    error[config/rolls]: `MY_ROLLS` is no way to force rolls; did you mean an environment variable of that name?
     --> urtext.yaml:6:12
      |
    6 |     rolls: MY_ROLLS
      |            ^^^^^^^^
      |
      = help: write `rolls: {environment: MY_ROLLS}`
    ");
    let other = drawn_with("command: [ref, '{port}']\n    rolls: by hand");
    assert!(
        other.contains("write `{environment: NAME}`, `argument` with {rolls}"),
        "{other}"
    );
}

#[test]
fn subjects_without_their_level_are_one_fault() {
    insta::assert_snapshot!(drawn("mine:\n  as: referee\n  game: royalur\n  command: [ref, '{port}']\n"), @r"
    error[config/level]: the subjects stand at the top of the file, and not below the key `subjects`
     --> urtext.yaml:1:1
      |
    1 | mine:
      | ^^^^^
      |
      = help: write `subjects:` above them, and indent them by two spaces
    ");
    insta::assert_snapshot!(drawn("as: referee\ngame: royalur\ncommand: [ref]\nrolls: none\n"), @r"
    error[config/level]: a subject has no name here: it stands at the top of the file
     --> urtext.yaml:1:1
      |
    1 | as: referee
      | ^^^^^^^^^^^
      |
      = help: write `subjects:` first, below it the name of the subject, such as `  mine:`, and below that these keys, indented by four spaces
    ");
    let slip = drawn("subject:\n  mine: {as: bot, game: ur, command: [b]}\n");
    assert!(
        slip.contains("write `subjects`") && slip.matches("error[").count() == 1,
        "{slip}"
    );
}

#[test]
fn a_command_line_is_told_with_a_list_that_can_be_copied() {
    insta::assert_snapshot!(drawn_with("command: python3 ref.py --dice {rolls_file}"), @r"
    error[config/command]: a command is a list of words
     --> urtext.yaml:5:14
      |
    5 |     command: python3 ref.py --dice {rolls_file}
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: there is no shell; write `command: [python3, ref.py, --dice, '{rolls_file}']`
    ");
    // What the help says is right.
    assert_eq!(
        drawn_with("command: [python3, ref.py, --dice, '{rolls_file}']"),
        ""
    );
    for (line, list) in [
        (
            "./r --name 'two words' -x",
            "[./r, --name, 'two words', -x]",
        ),
        ("r {port} --", "[r, '{port}', '--']"),
        ("r \"it's\" -- x", "[r, 'it''s', '--', x]"),
    ] {
        let drawn = drawn_with(&format!("command: {line}"));
        assert!(
            drawn.contains(&format!("write `command: {list}`")),
            "{drawn}"
        );
        let faults = drawn_with(&format!("command: {list}"));
        assert!(!faults.contains("error["), "{faults}");
    }
}

#[test]
fn an_address_without_a_port_is_one_fault() {
    insta::assert_snapshot!(drawn_with("players: 127.0.0.1"), @r"
    error[config/address]: the address `127.0.0.1` has no port
     --> urtext.yaml:5:14
      |
    5 |     players: 127.0.0.1
      |              ^^^^^^^^^
      |
      = help: write `127.0.0.1:PORT`, such as `127.0.0.1:4000`
    ");
    assert_eq!(
        drawn_with("players: {at: 'no address', say: [x]}")
            .matches("error[")
            .count(),
        1
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
    assert!(load(&path).1.is_empty());
    let defaults = run_defaults(&path);
    let reports = [
        ("markdown", "-".into()),
        ("html", folder.path().join("site")),
    ];
    assert_eq!(
        (defaults.jobs.map(usize::from), defaults.retries),
        (Some(3), Some(2))
    );
    assert_eq!(defaults.limit, Some(Duration::from_secs(1800)));
    assert_eq!(defaults.allow, ["flaky"]);
    assert_eq!(defaults.reports, reports);
    assert_eq!(defaults.baseline, Some(folder.path().join("known.yaml")));
}

#[test]
fn names_what_is_wrong_with_the_defaults_of_a_run() {
    let says = |run: &str, title: &str, help: &str| {
        let text =
            format!("run: {{{run}}}\nsubjects: {{b: {{as: bot, game: royalur, command: [x]}}}}\n");
        let (_, faults, _folder) = read_in_folder(&text);
        let drawn = faults.draw(Paint::Plain);
        assert_eq!(faults.errors(), 1, "{drawn}");
        for part in [title, help, "urtext.yaml:1:"] {
            assert!(drawn.contains(part), "no {part:?} in {drawn}");
        }
    };
    says(
        "retrys: 1",
        "there is no key `retrys` in run",
        "write `retries`",
    );
    says(
        "report: {junt: x}",
        "there is no key `junt` in report",
        "write `junit`",
    );
    says("allow: [flakey]", "is due here", "write `flaky`");
    says("jobs: 0", "config/number", "a number from 1 to ");
    says("for: 30", "this has no unit", "write `30s`");
    says("retries: -1", "a whole number is due here", "digits");
    says("report: x.xml", "yaml/expected-mapping", "");
}
