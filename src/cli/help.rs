//! What a user or an editor looks up: `urtext help`, `urtext schema`, `urtext completions` and `urtext man`.

use std::fs;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use clap_complete::Shell;
use include_dir::{self as embedded, Dir, include_dir};

use super::output::{OrBroken, print, print_text};
use super::repeat;
use super::{GROUPS, Status, described};
use crate::requirement::Catalogue;
use crate::scenario::schema;
use crate::transcript::recording;
use crate::{config, replay, report};

/// Arguments of `urtext help`.
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    /// A command, or a page of the documentation; without one, both are listed
    #[arg(value_name = "TOPIC", value_parser = topics(), ignore_case = true, hide_possible_values = true)]
    topic: Option<String>,
}

static DOCS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/docs");

/// Formats are described beside their code.
const FORMATS: [Page; 5] = [
    ("golden-format", include_str!("../transcript/golden.md")),
    (
        "recording-format",
        include_str!("../transcript/recording.md"),
    ),
    ("stream-format", include_str!("../transcript/bare.md")),
    ("lanes-format", include_str!("../transport/shared.md")),
    ("coco-protocol", include_str!("../transport/coco/coco.md")),
];

/// The name of a page of the documentation, and its text.
type Page = (&'static str, &'static str);

/// All pages. Those whose names are in capitals are for later.
fn pages() -> Vec<Page> {
    let page = |file: &'static embedded::File<'static>| {
        let name = file.path().to_str()?.strip_suffix(".md")?;
        Some((name, file.contents_utf8()?))
    };
    let mut pages: Vec<_> = DOCS.files().filter_map(page).collect();
    pages.sort_by_key(|(name, _)| (name.starts_with(char::is_uppercase), *name));
    pages.extend(FORMATS);
    pages
}

/// The commands and the pages.
fn topics() -> PossibleValuesParser {
    let commands = GROUPS.iter().flat_map(|(_, commands)| *commands).copied();
    let topic = |name| match name {
        "urtext-yaml" => PossibleValue::new(name).alias("urtext.yaml"),
        _ => PossibleValue::new(name),
    };
    let topics = commands.chain(pages().into_iter().map(|(name, _)| name));
    topics.map(topic).collect::<Vec<_>>().into()
}

impl HelpArgs {
    /// Shows it.
    pub(super) fn run(&self) -> Result<Status, Status> {
        let mut program = described();
        program.build();
        let Some(topic) = &self.topic else {
            print(&format!("{}\n{}", program.render_help().ansi(), list()));
            return Ok(Status::Conforms);
        };
        if let Some(command) = program.find_subcommand_mut(topic) {
            print_text(&command.render_long_help().ansi().to_string());
            return Ok(Status::Conforms);
        }
        let name = topic.replace('.', "-");
        let pages = pages();
        let page = pages.iter().find(|page| page.0.eq_ignore_ascii_case(&name));
        print_text(page.expect("the parser takes only topics").1);
        Ok(Status::Conforms)
    }
}

/// The list of pages, each with its heading, or with the beginning of its first sentence.
fn list() -> String {
    let row = |(name, text): Page| {
        let first = text.lines().next().unwrap_or_default();
        let title = match first.strip_prefix("# ") {
            Some(heading) => heading,
            None => first.split([':', ',', '.']).next().unwrap_or_default(),
        };
        format!("\n  {:16}  {title}", name.to_lowercase())
    };
    let rows: String = pages().into_iter().map(row).collect();
    format!("Pages of the documentation, by `urtext help TOPIC`:\n{rows}")
}

/// Prints the JSON Schema of a file, for editors
#[derive(Debug, Args)]
#[command(after_help = "\
For the YAML language server, name the schema in the first line of the file:

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
        print(&format!("{schema:#}"));
        Ok(Status::Conforms)
    }
}

/// Arguments of `urtext completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  urtext completions bash > ~/.local/share/bash-completion/completions/urtext
  urtext completions zsh > ~/.zfunc/_urtext          # a folder of $fpath
  urtext completions fish > ~/.config/fish/completions/urtext.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script for a program.
    pub(super) fn run(&self, mut program: clap::Command) -> Result<Status, Status> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, repeat::program(), &mut script);
        print(String::from_utf8_lossy(&script).trim_end());
        Ok(Status::Conforms)
    }
}

/// Arguments of `urtext man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  urtext man ~/.local/share/man/man1 && man urtext-run")]
pub(super) struct ManArgs {
    /// The folder for the pages: urtext.1, and one for each command
    folder: PathBuf,
}

impl ManArgs {
    /// Writes the manual pages of a program.
    pub(super) fn run(&self, program: clap::Command) -> Result<Status, Status> {
        let made = fs::create_dir_all(&self.folder);
        let written = made.and_then(|()| clap_mangen::generate_to(program, &self.folder));
        written.or_unwritable(&self.folder)?;
        Ok(Status::Conforms)
    }
}
