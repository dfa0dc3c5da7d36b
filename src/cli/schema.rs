//! `urtext schema`: what an editor needs to complete and explain the files.

use clap::{Args, ValueEnum};

use super::Status;
use crate::config;
use crate::replay;
use crate::report;
use crate::requirement::Catalogue;
use crate::scenario::schema;
use crate::transcript::recording;

/// Prints the JSON Schema of a file, for editors
#[derive(Debug, Args)]
#[command(after_help = "\
With the YAML language server, a first line in the file names the schema:

  urtext schema > scenario.schema.json
  # yaml-language-server: $schema=scenario.schema.json

A schema checks keys and types. `urtext check` also checks the rules of the game.")]
pub(super) struct SchemaArgs {
    /// The file
    #[arg(value_enum, default_value_t = File::Scenario)]
    file: File,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum File {
    /// A scenario, or turns that scenarios include
    Scenario,
    /// urtext.yaml
    Config,
    /// A catalogue of requirements
    Requirements,
    /// urtext-baseline.yaml
    Baseline,
    /// A line of a JSON report
    Report,
    /// A line of `urtext replay --json`
    Replay,
    /// A line of a recording
    Recording,
}

impl SchemaArgs {
    pub(super) fn run(&self) -> Result<Status, Status> {
        let schema = match self.file {
            File::Scenario => schema::scenario(),
            File::Config => config::file::schema(),
            File::Requirements => Catalogue::schema(),
            File::Baseline => report::Baseline::schema(),
            File::Report => report::json_schema(),
            File::Replay => replay::schema(),
            File::Recording => recording::schema(),
        };
        super::output::print(&format!("{schema:#}"));
        Ok(Status::Conforms)
    }
}
