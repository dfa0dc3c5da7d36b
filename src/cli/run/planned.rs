//! The games that a run plays.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use super::super::Status;
use super::super::server::stored_matches;
use super::super::subject::Tested;
use super::filters::FilterArgs;
use super::selection::{free_games, game_of, gather, kind, pair, without_slow};
use super::{RunArgs, are_in_memory};
use crate::config::file;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::engine::{GamePlan, Network};
use crate::report::{Baseline, ShardHead};
use crate::scenario::Scenario;

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
        let baseline = self.baseline.as_ref();
        let scenarios = self.games.iter().map(|game| &game.scenario);
        let known =
            scenarios.filter(|scenario| baseline.is_some_and(|of| of.is_about(&scenario.name)));
        known.map(|scenario| scenario.name.clone()).collect()
    }
}

impl RunArgs {
    /// Returns the games to play.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    pub(in crate::cli) fn planned(&self) -> Result<Planned, Status> {
        let mut faults = Diagnostics::new();
        let (tested, scenarios) = self.tested_and_selected(&mut faults)?;
        faults.extend(self.subject.command_among(&self.paths));
        let config = self.subject.config_file();
        let is_new =
            self.update_baseline && !file::is_there(&self.baseline.path(config.as_deref()));
        let baseline = match is_new {
            true => Ok(None),
            false => self.baseline.read(config.as_deref()),
        };
        let baseline = baseline.map_err(|found| faults.append(found));
        if self.bless && crate::cli::bless::is_ci() {
            let fault = Diagnostic::error(
                "run/bless",
                "goldens are not written under CI (the variable CI is set)",
            );
            faults.push(fault.help("bless where you work, look at the change, and commit it"));
        }
        let (all, heading) = match tested.filter(|_| !faults.has_errors()) {
            Some(tested) => pair(scenarios, &tested, self, &mut faults),
            None => (Vec::new(), String::new()),
        };
        let fitting = all.len();
        let mut games = if self.slow { all } else { without_slow(all) };
        let left_out = fitting - games.len();
        if self.network != Network::Ideal && !are_in_memory(&games) {
            let fault = Diagnostic::error("run/network", "--network is for the built-in peers");
            faults.push(fault.help("leave it out, or write --subject built-in"));
        }
        if !faults.is_empty() {
            let _ = writeln!(anstream::stderr(), "{}", faults.draw(Paint::Coloured));
        }
        if faults.has_errors() {
            return Err(Status::Usage);
        }
        let shard = self.filters.take_shard(&mut games);
        self.assert_debuggable(&games)?;
        let baseline = baseline.unwrap_or_default();
        Ok(Planned {
            heading,
            left_out,
            games,
            shard,
            baseline,
        })
    }

    /// What is tested, and the scenarios that are selected. A subject that the command line describes without its game plays that of the
    /// selection, where that has one game.
    fn tested_and_selected(
        &self,
        faults: &mut Diagnostics,
    ) -> Result<(Option<Tested>, Vec<Scenario>), Status> {
        if let Some(side) = self.subject.described_side()
            && self.free_games.is_none()
        {
            let kind = (side, self.subject.named_protocol());
            let scenarios = self.selected(faults, |matches, faults| {
                gather(self, kind, matches, faults)
            })?;
            let subject = self.subject.playing(game_of(&scenarios, side));
            return Ok((subject.tested(faults), scenarios));
        }
        let tested = self.subject.tested(faults);
        let Some(of) = &tested else {
            return Ok((None, Vec::new()));
        };
        let scenarios = self.selected(faults, |matches, faults| match self.free_games {
            None => gather(self, kind(self, of), matches, faults),
            Some(games) => free_games(self, games, of).unwrap_or_else(|fault| {
                faults.push(fault);
                Vec::new()
            }),
        })?;
        Ok((tested, scenarios))
    }

    /// The scenarios that are gathered, as far as the filters take them.
    fn selected(
        &self,
        faults: &mut Diagnostics,
        gather: impl FnOnce(&[(PathBuf, Vec<u8>)], &mut Diagnostics) -> Vec<Scenario>,
    ) -> Result<Vec<Scenario>, Status> {
        let filter = self.filters.filter()?;
        let matches = stored_matches(&self.paths)?;
        let mut scenarios = gather(&matches, faults);
        let count = scenarios.len();
        scenarios.retain(|scenario| filter.takes(scenario));
        if scenarios.is_empty() && count > 0 {
            faults.push(FilterArgs::nothing(count));
        }
        Ok(scenarios)
    }
}
