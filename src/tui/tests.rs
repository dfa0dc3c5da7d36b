use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::{Color, Modifier};

use super::layout::Pane;
use super::state::{Flow, ViewerState};
use super::view::{HELP, view};
use super::*;
use crate::replay::{FrameAction, Replay, of_streams};

const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
const CAPTURED: &str = include_str!("../../tests/data/code-colosseum/spectator.received");
const TOP: &str = include_str!("../../tests/data/onitama-judge/top.txt");
const BOTTOM: &str = include_str!("../../tests/data/onitama-judge/bottom.txt");

const SIZES: [(u16, u16); 4] = [(60, 20), (80, 24), (100, 30), (200, 60)];

fn viewer(streams: &[&str]) -> ViewerState {
    viewer_with(streams, ViewerOptions::default())
}

fn viewer_with(streams: &[&str], options: ViewerOptions) -> ViewerState {
    let dialect = crate::transcript::bare::dialect_of(streams[0].as_bytes());
    let replay = crate::replay::of_streams_in(dialect, streams);
    let mut state = ViewerState::new(replay, options);
    state.take(&Event::Resize(80, 24));
    state
}

fn take(state: &mut ViewerState, key: KeyCode) -> Flow {
    state.take(&Event::Key(KeyEvent::new(key, KeyModifiers::NONE)))
}

fn press(state: &mut ViewerState, keys: &[KeyCode]) {
    for &key in keys {
        assert_eq!(take(state, key), Flow::Stay, "{key:?}");
    }
}

fn type_text(state: &mut ViewerState, keys: &str) {
    for letter in keys.chars() {
        let key = match letter {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            letter => KeyCode::Char(letter),
        };
        press(state, &[key]);
    }
}

fn drawn(state: &ViewerState, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view(state, frame)).unwrap();
    terminal.backend().to_string()
}

fn at(state: &ViewerState) -> usize {
    state.replay.frame().number
}

#[test]
fn both_games_are_laid_out_for_every_size() {
    let mut ur = viewer(&[CAPTURED]);
    type_text(&mut ur, "100\n");
    let mut onitama = viewer(&[TOP, BOTTOM]);
    type_text(&mut onitama, "c");
    insta::with_settings!({snapshot_path => "../../snapshots/insta/tui", prepend_module_to_snapshot => false}, {
        for (columns, rows) in SIZES {
            insta::assert_snapshot!(format!("royalur-{columns}x{rows}"), drawn(&ur, columns, rows));
            insta::assert_snapshot!(format!("onitama-{columns}x{rows}"), drawn(&onitama, columns, rows));
        }
    });
}

/// The screen as text with the styles of a terminal.
fn styled(state: &ViewerState, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view(state, frame)).unwrap();
    let colour = |colour| match colour {
        Color::Indexed(number) => Some(anstyle::Ansi256Color(number).into()),
        Color::Reset => None,
        other => panic!("{other:?} is not drawn yet"),
    };
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for row in buffer.content.chunks(columns.into()) {
        for cell in row {
            let has = |modifier| cell.modifier.contains(modifier);
            let mut style = anstyle::Style::new();
            style = style.fg_color(colour(cell.fg)).bg_color(colour(cell.bg));
            for (modifier, effect) in [
                (Modifier::BOLD, anstyle::Effects::BOLD),
                (Modifier::DIM, anstyle::Effects::DIMMED),
                (Modifier::UNDERLINED, anstyle::Effects::UNDERLINE),
                (Modifier::REVERSED, anstyle::Effects::INVERT),
            ] {
                style = style.effects(style.get_effects().set(effect, has(modifier)));
            }
            text.push_str(&format!("{style}{}{style:#}", cell.symbol()));
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_picture_of_the_viewer_is_what_it_shows() {
    let options = ViewerOptions {
        has_colour: true,
        ..ViewerOptions::default()
    };
    let mut state = viewer_with(&[CAPTURED], options);
    type_text(&mut state, "100\n");
    let drawn = anstyle_svg::Term::new().render_svg(&styled(&state, 100, 30));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/viewer.svg");
    if std::env::var_os("URTEXT_BLESS_PICTURE").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/viewer.svg is out of date; URTEXT_BLESS_PICTURE=1 draws it anew"
    );
}

/// Says in words what happened in a turn, from the frame alone, each fact with the text by which the screen shows it.
fn caption(replay: &Replay, turn: usize) -> Vec<(String, String)> {
    let facts = &replay.frames()[turn];
    let picture = facts.picture();
    let seat = facts.by.unwrap();
    let shape = |text: &str| match seat.index() {
        0 => format!("({text})"),
        _ => format!("[{text}]"),
    };
    let token = |cell: usize| picture.cells[cell].token.clone().unwrap().label;
    let mut said = vec![(
        format!("{} moves", replay.player(seat)),
        format!("{turn}. {} ", replay.player(seat)),
    )];
    if let Some(cell) = facts.change.to.as_ref().and_then(|to| to.cell) {
        said.push((
            "the token is there now".to_owned(),
            format!(">{}", shape(&token(cell))),
        ));
    }
    let arrow = if facts.change.captured.is_some() {
        'x'
    } else {
        '→'
    };
    let [from, to] =
        [&facts.change.from, &facts.change.to].map(|place| place.as_ref().unwrap().name.clone());
    said.push((format!("from {from} to {to}"), format!("{from}{arrow}{to}")));
    if facts
        .change
        .from
        .as_ref()
        .is_some_and(|from| from.cell.is_some())
    {
        said.push(("the origin is marked".to_owned(), "  o  ".to_owned()));
    }
    if let Some(captured) = &facts.change.captured {
        said.push(("a capture".to_owned(), format!("x{}", captured.label)));
    }
    if facts.plays_again {
        let line = format!(">{:>3} {}", turn, replay.short(&replay.frames()[turn]));
        assert!(line.ends_with('+'));
        said.push(("plays again".to_owned(), line));
    }
    said
}

/// Says in a sentence what the mover did in a turn, from the frame alone.
fn sentence(replay: &Replay, turn: usize) -> String {
    let facts = &replay.frames()[turn];
    let name = replay.player(facts.by.unwrap());
    let name = name.split(' ').next().unwrap();
    let number = |label: &str| label[1..].to_owned();
    let [from, to] = [&facts.change.from, &facts.change.to].map(|place| place.as_ref().unwrap());
    let picture = facts.picture();
    let token = picture.cells[to.cell.unwrap()].token.clone().unwrap();
    let (token, from, to) = (number(&token.label), &from.name, &to.name);
    let mut said = format!("{name} moved token {token} from cell {from} to cell {to}");
    if let Some(captured) = &facts.change.captured {
        said += &format!(" and captured token {}", number(&captured.label));
    }
    if facts.plays_again {
        said += ", and plays again";
    }
    said + "."
}

#[test]
fn what_stands_below_a_picture_in_the_pages_is_what_happened_in_the_turn() {
    let readme = include_str!("../../README.md");
    let page = include_str!("../../docs/finished-games.md");
    let captured = viewer(&[CAPTURED]);
    let said = sentence(&captured.replay, 100);
    for text in [readme, page] {
        assert!(
            text.contains(&format!("viewer.svg)\n\nTurn 100: {said}\n")),
            "{said}"
        );
    }
}

#[test]
fn each_fact_of_a_turn_can_be_read_without_colour_at_80x24() {
    for streams in [&[CAPTURED][..], &[TOP, BOTTOM]] {
        let mut state = viewer(streams);
        let (mut captures, mut extra) = (0, 0);
        for turn in 1..=state.replay.last() {
            press(&mut state, &[KeyCode::Right]);
            let screen = drawn(&state, 80, 24);
            if !matches!(&state.replay.frame().action, FrameAction::Moved { .. }) {
                continue;
            }
            let facts = state.replay.frame();
            captures += usize::from(facts.change.captured.is_some());
            extra += usize::from(facts.plays_again);
            for (fact, text) in caption(&state.replay, turn) {
                assert!(
                    screen.contains(&text),
                    "turn {turn}: {fact}: no `{text}` in\n{screen}"
                );
            }
        }
        assert!(captures > 0 && (extra > 0 || streams.len() == 2));
    }
}

#[test]
fn keys_go_forward_back_and_to_a_turn() {
    let mut state = viewer(&[CAPTURED]);
    let mut after = |keys: &[KeyCode]| {
        press(&mut state, keys);
        (at(&state), state.message.as_deref().map(str::to_owned))
    };
    assert_eq!(after(&[KeyCode::Left]), (0, None));
    assert_eq!(
        after(&[KeyCode::Right, KeyCode::Char('l'), KeyCode::Enter]),
        (3, None)
    );
    assert_eq!(after(&[KeyCode::PageDown, KeyCode::Up]), (12, None));
    let digits = |text: &str| -> Vec<_> { text.chars().map(KeyCode::Char).collect() };
    assert_eq!(after(&digits("42")).0, 12);
    assert_eq!(after(&[KeyCode::Enter]), (42, None));
    assert_eq!(after(&digits(":169")).0, 42);
    assert_eq!(after(&[KeyCode::Backspace, KeyCode::Enter]), (16, None));
    let no_turn = "there is no turn 999: the last is turn 164, and 0 is before the first";
    assert_eq!(after(&digits("999")), (16, None));
    assert_eq!(after(&[KeyCode::Enter]), (16, Some(no_turn.to_owned())));
    assert_eq!(
        after(&[KeyCode::Char('5'), KeyCode::Esc, KeyCode::Enter]),
        (17, None)
    );
    assert_eq!(after(&[KeyCode::End]), (164, None));
    assert_eq!(after(&[KeyCode::Home]), (0, None));
    assert_eq!(after(&digits(&"9".repeat(40))), (0, None));
}

#[test]
fn keys_look_for_turns_forward_and_back() {
    let mut state = viewer(&[CAPTURED]);
    let every =
        |of: &dyn Fn(usize) -> bool| -> Vec<usize> { (1..=164).filter(|&t| of(t)).collect() };
    let replay = of_streams(&[CAPTURED]);
    let captures = every(&|turn| replay.frames()[turn].change.captured.is_some());
    type_text(&mut state, "c");
    assert_eq!(at(&state), captures[0]);
    type_text(&mut state, "nn");
    assert_eq!(at(&state), captures[2]);
    type_text(&mut state, "N");
    assert_eq!(at(&state), captures[1]);
    press(&mut state, &[KeyCode::End]);
    type_text(&mut state, "n");
    assert_eq!(at(&state), captures[0], "the search goes round");
    let skips = every(&|turn| matches!(replay.frames()[turn].action, FrameAction::Skipped { .. }));
    type_text(&mut state, "0\ns");
    assert_eq!(at(&state), skips[0]);
    type_text(&mut state, "0\nr");
    assert!(replay.frames()[at(&state)].plays_again);
    type_text(&mut state, "e");
    assert_eq!(state.message.as_deref(), Some("no error or finding"));
}

#[test]
fn a_search_finds_cells_tokens_players_and_lines() {
    let mut state = viewer(&[TOP, BOTTOM]);
    for (text, turns) in [
        ("c4", [5, 15, 5]),
        ("rabbit", [1, 2, 8]),
        ("Frog e4 d3", [11, 11, 11]),
    ] {
        type_text(&mut state, &format!("0\n/{text}\n"));
        let mut found = vec![at(&state)];
        for _ in 0..2 {
            type_text(&mut state, "n");
            found.push(at(&state));
        }
        assert_eq!(found, turns, "{text}");
    }
    type_text(&mut state, "/nobody\n");
    assert_eq!(state.message.as_deref(), Some("no turn with `nobody`"));
    let mut lost = viewer(&[FIRST, SECOND]);
    type_text(&mut lost, "/b0\n");
    assert_eq!(at(&lost), 2);
    type_text(&mut lost, "/retire\n");
    assert_eq!(at(&lost), 9);
    type_text(&mut lost, "0\ne");
    assert_eq!(at(&lost), 9);
}

#[test]
fn leaves_suspends_and_asks_for_other_games() {
    let mut state = viewer(&[FIRST]);
    for (key, modifiers, flow) in [
        (KeyCode::Char('q'), KeyModifiers::NONE, Flow::Leave),
        (KeyCode::Esc, KeyModifiers::NONE, Flow::Leave),
        (KeyCode::Char('c'), KeyModifiers::CONTROL, Flow::Leave),
        (KeyCode::Char('z'), KeyModifiers::CONTROL, Flow::Suspend),
        (
            KeyCode::Char('['),
            KeyModifiers::NONE,
            Flow::OtherGame { is_before: true },
        ),
        (
            KeyCode::Char(']'),
            KeyModifiers::NONE,
            Flow::OtherGame { is_before: false },
        ),
    ] {
        assert_eq!(state.take(&Event::Key(KeyEvent::new(key, modifiers))), flow);
    }
}

#[test]
fn the_mouse_scrolls_and_clicks_on_moves() {
    let mut state = viewer(&[CAPTURED]);
    let mouse = |kind, column, row| {
        Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    state.take(&mouse(MouseEventKind::ScrollDown, 0, 0));
    state.take(&mouse(MouseEventKind::ScrollDown, 0, 0));
    state.take(&mouse(MouseEventKind::ScrollUp, 0, 0));
    assert_eq!(at(&state), 1);
    let screen = drawn(&state, 80, 24);
    let seventh = format!("  7 {}", state.replay.short(&state.replay.frames()[7]));
    let row = screen
        .lines()
        .position(|line| line.contains(&seventh))
        .unwrap();
    state.take(&mouse(
        MouseEventKind::Down(MouseButton::Left),
        60,
        row as u16,
    ));
    assert_eq!(at(&state), 7);
    state.take(&mouse(MouseEventKind::Down(MouseButton::Left), 3, 3));
    assert_eq!(at(&state), 7, "the board is no list");
}

#[test]
fn a_command_continues_from_the_turn_that_is_shown() {
    let mut state = viewer(&[CAPTURED]);
    type_text(&mut state, "y");
    assert!(state.message.as_deref().unwrap().starts_with("no command"));
    let options = ViewerOptions {
        continuing: Some("urtext run g".to_owned()),
        ..ViewerOptions::default()
    };
    let mut state = ViewerState::new(of_streams(&[CAPTURED]), options);
    type_text(&mut state, "100\n");
    let command = "urtext run g --from 101".to_owned();
    assert_eq!(take(&mut state, KeyCode::Char('y')), Flow::Copy(command));
    press(&mut state, &[KeyCode::End]);
    assert_eq!(
        take(&mut state, KeyCode::Char('y')),
        Flow::Stay,
        "the game is over"
    );
}

#[test]
fn every_pane_and_switch_shows_its_part() {
    let mut state = viewer(&[FIRST, SECOND]);
    type_text(&mut state, "2\n\t");
    let lanes = drawn(&state, 80, 24);
    assert!(
        lanes.contains("*< 1 1 1 1") && lanes.contains("*> 0"),
        "{lanes}"
    );
    type_text(&mut state, "\t");
    let legal = drawn(&state, 80, 24);
    assert!(
        legal.contains("S rolls 1 0 1 0") && legal.contains(">0 4→6"),
        "{legal}"
    );
    type_text(&mut state, "\t");
    let notes = drawn(&state, 80, 24);
    assert!(notes.contains("PlayerB (second) has lost"), "{notes}");
    type_text(&mut state, "f");
    let flipped = drawn(&state, 80, 24);
    let side = |screen: &str| {
        screen.find("first   start").unwrap() < screen.find("second  start").unwrap()
    };
    assert!(side(&flipped) && !side(&notes));
    type_text(&mut state, "?");
    let help = drawn(&state, 80, 24);
    for (keys, _) in HELP {
        assert!(help.contains(keys), "{keys}: {help}");
    }
}

#[test]
fn ascii_is_ascii() {
    for streams in [&[FIRST, SECOND][..], &[TOP, BOTTOM]] {
        let options = ViewerOptions {
            is_ascii: true,
            ..ViewerOptions::default()
        };
        let mut state = viewer_with(streams, options);
        for _ in 0..state.replay.last() {
            press(&mut state, &[KeyCode::Right, KeyCode::Tab]);
            for (columns, rows) in SIZES {
                let screen = drawn(&state, columns, rows);
                assert!(screen.is_ascii(), "{screen}");
            }
        }
    }
}

#[test]
fn a_window_of_any_size_is_drawn_and_no_hostile_byte_gets_through() {
    let mut state = viewer(&["\u{1b}[2JA\u{202e}\nB\n0 0 0 1\n0\n\u{1b}]0;x\u{7}\n"]);
    press(&mut state, &[KeyCode::End]);
    type_text(&mut state, "/\u{202e}\n");
    let sizes = (1..40).flat_map(|columns| (1..30).map(move |rows| (columns, rows)));
    for (columns, rows) in sizes.chain([(80, 24), (300, 100), (1, 100), (300, 1)]) {
        for _ in Pane::ALL {
            press(&mut state, &[KeyCode::Tab]);
            let drawn = drawn(&state, columns, rows);
            let is_hostile = |c| c != '\n' && crate::diagnostic::visible::is_hostile(c);
            assert!(!drawn.chars().any(is_hostile), "{columns}x{rows}");
        }
    }
    press(&mut state, &[KeyCode::Tab]);
    assert!(drawn(&state, 130, 24).contains(r"\x1b[2JA\u{202e} (first)"));
}
