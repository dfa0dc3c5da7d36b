//! `urtext mutants`: how good a suite is, by the deliberate faults that it catches.

use std::path::PathBuf;

use clap::Args;

use super::Status;
use super::output::{checked, interrupted};
use super::progress::SessionProgress;
use super::subject::unknown_fault;
use crate::config::file::Reports;
use crate::diagnostic::Diagnostic;
use crate::mutation::{Matrix, Suite};
use crate::report::{self, Results};
use crate::scenario;
use crate::session::Session;

/// Arguments of `urtext mutants`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct MutantsArgs {
    /// Scenario files or folders [default: the shipped suites]
    #[arg(value_name = "PATH", conflicts_with = "suite")]
    paths: Vec<PathBuf>,
    /// A shipped suite, such as royalur/referee; may be repeated
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,
    /// Play slow scenarios too, and the faults that only they catch
    #[arg(long)]
    slow: bool,
    /// Only this fault; may be repeated
    #[arg(long, value_name = "NAME")]
    fault: Vec<String>,
    /// Do not force rolls or deals, as for a referee without a hook; SEED chooses them
    #[arg(long, value_name = "SEED")]
    without_hook: Option<u64>,
    /// List the failed scenarios of each fault
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    reports: Reports,
}

const HELP: &str = "\
urtext plays every scenario in memory, first against the correct built-in peer, then against the peer with each fault. A fault is caught \
if a scenario fails with the requirement that the fault breaks.";

impl MutantsArgs {
    /// Plays, and says what was caught.
    pub(super) fn run(self) -> Result<Status, Status> {
        self.reports.probe()?;
        let suites = self.suites()?;
        let (mut matrices, mut status) = (Vec::new(), Status::Conforms);
        for suite in suites {
            let played = SessionProgress::play(Session::once(suite.run()), false)?;
            if played.is_interrupted {
                status = interrupted("games and sides that were not finished are left out");
                break;
            }
            let games = played.games.into_iter();
            let outcomes: Vec<_> = games.map(|game| game.outcome).collect();
            matrices.push(suite.matrix(&outcomes));
        }
        Ok(self.report(&matrices, status))
    }

    /// The suites to measure.
    fn suites(&self) -> Result<Vec<Suite>, Status> {
        let (scenarios, mut problems) = match self.paths.is_empty() {
            true => scenario::suite::named(&self.suite),
            false => scenario::load(&self.paths),
        };
        let mut suites = Suite::all(scenarios, self.slow);
        if suites.is_empty() && !problems.has_errors() {
            let title = "there is no scenario of a game with built-in peers";
            problems.push(Diagnostic::error("mutants/nothing", title));
        }
        let known: Vec<_> = suites.iter().flat_map(Suite::faults).collect();
        let names = self.fault.iter();
        let unknown = names.filter(|name| !known.contains(&name.as_str()));
        problems.extend(unknown.map(|name| unknown_fault(name, known.clone())));
        if !self.fault.is_empty() {
            let narrow = |suite: &mut Suite| suite.keep_faults(&self.fault);
            suites.iter_mut().for_each(narrow);
        }
        suites.retain(Suite::has_games);
        if let Some(seed) = self.without_hook {
            let chance = |suite: Suite| suite.by_chance(seed);
            suites = suites.into_iter().map(chance).collect();
        }
        checked(&problems).map(|()| suites)
    }

    fn report(&self, matrices: &[Matrix], status: Status) -> Status {
        let faults = matrices.iter();
        let faults = faults.flat_map(|matrix| report::mutant_results(matrix, self.verbose));
        let counts: Vec<_> = matrices.iter().map(report::summarize_matrix).collect();
        let counts = counts.join("; ");
        let results = Results::new("mutants", counts, status.code(), faults.collect());
        self.reports.finish(&results, self.verbose)
    }
}
