//! Reports for programs: each is read by something that was not written here.

mod baseline;
mod commands;
pub(crate) mod flaky;
mod formats;
mod hostile;
pub(crate) mod html;
mod later;
mod packaged;
mod workflow;

use crate::harness::{Place, Ran, faulty};

/// A scenario of the user, in which the faults `second-starts` and `echoes-to-mover` show at line 6.
const OWN: &str = "\
scenario: the first player plays first
game: royalur
subject: referee
checks: [ur/handshake/first-player-starts]
turns:
  - first: 0 0 1 1 > 3
  - second: 0 0 1 1 > 3
";

/// A repository with a scenario of the user, and a referee with this fault in `urtext.yaml`.
fn repository(fault: &str) -> Place {
    let command = "--spectators, '{spectators}', --timeout, '{timeout}', --rolls, '{rolls}'";
    let place = Place::with(&format!(
        "  mine:
    as: referee
    game: royalur
    command: [PROGRAM, referee, royalur, {fault}{command}]
    rolls: {{argument: true}}
    budgets: {{start: 60s, handshake: 60s, answer: 60s, close: 10s}}
"
    ));
    std::fs::create_dir(place.join(".git")).unwrap();
    place.write("games/own.yaml", OWN);
    place
}

/// Plays a scenario of the user with the built-in referee, which has this fault where one is named.
fn play_own(place: &Place, fault: &str, options: &[&str]) -> Ran {
    place.write("games/own.yaml", OWN);
    let faulty = faulty("referee", "royalur", fault);
    let subject = match fault {
        "" => &faulty[..2],
        _ => &faulty,
    };
    let scenarios = ["games", "--no-diagnosis"];
    place.run(&[&scenarios[..], options, subject].concat())
}
