//! Faults in dialogues without rules.

use urtext::scenario::Plan;

use super::{drawn, read};

const HEAD: &str = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [ada, bob]\nsteps:\n";

#[test]
fn a_step_is_one_deed_of_a_participant() {
    let steps = "  - ada gtes: x
  - adda gets: x
  - ada: x
  - {}
  - ada gets: x
    bob gets: x
  - all sends: x
";
    insta::assert_snapshot!(drawn(&(HEAD.to_owned() + steps)), @r"
    error[lines/verb]: nobody can do `gtes`
     --> s.yaml:6:5
      |
    6 |   - ada gtes: x
      |     ^^^^^^^^
      |
      = help: write `ada gets`

    error[lines/participant]: there is no participant `adda`
     --> s.yaml:7:5
      |
    7 |   - adda gets: x
      |     ^^^^^^^^^
      |
      = help: write `ada gets`

    error[lines/form]: a step begins with who and what
     --> s.yaml:8:5
      |
    8 |   - ada: x
      |     ^^^
      |
      = help: write one such as `alice gets`

    error[lines/form]: a step is one participant's deed
     --> s.yaml:9:5
      |
    9 |   - {}
      |     ^^
      |
      = help: each deed has a line of its own

    error[lines/form]: a step is one participant's deed
      --> s.yaml:11:5
       |
    11 |     bob gets: x
       |     ^^^^^^^^
       |
       = help: each deed has a line of its own

    error[lines/all]: this is one participant's to do
      --> s.yaml:12:5
       |
    12 |   - all sends: x
       |     ^^^^^^^^^
       |
       = help: write it for each of them
    ");
}

#[test]
fn what_a_step_says_has_its_form() {
    let steps = "  - ada gets: {any off: [x]}
  - ada gets: \"{a b}\"
  - ada gets: [x]
  - ada sends: [{hex: xy}, {repat: x}]
  - ada sees: teh end
  - ada leaves: quietly
  - ada waits: 3
  - ada reads: {bytes: 3}
  - ada reads: slowly
  - repeat: often
    steps: [{ada gets: x}]
";
    insta::assert_snapshot!(drawn(&(HEAD.to_owned() + steps)), @r#"
    error[yaml/unknown-key]: there is no key `any off` in a line that has to come
     --> s.yaml:6:16
      |
    6 |   - ada gets: {any off: [x]}
      |                ^^^^^^^ not known here
      |
      = help: write `any of`

    error[lines/pattern]: `{a b}` is no name; write letters and digits, or `{{` for a brace
     --> s.yaml:7:15
      |
    7 |   - ada gets: "{a b}"
      |               ^^^^^^^

    error[yaml/expected-line]: text on one line is due here
     --> s.yaml:8:15
      |
    8 |   - ada gets: [x]
      |               ^^^ this is a list
      |
      = help: write it on the same line as its key

    error[turn/send]: these are no bytes
     --> s.yaml:9:23
      |
    9 |   - ada sends: [{hex: xy}, {repat: x}]
      |                       ^^
      |
      = help: write two hexadecimal digits for each byte, such as `{hex: "ff 00 0a"}`

    error[yaml/unknown-key]: there is no key `repat` in a piece of what is sent
     --> s.yaml:9:29
      |
    9 |   - ada sends: [{hex: xy}, {repat: x}]
      |                             ^^^^^ not known here
      |
      = help: write `repeat`

    error[yaml/expected-one-of]: one of `end`, `end by close`, `end by reset` is due here
      --> s.yaml:10:15
       |
    10 |   - ada sees: teh end
       |               ^^^^^^^ this is the text `teh end`

    error[yaml/expected-one-of]: one of `hang up`, `half-close`, `reset` is due here
      --> s.yaml:11:17
       |
    11 |   - ada leaves: quietly
       |                 ^^^^^^^ this is the text `quietly`

    error[yaml/expected-duration]: a length of time is due here
      --> s.yaml:12:16
       |
    12 |   - ada waits: 3
       |                ^ this has no unit
       |
       = help: write `3s` for seconds, or `3ms` for milliseconds

    error[yaml/missing-key]: a way to read needs the key `bytes a second`
      --> s.yaml:13:16
       |
    13 |   - ada reads: {bytes: 3}
       |                ^^^^^^^^^^ not in this mapping

    error[yaml/unknown-key]: there is no key `bytes` in a way to read
      --> s.yaml:13:17
       |
    13 |   - ada reads: {bytes: 3}
       |                 ^^^^^ not known here
       |
       = help: the keys of a way to read are `bytes a second`

    error[yaml/expected-mapping]: a mapping of keys to values is due here
      --> s.yaml:14:16
       |
    14 |   - ada reads: slowly
       |                ^^^^^^ this is the text `slowly`
       |
       = help: write `key: value`, each on its own line, indented alike

    error[yaml/expected-number]: a whole number is due here
      --> s.yaml:15:13
       |
    15 |   - repeat: often
       |             ^^^^^ this is the text `often`
       |
       = help: write it in digits without quotation marks, such as `3`
    "#);
}

#[test]
fn participants_have_different_names_of_one_word() {
    let head = HEAD.replace("[ada, bob]", "[ada, ada, all, two words]");
    insta::assert_snapshot!(drawn(&(head + "  - ada gets: x\n")), @r"
    error[lines/participant]: `ada` stands here twice
     --> s.yaml:4:21
      |
    4 | participants: [ada, ada, all, two words]
      |                     ^^^
      |
      = help: write one word, such as `alice`; `all` means all of them

    error[lines/participant]: `all` cannot be the name of a participant
     --> s.yaml:4:26
      |
    4 | participants: [ada, ada, all, two words]
      |                          ^^^
      |
      = help: write one word, such as `alice`; `all` means all of them

    error[lines/participant]: `two words` cannot be the name of a participant
     --> s.yaml:4:31
      |
    4 | participants: [ada, ada, all, two words]
      |                               ^^^^^^^^^
      |
      = help: write one word, such as `alice`; `all` means all of them
    ");
}

/// Steps in one repeat in another.
fn repeated(outer: u64, inner: u64, step: &str) -> String {
    format!(
        "{HEAD}  - repeat: {outer}\n    steps:\n      - repeat: {inner}\n        steps:\n          - {step}\n"
    )
}

#[test]
fn what_repeats_come_to_is_bounded_before_anything_is_played() {
    let most = u64::MAX;
    for (text, excess) in [
        (
            repeated(1_000_000, 100_000, "ada gets: {optional: x}"),
            "plays 100000000000 steps, what is repeated counted each time, and 1000000 are the most",
        ),
        (
            repeated(1_000_000, 100_000, "ada waits: 0ms"),
            "plays 100000000000 steps",
        ),
        (
            repeated(1, 1_000_000_000, "ada sends: x"),
            "plays 1000000000 steps",
        ),
        (
            repeated(most, 1_000_000, "ada reads: everything"),
            "plays 18446744073709551615000000 steps",
        ),
        (repeated(1000, 1001, "ada sees: end"), "plays 1001000 steps"),
        (
            repeated(1000, 501, "all gets: x"),
            "sends and awaits 1002000 lines",
        ),
        (
            repeated(1000, 501, "ada sends: [\"x\\n\\n\"]"),
            "sends and awaits 1002000 lines",
        ),
        (
            repeated(1000, 1000, "ada sends: 0123456789abcdef"),
            "sends 17000000 bytes",
        ),
        (
            repeated(1000, 999, "ada gets: x") + &"  - ada gets: x\n".repeat(1001),
            "plays 1000001 steps",
        ),
    ] {
        let said = drawn(&text);
        assert!(
            said.contains("error[lines/too-much]: up to here the dialogue "),
            "{said}"
        );
        assert!(said.contains(excess), "{said}");
        assert_eq!(said.matches("error").count(), 1, "{said}");
    }
    insta::assert_snapshot!(drawn(&repeated(1_000_000, 100_000, "ada waits: 0ms")), @r"
    error[lines/too-much]: up to here the dialogue plays 100000000000 steps, what is repeated counted each time, and 1000000 are the most
     --> s.yaml:6:5
      |
    6 |   - repeat: 1000000
      |     ^^^^^^^^^^^^^^^
      |
      = help: repeat less often, or send less
    ");
    // As much as there may be.
    for step in ["ada waits: 0ms", "ada gets: x", "ada leaves: reset"] {
        assert!(read(&repeated(1000, 1000, step)).1.is_empty(), "{step}");
    }
    // What is never played comes to nothing, however deep it stands.
    let (never, faults) = read(&repeated(most, 0, "ada gets: x"));
    let Plan::Dialogue(never) = never.unwrap().plan else {
        panic!("a dialogue")
    };
    assert!(faults.is_empty() && never.steps.is_empty());
}

#[test]
fn times_are_no_longer_than_an_hour() {
    for step in [
        "ada waits: 2h",
        "ada waits: 500000000000years",
        "ada sends: [x, {pause: 61m}]",
    ] {
        let said = drawn(&format!("{HEAD}  - {step}\n"));
        assert!(
            said.contains("error[turn/time]: this is longer than 1h"),
            "{said}"
        );
    }
}

#[test]
fn what_is_sent_is_bounded_over_all_pieces() {
    let lines = drawn(&(HEAD.to_owned() + "  - ada sends: [{repeat: \"\\n\", times: 1000001}]\n"));
    assert!(
        lines.contains("the scenarios of a file send at most 1000000 lines in pieces"),
        "{lines}"
    );
    let steps = "  - ada sends: [{repeat: x, times: 9000000}]\n".repeat(2);
    let many = drawn(&(HEAD.to_owned() + &steps));
    assert!(
        many.contains("the scenarios of a file send at most 16777216 bytes in pieces"),
        "{many}"
    );
}
