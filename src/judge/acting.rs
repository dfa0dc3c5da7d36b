//! Actions of urtext as the players and spectators of a referee under test.

use std::sync::Arc;

use super::action::Command;
use super::finding_context;
use super::slack::{SETTLE, not_before};
use super::state::{Settling, State};
use super::timeout;
use super::wait::Wait;
use crate::config::LateSpectator;
use crate::event::{Finding, Verdict};
use crate::protocol::{Deviation, Line, OffTurn, Party, PlayerLine, RefereeLine};
use crate::requirement::Role;
use crate::rules::{Move, Seat};
use crate::scenario::{Act, ActKind, Choice, Leaving, Participant, PlayerAction, SendPart};

/// Sends what is left of the pieces. `false`: there is a pause to be waited for.
pub(super) fn pump(state: &mut State) -> bool {
    if state
        .waits
        .current
        .is_some_and(|(wait, until)| wait == Wait::Pause && state.seen.now < until)
    {
        return false;
    }
    while let Some((lane, piece)) = state.outgoing.outbox.pop_front() {
        match piece {
            SendPart::Bytes(bytes) => send(state, lane, bytes),
            SendPart::Pause(time) => {
                state.waits.current = None;
                state.wait(Wait::Pause, state.seen.now + time);
                return false;
            }
            SendPart::Leave(how) => leave(state, lane, how),
        }
    }
    true
}

/// A participant was seen to be gone.
pub(super) fn left(state: &mut State, lane: usize) {
    let Some((_, how)) = state
        .outgoing
        .leaving
        .filter(|(leaving, _)| *leaving == lane)
    else {
        // The subject takes nothing any more, and what was under way to it is lost.
        state.outgoing.in_flight = 0;
        return;
    };
    state.outgoing.leaving = None;
    state.progress();
    let still_reads = how == Leaving::HalfClose;
    state.seen.lanes[lane].has_left = !still_reads;
    let unfinished = state.seen.lanes[lane].sent.pending().to_vec();
    state.seen.model.leave(lane, still_reads, &unfinished);
    state.outgoing.is_unsettled |= matches!(state.seen.model.party(lane), Some(Party::Player(_)));
}

/// A line was sent by somebody who was not on turn: the model knows what that may lead to.
pub(super) fn sent_off_turn(state: &mut State, lane: usize, text: &[u8]) {
    match state.seen.scenario.dialect.off_turn() {
        OffTurn::Ignored(requirement) => {
            let shown = crate::diagnostic::visible::quoted(text).at_most(40);
            let who = finding_context::lane_name(&state.seen, lane);
            state.seen.sent.off_turn = Some((requirement, format!("{who} sent {shown} off turn")));
            state.outgoing.is_unsettled = true;
        }
        OffTurn::Open(_) => state.outgoing.is_unsettled = true,
    }
}

/// Waits until the referee has had time to show what it makes of something that comes off turn. `false`: not yet.
///
/// Nothing says when it has read that, so what follows rests on a delay.
fn settle(state: &mut State) -> bool {
    if state.turn.settling == Settling::Over {
        state.outgoing.is_unsettled = false;
        return true;
    }
    state.wait(Wait::Quiet, state.seen.now + SETTLE);
    false
}

/// A deviation that can come of the referee's reading a line off turn, or missing a player, later than we waited is not held
/// against it.
pub(super) fn excuse(state: &State, deviation: &Deviation, finding: &mut Finding) {
    let may_be_late = deviation.heard == Some(RefereeLine::Loss) && state.seen.model.may_lose();
    if finding.verdict == Verdict::Fail && (state.turn.rests_on_delay || may_be_late) {
        finding.verdict = Verdict::Inconclusive;
        let note = format!(
            "what was sent off turn, or a hang-up, may have been read later than {SETTLE:?} after it"
        );
        finding.notes.push(note);
    }
}

/// Does what the scenario has this player do, after what happens meanwhile. Returns whether the game goes on without any event.
pub(super) fn act(state: &mut State, seat: Seat) -> bool {
    if state.outgoing.leaving.is_some() {
        return false;
    }
    timeout::turn_seen(&mut state.seen);
    let turn = state.seen.turn();
    if let Some(act) = turn
        .as_ref()
        .and_then(|turn| turn.meanwhile.get(state.turn.acts_done))
        .cloned()
    {
        state.turn.acts_done += 1;
        return meanwhile(state, &act);
    }
    let kept = state
        .seen
        .model
        .may_have_kept(seat)
        .filter(|_| !state.turn.has_acted);
    if (kept.is_some() || state.outgoing.is_unsettled) && !settle(state) {
        return false;
    }
    if let Some(requirement) = kept {
        state.turn.rests_on_delay = true;
        state.choice(
            requirement,
            format!("the line was not taken within {SETTLE:?} of the beginning of its turn"),
        );
    }
    let action = match turn {
        Some(turn) => turn.action,
        None => PlayerAction::Move(Choice::Any {
            name: None,
            except: None,
        }),
    };
    if state.turn.has_acted {
        // What was sent has not made the turn's line: the referee waits for the rest, until the timeout.
        wait_for_the_timeout(state);
        return false;
    }
    state.turn.has_acted = true;
    let lane = state
        .seen
        .model
        .lane_of(seat)
        .expect("the handshake is complete");
    match action {
        PlayerAction::Skip => unreachable!("a skipped turn awaits no move"),
        PlayerAction::Move(choice) => {
            if let Some(mv) = choose(state, choice) {
                let line = state.seen.scenario.dialect.write_move(mv);
                send_line(state, seat, &line, Some(mv));
            }
        }
        PlayerAction::Illegal(line) | PlayerAction::Ignored(line) => {
            let mv = named_move(state, &line);
            send_line(state, seat, &line, mv);
        }
        PlayerAction::Silent => wait_for_the_timeout(state),
        PlayerAction::Send(parts) => {
            let delay = PlayerAction::Send(parts.clone()).delay();
            if let Some(timeout) = state
                .seen
                .settings
                .timeout
                .filter(|&timeout| delay >= timeout)
            {
                let title = format!(
                    "the player answers after {delay:.1?}, and the subject's timeout is {timeout:.1?}"
                );
                let mut finding = Finding::new(Verdict::Unsupported, title);
                finding.span = state.seen.span();
                state.fail(finding);
                return false;
            }
            let mv = SendPart::lines(&parts)
                .0
                .first()
                .and_then(|line| named_move(state, line));
            state.seen.sent.named = Some((seat, mv));
            if let Some(mv) = mv {
                state.narrate(seat, mv);
            }
            state
                .outgoing
                .outbox
                .extend(parts.into_iter().map(|piece| (lane, piece)));
            if pump(state) && state.outgoing.in_flight == 0 {
                return act(state, seat);
            }
        }
        PlayerAction::Leave(how) => leave(state, lane, how),
    }
    false
}

fn meanwhile(state: &mut State, act: &Act) -> bool {
    let (players, spectators) = state.seen.scenario.lanes();
    if let Participant::Spectator(number) = act.who
        && number as usize > spectators
    {
        // The subject has no spectators.
        return true;
    }
    let lane = match act.who {
        Participant::Player(seat) => state
            .seen
            .model
            .lane_of(seat)
            .expect("the handshake is complete"),
        Participant::Spectator(number) => players + number as usize - 1,
    };
    match &act.what {
        ActKind::Send(parts) => {
            state
                .outgoing
                .outbox
                .extend(parts.iter().cloned().map(|piece| (lane, piece)));
            return pump(state) && state.outgoing.in_flight == 0;
        }
        ActKind::Leave(how) => leave(state, lane, *how),
        ActKind::Join => {
            timeout::acted(&mut state.seen);
            state.results.commands.push(Command::Open { lane });
            state.outgoing.is_opening = true;
        }
    }
    false
}

fn leave(state: &mut State, lane: usize, how: Leaving) {
    timeout::acted(&mut state.seen);
    state.outgoing.leaving = Some((lane, how));
    state.results.commands.push(Command::Leave { lane, how });
}

fn send_line(state: &mut State, seat: Seat, line: &[u8], mv: Option<Move>) {
    let lane = state
        .seen
        .model
        .lane_of(seat)
        .expect("the handshake is complete");
    state.seen.sent.named = Some((seat, mv));
    if let Some(mv) = mv {
        state.narrate(seat, mv);
    }
    send(state, lane, Line::new(line).to_wire());
}

fn send(state: &mut State, lane: usize, bytes: Vec<u8>) {
    timeout::acted(&mut state.seen);
    let (mut lines, mut is_move) = (0, false);
    let dialect = state.seen.scenario.dialect;
    state.seen.lanes[lane].sent.push(&bytes, |line| {
        lines += 1;
        is_move |= matches!(dialect.read_player_line(&line.text), PlayerLine::Move(_));
    });
    state.outgoing.in_flight += lines;
    let on_turn = state
        .seen
        .model
        .awaits_move_of()
        .and_then(|seat| state.seen.model.lane_of(seat));
    if lines > 0 && on_turn == Some(lane) {
        state
            .seen
            .clock
            .own_delay
            .handed(state.seen.now, state.seen.settings.pace);
    }
    if is_move && on_turn == Some(lane) {
        state.seen.clock.moved_at = Some(state.seen.now);
    }
    state.results.commands.push(Command::Send { lane, bytes });
}

/// The move that the scenario means; where there is none the game cannot go on as it was meant.
fn choose(state: &mut State, choice: Choice) -> Option<Move> {
    match choice {
        Choice::This(mv)
            if state
                .seen
                .model
                .table()
                .is_some_and(|table| table.check(mv).is_err()) =>
        {
            let title = format!(
                "as the game went, {} is no legal move here",
                state.seen.scenario.dialect.game().format_move(mv)
            );
            let mut finding = Finding::new(Verdict::Inconclusive, title);
            finding.span = state.seen.span();
            state.fail(finding);
            None
        }
        Choice::This(mv) => Some(mv),
        Choice::Any { name, except } => {
            let legal = state
                .seen
                .model
                .table()
                .map(crate::rules::Table::legal_moves)
                .unwrap_or_default();
            let excluded = except.and_then(|except| state.chooser.called.get(&except).copied());
            let allowed: Vec<_> = legal
                .into_iter()
                .filter(|&mv| Some(mv) != excluded)
                .collect();
            let picked = state.pick(allowed);
            match picked {
                Some(mv) => state.chooser.called.extend(name.map(|name| (name, mv))),
                // Without rolls no turn is skipped: the game waits for a move that cannot come.
                None if excluded.is_none() => wait_for_the_timeout(state),
                None => {
                    let title = "as the game went, no other move is possible here";
                    let mut finding = Finding::new(Verdict::Inconclusive, title);
                    finding.span = state.seen.span();
                    state.fail(finding);
                }
            }
            picked
        }
    }
}

fn named_move(state: &State, line: &[u8]) -> Option<Move> {
    match state.seen.scenario.dialect.read_player_line(line) {
        PlayerLine::Move(mv) => Some(mv),
        _ => None,
    }
}

fn wait_for_the_timeout(state: &mut State) {
    let Some(timeout) = state.seen.settings.timeout else {
        let mut finding = Finding::new(Verdict::Unsupported, "the subject's timeout is not known");
        finding
            .notes
            .push("say it: `timeout:` in urtext.yaml, or --timeout".into());
        finding.span = state.seen.span();
        return state.fail(finding);
    };
    let due = not_before(&state.seen, timeout);
    state.wait(Wait::Timeout, due);
}

/// Says what spectators that joined late have received, of the readings that the specification leaves open.
pub(super) fn judge_late_lanes(state: &mut State) {
    let scenario = Arc::clone(&state.seen.scenario);
    let late = (0..state.seen.lanes.len()).filter(|&lane| !scenario.opens_at_start(lane));
    for lane in late {
        if !state.seen.lanes[lane].is_open {
            continue;
        }
        let (whole, greeting) = state.seen.model.whole_stream(Party::Spectator);
        let whole: Vec<&[u8]> = whole.iter().map(|told| told.line.as_slice()).collect();
        let received: Vec<&[u8]> = (0..state.seen.lanes[lane].entries.len())
            .map(|entry| state.seen.lanes[lane].text(entry))
            .collect();
        let requirement = state.seen.scenario.dialect.id(Role::LateSpectator);
        let name = finding_context::lane_name(&state.seen, lane);
        let tail = received
            .strip_prefix(&whole[..greeting])
            .filter(|tail| whole[greeting..].ends_with(tail));
        let (shown, seen) = if received.is_empty() {
            (LateSpectator::Nothing, "nothing")
        } else if received == whole {
            (LateSpectator::Whole, "everything from the first line")
        } else if tail.is_some() {
            (
                LateSpectator::FromNow,
                "the names, and then what happened from then on",
            )
        } else if whole.ends_with(&received) {
            (LateSpectator::FromNow, "what happened from then on")
        } else {
            (
                LateSpectator::Unknown,
                "what is no end of the game's stream",
            )
        };
        let declared = state.seen.settings.late_spectator;
        let is_known = shown != LateSpectator::Unknown;
        // Where nobody has said what is left out, a missing beginning may as well have been lost, which matters where the scenario is about
        // that.
        let is_enough = shown == LateSpectator::Whole || !scenario.checks.contains(&requirement);
        if is_known && (shown == declared || declared == LateSpectator::Unknown && is_enough) {
            state.choice(
                requirement,
                format!("{name} joined late and received {seen}"),
            );
            continue;
        }
        let mut finding = match declared {
            LateSpectator::Unknown => {
                let title = format!(
                    "{name} joined late and received {seen}: nothing says whether that is meant"
                );
                let mut finding = Finding::new(Verdict::Inconclusive, title);
                let word = if is_known { shown.word() } else { "whole" };
                finding.notes.push(format!(
                    "say what this referee shows to a late spectator, and it is judged: `late-spectator: {word}` in \
                     urtext.yaml, or --late-spectator {word}"
                ));
                finding
            }
            _ => {
                let word = declared.word();
                let title = format!(
                    "{name} joined late and received {seen}, and `late-spectator: {word}` is declared"
                );
                let mut finding = Finding::new(Verdict::Fail, title);
                // Under load it may have been let in later than we waited.
                finding.by_silence = true;
                finding
            }
        };
        finding.requirement = Some(requirement);
        state.results.findings.push(finding);
    }
}
