//! Drawing of the viewer.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Wrap};

use super::layout::places;
use super::state::{Prompt, ViewerState};
use super::{board, panes};
use crate::diagnostic::visible;
use crate::rules::Seat;

/// The keys, as `?` explains them.
pub(super) const HELP: &[(&str, &str)] = &[
    (
        "left right",
        "one turn back or forward; so do Backspace, Enter, h and l",
    ),
    (
        "up down",
        "in the list of moves, a turn; in another pane, a row; also k and j",
    ),
    ("PgUp PgDn", "ten turns or rows"),
    ("Home End", "start and end of the game; also g and G"),
    ("12 Enter", "go to turn 12; `:` asks for the number"),
    (
        "/",
        "search a cell, a token, a player or the text of a line",
    ),
    (
        "c r s e",
        "next capture, rosette or extra turn, skipped turn, error or finding",
    ),
    ("n N", "next and previous of what was looked for"),
    ("Tab", "next pane: moves, lanes, legal moves, notes"),
    ("f", "turn the board around"),
    ("[ ]", "previous and next game of the file"),
    ("y", "copy a command that continues from here"),
    ("Ctrl-Z q", "suspend; leave"),
];

/// Draws the state.
pub(super) fn view(state: &ViewerState, frame: &mut Frame<'_>) {
    let area = frame.area();
    let places = places(state, area);
    frame.render_widget(heading(state), places.heading);
    if places.board.width > 0 {
        board::draw(state, &places, frame.buffer_mut());
    }
    for &(pane, rect) in &places.panes {
        panes::draw(state, pane, places.panes.len() == 1, rect, frame);
    }
    let caption = Paragraph::new(caption(state, area.width)).wrap(Wrap { trim: true });
    frame.render_widget(caption, places.caption);
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let status = format!("{:<1$}", status(state, area.width), usize::from(area.width));
    frame.render_widget(Line::styled(status, style), places.status);
    if state.has_help {
        help(area, frame);
    }
}

/// The game and its players, each in the shape of the own tokens.
fn heading(state: &ViewerState) -> Line<'static> {
    let replay = &state.replay;
    let [first, second] = Seat::BOTH.map(|seat| {
        let initial = replay.initial(seat).to_string();
        format!("{} {}", board::shaped(seat, &initial), replay.player(seat))
    });
    let number = replay.number_of_several();
    let number = number.map_or(String::new(), |number| format!("game {number}: "));
    let text = format!(
        "{}: {number}{first} against {second}",
        replay.game().title()
    );
    Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
}

/// Describes the turn, and after the last turn the result. A message too long for the last row appears here instead.
fn caption(state: &ViewerState, columns: u16) -> String {
    let replay = &state.replay;
    if let Some(message) = long_message(state, columns) {
        return message.to_owned();
    }
    let said = replay.describe(replay.frame());
    match replay.frame().number == replay.last() {
        true => format!("{said}. {}", replay.ending()),
        false => said,
    }
}

/// The message, if it is too long for one row.
fn long_message(state: &ViewerState, columns: u16) -> Option<&str> {
    let is_long = |message: &&str| message.chars().count() >= usize::from(columns);
    state.message.as_deref().filter(is_long)
}

fn status(state: &ViewerState, columns: u16) -> String {
    let replay = &state.replay;
    let turn = format!(" turn {} of {}", replay.frame().number, replay.last());
    match (&state.message, &state.prompt) {
        (Some(message), _) if long_message(state, columns).is_none() => format!(" {message}"),
        (_, Some(Prompt::Turn(typed))) => format!("{turn}  go to turn {typed}_"),
        (_, Some(Prompt::Search(typed))) => {
            format!("{turn}  search {}_", visible::plain(typed.as_bytes()))
        }
        (_, None) if replay.finished.goes_on => {
            format!("{turn}  live  left/right turn  End goes along  ? keys  q quit")
        }
        (_, None) => format!("{turn}  left/right turn  Tab pane  / search  ? keys  q quit"),
    }
}

fn help(area: Rect, frame: &mut Frame<'_>) {
    let lines = HELP
        .iter()
        .map(|(keys, effect)| Line::raw(format!("{keys:>10}  {effect}")));
    let lines: Vec<_> = lines.collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}
