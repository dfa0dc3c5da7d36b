//! Finished games held against wrong readings of the rules: which of them a server, or the subject of recorded scenarios, may believe in.

use std::sync::Arc;

use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::hypothesis::{self, Held, Ledger, RunExplanation, SeenGame, difference, explain_games};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::VariantRow;
use crate::scenario::{Scenario, Side};
use crate::transcript::{LoggedGame, Played};
use crate::verify::{self, GameVerdict, Judged};

/// So many failed games of a server are explained. Those beyond them are only counted.
const MOST: usize = 500;

/// Finished games, held against every wrong reading of the rules. Games without a fault are not kept.
#[derive(Debug, Default)]
pub struct ArchiveReadings {
    servers: Vec<ServerGames>,
    recorded: RecordedGames,
    /// Number of games that say nothing of the rules: dialogues, and lanes that do not tell a game.
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
    judged: Judged,
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
    /// Holds the readings against a game of that name.
    pub fn take(&mut self, name: &str, game: &LoggedGame) {
        match &game.played {
            Some(played) => self.recorded(name, played),
            None => self.of_server(name, game),
        }
    }

    fn recorded(&mut self, name: &str, played: &Played) {
        let rejudged = verify::rejudge(played);
        let Some(scenario) = rejudged.scenario else {
            self.mute += 1;
            return;
        };
        let recorded = &mut self.recorded;
        recorded.names.push(name.to_owned());
        recorded
            .subjects
            .push(played.header.name.clone().unwrap_or_default());
        recorded.scenarios.push(Arc::new(scenario));
        recorded.outcomes.push(rejudged.outcome);
    }

    fn of_server(&mut self, name: &str, game: &LoggedGame) {
        let Some(judged) = verify::judge(game) else {
            self.mute += 1;
            return;
        };
        let finding = match &judged.verdict {
            GameVerdict::Legal(_) => None,
            GameVerdict::Wrong(finding) => Some((**finding).clone()),
            GameVerdict::Untold(_) => {
                self.mute += 1;
                return;
            }
        };
        let server = self.server(judged.dialect);
        let number = server.names.len();
        server.names.push(name.to_owned());
        let verdict = match finding {
            Some(_) => Verdict::Fail,
            None => Verdict::Pass,
        };
        let mut rows = Vec::new();
        server.ledger.hold(number, verdict, |reading| {
            let held = held(game, &judged, reading);
            rows.extend(held.explains.then_some(reading));
            held
        });
        if let Some(finding) = finding
            && server.failed.len() < MOST
        {
            server.failed.push(FailedGame {
                number,
                judged,
                finding,
                rows,
            });
        }
    }

    /// The games of the server that speaks this protocol.
    fn server(&mut self, dialect: &'static dyn Dialect) -> &mut ServerGames {
        let known = self
            .servers
            .iter()
            .position(|server| server.dialect.name() == dialect.name());
        let known = known.unwrap_or_else(|| {
            self.servers.push(ServerGames {
                dialect,
                ledger: Ledger::of(dialect.game(), Side::Referee),
                names: Vec::new(),
                failed: Vec::new(),
            });
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

/// The wrong line of a server's game, which was judged so, with the wrong readings that explain it in this game alone; `None` if every line is
/// right, or the game is very long.
#[must_use]
pub fn explained_alone(game: &LoggedGame, judged: &Judged) -> Option<Box<Finding>> {
    let is_wrong = matches!(judged.verdict, GameVerdict::Wrong(_));
    if !is_wrong || judged.history.len() > MOST_ALONE {
        return None;
    }
    let mut readings = ArchiveReadings::default();
    readings.of_server("", game);
    let mut explained = readings.explain().into_iter();
    let mut failures = explained.next()?.failures.into_iter();
    match failures.next()?.1 {
        ExplainedFailure::InFile(finding) => Some(finding),
        ExplainedFailure::Recorded(_) => None,
    }
}

/// What a game says of a reading.
fn held(game: &LoggedGame, judged: &Judged, reading: &'static VariantRow) -> Held {
    let mut held = Held {
        refuted_in: None,
        explains: false,
        unshown: 1.0,
    };
    let Some(believed) = verify::judge_by(game, reading) else {
        return held;
    };
    let has_failed = matches!(judged.verdict, GameVerdict::Wrong(_));
    match believed.verdict {
        GameVerdict::Legal(_) => held.explains = has_failed,
        // What went wrong by the rules, too, says nothing of the reading.
        GameVerdict::Wrong(_) if !has_failed || believed.history.len() < judged.history.len() => {
            held.refuted_in = Some(GameEvent::turns(&believed.history));
        }
        _ => {}
    }
    held
}

impl ServerGames {
    fn explain(self) -> ExplainedGames {
        let ServerGames {
            dialect,
            ledger,
            names,
            mut failed,
        } = self;
        let failures = failed
            .iter()
            .map(|game| (game.number, game.judged.history.len(), game.rows.clone()))
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
                setup: self.judged.setup.unwrap_or_default(),
                history: &self.judged.history,
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
    use crate::transcript::{self, Opened};

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
                let Ok(Opened::Game { game, .. }) = transcript::open(&file, None) else {
                    continue;
                };
                let mut readings = ArchiveReadings::default();
                readings.take(&format!("{name} {place}"), &game);
                assert_eq!(readings.explain().len(), 1, "{name} {place}");
            }
        }
    }
}
