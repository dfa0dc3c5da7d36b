//! Finished games held against wrong readings of the rules: which of them a server, or the subject of recorded scenarios, may believe in.

use std::sync::Arc;

use super::Game;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::hypothesis::{self, Held, Ledger, RunExplanation, SeenGame, difference, explain_games};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{Setup, VariantRow};
use crate::scenario::{Scenario, Side};
use crate::verify::{self, GameVerdict};

/// So many failed games of a server are explained. Those beyond them are only counted.
const MOST: usize = 500;

/// Finished games, held against every wrong reading of the rules. Games without a fault are not kept.
#[derive(Debug, Default)]
pub struct ArchiveReadings {
    servers: Vec<ServerGames>,
    recorded: RecordedGames,
    /// Number of games that say nothing of the rules: dialogues.
    pub mute: usize,
}

/// The games of one server, by one protocol.
#[derive(Debug)]
struct ServerGames {
    dialect: &'static dyn Dialect,
    ledger: Ledger,
    names: Vec<String>,
    failed: Vec<FailedGame>,
}

#[derive(Debug)]
struct FailedGame {
    number: usize,
    setup: Setup,
    history: Vec<GameEvent>,
    finding: Finding,
    /// The readings under which the game is right.
    rows: Vec<&'static VariantRow>,
}

/// Recorded games of scenarios.
#[derive(Debug, Default)]
struct RecordedGames {
    names: Vec<String>,
    subjects: Vec<String>,
    scenarios: Vec<Arc<Scenario>>,
    outcomes: Vec<Outcome>,
}

/// Games of one archive that were explained together.
#[derive(Debug)]
pub struct ExplainedGames {
    /// What they say of the readings.
    pub explanation: RunExplanation,
    /// Name of each game, and of its subject, which is empty for a server.
    pub games: Vec<(String, String)>,
    /// The failed games that are explained or told, by their numbers.
    pub failures: Vec<(usize, ExplainedFailure)>,
}

/// Why a game failed.
#[derive(Debug)]
pub enum ExplainedFailure {
    /// A wrong line of a file.
    InFile(Box<Finding>),
    /// The outcome of a recorded scenario.
    Recorded(Box<Outcome>),
}

impl ArchiveReadings {
    /// Holds the readings against a game, which has its lanes. Move records are passed over.
    pub fn take(&mut self, game: Game) {
        match (&game.recorded, game.dialect()) {
            (Some(_), _) => self.recorded(game),
            (None, None) => self.mute += 1,
            (None, Some(_)) if game.logged.lanes.is_empty() => {}
            (None, Some(dialect)) => self.server(dialect).hold(&game),
        }
    }

    fn recorded(&mut self, game: Game) {
        let name = game.name();
        let rejudged = game.recorded.expect("the scenario is recorded");
        let Some(scenario) = rejudged.scenario else {
            self.mute += 1;
            return;
        };
        let recorded = &mut self.recorded;
        recorded.names.push(name);
        let played = game.logged.played.as_ref();
        let subject = played.and_then(|played| played.header.name.clone());
        recorded.subjects.push(subject.unwrap_or_default());
        recorded.scenarios.push(scenario);
        recorded.outcomes.push(rejudged.outcome);
    }

    /// The games of the server that speaks this protocol.
    fn server(&mut self, dialect: &'static dyn Dialect) -> &mut ServerGames {
        let known = self
            .servers
            .iter()
            .position(|server| server.dialect.name() == dialect.name());
        let known = known.unwrap_or_else(|| {
            self.servers.push(ServerGames::new(dialect));
            self.servers.len() - 1
        });
        &mut self.servers[known]
    }

    /// Explains the games: those of each server, then those of scenarios.
    #[must_use]
    pub fn explain(self) -> Vec<ExplainedGames> {
        let mut explained: Vec<_> = self.servers.into_iter().map(ServerGames::explain).collect();
        if !self.recorded.names.is_empty() {
            explained.push(self.recorded.explain());
        }
        explained
    }
}

/// Number of events beyond which a game is not explained alone, which would take long.
const MOST_ALONE: usize = 5000;

impl Game {
    /// Names the wrong readings of the rules that explain the game's failure, as far as it shows that by itself.
    pub fn explain(&mut self) {
        let subject = self.logged.played.as_ref();
        let subject = subject.and_then(|played| played.header.name.clone());
        match &mut self.recorded {
            Some(recorded) => {
                let Some(scenario) = recorded.scenario.clone() else {
                    return;
                };
                let mut outcomes = [recorded.outcome.clone()];
                hypothesis::explain(&[scenario], &[subject.unwrap_or_default()], &mut outcomes);
                let [explained] = outcomes;
                let names_one = |finding: &Finding| finding.variants.len() == 1;
                // Of several readings that are left, the run may have ruled some out.
                if explained.failure().is_some_and(names_one) {
                    recorded.outcome = explained;
                }
            }
            None => self.explain_wrong_line(),
        }
    }

    fn explain_wrong_line(&mut self) {
        let dialect = self.dialect().filter(|_| self.wrong().is_some());
        let Some(dialect) = dialect else { return };
        if self.logged.lanes.is_empty() || self.history.len() > MOST_ALONE {
            return;
        }
        let mut server = ServerGames::new(dialect);
        server.hold(self);
        if let Some((_, ExplainedFailure::InFile(finding))) = server.explain().failures.pop() {
            self.findings = vec![*finding];
        }
    }
}

/// What a game says of a reading.
fn held(game: &Game, reading: &'static VariantRow) -> Held {
    let mut held = Held {
        refuted_in: None,
        explains: false,
        unshown: 1.0,
    };
    let Some(believed) = verify::judge_by(&game.logged, reading) else {
        return held;
    };
    let has_failed = game.wrong().is_some();
    match believed.verdict {
        GameVerdict::Legal(_) => held.explains = has_failed,
        // What went wrong by the rules, too, says nothing of the reading.
        GameVerdict::Wrong(_) if !has_failed || believed.history.len() < game.history.len() => {
            held.refuted_in = Some(GameEvent::turns(&believed.history));
        }
        _ => {}
    }
    held
}

impl ServerGames {
    fn new(dialect: &'static dyn Dialect) -> ServerGames {
        ServerGames {
            dialect,
            ledger: Ledger::of(dialect.game(), Side::Referee),
            names: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// Holds the readings against a game, which has its lanes.
    fn hold(&mut self, game: &Game) {
        let number = self.names.len();
        self.names.push(game.name());
        let wrong = game.wrong();
        let verdict = wrong.map_or(Verdict::Pass, |finding| finding.verdict);
        let mut rows = Vec::new();
        self.ledger.hold(number, verdict, |reading| {
            let held = held(game, reading);
            rows.extend(held.explains.then_some(reading));
            held
        });
        if let Some(finding) = wrong
            && self.failed.len() < MOST
        {
            self.failed.push(FailedGame {
                number,
                setup: game.setup.unwrap_or_default(),
                history: game.history.clone(),
                finding: finding.clone(),
                rows,
            });
        }
    }

    fn explain(self) -> ExplainedGames {
        let ServerGames {
            dialect,
            ledger,
            names,
            mut failed,
        } = self;
        let failures = failed
            .iter()
            .map(|game| (game.number, game.history.len(), game.rows.clone()))
            .collect();
        let explanation = explain_games(ledger, failures);
        let alone = explanation
            .causes
            .iter()
            .map(|cause| (vec![cause.row], &cause.explained));
        let several = explanation
            .undecided
            .iter()
            .map(|undecided| (undecided.rows.clone(), &undecided.explained));
        for (rows, explained) in alone.chain(several) {
            let is_explained = |game: &&mut FailedGame| explained.contains(&game.number);
            for game in failed.iter_mut().filter(is_explained) {
                game.suppose(dialect, rows.clone());
            }
        }
        ExplainedGames {
            explanation,
            games: names
                .into_iter()
                .map(|name| (name, String::new()))
                .collect(),
            failures: failed
                .into_iter()
                .map(|game| {
                    (
                        game.number,
                        ExplainedFailure::InFile(Box::new(game.finding)),
                    )
                })
                .collect(),
        }
    }
}

impl FailedGame {
    fn suppose(&mut self, dialect: &dyn Dialect, rows: Vec<&'static VariantRow>) {
        let word = Side::Referee.word();
        if let [row] = rows[..] {
            let seen = SeenGame {
                game: dialect.game(),
                setup: self.setup,
                history: &self.history,
                losing: None,
            };
            self.finding.belief = difference(&seen, row, word);
        }
        let breaks = rows
            .first()
            .map(|row| row.breaks)
            .filter(|id| !id.is_empty());
        let is_one = rows.iter().all(|row| Some(row.breaks) == breaks);
        self.finding.suppose(word, rows);
        self.finding.infer_either(word);
        if is_one {
            self.finding.requirement = breaks;
        }
    }
}

impl RecordedGames {
    fn explain(mut self) -> ExplainedGames {
        let explanation = hypothesis::explain(&self.scenarios, &self.subjects, &mut self.outcomes);
        let failed = |(_, outcome): &(usize, Outcome)| outcome.verdict == Verdict::Fail;
        let outcomes = self.outcomes.into_iter().enumerate();
        ExplainedGames {
            explanation,
            games: self.names.into_iter().zip(self.subjects).collect(),
            failures: outcomes
                .filter(failed)
                .map(|(number, outcome)| (number, ExplainedFailure::Recorded(Box::new(outcome))))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::ArchiveReadings;
    use crate::archive::{self, ReadOptions};

    /// Games with one line of a lane replaced, each with its number.
    fn broken(golden: &str) -> impl Iterator<Item = (usize, String)> {
        let lines: Vec<&str> = golden.lines().collect();
        let tells = |line: &str| !line.is_empty() && !line.starts_with(['#', '[', '>', 'd']);
        let places = (0..lines.len())
            .filter(|&place| tells(lines[place]))
            .step_by(5);
        let places: Vec<_> = places.collect();
        let lines = golden.lines().map(str::to_owned).collect::<Vec<_>>();
        places.into_iter().map(move |place| {
            let others = ["1", "0 0 0 1", "RETIRE", "Crab b1 b3", "6"];
            let mut lines = lines.clone();
            lines[place] = others[place % others.len()].to_owned();
            (place, lines.join("\n") + "\n")
        })
    }

    #[test]
    fn every_reading_can_be_held_against_a_game_with_any_wrong_line() {
        let folder = tempfile::tempdir().unwrap();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");
        for name in [
            "royalur/referee/own-token",
            "royalur/referee/capture-cell-12",
            "onitama/referee/captures",
        ] {
            let golden = fs::read_to_string(format!("{root}/{name}.txt")).unwrap();
            for (place, text) in broken(&golden) {
                let file = folder.path().join("game.txt");
                fs::write(&file, text).unwrap();
                let file = [file];
                let Ok(game) = archive::game(&file, None, &ReadOptions::default()) else {
                    continue;
                };
                let mut readings = ArchiveReadings::default();
                readings.take(game);
                assert_eq!(readings.explain().len(), 1, "{name} {place}");
            }
        }
    }
}
