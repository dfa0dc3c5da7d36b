//! `urtext help`: the help of a command, or a page of the documentation.

use clap::{Args, CommandFactory, Parser};
use include_dir::{Dir, File, include_dir};

use super::Status;
use super::command::Cli;
use super::output::{parser, print_text, say};
use crate::diagnostic::{Diagnostic, suggest, visible};

/// Arguments of `urtext help`.
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    /// A command, or a page of the documentation; without one, both are listed
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
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
    let page = |file: &'static File<'static>| {
        let name = file.path().to_str()?.strip_suffix(".md")?;
        Some((name, file.contents_utf8()?))
    };
    let mut pages: Vec<_> = DOCS.files().filter_map(page).collect();
    pages.sort_by_key(|(name, _)| (name.starts_with(char::is_uppercase), *name));
    pages.extend(FORMATS);
    pages
}

impl HelpArgs {
    /// Shows it.
    pub(super) fn run(&self) -> Status {
        let Some(first) = self.words.first() else {
            drop(Cli::command().after_help(topics()).print_help());
            return Status::Conforms;
        };
        let commands = Cli::command();
        if commands.find_subcommand(first).is_some() {
            let words = [
                &["urtext".to_owned()],
                self.words.as_slice(),
                &["--help".to_owned()],
            ]
            .concat();
            let Err(help) = Cli::try_parse_from(words) else {
                return Status::Usage;
            };
            return parser(&help);
        }
        let name = first.to_lowercase().replace('.', "-");
        let pages = pages();
        let page = pages.iter().find(|page| page.0.to_lowercase() == name);
        if let ([_], Some((_, text))) = (&self.words[..], page) {
            print_text(text);
            return Status::Conforms;
        }
        let known = pages.iter().map(|(name, _)| *name);
        let known = known.chain(commands.get_subcommands().map(clap::Command::get_name));
        let asked = self.words.join(" ");
        let title = format!(
            "there is no command and no page `{}`",
            visible::plain(&asked).at_most(60)
        );
        let help = match suggest(&name, known) {
            Some(meant) => format!("did you mean `urtext help {meant}`?"),
            None => "`urtext help` lists them all".to_owned(),
        };
        say(&Diagnostic::error("help/unknown", title).help(help).into());
        Status::Usage
    }
}

/// The list of pages, each with its heading, or with the beginning of its first sentence.
fn topics() -> String {
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
