//! Findings about lines of a bot.

use super::super::diagnosis;
use super::super::finding_context::{finding, legal_moves};
use super::super::observed::Observed;
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Reaction};
use crate::protocol::{GameEvent, Line, PlayerLine};
use crate::requirement::Role;
use crate::rules::Move;
use crate::transcript::Direction;

/// The bot's lane at the moment of a finding.
pub(super) fn lane_view(seen: &Observed, expected: LaneText, received: LaneText) -> LaneView {
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

/// The requirement on cutting what comes into lines, where the scenario is about that.
pub(super) fn framing(seen: &Observed) -> Option<&'static str> {
    let checks = seen.plan.checks.iter().copied();
    let ids = seen.plan.dialect.ids(Role::ShownByPieces);
    let mut framing = checks.filter(|id| ids.contains(id));
    framing.next()
}

/// The bot sent something that is no whole line.
pub(super) fn no_line(seen: &Observed, line: &Line) -> Finding {
    let requirement = seen.plan.dialect.id(Role::BotNewline);
    let mut finding = finding(seen, Some(requirement), FindingKind::SentUnended);
    let shown = LaneText::Words(format!(
        "{} (a line that does not end with a newline)",
        quoted(&line.text).at_most(60)
    ));
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a line that ends with a newline".to_owned()),
        shown,
    )];
    finding
}

/// The bot sent a line while it had nothing to say.
pub(super) fn off_turn(seen: &Observed, line: &Line) -> Finding {
    let dialect = seen.plan.dialect;
    let seat = seen.plan.bot_seat;
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
    let (mut requirement, mut kind) = match last {
        None if said(seen, line).is_some() && is_others_answer(seen, known) => {
            (dialect.id(Role::BotOwnSeat), FindingKind::OtherSeat)
        }
        Some(GameEvent::Rolled { skipped: true, .. }) => (
            dialect.id(Role::BotSilentWhenSkipped),
            FindingKind::SentWhenSkipped,
        ),
        Some(GameEvent::Moved { .. }) => (dialect.id(Role::BotAnswers), FindingKind::SentTwice),
        _ => (dialect.id(Role::BotSilentOffTurn), FindingKind::SentOffTurn),
    };
    if seen.model.is_over()
        && is_told_all
        && !matches!(last, Some(GameEvent::Rolled { skipped: true, .. }))
    {
        kind = FindingKind::SentAfterEnd;
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
            .plan
            .checks
            .contains(&dialect.id(Role::BotSilentWhenSkipped))
        {
            requirement = dialect.id(Role::BotSilentWhenSkipped);
        }
    }
    let checks = &seen.plan.checks;
    let reaction = Reaction::Answer(said(seen, line));
    // The line before may have come whole, and this one answers it by another reading of the rules.
    if let Some(framing) = framing(seen)
        && !is_told_all
        && diagnosis::explain(seen, 0, reaction).is_empty()
    {
        requirement = framing;
        notes.push("the newline of the line before was not sent yet".to_owned());
    }
    let plain = requirement;
    let mut inferred = None;
    if let [row] = diagnosis::explain(seen, 0, reaction)[..]
        && is_told_all
        // Where the scenario is about silence, one line does not tell which wrong reading of the rules it rests on.
        && (!checks.contains(&requirement) || checks.contains(&row.breaks))
    {
        inferred = Some(row);
        requirement = row.breaks;
    }
    let mut finding = finding(seen, Some(requirement), kind);
    if let Some(variant) = inferred {
        finding = finding.inferring(seen.plan.side.word(), variant, plain);
    }
    if is_told_all {
        diagnosis::suppose(seen, &mut finding, 0, reaction);
    }
    finding.notes = notes;
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Nothing,
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
    matches!(roll, Some(&GameEvent::Rolled { by, skipped: false, .. }) if by != seen.plan.bot_seat)
}

fn said(seen: &Observed, line: &Line) -> Option<Move> {
    match seen.plan.dialect.read_player_line(&line.text) {
        crate::protocol::PlayerLine::Move(mv) => Some(mv),
        crate::protocol::PlayerLine::Open(open) => open.mv,
        _ => None,
    }
}

/// The bot sent something that is no legal move.
pub(super) fn illegal(seen: &Observed, line: &Line, mv: Option<Move>, legal: &[Move]) -> Finding {
    let game = seen.plan.dialect.game();
    let dialect = seen.plan.dialect;
    let refusal = mv.and_then(|mv| seen.model.table().and_then(|table| table.check(mv).err()));
    let rows = diagnosis::explain(seen, 0, Reaction::Answer(mv));
    // A variant of the rules that the scenario is about, and else another reading of the board.
    let about = rows
        .iter()
        .find(|row| seen.plan.checks.contains(&row.breaks));
    let misread = mv.and_then(|mv| seen.plan.dialect.misread_move(mv));
    let misread =
        misread.filter(|(meant, id, _)| seen.plan.checks.contains(id) && legal.contains(meant));
    let kind = match (misread, refusal) {
        (Some((.., summary)), Some(refusal)) => FindingKind::Misread {
            summary,
            reason: refusal.reason,
        },
        (_, Some(refusal)) => FindingKind::IllegalMove(refusal.reason),
        (_, None) => FindingKind::NoMove,
    };
    let plain = match (mv, misread) {
        (None, _) => seen.plan.dialect.bot_line_requirement(&line.text),
        (_, Some((_, id, _))) => id,
        _ => dialect.id(Role::BotLegal),
    };
    let requirement = match about {
        Some(row) if mv.is_some() && misread.is_none() => row.breaks,
        _ => plain,
    };
    let mut finding = finding(seen, Some(requirement), kind);
    let only = (rows.len() == 1).then(|| rows[0]);
    if let Some(variant) = about.copied().or(only).filter(|_| misread.is_none()) {
        finding = finding.inferring(seen.plan.side.word(), variant, plain);
    }
    if misread.is_none() {
        diagnosis::suppose(seen, &mut finding, 0, Reaction::Answer(mv));
    }
    let list: Vec<_> = legal.iter().map(|&mv| game.format_move(mv)).collect();
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words(format!("a legal move: {}", list.join(", "))),
        LaneText::Line(line.text.clone()),
    )];
    finding.notes.extend(legal_moves(seen));
    if let Some(refusal) = refusal.filter(|refusal| refusal.requirement != requirement) {
        finding
            .notes
            .push(format!("a referee retires it by {}", refusal.requirement));
    }
    finding
}

/// The bot sent a number in a form that a referee may refuse.
pub(super) fn open_form(seen: &Observed, line: &Line) -> Finding {
    let requirement = seen.plan.dialect.bot_line_requirement(&line.text);
    let plain = said(seen, line).map(|mv| seen.plan.dialect.write_move(mv));
    let form = plain
        .as_ref()
        .map_or("in a form of its own", |plain| form(&line.text, plain));
    let mut finding = finding(seen, Some(requirement), FindingKind::OwnForm(form));
    let plain = match plain {
        Some(plain) => LaneText::Line(plain),
        None => LaneText::Words(seen.plan.dialect.game().move_syntax().to_owned()),
    };
    finding.lanes = vec![lane_view(seen, plain, LaneText::Line(line.text.clone()))];
    finding
}

/// How a line differs from the plain form of the move that it names.
fn form(line: &[u8], plain: &[u8]) -> &'static str {
    let Some(before) = line
        .windows(plain.len().max(1))
        .position(|part| part == plain)
    else {
        return match line.eq_ignore_ascii_case(plain) {
            true => "with other letters, small or capital",
            false => "in a form of its own",
        };
    };
    let (before, after) = (&line[..before], &line[before + plain.len()..]);
    let is_all = |part: &[u8], is: fn(&u8) -> bool| !part.is_empty() && part.iter().all(is);
    match (before, after) {
        ([], b"\r") => "with a carriage return at its end",
        ([], after) if is_all(after, u8::is_ascii_whitespace) => "with white space at its end",
        (before, []) if is_all(before, u8::is_ascii_whitespace) => "with white space before it",
        (before, []) if is_all(before, |byte| *byte == b'0') => "with a 0 before it",
        (b"+", []) => "with a plus sign before it",
        _ => "in a form of its own",
    }
}

/// Returns the requirement that an off-turn line of the bot breaks if it was meant as an answer: the bot
/// mistakes its seat, or the first player.
pub(super) fn mistaken_turn(seen: &Observed, said: PlayerLine) -> &'static str {
    let dialect = seen.plan.dialect;
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
