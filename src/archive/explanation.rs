//! Finished games held against wrong readings of the rules: which of them a server, or the subject of recorded scenarios, may believe in.

use std::collections::BTreeMap;

use super::FinishedGame;
use crate::finding::Verdict;
use crate::hypothesis::{self, Held, Ledger, RunExplanation, SeenGame, difference, explain_games};
use crate::protocol::GameEvent;
use crate::rules::Mistake;
use crate::scenario::Side;
use crate::transcript::LoggedGame;
use crate::verify;

/// So many failed games of a server are explained. Those beyond them are only counted.
const MOST: usize = 500;

/// Number of events beyond which a game is not explained alone, which would take long.
const MOST_ALONE: usize = 5000;

/// Finished games, held against every wrong reading of the rules. Games of a server without a fault are not kept.
#[derive(Debug, Default)]
pub struct ArchiveReadings {
    /// The games of the server of each protocol, by its name.
    servers: BTreeMap<&'static str, ServerGames>,
    /// Recorded games of scenarios, and the subject of each.
    recorded: Vec<(FinishedGame, String)>,
}

/// The games of one server, by one protocol.
#[derive(Debug)]
struct ServerGames {
    ledger: Ledger,
    names: Vec<String>,
    /// Each with its number, and with the readings under which it is right.
    failed: Vec<(usize, FinishedGame, Vec<&'static Mistake>)>,
}

/// Games of one archive that were explained together.
#[derive(Debug)]
pub struct ExplainedGames {
    /// For each subject, the readings of the rules that its games fit or refute.
    pub explanations: Vec<RunExplanation>,
    /// Name of each game, and of its subject, which is empty for a server.
    pub games: Vec<(String, String)>,
    /// Those that failed, with what explains them. They have no lanes.
    pub failed: Vec<FinishedGame>,
}

impl ArchiveReadings {
    /// Holds the readings against a game, which has its lanes. Move records are passed over.
    pub fn take(&mut self, game: &FinishedGame) {
        if let Some(recorded) = &game.recorded {
            if recorded.scenario.is_some() {
                let played = game.logged.played.as_ref();
                let subject = played.and_then(|played| played.header.name.clone());
                let subject = subject.unwrap_or_default();
                self.recorded.push((game.without_lanes(), subject));
            }
        } else if let Some(dialect) = game.dialect()
            && !game.logged.lanes.is_empty()
        {
            let server = self.servers.entry(dialect.name());
            let server = server.or_insert_with(|| ServerGames {
                ledger: Ledger::of(dialect.game(), Side::Referee),
                names: Vec::new(),
                failed: Vec::new(),
            });
            server.take(game);
        }
    }

    /// Explains the games: those of each server, then those of scenarios.
    #[must_use]
    pub fn explain(self) -> Vec<ExplainedGames> {
        let servers = self.servers.into_values();
        let mut explained: Vec<_> = servers.map(ServerGames::explain).collect();
        if !self.recorded.is_empty() {
            explained.push(explain_recorded(self.recorded));
        }
        explained
    }
}

impl FinishedGame {
    /// Names the wrong readings of the rules that explain the game's failure, as far as it shows that by itself.
    pub fn explain(&mut self) {
        let is_long = self.recorded.is_none() && self.judged.history.len() > MOST_ALONE;
        if self.verdict() != Verdict::Fail || is_long {
            return;
        }
        let mut readings = ArchiveReadings::default();
        readings.take(self);
        let explained = readings.explain().into_iter();
        for game in explained.flat_map(|games| games.failed) {
            // Of several readings that are left, the run may have ruled some out.
            let is_certain = game
                .wrong()
                .is_some_and(|finding| finding.variants.len() == 1);
            if game.recorded.is_none() || is_certain {
                (self.judged.findings, self.recorded) = (game.judged.findings, game.recorded);
            }
        }
    }

    fn without_lanes(&self) -> FinishedGame {
        FinishedGame {
            logged: LoggedGame::new(self.logged.protocol, Vec::new()),
            ..self.clone()
        }
    }

    /// Whether the game refutes a reading, or the reading explains its failure.
    fn held(&self, reading: &'static Mistake) -> Held {
        let mut held = Held {
            refuted_in: None,
            explains: false,
            unshown: 1.0,
        };
        let Ok(believed) = verify::judge_by(&self.logged, reading) else {
            return held;
        };
        let has_failed = self.stopped_by().is_some();
        let is_earlier = believed.history.len() < self.judged.history.len();
        match believed.ending {
            Some(_) => held.explains = has_failed,
            // What went wrong by the rules, too, says nothing of the reading.
            None if !has_failed || is_earlier => {
                held.refuted_in = Some(GameEvent::turns(&believed.history));
            }
            None => {}
        }
        held
    }

    /// Supposes that the server plays by one of these readings.
    fn suppose(&mut self, rows: Vec<&'static Mistake>) {
        let Some((dialect, finding)) = self.dialect().zip(self.judged.findings.first_mut()) else {
            return;
        };
        let word = Side::Referee.word();
        if let [row] = rows[..] {
            let seen = SeenGame {
                game: dialect.game(),
                setup: self.judged.setup.unwrap_or_default(),
                history: &self.judged.history,
                losing: None,
            };
            finding.belief = difference(&seen, row, word);
        }
        let first = rows.first().map_or("", |row| row.breaks);
        let is_one = !first.is_empty() && rows.iter().all(|row| row.breaks == first);
        finding.suppose(word, rows);
        finding.infer_either(word);
        if is_one {
            finding.requirement = Some(first);
        }
    }
}

impl ServerGames {
    /// Holds the readings against a game.
    fn take(&mut self, game: &FinishedGame) {
        let (number, wrong) = (self.names.len(), game.stopped_by());
        self.names.push(game.name());
        let verdict = wrong.map_or(Verdict::Pass, |finding| finding.verdict);
        let mut rows = Vec::new();
        self.ledger.hold(number, verdict, |reading| {
            let held = game.held(reading);
            rows.extend(held.explains.then_some(reading));
            held
        });
        if wrong.is_some() && self.failed.len() < MOST {
            self.failed.push((number, game.without_lanes(), rows));
        }
    }

    fn explain(self) -> ExplainedGames {
        let mut failed = self.failed;
        let failures = failed
            .iter()
            .map(|(number, game, rows)| (*number, game.judged.history.len(), rows.clone()));
        let explanation = explain_games(self.ledger, failures.collect());
        for cause in &explanation.causes {
            for (number, game, _) in &mut failed {
                if cause.explained.contains(number) {
                    game.suppose(cause.rows.clone());
                }
            }
        }
        let names = self.names.into_iter();
        ExplainedGames {
            explanations: vec![explanation],
            games: names.map(|name| (name, String::new())).collect(),
            failed: failed.into_iter().map(|(_, game, _)| game).collect(),
        }
    }
}

/// Explains recorded games of scenarios, each with its subject.
fn explain_recorded(recorded: Vec<(FinishedGame, String)>) -> ExplainedGames {
    let (mut games, subjects): (Vec<_>, Vec<_>) = recorded.into_iter().unzip();
    let all = games.iter().filter_map(|game| game.recorded.as_ref());
    let parts = all.filter_map(|one| Some((one.scenario.clone()?, one.outcome.clone())));
    let (scenarios, mut outcomes): (Vec<_>, Vec<_>) = parts.unzip();
    let explanations = hypothesis::explain(&scenarios, &subjects, &mut outcomes);
    let all = games.iter_mut().filter_map(|game| game.recorded.as_mut());
    for (recorded, outcome) in all.zip(outcomes) {
        recorded.outcome = outcome;
    }
    let names = games.iter().map(FinishedGame::name);
    let named = names.zip(subjects).collect();
    games.retain(|game| game.verdict() == Verdict::Fail);
    ExplainedGames {
        explanations,
        games: named,
        failed: games,
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
                readings.take(&game);
                assert_eq!(readings.explain().len(), 1, "{name} {place}");
            }
        }
    }
}
