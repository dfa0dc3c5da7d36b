//! Finished games held against wrong readings of the rules: which of them a server, or the subject of recorded scenarios, may believe in.

use std::sync::Arc;

use super::FinishedGame;
use crate::finding::{Finding, Verdict};
use crate::hypothesis::{self, Held, Ledger, RunExplanation, SeenGame, difference, explain_games};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::VariantRow;
use crate::scenario::Side;
use crate::transcript::LoggedGame;
use crate::verify::{self, GameVerdict, Rejudged};

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
    game: FinishedGame,
    /// The readings under which the game is right.
    rows: Vec<&'static VariantRow>,
}

/// Recorded games of scenarios, and the subject of each.
#[derive(Debug, Default)]
struct RecordedGames {
    games: Vec<FinishedGame>,
    subjects: Vec<String>,
}

/// Games of one archive that were explained together.
#[derive(Debug)]
pub struct ExplainedGames {
    /// What they say of the readings.
    pub explanation: RunExplanation,
    /// Name of each game, and of its subject, which is empty for a server.
    pub games: Vec<(String, String)>,
    /// Those that failed, with what explains them. They have no lanes.
    pub failed: Vec<FinishedGame>,
}

impl ArchiveReadings {
    /// Holds the readings against a game, which has its lanes. Move records are passed over.
    pub fn take(&mut self, game: FinishedGame) {
        match (&game.recorded, game.dialect()) {
            (Some(recorded), _) if recorded.scenario.is_some() => {
                self.recorded.subjects.push(game.subject());
                self.recorded.games.push(game.without_lanes());
            }
            (Some(_), _) | (None, None) => self.mute += 1,
            (None, Some(_)) if game.logged.lanes.is_empty() => {}
            (None, Some(dialect)) => self.server(dialect).take(game),
        }
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
        if !self.recorded.games.is_empty() {
            explained.push(self.recorded.explain());
        }
        explained
    }
}

/// Number of events beyond which a game is not explained alone, which would take long.
const MOST_ALONE: usize = 5000;

impl FinishedGame {
    /// Names the wrong readings of the rules that explain the game's failure, as far as it shows that by itself.
    pub fn explain(&mut self) {
        let subject = self.subject();
        let Some(recorded) = &mut self.recorded else {
            return self.explain_wrong_line();
        };
        let Some(scenario) = recorded.scenario.clone() else {
            return;
        };
        let mut outcomes = [recorded.outcome.clone()];
        hypothesis::explain(&[scenario], &[subject], &mut outcomes);
        let [explained] = outcomes;
        let names_one = |finding: &Finding| finding.variants.len() == 1;
        // Of several readings that are left, the run may have ruled some out.
        if explained.failure().is_some_and(names_one) {
            recorded.outcome = explained;
        }
    }

    fn explain_wrong_line(&mut self) {
        let dialect = self.dialect().filter(|_| self.wrong().is_some());
        let Some(dialect) = dialect else { return };
        if self.logged.lanes.is_empty() || self.history.len() > MOST_ALONE {
            return;
        }
        let mut server = ServerGames::new(dialect);
        let rows = server.hold(self);
        let game = FinishedGame {
            setup: self.setup,
            history: std::mem::take(&mut self.history),
            findings: std::mem::take(&mut self.findings),
            ..FinishedGame::new(
                Arc::clone(&self.file),
                self.number,
                self.format,
                LoggedGame::new(self.logged.protocol, Vec::new()),
            )
        };
        server.failed.push(FailedGame {
            number: 0,
            game,
            rows,
        });
        for game in server.explain().failed {
            (self.history, self.findings) = (game.history, game.findings);
        }
    }

    fn without_lanes(self) -> FinishedGame {
        let logged = LoggedGame::new(self.logged.protocol, Vec::new());
        FinishedGame { logged, ..self }
    }

    /// The name of the subject of a recorded scenario; else empty.
    fn subject(&self) -> String {
        let played = self.logged.played.as_ref();
        let name = played.and_then(|played| played.header.name.clone());
        name.unwrap_or_default()
    }
}

/// What a game says of a reading.
fn held(game: &FinishedGame, reading: &'static VariantRow) -> Held {
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

    fn take(&mut self, game: FinishedGame) {
        let (number, rows) = (self.names.len(), self.hold(&game));
        if game.wrong().is_some() && self.failed.len() < MOST {
            let game = game.without_lanes();
            self.failed.push(FailedGame { number, game, rows });
        }
    }

    /// Holds the readings against a game, which has its lanes, and returns those under which a wrong game is right.
    fn hold(&mut self, game: &FinishedGame) -> Vec<&'static VariantRow> {
        let number = self.names.len();
        self.names.push(game.name());
        let verdict = game
            .wrong()
            .map_or(Verdict::Pass, |finding| finding.verdict);
        let mut rows = Vec::new();
        self.ledger.hold(number, verdict, |reading| {
            let held = held(game, reading);
            rows.extend(held.explains.then_some(reading));
            held
        });
        rows
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
            .map(|failed| {
                (
                    failed.number,
                    failed.game.history.len(),
                    failed.rows.clone(),
                )
            })
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
            let is_explained = |failed: &&mut FailedGame| explained.contains(&failed.number);
            for failed in failed.iter_mut().filter(is_explained) {
                failed.game.suppose(dialect, rows.clone());
            }
        }
        ExplainedGames {
            explanation,
            games: names
                .into_iter()
                .map(|name| (name, String::new()))
                .collect(),
            failed: failed.into_iter().map(|failed| failed.game).collect(),
        }
    }
}

impl FinishedGame {
    /// Supposes that the server plays by one of these readings.
    fn suppose(&mut self, dialect: &dyn Dialect, rows: Vec<&'static VariantRow>) {
        let Some(finding) = self.findings.first_mut() else {
            return;
        };
        let word = Side::Referee.word();
        if let [row] = rows[..] {
            let seen = SeenGame {
                game: dialect.game(),
                setup: self.setup.unwrap_or_default(),
                history: &self.history,
                losing: None,
            };
            finding.belief = difference(&seen, row, word);
        }
        let breaks = rows
            .first()
            .map(|row| row.breaks)
            .filter(|id| !id.is_empty());
        let is_one = rows.iter().all(|row| Some(row.breaks) == breaks);
        finding.suppose(word, rows);
        finding.infer_either(word);
        if is_one {
            finding.requirement = breaks;
        }
    }
}

impl RecordedGames {
    fn explain(mut self) -> ExplainedGames {
        let names: Vec<_> = self.games.iter().map(FinishedGame::name).collect();
        let recorded = self.games.iter_mut().map(|game| {
            let recorded = game.recorded.take().expect("the game was recorded");
            let scenario = recorded.scenario.expect("its scenario is known");
            (scenario, recorded.outcome)
        });
        let (scenarios, mut outcomes): (Vec<_>, Vec<_>) = recorded.unzip();
        let explanation = hypothesis::explain(&scenarios, &self.subjects, &mut outcomes);
        let games = self.games.into_iter().zip(outcomes);
        let failed = games.filter(|(_, outcome)| outcome.verdict == Verdict::Fail);
        let failed = failed.map(|(game, outcome)| {
            let rejudged = Rejudged {
                scenario: None,
                outcome,
                stored: None,
                names: game.names.clone(),
            };
            let recorded = Some(Box::new(rejudged));
            FinishedGame { recorded, ..game }
        });
        ExplainedGames {
            explanation,
            failed: failed.collect(),
            games: names.into_iter().zip(self.subjects).collect(),
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
