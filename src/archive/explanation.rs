//! Finished games held against mistakes in the rules: which of them a server, or the subject of recorded scenarios, may believe in.

use std::collections::BTreeMap;

use super::{FinishedGame, RecordedGame};
use crate::finding::Verdict;
use crate::mistake::{self, Ledger, Says};
use crate::rules::Mistake;
use crate::scenario::{self, Scenario, Side};
use crate::transcript::LoggedGame;
use crate::verify;

/// So many failed games of a server are explained. Those beyond them are only counted.
const MOST: usize = 500;

/// Number of events beyond which a game is not explained alone, which would take long.
const MOST_ALONE: usize = 5000;

/// Finished games, held against every mistake in the rules. Games of a server without a fault are not kept.
#[derive(Debug, Default)]
pub struct ArchiveMistakes {
    /// The games of the server of each protocol, by its name.
    servers: BTreeMap<&'static str, ServerGames>,
    /// Recorded games of scenarios.
    recorded: Vec<FinishedGame>,
}

/// The games of one server, by one protocol.
#[derive(Debug)]
struct ServerGames {
    /// Games of such a server, as urtext would play them.
    scenario: Scenario,
    ledger: Ledger,
    /// Name of each game, and its number of events.
    names: Vec<(String, usize)>,
    /// The numbers of those that failed.
    open: Vec<usize>,
    /// Each of the first of them with its number.
    failed: Vec<(usize, FinishedGame)>,
}

/// Games of one archive that were explained together.
#[derive(Debug)]
pub struct ExplainedGames {
    /// For each subject, the mistakes in the rules that its games fit or refute.
    pub explanations: Vec<Ledger>,
    /// Name of each game, and of its subject, which is empty for a server.
    pub games: Vec<(String, String)>,
    /// Those that failed, with what explains them. They have no lanes.
    pub failed: Vec<FinishedGame>,
}

impl ArchiveMistakes {
    /// Holds the mistakes against a game, which has its lanes. Move records are passed over.
    pub fn take(&mut self, game: &FinishedGame) {
        if let Some(recorded) = &game.recorded {
            let is_judged = recorded.scenario.is_some();
            self.recorded
                .extend(is_judged.then(|| game.without_lanes()));
        } else if let Some(dialect) = game.dialect()
            && !game.logged.lanes.is_empty()
        {
            let server = self.servers.entry(dialect.name());
            let server = server.or_insert_with(|| ServerGames {
                scenario: scenario::free_game(dialect, 1),
                ledger: Ledger::of(dialect.game(), Side::Referee),
                names: Vec::new(),
                open: Vec::new(),
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
    /// Names the mistakes in the rules that explain the game's failure, as far as it shows that by itself.
    pub fn explain(&mut self) {
        let is_long = self.recorded.is_none() && self.outcome.history.len() > MOST_ALONE;
        if self.outcome.verdict != Verdict::Fail || is_long {
            return;
        }
        let mut mistakes = ArchiveMistakes::default();
        mistakes.take(self);
        let explained = mistakes.explain().into_iter();
        for game in explained.flat_map(|games| games.failed) {
            // Of several mistakes that are left, the run may have ruled some out.
            let failure = game.outcome.failure();
            let is_certain = failure.is_some_and(|finding| finding.variants.len() == 1);
            if game.recorded.is_none() || is_certain {
                self.outcome = game.outcome;
            }
        }
    }

    fn without_lanes(&self) -> FinishedGame {
        FinishedGame {
            logged: LoggedGame::new(self.logged.protocol, Vec::new()),
            ..self.clone()
        }
    }

    /// Holds a mistake against the game: it refutes it, or allows it.
    fn says(&self, mistake: &'static Mistake) -> Says {
        let Ok(believed) = verify::judge_by(&self.logged, mistake) else {
            return Says::NOTHING;
        };
        let has_failed = self.stopped_by().is_some();
        let is_earlier = believed.history.len() < self.outcome.history.len();
        match believed.ending {
            Some(_) if has_failed => Says::EXPLAINS,
            // What went wrong by the rules, too, says nothing of the mistake.
            None if !has_failed || is_earlier => Says::Refutes,
            _ => Says::NOTHING,
        }
    }
}

impl ServerGames {
    /// Holds the mistakes against a game.
    fn take(&mut self, game: &FinishedGame) {
        let (number, wrong) = (self.names.len(), game.stopped_by());
        self.names.push((game.name(), game.outcome.history.len()));
        let verdict = wrong.map_or(Verdict::Pass, |finding| finding.verdict);
        self.ledger.hold(number, verdict, |row| game.says(row));
        if wrong.is_some() {
            self.open.push(number);
            if self.failed.len() < MOST {
                self.failed.push((number, game.without_lanes()));
            }
        }
    }

    fn explain(mut self) -> ExplainedGames {
        let suspects = self.ledger.suspects().collect();
        let failed = self.open.clone();
        self.ledger.causes = mistake::causes(suspects, self.open, &failed, |_, _| false);
        for cause in &mut self.ledger.causes {
            cause.explained.sort_by_key(|&number| self.names[number].1);
            for number in &cause.explained {
                let place = self
                    .failed
                    .binary_search_by_key(number, |(number, _)| *number);
                if let (Ok(place), Some(plan)) = (place, self.scenario.game()) {
                    let outcome = &mut self.failed[place].1.outcome;
                    mistake::suppose(cause.rows.clone(), plan, outcome);
                }
            }
        }
        let names = self.names.into_iter();
        ExplainedGames {
            explanations: vec![self.ledger],
            games: names.map(|(name, _)| (name, String::new())).collect(),
            failed: self.failed.into_iter().map(|(_, game)| game).collect(),
        }
    }
}

/// Explains recorded games of scenarios, each with its subject.
fn explain_recorded(mut games: Vec<FinishedGame>) -> ExplainedGames {
    let (mut scenarios, mut subjects, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
    for game in &games {
        if let Some(RecordedGame { scenario, subject }) = &game.recorded {
            scenarios.extend(scenario.clone());
            subjects.push(subject.clone());
            outcomes.push(game.outcome.clone());
        }
    }
    let explanations = mistake::explain(&scenarios, &subjects, &mut outcomes);
    for (game, outcome) in games.iter_mut().zip(outcomes) {
        game.outcome = outcome;
    }
    let named = games.iter().map(FinishedGame::name).zip(subjects).collect();
    games.retain(|game| game.outcome.verdict == Verdict::Fail);
    ExplainedGames {
        explanations,
        games: named,
        failed: games,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::ArchiveMistakes;
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
    fn every_mistake_can_be_held_against_a_game_with_any_wrong_line() {
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
                let mut mistakes = ArchiveMistakes::default();
                mistakes.take(&game);
                assert_eq!(mistakes.explain().len(), 1, "{name} {place}");
            }
        }
    }
}
