//! The same complaints as an independent checker that shares no code with urtext, on games with a deliberate slip in each.

use std::collections::BTreeSet;
use std::process::Command;

use urtext::games::royalur::CodeColosseum;
use urtext::games::royalur::RoyalUr;
use urtext::pack::Protocol;
use urtext::rules::{Game, Phase, Roll, RollSource, below};
use urtext::transcript::LoggedGame;
use urtext::transcript::bare::{self, Games};
use urtext::verify;

use crate::harness::{PEERS, python};

/// The lines of the spectator's stream of a game of random play.
fn stream(dice: &mut RollSource) -> Vec<String> {
    let mut table = RoyalUr.table(RoyalUr.draw_setup(0));
    let mut lines = vec!["PlayerA".to_owned(), "PlayerB".to_owned()];
    loop {
        match table.phase() {
            Phase::Over(_) => return lines,
            Phase::Roll => {
                let roll = dice.next(|random| RoyalUr.draw_roll(random));
                table.take_roll(roll);
                lines.push(RoyalUr.format_roll(roll));
            }
            Phase::Move => {
                let moves = table.legal_moves();
                let mv = moves[choose(dice, moves.len())];
                table.play(mv).unwrap();
                lines.push(RoyalUr.format_move(mv));
            }
        }
    }
}

fn choose(dice: &mut RollSource, bound: usize) -> usize {
    below(
        u64::from(dice.next(|random| Roll((random >> 48) as u16)).0) << 48,
        bound,
    )
}

/// The game with one line below the names changed, lost, doubled, or moved, or cut off; sometimes as it is.
fn with_a_slip(mut lines: Vec<String>, dice: &mut RollSource) -> String {
    let at = 3 + choose(dice, lines.len() - 3);
    match choose(dice, 7) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, at - 1),
        3 => lines.truncate(at),
        4 => {}
        _ => {
            let others = [
                "0 0 0 0", "0 1 1 0", "1 1 1 1", "0", "3", "6", "7", "+3", "3 ", "RETIRE", "x",
            ];
            lines[at] = others[choose(dice, others.len())].to_owned();
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The lines of the file of which urtext complains.
fn complaints(file: &str) -> BTreeSet<usize> {
    let games = Games::new(&CodeColosseum, Vec::new(), file.as_bytes(), true);
    let mut lines = BTreeSet::new();
    for game in games {
        let lane = bare::lane("games.txt", &game.unwrap(), &CodeColosseum);
        let game = LoggedGame::new(Protocol::Game(&CodeColosseum), vec![lane]);
        if let Some(complaint) = verify::judge(&game).unwrap().findings.first() {
            lines.insert(complaint.in_file.as_ref().unwrap().line);
        }
    }
    lines
}

#[test]
fn an_independent_checker_complains_of_the_same_lines() {
    let Some(python) = python() else { return };
    let mut dice = RollSource::new([], 2);
    let games: Vec<_> = (0..300)
        .map(|_| {
            let lines = stream(&mut dice);
            with_a_slip(lines, &mut dice)
        })
        .collect();
    let file = games.join("\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.txt"), &file).unwrap();
    let checker = format!("{PEERS}/ur_checker.py");
    let output = Command::new(python)
        .arg(checker)
        .arg("games.txt")
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // That a game is not finished is no complaint here unless the end is demanded.
    let theirs: BTreeSet<usize> = said
        .lines()
        .filter(|line| !line.ends_with(": the game ends before it is won"))
        .map(|line| line.split(':').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(
        theirs.len() > 150,
        "too few complaints to mean anything: {said}"
    );
    assert_eq!(complaints(&file), theirs);
}
