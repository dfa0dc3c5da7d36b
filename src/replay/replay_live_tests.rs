use super::*;
use crate::diagnostic::{Paint, Source};
use crate::scenario::{Alone, resolve};
use crate::transcript::bare::{self, BareGame};
use crate::verify;

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");
const TOP: &str = include_str!("../../tests/data/onitama-judge/top.txt");

fn filed(streams: &[&str]) -> LoggedGame {
    let dialect = bare::dialect_of(streams[0].as_bytes());
    let lane = |stream: &&str| {
        let game = BareGame {
            first_line: 1,
            text: stream.as_bytes(),
            is_too_large: false,
        };
        bare::lane("game.txt", game, dialect, true)
    };
    LoggedGame::new(dialect, streams.iter().map(lane).collect())
}

fn referee(from: Option<usize>) -> LiveReplay<'static> {
    LiveReplay {
        title: "t",
        side: Side::Referee,
        seat: Seat::First,
        from,
    }
}

/// The script of a game; it is a sound scenario.
fn script(again: LiveReplay<'_>, streams: &[&str]) -> LiveScript {
    let filed = filed(streams);
    let script = again.script(&filed, verify::judge(&filed)).unwrap();
    let (scenarios, faults) = resolve(&Source::new("again", script.text.as_str()), "again", &Alone);
    assert_eq!(
        (faults.draw(Paint::Plain).as_str(), scenarios.len()),
        ("", 1),
        "{}",
        script.text
    );
    script
}

#[test]
fn a_game_is_played_again_turn_by_turn_with_the_line_that_lost_it() {
    let script = script(referee(None), &[FIRST, SECOND, SPECTATOR]);
    insta::assert_snapshot!(script.text, @r#"
    scenario: 't'
    game: 'royalur'
    subject: 'referee'
    checks: [ur/handshake/first-player-starts]
    spectators: 1
    turns:
      - first: '0 0 1 1 > 3'   # turn 1
      - second: '1 1 1 1 > 0'   # turn 2
      - second: '1 0 1 0 > 0'   # turn 3
      - first: '0 1 0 0 > 3'   # turn 4
      - second: '0 0 0 0'   # turn 5
      - first: '1 0 1 1 > 3'   # turn 6
      - second: '0 0 1 1 > 0'   # turn 7
      - first: '0 0 0 1 > 4'   # turn 8
      - second: '1 0 1 0 > "2" illegal'   # turn 9
    "#);
    assert!(script.left_out.is_empty());
}

#[test]
fn a_bot_takes_a_seat_and_goes_on_live() {
    let again = LiveReplay {
        side: Side::Bot,
        seat: Seat::Second,
        from: Some(5),
        ..referee(None)
    };
    insta::assert_snapshot!(script(again, &[SECOND]).text, @r"
    scenario: 't'
    game: 'royalur'
    subject: 'bot'
    checks: [ur/bot/both-seats]
    seat: 'second'
    turns:
      - opponent: '0 0 1 1 > 3'   # turn 1
      - bot: '1 1 1 1 > 0'   # turn 2
      - bot: '1 0 1 0 > 0'   # turn 3
      - opponent: '0 1 0 0 > 3'   # turn 4
      - play: to the end
    ");
}

#[test]
fn a_game_without_rolls_has_its_deal() {
    let text = script(referee(Some(3)), &[TOP]).text;
    insta::assert_snapshot!(text, @r"
    scenario: 't'
    game: 'onitama'
    subject: 'referee'
    checks: [oni/setup/starter-moves-first]
    deal: 'Ox,Goose,Rabbit,Boar,Frog'
    starter: 'Bottom'
    turns:
      - bottom: 'Rabbit d5 e4'   # turn 1
      - top: 'Goose d1 e2'   # turn 2
      - play: to the end
    ");
}

#[test]
fn what_is_not_told_is_left_out_and_said() {
    let untold = script(referee(None), &[SPECTATOR]);
    assert_eq!(untold.left_out, ["turn 9: why the player lost is not told"]);
    assert_eq!(untold.text.matches("  - ").count(), 8);
    let own = LiveReplay {
        side: Side::Bot,
        seat: Seat::Second,
        ..referee(None)
    };
    let left_out = script(own, &[SECOND]).left_out;
    assert_eq!(
        left_out,
        ["turn 9: the player whose seat the bot takes has lost in it"]
    );
    let wrong = script(referee(None), &[&SPECTATOR.replace("RETIRE", "2")]);
    assert!(
        wrong.left_out[0].starts_with("game.txt:19: move 2 is not legal"),
        "{:?}",
        wrong.left_out
    );
    assert_eq!(wrong.text.matches("  - ").count(), 8);
}

#[test]
fn it_goes_on_from_a_turn_of_the_game_or_the_one_after_it() {
    let filed = filed(&[FIRST]);
    let last = Replay::new(verify::judge(&filed)).last();
    for (from, is_there) in [
        (0, false),
        (1, true),
        (last, true),
        (last + 1, true),
        (last + 2, false),
    ] {
        assert_eq!(
            referee(Some(from))
                .script(&filed, verify::judge(&filed))
                .is_ok(),
            is_there,
            "{from}"
        );
    }
}

#[test]
fn nothing_in_a_game_means_anything_to_yaml() {
    let odd = SECOND.replace(">2\n", ">'\" # \u{202e}: {x}\n");
    assert_ne!(odd, SECOND);
    let text = script(
        LiveReplay {
            title: "it's: # {odd}",
            ..referee(None)
        },
        &[&odd],
    )
    .text;
    assert!(
        text.contains(r#"'1 0 1 0 > "''\" # \u{202e}: {x}" illegal'"#),
        "{text}"
    );
}
