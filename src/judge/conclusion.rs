//! The judgement, once the game is over or was broken off.

use super::judgement::Judgement;
use super::state::State;
use super::{breakdown, causes};
use crate::event::{Finding, Verdict};
use crate::transcript::Transcript;

impl State {
    pub(super) fn into_judgement(mut self, prediction: Option<Transcript>) -> Judgement {
        if let Some(pending) = self.pending.take() {
            let finding = causes::pending(&self, &pending);
            self.findings.push(finding);
        }
        if self.findings.is_empty() && self.is_finished && !self.was_interrupted {
            self.findings.extend(self.is_cut_short());
        }
        if self.findings.is_empty() && (!self.is_finished || self.was_interrupted) {
            let title = if self.was_interrupted {
                "interrupted"
            } else {
                "the game was broken off"
            };
            self.findings
                .push(Finding::new(Verdict::Inconclusive, title));
        }
        self.open.sort();
        let mut observed: Vec<_> = self
            .lanes
            .iter_mut()
            .map(|lane| std::mem::take(&mut lane.entries))
            .collect();
        let transcript = self.transcript_of(|lane| std::mem::take(&mut observed[lane]));
        if self.findings.is_empty() {
            self.findings.extend(self.is_idle(&transcript));
        }
        let kept = if self.open.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Lenient
        };
        let verdict = self
            .findings
            .first()
            .map_or(kept, |finding| finding.verdict);
        let (history, facts) = (self.model.history().to_vec(), self.model.facts());
        let mut judgement = Judgement {
            verdict,
            findings: self.findings,
            open: self.open,
            prediction,
            transcript,
            history,
            setup: facts.setup,
            names: facts.names.clone(),
            has_lagged: self.lags.has_excused,
        };
        breakdown::notices(&mut judgement, self.notices);
        if self.speaks_elsewhere {
            breakdown::mute(
                &self.scenario,
                &mut judgement.verdict,
                &mut judgement.findings,
            );
        }
        judgement
    }
}
