//! Games that are ready to be shown, and why others are not.

use std::sync::Arc;

use super::super::Status;
use super::super::output::print;
use crate::archive::explained_alone;
use crate::diagnostic::{Diagnostic, Paint, visible};
use crate::finding::Finding;
use crate::hypothesis;
use crate::replay::Replay;
use crate::report::{self, Standing, draw_finding};
use crate::transcript::{LoggedGame, Played};
use crate::verify::{self, Ending, GameVerdict, Judged};

/// A game that is ready to be shown, and what is said of it.
pub(super) struct ShownGame {
    pub(super) replay: Replay,
    pub(super) status: Status,
    /// Drawings of the errors.
    pub(super) trouble: Option<String>,
}

/// A game that cannot be shown, and why.
pub(super) struct UnshownGame {
    status: Status,
    /// The verdict on it, where it has one.
    verdict: Option<String>,
    reason: String,
}

impl UnshownGame {
    /// Says why.
    pub(super) fn say(self) -> Status {
        self.verdict.iter().for_each(|verdict| print(verdict));
        anstream::eprintln!("{}", self.reason);
        self.status
    }
}

impl ShownGame {
    /// A finished game; `number`: which it is where the file holds several.
    pub(super) fn of(game: &LoggedGame, number: Option<u64>) -> Result<ShownGame, UnshownGame> {
        if let Some(played) = &game.played {
            return ShownGame::of_played(game, played);
        }
        let shown = ShownGame::of_judged(verify::judge(game), game, number)?;
        if let GameVerdict::Legal(Ending::Unstarted) = shown.replay.verdict() {
            let name = game.lanes.first().map_or("", |lane| lane.name.as_str());
            let title = "the game stops before its first turn, and there is nothing to show";
            let remark = Diagnostic::remark("replay/no-turn", title).in_file(name);
            return Err(UnshownGame {
                status: Status::Open,
                verdict: None,
                reason: remark.draw(Paint::Coloured),
            });
        }
        Ok(shown)
    }

    /// The game of a recorded scenario, and what its judge found.
    pub(super) fn of_played(game: &LoggedGame, played: &Played) -> Result<ShownGame, UnshownGame> {
        let mut rejudged = verify::rejudge(played);
        if let Some(scenario) = rejudged.scenario {
            let subject = played.header.name.clone().unwrap_or_default();
            let mut outcomes = [rejudged.outcome.clone()];
            hypothesis::explain(&[Arc::new(scenario)], &[subject], &mut outcomes);
            let [explained] = outcomes;
            let names_one = |finding: &Finding| finding.variants.len() == 1;
            // Of several readings that are left, the run may have ruled some out.
            if explained.failure().is_some_and(names_one) {
                rejudged.outcome = explained;
            }
        }
        let outcome = &rejudged.outcome;
        let status = Status::from(Standing::of(outcome.verdict));
        let findings = outcome.findings.iter().enumerate();
        let drawn = findings
            .map(|(number, finding)| draw_finding(outcome, finding, number == 0, Paint::Coloured));
        let drawn: Vec<_> = drawn.collect();
        let trouble = (!drawn.is_empty()).then(|| drawn.join("\n\n"));
        let Some(judged) = rejudged.judged else {
            let unruled = verify::UNRULED;
            let trouble = trouble.map_or(String::new(), |trouble| format!("\n\n{trouble}"));
            let name = visible::plain(&outcome.name);
            return Err(UnshownGame {
                status: status.worse(Status::Open),
                verdict: Some(format!("{}: {name}", outcome.verdict.word())),
                reason: format!("urtext replay: no board is shown: {unruled}{trouble}"),
            });
        };
        Ok(ShownGame {
            replay: Replay::of_played(judged, outcome).with_lanes(game),
            status,
            trouble,
        })
    }

    pub(super) fn of_judged(
        judged: Option<Judged>,
        game: &LoggedGame,
        number: Option<u64>,
    ) -> Result<ShownGame, UnshownGame> {
        let Some(mut judged) = judged else {
            return Err(UnshownGame {
                status: Status::Open,
                verdict: None,
                reason: format!("urtext replay: {}", verify::UNRULED),
            });
        };
        if let Some(explained) = explained_alone(game, &judged) {
            judged.verdict = GameVerdict::Wrong(explained);
        }
        let mut replay = Replay::new(judged).with_lanes(game);
        if let Some(number) = number {
            replay = replay.of_several(number);
        }
        let (status, trouble) = match replay.verdict() {
            GameVerdict::Legal(_) => (Status::Conforms, None),
            GameVerdict::Wrong(complaint) => {
                (Status::Deviates, Some(report::draw_in_file(complaint)))
            }
            GameVerdict::Untold(lane) => {
                let fault = verify::half_a_lane(&game.lanes[*lane].name);
                (Status::Usage, Some(fault.drawing()))
            }
        };
        Ok(ShownGame {
            trouble: trouble.map(|trouble| trouble.draw(Paint::Coloured)),
            replay,
            status,
        })
    }
}
