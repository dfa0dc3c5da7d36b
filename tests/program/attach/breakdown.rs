//! What keeps a game from beginning: an error of the run, each with its own words.

use crate::harness::{PATIENT, Place, Ran, has_python};

const ONE: &str = "royalur/referee/seed-example";

/// A folder with a subject of these keys, one a line.
fn place(side: &str, keys: &str) -> Place {
    let keys: String = keys.lines().map(|line| format!("    {line}\n")).collect();
    Place::with(&format!("  s:\n    as: {side}\n    game: royalur\n{keys}"))
}

/// Plays one scenario with a subject of these keys.
fn play(side: &str, keys: &str, more: &[&str]) -> Ran {
    let scenario = if side == "bot" {
        "royalur/bot/first-seat"
    } else {
        ONE
    };
    place(side, keys).run(&[&["--subject", "s", "--suite", scenario], more].concat())
}

/// The game breaks down with these words when the subject had so long to come.
#[track_caller]
fn breaks(budget: &str, side: &str, keys: &str, words: &[&str]) {
    let ran = play(side, keys, &["--budget", &format!("start={budget}")]);
    words.iter().fold(ran.expect(3), |ran, text| ran.says(text));
}

const ROLLS: &str = "rolls: {environment: R}";

#[test]
fn a_subject_that_never_comes_is_an_error_that_says_what_was_waited_for() {
    let waits = "exec sleep 600";
    for (side, keys, words) in [
        (
            "bot",
            format!("command: [sh, -c, '{waits}', '{{host}}', '{{port}}']"),
            "nobody connected to 127.0.0.1:",
        ),
        (
            "bot",
            "command: [sleep, '600']\nreach: named-pipes".to_owned(),
            "nobody opened the named pipe",
        ),
        (
            "bot",
            format!("command: [sh, -c, '{waits}', '{{port}}']\nreach: listens"),
            "nobody accepted a connection at 127.0.0.1:",
        ),
        (
            "referee",
            format!("command: [sleep, '600']\nreach: seats\n{ROLLS}"),
            "the referee did not start the command of the seat `first`",
        ),
        (
            "referee",
            format!("command: [sleep, '600']\n{ROLLS}"),
            "the referee did not print where it listens within 400.0ms",
        ),
        (
            "referee",
            format!(
                "command: [sh, -c, 'echo starting; {waits}']\nready: 'ready on {{port}}'\n{ROLLS}"
            ),
            "the subject did not print a line with `ready on {port}` within 400.0ms",
        ),
    ] {
        breaks("400ms", side, &keys, &[words]);
    }
}

/// They end by themselves, so that nothing rests on how soon they do anything.
#[test]
fn a_subject_that_cannot_be_started_or_ends_at_once_says_how() {
    let other = "command: [sh, -c, 'echo booting; echo Listening at port 4000']\nready: 'ready on {port}'\nspectators: none";
    for (side, keys, words) in [
        (
            "referee",
            format!("{other}\n{ROLLS}"),
            &[
                "the referee ended and did not print a line with `ready on {port}`: exit status 0",
                "the subject printed on standard output:",
                "Listening at port 4000",
            ][..],
        ),
        (
            "referee",
            format!("command: [sh, -c, 'exit 0']\nready: 'on {{port}}'\n{ROLLS}"),
            &["the subject printed nothing on standard output"],
        ),
        // Without a roll hook the scenario would be unsupported.
        (
            "referee",
            "command: [no-such-program-at-all, '{port}']".to_owned(),
            &["`no-such-program-at-all` cannot be started"],
        ),
        (
            "bot",
            "command: [no-such-program-at-all]".to_owned(),
            &[
                "error: `no-such-program-at-all` cannot be started",
                "note: check that the program exists",
            ],
        ),
        (
            "bot",
            "command: [/etc/passwd]".to_owned(),
            &["Permission denied"],
        ),
        (
            "referee",
            format!("command: [sh, -c, 'echo sorry >&2; exit 3']\n{ROLLS}"),
            &[
                "the referee ended before everybody was connected: exit status 3",
                "note: start it by hand",
                "sorry",
            ],
        ),
        (
            "referee",
            format!("command: [sh, -c, 'echo hello']\n{ROLLS}"),
            &["the referee printed `hello`"],
        ),
    ] {
        breaks("60s", side, &keys, words);
    }
}

#[test]
fn what_a_subject_lacks_is_unsupported_in_its_own_words() {
    let ran = play("referee", "command: [sh, '{port}']", &[]);
    ran.expect(4);
    let keys = format!("command: [sh]\nready: 'ready on {{port}}'\n{ROLLS}");
    let suite = ["--suite", "royalur/referee/two-spectators"];
    let ran = place("referee", &keys).run(&[&["--subject", "s"], &suite[..]].concat());
    ran.expect(4)
        .says("nothing says where they connect ({spectator_port} in `ready`)");
}

#[test]
fn a_bot_that_never_says_a_byte_is_an_error() {
    let mute = "command: [sh, -c, 'exec tail -f /dev/null']";
    play(
        "bot",
        mute,
        &["--budget=start=300ms", "--budget=answer=300ms"],
    )
    .expect(3)
    .says("the bot never said a byte")
    .says("does it flush its output")
    .says("note: is this a bot for");
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
    let replied = "on connecting, the subject replied `FULL`, not `WELCOME {any}`";
    breaks("60s", "referee", &other, &[replied]);
    let none = python("c, _ = l.accept()\nc.recv(99)\nc.close()\nl.accept()") + lines;
    let silent = "on connecting, the subject did not reply to `JOIN PlayerA`";
    breaks("60s", "referee", &none, &[silent]);
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
    let place = place("referee", &(keys + lines));
    for (order, first) in [
        ("", "JOIN PlayerA"),
        ("connect: [spectator, player, player]\n", "WATCH"),
    ] {
        let scenario = format!(
            "scenario: one turn\ngame: royalur\nsubject: referee\nchecks: [ur/retire/number-out-of-range]\n{order}\
             turns:\n  - first: 0 0 1 1 > \"7\" illegal\n"
        );
        place.write("one.yaml", &scenario);
        let ran = place.run(&["one.yaml", "--subject", "s", "--budget", "start=60s"]);
        let words = format!("on connecting, the subject replied `first: {first}`, not `never`");
        ran.expect(3).says(&words);
    }
}

const IMPATIENT: [&str; 4] = ["--budget", "handshake=5s", "--jobs", "1"];

#[test]
fn a_handshake_that_stays_unfinished_is_the_referees_failure() {
    if !has_python() {
        return;
    }
    let half = python(
        "for n in range(2):\\n c, _ = l.accept()\\n c.send(b'PlayerA\\\\n')\\n os.dup(c.fileno())\nc.recv(99)",
    );
    play("referee", &half, &IMPATIENT)
        .expect(1)
        .says("fail[ur/handshake/second-name]")
        .says("the handshake may take 5.0 s; --budget handshake=DURATION says so");
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
    let note =
        "came when the lanes of the players were closed: does it flush its output after each line?";
    let fails = |keys: &str| play("referee", keys, &IMPATIENT).expect(1);
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

/// The port was taken by somebody else, or whoever took it is met there instead.
#[test]
fn a_port_that_somebody_else_has_taken_is_replaced_by_another() {
    if !has_python() {
        return;
    }
    let thief = "PYTHON -c 'import socket, sys; l = socket.create_server((\\\"127.0.0.1\\\", int(sys.argv[1]))); \
        [l.accept() for _ in range(2)]' $0;";
    for first_life in ["", thief] {
        let keys = loses_its_first_port(first_life);
        play("referee", &keys, &PATIENT).expect(0);
    }
}
