//! A finding, drawn like a diagnostic: requirement, place in the scenario, lanes, board, what the subject said, how to repeat.

use crate::archive::FinishedGame;
use crate::diagnostic::{Drawing, Emphasis, Paint, Text, Tone, counted, visible};
use crate::event::Outcome;
use crate::finding::{BeliefView, FileLine, Finding, LaneText, LaneView, Remark, Verdict};
use crate::pack;
use crate::protocol::Line;
use crate::requirement::Level;
use crate::rules::Seat;
use crate::transcript::compare::{Change, inline};
use crate::verify::Ending;

/// Two boards of at most so many columns together stand side by side.
const BESIDE: usize = 96;
/// Maximum number of lines shown of the subject's standard error: the last ones.
const STDERR_LINES: usize = 8;

/// The title of a finding. Where the subject crashed, it says how, with the last line that it wrote to standard error.
pub(super) fn title(finding: &Finding, stderr: &[u8]) -> String {
    let title = finding.title.as_str();
    let Some(status) = &finding.crash else {
        return title.to_owned();
    };
    let lines = stderr.split(|&byte| byte == b'\n');
    let last = lines.rev().find(|line| !line.trim_ascii().is_empty());
    match last.map(|line| visible::plain(line).at_most(120).to_string()) {
        Some(last) => format!("{title}, {status}: {last}"),
        None => format!("{title}, {status}"),
    }
}

/// Draws one finding of an outcome. The first of an outcome carries what holds for the whole game.
#[must_use]
pub fn draw(outcome: &Outcome, finding: &Finding, is_first: bool, paint: Paint) -> String {
    let known = finding.requirement.and_then(pack::requirement);
    let title = title(finding, &outcome.stderr);
    let mut drawing = begin(finding, &title, known.map(|entry| entry.level));
    drawing = match finding.span {
        Some(span) => drawing.mark(&outcome.source, span, finding.label.clone()),
        None => drawing.file(outcome.source.name()),
    };
    if let Some((span, label)) = &finding.context {
        drawing = drawing.context(&outcome.source, *span, label.clone());
    }
    if let Some(entry) = known {
        if !entry.says.is_empty() {
            drawing = drawing.footer("specification", format!("\"{}\"", entry.sentence()));
        }
        if let Some(inference) = &entry.inference {
            drawing = drawing.footer("inference", inference.clone());
        }
    }
    let width = finding
        .lanes
        .iter()
        .map(|lane_view| sight_head(lane_view).chars().count())
        .max()
        .unwrap_or(0);
    for lane_view in &finding.lanes {
        drawing = drawing.remark(lane(lane_view, width));
    }
    if let Some(observed) = &finding.observed {
        drawing = drawing.footer("observed", observed.title.as_str());
    }
    for note in finding.all_notes() {
        drawing = drawing.footer("note", note.as_str());
    }
    if let Some(view) = &finding.belief {
        drawing = belief(drawing, view);
    } else if let Some((when, board)) = &finding.board {
        drawing = drawing.footer("board", format!("{when}\n{}", board.trim_end_matches('\n')));
    }
    if !finding.tails.is_empty() {
        drawing = drawing.footer("last lines", side_by_side(&finding.tails));
    }
    if is_first && !outcome.stderr.is_empty() {
        drawing = drawing.footer("standard error", last_lines(&outcome.stderr));
    }
    drawing.draw(paint)
}

/// Draws the findings about a finished game, each by itself.
#[must_use]
pub fn draw_game(game: &FinishedGame, paint: Paint) -> Vec<String> {
    let findings = game.findings().iter().enumerate();
    let drawn = findings.map(|(number, finding)| match &game.recorded {
        Some(recorded) => draw(&recorded.outcome, finding, number == 0, paint),
        None => {
            let (drawing, name) = (draw_in_file(finding), game.name());
            let drawing = match &finding.in_file {
                None => drawing.file(name),
                // The lane is one of a file with another name, or with several games.
                Some(place) if game.logged.lanes.len() < 2 && place.file != name => {
                    drawing.footer("in", name)
                }
                Some(_) => drawing,
            };
            drawing.draw(paint)
        }
    });
    drawn.collect()
}

/// Draws a finished game in a line, with remarks below it.
#[must_use]
pub fn draw_line(game: &FinishedGame) -> String {
    let seats = game.logged.protocol.seat_names();
    let [first, second] = Seat::BOTH.map(|seat| match &game.judged.names[seat] {
        Some(name) => visible::plain(name).at_most(60).to_string(),
        None => seats[seat.index()].to_owned(),
    });
    let (word, name) = (game.verdict().word(), game.name());
    let (name, turns) = (visible::plain(&name), counted(game.judged.begun, "turn"));
    if let Some(recorded) = &game.recorded {
        let scenario = visible::plain(&recorded.outcome.name);
        return format!("{word} {name}: {scenario}, {turns}");
    }
    let mut text = format!(
        "{word} {name}: {first} against {second}, {turns}: {}",
        game.end()
    );
    // A file that tells nothing may be no game at all.
    let is_nothing = game.judged.ending == Some(Ending::Unstarted);
    let read_as = is_nothing.then(|| format!("the file was read as {}", game.format.name));
    for note in game.judged.notes.iter().chain(&read_as) {
        text += &format!("\n     note: {}", visible::plain(note));
    }
    text
}

/// Draws a finding about a line of a file that holds a finished game.
#[must_use]
pub fn draw_in_file(finding: &Finding) -> Drawing {
    let known = finding.requirement.and_then(pack::requirement);
    // What is open is not held against a level.
    let entry = known.filter(|_| finding.verdict == Verdict::Fail);
    let mut drawing = begin(
        finding,
        &title(finding, &[]),
        entry.map(|entry| entry.level),
    );
    if let Some(FileLine { file, line }) = &finding.in_file {
        drawing = drawing.file(format!("{file}:{line}"));
    }
    for lane in &finding.lanes {
        drawing = drawing.footer(
            "expected",
            Text::new().then(Emphasis::Expected, words(&lane.expected)),
        );
        drawing = match &lane.received {
            LaneText::Nothing => drawing.footer("received", "nothing"),
            received => drawing.footer(
                "received",
                Text::new().then(Emphasis::Received, words(received)),
            ),
        };
    }
    if let Some(observed) = &finding.observed {
        drawing = drawing.footer("observed", observed.title.as_str());
    }
    for Remark { word, text } in &finding.remarks {
        drawing = match word {
            Some(word) => drawing.footer(*word, text.as_str()),
            None => drawing.remark(text.as_str()),
        };
    }
    if let Some(known) = known {
        let says = match (entry, known.level) {
            (Some(_), Level::Unspecified) => known.summary.clone(),
            _ => known.sentence(),
        };
        drawing = drawing.footer("specification", format!("\"{says}\""));
    }
    if let Some(inference) = entry.and_then(|entry| entry.inference.as_ref()) {
        drawing = drawing.footer("hence", inference.as_str());
    }
    for note in finding.all_notes() {
        drawing = drawing.footer("help", note.as_str());
    }
    match (&finding.belief, &finding.board) {
        (Some(view), _) => belief(drawing, view),
        (None, Some((when, board))) => {
            drawing.footer("board", format!("{when}\n{}", board.trim_end()))
        }
        (None, None) => drawing,
    }
}

/// The head of a finding's drawing: its verdict, title and requirement.
fn begin(finding: &Finding, title: &str, level: Option<Level>) -> Drawing {
    let tone = match finding.verdict {
        Verdict::Fail | Verdict::Error => Tone::Bad,
        Verdict::Flaky | Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped => {
            Tone::Doubtful
        }
        Verdict::Pass | Verdict::Lenient => Tone::Good,
    };
    let title = match level {
        Some(level) => format!("{title} ({level})"),
        None => title.to_owned(),
    };
    let drawing = Drawing::new(finding.verdict.word(), tone, title);
    match finding.requirement {
        Some(id) => drawing.code(id),
        None => drawing,
    }
}

/// Draws the board before what the subject takes otherwise, and below it both boards after that, side by side where there is room.
fn belief(drawing: Drawing, view: &BeliefView) -> Drawing {
    let mut text = view.when.clone();
    if let Some(before) = &view.before {
        text.push_str(&format!("\nbefore:\n{}", before.trim_end_matches('\n')));
    }
    let width = |(head, lines): &(String, Vec<String>)| {
        let lines = lines.iter().chain([head]);
        lines.map(|line| line.chars().count()).max().unwrap_or(0)
    };
    let boards = &view.boards;
    if boards.iter().map(width).sum::<usize>() <= BESIDE {
        text.push_str(&format!("\n{}", side_by_side(boards)));
    } else {
        for (head, lines) in boards {
            text.push_str(&format!("\n{head}"));
            lines
                .iter()
                .for_each(|line| text.push_str(&format!("\n{line}")));
        }
    }
    drawing.footer("board", text)
}

fn sight_head(lane_view: &LaneView) -> String {
    format!("lane {}, line {}:", lane_view.lane, lane_view.line_number)
}

/// Draws the expected line above the received line, with a mark under the difference.
fn lane(lane_view: &LaneView, width: usize) -> Text {
    let head = format!("{:<width$}  ", sight_head(lane_view));
    let indent = " ".repeat(width + 2);
    if lane_view.agrees {
        return Text::from(format!(
            "{head}received  {}, as expected",
            words(&lane_view.received)
        ));
    }
    let text = Text::new().then(Emphasis::Plain, format!("{head}expected  "));
    let (LaneText::Line(expected), LaneText::Line(received)) =
        (&lane_view.expected, &lane_view.received)
    else {
        return text
            .then(Emphasis::Expected, words(&lane_view.expected))
            .then(Emphasis::Plain, format!("\n{indent}received  "))
            .then(Emphasis::Received, words(&lane_view.received));
    };
    let inline = inline(
        &Line::new(expected.as_slice()),
        &Line::new(received.as_slice()),
    );
    let mut carets = String::new();
    let mut text = text;
    for piece in inline
        .pieces
        .iter()
        .filter(|piece| piece.change != Change::Received)
    {
        let emphasis = if piece.change == Change::Same {
            Emphasis::Plain
        } else {
            Emphasis::Expected
        };
        text = text.then(emphasis, piece.text.clone());
    }
    text = text.then(Emphasis::Plain, format!("\n{indent}received  "));
    for piece in inline
        .pieces
        .iter()
        .filter(|piece| piece.change != Change::Expected)
    {
        let (emphasis, mark) = match piece.change {
            Change::Same => (Emphasis::Plain, " "),
            _ => (Emphasis::Received, "^"),
        };
        carets.push_str(&mark.repeat(piece.text.chars().count()));
        text = text.then(emphasis, piece.text.clone());
    }
    if carets.contains('^') {
        text = text.then(
            Emphasis::Plain,
            format!("\n{indent}          {}", carets.trim_end()),
        );
    }
    text
}

fn words(want: &LaneText) -> String {
    match want {
        LaneText::Line(line) if line.is_empty() => "an empty line".to_owned(),
        LaneText::Line(line) => visible::plain(line).at_most(120).to_string(),
        LaneText::Words(words) => words.clone(),
        LaneText::Timed(words, time) => LaneText::timed(words, *time),
        LaneText::Nothing => "nothing".to_owned(),
    }
}

/// The last lines of the lanes in columns.
fn side_by_side(tails: &[(String, Vec<String>)]) -> String {
    let widths: Vec<usize> = tails
        .iter()
        .map(|(name, lines)| {
            lines
                .iter()
                .chain([name])
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let row = |cells: Vec<&str>| {
        let cells: Vec<_> = cells
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        cells.join("   ").trim_end().to_owned()
    };
    let height = tails
        .iter()
        .map(|(_, lines)| lines.len())
        .max()
        .unwrap_or(0);
    let mut rows = vec![row(tails.iter().map(|(name, _)| name.as_str()).collect())];
    for line in 0..height {
        // The ends of the lanes stand on one line.
        let cell = |lines: &'_ Vec<String>| {
            (line + lines.len())
                .checked_sub(height)
                .map(|at| lines[at].clone())
        };
        let cells: Vec<String> = tails
            .iter()
            .map(|(_, lines)| cell(lines).unwrap_or_default())
            .collect();
        rows.push(row(cells.iter().map(String::as_str).collect()));
    }
    rows.join("\n")
}

fn last_lines(stderr: &[u8]) -> String {
    let lines: Vec<_> = stderr
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect();
    let shown = &lines[lines.len().saturating_sub(STDERR_LINES)..];
    let shown: Vec<_> = shown
        .iter()
        .map(|line| visible::plain(line).at_most(200).to_string())
        .collect();
    shown.join("\n")
}
