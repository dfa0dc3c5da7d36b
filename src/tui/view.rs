//! Drawing of the interactive replay.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::ViewerState;
use crate::replay::Replay;

/// Columns that the board takes.
const BOARD: u16 = 56;

/// Draws the state: who plays, the board, what happened in the turn, the turns around it, and the keys.
pub fn view(state: &ViewerState, frame: &mut Frame<'_>) {
    let replay = state.replay();
    let board = replay.frame().board();
    let rows = board.lines().count() as u16;
    let [heading, main, foot] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(rows),
        Constraint::Length(2),
    ])
    .areas(frame.area());
    let bold = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Line::styled(replay.heading(), bold), heading);

    let [left, right] =
        Layout::horizontal([Constraint::Length(width(replay)), Constraint::Min(0)]).areas(main);
    let [above, below] =
        Layout::vertical([Constraint::Length(rows + 1), Constraint::Min(0)]).areas(left);
    frame.render_widget(Paragraph::new(Text::raw(board.as_str())), above);
    let mut said = vec![Line::raw(replay.describe(replay.frame()))];
    if replay.frame().number == replay.last() {
        said.push(Line::default());
        said.push(Line::styled(replay.ending(), bold));
    }
    frame.render_widget(Paragraph::new(said).wrap(Wrap { trim: true }), below);
    turns(state, frame, right);

    let turn = format!("turn {} of {}", replay.frame().number, replay.last());
    let status = match (state.message(), state.typed()) {
        (Some(message), _) => message.to_owned(),
        (None, "") => turn,
        (None, typed) => format!("{turn}   go to turn {typed}_ (Enter)"),
    };
    let keys = "→ next  ← back  PgDn/PgUp 10 turns  Home/End  number+Enter go to  q quit";
    frame.render_widget(
        Paragraph::new(vec![Line::raw(status), Line::raw(keys)]),
        foot,
    );
}

/// The turns around the one that is shown, which is marked, and so is one with a finding.
fn turns(state: &ViewerState, frame: &mut Frame<'_>, area: Rect) {
    let replay = state.replay();
    let at = replay.frame().number;
    let rows = usize::from(area.height);
    let start = at
        .saturating_sub(rows / 2)
        .min((replay.last() + 1).saturating_sub(rows));
    let lines = replay.frames().iter().skip(start).take(rows).map(|turn| {
        let (mark, style) = match turn.number == at {
            true => ("> ", Style::new().add_modifier(Modifier::REVERSED)),
            false if replay.has_finding_at(turn.number) => {
                ("! ", Style::new().add_modifier(Modifier::BOLD))
            }
            false => ("  ", Style::new()),
        };
        Line::styled(format!("{mark}{}", replay.describe(turn)), style)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

/// The width of the board with what stands beside it, which grows as a game goes on; so that nothing of it is cut off.
fn width(replay: &Replay) -> u16 {
    let frames = replay.frames();
    let shown = [frames.first(), Some(replay.frame()), frames.last()]
        .into_iter()
        .flatten();
    let widest = |frame: &crate::replay::Frame| {
        frame
            .table
            .draw()
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widest = shown.map(widest).max().unwrap_or_default();
    BOARD.max(u16::try_from(widest + 2).unwrap_or(BOARD))
}
