//! What keeps a game from beginning: an error of the run, each with its own words.

use crate::harness::{PATIENT, Place, Ran, has_python};

const ONE: &str = "royalur/referee/seed-example";

/// Plays one scenario with a subject of these keys.
fn play(side: &str, keys: &str, more: &[&str]) -> Ran {
    let scenario = if side == "bot" {
        "royalur/bot/first-seat"
    } else {
        ONE
    };
    let place = Place::with(&format!(
        "  s:\n    as: {side}\n    game: royalur\n{}",
        indented(keys)
    ));
    place.urtext(&[&["run", "--subject", "s", "--suite", scenario], more].concat())
}

fn indented(keys: &str) -> String {
    keys.lines().map(|line| format!("    {line}\n")).collect()
}

/// The game breaks down with these words, which do not rest on how soon anybody does anything.
#[track_caller]
fn breaks(side: &str, keys: &str, words: &str) {
    breaks_within("60s", side, keys, words);
}

/// The game breaks down with these words when the subject had so long to come.
#[track_caller]
fn breaks_within(budget: &str, side: &str, keys: &str, words: &str) {
    let ran = play(side, keys, &["--budget", &format!("start={budget}")]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stdout.contains(words), "no {words:?} in {ran:#?}");
}

const ROLLS: &str = "rolls: {environment: R}";

#[test]
fn a_subject_that_never_comes_is_an_error_that_says_what_was_waited_for() {
    let waits = "command: [sh, -c, 'exec sleep 600', '{host}', '{port}']";
    breaks_within("400ms", "bot", waits, "nobody connected to 127.0.0.1:");
    breaks_within(
        "400ms",
        "bot",
        "command: [sleep, '600']\nreach: named-pipes",
        "nobody opened the named pipe",
    );
    let listens = "command: [sh, -c, 'exec sleep 600', '{port}']\nreach: listens";
    breaks_within(
        "400ms",
        "bot",
        listens,
        "nobody accepted a connection at 127.0.0.1:",
    );
    let seats = format!("command: [sleep, '600']\nreach: seats\n{ROLLS}");
    breaks_within(
        "400ms",
        "referee",
        &seats,
        "the referee did not start the command of the seat `first`",
    );
    let silent = format!("command: [sleep, '600']\n{ROLLS}");
    breaks_within(
        "400ms",
        "referee",
        &silent,
        "the referee did not print where it listens within 400.0ms",
    );
    let never = format!(
        "command: [sh, -c, 'echo starting; exec sleep 600']\nready: 'ready on {{port}}'\n{ROLLS}"
    );
    breaks_within(
        "400ms",
        "referee",
        &never,
        "the subject did not print a line with `ready on {port}` within 400.0ms",
    );
}

#[test]
fn a_line_of_readiness_that_never_matches_shows_what_was_printed_instead() {
    // It ends by itself, so that nothing rests on how soon it prints.
    let other = "command: [sh, -c, 'echo booting; echo Listening at port 4000']\nready: 'ready on {port}'\nspectators: none";
    for words in [
        "the referee ended and did not print a line with `ready on {port}`: exit status 0",
        "the subject printed on standard output:",
        "Listening at port 4000",
    ] {
        breaks("referee", &format!("{other}\n{ROLLS}"), words);
    }
}

#[test]
fn a_misspelt_program_is_an_error_also_where_nothing_could_be_tested() {
    // Without a roll hook the scenario would be unsupported.
    let misspelt = "command: [no-such-program-at-all, '{port}']";
    breaks(
        "referee",
        misspelt,
        "`no-such-program-at-all` cannot be started",
    );
    let ran = play("referee", "command: [sh, '{port}']", &[]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
}

#[test]
fn spectators_that_the_line_of_readiness_leaves_out_are_told_as_that() {
    let keys = format!("command: [sh]\nready: 'ready on {{port}}'\n{ROLLS}");
    let place = Place::with(&format!(
        "  s:\n    as: referee\n    game: royalur\n{}",
        indented(&keys)
    ));
    let suite = "royalur/referee/two-spectators";
    let ran = place.urtext(&["run", "--subject", "s", "--suite", suite]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    let words = "nothing says where they connect ({spectator_port} in `ready`)";
    assert!(ran.stdout.contains(words), "{ran:#?}");
}

#[test]
fn a_subject_that_cannot_be_started_is_named() {
    breaks(
        "bot",
        "command: [no-such-program-at-all]",
        "`no-such-program-at-all` cannot be started",
    );
    breaks("bot", "command: [/etc/passwd]", "Permission denied");
}

#[test]
fn a_subject_that_ends_at_once_says_how() {
    let ends = format!("command: [sh, -c, 'echo sorry >&2; exit 3']\n{ROLLS}");
    breaks(
        "referee",
        &ends,
        "the referee ended before everybody was connected: exit status 3",
    );
    breaks("referee", &ends, "sorry");
    breaks(
        "referee",
        &format!("command: [sh, -c, 'echo hello']\n{ROLLS}"),
        "the referee printed `hello`",
    );
}

#[test]
fn a_bot_that_never_says_a_byte_is_an_error_and_so_is_one_that_cannot_run() {
    let ran = play(
        "bot",
        "command: [sh, -c, 'exec cat >/dev/null']",
        &["--budget", "answer=300ms"],
    );
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stdout.contains("the bot never said a byte"), "{ran:#?}");
}

/// A subject in Python that listens at a port and does the rest of the script with the listener `l` and the connection `c`.
fn python(script: &str) -> String {
    let script = format!(
        "import os, socket, sys\nl = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n{script}"
    );
    let script = script.replace('\n', "\\n").replace('"', "\\\"");
    format!("command: [PYTHON, -c, \"{script}\", '{{port}}']\n{ROLLS}\nspectators: none\n")
}

#[test]
fn what_is_replied_on_connecting_is_held_against_what_was_expected() {
    if !has_python() {
        return;
    }
    let lines = "players: {say: ['JOIN {name}'], expect: ['WELCOME {any}']}\n";
    let other = python("c, _ = l.accept()\nc.recv(99)\nc.send(b'FULL\\\\n')\nc.recv(99)") + lines;
    breaks_within(
        "60s",
        "referee",
        &other,
        "on connecting, the subject replied `FULL`, not `WELCOME {any}`",
    );
    let none = python("c, _ = l.accept()\nc.recv(99)\nc.close()\nl.accept()") + lines;
    breaks_within(
        "60s",
        "referee",
        &none,
        "on connecting, the subject did not reply to `JOIN PlayerA`",
    );
}

#[test]
fn who_connects_first_is_the_scenarios_choice() {
    if !has_python() {
        return;
    }
    let script = "c, _ = l.accept()\nc.send(b'first: ' + c.recv(99))\nl.accept()";
    let lines = "players: {say: ['JOIN {name}'], expect: ['never']}\n";
    let keys = python(script).replace(
        "spectators: none",
        "spectators: {at: same-port, say: [WATCH], expect: [never]}",
    );
    let place = Place::with(&format!(
        "  s:\n    as: referee\n    game: royalur\n{}",
        indented(&(keys + lines))
    ));
    for (order, first) in [
        ("", "JOIN PlayerA"),
        ("connect: [spectator, player, player]\n", "WATCH"),
    ] {
        let scenario = format!(
            "scenario: one turn\ngame: royalur\nsubject: referee\nchecks: [ur/retire/number-out-of-range]\n{order}\
             turns:\n  - first: 0 0 1 1 > \"7\" illegal\n"
        );
        std::fs::write(place.path().join("one.yaml"), scenario).unwrap();
        let ran = place.urtext(&["run", "one.yaml", "--subject", "s", "--budget", "start=60s"]);
        assert_eq!(ran.code, Some(3), "{ran:#?}");
        let words = format!("on connecting, the subject replied `first: {first}`, not `never`");
        assert!(ran.stdout.contains(&words), "{ran:#?}");
    }
}

#[test]
fn a_handshake_that_stays_unfinished_is_the_referees_failure() {
    if !has_python() {
        return;
    }
    let half = python(
        "for n in range(2):\\n c, _ = l.accept()\\n c.send(b'PlayerA\\\\n')\\n os.dup(c.fileno())\nc.recv(99)",
    );
    let ran = play(
        "referee",
        &half,
        &["--budget", "handshake=5s", "--jobs", "1"],
    );
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    for words in [
        "fail[ur/handshake/second-name]",
        "the handshake may take 5.0 s; --budget handshake=DURATION says so",
    ] {
        assert!(ran.stdout.contains(words), "{ran:#?}");
    }
}

/// A referee that lets two players in and writes so much to each, so that it comes only when the player has gone.
fn keeps_back(lines: [&str; 2]) -> String {
    let [first, second] = lines.map(|lines| lines.replace('\n', "\\\\n"));
    python(&format!(
        "(a, _), (b, _) = l.accept(), l.accept()\na.send(b'PlayerA\\\\nPlayerB\\\\n')\na.recv(99)\na.send(b'{first}')\nb.send(b'{second}')\nb.recv(99)"
    ))
}

#[test]
fn what_was_written_and_not_flushed_is_told_from_silence() {
    if !has_python() {
        return;
    }
    let impatient = ["--budget", "handshake=5s", "--jobs", "1"];
    let note =
        "came when the lanes of the players were closed: does it flush its output after each line?";
    let fails = |keys: &str| play("referee", keys, &impatient).expect(1);
    let kept_back =
        || fails(&keeps_back(["0\n", "PlayerA\n"])).says(&format!("note: \"0\" {note}"));
    // That a player who goes away loses is no line that was kept back.
    let loses = || fails(&keeps_back(["RETIRE\n", "RETIRE\n"])).leaves_out(note);
    // Nothing at all until then.
    let mute = python(
        "(a, _), (b, _) = l.accept(), l.accept()\na.recv(99)\na.send(b'PlayerA\\\\n')\nb.recv(99)",
    );
    std::thread::scope(|scope| {
        scope.spawn(kept_back);
        scope.spawn(loses);
        let ran = fails(&mute).says("the referee said nothing until its players had gone");
        ran.says(&format!("note: \"PlayerA\" {note}"));
    });
}

/// A referee to which the first port that it is told is refused: by itself in its first life, by what it leaves in the file `taken`.
fn loses_its_first_port(first_life: &str) -> String {
    let script = format!(
        "[ -e taken ] || {{ : >taken; {first_life} echo 'bind: Address already in use' >&2; exit 1; }}; \
         exec PROGRAM referee royalur --listen \\\":$0\\\" --pace 0"
    );
    format!(
        "folder: .\ncommand: [sh, -c, \"{script}\", '{{port}}']\nspectators: none\nrolls: {{environment: URTEXT_ROLLS}}"
    )
}

#[test]
fn a_port_that_somebody_else_has_taken_is_replaced_by_another() {
    let ran = play("referee", &loses_its_first_port(""), &PATIENT);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn a_port_whose_thief_was_met_instead_is_replaced_by_another() {
    if !has_python() {
        return;
    }
    let thief = "PYTHON -c 'import socket, sys; l = socket.create_server((\\\"127.0.0.1\\\", int(sys.argv[1]))); \
        [l.accept() for _ in range(2)]' $0;";
    let ran = play("referee", &loses_its_first_port(thief), &PATIENT);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}
