//! Spectators that join a game late.

use std::sync::Arc;

use super::finding_context;
use super::state::State;
use crate::config::LateSpectator;
use crate::finding::{Finding, FindingKind, Verdict};
use crate::protocol::Party;
use crate::requirement::Role;
use crate::yaml::Words;

/// Says what spectators that joined late have received, of the readings that the specification leaves open.
pub(super) fn judge(state: &mut State) {
    let plan = Arc::clone(&state.seen.plan);
    let late = (0..state.seen.lanes.len()).filter(|&lane| !plan.opens_at_start(lane));
    for lane in late {
        if !state.seen.lanes[lane].is_open {
            continue;
        }
        let (whole, greeting) = state.seen.model.whole_stream(Party::Spectator);
        let whole: Vec<&[u8]> = whole.iter().map(|told| told.line.as_slice()).collect();
        let received: Vec<&[u8]> = (0..state.seen.lanes[lane].entries.len())
            .map(|entry| state.seen.lanes[lane].text(entry))
            .collect();
        let requirement = state.seen.plan.dialect.id(Role::LateSpectator);
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
        let is_enough = shown == LateSpectator::Whole || !plan.checks.contains(&requirement);
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
                     urtext.yaml, or --set late-spectator={word}"));
                finding.settled_by = Some("late-spectator");
                finding
            }
            _ => {
                let kind = FindingKind::LateSpectator {
                    lane: name,
                    seen,
                    declared: declared.word(),
                };
                let mut finding = Finding::new(Verdict::Fail, kind);
                // Under load it may have been let in later than we waited.
                finding.by_silence = true;
                finding
            }
        };
        finding.requirement = Some(requirement);
        state.results.findings.push(finding);
    }
}
