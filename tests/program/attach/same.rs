//! The same transcripts, whichever way a subject is reached.

use super::transcripts::transcripts;
use crate::harness::{PEERS, Place, has_python};

/// What every referee plays here: a whole game, captures and extra turns, every kind of bad line, a timeout.
const REFEREE: &[&str] = &[
    "royalur/referee/seed-example",
    "royalur/referee/first-player-wins",
    "royalur/referee/illegal-lines#word",
    "royalur/referee/timeout",
];

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

/// Plays the scenarios with every subject, and holds the transcripts against those of the first.
fn all_give_the_same(place: &Place, subjects: &[&str], scenarios: &[&str]) {
    let transcripts: Vec<_> = subjects
        .iter()
        .map(|subject| transcripts(place, subject, scenarios))
        .collect();
    for (subject, transcript) in subjects.iter().zip(&transcripts) {
        assert_eq!(
            transcript, &transcripts[0],
            "{subject} differs from {}",
            subjects[0]
        );
    }
}

#[test]
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
    std::os::unix::fs::symlink(PEERS, place.path().join("peers")).unwrap();
    let checked = place.urtext(&["check", "urtext.yaml"]);
    assert_eq!(checked.stderr, "");
    assert_eq!(
        checked.stdout,
        format!("checked {} subjects: no faults\n", names.len())
    );
    all_give_the_same(&place, &names, REFEREE);
}

#[test]
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
