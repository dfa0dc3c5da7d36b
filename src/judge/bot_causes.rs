//! Findings about a bot.

use std::time::Duration;

use super::diagnosis::{self, Reaction};
use super::finding_context::{finding, seconds};
use super::observed::Observed;
use super::slack::patience;
use super::speechless::{ended_as_told, never_spoke, silent_from_the_start};
use crate::diagnostic::visible::quoted;
use crate::event::{Finding, LaneText, LaneView, Verdict};
use crate::protocol::{GameEvent, Line, LineEnding, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Refusal, Table};
use crate::transcript::Direction;

/// The bot's lane at the moment of a finding.
fn lane_view(seen: &Observed, expected: LaneText, received: LaneText) -> LaneView {
    let sent = seen.lanes[0]
        .entries
        .iter()
        .filter(|entry| entry.direction == Direction::Sent)
        .count() as u64;
    let is_line = matches!(received, LaneText::Line(_));
    let line_number = if is_line { sent } else { sent + 1 };
    LaneView {
        lane: "the bot".to_owned(),
        line_number,
        expected,
        received,
        agrees: false,
    }
}

/// The bot sent something that is no whole line.
pub(super) fn no_line(
    seen: &Observed,
    requirement: &'static str,
    what: &str,
    line: &Line,
) -> Finding {
    let mut finding = finding(seen, Some(requirement), format!("the bot sent {what}"));
    let shown = LaneText::Words(format!("{} ({what})", quoted(&line.text).at_most(60)));
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a line that ends with a newline".to_owned()),
        shown,
    )];
    finding
}

/// The bot sent a line while it had nothing to say.
pub(super) fn off_turn(seen: &Observed, line: &Line) -> Finding {
    let dialect = seen.scenario.dialect;
    let seat = seen.scenario.bot_seat;
    let own = |happening: &&GameEvent| happening.by() == seat;
    let history = seen.model.history();
    // It answers what it has been told, not what is still on its way.
    let is_told_all = seen.bot.unwritten == 0;
    let known = if is_told_all {
        history
    } else {
        &history[..seen.bot.known]
    };
    let last = known.iter().rev().find(own).copied();
    let (mut requirement, mut title) = match last {
        None if said(seen, line).is_some() && is_others_answer(seen, known) => (
            dialect.id(Role::BotOwnSeat),
            "the bot behaves as if it had the other seat".to_owned(),
        ),
        Some(GameEvent::Rolled { skipped: true, .. }) => (
            dialect.id(Role::BotSilentWhenSkipped),
            "the bot sent a line although its turn was skipped".to_owned(),
        ),
        Some(GameEvent::Moved { .. }) => (
            dialect.id(Role::BotAnswers),
            "the bot sent a second line for one turn".to_owned(),
        ),
        _ => (
            dialect.id(Role::BotSilentOffTurn),
            "the bot sent a line while it was not its turn".to_owned(),
        ),
    };
    if seen.model.is_over()
        && is_told_all
        && !matches!(last, Some(GameEvent::Rolled { skipped: true, .. }))
    {
        title = "the bot sent a line after the end of the game".to_owned();
    }
    // A line that answers a skipped turn can be taken for the next turn's answer; then the true answer is one too many.
    let was_skipped = known.iter().any(
        |happening| matches!(happening, GameEvent::Rolled { by, skipped: true, .. } if *by == seat),
    );
    let mut notes = Vec::new();
    if was_skipped && requirement == dialect.id(Role::BotAnswers) {
        notes.push(
            "an earlier turn of the bot was skipped; the surplus line may belong to that turn"
                .to_owned(),
        );
        if seen
            .scenario
            .checks
            .contains(&dialect.id(Role::BotSilentWhenSkipped))
        {
            requirement = dialect.id(Role::BotSilentWhenSkipped);
        }
    }
    let checks = &seen.scenario.checks;
    if let [row] = diagnosis::explain(seen, 0, Reaction::Answer(said(seen, line))).as_slice()
        && is_told_all
    {
        // Where the scenario is about silence, one line does not tell which wrong reading of the rules it rests on.
        if checks.contains(&requirement) && !checks.contains(&row.breaks) {
            notes.push(format!(
                "a bot that behaves as if {} sends such a line",
                row.summary
            ));
        } else {
            title = format!("the bot behaves as if {}", row.summary);
            requirement = row.breaks;
        }
    }
    let mut finding = finding(seen, Some(requirement), title);
    finding.notes = notes;
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("nothing".to_owned()),
        LaneText::Line(line.text.clone()),
    )];
    finding
}

/// Returns true if the last roll was the opponent's, and the opponent could move.
fn is_others_answer(seen: &Observed, history: &[GameEvent]) -> bool {
    let roll = history
        .iter()
        .rev()
        .find(|happening| matches!(happening, GameEvent::Rolled { .. }));
    matches!(roll, Some(&GameEvent::Rolled { by, skipped: false, .. }) if by != seen.scenario.bot_seat)
}

fn said(seen: &Observed, line: &Line) -> Option<Move> {
    match seen.scenario.dialect.read_player_line(&line.text) {
        crate::protocol::PlayerLine::Move(mv) => Some(mv),
        crate::protocol::PlayerLine::Open(open) => open.mv,
        _ => None,
    }
}

/// The bot sent something that is no legal move.
pub(super) fn illegal(seen: &Observed, line: &Line, mv: Option<Move>, legal: &[Move]) -> Finding {
    let game = seen.scenario.dialect.game();
    let dialect = seen.scenario.dialect;
    let refusal = mv.and_then(|mv| seen.model.table().and_then(|table| table.check(mv).err()));
    let rows = diagnosis::explain(seen, 0, Reaction::Answer(mv));
    // A variant of the rules that the scenario is about, and else another reading of the board.
    let about = rows
        .iter()
        .find(|row| seen.scenario.checks.contains(&row.breaks));
    let misread = mv.and_then(|mv| seen.scenario.dialect.misread_move(mv));
    let misread =
        misread.filter(|(meant, id, _)| seen.scenario.checks.contains(id) && legal.contains(meant));
    let title = match (rows.as_slice(), refusal) {
        _ if misread.is_some() => {
            format!(
                "the bot behaves as if {}",
                misread.map_or("", |(.., summary)| summary)
            )
        }
        _ if about.is_some() => format!(
            "the bot behaves as if {}",
            about.map_or("", |row| row.summary)
        ),
        ([row], _) => format!("the bot behaves as if {}", row.summary),
        (_, Some(refusal)) => format!("the bot sent an illegal move: {}", refusal.reason),
        (_, None) => "the bot sent a line that is no move".to_owned(),
    };
    let checked = |refusal: &&Refusal| seen.scenario.checks.contains(&refusal.requirement);
    let requirement = match (mv, refusal.filter(checked)) {
        (None, _) => seen.scenario.dialect.bot_line_requirement(&line.text),
        _ if misread.is_some() => misread.map_or(dialect.id(Role::BotLegal), |(_, id, _)| id),
        _ if about.is_some() => about.map_or(dialect.id(Role::BotLegal), |row| row.breaks),
        (_, Some(refusal)) => refusal.requirement,
        (_, None) => dialect.id(Role::BotLegal),
    };
    let mut finding = finding(seen, Some(requirement), title);
    let list: Vec<_> = legal.iter().map(|&mv| game.format_move(mv)).collect();
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words(format!("a legal move: {}", list.join(", "))),
        LaneText::Line(line.text.clone()),
    )];
    if let ([_], Some(refusal)) = (rows.as_slice(), refusal) {
        finding
            .notes
            .push(format!("its move is illegal: {}", refusal.reason));
    }
    if let Some(refusal) = refusal.filter(|refusal| refusal.requirement != requirement) {
        finding
            .notes
            .push(format!("a referee retires it by {}", refusal.requirement));
    }
    finding
}

/// The bot sent a number in a form that a referee may refuse.
pub(super) fn open_form(seen: &Observed, line: &Line) -> Finding {
    let requirement = seen.scenario.dialect.bot_line_requirement(&line.text);
    let mut finding = finding(
        seen,
        Some(requirement),
        "the bot sent a move in a form of its own".to_owned(),
    );
    let plain = match said(seen, line) {
        Some(mv) => LaneText::Line(seen.scenario.dialect.write_move(mv)),
        None => LaneText::Words(seen.scenario.dialect.game().move_syntax().to_owned()),
    };
    finding.lanes = vec![lane_view(seen, plain, LaneText::Line(line.text.clone()))];
    finding
}

/// Returns the requirement that an off-turn line of the bot breaks if it was meant as an answer: the bot
/// mistakes its seat, or the first player.
pub(super) fn mistaken_turn(seen: &Observed, said: PlayerLine) -> &'static str {
    let dialect = seen.scenario.dialect;
    let is_others_move = |mv: Move| {
        seen.model
            .table()
            .is_some_and(|table| table.check(mv).is_ok())
    };
    match said.possible_move() {
        Some(mv) if is_others_move(mv) => dialect.id(Role::BotOwnSeat),
        Some(_) if seen.model.history().is_empty() => dialect.id(Role::FirstTurn),
        _ => dialect.id(Role::BotAnswers),
    }
}

/// The bot ended while the game went on.
pub(super) fn ended(seen: &Observed) -> Finding {
    let dialect = seen.scenario.dialect;
    let seat = seen.scenario.bot_seat;
    let is_own_move_last =
        matches!(seen.model.history().last(), Some(&GameEvent::Moved { by, .. }) if by == seat);
    // Its own move has come back to it, and nothing else.
    let mistaken = dialect
        .find_id(Role::BotConfirmation)
        .filter(|_| is_own_move_last);
    let in_vain = seen.bot.in_vain.as_ref();
    let requirement = mistaken
        .or(in_vain.map(|(breaks, _)| *breaks))
        .unwrap_or(dialect.id(Role::BotAnswers));
    let mut finding = finding(
        seen,
        Some(requirement),
        "the bot ended in mid-game".to_owned(),
    );
    finding.notes.extend(in_vain.map(|(_, sent)| sent.clone()));
    if mistaken.is_some() {
        finding
            .notes
            .push("the last that it was told is its own move, as a confirmation".to_owned());
    }
    let end = LaneText::Words("the end of the stream".to_owned());
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move, or silence in the opponent's turn".to_owned()),
        end,
    )];
    finding
}

/// The bot did not answer.
pub(super) fn silent(seen: &Observed) -> Finding {
    let dialect = seen.scenario.dialect;
    let waited = seen.now.saturating_sub(seen.clock.rolled_at);
    let mut rows = diagnosis::explain(seen, 0, Reaction::Nothing);
    let is_about = |row: &&crate::rules::VariantRow| seen.scenario.checks.contains(&row.breaks);
    if rows.iter().any(is_about) {
        rows.retain(is_about);
    }
    let (requirement, title) = match rows.as_slice() {
        [row] => (
            dialect.id(Role::BotAnswers),
            format!("the bot behaves as if {}", row.summary),
        ),
        _ => (
            dialect.id(Role::BotWithinTimeout),
            "the bot did not answer".to_owned(),
        ),
    };
    let requirement = match seen.model.table().and_then(Table::turn_ground) {
        _ if seen.bot.in_vain.is_some() => seen
            .bot
            .in_vain
            .as_ref()
            .map_or(requirement, |(breaks, _)| breaks),
        Some(turn) if seen.scenario.checks.contains(&turn) => turn,
        _ if seen.scenario.checks.contains(&dialect.id(Role::BotAnswers)) => {
            dialect.id(Role::BotAnswers)
        }
        _ => requirement,
    };
    let mut finding = finding(seen, Some(requirement), title);
    finding
        .notes
        .extend(seen.bot.in_vain.iter().map(|(_, sent)| sent.clone()));
    if seen.processes.is_stopped() {
        finding.notes.push(
            "its process was stopped by a signal (SIGSTOP, SIGTSTP) or a debugger".to_owned(),
        );
    }
    let nothing = LaneText::Words(format!("nothing for {}", seconds(waited)));
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move".to_owned()),
        nothing,
    )];
    finding.by_silence = true;
    finding
}

/// The time for an answer is over, and the bot is still computing it.
pub(super) fn computes(seen: &Observed, allowed: Duration, is_known: bool) -> Finding {
    let dialect = seen.scenario.dialect;
    let waited = seconds(allowed);
    let title = format!("the bot had not answered after {waited}, and was still computing");
    let mut finding = finding(seen, Some(dialect.id(Role::BotWithinTimeout)), title);
    let nothing = LaneText::Words(format!(
        "nothing for {waited}, while it used processor time"
    ));
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move".to_owned()),
        nothing,
    )];
    finding.by_silence = is_known;
    if !is_known {
        finding.verdict = Verdict::Inconclusive;
        finding.settled_by = Some("timeout");
        finding.notes.push(
            "say how long it may take, and it is judged: `timeout:` in urtext.yaml, or --timeout"
                .to_owned(),
        );
    }
    finding
}

/// The processes that hold the bot's standard output open although the bot has ended.
pub(super) fn left_behind(seen: &Observed) -> String {
    match seen.processes.started() {
        [] => "the bot ended, and something that it has started keeps its standard output open"
            .to_owned(),
        names => {
            let names: Vec<_> = names
                .iter()
                .map(|name| quoted(name.as_bytes()).at_most(40).to_string())
                .collect();
            format!(
                "the bot ended, and a process that it has started keeps its standard output open: {}",
                names.join(", ")
            )
        }
    }
}

/// The bot answered, and too late.
pub(super) fn late(seen: &Observed, line: &Line, late: Duration) -> Finding {
    let dialect = seen.scenario.dialect;
    let mut finding = finding(
        seen,
        Some(dialect.id(Role::BotWithinTimeout)),
        format!("the bot answered {} too late", seconds(late)),
    );
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move in time".to_owned()),
        LaneText::Line(line.text.clone()),
    )];
    finding.by_silence = true;
    finding
}

/// The bot did not answer; what came after its input was closed tells more.
pub(super) fn unanswered(seen: &Observed, heard: usize, has_exited: bool) -> Finding {
    let sent = seen.lanes[0]
        .entries
        .iter()
        .filter(|entry| entry.direction == Direction::Sent);
    let late: Vec<_> = sent.skip(heard).map(|entry| &entry.line).collect();
    let dialect = seen.scenario.dialect;
    let unfinished = &seen.lanes[0].unfinished;
    match late.as_slice() {
        [] if !unfinished.is_empty() => {
            let line = Line {
                text: unfinished.clone(),
                ending: LineEnding::Missing,
            };
            no_line(
                seen,
                dialect.id(Role::BotNewline),
                "a line that does not end with a newline",
                &line,
            )
        }
        [] if seen.heard.anything && has_exited => ended(seen),
        [] if seen.heard.anything => silent(seen),
        [] if has_exited => never_spoke(seen),
        [] if seen.lanes[0].reader_closed => {
            let mut finding = silent(seen);
            finding.title = "the bot closed its input before its first answer".to_owned();
            finding
        }
        [] if seen.processes.is_stopped() => {
            let mut finding = silent(seen);
            finding.title = "the bot did not answer: its process is stopped".to_owned();
            finding
        }
        [] => {
            // It had not ended when its input was closed, so that is not why it said nothing.
            let mut finding = silent_from_the_start(seen);
            let status = seen.exited.as_ref().map(|(status, _)| status);
            finding
                .notes
                .extend(status.map(|status| ended_as_told("bot", status)));
            finding
        }
        [.., line] if line.ending != LineEnding::Newline => no_line(
            seen,
            dialect.id(Role::BotNewline),
            "a line that does not end with a newline",
            line,
        ),
        [line, ..] => {
            let mut finding = silent(seen);
            finding.notes.push(format!(
                "{} came when its input was closed: does it flush its output after each line?",
                quoted(&line.text).at_most(60)
            ));
            finding
        }
    }
}

/// The bot did not end although it should have.
pub(super) fn stays(seen: &Observed, requirement: &'static str, since: &str) -> Finding {
    let waited = seconds(patience(seen, seen.settings.budgets.close));
    let mut finding = finding(
        seen,
        Some(requirement),
        format!("the bot was still there {waited} after {since}"),
    );
    finding.by_silence = true;
    finding
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use crate::config::LateSpectator;
    use crate::diagnostic::Source;
    use crate::event::{Event, Finding, Verdict, What};
    use crate::judge::{Budgets, Command, Judge, Settings};
    use crate::protocol::{Framer, Line};
    use crate::scenario::{Alone, resolve};
    use crate::transcript::{Close, Direction};

    const SCENARIO: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\n\
        turns:\n  - bot: 0 0 1 1 > any\n  - opponent: 0 1 0 0 > 0\n  - bot: 0 0 0 1 > any\n";

    /// Returns the finding about a bot that sends these lines when a move is due, is then silent, and ends
    /// when its input does, or before.
    fn found(mut lines: &[&str], ends_before: bool) -> Finding {
        let (mut scenarios, _) = resolve(&Source::new("s.yaml", SCENARIO), "s", &Alone);
        let settings = Settings {
            budgets: Budgets::default(),
            timeout: None,
            pace: Duration::ZERO,
            lag: Duration::ZERO,
            forces_rolls: true,
            late_spectator: LateSpectator::Unknown,
            seed: 1,
        };
        let mut judge = Judge::new(Arc::new(scenarios.pop().unwrap()), settings, None);
        let (mut at, mut framer) = (Duration::ZERO, Framer::default());
        let (mut events, mut alarm) = (vec![What::Opened { lane: 0 }], None);
        let end = [
            What::Exited {
                status: "exit status 3".to_owned(),
                is_success: false,
            },
            What::Closed {
                lane: 0,
                direction: Direction::Sent,
                close: Close::End,
            },
        ];
        for _ in 0..100 {
            if judge.is_finished() {
                break;
            }
            let what = if events.is_empty() {
                What::Alarm
            } else {
                events.remove(0)
            };
            for action in judge.take(&Event { at, what }) {
                match action {
                    Command::Send { lane, bytes } => {
                        let direction = Direction::Received;
                        framer.push(&bytes, |line| {
                            events.push(What::Line {
                                lane,
                                direction,
                                line,
                            })
                        });
                    }
                    Command::Close { .. } => events.extend(end.clone()),
                    Command::WakeAt(time) => alarm = Some(time),
                    _ => {}
                }
            }
            if events.is_empty()
                && let Some((line, rest)) = lines.split_first()
            {
                let (line, direction) = (Line::new(*line), Direction::Sent);
                events.push(What::Line {
                    lane: 0,
                    direction,
                    line,
                });
                lines = rest;
            } else if events.is_empty() && ends_before && alarm.is_some() {
                events.extend(end.clone());
            }
            at = if events.is_empty() {
                alarm.unwrap_or(at).max(at)
            } else {
                at
            };
        }
        judge.conclude().findings.remove(0)
    }

    #[test]
    fn a_bot_that_ends_only_when_its_input_is_closed_is_not_said_to_have_ended_by_itself() {
        let told = "the bot was still there; its process ended after urtext had then closed its input: exit status 3";
        for (lines, verdict) in [(&["0"][..], Verdict::Fail), (&[][..], Verdict::Error)] {
            let finding = found(lines, false);
            assert_eq!(finding.verdict, verdict);
            let ended: Vec<_> = finding
                .notes
                .iter()
                .filter(|note| note.contains("ended"))
                .collect();
            assert_eq!(ended, [told]);
        }
        assert!(found(&[], false).notes[0].starts_with("nothing came for "));
    }

    #[test]
    fn a_bot_that_ends_by_itself_is_said_to() {
        let finding = found(&["0"], true);
        assert_eq!(finding.title, "the bot ended in mid-game");
        assert!(
            finding
                .notes
                .contains(&"the bot's process ended: exit status 3".to_owned()),
            "{finding:?}"
        );
        let finding = found(&[], true);
        assert_eq!(finding.notes[0], "its process ended: exit status 3");
    }
}
