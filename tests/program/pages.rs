//! The documentation: its links, commands, options, paths and words are those that there are, and `urtext help` shows its pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use urtext::cli::Status;
use urtext::finding::Verdict;

use crate::harness::{Place, ROOT, urtext};

/// All Markdown files of the repository, by their paths from its root.
fn pages() -> BTreeMap<PathBuf, String> {
    let folders = ["README.md", "docs", "src", "snapshots", "tests/peers"];
    let entries = folders
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(Path::new(ROOT).join(folder)));
    let files = entries.map(|entry| entry.unwrap().into_path());
    let pages = files.filter(|file| file.extension().is_some_and(|ending| ending == "md"));
    pages
        .map(|page| {
            (
                page.strip_prefix(ROOT).unwrap().into(),
                fs::read_to_string(page).unwrap(),
            )
        })
        .collect()
}

fn page(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// The text outside of blocks of code, and what is in blocks of this language.
fn parts(page: &str, language: &str) -> (String, String) {
    let (mut text, mut code) = (String::new(), String::new());
    let mut fence: Option<(&str, bool)> = None;
    for line in page.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            None if ticks.len() > 2 => fence = Some((ticks, &line[ticks.len()..] == language)),
            None => text += &format!("{line}\n"),
            Some((end, _)) if line == end => fence = None,
            Some((_, true)) => code += &format!("{line}\n"),
            Some(_) => {}
        }
    }
    (text, code)
}

/// The anchors of a page, as GitHub makes them of headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = parts(page, "").0;
    let headings = headings.lines().filter(|line| line.starts_with('#'));
    let letter = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == ' ';
    headings
        .map(|heading| heading.trim_start_matches('#').trim().to_lowercase())
        .map(|heading| {
            heading
                .chars()
                .filter(|&one| letter(one))
                .collect::<String>()
                .replace(' ', "-")
        })
        .collect()
}

/// The targets of the links in this text.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_there_are() {
    let pages = pages();
    let mut seen = 0;
    for (path, text) in &pages {
        for target in links(&parts(text, "").0) {
            if target.starts_with("http") || target.starts_with("mod@") {
                continue;
            }
            seen += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let whole = Path::new(ROOT).join(path.parent().unwrap()).join(file);
            let linked = if file.is_empty() {
                Path::new(ROOT).join(path)
            } else {
                whole
            };
            let here = format!("{} links to {target}", path.display());
            assert!(linked.is_file(), "{here}, which is not there");
            if !anchor.is_empty() {
                let headings = anchors(&fs::read_to_string(linked).unwrap());
                assert!(
                    headings.contains(anchor),
                    "{here}, and there is only {headings:?}"
                );
            }
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn every_page_is_reached_from_the_readme() {
    let readme = page("README.md");
    let linked: BTreeSet<_> = links(&readme).into_iter().map(PathBuf::from).collect();
    for path in pages().into_keys().filter(|path| path.starts_with("docs")) {
        assert!(linked.contains(&path), "{} is not linked", path.display());
    }
}

#[test]
fn the_pages_are_few_and_short() {
    let length = |text: &String| text.chars().count();
    let pages = pages();
    let docs: Vec<usize> = pages
        .iter()
        .filter(|(path, _)| path.starts_with("docs"))
        .map(|(_, text)| length(text))
        .collect();
    assert!(docs.len() <= 12, "{} pages", docs.len());
    let sum: usize = docs.iter().sum();
    assert!(sum <= 115_000, "{sum} characters in the pages");
    let readme = length(&pages[Path::new("README.md")]);
    assert!(readme <= 5_000, "{readme} characters in the README");
}

#[test]
fn help_lists_every_page_and_shows_it() {
    let list = urtext(&["help"]).expect(0).stdout;
    let (commands, topics) = list
        .split_once("Pages of the documentation, by `urtext help TOPIC`:")
        .unwrap();
    let rows = topics.lines().filter_map(|row| row.strip_prefix("  "));
    let names: Vec<&str> = rows
        .filter_map(|row| row.split_whitespace().next())
        .collect();
    let embedded = pages()
        .into_keys()
        .filter(|path| path.starts_with("docs") || path.starts_with("src"));
    assert_eq!(names.len(), embedded.count(), "{names:?}");
    for name in names {
        assert!(
            !commands.contains(&format!("\n  {name} ")),
            "{name} is a command as well"
        );
    }
    for (name, file) in [
        ("guide", "docs/guide.md"),
        ("urtext.yaml", "docs/urtext-yaml.md"),
        ("golden-format", "src/transcript/golden.md"),
    ] {
        assert_eq!(urtext(&["help", name]).expect(0).stdout, page(file));
    }
}

#[test]
fn help_explains_a_command_as_its_own_option_does() {
    for command in ["run", "referee"] {
        let own = urtext(&[command, "--help"]).expect(0).stdout;
        assert_eq!(urtext(&["help", command]).expect(0).stdout, own);
    }
}

/// The commands in a page's blocks for the console, each on one line, without their comments.
fn commands(page: &str) -> Vec<String> {
    let code = parts(page, "console").1.replace("\\\n", " ");
    let lines = code
        .lines()
        .filter_map(|line| line.strip_prefix("$ urtext "));
    lines
        .map(|line| line.split(" # ").next().unwrap().trim().to_owned())
        .collect()
}

#[test]
fn every_command_has_the_options_that_the_pages_give_it() {
    let mut helps = BTreeMap::new();
    let mut seen = 0;
    for (path, text) in pages() {
        for line in commands(&text) {
            // What stands after it is the command of a subject.
            let own = line.split(" -- ").next().unwrap();
            let mut words = own.split_whitespace();
            let Some(command) = words.next() else {
                continue;
            };
            let help = helps
                .entry(command.to_owned())
                .or_insert_with(|| urtext(&["help", command]).expect(0).stdout);
            for option in words.filter(|word| word.starts_with("--")) {
                seen += 1;
                let option = option.split('=').next().unwrap();
                let is_known = help.split([' ', ',', '\n']).any(|word| word == option);
                assert!(
                    is_known,
                    "{}: `{line}`: there is no {option}",
                    path.display()
                );
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_pages_know_every_verdict_with_its_exit_status() {
    let text = page("docs/running.md");
    let rows: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| *")?.split_once("* | "))
        .collect();
    let mut seen = BTreeSet::new();
    for (word, rest) in rows {
        let Some(verdict) = Verdict::of(word) else {
            continue;
        };
        let status = rest.split(" | ").nth(1).unwrap();
        assert_eq!(
            status[..1],
            Status::of(verdict).code().to_string(),
            "{word}"
        );
        seen.insert(word);
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
    for status in [
        Status::Conforms,
        Status::Deviates,
        Status::Usage,
        Status::Broken,
        Status::Open,
        Status::Interrupted,
    ] {
        assert!(
            text.contains(&format!("\n| {} | ", status.code())),
            "{status:?}"
        );
    }
}

#[test]
fn the_scenario_of_the_readme_is_sound() {
    let place = Place::new();
    place.write(
        "scenarios/readme.yaml",
        &parts(&page("README.md"), "yaml").1,
    );
    place
        .urtext(&["check"])
        .expect(0)
        .says("checked 1 scenario: no problems");
}

#[test]
fn the_words_of_the_guide_are_in_order() {
    let text = page("docs/guide.md");
    let terms: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| *")?.split('*').next())
        .collect();
    assert!(terms.len() > 12 && terms.is_sorted(), "{terms:?}");
}

#[test]
fn what_contributors_are_led_to_is_there() {
    let text = page("docs/CONTRIBUTING.md");
    let folders = ["src/", "tests/", "scenarios/", "snapshots/", ".ci/"];
    let named = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| folders.iter().any(|folder| word.starts_with(folder)));
    let mut seen = 0;
    for path in named.filter(|path| !path.contains(' ')) {
        // `GAME` and the like stand for any of them.
        for (game, side) in [("royalur", "referee"), ("onitama", "bot")] {
            let file = path
                .replace("GAME", game)
                .replace("SIDE", side)
                .replace("NAME.yaml", "");
            assert!(
                Path::new(ROOT).join(&file).exists(),
                "{path}: there is no {file}"
            );
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
