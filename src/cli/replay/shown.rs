//! Games that are ready to be shown, and why others are not.

use super::super::Status;
use super::super::output::print;
use crate::archive::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, visible};
use crate::replay::Replay;
use crate::report::{Standing, draw_game};
use crate::verify::{self, Ending};

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

    /// A file that cannot be read.
    pub(super) fn unreadable(faults: &Diagnostics) -> UnshownGame {
        UnshownGame {
            status: Status::Usage,
            verdict: None,
            reason: format!("{}\n", faults.draw(Paint::Coloured)),
        }
    }

    /// Lines without rules.
    fn unruled(game: &FinishedGame) -> UnshownGame {
        let status = Status::from(Standing::of(game.verdict())).worse(Status::Open);
        let Some(recorded) = &game.recorded else {
            return UnshownGame {
                status,
                verdict: None,
                reason: format!("urtext replay: {}", verify::UNRULED),
            };
        };
        let outcome = &recorded.outcome;
        let drawn = draw_game(game, Paint::Coloured).into_iter();
        let trouble: String = drawn.map(|drawn| format!("\n\n{drawn}")).collect();
        let (word, name) = (outcome.verdict.word(), visible::plain(&outcome.name));
        UnshownGame {
            status,
            verdict: Some(format!("{word}: {name}")),
            reason: format!(
                "urtext replay: no board is shown: {}{trouble}",
                verify::UNRULED
            ),
        }
    }
}

impl ShownGame {
    /// A finished game with all its findings.
    pub(super) fn new(mut game: FinishedGame) -> Result<ShownGame, UnshownGame> {
        game.explain();
        if game.dialect().is_none() {
            return Err(UnshownGame::unruled(&game));
        }
        let drawn = draw_game(&game, Paint::Coloured);
        Ok(ShownGame {
            status: Status::from(Standing::of(game.verdict())),
            replay: Replay::new(game).expect("the game has rules"),
            trouble: (!drawn.is_empty()).then(|| drawn.join("\n\n")),
        })
    }

    /// A finished game, unless it stops before its first turn.
    pub(super) fn begun(game: FinishedGame) -> Result<ShownGame, UnshownGame> {
        let is_unstarted = game.judged.ending == Some(Ending::Unstarted) && game.recorded.is_none();
        if is_unstarted && game.dialect().is_some() {
            let title = "the game stops before its first turn, and there is nothing to show";
            let remark = Diagnostic::remark("replay/no-turn", title).in_file(&*game.file);
            return Err(UnshownGame {
                status: Status::Open,
                verdict: None,
                reason: remark.draw(Paint::Coloured),
            });
        }
        ShownGame::new(game)
    }
}
