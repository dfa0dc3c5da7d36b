//! The same transcripts, whichever way a subject is reached.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::thread;

use urtext::transcript::golden::write;
use urtext::transcript::recording::Reader;
use urtext::transcript::{LoggedGame, Transcript};
use urtext::verify::rejudge;

use crate::harness::{PATIENT, PEERS, Place, SCENARIOS, has_python};

/// What every referee plays here: a whole game, captures and extra turns, every kind of bad line, a timeout.
const REFEREE: &[&str] = &[
    "royalur/referee/seed-example",
    "royalur/referee/first-player-wins",
    "royalur/referee/illegal-lines#word",
    "timeout",
];

/// The shipped scenario, with more time: a referee that starts its players waits while they are still starting.
fn write_timeout(place: &Place) {
    let shipped = fs::read_to_string(format!("{SCENARIOS}/royalur/referee/timeout.yaml")).unwrap();
    let text = shipped.replace("timeout: 1s", "timeout: 5s");
    place.write("timeout.yaml", &text.replace("golden:", "# golden:"));
}

/// What every bot plays here; each of them moves its first token that can move.
const BOT: &[&str] = &[
    "royalur/bot/captures-both-ways",
    "royalur/bot/opponent-is-retired#illegal-move",
    "royalur/bot/opponent-times-out",
    "royalur/bot/plays-to-the-end-from-the-first-seat",
    "royalur/bot/second-seat",
];

/// The built-in referee, which prints its ports, is told them, or starts its players.
const BUILT_IN_REFEREES: &str = "  printed:
    as: referee
    game: royalur
    command: [PROGRAM, referee, royalur, --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    rolls: {environment: URTEXT_ROLLS}
  chosen:
    as: referee
    game: royalur
    command: [PROGRAM, referee, '{game}', --listen, ':{port}', --listen-spectators, ':{spectator_port}', --spectators, '{spectators}',
      --timeout, '{timeout}', '--pace={pace}', --rolls, '{rolls}']
    rolls: {argument: true, between-rolls: ', ', between-digits: ' '}
  starts its players:
    as: referee
    game: royalur
    command: [sh, -c, 'exec \"$0\" \"$@\" --rolls \"$(cat $ROLLS)\"', PROGRAM, referee, royalur, --bot, '{seat_first}',
      --bot, '{seat_second}', --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    environment: {ROLLS: '{rolls_file}'}
    ready: 'listening spectators={spectators}'
    rolls: file
  fixed commands of its players:
    as: referee
    game: royalur
    reach: seats
    command: [sh, -c, 'exec PROGRAM referee royalur --bot \"PROGRAM seat first\" --bot \"PROGRAM seat second\" \"$@\"', sh,
      --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    ready: 'listening spectators={spectators}'
    rolls: {environment: URTEXT_ROLLS}
";

const PYTHON_REFEREES: &str = "  tcp:
    as: referee
    game: ur
    command: [PYTHON, '{here}/peers/ur_referee.py', --port, '{port}', --spectator-port, '{spectator_port}', --spectators, '{spectators}',
      --timeout, '{timeout}', --pace, '{pace}']
    rolls: {environment: UR_ROLLS}
  lobby:
    as: referee
    game: ur
    command: [PYTHON, PEERS/ur_lobby_referee.py]
    environment:
      PORT: '{port}'
      SPECTATORS: '{spectators}'
      TIMEOUT_MS: '{timeout_ms}'
      PACE_MS: '{pace_ms}'
      ROLLS_FILE: '{rolls_file}'
    ready: 'ready on port {port}.'
    players: {say: ['JOIN {name}'], expect: ['WELCOME {any}']}
    spectators: {at: same-port, say: [WATCH]}
  one word for a seat:
    as: referee
    game: ur
    folder: peers
    command: [PYTHON, ur_spawning_referee.py, --bot, '{seat_first}', --bot, '{seat_second}', '--watcher={seat_spectators...}',
      --timeout, '{timeout}', --pace, '{pace}']
    rolls: {environment: UR_ROLLS}
  several words for a seat:
    as: referee
    game: ur
    folder: peers
    command: [PYTHON, ur_spawning_referee.py, '--watcher={seat_spectators...}', --timeout, '{timeout}', --pace, '{pace}', --,
      '{seat_first...}', '::', '{seat_second...}']
    rolls: {environment: UR_ROLLS}
  one stream for all:
    as: referee
    game: ur
    reach: lanes-on-stdio
    command: [PYTHON, PEERS/ur_shared_referee.py, --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    rolls: {environment: UR_ROLLS}
";

/// A referee on named pipes, by the order in which it opens them.
fn pipe_referee(order: &str) -> String {
    format!(
        "  pipes {order}:
    as: referee
    game: ur
    command: [PYTHON, PEERS/ur_pipe_referee.py, --order, {order}, --first, '{{pipe_in_first}}', '{{pipe_out_first}}',
      --second, '{{pipe_in_second}}', '{{pipe_out_second}}', --watch, '{{pipe_out_spectators...}}',
      --timeout, '{{timeout}}', --pace, '{{pace}}']
    rolls: {{environment: UR_ROLLS}}
"
    )
}

const BOTS: &str = "  stdio:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --policy, first]
  another:
    as: bot
    game: royalur
    command: [PYTHON, PEERS/ur_bot.py]
  connects:
    as: bot
    game: royalur
    command: [PYTHON, PEERS/ur_tcp_bot.py, --connect, '{host}', '{port}']
  listens:
    as: bot
    game: royalur
    reach: listens
    command: [PYTHON, PEERS/ur_tcp_bot.py, --listen, '{port}']
  prints:
    as: bot
    game: royalur
    reach: listens
    ready: 'listening on {players}'
    command: [PYTHON, PEERS/ur_tcp_bot.py, --listen, '0']
  announced pipes:
    as: bot
    game: royalur
    reach: named-pipes
    command: [sh, -c, 'exec PYTHON PEERS/ur_bot.py <\"$COCO_PIPEIN\" >\"$COCO_PIPEOUT\"']
  named pipes:
    as: bot
    game: royalur
    command: [sh, -c, 'exec 3>\"$2\" && exec PYTHON PEERS/ur_bot.py <\"$1\" >&3', bot, '{pipe_in}', '{pipe_out}']
";

/// Plays these shipped scenarios with a subject of the folder; the transcripts by the name of the scenario. One whose clock nobody could
/// judge here, again and again, has none.
fn transcripts(place: &Place, subject: &str, scenarios: &[&str]) -> BTreeMap<String, Transcript> {
    let record = format!("recorded by {subject}");
    let options = ["--subject", subject, "--record", &record, "--jobs", "4"];
    let run = |what: &[&str]| place.run(&[&options[..], &PATIENT, what].concat());
    let shipped = scenarios.iter().filter(|name| name.contains('/'));
    let suites = shipped.flat_map(|name| ["--suite", name]);
    let mut ran = vec![run(&suites.collect::<Vec<_>>())];
    if scenarios.contains(&"timeout") {
        ran.push(run(&["timeout.yaml"]));
    }
    let read = |name: &&str| {
        // A game that a busy machine made doubtful was played again: that one counts.
        let recorded = |ending: &str| format!("{record}/{name}{ending}");
        let again = recorded(".again.jsonl");
        let path = match place.join(&again).exists() {
            true => again,
            false => recorded(".jsonl"),
        };
        let text = place.read(&path);
        let verdict = text.lines().last().unwrap();
        if verdict.contains("\"inconclusive\"") && verdict.contains(" busy") {
            return None;
        }
        let passed = "{\"verdict\":\"pass\"";
        assert!(verdict.contains(passed), "{path}: {ran:#?}");
        let file = File::open(place.join(&path)).unwrap();
        let mut reader = Reader::new("recording", BufReader::new(file)).unwrap();
        let game = LoggedGame::from_recording("recording", &mut reader).unwrap();
        let rejudged = rejudge(&game.played.expect("it holds its scenario"));
        Some((name.to_string(), rejudged.outcome.transcript))
    };
    scenarios.iter().filter_map(read).collect()
}

/// Plays the scenarios with every subject, and holds the transcripts against those of the first.
fn all_give_the_same(place: &Place, subjects: &[&str], scenarios: &[&str]) {
    let all: Vec<_> = thread::scope(|scope| {
        let play = |subject| scope.spawn(move || transcripts(place, subject, scenarios));
        let games: Vec<_> = subjects.iter().map(|subject| play(*subject)).collect();
        games.into_iter().map(|game| game.join().unwrap()).collect()
    });
    for scenario in scenarios {
        let told = subjects.iter().zip(&all);
        let told = told.filter_map(|(subject, all)| Some((subject, write(all.get(*scenario)?))));
        let mut told = told.collect::<Vec<_>>().into_iter();
        let first = told.next();
        for (subject, text) in told {
            let (other, expected) = first.as_ref().unwrap();
            assert_eq!(
                &text, expected,
                "{scenario}: {subject} differs from {other}"
            );
        }
    }
}

#[test]
#[ignore = "it starts some hundred processes; .ci/run has it played"]
fn referees_reached_in_every_way_give_the_same_transcripts() {
    let mut subjects = BUILT_IN_REFEREES.to_owned();
    let mut names = vec![
        "printed",
        "chosen",
        "starts its players",
        "fixed commands of its players",
    ];
    if has_python() {
        subjects += PYTHON_REFEREES;
        names.extend([
            "tcp",
            "lobby",
            "one word for a seat",
            "several words for a seat",
            "one stream for all",
        ]);
        ["inputs", "outputs", "backwards"]
            .iter()
            .for_each(|order| subjects += &pipe_referee(order));
        names.extend(["pipes inputs", "pipes outputs", "pipes backwards"]);
    }
    let place = Place::with(&subjects);
    write_timeout(&place);
    std::os::unix::fs::symlink(PEERS, place.path().join("peers")).unwrap();
    let checked = place.urtext(&["check", "urtext.yaml"]);
    assert_eq!(checked.stderr, "");
    assert_eq!(
        checked.stdout,
        format!("checked {} subjects: no problems\n", names.len())
    );
    all_give_the_same(&place, &names, REFEREE);
}

#[test]
#[ignore = "it starts some hundred processes; .ci/run has it played"]
fn bots_reached_in_every_way_give_the_same_transcripts() {
    let mut names = vec!["stdio"];
    if has_python() {
        names.extend([
            "another",
            "connects",
            "listens",
            "prints",
            "announced pipes",
            "named pipes",
        ]);
    }
    all_give_the_same(&Place::with(BOTS), &names, BOT);
}
