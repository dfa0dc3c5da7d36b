//! Forty games over TCP at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use urtext::config::Subject;
use urtext::engine::{self, Doubt, GamePlan, Options, Placement, PlayOrder, Run};
use urtext::event::Outcome;
use urtext::finding::Verdict;
use urtext::games::royalur::CodeColosseum;
use urtext::judge::Budgets;
use urtext::protocol::GameEvent;
use urtext::scenario::{Scenario, free_game};

use super::referees::Referees;

const GAMES: usize = 40;

/// Plays these scenarios against these referees, so many at once.
pub(crate) fn play(
    scenarios: Vec<Scenario>,
    subjects: &[Arc<Subject>],
    jobs: usize,
) -> Vec<Outcome> {
    let games = scenarios.into_iter().zip(subjects).enumerate();
    let game = |(number, (scenario, subject)): (usize, (Scenario, &Arc<_>))| GamePlan {
        scenario: Arc::new(scenario),
        subject: Arc::clone(subject),
        golden: None,
        seed: number as u64,
    };
    let patience = Duration::from_secs(600);
    let options = Options {
        budgets: Budgets {
            start: patience,
            handshake: patience,
            answer: patience,
            close: patience,
            forfeit: patience,
        },
        game_budget: patience,
        wait: Duration::MAX,
        record: None,
        tells: engine::Telling::default(),
        clock: engine::Clock::Real,
        program: None,
        servers: urtext::engine::Servers::default(),
    };
    let run = Run {
        games: games.map(game).collect(),
        options,
        jobs,
        placement: Placement::Free,
        doubt: Doubt::PlayAgain,
        order: PlayOrder::default(),
        has_spoken: false,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (_keep, interrupt) = watch::channel(false);
    runtime
        .block_on(engine::run(run, interrupt, |_| {}))
        .unwrap()
}

#[test]
fn forty_games_at_once_lose_no_line() {
    let referees = Referees::start(GAMES, Duration::from_secs(600));
    let scenarios = (0..GAMES)
        .map(|number| free_game(&CodeColosseum, number as u32))
        .collect();
    let outcomes = play(scenarios, &referees.subjects, GAMES);
    for (number, (outcome, end)) in outcomes.iter().zip(referees.join()).enumerate() {
        // Both players and the spectator have received every line of the game.
        assert_eq!(outcome.verdict, Verdict::Pass, "{:?}", outcome.findings);
        let name = format!("royalur/free-game-{number}");
        assert_eq!(outcome.name, name, "outcomes are in the order of games");
        let is_won = matches!(end, Some(GameEvent::Moved { .. }));
        assert!(is_won, "game {number} ended by {end:?}");
    }
}
