//! Games of the built-in peers with each of their faults, in memory and on a virtual clock.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::interrupt::Interrupt;
use super::run::play::{self, default_jobs};
use crate::config::Subject;
use crate::engine::{Clock, Doubt, GamePlan, Network, Options, Placement, Run};
use crate::event::Outcome;
use crate::judge::Budgets;
use crate::pack::FaultRow;
use crate::peers;
use crate::scenario::{Scenario, Side};

/// Reason why there is no report.
pub(super) enum Stopped {
    Interrupted,
    Broken(String),
}

impl Stopped {
    pub(super) fn unable(error: io::Error) -> Stopped {
        Stopped::Broken(format!("the run cannot begin: {error}"))
    }
}

/// Plays scenarios of one side of one game against its built-in peer with each of the faults.
///
/// # Errors
/// Fails if the run is interrupted or cannot begin.
pub(super) async fn play_mutants(
    scenarios: &[Arc<Scenario>],
    faults: Vec<FaultRow>,
    jobs: Option<NonZeroUsize>,
    answer_budget: Duration,
    interrupt: &Interrupt,
) -> Result<Vec<(FaultRow, Vec<Outcome>)>, Stopped> {
    if scenarios.is_empty() {
        return Ok(faults
            .into_iter()
            .map(|fault| (fault, Vec::new()))
            .collect());
    }
    let mutants = faults
        .iter()
        .filter_map(|fault| peer(scenarios, Some(fault.name)))
        .collect();
    let played = play(scenarios, mutants, jobs, answer_budget, interrupt).await?;
    let played = played.chunks(scenarios.len()).map(<[Outcome]>::to_vec);
    Ok(faults.into_iter().zip(played).collect())
}

/// The built-in peer that scenarios of one side of one game are for, with a fault or honest.
pub(super) fn peer(scenarios: &[Arc<Scenario>], fault: Option<&str>) -> Option<Subject> {
    let first = scenarios.first()?;
    let program = std::env::current_exe().ok()?;
    Some(peers::find(first.dialect.game().name())?.subject(
        &program.to_string_lossy(),
        first.side,
        fault,
    ))
}

/// Plays every scenario against every subject; the outcomes of a subject stand together, in the order of the scenarios.
pub(super) async fn play(
    scenarios: &[Arc<Scenario>],
    subjects: Vec<Subject>,
    jobs: Option<NonZeroUsize>,
    answer_budget: Duration,
    interrupt: &Interrupt,
) -> Result<Vec<Outcome>, Stopped> {
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
    let jobs = jobs.map_or_else(|| default_jobs(&games), usize::from);
    let budgets = Budgets {
        handshake: answer_budget,
        answer: answer_budget,
        close: Duration::from_secs(1),
        forfeit: answer_budget,
    };
    let options = Options {
        start_budget: Duration::from_secs(20),
        budgets,
        game_budget: Duration::from_secs(300),
        record: None,
        clock: Clock::Virtual(Network::Ideal),
        program: std::env::current_exe().ok(),
    };
    let run = Run {
        games,
        options,
        jobs,
        placement: Placement::Free,
        doubt: Doubt::Accept,
    };
    let outcomes = play::play(run, interrupt, false)
        .await
        .map_err(Stopped::unable)?;
    if interrupt.has_come() {
        Err(Stopped::Interrupted)
    } else {
        Ok(outcomes)
    }
}

/// The faults of the built-in peer of that side; none where there is no such peer.
pub(super) fn faults_of(game: &str, side: Side) -> Vec<FaultRow> {
    let Some(peers) = peers::find(game) else {
        return Vec::new();
    };
    match side {
        Side::Referee => peers.referee_faults(),
        Side::Bot => peers.bot_faults(),
    }
}
