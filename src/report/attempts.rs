//! The games of a scenario that was played several times.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::visible;
use crate::event::GameSummary;
use crate::finding::Verdict;

/// One of several games of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptResult {
    /// Verdict on this game alone.
    pub verdict: Verdict,
    /// True if the verdict counts as a failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Duration of the game in seconds.
    pub seconds: f64,
    /// Title of the first finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Id of the requirement of the first finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
}

/// Returns the number of games that failed, in words; `None` if there are none. `games`: true for each game that failed.
pub(super) fn failed_games(games: impl ExactSizeIterator<Item = bool>) -> Option<String> {
    let played = games.len();
    let failed = games.filter(|failed| *failed).count();
    (failed > 0).then(|| format!("{failed} of {played} games failed"))
}

impl AttemptResult {
    pub(super) fn new(game: &GameSummary) -> AttemptResult {
        let title = game.title.as_ref();
        AttemptResult {
            verdict: game.verdict,
            failed: game.has_failed,
            seconds: seconds(game.took),
            title: title.map(|title| visible::plain(title).to_string()),
            requirement: game.requirement.map(str::to_owned),
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
}

/// Rounds to microseconds, so that a report is short.
pub(super) fn seconds(time: Duration) -> f64 {
    Duration::from_micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)).as_secs_f64()
}
