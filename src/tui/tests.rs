use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;
use crate::replay::of_streams;

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const CAPTURED: &str = include_str!("../../tests/data/code-colosseum/spectator.received");

fn press(state: &mut ViewerState, keys: &[KeyCode]) {
    for &key in keys {
        assert_eq!(
            state.press(KeyEvent::new(key, KeyModifiers::NONE)),
            Flow::Stay,
            "{key:?}"
        );
    }
}

fn drawn(state: &ViewerState, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view(state, frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn shows_the_board_and_the_turns_around_it() {
    let mut state = ViewerState::new(of_streams(&[FIRST, SECOND]));
    press(
        &mut state,
        &[KeyCode::Right, KeyCode::Char(' '), KeyCode::Down],
    );
    insta::with_settings!({snapshot_path => "../../snapshots/insta/tui", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("middle_of_a_game", drawn(&state, 130, 20));
        press(&mut state, &[KeyCode::End]);
        insta::assert_snapshot!("end_of_a_game", drawn(&state, 130, 20));
    });
}

#[test]
fn keys_go_forward_back_and_to_a_turn() {
    let mut state = ViewerState::new(of_streams(&[CAPTURED]));
    let mut at = |keys: &[KeyCode]| {
        press(&mut state, keys);
        (
            state.replay().frame().number,
            state.message().map(str::to_owned),
        )
    };
    assert_eq!(at(&[KeyCode::Left]), (0, None));
    assert_eq!(
        at(&[KeyCode::Right, KeyCode::Char('l'), KeyCode::Enter]),
        (3, None)
    );
    assert_eq!(at(&[KeyCode::PageDown, KeyCode::Up]), (12, None));
    assert_eq!(
        at(&[KeyCode::Char('4'), KeyCode::Char('2'), KeyCode::Enter]),
        (42, None)
    );
    assert_eq!(
        at(&[
            KeyCode::Char('1'),
            KeyCode::Char('6'),
            KeyCode::Char('9'),
            KeyCode::Backspace,
            KeyCode::Enter
        ]),
        (16, None)
    );
    let no_turn = "there is no turn 999: the game has turns 1 to 164, and 0 is before the first";
    assert_eq!(at(&[KeyCode::Char('9'); 3]), (16, None));
    assert_eq!(at(&[KeyCode::Enter]), (16, Some(no_turn.to_owned())));
    assert_eq!(
        at(&[KeyCode::Char('5'), KeyCode::Esc, KeyCode::Enter]),
        (17, None)
    );
    assert_eq!(at(&[KeyCode::End]), (164, None));
    assert_eq!(at(&[KeyCode::Home]), (0, None));
    assert_eq!(at(&[KeyCode::Char('9'); 40]), (0, None));
}

#[test]
fn leaves_by_q_escape_and_control_c() {
    let mut state = ViewerState::new(of_streams(&[FIRST]));
    for (key, modifiers) in [
        (KeyCode::Char('q'), KeyModifiers::NONE),
        (KeyCode::Esc, KeyModifiers::NONE),
        (KeyCode::Char('c'), KeyModifiers::CONTROL),
    ] {
        assert_eq!(state.press(KeyEvent::new(key, modifiers)), Flow::Leave);
    }
}

#[test]
fn a_window_of_any_size_is_drawn_and_no_hostile_name_gets_through() {
    let mut state = ViewerState::new(of_streams(&["\u{1b}[2JA\u{202e}\nB\n0 0 0 1\n0\n"]));
    press(&mut state, &[KeyCode::End]);
    for (columns, rows) in [(1, 1), (20, 5), (80, 24), (300, 100)] {
        let drawn = drawn(&state, columns, rows);
        assert!(
            !drawn
                .chars()
                .any(|c| c != '\n' && crate::diagnostic::visible::is_hostile(c))
        );
    }
    assert!(drawn(&state, 130, 24).contains(r"\x1b[2JA\u{202e} (first)"));
}

#[test]
fn nothing_that_stands_beside_the_board_is_cut_off_at_the_end_of_a_game() {
    let mut state = ViewerState::new(of_streams(&[CAPTURED]));
    press(&mut state, &[KeyCode::End]);
    let drawn = drawn(&state, 100, 30);
    assert!(drawn.contains("out: b0 b1 b2 b3 b4 b5 b6 "), "{drawn}");
}
