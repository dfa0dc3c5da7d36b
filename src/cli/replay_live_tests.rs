use super::*;
use crate::diagnostic::Paint;
use crate::scenario::{Alone, Scenario, resolve, write};
use crate::transcript::bare;

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");
const TOP: &str = include_str!("../../tests/data/onitama-judge/top.txt");

/// The options, and the side of the subject.
type Again = (ReplayOptions, Side);

fn plan(
    (options, side): &Again,
    streams: &[&str],
) -> Result<(PlannedGame, Vec<String>), Diagnostic> {
    let dialect = bare::dialect_of(streams[0].as_bytes());
    options.plan(
        (*side, None),
        &crate::replay::of_streams_in(dialect, streams),
    )
}

fn referee(from: Option<usize>) -> Again {
    let options = ReplayOptions {
        from,
        ..ReplayOptions::default()
    };
    (options, Side::Referee)
}

fn second_bot(from: Option<usize>) -> Again {
    let options = ReplayOptions {
        seat: Some("second".to_owned()),
        ..referee(from).0
    };
    (options, Side::Bot)
}

/// The scenario of a game as it is written, and what it leaves out; it is sound, and reads back.
fn script(again: &Again, streams: &[&str]) -> (String, Vec<String>) {
    let (plan, left_out) = plan(again, streams).unwrap();
    let scenario = plan.titled("t");
    let placed = scenario.clone().placed("again").unwrap();
    let (read, faults) = resolve(&placed.source, "again", &Alone);
    assert_eq!(faults.draw(Paint::Plain), "");
    let steps = |scenario: &Scenario| scenario.game().unwrap().steps.clone();
    assert_eq!(steps(&read[0]), steps(&placed));
    (write(&scenario), left_out)
}

#[test]
fn a_game_is_played_again_turn_by_turn_with_the_line_that_lost_it() {
    let (text, left_out) = script(&referee(None), &[FIRST, SECOND, SPECTATOR]);
    insta::assert_snapshot!(text, @r#"
    scenario: t
    game: royalur
    subject: referee
    checks: [ur/handshake/first-player-starts]
    turns:
      - first: 0 0 1 1 > 3
      - second: 1 1 1 1 > 0
      - second: 1 0 1 0 > 0
      - first: 0 1 0 0 > 3
      - second: 0 0 0 0
      - first: 1 0 1 1 > 3
      - second: 0 0 1 1 > 0
      - first: 0 0 0 1 > 4
      - second: 1 0 1 0 > 2 illegal
    "#);
    assert!(left_out.is_empty());
}

#[test]
fn a_bot_takes_a_seat_and_goes_on_live() {
    insta::assert_snapshot!(script(&second_bot(Some(5)), &[SECOND]).0, @r"
    scenario: t
    game: royalur
    subject: bot
    seat: second
    checks: [ur/bot/both-seats]
    turns:
      - opponent: 0 0 1 1 > 3
      - bot: 1 1 1 1 > 0
      - bot: 1 0 1 0 > 0
      - opponent: 0 1 0 0 > 3
      - play: to the end
    ");
}

#[test]
fn a_game_without_rolls_has_its_deal() {
    let text = script(&referee(Some(3)), &[TOP]).0;
    insta::assert_snapshot!(text, @r"
    scenario: t
    game: onitama
    subject: referee
    checks: [oni/setup/starter-moves-first]
    deal: Ox,Goose,Rabbit,Boar,Frog
    starter: Bottom
    turns:
      - bottom: Rabbit d5 e4
      - top: Goose d1 e2
      - play: to the end
    ");
}

#[test]
fn what_is_not_told_is_left_out_and_said() {
    let untold = script(&referee(None), &[SPECTATOR]);
    assert_eq!(untold.1, ["turn 9: why the player lost is not told"]);
    assert_eq!(untold.0.matches("  - ").count(), 8);
    // The turn in which it lost is the bot's again.
    let (text, left_out) = script(&second_bot(None), &[SECOND]);
    assert!(left_out.is_empty() && text.ends_with(" any\n"), "{text}");
    let wrong = script(&referee(None), &[&SPECTATOR.replace("RETIRE", "2")]);
    assert!(
        wrong.1[0].starts_with("game.txt:19: move 2 is not legal"),
        "{:?}",
        wrong.1
    );
    assert_eq!(wrong.0.matches("  - ").count(), 8);
}

#[test]
fn it_goes_on_from_a_turn_of_the_game_or_the_one_after_it() {
    let last = crate::replay::of_streams(&[FIRST]).last();
    for (from, is_there) in [
        (0, false),
        (1, true),
        (last, true),
        (last + 1, true),
        (last + 2, false),
    ] {
        assert_eq!(
            plan(&referee(Some(from)), &[FIRST]).is_ok(),
            is_there,
            "{from}"
        );
    }
}

#[test]
fn nothing_in_a_game_means_anything_to_yaml() {
    let odd = SECOND.replace(">2\n", ">'\" # \u{202e}: {x}\n");
    assert_ne!(odd, SECOND);
    let text = script(&referee(None), &[&odd]).0;
    assert!(
        text.contains(r#"'1 0 1 0 > "''\" # \u{202e}: {x}" illegal'"#),
        "{text}"
    );
}
