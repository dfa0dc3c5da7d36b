use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::games::royalur::CodeColosseum;

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");

/// A stream that is read a few bytes at a time.
struct Trickle<'a>(Cursor<&'a [u8]>, usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.1);
        self.0.read(&mut buffer[..count])
    }
}

/// The games of a text: on which line each begins, and its text.
fn games(text: &[u8], step: usize) -> Vec<(usize, Vec<u8>)> {
    let games = Games::new(
        &CodeColosseum,
        Vec::new(),
        Trickle(Cursor::new(text), step),
        true,
    );
    let mut all = Vec::new();
    for game in games {
        let game = game.unwrap();
        all.push((game.first_line, game.text));
    }
    all
}

fn texts(text: &str) -> Vec<String> {
    games(text.as_bytes(), 7)
        .into_iter()
        .map(|(_, text)| String::from_utf8(text).unwrap())
        .collect()
}

proptest! {
    #[test]
    fn the_size_of_a_read_makes_no_difference(
        lines in prop::collection::vec(prop_oneof![Just(""), Just("A"), Just("3"), Just("0 1 1 0"), Just("RETIRE"), Just(">3")], 0..30),
        has_end in any::<bool>(), step in 1..9_usize,
    ) {
        let mut text = lines.join("\n");
        if has_end {
            text.push('\n');
        }
        let whole = games(text.as_bytes(), usize::MAX);
        prop_assert_eq!(&games(text.as_bytes(), step), &whole);
        // No line is lost but the empty ones between games.
        let all: Vec<&str> = text.lines().collect();
        for (first, game) in &whole {
            let game = str::from_utf8(game).unwrap();
            let count = game.lines().count();
            prop_assert_eq!(game.lines().collect::<Vec<_>>(), &all[first - 1..first - 1 + count]);
        }
        let kept: usize = whole.iter().map(|(_, game)| game.iter().filter(|&&byte| byte != b'\n').count()).sum();
        prop_assert_eq!(kept, text.bytes().filter(|&byte| byte != b'\n').count());
    }

    #[test]
    fn never_panics_on_any_bytes(bytes in any::<Vec<u8>>()) {
        for (_, game) in games(&bytes, 3) {
            drop(lane("a", &BareGame::new(game, true), &CodeColosseum));
        }
        let _ = looks_like(&bytes, dialect_of(&bytes));
    }
}

#[test]
fn an_empty_line_separates_games() {
    let text = format!("\n{SPECTATOR}\n\n{FIRST}\n{SPECTATOR}\n\n");
    assert_eq!(texts(&text), [SPECTATOR, FIRST, SPECTATOR]);
    let lines: Vec<_> = games(text.as_bytes(), 100)
        .into_iter()
        .map(|(line, _)| line)
        .collect();
    assert_eq!(lines, [2, 23, 44]);
}

#[test]
fn an_empty_line_inside_a_game_is_a_line_of_it() {
    for wrong in [
        SPECTATOR.replacen("3\n", "\n", 1),
        SPECTATOR.replacen("0 1 0 0\n", "\n", 1),
        SPECTATOR.replace("RETIRE", "\nRETIRE"),
        FIRST.replacen(">3\n", "\n>3\n", 1),
        SPECTATOR.replace("PlayerB", ""),
        FIRST.replace("PlayerB", ""),
    ] {
        assert_eq!(texts(&wrong), [wrong.as_str()]);
    }
}

#[test]
fn players_may_be_called_like_a_move() {
    let numbers = SPECTATOR.replace("PlayerA", "1").replace("PlayerB", "2");
    assert_eq!(
        texts(&format!("{numbers}\n{numbers}")),
        [numbers.as_str(), &numbers]
    );
}

#[test]
fn a_game_that_is_too_large_is_passed_over() {
    let large = format!("A\nB\n{}", "0 0 0 0\n\n".repeat(200_000));
    let text = format!("{large}C\nD\n0 0 0 0\n\n{SPECTATOR}");
    for step in [1 << 10, usize::MAX] {
        let mut games = Games::new(
            &CodeColosseum,
            Vec::new(),
            Trickle(Cursor::new(text.as_bytes()), step),
            true,
        );
        let game = games.next().unwrap().unwrap();
        assert!(game.is_too_large && game.text.len() < 2048 && game.text.starts_with(b"A\nB\n0 0"));
        let game = games.next().unwrap().unwrap();
        assert_eq!(
            (game.first_line, &game.text[..]),
            (400_003, "C\nD\n0 0 0 0\n".as_bytes())
        );
        assert_eq!(games.next().unwrap().unwrap().text, SPECTATOR.as_bytes());
        assert!(games.next().is_none());
        assert!(games.buffer.len() < 3 * GAME_LIMIT);
    }
}

#[test]
fn tells_a_players_stream_from_a_spectators() {
    let kind = |text: &str, marks_sent| {
        let lane = lane("a", &BareGame::new(text, marks_sent), &CodeColosseum);
        (lane.label.kind(), lane.tells_sent)
    };
    assert_eq!(kind(FIRST, true), (LaneKind::Player, true));
    assert_eq!(kind(FIRST, false), (LaneKind::Player, false));
    assert_eq!(kind(SPECTATOR, true), (LaneKind::Spectator, false));
    assert_eq!(
        kind(&SPECTATOR.replace("PlayerA", ">A"), true),
        (LaneKind::Spectator, false)
    );
}
