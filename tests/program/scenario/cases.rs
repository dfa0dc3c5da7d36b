//! One file, many scenarios; and names that are filled in.

use std::path::PathBuf;
use std::time::Duration;

use super::beside::Files;
use urtext::rules::PerSeat;
use urtext::scenario::{Golden, PlayerAction, Scenario, SendPart};

const HEAD: &str = "game: royalur\nsubject: referee\nchecks: [ur/roll/line]\n";

fn sound(text: &str) -> Vec<Scenario> {
    Files::default().sound(&(HEAD.to_owned() + text))
}

fn drawn(text: &str) -> String {
    Files::default().drawn(&(HEAD.to_owned() + text))
}

fn first_action(scenario: &Scenario) -> PlayerAction {
    scenario
        .game()
        .unwrap()
        .turns()
        .next()
        .unwrap()
        .1
        .action
        .clone()
}

#[test]
fn each_case_is_a_scenario_of_its_own() {
    let scenarios = sound(
        "\
scenario: a move that is no number, `{line}` ({case})
cases:
  - {case: word, line: banana}
  - {case: empty, line: \"\"}
  - {case: byte, line: '\\xff'}
turns:
  - first: 0 0 0 1 > \"{line}\" illegal
",
    );
    let names: Vec<_> = scenarios
        .iter()
        .map(|scenario| scenario.name.as_str())
        .collect();
    assert_eq!(names, ["s#word", "s#empty", "s#byte"]);
    let titles: Vec<_> = scenarios
        .iter()
        .map(|scenario| scenario.title.as_str())
        .collect();
    assert_eq!(
        titles[..2],
        [
            "a move that is no number, `banana` (word)",
            "a move that is no number, `` (empty)"
        ]
    );
    let actions: Vec<_> = scenarios.iter().map(first_action).collect();
    assert_eq!(
        actions,
        [b"banana".as_slice(), b"", b"\xff"].map(|line| PlayerAction::Illegal(line.to_vec()))
    );
    let golden = |scenario: &Scenario| match &scenario.golden {
        Golden::File { path, .. } => path.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        scenarios.iter().map(golden).collect::<Vec<_>>(),
        ["s.word", "s.empty", "s.byte"].map(PathBuf::from)
    );
    assert_eq!(scenarios[0].place(), "s.yaml#word");
    assert_eq!(scenarios[0].case.as_deref(), Some("word"));
}

#[test]
fn a_name_alone_is_whatever_the_file_gives_for_it() {
    let scenarios = sound(
        "\
scenario: t
variables: {long: 2s, count: 3, text: \"a\\n\", pause: 1s, one: \"> x\"}
names: [\"{one}\", '{{a}} }']
timeout: \"{long}\"
spectators: \"{count}\"
turns:
  - first: 0 0 0 1
    send: [\"{text}\", {repeat: \"{{{text}}}\", times: \"{count}\"}, {pause: \"{pause}\"}]
",
    );
    let scenario = &scenarios[0];
    assert_eq!((scenario.name.as_str(), &scenario.case), ("s", &None));
    assert_eq!(
        scenario.game().unwrap().timeout,
        Some(Duration::from_secs(2))
    );
    assert_eq!(scenario.game().unwrap().spectators, 3);
    assert_eq!(
        scenario.game().unwrap().names,
        Some(PerSeat(["> x".to_owned(), "{a} }".to_owned()]))
    );
    let parts = [
        SendPart::Bytes(b"a\n".to_vec()),
        SendPart::Bytes(b"{a\n}{a\n}{a\n}".to_vec()),
        SendPart::Pause(Duration::from_secs(1)),
    ];
    assert_eq!(first_action(scenario), PlayerAction::Send(parts.to_vec()));
}

#[test]
fn a_case_says_its_own_in_place_of_a_variable() {
    let scenarios = sound(
        "\
scenario: t
variables: {line: x}
cases:
  - case: usual
  - {case: other, line: y}
turns:
  - first: 0 0 0 1 > \"{line}\" illegal
",
    );
    let actions: Vec<_> = scenarios.iter().map(first_action).collect();
    assert_eq!(
        actions,
        [
            PlayerAction::Illegal(b"x".to_vec()),
            PlayerAction::Illegal(b"y".to_vec())
        ]
    );
}

#[test]
fn without_variables_and_cases_a_brace_is_a_brace() {
    let scenarios = sound("scenario: '{a} {{b'\nturns:\n  - first: '0 0 0 1 > \"{c\" illegal'\n");
    assert_eq!(scenarios[0].title, "{a} {{b");
    assert_eq!(
        first_action(&scenarios[0]),
        PlayerAction::Illegal(b"{c".to_vec())
    );
}

#[test]
fn what_is_filled_in_can_add_no_key_and_no_turn() {
    insta::assert_snapshot!(drawn("\
scenario: '{title}'
variables: {title: \"x\\nspectators: 3\", line: 'x\" illegal # '}
turns:
  - first: 0 0 0 1 > \"{line}\" illegal
"), @r#"
        error[yaml/expected-line]: text on one line is due here
         --> s.yaml:5:20
          |
        5 | variables: {title: "x\nspectators: 3", line: 'x" illegal # '}
          |                    ^^^^^^^^^^^^^^^^^^ this text holds a line end
          |
          = help: remove the line end from it

        error[turn/unknown-word]: `# " illegal` means nothing here
         --> s.yaml:7:12
          |
        7 |   - first: 0 0 0 1 > "{line}" illegal
          |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: nothing follows `illegal`
    "#);
}

#[test]
fn a_dialogue_without_rules_can_have_cases() {
    let text = "\
scenario: t
game: lines
subject: bot
cases: [{case: a, word: hello}, {case: b, word: 'x {{id}}'}]
steps:
  - bot gets: \"{word}\"
";
    let scenarios = Files::default().sound(text);
    assert_eq!(scenarios.len(), 2);
    assert_eq!(scenarios[1].name, "s#b");
}

#[test]
fn what_a_name_is_has_to_be_said() {
    insta::assert_snapshot!(drawn("\
scenario: t
cases:
  - {case: a, line: x}
  - {case: b, lime: x}
turns:
  - first: 0 0 0 1 > \"{line}\" illegal
  - second: 0 0 0 1 > \"{wing}{\" illegal
  - first: {line}
"), @r#"
        error[scenario/name]: nothing says what `{line}` is
         --> s.yaml:9:12
          |
        9 |   - first: 0 0 0 1 > "{line}" illegal
          |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: write `{lime}`
          = note: so it is in the case `b`

        error[turn/after-the-end]: the game is over before this turn
          --> s.yaml:10:5
           |
         9 |   - first: 0 0 0 1 > "{line}" illegal
           |     --------------------------------- here `first` loses the game
        10 |   - second: 0 0 0 1 > "{wing}{" illegal
           |     ^^^^^^ nothing can follow
           |
           = help: remove this turn and those after it
           = note: so it is in the case `a`

        error[scenario/name]: nothing says what `{wing}` is
          --> s.yaml:10:13
           |
        10 |   - second: 0 0 0 1 > "{wing}{" illegal
           |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: give it in `variables` or in every case; write `{{` for a literal brace
           = note: so it is in the case `a`

        error[scenario/name]: to YAML `{line}` is a mapping
          --> s.yaml:11:12
           |
        11 |   - first: {line}
           |            ^^^^^^
           |
           = help: put it in quotation marks: `"{line}"`
           = note: so it is in the case `a`

        error[yaml/expected-line]: text on one line is due here
          --> s.yaml:11:12
           |
        11 |   - first: {line}
           |            ^^^^^^ this is a mapping
           |
           = help: write it on the same line as its key
           = note: so it is in the case `a`
    "#);
}

#[test]
fn what_is_given_has_to_be_used() {
    insta::assert_snapshot!(drawn("\
scenario: t
variables: {line: x, lime: y}
cases:
  - {case: a, word: x}
  - {case: b, word: x}
turns:
  - first: 0 0 0 1 > \"{line}\" illegal
"), @r"
        error[scenario/name]: `{lime}` stands nowhere
         --> s.yaml:5:22
          |
        5 | variables: {line: x, lime: y}
          |                      ^^^^ nothing is filled in
          |
          = help: remove it, or write it where it belongs

        error[scenario/name]: `{word}` stands nowhere
         --> s.yaml:7:15
          |
        7 |   - {case: a, word: x}
          |               ^^^^ nothing is filled in
          |
          = help: remove it, or write it where it belongs
    ");
}

#[test]
fn cases_and_variables_are_names_and_texts() {
    insta::assert_snapshot!(drawn("\
scenario: t
variables: {Line: x, a b: y, case: z, list: [x], none: }
cases:
  - {line: x}
  - case: A
  - {case: twice, line: x}
  - {case: twice, line: y}
  - x
turns:
  - first: 0 0 0 0
"), @r#"
        error[scenario/cases]: `Line` cannot be filled in by its name
         --> s.yaml:5:13
          |
        5 | variables: {Line: x, a b: y, case: z, list: [x], none: }
          |             ^^^^
          |
          = help: write a small letter or a digit, and after it small letters, digits and `-` as you like

        error[scenario/cases]: `a b` cannot be filled in by its name
         --> s.yaml:5:22
          |
        5 | variables: {Line: x, a b: y, case: z, list: [x], none: }
          |                      ^^^
          |
          = help: write a small letter or a digit, and after it small letters, digits and `-` as you like

        error[scenario/cases]: `case` is the name of a case
         --> s.yaml:5:30
          |
        5 | variables: {Line: x, a b: y, case: z, list: [x], none: }
          |                              ^^^^
          |
          = help: give the variable another name

        error[scenario/cases]: only text can be filled in
         --> s.yaml:5:45
          |
        5 | variables: {Line: x, a b: y, case: z, list: [x], none: }
          |                                             ^^^ this is a list
          |
          = help: write a text; an empty one is `""`

        error[scenario/cases]: only text can be filled in
         --> s.yaml:5:54
          |
        5 | variables: {Line: x, a b: y, case: z, list: [x], none: }
          |                                                      ^ this is nothing
          |
          = help: write a text; an empty one is `""`

        error[scenario/cases]: a case needs a name
         --> s.yaml:7:5
          |
        7 |   - {line: x}
          |     ^^^^^^^^^
          |
          = help: write it first, such as `case: empty`

        error[scenario/cases]: `A` cannot be the name of a case
         --> s.yaml:8:11
          |
        8 |   - case: A
          |           ^
          |
          = help: write a small letter or a digit, and after it small letters, digits and `-` as you like

        error[scenario/cases]: there is another case `twice`
          --> s.yaml:10:12
           |
         9 |   - {case: twice, line: x}
           |            ----- first here
        10 |   - {case: twice, line: y}
           |            ^^^^^ here again
           |
           = help: give it another name

        error[yaml/expected-mapping]: a mapping of keys to values is due here
          --> s.yaml:11:5
           |
        11 |   - x
           |     ^ this is the text `x`
           |
           = help: write `key: value`, each on its own line, indented alike
    "#);
    insta::assert_snapshot!(drawn("scenario: t\nvariables: x\ncases: []\nturns:\n  - first: 0 0 0 0\n"), @r#"
        error[yaml/expected-mapping]: a mapping of keys to values is due here
         --> s.yaml:5:12
          |
        5 | variables: x
          |            ^ this is the text `x`
          |
          = help: write `key: value`, each on its own line, indented alike

        error[scenario/cases]: at least one case is due here
         --> s.yaml:6:8
          |
        6 | cases: []
          |        ^^
          |
          = help: write one a line, such as `- {case: empty, line: ""}`
    "#);
    insta::assert_snapshot!(drawn("scenario: t\ncases: {case: a}\nturns:\n  - first: 0 0 0 0\n"), @r"
        error[yaml/expected-list]: a list is due here
         --> s.yaml:5:8
          |
        5 | cases: {case: a}
          |        ^^^^^^^^^ this is a mapping
          |
          = help: write `[one, another]`, or each entry on its own line after `- `
    ");
}

#[test]
fn a_fault_in_a_case_names_the_case() {
    insta::assert_snapshot!(drawn("\
scenario: t
cases:
  - {case: right, token: 0}
  - {case: wrong, token: 7}
  - {case: refused, token: 1}
turns:
  - first: 0 0 0 1 > 0
  - second: 0 0 0 0
  - first: 0 0 0 1 > {token}
"), @r#"
        error[turn/move]: `7` is no move
          --> s.yaml:12:12
           |
        12 |   - first: 0 0 0 1 > {token}
           |            ^^^^^^^^^^^^^^^^^ due is the number of a token, 0 to 6
           |
           = help: to have the line sent all the same, write `"7" illegal`
           = note: so it is in the case `wrong`

        error[turn/refused]: the rules refuse this move: an own token stands there
          --> s.yaml:12:12
           |
        12 |   - first: 0 0 0 1 > {token}
           |            ^^^^^^^^^^^^^^^^^
           |
           = note: legal here: `0`
           = help: to have it sent all the same, write `0 0 0 1 > 1 illegal`
           = note: the position before the turn:
                     second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                   +----+----+----+----+         +----+----+
                   | *  |    |    |    |         | *  |    |
                   +----+----+----+----+----+----+----+----+
                   |    |    |    | *  |    |    |    |    |
                   +----+----+----+----+----+----+----+----+
                   | *  |    |    | a0 |         | *  |    |
                   +----+----+----+----+         +----+----+
                   > first   start: a1 a2 a3 a4 a5 a6     out: -
           = note: so it is in the case `refused`
    "#);
}

#[test]
fn two_cases_have_two_golden_transcripts() {
    let text = "\
scenario: t
cases: [{case: a, roll: 0 0 0 0}, {case: b, roll: 0 0 0 0}]
turns:
  - first: \"{roll}\"
golden: x.txt
";
    insta::assert_snapshot!(drawn(text), @r"
        error[scenario/golden]: another case has the same golden transcript
         --> s.yaml:8:9
          |
        8 | golden: x.txt
          |         ^^^^^
          |
          = help: write `{case}` into its name, or remove the line: the name follows from the case's
          = note: so it is in the case `b`
    ");
    assert_eq!(sound(&text.replace("x.txt", "x-{case}.txt")).len(), 2);
}

#[test]
fn a_slip_in_a_key_of_the_file_is_seen() {
    insta::assert_snapshot!(drawn("scenario: t\ncasess: []\nvariabels: {}\nturns:\n  - first: 0 0 0 0\n"), @r"
        error[yaml/unknown-key]: there is no key `casess` in a scenario
         --> s.yaml:5:1
          |
        5 | casess: []
          | ^^^^^^ not known here
          |
          = help: write `cases`

        error[yaml/unknown-key]: there is no key `variabels` in a scenario
         --> s.yaml:6:1
          |
        6 | variabels: {}
          | ^^^^^^^^^ not known here
          |
          = help: write `variables`
    ");
}

#[test]
fn cases_and_what_they_fill_in_are_bounded() {
    let cases: String = (0..2001)
        .map(|number| format!("  - case: c{number}\n"))
        .collect();
    let many = drawn(&format!(
        "scenario: t\ncases:\n{cases}turns:\n  - first: 0 0 0 0\n"
    ));
    assert!(many.contains("a file has at most 2000 cases"), "{many}");
    let long = "x".repeat(100_000);
    let title = "{a}".repeat(1000);
    let turns = "turns:\n  - first: 0 0 0 0\n";
    let bound = "error[scenario/too-much]: this file takes too much work";
    let large = drawn(&format!(
        "scenario: '{title}'\nvariables: {{a: {long}}}\n{turns}"
    ));
    assert!(large.contains(bound), "{large}");
    let cases: String = (0..2000)
        .map(|number| format!("  - case: c{number}\n"))
        .collect();
    let large = drawn(&format!("scenario: {long}\ncases:\n{cases}{turns}"));
    assert!(
        large.contains(bound) && large.matches("error[").count() == 1,
        "{large}"
    );
    let turns = "  - first: 0 0 0 0\n  - second: 0 0 0 0\n".repeat(1000);
    let cases: String = (0..60)
        .map(|number| format!("  - case: c{number}\n"))
        .collect();
    let steps = drawn(&format!("scenario: t\ncases:\n{cases}turns:\n{turns}"));
    assert!(steps.contains(bound), "{steps}");
}
