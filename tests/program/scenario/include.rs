//! Turns out of other files.

use super::REFEREE;
use super::beside::Files;
use urtext::scenario::Scenario;

const OPENING: &str = "turns:\n  - first: 0 0 1 1 > 3\n  - second: 0 0 0 0\n";

/// A scenario for a referee with these turns.
fn text(turns: &str) -> String {
    REFEREE.to_owned() + turns
}

fn shown(scenario: &Scenario) -> Vec<&str> {
    let spans = scenario
        .game()
        .unwrap()
        .steps
        .iter()
        .map(|step| scenario.source.slice(step.span));
    spans.map(|bytes| str::from_utf8(bytes).unwrap()).collect()
}

#[test]
fn the_turns_of_a_file_stand_where_it_is_included() {
    let files = Files::default().with("_opening.yaml", OPENING);
    let scenarios = files.sound(&text(
        "  - include: _opening.yaml\n  - first: 0 0 0 1 > 3\n",
    ));
    assert_eq!(
        shown(&scenarios[0]),
        [
            "include: _opening.yaml",
            "include: _opening.yaml",
            "first: 0 0 0 1 > 3"
        ]
    );
}

#[test]
fn several_files_and_files_of_files_are_included_in_order() {
    let files = Files::default()
        .with(
            "parts/_a.yaml",
            "turns:\n  - include: deep/_b.yaml\n  - second: 0 0 0 0\n",
        )
        .with("parts/deep/_b.yaml", "turns: [{first: 0 0 0 0}]")
        .with(
            "_end.yaml",
            "turns:\n  - first: 0 0 0 1 > 0\n  - play: to the end\n",
        );
    let scenarios = files.sound(&text("  - include: [parts/_a.yaml, _end.yaml]\n"));
    assert_eq!(
        shown(&scenarios[0]),
        ["parts/_a.yaml", "parts/_a.yaml", "_end.yaml", "_end.yaml"]
    );
}

#[test]
fn names_are_filled_in_in_what_is_included() {
    let files = Files::default().with(
        "_bad.yaml",
        "turns:\n  - first: 0 0 0 1 > \"{line}\" illegal\n",
    );
    let scenarios = files.sound(&text(
        "  - include: \"_{what}.yaml\"\ncases:\n  - {case: a, line: x, what: bad}\n",
    ));
    assert_eq!(scenarios.len(), 1);
}

#[test]
fn what_is_filled_in_wrongly_is_shown_in_the_included_file() {
    let files = Files::default().with(
        "_a.yaml",
        "turns:\n  - first: \"{turn}\"\n  - second: 0 {wrong}\n",
    );
    let variables = "variables: {turn: 0 0 0 0 > 1 and a long way beyond, wrong: 0 0 3}\n";
    insta::assert_snapshot!(files.drawn(&text(&format!("  - include: _a.yaml\n{variables}"))), @r#"
    error[turn/unknown-word]: `and a long way beyond` means nothing here
     --> _a.yaml:2:12
      |
    2 |   - first: "{turn}"
      |            ^^^^^^^^
      |
     ::: s.yaml:6:14
      |
    6 |   - include: _a.yaml
      |              ------- included here
      |
      = help: nothing but `illegal` can follow a move

    error[turn/roll]: `0 0 0 3` is no roll
     --> _a.yaml:3:13
      |
    3 |   - second: 0 {wrong}
      |             ^^^^^^^^^
      |
     ::: s.yaml:6:14
      |
    6 |   - include: _a.yaml
      |              ------- included here
      |
      = help: write four coins such as `0 1 1 0`
    "#);
}

#[test]
fn a_fault_in_an_included_file_is_shown_there_and_where_it_is_included() {
    let files = Files::default()
        .with("_opening.yaml", OPENING.replace("> 3", "> 7"))
        .with("_again.yaml", "turns:\n  - include: _opening.yaml\n");
    insta::assert_snapshot!(files.drawn(&text("  - include: _again.yaml\n  - first: 0 0 2 1\n")), @r#"
        error[turn/move]: `7` is no move
         --> _opening.yaml:2:22
          |
        2 |   - first: 0 0 1 1 > 7
          |                      ^ due is the number of a token, 0 to 6
          |
         ::: _again.yaml:2:14
          |
        2 |   - include: _opening.yaml
          |              ------------- included here
          |
         ::: s.yaml:6:14
          |
        6 |   - include: _again.yaml
          |              ----------- included here
          |
          = help: to have the line sent all the same, write `"7" illegal`

        error[turn/roll]: `0 0 2 1` is no roll
         --> s.yaml:7:12
          |
        7 |   - first: 0 0 2 1
          |            ^^^^^^^
          |
          = help: write four coins such as `0 1 1 0`
    "#);
}

#[test]
fn the_rules_are_held_against_included_turns_in_their_place() {
    let files = Files::default().with("_opening.yaml", OPENING);
    let turns = "  - first: 0 0 0 1 > 3\n  - second: 0 0 0 0\n  - include: _opening.yaml\n  - first: 0 0 0 0 > 1\n";
    insta::assert_snapshot!(files.drawn(&text(turns)), @r"
        error[turn/blocked]: no move is possible here, so the turn is skipped
         --> s.yaml:9:22
          |
        9 |   - first: 0 0 0 0 > 1
          |                      ^ no head, nothing can move
          |
          = help: write `0 0 0 0`, or another roll to move
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  | a3 |    |    |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a0 a1 a2 a4 a5 a6     out: -
    ");
}

#[test]
fn what_can_be_included_is_a_file_of_turns_beside_the_scenario() {
    let files = Files::default()
        .with("_scenario.yaml", text("  - first: 0 0 0 0\n"))
        .with("_list.yaml", "- first: 0 0 0 0\n")
        .with("_empty.yaml", "turns: []\n");
    let turns = "  - include: ../x.yaml
  - include: /etc/passwd
  - include: _x.txt
  - include: [_x.yaml, {}]
  - include: _scenario.yaml
  - include: _list.yaml
  - include: _empty.yaml
  - include: _x.yaml
    first: 0 0 0 0
  - inclde: _x.yaml
";
    insta::assert_snapshot!(files.drawn(&text(turns)), @r"
    error[turn/include]: this cannot be a file to include: it holds a `.` or `..`, and must stay in its folder
     --> s.yaml:6:14
      |
    6 |   - include: ../x.yaml
      |              ^^^^^^^^^
      |
      = help: write a plain file name, such as `_opening.yaml`

    error[turn/include]: this cannot be a file to include: it is absolute
     --> s.yaml:7:14
      |
    7 |   - include: /etc/passwd
      |              ^^^^^^^^^^^
      |
      = help: write a plain file name, such as `_opening.yaml`

    error[turn/include]: this cannot be a file to include: it does not end with `.yaml`
     --> s.yaml:8:14
      |
    8 |   - include: _x.txt
      |              ^^^^^^
      |
      = help: write a plain file name, such as `_opening.yaml`

    error[turn/include]: `_x.yaml` cannot be included: there is no such file
     --> s.yaml:9:15
      |
    9 |   - include: [_x.yaml, {}]
      |               ^^^^^^^

    error[yaml/expected-line]: text on one line is due here
     --> s.yaml:9:24
      |
    9 |   - include: [_x.yaml, {}]
      |                        ^^ this is a mapping
      |
      = help: write it on the same line as its key

    error[turn/include]: beside `include` nothing else can stand
      --> s.yaml:14:5
       |
    14 |     first: 0 0 0 0
       |     ^^^^^
       |
       = help: write it on a line of its own, after `- `

    error[yaml/unknown-key]: there is no key `inclde` in a turn
      --> s.yaml:15:5
       |
    15 |   - inclde: _x.yaml
       |     ^^^^^^ not known here
       |
       = help: write `include`

    error[turn/include]: this is a whole scenario, and only turns can be included
      --> s.yaml:10:14
       |
    10 |   - include: _scenario.yaml
       |              -------------- included here
       |
       = help: move the turns to a file of their own, below the key `turns` alone

    error[yaml/not-a-mapping]: the file must be a mapping of keys to values
      --> _list.yaml:1:1
       |
     1 | - first: 0 0 0 0
       | ^^^^^^^^^^^^^^^^ this is a list
       |
      ::: s.yaml:11:14
       |
    11 |   - include: _list.yaml
       |              ---------- included here
       |
       = help: begin with a key, such as `scenario: what is played`

    error[scenario/no-turns]: a scenario needs at least one turn
      --> _empty.yaml:1:8
       |
     1 | turns: []
       |        ^^
       |
      ::: s.yaml:12:14
       |
    12 |   - include: _empty.yaml
       |              ----------- included here
       |
       = help: add one line for each turn below `turns:`, such as `- first: 0 0 1 1 > 3`
    ");
}

#[test]
fn files_do_not_include_themselves() {
    let files = Files::default()
        .with("_a.yaml", "turns:\n  - include: b/_b.yaml\n")
        .with("b/_b.yaml", "turns:\n  - include: _c.yaml\n")
        .with("b/_c.yaml", "turns:\n  - include: _b.yaml\n");
    insta::assert_snapshot!(files.drawn(&text("  - include: _a.yaml\n")), @r"
        error[turn/include]: `b/_b.yaml` includes itself
         --> b/_c.yaml:2:14
          |
        2 |   - include: _b.yaml
          |              ^^^^^^^
          |
         ::: b/_b.yaml:2:14
          |
        2 |   - include: _c.yaml
          |              ------- included here
          |
         ::: _a.yaml:2:14
          |
        2 |   - include: b/_b.yaml
          |              --------- included here
          |
         ::: s.yaml:6:14
          |
        6 |   - include: _a.yaml
          |              ------- included here
          |
          = help: remove this line
    ");
}

#[test]
fn includes_are_bounded_in_depth_and_size_and_number() {
    let chain = (0..9).fold(Files::default(), |files, number| {
        files.with(
            &format!("_{number}.yaml"),
            format!("turns:\n  - include: _{}.yaml\n", number + 1),
        )
    });
    let deep = chain.drawn(&text("  - include: _0.yaml\n"));
    assert!(
        deep.contains("files include each other at most 8 deep"),
        "{deep}"
    );

    let deeper = (0..3).fold(Files::default(), |files, number| {
        let next = format!("_{}.yaml", number + 1);
        files.with(
            &format!("_{number}.yaml"),
            format!("turns:\n  - include: [{}]\n", vec![next; 8].join(", ")),
        )
    });
    let turns = "  - first: 0 0 0 0\n  - second: 0 0 0 0\n".repeat(10);
    let bomb = deeper.with("_3.yaml", format!("turns:\n{turns}"));
    let many = bomb.drawn(&text("  - include: _0.yaml\n"));
    assert!(
        many.contains("a scenario has at most 10000 turns"),
        "{many}"
    );

    let large = format!("#{}\n{OPENING}", "x".repeat(4_000_000));
    let files = Files::default().with("_large.yaml", large);
    let sized = files.drawn(&text(&"  - include: _large.yaml\n".repeat(5)));
    assert!(sized.contains("error[scenario/too-much]"), "{sized}");
    let empty = (0..2).fold(
        Files::default().with("_2.yaml", "turns: []\n"),
        |files, number| {
            let next = format!("_{}.yaml", number + 1);
            files.with(
                &format!("_{number}.yaml"),
                format!("turns:\n  - include: [{}]\n", vec![next; 150].join(", ")),
            )
        },
    );
    let files = empty.drawn(&text("  - include: _0.yaml\n"));
    assert!(files.contains("error[scenario/too-much]"), "{files}");
    let missing = (0..2).fold(Files::default(), |files, number| {
        let next = format!("_{}.yaml", number + 1);
        files.with(
            &format!("_{number}.yaml"),
            format!("turns:\n  - include: [{}]\n", vec![next; 150].join(", ")),
        )
    });
    let missing = missing.drawn(&text("  - include: _0.yaml\n"));
    assert!(missing.contains("error[scenario/too-much]"), "{missing}");
    let wrong = format!("turns:\n  - include: [{}]\n", "x, ".repeat(2000));
    let wrong = Files::default().with("_0.yaml", wrong);
    let wrong = wrong.drawn(&text(&"  - include: _0.yaml\n".repeat(100)));
    assert!(wrong.contains("error[scenario/too-much]"), "{wrong}");
}

#[test]
fn a_file_of_turns_is_no_scenario() {
    insta::assert_snapshot!(Files::default().drawn(OPENING), @r"
        error[scenario/part]: this file has turns and nothing else: it is no scenario
        --> s.yaml
         = help: to include it in scenarios, let its name begin with `_`: such files in a folder are passed over
    ");
}
