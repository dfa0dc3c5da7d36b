//! Every fault of the built-in referee shows: a game is told otherwise than by the honest one.

use std::collections::HashMap;
use std::time::Duration;

use urtext::games::royalur::REFEREE_FAULTS;
use urtext::games::royalur::RoyalUr;
use urtext::rules::{Game, Move, Phase, Roll, RollSource, Seat, Setup, Table, below};

use super::subject::{LaneEnd, Referee, Then};

/// A game that the players have sent their part of before it begins.
#[derive(Debug, Clone, Default)]
struct Script {
    rolls: Vec<Roll>,
    /// What each player sends.
    sent: [String; 2],
}

impl Script {
    fn sends(&mut self, by: Seat, mv: Move) {
        self.sent[by.index()] += &format!("{}\n", mv.0);
    }
}

/// How a game is played, and what of it tells an honest referee from a faulty one.
#[derive(Clone, Copy)]
struct Play<'a> {
    rolls: &'a str,
    sent: [&'a str; 2],
    then: Then,
    options: &'a [&'a str],
}

/// An opening with a skipped turn, in which the second player at last sends an illegal number, and then a legal one.
const OPENING: Play = Play {
    rolls: "0001 0000 0001 0001",
    sent: ["0\n0\n", "9\n0\n"],
    then: Then::HangUp,
    options: &[],
};

/// A first turn that ends on a rosette, and the extra turn.
const ROSETTE: Play = Play {
    rolls: "1111 0001 0010",
    sent: ["0\n1\n", ""],
    ..OPENING
};

/// A lane that is silent for so long is left open: an honest referee here says more or ends the lane much sooner.
const QUIET: Duration = Duration::from_secs(5);

/// What is seen of a game.
#[derive(Debug, PartialEq, Eq)]
struct Observed {
    lanes: Vec<(String, LaneEnd)>,
    exit: Option<i32>,
}

fn observe(play: &Play, fault: Option<&str>) -> Observed {
    let mut options = vec!["--rolls", play.rolls, "--seed", "1"];
    options.extend(play.options);
    options.extend(fault.iter().flat_map(|fault| ["--fault", fault]));
    let referee = Referee::start(&options);
    let seen = referee.play_within(play.sent, play.then, QUIET);
    let is_left_open = seen.iter().any(|seen| seen.end == LaneEnd::Open);
    Observed {
        lanes: seen.into_iter().map(|seen| (seen.text, seen.end)).collect(),
        exit: if is_left_open {
            None
        } else {
            referee.end().code
        },
    }
}

/// The fault shows in the game, and the honest referee keeps every lane in order.
fn shows(name: &str, play: &Play) {
    let honest = observe(play, None);
    assert!(
        honest.lanes.iter().all(|(_, end)| *end == LaneEnd::Orderly),
        "{name}: {honest:?}"
    );
    assert_eq!(honest.exit, Some(0), "{name}: {honest:?}");
    assert_ne!(observe(play, Some(name)), honest, "{name} does not show");
}

/// A whole game of legal moves, to the win.
fn whole_game() -> Script {
    let mut table = RoyalUr.table(Setup::default());
    let mut rolls = RollSource::new([], 1);
    let mut script = Script::default();
    while let Phase::Roll = table.phase() {
        let roll = rolls.next(|random| RoyalUr.draw_roll(random));
        script.rolls.push(roll);
        if table.take_roll(roll) {
            let mv = *table.legal_moves().last().unwrap();
            script.sends(table.to_move(), mv);
            table.play(mv).unwrap();
        }
    }
    script
}

#[test]
fn every_fault_beside_the_rules_shows_in_a_game() {
    let whole = whole_game();
    let whole_rolls = written(&whole.rolls);
    let win = Play {
        rolls: &whole_rolls,
        sent: [&whole.sent[0], &whole.sent[1]],
        ..OPENING
    };
    let silence = Play {
        rolls: "0001",
        sent: ["", ""],
        then: Then::StaySilent,
        options: &["--timeout", "0.3"],
    };
    let long_line = format!("{}\n", "9".repeat(300));
    let others = HashMap::from([
        (
            "dies-of-long-lines",
            Play {
                sent: [&long_line, ""],
                ..OPENING
            },
        ),
        ("extra-turn-keeps-roll", ROSETTE),
        ("win-not-relayed", win),
        ("roll-after-win", win),
        ("no-timeout", silence),
        (
            "no-retire-on-hang-up",
            Play {
                sent: ["", ""],
                ..OPENING
            },
        ),
        (
            "accepts-open-forms",
            Play {
                sent: ["+0\n", ""],
                ..OPENING
            },
        ),
        (
            "ignores-sign",
            Play {
                sent: ["-0\n", ""],
                ..OPENING
            },
        ),
        (
            "ignores-empty-line",
            Play {
                sent: ["\n0\n", ""],
                ..OPENING
            },
        ),
        (
            "skips-single-move",
            Play {
                rolls: "1111 1111 0001",
                sent: ["0\n0\n", ""],
                ..OPENING
            },
        ),
        (
            "rerolls-extra-turn",
            Play {
                rolls: "1111 0000 0001 0001",
                sent: ["0\n", "1\n"],
                ..OPENING
            },
        ),
    ]);
    // All at once: most of the time is spent waiting for what does not come.
    std::thread::scope(|scope| {
        // Faults of the clock show on a virtual clock: `urtext mutants` plays them all (tests/mutants.rs).
        let is_of_the_clock = |name: &str| {
            name.contains("clock")
                || name.contains("untimed")
                || name.contains("-pace")
                || ["early-timeout", "late-timeout", "default-timeout-60"].contains(&name)
        };
        for row in REFEREE_FAULTS
            .iter()
            .filter(|row| !is_of_the_clock(row.name))
        {
            let play = others.get(row.name).unwrap_or(&OPENING);
            scope.spawn(move || shows(row.name, play));
        }
    });
}

fn written(rolls: &[Roll]) -> String {
    rolls
        .iter()
        .map(|&roll| RoyalUr.format_roll(roll))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Plays on by the rules until the variant differs: in whose turn it is, in what a player may do, or in whether it is over.
fn until_it_differs(name: &str, seed: u64) -> Option<Script> {
    let mut honest = RoyalUr.table(Setup::default());
    let mut variant = RoyalUr.variant_table(Setup::default(), name).unwrap();
    let mut dice = RollSource::new([], seed);
    let mut script = Script::default();
    while let Phase::Roll = honest.phase() {
        let roll = dice.next(|random| RoyalUr.draw_roll(random));
        script.rolls.push(roll);
        let (can_move, can_move_there) = (honest.take_roll(roll), variant.take_roll(roll));
        let by = honest.to_move();
        if can_move != can_move_there {
            return Some(script);
        }
        if !can_move {
            continue;
        }
        let is_legal = |table: &dyn Table, mv| table.check(mv).is_ok();
        let disputed = |&mv: &Move| is_legal(&*honest, mv) != is_legal(&*variant, mv);
        if let Some(mv) = (0..7).map(Move).find(disputed) {
            script.sends(by, mv);
            return Some(script);
        }
        let legal = honest.legal_moves();
        let mv = legal[below(
            u64::from(roll.0 ^ script.rolls.len() as u16) << 60,
            legal.len(),
        )];
        script.sends(by, mv);
        honest.play(mv).unwrap();
        variant.play(mv).unwrap();
        if (honest.phase(), honest.to_move()) != (variant.phase(), variant.to_move()) {
            // Whoever thinks that it is somebody's turn shows a roll, and that player then hangs up.
            script.rolls.push(Roll(0b0001));
            return Some(script);
        }
    }
    None
}

#[test]
fn every_variant_of_the_rules_shows_in_a_game() {
    for row in RoyalUr.variants() {
        let script = (0..10_000).find_map(|seed| until_it_differs(row.name, seed));
        let script = script.unwrap_or_else(|| panic!("no game shows {}", row.name));
        let rolls = written(&script.rolls);
        shows(
            row.name,
            &Play {
                rolls: &rolls,
                sent: [&script.sent[0], &script.sent[1]],
                ..OPENING
            },
        );
    }
}

#[test]
fn every_fault_breaks_a_requirement_that_there_is() {
    let catalogue = include_str!("../../../scenarios/royalur/requirements.yaml");
    let peers = urtext::peers::find("royalur").unwrap();
    let mut names = Vec::new();
    for row in peers.referee_faults().into_iter().chain(peers.bot_faults()) {
        let entry = format!("  - id: {}\n", row.breaks);
        assert!(
            catalogue.contains(&entry),
            "{} breaks {}, which is not in the catalogue",
            row.name,
            row.breaks
        );
        names.push(row.name);
    }
    assert!(names.len() > 30);
}
