//! Honest built-in peers over an unkind network: the shipped scenarios, and free games.

use std::sync::Arc;
use std::time::Duration;

use urtext::config::SubjectBudgets;
use urtext::engine::{self, Clock, GamePlan, Network, Options, Run, golden_of};
use urtext::event::{Outcome, What};
use urtext::finding::Verdict;
use urtext::games::onitama::OnitamaJudge;
use urtext::games::royalur::CodeColosseum;
use urtext::peers;
use urtext::protocol::Dialect;
use urtext::rules::GameResult;
use urtext::scenario::{self, Scenario, Side};
use urtext::verify::Ending;

use super::kind::table;
use super::{Table, judged, seeds};

/// How many games are held in memory at a time.
const BATCH: usize = 500;

/// The scenarios of both games and sides, and free games against the referees.
fn scenarios() -> Vec<Arc<Scenario>> {
    let (mut scenarios, problems) = scenario::suite::all();
    assert!(
        problems.is_empty(),
        "the shipped scenarios are without faults"
    );
    scenarios.extend(peers::all().flat_map(|peers| {
        let share = 1..=50;
        share.map(move |number| scenario::free_game(peers.dialect, number))
    }));
    scenarios.into_iter().map(Arc::new).collect()
}

fn play(games: Vec<GamePlan>, network: Network) -> Vec<Outcome> {
    let usual = Options::new(SubjectBudgets::default(), [].into_iter());
    let options = Options {
        game_budget: Duration::from_secs(3600),
        clock: Clock::Virtual(network),
        ..usual
    };
    let run = Run::new(games, options, 16);
    let (_, interrupt) = tokio::sync::watch::channel(false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(engine::run(run, interrupt, |_| {}))
        .unwrap()
}

/// The command that plays a game again.
fn repeat(game: &GamePlan, network: &str) -> String {
    let what = match game.scenario.name.as_str() {
        name if name.contains("/free") => {
            format!(
                "--free-games 1 --game {}",
                game.subject.protocol.game_name()
            )
        }
        name => format!("--suite {name}"),
    };
    format!("urtext run --network {network} --seed {} {what}", game.seed)
}

/// Plays games of honest peers, which have to pass. Returns how many did not because they lost a connection, or since urtext was late itself.
fn assert_never_fails(network: Network, word: &str) -> usize {
    let scenarios = scenarios();
    let subject = |scenario: &Arc<Scenario>| {
        let peers = peers::find(scenario.game().unwrap().dialect.game().name())
            .expect("every suite has built-in peers");
        Arc::new(peers.subject("urtext", scenario.side(), None))
    };
    let subjects: Vec<_> = scenarios.iter().map(subject).collect();
    let golden = |scenario: &Arc<Scenario>| golden_of(scenario).unwrap().map(Arc::new);
    let goldens: Vec<_> = scenarios.iter().map(golden).collect();
    let seeds: Vec<u64> = seeds().collect();
    let (mut failed, mut undecided) = (Vec::new(), 0);
    for batch in seeds.chunks(BATCH) {
        let game = |&seed: &u64| {
            // Neighbours are from different suites.
            let which = (seed * 7919 % scenarios.len() as u64) as usize;
            let (scenario, subject) = (Arc::clone(&scenarios[which]), Arc::clone(&subjects[which]));
            GamePlan {
                scenario,
                subject,
                golden: goldens[which].clone(),
                seed,
            }
        };
        let batch: Vec<_> = batch.iter().map(game).collect();
        for (game, outcome) in batch.iter().zip(play(batch.clone(), network)) {
            let first = outcome.findings.first();
            match outcome.verdict {
                Verdict::Pass | Verdict::Lenient => {}
                Verdict::Error if first.is_some_and(|finding| finding.by_network) => undecided += 1,
                // It would be played again.
                Verdict::Inconclusive
                    if outcome.has_lagged && first.is_some_and(|first| first.by_silence) =>
                {
                    undecided += 1;
                }
                verdict => {
                    let title = first.map_or("", |finding| &finding.title);
                    let repeat = repeat(game, word);
                    failed.push(format!(
                        "{}: {title}\n  repeat with: {repeat}",
                        verdict.word()
                    ));
                }
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} games:\n{}",
        failed.len(),
        seeds.len(),
        failed.join("\n")
    );
    undecided
}

#[test]
fn every_honest_game_passes_where_bytes_are_cut_and_late() {
    assert_eq!(assert_never_fails(Network::Jitter, "jitter"), 0);
}

#[test]
fn a_lost_connection_is_an_error_and_never_a_fault_of_an_honest_subject() {
    let lost = assert_never_fails(Network::Outages, "outages");
    assert!(
        lost >= seeds().count() / 20,
        "only {lost} games lost a connection"
    );
}

#[test]
fn nobody_is_blamed_for_a_busy_machine() {
    let undecided = assert_never_fails(Network::Busy, "busy");
    assert!(
        undecided <= seeds().count() / 10,
        "{undecided} games are undecided"
    );
}

/// What excuses an honest subject does not hide a fault.
#[test]
fn a_wrong_clock_shows_on_a_busy_machine_as_well() {
    let (scenarios, _) = scenario::suite::load("royalur/referee");
    let scenarios: Vec<_> = scenarios.into_iter().map(Arc::new).collect();
    let peers = peers::find("royalur").unwrap();
    for (fault, requirement) in [
        ("early-timeout", "ur/timeout/not-early"),
        ("late-timeout", "ur/timeout/not-late"),
        ("clock-restarts-off-turn", "ur/timeout/no-new-time"),
        ("clock-restarts-on-hang-up", "ur/timeout/no-new-time"),
    ] {
        let subject = Arc::new(peers.subject("urtext", Side::Referee, Some(fault)));
        let game = |scenario: &Arc<Scenario>| GamePlan {
            scenario: Arc::clone(scenario),
            subject: Arc::clone(&subject),
            golden: None,
            seed: 1,
        };
        let outcomes = play(scenarios.iter().map(game).collect(), Network::Busy);
        let found = outcomes.iter().flat_map(|outcome| &outcome.findings);
        let mut found = found.filter(|finding| finding.verdict == Verdict::Fail);
        assert!(
            found.any(|finding| finding.requirement == Some(requirement)),
            "{fault}"
        );
    }
}

/// The rest of what the referee says after this word, up to the next one.
fn seat_after<'a>(said: &'a str, word: &str) -> Option<&'a str> {
    said.strip_prefix(word)?.split([',', ')']).next()
}

/// Plays bots through a referee while lanes stop and are lost; whether one was.
fn assert_legal(number: u64, table: Table) -> bool {
    let (dialect, lanes) = (table.dialect, table.lanes);
    let watched = super::play(table, number, true);
    let is_lost = |what: &What| {
        matches!(
            what,
            What::Closed {
                close: urtext::transcript::Close::Lost,
                ..
            }
        )
    };
    let has_lost = watched.events.iter().any(|event| is_lost(&event.what));
    let referee = watched
        .referee
        .unwrap_or_else(|| panic!("game {number}: the referee never ends"))
        .said;
    let wins = seat_after(&referee, "Won(");
    let loses = seat_after(&referee, "Lost(");
    let judged = judged(dialect, lanes, &watched.events);
    match judged.ending {
        Some(Ending::Over(GameResult::Won(winner))) => {
            assert_eq!(wins, Some(&*format!("{winner:?}")), "game {number}")
        }
        Some(Ending::Lost { by, .. }) => {
            assert_eq!(loses, Some(&*format!("{by:?}")), "game {number}")
        }
        // Nobody who could have seen the end was still there.
        Some(_) => assert!(has_lost, "game {number}: {referee}"),
        None => panic!("game {number}: {judged:?}, and the referee says {referee}"),
    }
    has_lost
}

#[test]
fn a_player_whose_lane_stops_or_is_lost_loses_by_the_rules() {
    let dialects: [&'static dyn Dialect; 2] = [&CodeColosseum, &OnitamaJudge];
    for dialect in dialects {
        let play = |number| assert_legal(number, table(dialect, number, None));
        let lost = super::play_all(seeds(), play);
        let lost = lost.into_iter().filter(|has_lost| *has_lost).count();
        assert!(
            lost >= seeds().count() / 10,
            "only {lost} games lost a lane"
        );
    }
}
