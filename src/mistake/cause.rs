//! The causes of the failures of a run: the fewest mistakes that explain them and that no game refutes.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::difference::difference;
use super::known::{KNOWN, Kind};
use super::server::Starts;
use super::standing::{Ledger, RunCause, SOUGHT};
use super::{GameOfRun, explained, first_best, groups, reason};
use crate::event::{self, Outcome};
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::rules::{Mistake, Table};
use crate::scenario::{PlannedGame, Scenario, Side};

/// Holds every known mistake against every game. `subjects`: the name of the subject of each. The title of a failure that a cause explains infers
/// it; where there is none, the finding is the observation alone.
pub fn explain(
    scenarios: &[Arc<Scenario>],
    subjects: &[String],
    outcomes: &mut [Outcome],
) -> Vec<Ledger> {
    let groups = groups(scenarios, subjects, outcomes);
    let found: Vec<_> = groups.iter().map(|games| Found::of(games)).collect();
    drop(groups);
    let written = found
        .into_iter()
        .map(|found| found.write(scenarios, outcomes));
    written.collect()
}

/// Supposes that the subject of a failed game makes one of these mistakes, and shows where the game looks otherwise to it.
pub fn suppose(rows: Vec<&'static Mistake>, plan: &PlannedGame, outcome: &mut Outcome) {
    let start = start(&rows, plan, outcome, &Starts::default());
    suppose_from(start, rows, plan, outcome);
}

/// The same, where the game begins with this table to the subject.
fn suppose_from(
    start: Option<Box<dyn Table>>,
    rows: Vec<&'static Mistake>,
    plan: &PlannedGame,
    outcome: &mut Outcome,
) {
    let word = plan.side.word();
    let view = start.and_then(|start| difference(plan, outcome, start));
    let kept = plan.dialect.game().mistakes().kept();
    let is_kept = matches!(rows[..], [row] if kept.contains(row));
    let mut sent = KNOWN.iter();
    let is_of_lines = sent.any(|known| {
        matches!(known.kind, Kind::Sends(..)) && rows.iter().any(|row| **row == known.row)
    });
    if let Some(finding) = outcome.failure_mut() {
        finding.believe(word, rows);
        if let Some(line) = finding.stray.filter(|_| is_of_lines) {
            finding.requirement = Some(line.requirement);
        }
        if let Some(view) = view.as_ref().filter(|_| is_kept)
            && let Some((turn, _)) = view.when.split_once(',')
        {
            finding.title += &format!(", since {turn}");
        }
        finding.belief = view;
    }
}

/// The game before its first turn to a subject that makes the only one of these mistakes.
fn start(
    rows: &[&'static Mistake],
    plan: &PlannedGame,
    outcome: &Outcome,
    starts: &Starts,
) -> Option<Box<dyn Table>> {
    let [row] = *rows else { return None };
    let setup = outcome.setup.unwrap_or_default();
    let mistakes = plan.dialect.game().mistakes();
    let start = mistakes.table_of(plan.bot_seat, setup, row.name);
    start.or_else(|| starts.of(row.name, outcome))
}

/// What the games of one subject say, before it is written into their findings.
struct Found {
    ledger: Ledger,
    starts: Starts,
    /// Which games of a running server failed, where only its first one passed.
    later: Option<String>,
}

impl Found {
    /// Of the games of one subject, on one side of one game.
    fn of(games: &[GameOfRun<'_>]) -> Found {
        let plan = games[0].plan;
        let mut ledger = Ledger::of(plan.dialect.game(), plan.side).with_further(plan);
        for game in games {
            ledger.take(game.number, game.plan, game.outcome);
        }
        let starts = Starts::new(games);
        let mut suspects = suspects(games, &ledger, &starts);
        leave_out_crashes(games, &mut suspects, &starts);
        let open = games.iter().filter(shows).map(|game| game.number);
        let of = |number: usize| numbered(games, number);
        let follows = |row, number| is_astray(of(number), &[row], &starts);
        let failed = games.iter().filter(|game| reason(game.outcome).is_some());
        let failed: Vec<_> = failed.map(|game| game.number).collect();
        ledger.causes = causes(suspects, open.collect(), &failed, follows);
        for cause in &mut ledger.causes {
            let requirement = |number: &usize| {
                let failure = of(*number).outcome.failure();
                failure.and_then(|finding| finding.requirement)
            };
            let mut common: HashMap<_, usize> = HashMap::new();
            for id in cause.explained.iter().map(requirement) {
                *common.entry(id).or_default() += 1;
            }
            // Of games of one length, one shows the cause best in which it breaks what it breaks in most.
            cause.explained.sort_by_key(|number| {
                let GameOfRun { plan, outcome, .. } = of(*number);
                let id = requirement(number);
                (
                    outcome.history.len(),
                    plan.is_adaptive(),
                    Reverse(common[&id]),
                )
            });
        }
        put_down(games, &mut ledger.causes, &starts);
        Found {
            later: failed_later(games),
            ledger,
            starts,
        }
    }

    /// Writes it into the findings.
    fn write(self, scenarios: &[Arc<Scenario>], outcomes: &mut [Outcome]) -> Ledger {
        let ledger = &self.ledger;
        let mut causes = HashMap::new();
        for cause in ledger.causes.iter().rev() {
            causes.extend(cause.explained.iter().map(|&number| (number, cause)));
        }
        for &number in &ledger.games {
            let outcome = &mut outcomes[number];
            let Some(plan) = scenarios[number].game() else {
                continue;
            };
            if let Some(cause) = causes.get(&number) {
                let rows = cause.rows.clone();
                let start = start(&rows, plan, outcome, &self.starts);
                suppose_from(start, rows, plan, outcome);
            } else if let Some(finding) = outcome.failure_mut()
                && !ledger.explains(number, finding.requirement)
            {
                finding.blame_plainly();
            }
            if let (Some(finding), Some(games)) = (outcome.failure_mut(), &self.later) {
                finding.after_first(games);
            }
        }
        self.ledger
    }
}

/// The fewest of these mistakes that explain the open failures, at most two, each with the numbers of those that it explains; the first of
/// several is the simplest. `failed`: all failures, also those that show nothing of the rules. `follows`: whether a failure that a mistake does not
/// explain may be put down to it.
#[must_use]
pub fn causes(
    mut suspects: Vec<Suspect>,
    mut open: Vec<usize>,
    failed: &[usize],
    follows: impl Fn(&'static Mistake, usize) -> bool,
) -> Vec<RunCause> {
    let all = open.len();
    let Some((best, first)) = likeliest(&mut suspects, &mut open, &follows) else {
        return Vec::new();
    };
    let left = open.len();
    // What explains less than half of the failures is more likely a chance than a cause, but for those that may be put down to it. The
    // second of two has to explain most of the rest, and so have two that explain as much only together.
    let explained = first.explained.len();
    let is_half_of = |failures: usize| 2 * explained >= failures.max(1);
    let is_cause = is_half_of(all)
        && (is_half_of(failed.len()) || {
            let follows = |number: &usize| follows(best, *number);
            let apart = failed.iter().filter(|number| !follows(number));
            // Of some mistakes it is not known where a game goes astray by them.
            !first.explained.iter().any(follows) || is_half_of(apart.count())
        });
    let second = likeliest(&mut suspects, &mut open, &follows).map(|(_, second)| second);
    let second = second.filter(|second| match (second.explained.len(), is_cause) {
        (0 | 1, _) => false,
        (more, true) => is_most(more, left),
        (more, false) => is_most(explained + more, all),
    });
    let is_named = is_cause || second.is_some();
    let mut causes: Vec<_> = is_named
        .then_some(first)
        .into_iter()
        .chain(second)
        .collect();
    causes.retain(|cause| cause.rows.len() <= MANY);
    causes
}

/// Takes the mistake that explains most of the open failures, and all that explain the same as one cause; what is put down to it is open no
/// longer, nor is it for the other suspects.
fn likeliest(
    suspects: &mut [Suspect],
    open: &mut Vec<usize>,
    follows: impl Fn(&'static Mistake, usize) -> bool,
) -> Option<(&'static Mistake, RunCause)> {
    let most = suspects.iter().map(|(_, explained)| explained.len()).max();
    let is_best = |(_, explained): &&Suspect| Some(explained.len()) == most;
    let (best, explained) = suspects.iter().find(is_best).cloned()?;
    let is_like_it = |(row, others): &&Suspect| {
        row.general.is_some() == best.general.is_some()
            && row.breaks.is_empty() == best.breaks.is_empty()
            && *others == explained
    };
    let rows = suspects.iter().filter(is_like_it).map(|(row, _)| *row);
    let rows: Vec<_> = rows.collect();
    let simplest = rows.iter().copied().filter(|row| row.is_simplest_of(&rows));
    let rows: Vec<_> = simplest.collect();
    let known: HashSet<_> = explained.iter().copied().collect();
    // What several mistakes explain does not rule out another cause.
    let follows = |number| matches!(rows[..], [only] if follows(only, number));
    open.retain(|number| !known.contains(number) && !follows(*number));
    let left: HashSet<_> = open.iter().copied().collect();
    for (_, others) in suspects {
        others.retain(|number| left.contains(number));
    }
    Some((best, RunCause { rows, explained }))
}

/// Whether so many of these failures are most of them.
fn is_most(explained: usize, failures: usize) -> bool {
    failures > 0 && 4 * explained >= 3 * failures
}

/// A mistake, and the numbers of the failures that it explains.
type Suspect = (&'static Mistake, Vec<usize>);

/// Number of mistakes that say nothing any more.
const MANY: usize = 12;

/// Puts each failure that nothing explains down to the first cause by which the subject had gone astray before: what it does then is no other
/// mistake.
fn put_down(games: &[GameOfRun<'_>], causes: &mut [RunCause], starts: &Starts) {
    let explained = causes.iter().flat_map(|cause| cause.explained.clone());
    let explained: HashSet<_> = explained.collect();
    let failed = games.iter().filter(|game| reason(game.outcome).is_some());
    for game in failed.filter(|game| !explained.contains(&game.number)) {
        let mut causes = causes.iter_mut();
        if let Some(cause) = causes.find(|cause| is_astray(game, &cause.rows, starts)) {
            cause.explained.push(game.number);
        }
    }
}

/// Whether a game looks otherwise to a subject that makes any of these mistakes.
fn is_astray(game: &GameOfRun<'_>, rows: &[&'static Mistake], starts: &Starts) -> bool {
    rows.iter().all(|&row| {
        let start = start(&[row], game.plan, game.outcome, starts);
        start.is_some_and(|start| difference(game.plan, game.outcome, start).is_some())
    })
}

/// Returns the game with this number. `games` has to be sorted by number.
fn numbered<'a>(games: &'a [GameOfRun<'a>], number: usize) -> &'a GameOfRun<'a> {
    let place = games.binary_search_by_key(&number, |game| game.number);
    &games[place.expect("causes are sought in these games")]
}

/// Returns true unless the subject is a bot that sent no move at all.
fn speaks(game: &GameOfRun<'_>) -> bool {
    let bot = game.plan.bot_seat;
    let is_own = |event: &GameEvent| matches!(event, GameEvent::Moved { by, .. } if *by == bot);
    shows_move(game) || game.outcome.history.iter().any(is_own)
}

/// Whether the failure of a bot is about a move that it has sent; true for a referee.
fn shows_move(game: &GameOfRun<'_>) -> bool {
    let symptom = reason(game.outcome).and_then(|finding| finding.symptom);
    game.plan.side == Side::Referee || symptom.is_some_and(|symptom| symptom.is_move())
}

/// Says which games of a running server failed, where only its first one passed.
fn failed_later(games: &[GameOfRun<'_>]) -> Option<String> {
    let played = || games.iter().map(|game| game.outcome);
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

/// So many games have to pass before odd turns of those that failed say something.
const ENOUGH: usize = 5;

/// The mistakes that may be causes, the likeliest kinds first, each with the failures that it explains.
fn suspects(games: &[GameOfRun<'_>], ledger: &Ledger, starts: &Starts) -> Vec<Suspect> {
    let known = KNOWN.iter().filter_map(|known| {
        let explained = explained(games, |game| known.says(game))?;
        (!explained.is_empty()).then_some((known.kind, (&known.row, explained)))
    });
    let (mut all, mut sent) = (Vec::new(), Vec::new());
    for (kind, suspect) in known {
        match kind {
            Kind::Sends(..) => sent.push(suspect),
            // What else fails is no odd turn's doing.
            _ if ledger.passed >= ENOUGH && is_most(suspect.1.len(), ledger.failed) => {
                all.push(suspect);
            }
            _ => {}
        }
    }
    let rules = of_rules(games, ledger);
    all.extend(rules);
    let others = [
        first_best(sent.into_iter()),
        first_best(starts.suspects(games)),
    ];
    let others = others.into_iter().flatten();
    all.extend(others.filter(|(_, explained)| explained.len() > 1));
    all
}

/// Takes crashes from what a mistake explains, if the same crash comes elsewhere, where the mistake changes nothing: one crash has one cause.
fn leave_out_crashes(games: &[GameOfRun<'_>], suspects: &mut Vec<Suspect>, starts: &Starts) {
    let crashed = games
        .iter()
        .filter_map(|game| Some((game, game.outcome.crash()?)));
    let crashed: Vec<_> = crashed.collect();
    suspects.retain_mut(|(row, explained)| {
        let own: HashSet<_> = explained.iter().copied().collect();
        let (inside, outside): (Vec<_>, Vec<_>) = crashed
            .iter()
            .partition(|(game, _)| own.contains(&game.number));
        let is_elsewhere = |kind: &String| {
            let mut like = outside.iter().filter(|(_, other)| other == kind);
            like.any(|(game, _)| !is_astray(game, &[*row], starts))
        };
        let apart: HashSet<_> = inside
            .iter()
            .filter(|(_, kind)| is_elsewhere(kind))
            .map(|(game, _)| game.number)
            .collect();
        explained.retain(|number| !apart.contains(number));
        !explained.is_empty()
    });
}

/// Whether a failure shows something of the rules: a crash, or a line that means nothing, is no evidence for or against one.
fn shows(game: &&GameOfRun<'_>) -> bool {
    reason(game.outcome).is_some_and(|finding| finding.symptom.is_some())
}

/// The mistakes in the rules and in what a bot keeps of the game that may be causes. Those that are less usual have to explain more than the
/// others, at least two failures, and half of those that show the rules, where none of the others explains most.
fn of_rules(games: &[GameOfRun<'_>], ledger: &Ledger) -> impl Iterator<Item = Suspect> {
    let in_any = |explained: &[usize], is: fn(&GameOfRun<'_>) -> bool| {
        explained.iter().any(|number| is(numbered(games, *number)))
    };
    // Who sends nothing in any of the games has shown no rule, however well it fits.
    let usual = ledger.suspects();
    let usual = usual.filter(|(_, explained)| in_any(explained, speaks));
    let usual: Vec<_> = usual.collect();
    let most = usual.iter().map(|(_, explained)| explained.len()).max();
    let most = most.unwrap_or_default();
    let shown = games.iter().filter(shows).count().min(SOUGHT);
    let is_simpler = |row: &Mistake| {
        let mut rows = usual.iter();
        rows.any(|(other, _)| other.contains.contains(&row.name))
    };
    let further = ledger.further().filter(|(row, explained)| {
        let least = match (is_simpler(row), is_most(most, shown)) {
            (true, _) => most,
            (false, false) => most + 1,
            (false, true) => return false,
        };
        let least = least.max(2).max(shown.div_ceil(2));
        // A bot that only falls silent or ends has not shown what it keeps of the game.
        explained.len() >= least && in_any(explained, shows_move)
    });
    let further: Vec<_> = further.collect();
    // Where no won game ends well, its end is wrong, and no rule by which it goes on.
    let is_end = |game: &&GameOfRun<'_>| {
        let last = game.outcome.history.last();
        matches!(last, Some(GameEvent::Moved { result, .. }) if result.is_some())
    };
    let mut ends: Vec<_> = games.iter().filter(is_end).collect();
    if ends
        .iter()
        .any(|game| game.outcome.verdict <= Verdict::Lenient)
    {
        ends.clear();
    }
    let ends: HashSet<_> = ends.iter().map(|game| game.number).collect();
    let all = usual.into_iter().chain(further);
    all.filter(move |(_, explained)| !explained.iter().all(|number| ends.contains(number)))
}

#[cfg(test)]
#[path = "cause_tests.rs"]
mod tests;
