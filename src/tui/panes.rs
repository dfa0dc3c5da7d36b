//! The panes next to the board.

use std::fmt::Write;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::layout::{Pane, first_turn};
use super::state::ViewerState;
use crate::diagnostic::visible;
use crate::replay::{ReplayLane, ReplayLine};

/// The most bytes of a line that are shown.
const MOST: usize = 240;

/// The fewest columns of a lane that stands next to another.
const LANE: u16 = 22;

/// Draws a pane below its title.
pub(super) fn draw(
    state: &ViewerState,
    pane: Pane,
    is_alone: bool,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let title = Rect {
        y: area.y - 1,
        height: 1,
        ..area
    };
    frame.render_widget(heading(state, pane, is_alone), title);
    match pane {
        Pane::Moves => moves(state, area, frame),
        Pane::Lanes => lanes(state, area, frame),
        Pane::Legal => list(state, &legal(state), area, frame),
        Pane::Notes => notes(state, area, frame),
    }
}

/// The title; where only one pane is shown, all of their names.
fn heading(state: &ViewerState, pane: Pane, is_alone: bool) -> Line<'static> {
    let named = |other: Pane| match other == state.pane {
        true => format!("[{}]", other.title()),
        false => format!(" {} ", other.title()),
    };
    let text = match is_alone {
        true => Pane::ALL.map(named).concat(),
        false => named(pane),
    };
    Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
}

/// The turns around the one that is shown.
fn moves(state: &ViewerState, area: Rect, frame: &mut Frame<'_>) {
    let replay = &state.replay;
    let at = replay.frame().number;
    let digits = replay.last().to_string().len();
    let start = first_turn(at, replay.last(), area.height);
    let turns = replay.frames().iter().skip(start);
    let lines = turns.take(usize::from(area.height)).map(|turn| {
        let mark = match turn.number == at {
            true => '>',
            false if replay.has_finding_at(turn.number) => '!',
            false => ' ',
        };
        let mut text = format!("{mark}{:>digits$} {}", turn.number, replay.short(turn));
        if let Some((took, _)) = turn.times {
            let time = format!("{:.1}s", took.as_secs_f64());
            let room = usize::from(area.width).saturating_sub(text.chars().count());
            if time.len() < room {
                write!(text, "{time:>room$}").expect("a string takes all");
            }
        }
        let style = match mark {
            '>' => Style::new().add_modifier(Modifier::REVERSED),
            '!' => Style::new().add_modifier(Modifier::BOLD),
            _ => Style::new(),
        };
        Line::styled(in_charset(state, &text), style)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

/// The legal moves at the position that is shown; the one that is played next is marked.
fn legal(state: &ViewerState) -> Vec<String> {
    let replay = &state.replay;
    let next = replay.frame().number + 1;
    let mut lines = Vec::new();
    if let Some(frame) = replay.frames().get(next)
        && let (Some(by), Some(roll)) = (frame.by, frame.roll)
    {
        let roll = replay.game().format_roll(roll);
        lines.push(format!(" {} rolls {roll}", replay.initial(by)));
    }
    let legal = replay.legal_moves(next);
    if legal.is_empty() {
        lines.push(" no legal move".to_owned());
    }
    lines.extend(legal.into_iter().map(|legal| {
        let mark = if legal.is_played { '>' } else { ' ' };
        format!("{mark}{}", legal.text)
    }));
    lines
}

fn list(state: &ViewerState, lines: &[String], area: Rect, frame: &mut Frame<'_>) {
    let skipped = state.scroll_of(Pane::Legal);
    let most = lines.len().saturating_sub(usize::from(area.height));
    let lines = lines.iter().skip(skipped.min(most));
    let lines: Vec<_> = lines
        .map(|line| Line::raw(in_charset(state, line)))
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// The lanes, next to each other where there is room for it, else one below the other.
fn lanes(state: &ViewerState, area: Rect, frame: &mut Frame<'_>) {
    let lanes = state.replay.lanes();
    let Ok(count) = u16::try_from(lanes.len()) else {
        return;
    };
    if count == 0 {
        return frame.render_widget(Line::raw(" the file tells no lines"), area);
    }
    let is_beside = area.width / count >= LANE;
    for (number, lane) in (0..count).zip(lanes) {
        let part = match is_beside {
            true => Rect {
                x: area.x + area.width / count * number,
                width: area.width / count - 1,
                ..area
            },
            false => {
                let height = area.height / count;
                Rect {
                    y: area.y + height * number,
                    height,
                    ..area
                }
            }
        };
        if part.height > 0 {
            self::lane(state, lane, part, frame);
        }
    }
}

/// The lines of a lane around those of the turn, which are marked with `*`; `<` was received, `>` was sent.
fn lane(state: &ViewerState, lane: &ReplayLane, area: Rect, frame: &mut Frame<'_>) {
    let at = state.replay.frame().number;
    let rows = usize::from(area.height) - 1;
    let before = lane.lines.partition_point(|line| line.turn < at);
    let middle = before + lane.lines_of(at).len() / 2;
    let start = middle.saturating_sub(rows / 2) + state.scroll_of(Pane::Lanes);
    let start = start.min(lane.lines.len().saturating_sub(rows));
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut lines = vec![Line::styled(lane.owner.clone(), bold)];
    for ReplayLine { turn, line, .. } in lane.lines.iter().skip(start).take(rows) {
        let mark = if *turn == at { '*' } else { ' ' };
        let way = line.direction.mark();
        let text = format!(
            "{mark}{way} {}",
            visible::plain(&line.line.text).at_most(MOST)
        );
        let style = if *turn == at { bold } else { Style::new() };
        lines.push(Line::styled(text, style));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The result, the finding, and the notes.
fn notes(state: &ViewerState, area: Rect, frame: &mut Frame<'_>) {
    let replay = &state.replay;
    let mut lines = vec![Line::raw(replay.ending())];
    let noted = |note: &String| Line::raw(visible::plain(note.as_bytes()).to_string());
    lines.extend(replay.finished.notes.iter().map(noted));
    if let Some((took, at)) = replay.frame().times {
        let (took, at) = (took.as_secs_f64(), at.as_secs_f64());
        lines.push(Line::raw(format!(
            "this turn took {took:.3} s and was over {at:.3} s after the start"
        )));
    }
    let scroll = u16::try_from(state.scroll_of(Pane::Notes)).unwrap_or(u16::MAX);
    let text = Paragraph::new(lines).wrap(Wrap { trim: true });
    frame.render_widget(text.scroll((scroll, 0)), area);
}

/// The text, in ASCII if the user wants that.
pub(super) fn in_charset(state: &ViewerState, text: &str) -> String {
    match state.options.is_ascii {
        true => text.replace('→', ">"),
        false => text.to_owned(),
    }
}
