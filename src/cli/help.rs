//! `urtext help`: the help of a command, or a page of the documentation.

use std::borrow::Cow;

use clap::{Args, CommandFactory, Parser};
use include_dir::{Dir, File, include_dir};

use super::Status;
use super::command::Cli;
use super::output::{parser, print_text, say};
use crate::diagnostic::{Diagnostic, Diagnostics, suggest, visible};

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
    Page::of(
        "golden-format",
        "src/transcript/golden.md",
        include_str!("../transcript/golden.md"),
    ),
    Page::of(
        "recording-format",
        "src/transcript/recording.md",
        include_str!("../transcript/recording.md"),
    ),
    Page::of(
        "stream-format",
        "src/transcript/bare.md",
        include_str!("../transcript/bare.md"),
    ),
    Page::of(
        "lanes-format",
        "src/transport/shared.md",
        include_str!("../transport/shared.md"),
    ),
    Page::of(
        "coco-protocol",
        "src/transport/coco/coco.md",
        include_str!("../transport/coco/coco.md"),
    ),
];

/// A page of the documentation.
struct Page {
    name: Cow<'static, str>,
    /// The end of the path from the root of the repository.
    path: &'static str,
    text: &'static str,
}

impl Page {
    const fn of(name: &'static str, path: &'static str, text: &'static str) -> Page {
        Page {
            name: Cow::Borrowed(name),
            path,
            text,
        }
    }

    /// Returns the heading, or the beginning of the first sentence.
    fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        match first.strip_prefix("# ") {
            Some(heading) => heading,
            None => first.split([':', ',', '.']).next().unwrap_or_default(),
        }
    }
}

/// All pages, grouped under their headings.
fn groups() -> [(&'static str, Vec<Page>); 2] {
    let page = |file: &'static File| {
        let path = file.path().to_str().filter(|path| path.ends_with(".md"))?;
        let name = file.path().file_stem()?.to_str()?.to_lowercase().into();
        Some(Page {
            name,
            path,
            text: file.contents_utf8()?,
        })
    };
    let mut pages: Vec<_> = DOCS.files().filter_map(page).collect();
    // Files whose names are in capitals are for later.
    pages.sort_by_key(|page| (page.path.starts_with(char::is_uppercase), page.path));
    [("Pages", pages), ("Formats", FORMATS.into())]
}

fn pages() -> impl Iterator<Item = Page> {
    groups().into_iter().flat_map(|(_, pages)| pages)
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
        if let [_] = self.words.as_slice()
            && let Some(page) = pages().find(|page| page.name == name)
        {
            print_text(page.text);
            return Status::Conforms;
        }
        let pages: Vec<_> = pages().collect();
        let known = pages.iter().map(|page| page.name.as_ref());
        let known = known.chain(commands.get_subcommands().map(clap::Command::get_name));
        let asked = self.words.join(" ");
        let title = format!(
            "there is no command and no page `{}`",
            visible::plain(&asked).at_most(60)
        );
        let fault = Diagnostic::error("help/unknown", title);
        let mut faults = Diagnostics::new();
        faults.push(match suggest(&name, known) {
            Some(meant) => fault.help(format!("did you mean `urtext help {meant}`?")),
            None => fault.help("`urtext help` lists them all"),
        });
        say(&faults);
        Status::Usage
    }
}

/// The list of pages.
fn topics() -> String {
    let widest = pages()
        .map(|page| page.name.len())
        .max()
        .unwrap_or_default();
    let row = |page: &Page| format!("\n  {:widest$}  {}", page.name, page.title());
    let group = |(heading, pages): (_, Vec<Page>)| {
        format!(
            "\n\n{heading}:{}",
            pages.iter().map(row).collect::<String>()
        )
    };
    let groups: String = groups().into_iter().map(group).collect();
    format!("Pages of the documentation, by `urtext help TOPIC`:{groups}")
}
