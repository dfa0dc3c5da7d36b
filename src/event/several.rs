//! Several games of one scenario, and their verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, failed_later, seconds};
use crate::diagnostic::visible;
use crate::finding::Verdict;

/// Result of one of several games of a scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GameSummary {
    /// Verdict on this game alone.
    pub verdict: Verdict,
    /// True if the verdict counts as a failure.
    #[serde(rename = "failed")]
    pub has_failed: bool,
    /// Duration of the game in seconds.
    pub seconds: f64,
    /// Title of the first finding.
    pub title: Option<String>,
    /// Id of the requirement of the first finding.
    pub requirement: Option<String>,
}

impl GameSummary {
    /// The summary of a game with this outcome.
    #[must_use]
    pub fn new(outcome: &Outcome, has_failed: bool) -> GameSummary {
        let reason = outcome.findings.first();
        GameSummary {
            verdict: outcome.verdict,
            has_failed,
            seconds: seconds(outcome.took),
            title: reason.map(|finding| visible::plain(finding.observation()).to_string()),
            requirement: reason.and_then(|finding| finding.requirement.map(str::to_owned)),
        }
    }

    /// The title of the first finding; without a finding, the verdict.
    #[must_use]
    pub fn headline(&self) -> String {
        match (&self.title, &self.requirement) {
            (Some(title), Some(id)) => format!("{title} ({id})"),
            (Some(title), None) => title.clone(),
            (None, _) => self.verdict.word().to_owned(),
        }
    }

    fn has_passed(&self) -> bool {
        self.verdict <= Verdict::Lenient && !self.has_failed
    }
}

/// The games of a scenario that is played several times.
#[derive(Debug, Clone)]
pub struct SeveralGames {
    /// The first game that failed, else the one with the worst verdict.
    shown: Outcome,
    games: Vec<GameSummary>,
}

impl SeveralGames {
    /// The first game. `failures`: verdicts that count as failures.
    #[must_use]
    pub fn new(mut first: Outcome, failures: &[Verdict]) -> SeveralGames {
        let games = summaries(&mut first, failures);
        let shown = first;
        SeveralGames { shown, games }
    }

    /// Adds the next game.
    pub fn add(&mut self, mut next: Outcome, failures: &[Verdict]) {
        let has_failed = self.games.iter().any(|game| game.has_failed);
        let games = summaries(&mut next, failures);
        let fails = games.iter().any(|game| game.has_failed);
        if !has_failed && (fails || next.verdict > self.shown.verdict) {
            self.shown = next;
        }
        self.games.extend(games);
    }

    /// Returns true if a game failed and no game passed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let has_passed = self.games.iter().any(GameSummary::has_passed);
        !has_passed && self.games.iter().any(|game| game.has_failed)
    }

    /// Returns the outcome: *flaky* if some games failed and others passed, else the outcome of the game with the worst verdict.
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        let mut outcome = self.shown;
        let has = |is: fn(&GameSummary) -> bool| self.games.iter().any(is);
        if has(|game| game.has_failed) && has(GameSummary::has_passed) {
            let numbered = self.games.iter().enumerate();
            let numbered = numbered.map(|(place, game)| (place + 1, game.has_failed));
            let is_of_server = outcome.earlier.is_some();
            if let Some(games) = failed_later(numbered.collect()).filter(|_| is_of_server)
                && let Some(finding) = outcome.findings.first_mut()
            {
                finding.after_first(&games);
            }
            outcome.be_flaky();
        }
        if self.games.len() > 1 {
            outcome.games = self.games;
        }
        outcome
    }
}

/// The games behind an outcome: those that it names, or the only one.
fn summaries(outcome: &mut Outcome, failures: &[Verdict]) -> Vec<GameSummary> {
    if outcome.games.is_empty() {
        return vec![GameSummary::new(
            outcome,
            failures.contains(&outcome.verdict),
        )];
    }
    std::mem::take(&mut outcome.games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;
    use crate::finding::Finding;
    use crate::games::royalur::CodeColosseum;
    use crate::scenario::free_game;

    #[test]
    fn a_scenario_is_flaky_if_some_of_its_games_fail_and_others_pass() {
        // Verdicts of games, and those that count as failures.
        assert_lines("several-games", |row| {
            let (verdicts, failures) = row.split_once(" | ").unwrap();
            let [verdicts, failures] = [verdicts, failures].map(|words| {
                let words = words.split(' ').map(|word| Verdict::of(word).unwrap());
                words.collect::<Vec<_>>()
            });
            let outcome = |(number, verdict): (usize, &Verdict)| {
                let outcome = Outcome::new(&free_game(&CodeColosseum, 1));
                match verdict {
                    Verdict::Pass => outcome,
                    verdict => outcome.with(Finding::new(*verdict, format!("game {number}"))),
                }
            };
            let mut outcomes = verdicts.iter().enumerate().map(outcome);
            let mut several = SeveralGames::new(outcomes.next().unwrap(), &failures);
            outcomes.for_each(|next| several.add(next, &failures));
            let has_failed = several.has_failed();
            let outcome = several.into_outcome();
            assert_eq!(has_failed, failures.contains(&outcome.verdict));
            let title = outcome
                .findings
                .first()
                .map_or("nothing", |finding| &finding.title);
            let failed = outcome.games.iter().filter(|game| game.has_failed).count();
            format!("{}, by {title}, {failed} failed", outcome.verdict.word())
        });
    }

    #[test]
    fn a_second_game_counts_as_a_game() {
        let mut flaky =
            Outcome::new(&free_game(&CodeColosseum, 1)).with(Finding::new(Verdict::Fail, "silent"));
        let second = Outcome::new(&free_game(&CodeColosseum, 1));
        flaky.games = vec![
            GameSummary::new(&flaky, true),
            GameSummary::new(&second, false),
        ];
        flaky.be_flaky();
        let mut several = SeveralGames::new(flaky, &[Verdict::Fail]);
        several.add(second, &[Verdict::Fail]);
        let outcome = several.into_outcome();
        let failed: Vec<_> = outcome.games.iter().map(|game| game.has_failed).collect();
        assert_eq!(
            (outcome.verdict, failed),
            (Verdict::Flaky, vec![true, false, false])
        );
    }
}
