//! What a finding by silence says of a subject that sleeps.

use std::thread;

use crate::harness::{Place, Ran, has_python, python_words};

const REFEREE: &str = "scenario: s\ngame: royalur\nsubject: referee\nchecks: [ur/move/relayed-to-opponent]\n\
    turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 1 0 0 > 0\n";
const BOT: &str = "scenario: s\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\n\
    turns:\n  - bot: 0 0 1 1 > 0\n  - opponent: 0 1 0 0 > 0\n  - bot: 0 0 0 1 > any\n";

/// Begins the game, reads the first move where it is to, and relays nothing.
const SILENT_REFEREE: &str = r#"
import asyncio, select, socket, sys, threading, time

how = sys.argv[1]
players, spectators = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
ports = ["127.0.0.1:%d" % server.getsockname()[1] for server in (players, spectators)]
print("listening players=%s spectators=%s" % tuple(ports), flush=True)
first, second = (players.accept()[0] for _ in range(2))
spectator = spectators.accept()[0]
for stream, seat in ((first, "0\n"), (second, "1\n"), (spectator, "")):
    stream.sendall(("PlayerA\nPlayerB\n%s0 0 1 1\n" % seat).encode())
if how != "leaves it unread":
    assert first.recv(2, socket.MSG_WAITALL) == b"0\n"

def in_poll(player):
    waits = select.poll()
    waits.register(player, select.POLLIN)
    waits.poll()

async def in_asyncio():
    streams = [await asyncio.open_connection(sock=player) for player in (first, second)]
    await asyncio.gather(*(reader.readline() for reader, _ in streams))

def compute():
    while True:
        pass

def read_and_compute():
    threading.Thread(target=compute, daemon=True).start()
    second.recv(1)

{
    "socket": lambda: second.recv(1),
    "select": lambda: select.select([spectators, first, second], [], []),
    "poll": lambda: in_poll(first),
    "asyncio": lambda: asyncio.run(in_asyncio()),
    "sleeps": lambda: time.sleep(1000),
    "leaves it unread": lambda: time.sleep(1000),
    "computes": read_and_compute,
}[how]()
"#;

/// Answers in its first turn, and not in its second.
const SILENT_BOT: &str = r#"
import select, subprocess, sys, time

how = sys.argv[1]

def read(lines):
    for _ in range(lines):
        sys.stdin.buffer.raw.readline()

read(4)
print(0, flush=True)
if how != "leaves it unread":
    read(3)
{
    "reads": lambda: sys.stdin.buffer.raw.read(1),
    "select": lambda: select.select([0], [], []),
    "a child reads": lambda: subprocess.run([sys.executable, "-c", "import sys; sys.stdin.read()"]),
    "sleeps": lambda: time.sleep(1000),
    "leaves it unread": lambda: time.sleep(1000),
}[how]()
"#;

/// Plays the scenario against the silent subject, and judges the recording.
fn played(side: &str, how: &str, answer_budget: &str) -> [Ran; 2] {
    let [python, no_site] = python_words();
    let (scenario, subject) = if side == "bot" {
        (BOT, SILENT_BOT)
    } else {
        (REFEREE, SILENT_REFEREE)
    };
    let place = Place::new();
    place.write("s.yaml", scenario);
    let ours = [
        "s.yaml",
        "--no-diagnosis",
        "--record",
        "rec",
        "--as",
        side,
        "--budget",
        "start=60s",
        "--budget",
        "handshake=60s",
        "--budget",
        answer_budget,
    ];
    let ours = [
        &ours[..],
        if side == "bot" {
            &[]
        } else {
            &["--set", "rolls.environment=ROLLS"]
        },
    ]
    .concat();
    let ran = place.run(&[&ours[..], &["--", python, no_site, "-c", subject, how]].concat());
    let games = place
        .files()
        .into_iter()
        .filter(|name| name.starts_with("rec/"));
    let game = games
        .into_iter()
        .find(|name| !name.contains("again"))
        .unwrap();
    let verified = place.urtext(&["verify", &game]);
    [ran, verified]
}

/// The notes on what the subject does are these, live and from the recording.
#[track_caller]
fn assert_seen(side: &'static str, expected: &[(&str, Option<&str>)]) {
    if !has_python() {
        return;
    }
    thread::scope(|scope| {
        let games = expected.iter().map(|&(how, note)| {
            // A subject of which nothing is said need not have come so far, and one that computes does so until the budget is over.
            let answer_budget = if note.is_some() {
                "answer=5s"
            } else {
                "answer=500ms"
            };
            let game = scope.spawn(move || played(side, how, answer_budget));
            (how, note, game)
        });
        for (how, note, game) in games.collect::<Vec<_>>() {
            for ran in game.join().unwrap() {
                let said = ran.said();
                let notes: Vec<_> = said
                    .lines()
                    .filter_map(|line| line.trim_start().strip_prefix("= note: "))
                    .collect();
                let seen: Vec<_> = notes
                    .into_iter()
                    .filter(|note| note.contains("all that was sent"))
                    .collect();
                assert_eq!(
                    seen,
                    note.into_iter().collect::<Vec<_>>(),
                    "{how}: {ran:#?}"
                );
            }
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_referee_that_sleeps_in_a_read_is_said_to_wait_for_these_lanes() {
    assert_seen(
        "referee",
        &[
            (
                "socket",
                Some(
                    "the referee has read all that was sent, and waits for more from PlayerB (second)",
                ),
            ),
            (
                "poll",
                Some(
                    "the referee has read all that was sent, and waits for more from PlayerA (first)",
                ),
            ),
            (
                "select",
                Some(
                    "the referee has read all that was sent, and waits for more from PlayerA (first) or PlayerB (second)",
                ),
            ),
            (
                "asyncio",
                Some(
                    "the referee has read all that was sent, and waits for more from PlayerA (first) or PlayerB (second)",
                ),
            ),
            (
                "sleeps",
                Some("the referee is asleep and has read all that was sent"),
            ),
        ],
    );
}

#[test]
fn of_a_referee_that_computes_or_has_bytes_left_to_read_nothing_is_said() {
    assert_seen("referee", &[("leaves it unread", None), ("computes", None)]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_bot_that_sleeps_is_said_to_whoever_reads_for_it() {
    let waits = Some("the bot has read all that was sent, and waits for more");
    let asleep = Some("the bot is asleep and has read all that was sent");
    assert_seen(
        "bot",
        &[
            ("reads", waits),
            ("select", waits),
            ("a child reads", waits),
            ("sleeps", asleep),
            ("leaves it unread", None),
        ],
    );
}
