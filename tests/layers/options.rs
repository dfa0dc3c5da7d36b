//! The options of the command line, which only `cli` names.

use crate::source::{SOURCES, Source};

/// Files with commands that start this program. Their options are arguments, like those of any subject.
const COMMANDS: [&str; 2] = ["engine/attach/plan.rs", "peers/built_in.rs"];

/// The fields of a pack with such arguments.
const ARGUMENTS: [&str; 2] = ["referee_arguments:", "bot_arguments:"];

/// Files that still name an option.
const OPEN: [&str; 1] = ["replay/text.rs"];

/// The lines of a file below `cli` that name an option.
fn named(source: &Source) -> Vec<String> {
    let is_exempt = |path: &str| source.path.starts_with(path);
    if source.layer().is_none_or(|layer| layer == "cli")
        || COMMANDS.iter().chain(&OPEN).any(|path| is_exempt(path))
    {
        return Vec::new();
    }
    let is_option = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    let lines = source.code.lines().enumerate();
    let naming = lines.filter(|(_, line)| {
        !ARGUMENTS.iter().any(|field| line.contains(field))
            && line.split("--").skip(1).any(is_option)
    });
    naming
        .map(|(index, line)| format!("{}:{}: {}", source.path.display(), index + 1, line.trim()))
        .collect()
}

#[test]
fn no_option_is_named_below_cli() {
    let found: Vec<_> = SOURCES.iter().flat_map(named).collect();
    assert!(
        found.is_empty(),
        "name a `diagnostic::Setting` instead:\n{}",
        found.join("\n")
    );
}

#[test]
fn sees_an_option_in_a_string_and_none_in_a_comment() {
    let text = "// --no\nfn f() -> &'static str {\n    \"see --jobs, or -- COMMAND\"\n}\n";
    let found = ["engine/run.rs:3: \"see --jobs, or -- COMMAND\""];
    assert_eq!(named(&Source::new("engine/run.rs", text)), found);
    assert!(named(&Source::new("cli/run.rs", text)).is_empty());
}
