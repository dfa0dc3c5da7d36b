//! Every fault of the built-in bot shows: it plays or ends otherwise than the honest one.

use urtext::games::royalur::BOT_FAULTS;

use super::subject::{Seen, play, play_in_two};

/// As the first player: a rosette, an extra turn in which the way onto the rosette is blocked by its own token, a skipped turn,
/// and RETIRE.
const GAME: &str =
    "A\nB\n0\n1 1 1 1\n1 1 1 1\n0 0 0 1\n0 0 0 1\n0\n0 0 0 0\n0 0 0 0\n0 0 1 1\n0 0 0 0\nRETIRE\n";

/// The game in two parts, the first of which ends within its second roll.
fn halves() -> (&'static str, &'static str) {
    GAME.split_at("A\nB\n0\n1 1 1 1\n1 1".len())
}

/// The opponent captures token 0 on the twelfth cell, from where four would be too far: token 0 can move by four only if it
/// is known to be back at the start.
const CAPTURE: &str = concat!(
    "A\nB\n0\n",
    "1 1 1 1\n1 1 1 1\n1 1 1 1\n",
    "1 1 1 1\n0\n1 1 1 1\n0\n1 1 1 1\n0\n",
    "1 1 1 1\n",
    "RETIRE\n",
);

fn honest(game: &str) -> Seen {
    let seen = play(&["--policy", "first"], game);
    assert!(
        seen.ends_before_its_input && seen.code == Some(0),
        "{seen:?}"
    );
    seen
}

#[test]
fn every_fault_shows_in_a_game() {
    // All at once: most of the time is spent waiting for what does not come.
    std::thread::scope(|scope| {
        for row in BOT_FAULTS {
            scope.spawn(move || {
                let game = match row.name {
                    "needs-ascii-names" => GAME.replace("A\n", "A b\n"),
                    "always-first-seat" => {
                        "A\nB\n1\n0 0 0 1\n0\n0 0 0 0\n0 0 0 0\nRETIRE\n".to_owned()
                    }
                    "forgets-captures" => CAPTURE.to_owned(),
                    _ => GAME.to_owned(),
                };
                let faulty = ["--policy", "first", "--fault", row.name];
                if row.name == "survives-eof" {
                    let input = "A\nB\n0\n0 0 0 1\n";
                    let seen = play(&["--policy", "first"], input);
                    assert_eq!(
                        (seen.ends_before_its_input, seen.code),
                        (false, Some(0)),
                        "{seen:?}"
                    );
                    assert_eq!(play(&faulty, input).code, None, "it has to be killed");
                } else if ["takes-half-lines", "one-line-per-read"].contains(&row.name) {
                    let (first, second) = halves();
                    let seen = |args: &[&str]| play_in_two(args, first, second);
                    assert_eq!(seen(&faulty[..2]), honest(GAME));
                    assert_ne!(seen(&faulty), honest(GAME), "{} does not show", row.name);
                } else {
                    assert_ne!(
                        play(&faulty, &game),
                        honest(&game),
                        "{} does not show",
                        row.name
                    );
                }
            });
        }
    });
}
