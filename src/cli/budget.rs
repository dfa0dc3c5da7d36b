//! The option `--budget`.

use std::time::Duration;

use clap::Args;

use crate::config::SubjectBudgets;

/// Time limits of a subject.
#[derive(Debug, Clone, Args)]
pub(super) struct BudgetArgs {
    /// Time limit for a step, such as answer=10s; may be repeated
    ///
    /// start: to start and accept every connection [10s]; handshake: to complete it [as start]; answer: to send a line that is due, on top
    /// of pace and timeout [5s]; close: to end after the game [2s]; forfeit: to notice that a player is gone [2min]; whole: the game
    /// [10min].
    #[arg(long, value_name = "STEP=DURATION", value_parser = step, hide_short_help = true)]
    budget: Vec<(String, Duration)>,
}

impl BudgetArgs {
    /// The budgets that are given.
    pub(super) fn given(&self) -> SubjectBudgets {
        let mut budgets = SubjectBudgets::default();
        for (word, time) in &self.budget {
            budgets.set(word, *time);
        }
        budgets
    }
}

/// Reads the budget of one step.
fn step(text: &str) -> Result<(String, Duration), String> {
    let words = SubjectBudgets::WORDS;
    let Some((word, time)) = text.split_once('=') else {
        return Err("write STEP=DURATION, such as answer=10s".to_owned());
    };
    if !words.contains(&word) {
        let known = words.join(", ");
        return Err(format!("there is no step `{word}`; the steps are {known}"));
    }
    let time = humantime::parse_duration(time).map_err(|error| error.to_string())?;
    Ok((word.to_owned(), time))
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[test]
    fn of_a_step_that_is_given_twice_the_later_budget_counts() {
        let command = BudgetArgs::augment_args(clap::Command::new("run"));
        let words = ["run", "--budget", "answer=1s", "--budget", "whole=1min"];
        let matches = command.get_matches_from([&words[..], &["--budget", "answer=2s"]].concat());
        let given = BudgetArgs::from_arg_matches(&matches).unwrap().given();
        let due = SubjectBudgets {
            answer: Some(Duration::from_secs(2)),
            whole: Some(Duration::from_secs(60)),
            ..SubjectBudgets::default()
        };
        assert_eq!(given, due);
    }
}
