//! Explains the failures of a run: the fewest wrong readings of the rules that explain every failure and contradict no game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::belief::{Word, hold, losing_move};
use super::circumstance::circumstances;
use super::difference::{SeenGame, difference_from};
use super::line_fault::line_fault;
use super::remnant::Remnants;
use super::standing::{Ledger, Refutation};
use super::symptom::takes_refused;
use super::{GameOfRun, groups, reason};
use crate::event::{self, Outcome};
use crate::finding::{BeliefView, Finding, FindingKind, Verdict};
use crate::protocol::GameEvent;
use crate::rules::Mistake;
use crate::scenario::{PlannedGame, Scenario};

/// A wrong reading of the rules that explains failures of a subject and contradicts none of its games, or several readings of which each
/// explains the same failures.
#[derive(Debug, Clone)]
pub struct RunCause {
    /// The reading; of several, the games do not tell which it is.
    pub rows: Vec<&'static Mistake>,
    /// The numbers of the games whose failures each explains, that with the fewest events first.
    pub explained: Vec<usize>,
}

/// The readings of the rules that the games of one subject fit or refute.
#[derive(Debug, Clone)]
pub struct RunExplanation {
    /// The state of each wrong reading: refuted, fitting, or not put to the test.
    pub ledger: Ledger,
    /// The causes of failures. Causes of which a subject may have too many are left out.
    pub causes: Vec<RunCause>,
}

/// Holds every wrong reading of the rules against every game. `subjects`: the name of the subject of each. Where one alone is left for a failure, the finding's title infers it;
/// where several are left, a note names them; where none is, the finding is the observation alone.
pub fn explain(
    scenarios: &[Arc<Scenario>],
    subjects: &[String],
    outcomes: &mut [Outcome],
) -> Vec<RunExplanation> {
    let games = GameOfRun::all(scenarios, subjects, outcomes);
    let groups = groups(&games);
    let ledgers: Vec<_> = groups
        .into_iter()
        .filter_map(|group| ledger(&games, &group))
        .collect();
    let suppositions: Vec<_> = ledgers
        .iter()
        .map(|ledger| {
            let remnants = Remnants::new(ledger.games.iter().map(|&number| games[number]));
            (suppositions(&games, ledger, outcomes, &remnants), remnants)
        })
        .collect();
    drop(games);
    let mut explanations = Vec::new();
    for (ledger, (suppositions, remnants)) in ledgers.into_iter().zip(suppositions) {
        let word = scenarios[ledger.games[0]].side().word();
        for (number, rows) in &suppositions.rows {
            let rows = worth_naming(scenarios[*number].checks(), rows);
            suppose(&ledger, outcomes, *number, word, rows);
            let outcome = &mut outcomes[*number];
            let view = scenarios[*number]
                .game()
                .and_then(|plan| believed(plan, outcome, &remnants, word));
            if let Some(finding) = outcome.failure_mut() {
                finding.belief = view;
            }
        }
        for (number, rows) in &suppositions.possible {
            if let Some(finding) = outcomes[*number].failure_mut() {
                finding.allow_for(word, rows);
            }
        }
        for &number in &ledger.games {
            drop_refuted(&ledger, &mut outcomes[number], word);
        }
        for (number, circumstance) in suppositions.circumstances {
            let failure = outcomes[number].failure_mut();
            if let Some(finding) = failure.filter(|finding| finding.variants.is_empty()) {
                finding.under(circumstance);
            }
        }
        if let Some(games) = suppositions.later {
            for &number in &ledger.games {
                if let Some(finding) = outcomes[number].failure_mut() {
                    finding.after_first(games.clone());
                }
            }
        }
        let mut causes = suppositions.claimed;
        for cause in &mut causes {
            cause
                .explained
                .sort_by_key(|&number| outcomes[number].history.len());
        }
        explanations.push(RunExplanation::new(ledger, causes));
    }
    explanations
}

/// Explains a failure by the readings that fit it and that no game of the ledger refutes, as a run does.
pub fn explain_failure(ledger: &Ledger, scenario: &Scenario, outcome: &mut Outcome) {
    let finding = reason(outcome).filter(|finding| !finding.crashed_in_turn);
    let fitting = finding.and_then(|finding| finding.hypotheses.as_deref());
    let rows = ledger.possible(fitting.unwrap_or_default());
    let rows = worth_naming(scenario.checks(), &rows);
    believe(scenario, outcome, rows);
}

/// Infers in the title of a failure that the subject believes this reading.
pub fn infer(row: &'static Mistake, scenario: &Scenario, outcome: &mut Outcome) {
    believe(scenario, outcome, vec![row]);
}

/// Supposes these readings, and shows where the game looks otherwise by them.
fn believe(scenario: &Scenario, outcome: &mut Outcome, rows: Vec<&'static Mistake>) {
    let word = scenario.side().word();
    if let Some(finding) = outcome.failure_mut() {
        suppose_in(finding, word, rows);
    }
    let remnants = Remnants::new(std::iter::empty());
    let view = scenario
        .game()
        .and_then(|plan| believed(plan, outcome, &remnants, word));
    if let Some(finding) = outcome.failure_mut() {
        finding.belief = view;
    }
}

/// Explains failed games that a server played, each with its number, its turns and the readings under which it is right, by the fewest
/// readings that no game refutes.
#[must_use]
pub fn explain_games(
    ledger: Ledger,
    failures: Vec<(usize, usize, Vec<&'static Mistake>)>,
) -> RunExplanation {
    let mut causes = Vec::new();
    let turns: BTreeMap<_, _> = failures
        .iter()
        .map(|(number, turns, _)| (*number, *turns))
        .collect();
    let failures = failures.into_iter().map(|(number, _, rows)| Failure {
        number,
        rows: rows.into_iter().filter(|row| ledger.fits(row)).collect(),
    });
    let mut open: Vec<_> = failures
        .filter(|failure| !failure.rows.is_empty())
        .collect();
    while !open.is_empty() {
        let (rows, mut explained) = best(&open);
        open.retain(|failure| !explained.contains(&failure.number));
        explained.sort_by_key(|number| turns[number]);
        causes.push(RunCause { rows, explained });
    }
    RunExplanation::new(ledger, causes)
}

impl RunExplanation {
    fn new(ledger: Ledger, mut causes: Vec<RunCause>) -> RunExplanation {
        causes.retain(|cause| cause.rows.len() <= MANY);
        RunExplanation { ledger, causes }
    }
}

/// Holds every reading against these games of a run, which one subject has played on one side of one game.
fn ledger(games: &[GameOfRun<'_>], group: &[usize]) -> Option<Ledger> {
    let mut ledger = Ledger::new(games[*group.first()?].plan()?);
    for &number in group {
        ledger.take(number, games[number].plan()?, games[number].outcome);
    }
    Some(ledger)
}

/// A failure, with the readings that explain it and that no game refutes.
struct Failure {
    /// The number of the game.
    number: usize,
    rows: Vec<&'static Mistake>,
}

/// Readings of the rules that are left for the failures of a subject.
struct Suppositions {
    /// The readings by the number of the failed game.
    rows: Vec<(usize, Vec<&'static Mistake>)>,
    /// The causes of failures.
    claimed: Vec<RunCause>,
    /// The readings that explain only one of many failures, with the number of that game.
    possible: Vec<(usize, Vec<&'static Mistake>)>,
    /// The circumstance of each failed game.
    circumstances: Vec<(usize, String)>,
    /// Which games of a running server failed, where only its first one passed.
    later: Option<String>,
}

/// Takes the reading that explains the most failures, then the one that explains the most of the others, and so on. Lines that a referee
/// does not send, or sends wrongly, come first where they explain more than any reading.
fn suppositions(
    games: &[GameOfRun<'_>],
    ledger: &Ledger,
    outcomes: &[Outcome],
    remnants: &Remnants,
) -> Suppositions {
    let mistaken: Vec<_> = ledger
        .games
        .iter()
        .map(|&number| games[number])
        .filter(|game| {
            reason(game.outcome).is_some_and(|finding| finding.kind == FindingKind::OtherSeat)
        })
        .map(|game| game.plan().map(|plan| plan.bot_seat))
        .collect();
    let shown = shown(ledger, outcomes);
    // Those of lines and clocks count neither for nor against.
    let mut about_rules = 0;
    let mut open = Vec::new();
    let mut suppositions = Suppositions {
        rows: Vec::new(),
        claimed: Vec::new(),
        possible: Vec::new(),
        circumstances: circumstances(games, &ledger.games, ledger.passed),
        later: failed_later(games, ledger),
    };
    for &number in &ledger.games {
        let Some(finding) = reason(&outcomes[number]) else {
            continue;
        };
        // A bot that mistakes its seat does so in every game with that seat.
        if mistaken.contains(&games[number].plan().map(|plan| plan.bot_seat)) {
            suppositions.rows.push((number, Vec::new()));
            continue;
        }
        let hypotheses = finding.hypotheses.iter().flatten().copied();
        let is_shown = |row: &Mistake| !finding.crashed_in_turn || shown.contains(row.name);
        let rows = hypotheses.filter(|row| is_shown(row) && ledger.fits(row));
        let rows: Vec<_> = rows.collect();
        about_rules += usize::from(finding.hypotheses.is_some());
        if rows.is_empty() {
            suppositions.rows.push((number, rows));
        } else {
            open.push(Failure { number, rows });
        }
    }
    let mut usual = best(&open).1.len();
    let played = ledger.games.iter().filter_map(|&number| {
        let game = games[number];
        Some((number, game.plan()?, game.outcome))
    });
    let lines = line_fault(played);
    let remnant = remnants.best(ledger.games.iter().map(|&number| (number, games[number])));
    let others = lines.into_iter().chain(remnant);
    let others = others.map(|(row, explained)| (vec![row], explained));
    for (rows, explained) in others.chain(occasional(games, ledger)) {
        if explained.len() > usual {
            usual = explained.len();
            let is_other = |number: usize| !explained.contains(&number);
            open.retain(|failure| is_other(failure.number));
            suppositions.rows.retain(|(number, _)| is_other(*number));
            suppositions.claimed.push(RunCause {
                rows: rows.clone(),
                explained: explained.clone(),
            });
            let supposed = explained.into_iter().map(|number| (number, rows.clone()));
            suppositions.rows.extend(supposed);
        }
    }
    while !open.is_empty() {
        let (mut rows, explained) = best(&open);
        // A reading that says nothing of most failures is more likely a chance than a cause.
        if 2 * explained.len() < about_rules || is_about_every_end(ledger, outcomes, &explained) {
            rows.clear();
        }
        if let ([number], false) = (&explained[..], rows.is_empty())
            && ledger.failed >= MANY_FAILURES
        {
            let possible = (*number, std::mem::take(&mut rows));
            suppositions.possible.push(possible);
        }
        if !rows.is_empty() {
            suppositions.claimed.push(RunCause {
                rows: rows.clone(),
                explained: explained.clone(),
            });
        }
        open.retain(|failure| !explained.contains(&failure.number));
        let supposed = explained.into_iter().map(|number| (number, rows.clone()));
        suppositions.rows.extend(supposed);
    }
    drop_contradicted(games, ledger, &mut suppositions);
    suppositions
}

/// Names of the readings that explain at least as many other failures as crashes of a bot in its turn. Those of which crashes show more are no
/// cause of a crash.
fn shown(ledger: &Ledger, outcomes: &[Outcome]) -> BTreeSet<&'static str> {
    let mut balances: BTreeMap<&str, isize> = BTreeMap::new();
    let findings = ledger.games.iter();
    for finding in findings.filter_map(|&number| reason(&outcomes[number])) {
        for row in finding.hypotheses.iter().flatten() {
            *balances.entry(row.name).or_default() += if finding.crashed_in_turn { -1 } else { 1 };
        }
    }
    let shown = balances.into_iter().filter(|(_, balance)| *balance >= 0);
    shown.map(|(name, _)| name).collect()
}

/// Takes back the readings by which the referee would have taken a move that it refused, in failures that nothing explains. If one further
/// reading explains all of these, the subject has two mistakes.
fn drop_contradicted(games: &[GameOfRun<'_>], ledger: &Ledger, suppositions: &mut Suppositions) {
    let unexplained = suppositions.rows.iter().filter(|(_, rows)| rows.is_empty());
    let unexplained: Vec<_> = unexplained.map(|(number, _)| games[*number]).collect();
    let readings = |game: &GameOfRun<'_>| {
        let finding = reason(game.outcome);
        let rows = finding.and_then(|finding| finding.hypotheses.clone());
        ledger.possible(&rows.unwrap_or_default())
    };
    let is_contradicted = |row: &Mistake| {
        let against = unexplained.iter().filter(|game| is_contradicted(row, game));
        let mut against = against.map(readings);
        let Some(first) = against.next() else {
            return false;
        };
        let left = against.fold(first, |mut left, rows| {
            left.retain(|row| rows.contains(row));
            left
        });
        ledger.knows(row) && left.is_empty()
    };
    let claimed = suppositions.claimed.iter().flat_map(|cause| &cause.rows);
    let contradicted: BTreeSet<_> = claimed
        .filter(|row| is_contradicted(row))
        .map(|row| row.name)
        .collect();
    let is_left = |row: &&Mistake| !contradicted.contains(row.name);
    for cause in &mut suppositions.claimed {
        cause.rows.retain(is_left);
    }
    suppositions.claimed.retain(|cause| !cause.rows.is_empty());
    for (_, rows) in &mut suppositions.rows {
        rows.retain(is_left);
    }
}

/// Returns true if the referee refused a legal move in this failed game, which it would have taken by the reading.
fn is_contradicted(row: &Mistake, game: &GameOfRun<'_>) -> bool {
    let symptom = reason(game.outcome).and_then(|finding| finding.symptom);
    let (Some(symptom), Some(plan)) = (symptom, game.plan()) else {
        return false;
    };
    let setup = game.outcome.setup.unwrap_or_default();
    let table = plan.dialect.game().mistakes().table(setup, row.name);
    table.is_some_and(|mut table| takes_refused(&symptom, &game.outcome.history, table.as_mut()))
}

/// Says which games of a running server failed, where only its first one passed.
fn failed_later(games: &[GameOfRun<'_>], ledger: &Ledger) -> Option<String> {
    let played = || ledger.games.iter().map(|&number| games[number].outcome);
    let is_judged = |outcome: &&Outcome| {
        outcome.verdict <= Verdict::Lenient || outcome.verdict == Verdict::Fail
    };
    let numbered = played().filter(is_judged).map(|outcome| {
        let has_failed = outcome.verdict == Verdict::Fail;
        (outcome.number_on_server(), has_failed)
    });
    let is_of_server = played().any(|outcome| outcome.earlier.is_some());
    event::failed_later(numbered.collect()).filter(|_| is_of_server)
}

/// The readings that hold in some turns only and that no game refutes, which explain the most failures, at least two and half of all.
fn occasional(
    games: &[GameOfRun<'_>],
    ledger: &Ledger,
) -> Option<(Vec<&'static Mistake>, Vec<usize>)> {
    let mut failures = Vec::new();
    let mut failed = 0;
    let mut counts: BTreeMap<&str, (&Mistake, usize)> = BTreeMap::new();
    for &number in &ledger.games {
        let Some(finding) = reason(games[number].outcome) else {
            continue;
        };
        failed += 1;
        let rows = finding.hypotheses.iter().flatten().copied();
        let rows: Vec<_> = rows.filter(|row| !ledger.knows(row)).collect();
        for row in &rows {
            counts.entry(row.name).or_insert((row, 0)).1 += 1;
        }
        failures.push(Failure { number, rows });
    }
    let is_refuted = |row: &'static Mistake| {
        let mut games = ledger.games.iter().map(|&number| games[number]);
        games.any(|game| {
            let plan = game.plan().expect("the ledger has games with a plan");
            matches!(hold(row, plan, game.outcome), Word::Refuted(_))
        })
    };
    let likely = counts
        .into_values()
        .filter(|&(_, count)| count >= 2 && 2 * count >= failed);
    let fitting: BTreeSet<_> = likely
        .filter(|&(row, _)| !is_refuted(row))
        .map(|(row, _)| row.name)
        .collect();
    for failure in &mut failures {
        failure.rows.retain(|row| fitting.contains(row.name));
    }
    let (rows, explained) = best(&failures);
    (!rows.is_empty()).then_some((rows, explained))
}

/// The readings that explain the most of these failures, and the same ones, with the numbers of those.
fn best(failures: &[Failure]) -> (Vec<&'static Mistake>, Vec<usize>) {
    let explained_by = |row: &Mistake| -> Vec<usize> {
        let is_explained =
            |failure: &&Failure| failure.rows.iter().any(|other| other.name == row.name);
        let explained = failures.iter().filter(is_explained);
        explained.map(|failure| failure.number).collect()
    };
    let mut seen = BTreeSet::new();
    let rows = failures.iter().flat_map(|failure| &failure.rows);
    let rows: Vec<_> = rows
        .filter(|row| seen.insert(row.name))
        .map(|&row| (row, explained_by(row)))
        .collect();
    let most = rows.iter().map(|(_, explained)| explained.len()).max();
    let mut best = rows
        .iter()
        .filter(|(_, explained)| Some(explained.len()) == most);
    let explained = best
        .next()
        .map(|(_, explained)| explained.clone())
        .unwrap_or_default();
    let rows = rows.into_iter().filter(|(_, other)| *other == explained);
    (simplest(rows.map(|(row, _)| row).collect()), explained)
}

/// The readings without those that hold in some turns only, if there are others, and without those that contain another: the simpler is the
/// likelier.
fn simplest(rows: Vec<&'static Mistake>) -> Vec<&'static Mistake> {
    let is_part = |row: &&&Mistake| row.general.is_some();
    let are_parts = rows.iter().all(|row| is_part(&row));
    let left = rows
        .iter()
        .filter(|row| are_parts || !is_part(row))
        .filter(|row| row.is_simplest_of(&rows));
    left.copied().collect()
}

/// Returns true if the failures are all about the end of a won or drawn game, and no such end passes: the end itself is what fails then, and
/// no reading of the rules by which the game goes on.
fn is_about_every_end(ledger: &Ledger, outcomes: &[Outcome], failures: &[usize]) -> bool {
    let is_end = |&number: &usize| {
        let last = outcomes[number].history.last();
        matches!(
            last,
            Some(GameEvent::Moved {
                result: Some(_),
                ..
            })
        )
    };
    let passes = |&&number: &&usize| outcomes[number].verdict <= Verdict::Lenient;
    failures.iter().all(is_end) && !ledger.games.iter().filter(passes).any(is_end)
}

/// With so many failures, a reading that explains a single one may be a chance.
const MANY_FAILURES: usize = 3;

/// Number of readings that say nothing any more.
const MANY: usize = 12;

/// The readings, those first that break what the scenario checks. Many of which none does say nothing.
fn worth_naming(checks: &[&'static str], rows: &[&'static Mistake]) -> Vec<&'static Mistake> {
    let is_checked = |row: &&Mistake| checks.contains(&row.breaks);
    let (mut first, rest): (Vec<_>, Vec<_>) = rows.iter().copied().partition(is_checked);
    if first.is_empty() && rest.len() > MANY {
        return Vec::new();
    }
    first.extend(rest);
    first
}

/// Where the game looks otherwise to a subject that believes what the title infers. Two readings that both fit show the same, or nothing.
fn believed(
    plan: &PlannedGame,
    outcome: &Outcome,
    remnants: &Remnants,
    word: &str,
) -> Option<BeliefView> {
    let finding = outcome.failure()?;
    finding.observed.as_ref()?;
    let rows = finding.variants.iter();
    let seen = SeenGame {
        game: plan.dialect.game(),
        setup: outcome.setup.unwrap_or_default(),
        history: &outcome.history,
        losing: losing_move(plan, outcome),
    };
    let mut views = rows.map(|row| {
        let reading = seen.game.mistakes().table(seen.setup, row.name);
        let table = reading.or_else(|| remnants.start(row.name, outcome))?;
        difference_from(&seen, table, word)
    });
    let first = views.next()??;
    let is_same = |view: Option<BeliefView>| view.as_ref() == Some(&first);
    views.all(is_same).then_some(first)
}

/// Takes back what the judge of a game inferred, and the games of the run refute, in the findings that are not the reason of a failure.
fn drop_refuted(ledger: &Ledger, outcome: &mut Outcome, word: &'static str) {
    let decided = reason(outcome).map(std::ptr::from_ref);
    for finding in &mut outcome.findings {
        let left = ledger.possible(&finding.variants);
        if decided != Some(std::ptr::from_ref(finding)) && left != finding.variants {
            finding.suppose(word, left);
        }
    }
}

/// Supposes these readings in the finding of a failed game, and says of others that it named which game refutes them.
fn suppose(
    ledger: &Ledger,
    outcomes: &mut [Outcome],
    number: usize,
    word: &'static str,
    rows: Vec<&'static Mistake>,
) {
    let Some(finding) = reason(&outcomes[number]) else {
        return;
    };
    let named = finding.variants.iter();
    let refuted = named.filter_map(|row| Some((row, ledger.refutation(row)?)));
    let notes: Vec<_> = refuted
        .map(|(row, Refutation { game, turn })| {
            let name = &outcomes[game].name;
            format!(
                "it does not behave as if {}: see {name}, turn {turn}",
                row.summary
            )
        })
        .collect();
    if let Some(finding) = outcomes[number].failure_mut()
        && suppose_in(finding, word, rows)
    {
        finding.notes.extend(notes);
    }
}

/// Supposes these readings in a finding, and says whether that is news.
fn suppose_in(finding: &mut Finding, word: &'static str, rows: Vec<&'static Mistake>) -> bool {
    if finding.variants == rows {
        return false;
    }
    let inferred = finding.requirement.filter(|_| finding.observed.is_some());
    finding.suppose(word, rows);
    finding.infer_either(word);
    if let [row] = finding.variants[..] {
        finding.requirement = Some(row.breaks)
            .filter(|breaks| !breaks.is_empty())
            .or(finding.requirement);
    } else if let Some(inferred) = inferred {
        let mut breaks = finding.variants.iter().map(|row| row.breaks);
        let first = breaks.clone().next();
        if breaks.clone().any(|id| id == inferred) {
            finding.requirement = Some(inferred);
        } else if breaks.all(|id| Some(id) == first) {
            finding.requirement = first.or(finding.requirement);
        }
    }
    true
}

#[cfg(test)]
#[path = "cause_tests.rs"]
mod tests;
