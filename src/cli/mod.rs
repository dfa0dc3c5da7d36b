//! Arguments and exit codes; one file per command.

mod exit;

pub use exit::Status;

use clap::{Parser, Subcommand};

/// Protocol conformance tester and replay tool for turn-based game referees and bots.
#[derive(Debug, Parser)]
#[command(name = "urtext", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {}

/// Runs the program with the arguments of the process.
pub fn main() -> Status {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are results, wrong usage is not; clap knows which stream each belongs to.
            let is_usage = error.use_stderr();
            drop(error.print());
            return if is_usage { Status::Usage } else { Status::Conforms };
        }
    };
    match cli.command {}
}
