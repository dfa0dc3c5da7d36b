//! A finding, drawn like a diagnostic: requirement, place in the scenario, lanes, board, what the subject said, how to repeat.

use super::status::Status;
use crate::archive::FinishedGame;
use crate::diagnostic::{Diagnostic, Emphasis, Source, Text, counted, visible};
use crate::event::last_line;
use crate::finding::{BeliefView, FileLine, Finding, LaneText, LaneView};
use crate::pack;
use crate::requirement::Level;
use crate::rules::Seat;
use crate::transcript::compare::{Pieces, inline};
use crate::verify::Ending;

/// Two boards of at most so many columns together stand side by side.
const BESIDE: usize = 96;
/// Maximum number of lines shown of the subject's standard error: the last ones.
const STDERR_LINES: usize = 8;

/// The title of a finding. Where the subject crashed, it says how, with the last line that it wrote to standard error.
pub(super) fn title(finding: &Finding, stderr: &[u8]) -> String {
    let title = finding.title.clone();
    // A crash is no part of an inference.
    let is_observed = finding.observed.is_none();
    match (
        finding.crash.as_ref().filter(|_| is_observed),
        last_line(stderr),
    ) {
        (None, _) => title,
        (Some(status), Some(last)) => format!("{title}, {status}: {last}"),
        (Some(status), None) => format!("{title}, {status}"),
    }
}

/// Draws a finding about a scenario or a file. `stderr`: the end of the subject's standard error, if it belongs to this finding.
#[must_use]
pub fn draw(finding: &Finding, source: &Source, stderr: &[u8]) -> Diagnostic {
    let known = finding.requirement.and_then(pack::requirement);
    let mut drawing = begin(finding, stderr, known.map(|entry| entry.level));
    drawing = match (&finding.in_file, finding.span) {
        (Some(FileLine { file, line }), _) => drawing.in_file(format!("{file}:{line}")),
        (None, Some(span)) => drawing.at(source, span, finding.label.clone()),
        (None, None) => drawing.in_file(source.name()),
    };
    if let Some((span, label)) = &finding.context {
        drawing = drawing.context(source, *span, label.clone());
    }
    if let Some(entry) = known {
        if !entry.says.is_empty() {
            drawing = drawing.footer("specification", format!("\"{}\"", entry.sentence()));
        }
        if let Some(inference) = &entry.inference {
            drawing = drawing.footer("inference", inference.to_string());
        }
    }
    // The place names the only lane of a line in a file.
    let is_in_file = finding.in_file.is_some();
    let content = |view: &&LaneView| {
        (
            view.line_number,
            view.expected.clone(),
            view.received.clone(),
        )
    };
    let alike = grouped(finding.lanes.iter(), content);
    let head = |views: &Vec<&LaneView>| match is_in_file {
        true => String::new(),
        false => {
            let names: Vec<_> = views.iter().map(|view| view.lane.as_str()).collect();
            format!(
                "lane {}, line {}:  ",
                names.join(" and "),
                views[0].line_number
            )
        }
    };
    let heads: Vec<_> = alike.iter().map(head).collect();
    let width = width(&heads);
    for (views, head) in alike.iter().zip(&heads) {
        drawing = drawing.footer(None, lane(views[0], &format!("{head:<width$}")));
    }
    // The lanes show what a known cause explains.
    let observed = finding.observed.as_deref();
    if let Some(observed) = observed.filter(|_| finding.variants.is_empty()) {
        drawing = drawing.footer("observed", observed);
    }
    for note in &finding.notes {
        drawing = drawing.note(note.as_str());
    }
    if let Some(view) = &finding.belief {
        drawing = drawing.footer("board", belief(view));
    } else if let Some((when, board)) = &finding.board {
        drawing = drawing.footer("board", format!("{when}\n{}", board.trim_end_matches('\n')));
    }
    if !finding.tails.is_empty() {
        drawing = drawing.footer("last lines", side_by_side(&finding.tails));
    }
    match last_lines(stderr) {
        said if said.is_empty() => drawing,
        said => drawing.footer("standard error", said.join("\n")),
    }
}

/// Draws a finished game in a line, with remarks below it.
#[must_use]
pub fn draw_line(game: &FinishedGame) -> String {
    let seats = game.logged.protocol.seat_names();
    let [first, second] = Seat::BOTH.map(|seat| match &game.outcome.names[seat] {
        Some(name) => visible::plain(name).at_most(60).to_string(),
        None => seats[seat.index()].to_owned(),
    });
    let (word, name) = (game.outcome.verdict.word(), game.name());
    let (name, turns) = (visible::plain(&name), counted(game.begun, "turn"));
    if game.recorded.is_some() {
        let scenario = visible::plain(&game.outcome.name);
        return format!("{word} {name}: {scenario}, {turns}");
    }
    let mut text = format!(
        "{word} {name}: {first} against {second}, {turns}: {}",
        game.end()
    );
    // A file that tells nothing may be no game at all.
    let is_nothing = game.ending == Some(Ending::Unstarted);
    let read_as = is_nothing.then(|| format!("the file was read as {}", game.format.name));
    for note in game.notes.iter().chain(&read_as) {
        text += &format!("\n     note: {}", visible::plain(note));
    }
    text
}

/// The head of a finding's drawing: its verdict, title and requirement.
fn begin(finding: &Finding, stderr: &[u8], level: Option<Level>) -> Diagnostic {
    let severity = Status::of(finding.verdict).severity();
    let title = title(finding, stderr);
    let title = match level {
        Some(level) => format!("{title} ({level})"),
        None => title,
    };
    Diagnostic::new(finding.verdict.word(), severity, finding.requirement, title)
}

/// The boards after the move that the subject plays otherwise, side by side where there is room.
fn belief(view: &BeliefView) -> String {
    let mut text = view.when.clone();
    let boards = &view.boards;
    let column = |(head, lines): &(String, Vec<String>)| width(lines).max(width([head]));
    if boards.iter().map(column).sum::<usize>() <= BESIDE {
        return format!("{text}\n{}", side_by_side(boards));
    }
    for (head, lines) in boards {
        text += &format!("\n{head}\n{}", lines.join("\n"));
    }
    text
}

/// The number of columns of the longest of these lines.
fn width<'l>(lines: impl IntoIterator<Item = &'l String>) -> usize {
    let widths = lines.into_iter().map(|line| line.chars().count());
    widths.max().unwrap_or(0)
}

/// Draws the expected line above the received line, with a mark under the difference.
fn lane(view: &LaneView, head: &str) -> Text {
    let indent = " ".repeat(head.chars().count());
    let expected = Text::from(format!("{head}expected  "));
    let received = Text::from(format!("\n{indent}received  "));
    let (LaneText::Line(due), LaneText::Line(came)) = (&view.expected, &view.received) else {
        let expected = expected.then(Emphasis::Expected, words(&view.expected));
        return expected.and(received.then(Emphasis::Received, words(&view.received)));
    };
    let [due, came] = inline(due, came);
    let carets = came.iter().map(|(differs, piece)| {
        let mark = if *differs { "^" } else { " " };
        mark.repeat(piece.chars().count())
    });
    let carets: String = carets.collect();
    let marked = |text: Text, pieces: Pieces, emphasis| {
        let shown = pieces.into_iter().filter(|(_, piece)| !piece.is_empty());
        shown.fold(text, |text, (differs, piece)| {
            let emphasis = if differs { emphasis } else { Emphasis::Plain };
            text.then(emphasis, piece)
        })
    };
    let expected = marked(expected, due, Emphasis::Expected);
    let text = expected.and(marked(received, came, Emphasis::Received));
    match carets.trim_end() {
        "" => text,
        carets => text.and(format!("\n{indent}          {carets}").into()),
    }
}

fn words(want: &LaneText) -> String {
    match want {
        LaneText::Line(line) if line.is_empty() => "an empty line".to_owned(),
        LaneText::Line(line) => match line.strip_suffix(b" ") {
            Some(line) => format!(r"{}\x20", visible::plain(line).at_most(120)),
            None => visible::plain(line).at_most(120).to_string(),
        },
        want => in_words(want).unwrap_or_else(|| "nothing".to_owned()),
    }
}

/// The content of a lane as a text without control characters.
pub(super) fn in_words(want: &LaneText) -> Option<String> {
    match want {
        LaneText::Line(line) => Some(visible::plain(line).to_string()),
        LaneText::Words(words) => Some(words.clone()),
        LaneText::Nothing => None,
    }
}

/// Columns of lines, each below its heading. The ends of the columns are in one line.
fn side_by_side(columns: &[(String, Vec<String>)]) -> String {
    let height = columns.iter().map(|(_, lines)| lines.len()).max();
    let height = height.unwrap_or(0);
    let mut rows = vec![String::new(); height + 1];
    for (head, lines) in columns {
        let width = width(lines).max(width([head]));
        let gap = std::iter::repeat_n("", height - lines.len());
        let cells = std::iter::once(head.as_str()).chain(gap);
        let cells = cells.chain(lines.iter().map(String::as_str));
        for (row, cell) in rows.iter_mut().zip(cells) {
            *row += &format!("{cell:<width$}   ");
        }
    }
    let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
}

/// A line of a text with everything hostile escaped, also what GitHub would take for a command.
pub(super) fn visible_line<B: AsRef<[u8]> + ?Sized>(line: &B) -> String {
    let line = visible::plain(line).to_string().replace("##[", r"#\x23[");
    match line.trim_start().starts_with("::") {
        true => line.replacen(':', r"\x3a", 1),
        false => line,
    }
}

/// Escapes bytes line by line.
pub(super) fn lines_visible(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines: Vec<_> = bytes
        .split(|byte| *byte == b'\n')
        .map(visible_line)
        .collect();
    lines.join("\n")
}

/// The last lines of standard error that are shown.
fn last_lines(stderr: &[u8]) -> Vec<String> {
    let stderr = lines_visible(stderr);
    let lines: Vec<_> = stderr.lines().filter(|line| !line.is_empty()).collect();
    let shown = lines[lines.len().saturating_sub(STDERR_LINES)..].iter();
    let shown = shown.map(|line| visible::plain(*line).at_most(200).to_string());
    shown.collect()
}

/// Puts like things together, in the order of the first of each kind.
pub(super) fn grouped<T, K: PartialEq>(
    all: impl Iterator<Item = T>,
    kind: impl Fn(&T) -> K,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        let mut known = groups.iter_mut();
        match known.find(|group| kind(&group[0]) == kind(&one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}
