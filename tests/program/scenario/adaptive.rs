//! Steps that depend on the course of the game.

use urtext::rules::Seat;
use urtext::scenario::{AdaptiveAction, Golden, Improvised, PlayerAction, Situation, StepKind};

use super::{REFEREE, bot, read, referee, with_turns};

const DEALT: &str =
    "scenario: t\ngame: onitama\nsubject: referee\nchecks: [oni/move/capture]\nturns:\n";

fn steps(head: &str, turns: &[&str]) -> Vec<StepKind> {
    let (scenario, diagnostics) = read(&with_turns(head, turns));
    let scenario = scenario
        .unwrap_or_else(|| panic!("{}", diagnostics.draw(urtext::diagnostic::Paint::Plain)));
    let plan = scenario.game().unwrap();
    assert!(plan.is_adaptive());
    assert_eq!(scenario.golden, Golden::None);
    plan.steps.iter().map(|step| step.kind.clone()).collect()
}

#[track_caller]
fn assert_situation(head: &str, text: &str, who: Option<Seat>, situation: Situation, turns: u32) {
    let step = format!("play: until {text}");
    let [StepKind::PlayUntil(until)] = &steps(head, &[&step])[..] else {
        panic!("no situation: {text}")
    };
    assert_eq!(
        (until.who, until.situation.clone(), until.turns),
        (who, situation, turns),
        "{text}"
    );
}

#[test]
fn a_situation_is_read_with_its_player_and_its_turns() {
    let (first, second) = (Some(Seat::First), Some(Seat::Second));
    assert_situation(
        REFEREE,
        "first can capture",
        first,
        Situation::Can("capture"),
        200,
    );
    assert_situation(
        REFEREE,
        "mover can win, within 30 turns",
        None,
        Situation::Can("win"),
        30,
    );
    assert_situation(
        REFEREE,
        "second cannot move",
        second,
        Situation::CannotMove,
        200,
    );
    assert_situation(
        REFEREE,
        "mover can break overshoot",
        None,
        Situation::CanBreak("overshoot"),
        200,
    );
    assert_situation(
        DEALT,
        "bottom can reach-temple",
        second,
        Situation::Can("reach-temple"),
        200,
    );
    let rolled = Situation::Rolled(urtext::rules::Roll(0b1111));
    assert_situation(REFEREE, "first rolls 1 1 1 1", first, rolled, 200);
    let told_apart = |words: &[&str]| {
        let words = words.iter().map(|&word| word.to_owned());
        Situation::ToldApart(words.collect())
    };
    assert_situation(REFEREE, "told apart", None, told_apart(&[]), 200);
    let words = ["capture-4", "ur/capture"];
    assert_situation(
        REFEREE,
        "told apart capture-4 ur/capture, within 50 turns",
        None,
        told_apart(&words),
        50,
    );
}

#[test]
fn a_turn_without_its_roll_is_made_up() {
    let sort = |turn: &str| match steps(REFEREE, &[turn]).remove(0) {
        StepKind::Improvise(Improvised { action, .. }) => action,
        other => panic!("{other:?}"),
    };
    assert_eq!(sort("mover: any"), AdaptiveAction::Legal(None));
    assert_eq!(sort("first: any exit"), AdaptiveAction::Legal(Some("exit")));
    assert_eq!(sort("second: illegal"), AdaptiveAction::Refused(None));
    assert_eq!(
        sort("mover: illegal own-token"),
        AdaptiveAction::Refused(Some("own-token"))
    );
    assert_eq!(sort("first: silent"), AdaptiveAction::SILENT);
    assert_eq!(
        sort("mover: '\"banana\" illegal'"),
        AdaptiveAction::Plain(PlayerAction::Illegal(b"banana".to_vec()))
    );
}

#[test]
fn what_no_position_can_bring_is_a_fault_at_the_word() {
    insta::assert_snapshot!(referee(&[
        "play: until nobody can capture",
        "play: until first can captur",
        "play: until first dances",
        "play: until first rolls 0 0 0 7",
        "play: until first can move, soon",
        "mover: dance",
        "mover: '\"3\" illegal'",
        "play: until told apart capture-4 ur/captur",
    ]), @r#"
    error[turn/situation]: `nobody` is nobody in this game
     --> s.yaml:6:17
      |
    6 |   - play: until nobody can capture
      |                 ^^^^^^
      |
      = help: write `first`, `second`, or `mover` for whoever is on turn

    error[turn/situation]: `captur` is no kind of move
     --> s.yaml:7:27
      |
    7 |   - play: until first can captur
      |                           ^^^^^^
      |
      = help: write `capture`

    error[turn/situation]: this is no situation
     --> s.yaml:8:11
      |
    8 |   - play: until first dances
      |           ^^^^^^^^^^^^^^^^^^
      |
      = help: write `until mover` and one of `can move`, `cannot move`, `can capture`, `can exit`, `can reach-rosette`, `can win`, `can break` and why the rules refuse a move, `rolls` and a roll; or `until told apart`

    error[turn/situation]: this is no roll
     --> s.yaml:9:29
      |
    9 |   - play: until first rolls 0 0 0 7
      |                             ^^^^^^^
      |
      = help: write four coins such as `0 1 1 0`

    error[turn/situation]: after the situation stands how many turns are played for it
      --> s.yaml:10:31
       |
    10 |   - play: until first can move, soon
       |                               ^
       |
       = help: write `, within 100 turns`

    error[turn/situation]: this cannot be done in whatever position comes up
      --> s.yaml:11:12
       |
    11 |   - mover: dance
       |            ^^^^^
       |
       = help: write `any`, `any` and a kind of move, `illegal`, `illegal` and why the rules refuse it, `silent`, `hang up`, or a line in quotation marks

    error[turn/situation]: what this line does depends on the position
      --> s.yaml:12:13
       |
    12 |   - mover: '"3" illegal'
       |             ^^^^^^^^^^^
       |
       = help: of a line in quotation marks it has to be known whatever the position: `illegal`, or `ignored`

    error[turn/situation]: `ur/captur` is no wrong reading of the rules, and no requirement that one breaks
      --> s.yaml:13:38
       |
    13 |   - play: until told apart capture-4 ur/captur
       |                                      ^^^^^^^^^
       |
       = help: write `ur/capture`
    "#);
}

#[test]
fn after_chance_no_roll_is_forced_and_after_a_loss_nothing_follows() {
    insta::assert_snapshot!(
        referee(&["play: until first can win", "first: 0 0 0 1 > 3", "mover: silent", "mover: any"]),
        @r"
    error[turn/late-roll]: no roll can be forced after turns that are left to chance
     --> s.yaml:7:12
      |
    6 |   - play: until first can win
      |     ------------------------- from here on chance decides
    7 |   - first: 0 0 0 1 > 3
      |            ^^^^^^^
      |
      = help: leave the roll out and say what is to be done, such as `any` or `illegal`, or put this turn first

    error[turn/after-the-end]: the game is over before this turn
     --> s.yaml:9:5
      |
    8 |   - mover: silent
      |     ------------- this loses the game
    9 |   - mover: any
      |     ^^^^^^^^^^ nothing can follow
      |
      = help: remove this turn and those after it
    "
    );
}

#[test]
fn the_bot_under_test_chooses_for_itself() {
    insta::assert_snapshot!(bot(&["play: until bot can capture", "bot: any capture", "mover: silent"]), @r"
    error[turn/situation]: the bot under test cannot be made to do this
     --> s.yaml:8:10
      |
    8 |   - bot: any capture
      |          ^^^^^^^^^^^
      |
      = help: write `mover: any`, or name the opponent

    error[turn/situation]: the bot under test cannot be made to do this
     --> s.yaml:9:12
      |
    9 |   - mover: silent
      |            ^^^^^^
      |
      = help: write `mover: any`, or name the opponent
    ");
}
