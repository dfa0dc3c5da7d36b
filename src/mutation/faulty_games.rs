//! Games of the built-in peers with each of their faults, in memory and on a virtual clock.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Subject, SubjectBudgets};
use crate::engine::{Clock, GamePlan, Network, Options, Run, usual_jobs};
use crate::event::Outcome;
use crate::judge::Budgets;
use crate::pack::FaultRow;
use crate::peers;
use crate::scenario::Scenario;

/// The longest time for an answer, on the virtual clock.
const ANSWER: Duration = Duration::from_millis(1500);

/// Plays scenarios of one side of one game against its built-in peer with each of the faults. `play` plays a run.
///
/// # Errors
/// Those of `play`.
pub(super) async fn play_mutants(
    scenarios: &[Arc<Scenario>],
    faults: Vec<FaultRow>,
    play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
) -> io::Result<Vec<(FaultRow, Vec<Outcome>)>> {
    let Some(first) = scenarios.first() else {
        return Ok(faults
            .into_iter()
            .map(|fault| (fault, Vec::new()))
            .collect());
    };
    let game = first.protocol().game_name();
    let mutants = faults
        .iter()
        .filter_map(|fault| peers::subject(game, first.side(), Some(fault.name)))
        .collect();
    let played = play(run(scenarios, mutants)).await?;
    let played = played.chunks(scenarios.len()).map(<[Outcome]>::to_vec);
    Ok(faults.into_iter().zip(played).collect())
}

/// The games of every scenario against every subject; those of a subject stand together, in the order of the scenarios.
pub(super) fn run(scenarios: &[Arc<Scenario>], subjects: Vec<Subject>) -> Run {
    let mut games = Vec::new();
    for subject in subjects.into_iter().map(Arc::new) {
        for scenario in scenarios {
            // The built-in peers choose as they like where the specification leaves it open; the model judges that.
            let (scenario, subject) = (Arc::clone(scenario), Arc::clone(&subject));
            games.push(GamePlan {
                scenario,
                subject,
                golden: None,
                seed: 1,
            });
        }
    }
    let jobs = usual_jobs(&games);
    let budgets = Budgets {
        start: Duration::from_secs(20),
        handshake: ANSWER,
        answer: ANSWER,
        close: Duration::from_secs(1),
        forfeit: ANSWER,
    };
    let options = Options {
        budgets,
        game_budget: Duration::from_secs(300),
        clock: Clock::Virtual(Network::Ideal),
        ..Options::new(SubjectBudgets::default(), std::iter::empty())
    };
    let mut run = Run::new(games, options, jobs);
    // What fails in them is no news.
    run.order.spared = scenarios.iter().map(|one| one.name.clone()).collect();
    run
}
