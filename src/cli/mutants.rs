//! `urtext mutants`: how good a suite is, by the deliberate faults that it catches.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::Status;
use super::interrupt::{Interrupt, interruptible};
use super::output::{broken, interrupted};
use super::progress::SessionProgress;
use super::report_files::{ReportOptions, console_report};
use super::subject::unknown_fault;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
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
    /// List the failed scenarios of each fault
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    reports: ReportOptions,
}

const HELP: &str = "\
urtext plays every scenario in memory, first against the correct built-in peer, then against the peer with each fault. A fault is caught \
if a scenario fails with the requirement that the fault breaks.

Exit status: 0 every fault was caught, or observed if the specification allows it; 1 a fault was missed, or the correct peer failed; 2 an \
error in what you wrote; 3 the run broke; 130 interrupted.";

impl MutantsArgs {
    /// Plays, and says what was caught.
    pub(super) fn run(self) -> Status {
        if let Err(status) = self.reports.probe() {
            return status;
        }
        let mut problems = Diagnostics::new();
        let suites = self.suites(&mut problems);
        if problems.has_errors() {
            let _ = writeln!(anstream::stderr(), "{}", problems.draw(Paint::Coloured));
            return Status::Usage;
        }
        let mut matrices = Vec::new();
        let measured =
            interruptible(async |interrupt| measure(&suites, interrupt, &mut matrices).await);
        match measured {
            Ok(true) => self.report(&matrices, Status::Conforms),
            Ok(false) => {
                let left_out = "games and sides that were not finished are left out";
                self.report(&matrices, interrupted(left_out))
            }
            Err(error) => broken(&format!("the run cannot begin: {error}")),
        }
    }

    /// The suites to measure.
    fn suites(&self, problems: &mut Diagnostics) -> Vec<Suite> {
        let (scenarios, found) = if self.paths.is_empty() {
            scenario::suite::named(&self.suite)
        } else {
            scenario::load(&self.paths)
        };
        problems.append(found);
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
        suites
    }

    fn report(&self, matrices: &[Matrix], status: Status) -> Status {
        let status = match matrices.iter().all(Matrix::is_whole) {
            true => status,
            false => status.worse(Status::Deviates),
        };
        let faults = matrices.iter();
        let faults = faults.flat_map(|matrix| report::mutant_results(matrix, self.verbose));
        let counts: Vec<_> = matrices.iter().map(report::summarize_matrix).collect();
        let counts = counts.join("; ");
        let results = Results::new("mutants", counts, status.code(), faults.collect());
        let text = console_report(&results, self.verbose);
        status.worse(self.reports.print_and_write(&text, &results))
    }
}

/// Plays the games of each suite, and adds its results once it is whole. Returns false if the user has interrupted.
async fn measure(
    suites: &[Suite],
    interrupt: &Interrupt,
    matrices: &mut Vec<Matrix>,
) -> io::Result<bool> {
    let progress = SessionProgress::default();
    for suite in suites {
        let session = Session::once(suite.run());
        let played = session
            .play(&interrupt.told(), &|event| progress.take(event))
            .await?;
        if played.is_interrupted {
            return Ok(false);
        }
        matrices.push(suite.matrix(&played.outcomes));
    }
    Ok(true)
}
