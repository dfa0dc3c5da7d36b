//! What `urtext.yaml` says of every run, where the command line says nothing else.

use clap::ValueEnum;

use super::{Allowed, RunArgs};
use crate::config::file;

impl RunArgs {
    /// Takes over the options under `run:`, if the subject comes from a file. What is wrong with the file is said where its subjects
    /// are read.
    pub(super) fn take_defaults(&mut self) {
        let Some(path) = self.subject.subject_file() else {
            return;
        };
        let defaults = file::run_defaults(&path);
        self.jobs = self.jobs.or(defaults.jobs);
        if !self.bless && !self.debug.debug {
            self.rounds.retry(defaults.retries);
        }
        if !self.debug.debug {
            self.rounds.limit = self.rounds.limit.or(defaults.limit);
        }
        if self.allow.is_empty() {
            let words = defaults.allow.iter();
            self.allow = words.filter_map(|word| allowed(word)).collect();
        }
        self.reports.default_to(&defaults.reports);
        self.baseline.default_to(defaults.baseline);
    }
}

fn allowed(word: &str) -> Option<Allowed> {
    Allowed::from_str(word, false).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::RunDefaults;

    #[test]
    fn the_words_of_the_file_are_those_of_the_option() {
        let known = RunDefaults::ALLOWED.map(|word| allowed(word).expect(word));
        assert_eq!(known, Allowed::value_variants());
    }
}
