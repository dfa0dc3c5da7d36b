//! The requirements that a scenario checks.

use super::matchup::Matchup;
use crate::diagnostic::{Diagnostic, Faults, Span, nearby, suggest, visible};
use crate::pack;
use crate::requirement::{Binds, Catalogue, Requirement};
use crate::scenario::Side;
use crate::yaml::At;

/// Maximum number of ids suggested for an unknown one.
const NEARBY: usize = 6;

/// The requirements among which a scenario names those that it checks.
pub(super) struct Known {
    pub(super) side: Side,
    pub(super) entries: Vec<&'static Requirement>,
    /// Says where all of them are listed.
    pub(super) listed: &'static str,
}

impl Known {
    /// Those of a game.
    pub(super) fn of_game(matchup: &Matchup) -> Known {
        let game = matchup.game().name();
        let catalogues = pack::catalogues().filter(|catalogue| catalogue.protocol == game);
        Known {
            side: matchup.side,
            entries: catalogues
                .flat_map(|catalogue| &catalogue.requirements)
                .collect(),
            listed: "`urtext requirements` lists",
        }
    }

    /// Those of the catalogue of a dialogue.
    pub(super) fn of_dialogue(catalogue: &'static Catalogue, side: Side) -> Known {
        Known {
            side,
            entries: catalogue.requirements.iter().collect(),
            listed: "`requirements.yaml` next to the scenario has",
        }
    }
}

/// The requirements that are checked, each known, meant for that side, and named once.
pub(super) fn checks(
    ids: &[At<String>],
    known: &Known,
    faults: &Faults<'_>,
) -> Vec<(&'static str, Span)> {
    let mut checks: Vec<(&'static str, Span)> = Vec::new();
    for At { is: id, span } in ids {
        let Some(requirement) = find_requirement(id, *span, known, faults) else {
            continue;
        };
        let first = checks.iter().find(|(known, _)| *known == requirement.id);
        if let Some((_, first)) = first {
            let title = format!("`{id}` stands here twice");
            let places = [*first, *span];
            faults.refuse_again("scenario/repeated-requirement", title, places, "remove one");
            continue;
        }
        checks.push((&requirement.id, *span));
    }
    checks
}

/// Refuses the requirements that no turn of the game puts to the test.
pub(super) fn refuse_idle_checks(
    checks: &[(&'static str, Span)],
    idle: &[&'static str],
    faults: &Faults<'_>,
) {
    for (id, span) in checks.iter().filter(|(id, _)| idle.contains(id)) {
        let title = format!("no turn of this game puts `{id}` to the test");
        let Some(entry) = pack::requirement(id) else {
            continue;
        };
        let help = match &entry.needs {
            Some(needs) => format!("it takes {needs}: add that, or remove the id"),
            None => "remove the id".to_owned(),
        };
        faults.refuse("scenario/not-exercised", title, *span, &entry.summary, help);
    }
}

fn find_requirement(
    id: &str,
    span: Span,
    known: &Known,
    faults: &Faults<'_>,
) -> Option<&'static Requirement> {
    let entries = || known.entries.iter().copied();
    let listed = known.listed;
    let Some(requirement) = entries().find(|requirement| requirement.id == id) else {
        // Other catalogues are read only here.
        if let Some(gone) = pack::gone_requirement(id) {
            let title = format!("`{id}` is no requirement any more");
            let fault = Diagnostic::warning("scenario/gone-requirement", title);
            faults.push(
                fault
                    .at(faults.source(), span, "")
                    .help(format!("remove it: {}", gone.why)),
            );
            return None;
        }
        let title = format!(
            "there is no requirement `{}`",
            visible::plain(id).at_most(60)
        );
        let ids = || entries().map(|requirement| requirement.id.as_str());
        let looked_for = !faults.is_full();
        let help = match suggest(id, ids().filter(|_| looked_for)) {
            Some(meant) => format!("write `{meant}`"),
            None => match nearby(id, ids().filter(|_| looked_for), NEARBY).as_slice() {
                [] => format!("{listed} them all"),
                [only] => format!("write `{only}`; {listed} all ids"),
                near => {
                    let near: Vec<_> = near.iter().map(|id| format!("`{id}`")).collect();
                    format!("ids nearby: {}; {listed} them all", near.join(", "))
                }
            },
        };
        faults.refuse("scenario/unknown-requirement", title, span, "", help);
        return None;
    };
    let binds = match known.side {
        Side::Referee => Binds::Referee,
        Side::Bot => Binds::Bot,
    };
    if !requirement.binds.contains(&binds) {
        let title = format!(
            "`{id}` demands nothing of a {}, which is under test here",
            known.side.word()
        );
        let help = "remove it, or move it to a scenario for the other side";
        faults.refuse(
            "scenario/other-side",
            title,
            span,
            &requirement.summary,
            help,
        );
        return None;
    }
    if let Some(why) = &requirement.unchecked {
        let title = format!("no scenario can check `{id}`");
        faults.refuse("scenario/unchecked", title, span, why, "remove it");
        return None;
    }
    Some(requirement)
}
