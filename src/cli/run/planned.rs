//! The games that a run plays.

use std::collections::BTreeSet;
use std::io::Write;

use super::super::Status;
use super::super::output::usage;
use super::super::replay::has_screen;
use super::super::server_matches::ServerMatches;
use super::filters::FilterArgs;
use super::selection::{gather, pair, without_slow};
use super::{RunArgs, ShownStderr};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::engine::GamePlan;
use crate::report::{Baseline, ShardHead};

/// Games that are to be played.
pub(in crate::cli) struct Planned {
    pub(in crate::cli) games: Vec<GamePlan>,
    /// The first line of the report.
    pub(in crate::cli) heading: String,
    pub(super) shard: Option<ShardHead>,
    pub(super) baseline: Option<Baseline>,
    /// Number of slow scenarios that are left out.
    pub(super) left_out: usize,
}

impl Planned {
    /// Names of the scenarios whose failure is known.
    pub(super) fn spared(&self) -> BTreeSet<String> {
        let scenarios = self.games.iter().map(|game| &game.scenario);
        let baseline = self.baseline.as_ref();
        let known = scenarios.filter(|scenario| baseline.is_some_and(|of| of.is_about(scenario)));
        known.map(|scenario| scenario.name.clone()).collect()
    }
}

impl RunArgs {
    /// Returns the games to play.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    pub(in crate::cli) fn planned(&self) -> Result<Planned, Status> {
        if self.live && !has_screen() {
            return Err(usage("--live shows games on a terminal, and this is none"));
        }
        if self.live && self.stderr == ShownStderr::Live {
            return Err(usage(
                "--stderr live writes where --live shows the game; leave one of them out",
            ));
        }
        let mut faults = Diagnostics::new();
        let mut tested = self.subject.tested(&mut faults);
        if self.simulated {
            tested = tested.and_then(|tested| tested.simulated(&mut faults));
        }
        faults.extend(self.subject.command_among(&self.paths));
        let scenarios = match &tested {
            Some(tested) => {
                let filter = self.filters.filter()?;
                let server_matches = ServerMatches::fetch(&self.paths)?;
                let mut scenarios = gather(self, tested, &server_matches, &mut faults);
                let count = scenarios.len();
                scenarios.retain(|scenario| filter.takes(scenario));
                self.filters.put_in_order(&mut scenarios);
                if scenarios.is_empty() && count > 0 {
                    faults.push(FilterArgs::nothing(count));
                }
                scenarios
            }
            None => Vec::new(),
        };
        let config = self.subject.config_file();
        let baseline = self.baseline.read(config.as_deref());
        let baseline = baseline.map_err(|found| faults.append(found));
        if self.bless && crate::cli::bless::is_ci() {
            let fault = Diagnostic::error(
                "run/bless",
                "goldens are not written under CI (the variable CI is set)",
            );
            faults.push(fault.help("bless where you work, look at the change, and commit it"));
        }
        let (all, heading) = match tested.filter(|_| faults.is_empty()) {
            Some(tested) => pair(scenarios, tested, self, &mut faults),
            None => (Vec::new(), String::new()),
        };
        let fitting = all.len();
        let mut games = if self.slow { all } else { without_slow(all) };
        let left_out = fitting - games.len();
        if !faults.is_empty() {
            let _ = writeln!(anstream::stderr(), "{}", faults.draw(Paint::Coloured));
            return Err(Status::Usage);
        }
        let shard = self.filters.take_shard(&mut games)?;
        self.assert_debuggable(&games)?;
        let baseline = baseline.unwrap_or_default();
        Ok(Planned {
            heading: self.rounds.heading(heading),
            left_out,
            games,
            shard,
            baseline,
        })
    }
}
