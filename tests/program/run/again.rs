//! Finished games that are played again with a live subject.

use crate::harness::{DATA, PATIENT, Place, Ran, URTEXT, faulty_referee};

const SEED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/seed/second.txt");
const SPECTATOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/seed/spectator.txt");
const CAPTURED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/code-colosseum/spectator.received"
);
const ONITAMA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/onitama-judge/top.txt"
);

/// A bot that is not hurried by a busy machine.
fn bot<'a>(place: &Place, args: &[&'a str], policy: &'a str) -> Ran {
    let command = [
        "--as", "bot", "--", URTEXT, "bot", "royalur", "--policy", policy,
    ];
    place.run(&[args, &PATIENT, &command[..]].concat())
}

/// A recording of a game of the built-in bot that takes the first legal token.
fn recorded(place: &Place) {
    let bot = format!("{} bot royalur --policy first", shell_words::quote(URTEXT));
    let wrapped = format!(
        "{} record -o bot.jsonl -- {bot}",
        shell_words::quote(URTEXT)
    );
    let mut command = assert_cmd::Command::new(URTEXT);
    command.current_dir(place.path()).args([
        "referee", "royalur", "--pace", "0", "--seed", "1", "--bot", &bot,
    ]);
    command.args(["--bot", &wrapped]).assert().success();
}

#[test]
fn captured_games_are_played_again_by_the_built_in_referees() {
    let place = Place::new();
    let ran = place
        .run(&[
            "--verbose",
            "--budget",
            "answer=60s",
            SEED,
            CAPTURED,
            ONITAMA,
        ])
        .expect(0);
    ran.says("second-again")
        .says("spectator-again")
        .says("top-again")
        .says("3 scenarios: 3 passed");
}

#[test]
fn a_bot_is_held_against_the_moves_that_it_made() {
    let place = Place::new();
    recorded(&place);
    bot(&place, &["bot.jsonl"], "first").expect(0);
    let ran = bot(&place, &["bot.jsonl"], "last").expect(4);
    // The seat is that of the lane that was recorded, and the finding stands where it first moved otherwise.
    let ran = ran
        .says("inconclusive: the bot chose ")
        .says("= board: the board in turn ");
    let budgets = PATIENT.join(" ").replace("--budget=", "--budget ");
    let ran = ran
        .says("--> bot.jsonl (played again):")
        .says(&format!("repeat: urtext run bot.jsonl {budgets} --as bot"));
    // It goes on live where the finding says.
    let turn = ran
        .stdout
        .split("= note: a bot may choose another move than the one that was recorded; `--from ");
    let turn: String = turn
        .skip(1)
        .flat_map(|rest| rest.chars().take_while(char::is_ascii_digit))
        .collect();
    assert!(
        ran.stdout.contains(&format!("the board in turn {turn},")),
        "{ran:#?}"
    );
    bot(&place, &["bot.jsonl", "--from", &turn], "last").expect(0);
    let other = bot(&place, &["bot.jsonl", "--seat", "first"], "first");
    assert!(matches!(other.code, Some(0 | 4)), "{other:#?}");
    assert!(!place.path().join("bot-again.jsonl").exists());
}

#[test]
fn it_goes_on_live_from_a_turn() {
    let place = Place::new();
    recorded(&place);
    // Another bot cannot have played the whole of the game so, and can go on from anywhere in which it has not moved yet.
    bot(&place, &["bot.jsonl", "--from", "1"], "last").expect(0);
    bot(&place, &["bot.jsonl", "--from", "20"], "first").expect(0);
    place
        .run(&["bot.jsonl", "--from", "20", "--budget", "answer=60s"])
        .expect(0);
    let ran = place
        .run(&[ONITAMA, "--from", "5", "--budget", "answer=60s"])
        .expect(0);
    ran.says("1 scenario: 1 passed");
    place
        .run(&["bot.jsonl", "--from", "1000"])
        .expect(2)
        .complains("there is no turn 1000 to go on from: the game has ");
    place
        .run(&["--from", "3"])
        .expect(2)
        .complains("--game-number go with a finished game");
    place
        .run(&["bot.jsonl", "--from", "0"])
        .expect(2)
        .complains("`--from 1` is a live game");
    place
        .run(&["bot.jsonl", "--seat", "first"])
        .expect(2)
        .complains("there is no bot under test");
    let top = ["bot.jsonl", "--seat", "top", "--as", "bot", "--", "true"];
    place
        .run(&top)
        .expect(2)
        .complains("its seats are first and second");
    place
        .run(&[ONITAMA, "--game", "royalur", "--as", "bot", "--", "true"])
        .expect(2)
        .complains("add --game onitama");
}

#[test]
fn a_referee_that_plays_the_game_otherwise_fails_where_it_does() {
    let place = Place::new();
    let ran = place
        .run(&[&[SEED][..], &faulty_referee("stacking")].concat())
        .expect(1);
    let ran = ran
        .says("(played again):")
        .says("  - second: 1 0 1 0 > 2 illegal")
        .says("= board: turn 9, second has lost");
    ran.says("repeat: urtext run ");
}

#[test]
fn a_referee_that_takes_no_rolls_cannot_play_it_again() {
    let place = Place::new();
    let args = [
        SEED, "--as", "referee", "--", URTEXT, "referee", "royalur", "--listen", ":{port}",
    ];
    place
        .run(&args)
        .expect(4)
        .says("unsupported")
        .says("`--free-games 10` plays games that need no hook");
}

/// The seed's game, in two of three games the first player under another name.
fn several(place: &Place) {
    let game = std::fs::read_to_string(SPECTATOR).unwrap();
    let [other, last] = ["Ann", "Bea"].map(|name| game.replace("PlayerA", name));
    std::fs::write(
        place.path().join("many.txt"),
        format!("{game}\n{other}\n{last}"),
    )
    .unwrap();
}

#[test]
fn of_a_file_with_several_games_one_is_played_and_the_others_are_told_of() {
    let place = Place::new();
    several(&place);
    let ran = place
        .run(&["many.txt", "-v", "--budget", "answer=60s"])
        .expect(0)
        .says(" many-again ");
    ran.complains("this file holds several games")
        .complains("`--game-number NUMBER` takes another");
    let ran = place
        .run(&[
            "many.txt",
            "--game-number",
            "3",
            "-v",
            "--budget",
            "answer=60s",
        ])
        .expect(0);
    let ran = ran.says(" many-3-again ");
    assert!(!ran.stderr.contains("several games"), "{ran:#?}");
    let fails = [
        &["many.txt", "--game-number", "2"][..],
        &faulty_referee("six-wins"),
    ]
    .concat();
    let fails = [&fails[..1], &["--from", "1"], &fails[1..]].concat();
    place
        .run(&fails)
        .says("repeat: urtext run many.txt --seed 1 --from 1 --game-number 2 ");
    let ran = place.run(&["many.txt", "--game-number", "4"]).expect(2);
    ran.complains("there is no game 4 in this file: it holds 3 games");
    place
        .run(&["--game-number", "2"])
        .expect(2)
        .complains("go with a finished game");
}

#[test]
fn move_records_are_played_again_where_they_tell_the_rolls() {
    let place = Place::new();
    let convert = ["replay", SPECTATOR, "--to", "hc-ur", "-o", "whole.json"];
    place.urtext(&convert).expect(0);
    let ran = place
        .run(&["whole.json", "-v", "--budget", "answer=60s"])
        .expect(0);
    ran.says(" whole-again ").says("1 scenario: 1 passed");
    // Eight turns, and what loses the game is not in the records.
    place
        .run(&["whole.json", "--from", "9", "--budget", "answer=60s"])
        .expect(0);
    place
        .run(&["whole.json", "--from", "10"])
        .expect(2)
        .complains("the game has 8 turns");
    place
        .run(&["whole.json", "--game-number", "2"])
        .expect(2)
        .complains("it holds 1 game");
    let moves = format!("{DATA}/hc-ur/captured.json");
    let ran = place.run(&[&moves, "--as", "bot", "--", "true"]).expect(2);
    ran.complains("and this game has 162 turns without a roll");
}
