//! What becomes of subjects that misbehave as processes, and of those of a run that is broken off: the right verdict, and nothing left.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use tokio::io::AsyncReadExt;
use urtext::transport::{Launch, Process, Spawn, Supervisors};

use super::life::{Life, play};
use crate::harness::{PATIENT, Place, Ran, URTEXT, has, has_python};

const FIRST_SEAT: &str = "royalur/bot/first-seat";
const EXAMPLE: &str = "royalur/referee/seed-example";

/// A bot that is a shell script.
fn bot(script: &str) -> Place {
    let script = script.replace('\'', "''");
    Place::with(&format!(
        "  s: {{as: bot, game: royalur, command: [sh, -c, '{script}', PROGRAM]}}\n"
    ))
}

/// Plays a game with a bot that is a shell script.
#[track_caller]
fn play_first_seat(script: &str, more: &[&str]) -> Ran {
    let args = ["run", "--subject", "s", "--suite", FIRST_SEAT];
    play(&bot(script), &[&args[..], more].concat())
}

/// The independent referee, which dies when it is to say its line of that number, of all lines to everybody.
const MORTAL_REFEREE: &str = "  s:
    as: referee
    game: royalur
    command: [PYTHON, -c, 'import itertools, os, sys; sys.path.insert(0, \"PEERS\"); import ur_streams, ur_gallery_referee;
      numbers, send = itertools.count(), ur_streams.Stream.send;
      ur_streams.Stream.send = lambda self, line: os.kill(os.getpid(), 9) if next(numbers) == {line} else send(self, line);
      sys.exit(ur_gallery_referee.main())', --port, '{port}', --spectator-port, '{spectator_port}',
      --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    rolls: {environment: UR_ROLLS}
    parameters: {line: {type: number}}
";

/// Starts a script, and waits until it has printed `ok`.
async fn started(script: &str) -> Process {
    let launch = Launch {
        spawn: Spawn {
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            ..Spawn::default()
        },
        has_input: true,
        supervisors: Supervisors::new(URTEXT.into()),
        echo: None,
    };
    let mut process = launch.start().await.unwrap();
    let mut stdout = process.take_stdout().unwrap();
    stdout.read_exact(&mut [0; 3]).await.unwrap();
    process
}

#[tokio::test]
async fn a_subject_that_ignores_the_gentle_signal_ends_and_what_it_said_is_kept() {
    let ignores =
        "trap '' TERM; echo trapped >&2; echo ok; cat >/dev/null; while :; do read x; done";
    let process = started(ignores).await;
    let group = Pid::from_raw(process.id());
    let said = process.end(Duration::ZERO).await.stderr;
    assert_eq!(said, b"trapped\n");
    assert!(killpg(group, None).is_err(), "the group is still there");
}

/// A process whose parent has ended still belongs to the subject.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_processes_of_a_subject_are_all_below_its_supervisor() {
    let process = started("exec 3<&0; (sh -c 'echo ok; read x <&3' &); read y <&3").await;
    let tree = process.tree();
    // The shell between them ends a moment after it has started the last one.
    let sample = loop {
        let sample = tree.sample().unwrap();
        if sample.started.len() == 1 {
            break sample;
        }
        tokio::task::yield_now().await;
    };
    assert!(sample.lives && sample.started == ["sh"], "{sample:#?}");
    process.end(Duration::ZERO).await;
    assert_eq!(tree.sample(), None);
}

#[test]
fn a_referee_that_is_killed_is_judged_by_how_far_it_came() {
    if !has_python() {
        return;
    }
    let place = Place::with(MORTAL_REFEREE);
    // Two names for three, two seats, then the first roll and the first move, and so on.
    for line in [0, 1, 5, 7, 8, 13, 40] {
        let set = format!("line={line}");
        let args = ["run", "--subject", "s", "--set", &set, "--suite", EXAMPLE];
        let ran = play(&place, &[&args[..], &PATIENT].concat());
        let (code, words) = match line {
            0 => (3, "error: the referee sent nothing"),
            1..=7 => (1, "fail[ur/handshake/"),
            _ => (1, "fail[ur/"),
        };
        let ran = ran.expect(code).says(words);
        ran.says("killed by signal 9 (SIGKILL)");
    }
}

#[test]
fn a_bot_that_is_killed_is_judged_by_how_far_it_came() {
    // The last of so many lines that it hears is its last.
    for lines in [0, 4] {
        let script = format!("for n in $(seq {lines}); do read line; done; kill -9 $$");
        play_first_seat(&script, &PATIENT)
            .expect(3)
            .says("error: the bot sent nothing")
            .says("killed by signal 9 (SIGKILL)");
    }
    play_first_seat(
        "read a; read b; read seat; read roll; echo 0; kill -9 $$",
        &[],
    )
    .expect(1)
    .says("the bot ended in mid-game, killed by signal 9 (SIGKILL)");
}

/// While urtext does not run, it measures that as lag. What is silent for longer than its budget and the lag is silent all the same.
#[test]
fn a_silence_that_lag_does_not_explain_is_judged_by_the_first_game() {
    let place = bot("exec tail -f /dev/null");
    let args = [
        "run",
        "--subject",
        "s",
        "--suite",
        FIRST_SEAT,
        "--record",
        "games",
    ];
    let budgets = ["--budget", "start=6s", "--budget", "answer=6s"];
    let life = Life::begin(&place, &[&args[..], &budgets].concat());
    let is_bot = |command: &String| command.starts_with("tail");
    while !life.processes().iter().any(is_bot) {
        std::thread::yield_now();
    }
    let urtext = Pid::from_raw(life.child.id().cast_signed());
    kill(urtext, Signal::SIGSTOP).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    kill(urtext, Signal::SIGCONT).unwrap();
    life.end().expect(3).says("error: the bot sent nothing");
    let recording = place.read(&format!("games/{FIRST_SEAT}.jsonl"));
    let last = recording.lines().last().unwrap();
    has(last, "\"verdict\":\"error\"");
    let lag = recording.lines().filter(|line| line.contains("\"lag\""));
    assert!(lag.count() > 0, "{recording}");
}

#[test]
fn a_subject_that_closes_its_input_is_a_failure_that_says_so() {
    let script = "read a; read b; read seat; read roll; echo 0; exec <&-; exec tail -f /dev/null";
    play_first_seat(script, &["--budget", "answer=5s"])
        .expect(1)
        .says("note: the bot has closed its input, and reads nothing any more");
}

#[test]
fn nothing_is_left_of_children_in_sessions_of_their_own_or_deaf_to_signals() {
    let children = [
        // In the group of the subject.
        "(trap '' TERM HUP INT; exec tail -f /dev/null) >/dev/null &",
        // In a session of its own, with no stream of the subject's, and its parent gone.
        "(setsid sh -c 'trap \"\" TERM HUP INT; exec tail -f /dev/null' </dev/null >/dev/null 2>&1 &);",
        // One that makes another when it is asked to end.
        "setsid sh -c 'trap \"setsid tail -f /dev/null & wait\" TERM; tail -f /dev/null & wait' >/dev/null 2>&1 &",
    ];
    for child in children {
        let ends_well = format!("{child} exec \"$0\" bot royalur --seed 1");
        let crashes = format!("{child} read a; read b; read seat; read roll; echo 0; exit 3");
        let stays = format!(
            "trap '' TERM HUP INT; {child} read a; read b; read c; read d; echo x; while :; do read x; done"
        );
        for (script, code) in [(ends_well, 0), (crashes, 1), (stays, 1)] {
            play_first_seat(&script, &[]).expect(code);
        }
    }
}

/// Subjects that never come to an end: they say into the pipe `life` that they live. Each is reached in another way.
const ENDLESS: &str = "  deaf:
    as: bot
    game: royalur
    folder: .
    command: [sh, -c, 'trap \"\" TERM INT HUP; read a; read b; read c; read d; echo lives >life; while :; do read x; done']
  own session:
    as: bot
    game: royalur
    folder: .
    command: [sh, -c, 'setsid sh -c \"exec tail -f /dev/null\" <&- >&- 2>&- & read a; read b; read c; read d; echo lives >life;
      exec tail -f /dev/null']
  pipes:
    as: bot
    game: royalur
    folder: .
    reach: named-pipes
    command: [sh, -c, 'exec <$COCO_PIPEIN; read a; read b; read c; read d; echo lives >life; exec tail -f /dev/null']
  seats:
    as: referee
    game: royalur
    folder: .
    reach: seats
    command: [sh, -c, 'PROGRAM seat first <life2 & PROGRAM seat second <life2 & exec 3>life2; echo lives >life; wait']
    rolls: {environment: R}
";

const NEVER: &[&str] = &[
    "--budget=answer=1h",
    "--budget=start=1h",
    "--budget=handshake=1h",
];

/// Begins a run with an endless subject, and returns when it is well under way.
fn endless(subject: &str) -> (Place, Life) {
    let place = Place::with(ENDLESS);
    for name in ["life", "life2"] {
        mkfifo(&place.path().join(name), Mode::S_IRWXU).unwrap();
    }
    let suite = if subject == "seats" {
        EXAMPLE
    } else {
        FIRST_SEAT
    };
    let args = [&["run", "--subject", subject, "--suite", suite], NEVER].concat();
    let life = Life::begin(&place, &args);
    let mut line = String::new();
    BufReader::new(File::open(place.path().join("life")).unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "lives\n");
    assert!(
        life.processes().len() >= 3,
        "urtext, a supervisor, the subject: {:?}",
        life.processes()
    );
    (place, life)
}

#[test]
fn an_interrupt_ends_every_subject_soon_and_reports_what_was_seen() {
    for subject in ["deaf", "own session", "pipes", "seats"] {
        let (_place, life) = endless(subject);
        kill(Pid::from_raw(life.child.id().cast_signed()), Signal::SIGINT).unwrap();
        let interrupted = Instant::now();
        let ran = life.end();
        let took = interrupted.elapsed();
        assert_eq!(ran.code, Some(130), "{subject}: {ran:#?}");
        has(&ran.stdout, "inconclusive: interrupted");
        // A second on a machine with nothing else to do.
        assert!(took.as_secs() < 30, "{subject}: {took:?}");
    }
}

#[test]
fn nothing_is_left_when_urtext_itself_is_killed() {
    for subject in ["deaf", "own session", "pipes", "seats"] {
        let (_place, life) = endless(subject);
        life.kill();
    }
}
