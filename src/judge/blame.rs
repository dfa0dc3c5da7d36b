//! Findings about a referee, and what all findings share: what was seen, which requirement it breaks, what it looks like.

use std::time::Duration;

use super::aftermath;
use super::bot_blame;
use super::diagnosis::{self, Reaction};
use super::state::{Pending, State};
use crate::diagnostic::visible::{plain, quoted};
use crate::event::{Finding, Sight, Verdict, Want};
use crate::protocol::{Cause, Deviation, Expected, Happening, Heard, LineEnding, Party};
use crate::requirement;
use crate::scenario::{Deed, Piece, Side, Turn};
use crate::transcript::{Close, Direction};

/// What stands where a line was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Another line, or one too many.
    Line,
    /// Nothing for so long.
    Silence(Duration),
    /// The end of the stream.
    Stream(Close),
}

/// `PlayerA (first)`, `spectator 1`: the name from the handshake where there is one.
pub(super) fn lane_name(state: &State, lane: usize) -> String {
    let label = state.label(lane).display(state.scenario.dialect.game().seat_names()).to_string();
    let name = match state.model.party(lane) {
        Some(Party::Player(seat)) => state.model.facts().names[seat].as_deref(),
        _ => None,
    };
    match name {
        Some(name) => format!("{} ({label})", plain(name).at_most(40)),
        None => label,
    }
}

/// A finding about the game as it stands: step, board, the last lines of each lane.
pub(super) fn finding(state: &State, requirement: Option<&'static str>, title: String) -> Finding {
    let mut finding = Finding::new(Verdict::Fail, title);
    finding.requirement = requirement;
    finding.span = state.span();
    finding.label = label(state);
    let last_turn = state.last_turn.as_ref().and_then(|turn| turn.tell(state.scenario.dialect.game()));
    finding.context = last_turn.filter(|(span, _)| Some(*span) != finding.span);
    if let Some(table) = state.model.table().filter(|_| !state.model.history().is_empty()) {
        finding.board = Some((when(state), table.draw()));
    }
    let is_deaf = |lane: &usize| state.lanes[*lane].is_deaf && state.lanes[*lane].ended.is_none();
    finding.notes.extend((0..state.lanes.len()).filter(is_deaf).map(|lane| match state.scenario.side {
        Side::Bot => "the bot has closed its input, and reads nothing any more".to_owned(),
        Side::Referee => format!("the referee reads nothing any more from {}", lane_name(state, lane)),
    }));
    finding.tails = (0..state.lanes.len()).map(|lane| (lane_name(state, lane), tail(state, lane))).collect();
    finding
}

/// What happened at the step, to stand beside the carets.
fn label(state: &State) -> String {
    let game = state.scenario.dialect.game();
    match state.model.history().last() {
        None => "before the first turn".to_owned(),
        Some(&Happening::Rolled { by, roll, skipped: true }) => {
            format!("{} rolled {} and could not move", game.seat_name(by), game.format_roll(roll))
        }
        Some(&Happening::Rolled { by, roll, .. }) => {
            format!("{} rolled {}", game.seat_name(by), game.format_roll(roll))
        }
        Some(&Happening::Moved { by, mv, wins }) => {
            let ending = if wins { " and won" } else { "" };
            format!("{} moved {}{ending}", game.seat_name(by), game.format_move(mv))
        }
        Some(&Happening::Lost { by, .. }) => format!("{} has lost", game.seat_name(by)),
    }
}

/// When the board of a finding was so.
pub(super) fn when(state: &State) -> String {
    let has_rolls = !state.scenario.dialect.game().kinds_of_roll().is_empty();
    let begins = |happening: &&Happening| match happening {
        Happening::Rolled { .. } => has_rolls,
        Happening::Moved { .. } | Happening::Lost { .. } => !has_rolls,
    };
    let turns = state.model.history().iter().filter(begins).count();
    match turns {
        0 => "the board before the first turn".to_owned(),
        // A turn that no roll begins is over once it is seen.
        _ if !has_rolls => format!("the board after turn {turns}, as the model has it"),
        _ => format!("the board in turn {turns}, as the model has it"),
    }
}

/// The last lines of a lane, escaped, `>` before what was sent.
pub(super) fn tail(state: &State, lane: usize) -> Vec<String> {
    const LINES: usize = 6;
    let entries = &state.lanes[lane].entries;
    let shown = entries.iter().skip(entries.len().saturating_sub(LINES));
    let write = |entry: &crate::transcript::Entry| {
        let mark = if entry.direction == Direction::Sent { ">" } else { "" };
        let ending = match entry.line.ending {
            LineEnding::Newline => "",
            LineEnding::Missing => " (no newline)",
            LineEnding::TooLong => " … (over-long line)",
        };
        format!("{mark}{}{ending}", plain(&entry.line.text).at_most(60))
    };
    shown.map(write).collect()
}

fn want(expected: &Expected) -> Want {
    match expected {
        Expected::Line(line) => Want::Line(line.clone()),
        Expected::Kind(words) => Want::Words(words.clone()),
        Expected::NothingYet => Want::Words("nothing before the player's move".to_owned()),
        Expected::NothingMore => Want::Words("nothing: the game is over".to_owned()),
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// How each lane stands, with the one that deviates first.
fn sights(state: &State, deviation: &Deviation, end: End) -> Vec<Sight> {
    let received = match (&deviation.received, end) {
        (Some((line, LineEnding::Newline)), _) => Want::Line(line.clone()),
        (Some((line, LineEnding::Missing)), End::Silence(time)) => Want::Words(format!(
            "{} without a newline, and nothing for {}",
            quoted(line).at_most(60),
            seconds(time)
        )),
        (Some((line, LineEnding::Missing)), _) => Want::Words(format!(
            "{} without a newline before the end of the stream",
            quoted(line).at_most(60)
        )),
        (Some((line, LineEnding::TooLong)), _) => {
            Want::Words(format!("{} … a line longer than {} bytes", quoted(line).at_most(60), line.len()))
        }
        (None, End::Stream(Close::End)) => Want::Words("the end of the stream".to_owned()),
        (None, End::Stream(Close::Reset)) => Want::Words("a reset of the connection".to_owned()),
        (None, End::Silence(time)) => Want::Words(format!("nothing for {}", seconds(time))),
        (None, End::Line) => Want::Words("nothing".to_owned()),
    };
    let mut sights = vec![Sight {
        lane: lane_name(state, deviation.lane),
        line_number: deviation.line_number,
        expected: want(&deviation.expected),
        received,
        agrees: false,
    }];
    for lane in (0..state.lanes.len()).filter(|&lane| lane != deviation.lane) {
        let last =
            state.lanes[lane].entries.iter().rev().find(|entry| entry.direction == Direction::Received);
        let (expected, received, agrees, number) = match (state.model.missing(lane), last) {
            (Some(missing), _)
                if missing.expected != Expected::NothingYet && matches!(end, End::Silence(_)) =>
            {
                (want(&missing.expected), Want::Words("nothing".to_owned()), false, missing.line_number)
            }
            (_, Some(entry)) => {
                let line = Want::Line(entry.line.text.clone());
                (line.clone(), line, true, state.model.received(lane))
            }
            (_, None) => continue,
        };
        sights.push(Sight { lane: lane_name(state, lane), line_number: number, expected, received, agrees });
    }
    sights
}

/// Whether no deviation from the rules of the game can be the reason: a lane that is told otherwise than the others, or
/// told what has no place in any game.
fn is_about_lines(state: &State, deviation: &Deviation) -> bool {
    let dialect = state.scenario.dialect;
    let is_roll = |line: &[u8]| matches!(dialect.hear(line), Heard::Roll(_));
    let is_known_roll = matches!(&deviation.expected, Expected::Line(line) if is_roll(line));
    let is_echo = dialect.no_echo_requirement() == Some(deviation.requirement);
    is_known_roll || is_echo || deviation.heard == Some(Heard::Other) && !passes_on_a_loss(state, deviation)
}

/// Whether a line that loses the game was passed on where the loss is due.
pub(super) fn passes_on_a_loss(state: &State, deviation: &Deviation) -> bool {
    let is_loss_due = matches!(&deviation.expected, Expected::Line(line) if state.scenario.dialect.hear(line) == Heard::Loss);
    let is_refused = Some(deviation.requirement) == deviation.grounds.mv;
    is_loss_due && is_refused && matches!(deviation.heard, Some(Heard::Move(_) | Heard::Other))
}

/// Which requirement to name: what the diagnosis says, else what the line says, else the ground that the scenario is about.
fn attribute(state: &State, deviation: &Deviation, reaction: Reaction) -> (&'static str, Vec<&'static str>) {
    if is_about_lines(state, deviation) {
        return (deviation.requirement, Vec::new());
    }
    // Whoever was on turn by whatever rules: a player who sends nothing loses.
    if reaction == Reaction::Nothing && is_lost_without_a_line(state) {
        return (deviation.requirement, Vec::new());
    }
    if is_told_after_all(state, deviation) {
        return (state.scenario.dialect.not_passed_on_requirement(), Vec::new());
    }
    // Then it was taken, and no rule about it explains why it did not come here.
    let is_taken = matches!(&deviation.expected, Expected::Line(line) if state.model.is_told_elsewhere(deviation.lane, line));
    if reaction == Reaction::End && (is_taken || is_end_unprovoked(state, deviation)) {
        return (deviation.requirement, Vec::new());
    }
    let ends_at_move = reaction == Reaction::End && !state.model.is_over() && is_loss_silent(state);
    if let Some(id) = state.model.ignored_before_last_move().filter(|_| ends_at_move) {
        // The move that came after it may never have been read.
        return (id, Vec::new());
    }
    let checked = |id: &&str| state.scenario.checks.contains(id);
    let skipped = state.scenario.dialect.skipped_extra_turn_requirement();
    if let Some(id) = skipped.filter(checked).filter(|_| state.model.is_extra_turn_skipped()) {
        return (id, Vec::new());
    }
    let rows = diagnosis::explain(state, deviation.lane, reaction);
    if rows.is_empty() && ends_at_move && deviation.heard.is_none() {
        return (state.scenario.dialect.move_awaited_requirement(), Vec::new());
    }
    let breaks = rows.iter().map(|row| row.breaks);
    let mut summaries: Vec<&'static str> = rows.iter().map(|row| row.summary).collect();
    if let Some(id) = breaks.clone().find(checked) {
        summaries = rows.iter().filter(|row| row.breaks == id).map(|row| row.summary).collect();
        return (id, summaries);
    }
    if let Some(id) = breaks.clone().next().filter(|&id| breaks.clone().all(|other| other == id)) {
        return (id, summaries);
    }
    let grounds = [Some(deviation.requirement), deviation.grounds.mv, deviation.grounds.turn];
    let id = grounds.into_iter().flatten().find(checked).unwrap_or(deviation.requirement);
    (id, summaries)
}

/// Whether the lanes end though all is told and no move is under way: no rule about moves explains that, unless by it the game was won.
fn is_end_unprovoked(state: &State, deviation: &Deviation) -> bool {
    let is_awaited = deviation.expected == Expected::NothingYet && state.model.awaits_move_of().is_some();
    let wins = diagnosis::explain(state, deviation.lane, Reaction::End);
    is_awaited && (wins.is_empty() || state.model.has_ignored())
}

/// Whether a player has lost by sending nothing, or by going away.
fn is_lost_without_a_line(state: &State) -> bool {
    let last = state.model.history().last();
    matches!(last, Some(Happening::Lost { cause, .. }) if !matches!(cause, Cause::Invalid(_)))
}

/// Whether a line that loses the game was passed on, and the loss told after it.
fn is_told_after_all(state: &State, deviation: &Deviation) -> bool {
    passes_on_a_loss(state, deviation) && state.model.missing(deviation.lane).is_none()
}

/// What was seen, once its aftermath is known.
pub(super) fn pending(state: &State, pending: &Pending) -> Finding {
    let mut finding = match pending {
        Pending::Ended { .. } if !state.has_heard => never_spoke(state),
        Pending::Ended { .. } if state.scenario.side == Side::Bot => bot_blame::ended(state),
        Pending::Ended { lane, close } => {
            let (lane, close) = aftermath::ended_first(state).unwrap_or((*lane, *close));
            hung_up(state, lane, state.model.missing(lane).as_deref(), close)
        }
        Pending::Silent { finding, heard, .. } => aftermath::silent(state, finding, heard),
        Pending::Line(line) => deviation(state, line, End::Line),
        Pending::Unanswered { heard, has_exited } => bot_blame::unanswered(state, *heard, *has_exited),
    };
    let who = state.scenario.side.word();
    match (pending, &state.exited) {
        // What never spoke has been said to have ended, or not.
        (_, None) => {}
        _ if !state.has_heard => {}
        // Whom we have left may well end, and that says nothing.
        (Pending::Silent { has_exited: false, .. }, _) => {}
        (Pending::Unanswered { has_exited: false, .. }, Some((status, _))) => {
            finding.notes.push(ended_as_told(who, status));
        }
        (_, Some((status, _))) => finding.notes.push(format!("the {who}'s process ended: {status}")),
    }
    finding
}

/// A line that the model did not predict, or one that did not come.
pub(super) fn deviation(state: &State, deviation: &Deviation, end: End) -> Finding {
    let lane = lane_name(state, deviation.lane);
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(Heard::Loss)
        && state.turn().is_some_and(|turn| matches!(turn.deed, Deed::Silent | Deed::Send(_)));
    if is_early_loss || is_too_early(state, end) {
        let after = state.now.saturating_sub(state.rolled_at);
        let title = format!("the loss by timeout was seen after {}, too early", seconds(after));
        let mut finding = timing(state, Some(not_early(state)), title);
        finding.lanes = sights(state, deviation, end);
        if let Some(timeout) = state.settings.timeout {
            let sure = seconds(super::acting::not_before(state, timeout));
            let now = seconds(state.now);
            finding.notes.push(format!(
                "the timeout is {}; {now} into the game, it cannot be over before {sure}",
                seconds(timeout)
            ));
            finding.notes.push(super::acting::slack_words(timeout, state.settings.lag));
        }
        return finding;
    }
    let ends_well = deviation.received.as_ref().is_none_or(|(_, ending)| *ending == LineEnding::Newline);
    let reaction = match (&deviation.received, deviation.heard, end) {
        (Some(_), Some(Heard::Roll(_)), _) => Reaction::Roll,
        (Some(_), Some(Heard::Move(_)), _) => Reaction::Move,
        (Some(_), Some(Heard::Loss), _) => Reaction::Loss,
        (Some(_), ..) => Reaction::Other,
        (None, _, End::Stream(_)) => Reaction::End,
        (None, ..) => Reaction::Nothing,
    };
    let (requirement, summaries) = if ends_well && state.model.is_greeted() {
        attribute(state, deviation, reaction)
    } else {
        (deviation.requirement, Vec::new())
    };
    let title = match (summaries.as_slice(), &deviation.expected, &deviation.received) {
        ([summary], ..) => format!("the referee behaves as if {summary}"),
        (_, Expected::NothingMore, _) => format!("{lane} received a line after the end of the game"),
        (_, Expected::NothingYet, _) => format!("{lane} received a line while a move was awaited"),
        (_, _, Some((_, LineEnding::Newline))) => {
            format!("{lane} received another line than the one that was due")
        }
        (_, _, Some((_, LineEnding::Missing))) => format!("{lane} received a line without its newline"),
        (_, _, Some((_, LineEnding::TooLong))) => format!("{lane} received a line without end"),
        (_, _, None) => format!("{lane} did not receive the line that was due"),
    };
    let mut finding = finding(state, Some(requirement), title);
    if matches!(end, End::Stream(_)) && is_loss_silent(state) && summaries.is_empty() {
        let note = "nothing but the end of the lanes shows a loss here: who was taken to have lost, and why, is not told";
        finding.notes.push(note.to_owned());
    }
    if let Some((requirement, sent)) = &state.off_turn
        && finding.requirement == Some(*requirement)
    {
        finding
            .notes
            .push(format!("{sent}, and {:?} went by before anybody sent more", super::acting::SETTLE));
    }
    if summaries.len() > 1 {
        finding.notes.push(format!("the referee behaves as if {}", summaries.join(", or as if ")));
    }
    if is_told_after_all(state, deviation) {
        finding
            .notes
            .push(format!("the loss was told after it; the move loses by {}", deviation.requirement));
    } else if deviation.requirement != requirement && requirement::find(deviation.requirement).is_some() {
        finding.notes.push(format!("the line itself rests on {}", deviation.requirement));
    }
    finding.lanes = sights(state, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
}

/// Id of the requirement that a loss breaks which comes before the timeout is over.
fn not_early(state: &State) -> &'static str {
    let dialect = state.scenario.dialect;
    let by_default = dialect.default_timeout_requirement().filter(|_| state.scenario.leaves("timeout"));
    by_default.unwrap_or(dialect.not_early_requirement())
}

/// Something came at the wrong time, which load on this machine can be the cause of.
pub(super) fn timing(state: &State, requirement: Option<&'static str>, title: String) -> Finding {
    let mut finding = finding(state, requirement, title);
    finding.by_silence = true;
    finding
}

/// A line came that was due, and after its time.
pub(super) fn late(state: &State, missing: &Deviation, late: Duration) -> Finding {
    let waited = state.settings.budgets.answer + late;
    let title = format!(
        "{} received the line that was due {} too late",
        lane_name(state, missing.lane),
        seconds(late)
    );
    let mut finding = timing(state, Some(missing.requirement), title);
    finding.lanes = sights(state, missing, End::Silence(waited));
    finding
        .notes
        .push(format!("lines may take {}; --answer-budget says so", seconds(state.settings.budgets.answer)));
    finding
}

/// Nothing more came although something was due.
pub(super) fn silence(state: &State) -> Finding {
    let waited = |lane: usize| state.now.saturating_sub(state.lanes[lane].last_heard);
    let owed = (0..state.lanes.len()).filter_map(|lane| state.model.missing(lane));
    // A line that has come but for its newline is the reason.
    if let Some(missing) = owed.clone().find(|missing| !state.lanes[missing.lane].unfinished.is_empty()) {
        let begun = state.lanes[missing.lane].unfinished.clone();
        let requirement = state.scenario.dialect.newline_requirement();
        let begun = Deviation { requirement, received: Some((begun, LineEnding::Missing)), ..*missing };
        return deviation(state, &begun, End::Silence(waited(begun.lane)));
    }
    // The lane that has a line due tells more than one that only waits for the roll.
    let worst = owed.min_by_key(|deviation| !matches!(deviation.expected, Expected::Line(_)));
    match worst {
        Some(missing) => deviation(state, &missing, End::Silence(waited(missing.lane))),
        None => finding(state, None, "nothing came in time".to_owned()),
    }
}

/// The referee ended a lane in mid-game.
pub(super) fn hung_up(state: &State, lane: usize, owes: Option<&Deviation>, close: Close) -> Finding {
    let how = if close == Close::Reset { "reset" } else { "closed" };
    match owes {
        Some(owed) => {
            let mut finding = deviation(state, owed, End::Stream(close));
            if !finding.title.contains("behaves as if") {
                finding.title = format!(
                    "the referee {how} the lane of {} before the line that was due",
                    lane_name(state, lane)
                );
            }
            finding
        }
        None => {
            let mut finding = deviation(state, &state.model.ended_early(lane), End::Stream(close));
            if !finding.title.contains("behaves as if") && !is_too_early(state, End::Stream(close)) {
                finding.title =
                    format!("the referee {how} the lane of {} in mid-game", lane_name(state, lane));
            }
            finding
        }
    }
}

/// Whether the end of a lane is all that shows a loss.
pub(super) fn is_loss_silent(state: &State) -> bool {
    let Some(by) = state.model.awaits_move_of().or(state.model.history().last().map(Happening::by)) else {
        return false;
    };
    state.scenario.dialect.closes_after(&Happening::Lost { by, cause: Cause::Unseen }).is_some()
}

/// Whether lanes end while a player lets the timeout pass, and that is how its loss shows.
fn is_too_early(state: &State, end: End) -> bool {
    let lets_time_pass = |turn: Turn| state.scenario.lets_time_pass(&turn.deed);
    matches!(end, End::Stream(_))
        && !state.model.is_over()
        && is_loss_silent(state)
        && state.turn().is_some_and(lets_time_pass)
}

/// Lanes that are still open although the game is over, in a dialect in which they have to end.
pub(super) fn still_open(state: &State, names: &[String]) -> Option<Finding> {
    let ending = *state.model.history().last()?;
    let closing = state.scenario.dialect.closes_after(&ending)?;
    let has_any_ended = state.lanes.iter().any(|lane| lane.ended.is_some() && !lane.has_left);
    let waited = seconds(super::referee::closing_budget(state));
    let is_explained = !has_any_ended && !is_lost_without_a_line(state);
    let rows = if is_explained { diagnosis::explain(state, 0, Reaction::Nothing) } else { Vec::new() };
    let (requirement, title) = match (rows.as_slice(), ending, has_any_ended) {
        ([row], ..) => (row.breaks, format!("the referee behaves as if {}", row.summary)),
        (.., true) => (
            closing.some,
            format!("the lane of {} was still open {waited} after the end of the game", names.join(" and ")),
        ),
        (_, Happening::Lost { cause: Cause::Timeout, .. }, false) if has_sent_in_vain(state) => {
            let id = state.scenario.dialect.no_new_time_requirement().unwrap_or(closing.none);
            (id, format!("no lane had ended {waited} after the timeout, as if ignored lines gave new time"))
        }
        (_, Happening::Moved { .. }, false) => {
            // The rule by which the move wins, where that is what the scenario is about.
            let grounds = [state.model.ground_of_last_move(), Some(closing.none), Some(closing.some)];
            let checked = state.scenario.checks.iter().find(|id| grounds.contains(&Some(**id)));
            let title = format!("no lane had ended {waited} after the move that wins the game");
            (checked.copied().unwrap_or(closing.none), title)
        }
        (_, Happening::Lost { cause: Cause::Invalid(rule), .. }, false) => {
            // The rule that the line breaks, where that is what the scenario is about.
            let grounds = [rule, closing.none, closing.some];
            let checked = state.scenario.checks.iter().find(|id| grounds.contains(id));
            let title = format!("no lane had ended {waited} after a line that loses the game");
            (checked.copied().unwrap_or(closing.none), title)
        }
        _ => (closing.none, format!("no lane had ended {waited} after the end of the game")),
    };
    let mut finding = finding(state, Some(requirement), title);
    finding.by_silence = true;
    if let Happening::Lost { cause: Cause::Invalid(rule), .. } = ending {
        finding.notes.push(format!("the line loses by {rule}"));
    }
    Some(finding)
}

/// That a process ended because its input did: it was still there when urtext gave up waiting for it.
pub(super) fn ended_as_told(who: &str, status: &str) -> String {
    format!("the {who} was still there; its process ended after urtext had then closed its input: {status}")
}

/// Whether the player on turn has sent lines that are ignored, and let its time pass all the same.
pub(super) fn has_sent_in_vain(state: &State) -> bool {
    match state.turn().map(|turn| turn.deed) {
        Some(Deed::Send(pieces)) => !Piece::lines(&pieces).0.is_empty(),
        _ => false,
    }
}

/// The subject never said a byte: the run broke, the subject is not judged.
pub(super) fn never_spoke(state: &State) -> Finding {
    let note = match &state.exited {
        Some((status, _)) => format!("its process ended: {status}"),
        None if state.lanes.iter().any(|lane| lane.ended.is_some()) => {
            format!("it ended the connection after {}", seconds(state.now))
        }
        None => return silent_from_the_start(state),
    };
    speechless(state, note)
}

/// The subject was there and never said a byte.
pub(super) fn silent_from_the_start(state: &State) -> Finding {
    speechless(
        state,
        format!("nothing came for {}: does it flush its output after each line?", seconds(state.now)),
    )
}

fn speechless(state: &State, note: String) -> Finding {
    let who = state.scenario.side.word();
    let mut finding = Finding::new(Verdict::Error, format!("the {who} never said a byte"));
    finding.notes.push(note);
    finding.notes.push(format!(
        "is this a {who} for {}, started with the right arguments?",
        state.scenario.dialect.game().title()
    ));
    finding
}
