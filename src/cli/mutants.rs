//! `urtext mutants`: how good a suite is, by the deliberate faults that it catches.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use clap::Args;

use super::Status;
use super::interrupt::{Interrupt, interruptible};
use super::output::{broken, interrupted};
use super::report_files::{ReportOptions, console_report};
use super::run::play::play_whole;
use super::run::progress::Detail;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, did_you_mean, visible};
use crate::mutation::{self, Matrix, Measurement, Suites};
use crate::peers;
use crate::report::{self, Results};
use crate::scenario;

/// Arguments of `urtext mutants`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct MutantsArgs {
    /// Scenario files, or folders of them; without any, the shipped suites
    #[arg(value_name = "PATH", conflicts_with = "suite")]
    paths: Vec<PathBuf>,
    /// A shipped suite, such as royalur/referee; may be repeated
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,
    /// Plays slow scenarios as well, and the faults that only they can catch
    #[arg(long)]
    slow: bool,
    /// Only this fault; may be repeated
    #[arg(long, value_name = "NAME")]
    fault: Vec<String>,
    /// Names every scenario that fails, for every fault
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    reports: ReportOptions,
}

const HELP: &str = "\
Every scenario is played against the honest built-in peer, which has to keep all of them, and then against one with each of its \
faults. The games are played in memory, on a virtual clock. A fault is caught where a scenario fails under the requirement that it breaks.

Exit status: 0 every fault is caught, or is observed where the specification leaves open what it does; 1 a fault is not, or the \
honest peer fails; 2 a fault in what you wrote; 3 the run broke; 130 interrupted.";

impl MutantsArgs {
    /// Plays, and says what was caught.
    pub(super) fn run(self) -> Status {
        if let Err(status) = self.reports.probe() {
            return status;
        }
        let mut problems = Diagnostics::new();
        let suites = self.suites(&mut problems);
        if !problems.has_errors() {
            self.check_faults(&suites, &mut problems);
        }
        if problems.has_errors() {
            drop(writeln!(
                anstream::stderr(),
                "{}",
                problems.draw(Paint::Coloured)
            ));
            return Status::Usage;
        }
        let mut matrices = Vec::new();
        let measured =
            interruptible(async |interrupt| self.measure(suites, interrupt, &mut matrices).await);
        match measured {
            Ok(()) => self.report(&matrices, Status::Conforms),
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                let left_out = "games and sides that were not finished are left out";
                self.report(&matrices, interrupted(left_out))
            }
            Err(error) => broken(&format!("the run cannot begin: {error}")),
        }
    }

    /// The scenarios, by side and game, of those games that have built-in peers.
    fn suites(&self, problems: &mut Diagnostics) -> Suites {
        let (scenarios, faults) = if self.paths.is_empty() {
            scenario::suite::named(&self.suite)
        } else {
            scenario::load(&self.paths)
        };
        problems.append(faults);
        let suites = mutation::suites(scenarios);
        if suites.is_empty() && !problems.has_errors() {
            problems.push(Diagnostic::error(
                "mutants/nothing",
                "there is no scenario of a game with built-in peers",
            ));
        }
        suites
    }

    fn check_faults(&self, suites: &Suites, problems: &mut Diagnostics) {
        let known: Vec<_> = suites
            .keys()
            .flat_map(|&(game, side)| peers::faults_of(game, side))
            .collect();
        for name in self
            .fault
            .iter()
            .filter(|name| known.iter().all(|fault| fault.name != **name))
        {
            let title = format!(
                "no peer of these scenarios has a fault `{}`",
                visible::plain(name).at_most(60)
            );
            let fault = Diagnostic::error("mutants/fault", title);
            let meant = did_you_mean(name, known.iter().map(|fault| fault.name));
            problems.push(fault.help(meant.unwrap_or(
                "`urtext referee GAME --fault list` and `urtext bot GAME --fault list` print them".into(),
            )));
        }
    }

    async fn measure(
        &self,
        suites: Suites,
        interrupt: &Interrupt,
        matrices: &mut Vec<Matrix>,
    ) -> io::Result<()> {
        let measurement = Measurement {
            faults: &self.fault,
            with_slow: self.slow,
        };
        let play = async |run| play_whole(run, interrupt, Detail::Usual).await;
        measurement.matrices(suites, &play, matrices).await
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
