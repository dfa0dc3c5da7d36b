//! `urtext doctor`: what it sees of a subject, step by step, and the status it exits with.

use crate::harness::{Place, Ran, faulty_bot, faulty_referee, has_python, urtext};

/// Budgets that only silence spends.
const BRIEF: &str = "budgets: {start: 300ms, handshake: 300ms, answer: 300ms, close: 100ms}";

/// Examines one subject, described below its name.
fn examine(subject: &str) -> Ran {
    let place = Place::with(&format!("  it: {{{subject}}}\n"));
    place.urtext(&["doctor", "--subject", "it"])
}

#[test]
fn prints_every_step_of_the_built_in_peers_of_both_games() {
    let ran = urtext(&["doctor", "--game", "royalur"]).expect(0);
    let ran = ran.says("royalur referee ").says("\n\nroyalur bot ");
    let ran = ran.says(", as forced through its command\n");
    let ran = ran.says("  ok            first move  urtext could send it\n");
    let ran = ran.says("  ok            spectators  1 received ");
    let ran = ran.says("  ok            first move  is legal\n");
    let ran = ran.says("  ok            moves       2 of its own, all legal\n");
    let ran = ran.says(" shipped scenarios can be played\n");
    let ends = "  ok            ends        every stream ended after the game\n";
    assert_eq!(ran.stdout.matches(ends).count(), 2);
    let ran = ran.leaves_out("not reached").leaves_out("  - ");
    assert!(!ran.stdout.contains("  note  "), "{ran:#?}");
    let ran = urtext(&["doctor", "--game", "onitama"]).expect(0);
    let ran = ran.says("onitama referee ").says("\nonitama bot ");
    ran.says("  ok            first roll  the game has none\n")
        .says("  ok            moves       3 were accepted\n");
}

#[test]
fn examines_all_subjects_of_the_file_and_says_what_to_write_for_a_missing_roll_hook() {
    if !has_python() {
        return;
    }
    let budgets = "budgets: {start: 60s, handshake: 60s, answer: 60s}";
    let subjects = "  referee: {as: referee, game: royalur, BUDGETS, command: [PYTHON, PEERS/ur_referee.py, --port, '{port}', \
         --spectator-port, '{spectator_port}', --spectators, '{spectators}', --pace, '{pace}', --timeout, '{timeout}']}
  bot: {as: bot, game: royalur, BUDGETS, command: [PYTHON, PEERS/ur_bot.py]}
  judge: {as: referee, game: onitama, BUDGETS, command: [PYTHON, PEERS/oni_judge.py, --port, '{port}', --timeout, '{timeout}']}
  other bot: {as: bot, game: onitama, BUDGETS, command: [PYTHON, PEERS/oni_bot.py, '{host}', '{port}']}
";
    let place = Place::with(&subjects.replace("BUDGETS", budgets));
    let ran = place.urtext(&["doctor"]).expect(0);
    let ran = ran.leaves_out("see below").leaves_out("not reached");
    let ran = ran.says(", from its own dice: it has no roll hook\n");
    let ran = ran.says("  - if it can take forced rolls, `rolls: {environment: NAME}`, `rolls: argument` or `rolls: file`\n");
    let ran = ran.says("  - `late-spectator: whole`, `from-now` or `nothing`");
    let ran = ran.says(": it forces rolls, and this referee takes none (no roll hook)\n");
    let ran = ran.says(
        "it forces `deal` and `starter`, and this referee takes none ({setup} in the command)\n",
    );
    let ran = ran.says(" shipped scenarios cannot be played\n");
    assert_eq!(
        ran.stdout
            .matches("every stream ended after the game")
            .count(),
        4,
        "{ran:#?}"
    );
    let one = place.urtext(&["doctor", "--subject", "bot"]).expect(0);
    one.says("royalur bot `bot` (").leaves_out("onitama");
    let other = place.urtext(&["doctor", "--game", "lines"]).expect(2);
    other.complains("there is no subject of this game");
}

#[test]
fn a_subject_that_cannot_be_started_or_never_speaks_is_status_3_at_its_step() {
    let ran = urtext(&["doctor", "--as", "bot", "--", "./no-such-program"]).expect(3);
    let ran = ran
        .says("  error         starts      see below\n  -             first move  not reached\n");
    let ran = ran.says("`./no-such-program` cannot be started: ");
    ran.says("repeat: urtext doctor --as bot -- ./no-such-program\n")
        .leaves_out("shipped scenarios");

    let unready = format!(
        "as: referee, game: royalur, ready: 'on {{port}}', spectators: none, command: [sleep, '600'], {BRIEF}"
    );
    let ran = examine(&unready)
        .expect(3)
        .says("  error         starts      see below\n");
    ran.says("did not print a line with `on {port}`")
        .says("--budget start=DURATION gives it more time");

    let ran = examine(&format!(
        "as: bot, game: onitama, reach: stdio, command: [sleep, '600'], {BRIEF}"
    ))
    .expect(3);
    let ran = ran.says("  ok            starts      connected: ");
    ran.says("  error         first move  see below\n")
        .says("error: the bot never said a byte");
}

#[test]
fn a_roll_hook_that_does_not_work_is_status_3_and_shows_both_rolls() {
    let hook = "as: referee, game: royalur, rolls: {environment: OTHER}, command: [PROGRAM, referee, royalur, --seed, '3', --pace, '0', --spectators, '{spectators}']";
    let ran = examine(hook).expect(3);
    let ran = ran.says("  ok            first line  came after ");
    let ran = ran
        .says("  error         first roll  see below\n  -             first move  not reached\n");
    ran.says("error: the roll hook does not work")
        .says("was forced as `");
}

#[test]
fn a_subject_that_breaks_the_protocol_is_status_1_with_the_requirement() {
    let ran = Place::new()
        .urtext(&[vec!["doctor"], faulty_referee("roll-without-spaces")].concat())
        .expect(1);
    ran.says("  fail          first roll  see below\n")
        .says("fail[ur/roll/line]: ");
    let ran = Place::new().urtext(&[
        "doctor",
        "--as",
        "bot",
        "--",
        "sh",
        "-c",
        "echo banana; exec cat > /dev/null",
    ]);
    ran.expect(1)
        .says("  fail          first move  see below\n")
        .says("received  banana");
    let ran = Place::new()
        .urtext(&[vec!["doctor"], faulty_bot("survives-eof")].concat())
        .expect(1);
    ran.says("  ok            moves       2 of its own, all legal\n")
        .says("  fail          ends        see below\n");
}

#[test]
fn a_fault_of_the_user_is_status_2_and_a_missing_value_status_4() {
    let place = Place::with(
        "  it: {as: bot, game: royalur, command: [PROGRAM, bot, royalur, '{depth}'], parameters: {depth: {type: number}}}\n",
    );
    let ran = place.urtext(&["doctor", "--subject", "its"]).expect(2);
    ran.complains("did you mean `it`");
    let ran = place.urtext(&["doctor"]).expect(4);
    ran.says("  unsupported   starts      see below\n")
        .says("--set depth=VALUE");
}
