//! Attribution of a referee's deviation to a requirement.

use super::deviation::doubled;
use super::diagnosis::{self, is_loss_silent};
use super::observed::Observed;
use crate::finding::Reaction;
use crate::pack;
use crate::protocol::{Cause, Deviation, Expected, GameEvent, RefereeLine};
use crate::requirement::{ExercisedBy, Role};
use crate::rules::{Mistake, Seat};
use crate::scenario::{Act, Deed, Participant};

/// The requirement that a deviation breaks, and the readings of the rules that explain it.
#[derive(Debug)]
pub(super) struct Attribution {
    /// The requirement.
    pub(super) requirement: &'static str,
    /// The requirement where no reading of the rules is the reason.
    pub(super) plain: &'static str,
    /// The usual variants of the rules that explain the deviation.
    pub(super) variants: Vec<&'static Mistake>,
    /// True if a wrong reading of the rules can be the reason.
    pub(super) is_about_rules: bool,
}

impl Attribution {
    /// A deviation that no reading of the rules explains.
    pub(super) fn plain(requirement: &'static str) -> Attribution {
        Attribution {
            requirement,
            plain: requirement,
            variants: Vec::new(),
            is_about_rules: false,
        }
    }
}

/// Returns the broken requirement: the diagnosis's, else the line's, else the ground that the scenario is
/// about.
pub(super) fn attribute(seen: &Observed, deviation: &Deviation, reaction: Reaction) -> Attribution {
    if let Some(requirement) = unruly(seen, deviation, reaction) {
        return Attribution {
            is_about_rules: has_another_lost(seen, deviation, reaction),
            ..Attribution::plain(requirement)
        };
    }
    let checked = |id: &&str| seen.plan.checks.contains(id);
    let rows = diagnosis::explain(seen, deviation.lane, reaction);
    // A roll where a move is due: whose turn it is says nothing of that.
    let is_skip = deviation.expected == Expected::NothingYet && reaction == Reaction::Roll;
    let is_refused = is_refused(seen, deviation, reaction);
    // That turns alternate is what a game breaks whose player on turn is mistaken: some reading of the rules explains that.
    let alternate = seen.plan.dialect.find_id(Role::TurnsAlternate);
    let grounds = [
        Some(deviation.requirement),
        deviation.grounds.mv.filter(|_| !is_skip),
        deviation.grounds.turn.filter(|_| !is_skip),
    ];
    let grounds = grounds.map(|id| id.filter(|_| !is_refused || id != alternate));
    let ground = grounds.into_iter().flatten().find(checked);
    let ends_at_move = ends_at_move(seen, reaction);
    let odd = of_odd_input(seen).filter(|_| rows.is_empty() && ground.is_none());
    let plain = if let Some(odd) = odd {
        odd
    } else if rows.is_empty() && ends_at_move && deviation.heard.is_none() {
        seen.plan.dialect.id(Role::MoveAwaited)
    } else if is_refused {
        let accepted = seen.plan.dialect.find_id(Role::MoveAccepted);
        let mut grounds = ground
            .into_iter()
            .chain(accepted)
            .chain(grounds.into_iter().flatten());
        grounds.next().unwrap_or(deviation.requirement)
    } else {
        ground.unwrap_or(deviation.requirement)
    };
    let breaks = rows.iter().map(|row| row.breaks);
    let (requirement, variants) = if let Some(id) = breaks.clone().find(checked) {
        let meant = rows.into_iter().filter(|row| row.breaks == id);
        (id, meant.collect())
    } else if let Some(id) = breaks
        .clone()
        .next()
        .filter(|&id| breaks.clone().all(|other| other == id))
    {
        (id, rows)
    } else {
        (plain, rows)
    };
    Attribution {
        requirement,
        plain,
        variants,
        is_about_rules: !is_told_elsewhere(seen, deviation),
    }
}

/// Returns the requirement that the scenario exists for, in a turn in which a line comes in pieces or a spectator leaves: what goes wrong then is
/// about that, and not about the move.
fn of_odd_input(seen: &Observed) -> Option<&'static str> {
    let turn = seen.turn().filter(|_| !seen.model.is_over())?;
    let leaves = |act: &Act| {
        matches!(
            (act.who, &act.deed),
            (Participant::Spectator(_), Deed::Leave(_))
        )
    };
    let is_odd = turn.deed.comes_in_pieces() || turn.meanwhile.iter().any(leaves);
    let id = *seen.plan.checks.first().filter(|_| is_odd)?;
    let entry = pack::requirement(id)?;
    let by = entry.exercised?;
    let is_about_lines = matches!(by, ExercisedBy::Line | ExercisedBy::Framing);
    (entry.is_binding() && is_about_lines).then_some(id)
}

/// Returns true if a legal move was due that is not the first, and nobody was told of it: nothing came, or a loss.
fn is_refused(seen: &Observed, deviation: &Deviation, reaction: Reaction) -> bool {
    let dialect = seen.plan.dialect;
    let is_move = |line: &[u8]| matches!(dialect.hear(line), RefereeLine::Move(_));
    let is_first = deviation.grounds.turn == Some(dialect.id(Role::FirstTurn));
    // Who is not on turn is ignored.
    let is_loss = matches!(reaction, Reaction::Loss | Reaction::End);
    (is_loss || reaction == Reaction::Nothing && !is_first)
        && matches!(&deviation.expected, Expected::Line(line) if is_move(line))
        && !is_told_elsewhere(seen, deviation)
        && !seen.model.has_ignored()
        && !seen.model.is_over()
}

/// Returns the requirement that a deviation breaks which no reading of the rules explains.
fn unruly(seen: &Observed, deviation: &Deviation, reaction: Reaction) -> Option<&'static str> {
    if is_about_lines(seen, deviation) {
        return Some(deviation.requirement);
    }
    // A roll that comes once more may be another one.
    let is_move = matches!(deviation.heard, Some(RefereeLine::Move(_)));
    if is_move && doubled(seen, deviation).is_some() {
        return Some(seen.plan.dialect.id(Role::NothingElse));
    }
    // Whoever was on turn by whatever rules: a player who sends nothing loses.
    if reaction == Reaction::Nothing && is_lost_without_a_line(seen) {
        return Some(deviation.requirement);
    }
    if is_told_after_all(seen, deviation) {
        return Some(seen.plan.dialect.id(Role::NotPassedOn));
    }
    if reaction == Reaction::End
        && (is_told_elsewhere(seen, deviation) || is_end_unprovoked(seen, deviation))
    {
        return Some(deviation.requirement);
    }
    if let Some(id) = seen
        .model
        .ignored_before_last_move()
        .filter(|_| ends_at_move(seen, reaction))
    {
        // The move that came after it may never have been read.
        return Some(id);
    }
    let skipped = seen.plan.dialect.find_id(Role::SkippedExtraTurn);
    skipped
        .filter(|id| seen.plan.checks.contains(id))
        .filter(|_| seen.model.is_extra_turn_skipped())
}

/// Returns true if another lane was told what was due here: it was taken, and no rule about it explains why it did not come.
pub(super) fn is_told_elsewhere(seen: &Observed, deviation: &Deviation) -> bool {
    matches!(&deviation.expected, Expected::Line(line) if seen.model.is_told_elsewhere(deviation.lane, line))
}

/// Returns true if the lanes end where a move was due, and nothing but their end shows a loss.
fn ends_at_move(seen: &Observed, reaction: Reaction) -> bool {
    reaction == Reaction::End && !seen.model.is_over() && is_loss_silent(seen)
}

/// Returns true if a player was silent, and the lane of another player ends without the loss: by some reading of the rules that one was on
/// turn.
fn has_another_lost(seen: &Observed, deviation: &Deviation, reaction: Reaction) -> bool {
    let by = seen.model.history().last().map(GameEvent::by);
    let other = by.map(Seat::other);
    reaction == Reaction::End
        && is_lost_without_a_line(seen)
        && other.is_some_and(|other| seen.model.lane_of(other) == Some(deviation.lane))
}

/// Returns true if no deviation from the rules can be the reason: the lane contradicts the others, or
/// received a line that no game has.
fn is_about_lines(seen: &Observed, deviation: &Deviation) -> bool {
    let dialect = seen.plan.dialect;
    let is_roll = |line: &[u8]| matches!(dialect.hear(line), RefereeLine::Roll(_));
    let is_known_roll = matches!(&deviation.expected, Expected::Line(line) if is_roll(line));
    let is_echo = dialect.find_id(Role::NoEcho) == Some(deviation.requirement);
    is_known_roll
        || is_echo
        || deviation.heard == Some(RefereeLine::Other) && !passes_on_a_loss(seen, deviation)
}

/// Returns true if a losing line was relayed in place of the loss.
pub(super) fn passes_on_a_loss(seen: &Observed, deviation: &Deviation) -> bool {
    let is_loss_due = matches!(&deviation.expected, Expected::Line(line) if seen.plan.dialect.hear(line) == RefereeLine::Loss);
    let is_refused = Some(deviation.requirement) == deviation.grounds.mv;
    is_loss_due
        && is_refused
        && matches!(
            deviation.heard,
            Some(RefereeLine::Move(_) | RefereeLine::Other)
        )
}

/// Returns true if the lanes close although every due line was received and no move is pending: no rule about
/// moves explains that, unless the rule wins the game.
fn is_end_unprovoked(seen: &Observed, deviation: &Deviation) -> bool {
    let is_awaited =
        deviation.expected == Expected::NothingYet && seen.model.awaits_move_of().is_some();
    let wins = diagnosis::explain(seen, deviation.lane, Reaction::End);
    is_awaited && (wins.is_empty() || seen.model.has_ignored())
}

/// Returns true if a player has lost by silence, or by a disconnect.
pub(super) fn is_lost_without_a_line(seen: &Observed) -> bool {
    let last = seen.model.history().last();
    matches!(last, Some(GameEvent::Lost { cause, .. }) if !matches!(cause, Cause::Invalid(_)))
}

/// Returns true if a losing line was relayed, and the loss reported after it.
pub(super) fn is_told_after_all(seen: &Observed, deviation: &Deviation) -> bool {
    passes_on_a_loss(seen, deviation) && seen.model.missing(deviation.lane).is_none()
}
