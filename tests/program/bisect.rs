//! `urtext bisect`: two bots on the same rolls.

use crate::harness::{DATA, Place, has_python, skip};

const BOTS: &str = "  old:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --seed, '{seed}']
  same:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --seed, '{seed}']
  faulty:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --seed, '{seed}', --fault, forgets-captures]
  wrong numbers:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --seed, '{seed}', --fault, token-from-1]
  other policy:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur, --policy, first]
  unsteady:
    as: bot
    game: royalur
    command: [PROGRAM, bot, royalur]
  missing:
    as: bot
    game: royalur
    command: [/nonexistent/bot]
  cards:
    as: bot
    game: onitama
    command: [PROGRAM, bot, onitama, --seed, '{seed}']
  stuck cards:
    as: bot
    game: onitama
    command: [PROGRAM, bot, onitama, --seed, '1']
  referee:
    as: referee
    game: royalur
    command: [PROGRAM, referee, royalur, '{port}']
  another:
    as: bot
    game: royalur
    command: [PYTHON, PEERS/ur_bot.py]
  last:
    as: bot
    game: royalur
    command: [PYTHON, PEERS/ur_bot.py, --policy, last]
  by tcp:
    as: bot
    game: royalur
    command: [PYTHON, PEERS/ur_tcp_bot.py, --connect, '{host}', '{port}']
";

fn subjects<'a>(old: &'a str, new: &'a str) -> Vec<&'a str> {
    vec!["bisect", "--subject", old, "--subject", new, "--seed", "1"]
}

fn simulated<'a>(old: &'a str, new: &'a str) -> Vec<&'a str> {
    [subjects(old, new), vec!["--simulated"]].concat()
}

#[test]
fn bots_that_answer_alike_are_equal() {
    let place = Place::with(BOTS);
    let equal = place.urtext(&simulated("old", "same")).expect(0);
    assert!(equal.stdout.starts_with("equal: 10 games, "), "{equal:?}");
    place
        .urtext(&[simulated("cards", "cards"), vec!["--games", "3"]].concat())
        .expect(0)
        .says("equal: 3 games, ");
}

#[test]
fn the_first_wrong_answer_is_shown_with_board_and_roll() {
    let different = Place::with(BOTS)
        .urtext(&simulated("old", "faulty"))
        .expect(1);
    insta::assert_snapshot!(different.stdout, @r#"
    game 1: different in turn 33; turns 1 to 32 are equal
      old     1: token 1 from cell 5 to cell 8 (rosette), plays again; legal
      faulty  "0": not legal: the bot sent an illegal move: an own token stands there

    turn 33, first rolled 1 0 1 1:
      second  start: b1 b2                 out: -
    +----+----+----+----+         +----+----+
    | b5 |    | b0 | b3 |         | *  |    |
    +----+----+----+----+----+----+----+----+
    | a1 |    | b6 | *  |    |    | b4 |    |
    +----+----+----+----+----+----+----+----+
    | a3 | a5 |    | a4 |         | a6 |    |
    +----+----+----+----+         +----+----+
    > first   start: a0 a2                 out: -

    repeat: urtext bisect --simulated --seed 1 --games 1 --subject old --subject faulty
    "#);
}

#[test]
fn the_wrong_line_is_shown() {
    Place::with(BOTS)
        .urtext(&simulated("wrong numbers", "old"))
        .expect(1)
        .says("different in turn 1\n")
        .says("wrong numbers  \"7\": not legal: ");
}

#[test]
fn legal_moves_of_a_game_without_rolls_differ() {
    Place::with(BOTS)
        .urtext(&simulated("cards", "stuck cards"))
        .expect(1)
        .says("; legal\n  stuck cards  ");
}

#[test]
fn both_bots_may_fail_alike() {
    Place::with(BOTS)
        .urtext(&[simulated("faulty", "faulty"), vec!["--games", "1"]].concat())
        .expect(0)
        .says("game 1: both bots fail alike: the bot sent an illegal move")
        .says("equal: 1 game, 32 turns");
}

#[test]
fn a_bot_that_never_plays_the_same_game_twice_is_reported() {
    let place = Place::with(BOTS);
    // By chance, it may play one game several times alike.
    let reported = (0..5)
        .map(|_| place.urtext(&subjects("old", "unsteady")))
        .find(|ran| ran.code == Some(4));
    reported
        .expect("it moves at random")
        .says("unsteady answers differently when the same game is played again");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::with(BOTS);
    for (old, new, complaint) in [
        ("old", "referee", "\"referee\" is no bot"),
        ("old", "cards", "play different games"),
        ("old", "nobody", "there is no subject `nobody`"),
    ] {
        place
            .urtext(&subjects(old, new))
            .expect(2)
            .complains(complaint);
    }
    let one = ["bisect", "--subject", "old"];
    place
        .urtext(&one)
        .expect(2)
        .complains("two bots are compared");
    place
        .urtext(&subjects("old", "missing"))
        .expect(3)
        .complains(
            "game 1: missing could not be played with: `/nonexistent/bot` cannot be started",
        );
}

#[test]
fn bots_that_share_no_code_are_compared_over_pipes_and_tcp() {
    if !has_python() {
        return skip("Python");
    }
    let place = Place::with(BOTS);
    for [old, new] in [["another", "other policy"], ["another", "by tcp"]] {
        place
            .urtext(&[subjects(old, new), vec!["--games", "2"]].concat())
            .expect(0)
            .says("equal: 2 games, 268 turns");
    }
    place
        .urtext(&subjects("another", "last"))
        .expect(1)
        .says("  another  0: token 0 from the start to cell 3; legal")
        .says("  last     6: token 6 from the start to cell 3; legal");
}

#[test]
fn a_finished_game_gives_rolls_and_opponent() {
    let game = format!("{DATA}/code-colosseum/spectator.received");
    let place = Place::with(BOTS);
    let words = |old, new| [subjects(old, new), vec!["--seat", "second", &game]].concat();
    // The recorded first three turns are those of the file; its fourth is the bots' first.
    place
        .urtext(&words("other policy", "faulty"))
        .expect(1)
        .says("different in turn 4; turns 1 to 3 are equal")
        .says("turn 4, second rolled 0 1 0 0:");
    // The bots leave the recorded game, and it goes on at random to its end.
    let equal = place.urtext(&words("other policy", "other policy"));
    let equal = equal.expect(0).says("equal: 1 game, ");
    assert!(!equal.stdout.contains("164 turns"), "{equal:?}");
}
