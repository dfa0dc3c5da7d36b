//! The judgement, once the game is over or was broken off.

use super::judgement::Judgement;
use super::kind::Kind;
use super::state::State;
use super::{breakdown, golden, pending};
use crate::finding::{Finding, Verdict};
use crate::protocol::{Facts, GameEvent};

impl State {
    /// Adds the findings that the end of the game itself shows, and returns what is known of the game.
    pub(super) fn end(&mut self) -> (Vec<GameEvent>, Facts) {
        if let Some(pending) = self.waits.pending.take() {
            let finding = pending::finding(&self.seen, &pending);
            self.results.findings.push(finding);
        }
        if self.results.findings.is_empty()
            && self.results.is_finished
            && !self.seen.outside.was_interrupted
        {
            self.results.findings.extend(self.is_cut_short());
        }
        let model = &self.seen.model;
        (model.history().to_vec(), model.facts().clone())
    }
}

impl<K: Kind> State<K> {
    /// The judgement. `end` adds what the end itself shows, and returns the game; `idle` finds that nothing was put to the test.
    pub(super) fn conclude(
        mut self,
        end: impl FnOnce(&mut Self) -> (Vec<GameEvent>, Facts),
        idle: impl FnOnce(&Self) -> Option<Finding>,
    ) -> Judgement {
        let prediction = golden::predicted(&self);
        if let Some(predicted) = &prediction {
            golden::compare(&mut self, predicted);
        }
        let (history, facts) = end(&mut self);
        if self.results.findings.is_empty()
            && (!self.results.is_finished || self.seen.outside.was_interrupted)
        {
            let title = if self.seen.outside.was_interrupted {
                "interrupted"
            } else {
                "the game was broken off"
            };
            self.results
                .findings
                .push(Finding::new(Verdict::Inconclusive, title));
        }
        self.results.open.sort();
        let mut observed: Vec<_> = self
            .seen
            .lanes
            .iter_mut()
            .map(|lane| std::mem::take(&mut lane.entries))
            .collect();
        let transcript = self
            .seen
            .transcript_of(|lane| std::mem::take(&mut observed[lane]));
        if self.results.findings.is_empty() {
            self.results.findings.extend(idle(&self));
        }
        let kept = if self.results.open.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Lenient
        };
        let verdict = self
            .results
            .findings
            .first()
            .map_or(kept, |finding| finding.verdict);
        let mut judgement = Judgement {
            verdict,
            findings: self.results.findings,
            open: self.results.open,
            prediction,
            transcript,
            history,
            setup: facts.setup,
            names: facts.names,
            has_lagged: self.seen.lags.has_excused,
        };
        breakdown::notices(&mut judgement, self.seen.outside.notices);
        if self.seen.outside.speaks_elsewhere {
            breakdown::mute(
                &self.seen.scenario,
                &mut judgement.verdict,
                &mut judgement.findings,
            );
        }
        if self.seen.outside.is_unsupervised {
            let finding = breakdown::unsupervised(self.seen.scenario.side());
            judgement.verdict = finding.verdict;
            judgement.findings = vec![finding];
        }
        judgement
    }
}
