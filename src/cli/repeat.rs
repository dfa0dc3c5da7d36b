//! The command that plays something again, made from the arguments of this one.

use std::path::Path;
use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::subject::quote;

/// Ids of the arguments that the command leaves out: they select games, format reports, or are among the words that the caller gives.
const NOT_REPEATED: &[&str] = &[
    "paths",
    "suite",
    "free_games",
    "list",
    "watch",
    "seed",
    "subject",
    "only",
    "skip",
    "failed",
    "shard",
    "slow",
    "bless",
    "record",
    "jobs",
    "no_diagnosis",
    "allow",
    "stderr",
    "verbose",
    "quiet",
    "report",
    "baseline",
    "update_baseline",
    "debug",
    "retries",
    "repeat",
    "limit",
    "fail_fast",
    // Of `urtext explore`.
    "games",
    "time",
    "failures",
    "out",
    "shrink",
];

static TYPED: OnceLock<Vec<Typed>> = OnceLock::new();

/// An argument that came from the command line and may change a game.
#[derive(Debug)]
struct Typed {
    id: String,
    words: Vec<String>,
    /// The commands that take it.
    verbs: Vec<String>,
}

/// Learns the arguments of the command line.
pub(super) fn learn(program: &Command, matches: &ArgMatches) {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = program.find_subcommand(name)
    {
        TYPED.get_or_init(|| typed(program, command, matches));
    }
}

/// The command line that plays again: `words`, then the arguments of this command line that may change a game and that the command takes, as they
/// were typed. Those with the ids of `except` are left out.
pub(super) fn command(verb: &str, words: &[String], except: &[&str]) -> String {
    let typed = TYPED.get().map_or(&[][..], Vec::as_slice);
    line(typed, verb, words, except)
}

fn line(typed: &[Typed], verb: &str, words: &[String], except: &[&str]) -> String {
    let own = words.iter().filter(|word| !word.is_empty());
    let kept = typed
        .iter()
        .filter(|one| !except.contains(&&*one.id) && one.verbs.iter().any(|of| of == verb));
    let all = own.chain(kept.flat_map(|one| &one.words));
    let start = [program(), verb];
    let all = start.into_iter().chain(all.map(String::as_str));
    all.collect::<Vec<_>>().join(" ")
}

/// A word after others, as a shell reads it: a `=` in it means nothing.
fn quoted(word: &str) -> String {
    let parts: Vec<_> = word.splitn(2, '=').map(quote).collect();
    match parts.concat() == word.replacen('=', "", 1) {
        true => word.to_owned(),
        false => quote(word),
    }
}

fn typed(program: &Command, command: &Command, matches: &ArgMatches) -> Vec<Typed> {
    let is_kept = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine) && !NOT_REPEATED.contains(&id)
    };
    // The words after `--` are the last argument of every command.
    let arguments = command.get_arguments().filter(is_kept);
    let typed = arguments.map(|arg| {
        let id = arg.get_id().as_str();
        let values = matches.get_raw(id).into_iter().flatten();
        let values = values.map(|value| quoted(&value.to_string_lossy()));
        let option = arg.get_long().map(|name| format!("--{name}"));
        let words = match (option, arg.get_action()) {
            (Some(option), ArgAction::SetTrue) => vec![option],
            (Some(option), _) => values.flat_map(|value| [option.clone(), value]).collect(),
            (None, _) => ["--".to_owned()].into_iter().chain(values).collect(),
        };
        let takes = |verb: &&Command| verb.get_arguments().any(|arg| arg.get_id() == id);
        let verbs = program.get_subcommands().filter(takes);
        Typed {
            id: id.to_owned(),
            words,
            verbs: verbs.map(|verb| verb.get_name().to_owned()).collect(),
        }
    });
    typed.collect()
}

static NAME: OnceLock<String> = OnceLock::new();

/// Learns the name from the path by which the program was started.
pub(super) fn started_as(path: &Path) {
    if let Some(name) = path.file_name() {
        NAME.get_or_init(|| quote(&name.to_string_lossy()));
    }
}

/// The name of this program, as a word of a command that a user copies.
pub(super) fn program() -> &'static str {
    NAME.get().map_or("urtext", String::as_str)
}

#[cfg(test)]
mod tests {
    use clap::{Args, CommandFactory, Parser};

    use super::*;
    use crate::cli::explore::ExploreArgs;
    use crate::cli::run::RunArgs;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(subcommand)]
        command: Verb,
    }

    #[derive(Debug, clap::Subcommand)]
    enum Verb {
        Run(Box<RunArgs>),
    }

    fn again(arguments: &[&str], words: &[&str], except: &[&str]) -> String {
        let mut command = Cli::command();
        let arguments = [&["urtext", "run"], arguments].concat();
        let matches = command.try_get_matches_from_mut(arguments).unwrap();
        let (_, matches) = matches.subcommand().unwrap();
        let typed = typed(&command, command.find_subcommand("run").unwrap(), matches);
        let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
        line(&typed, "run", &words, except)
    }

    #[test]
    fn an_option_that_changes_a_game_is_repeated_as_it_was_typed() {
        let command = ["--as", "referee", "--", "./my judge", "--port", "{port}"];
        let options = ["a.yaml", "--budget", "answer=900ms", "--strict", "--jobs=2"];
        assert_eq!(
            again(&[&options[..], &command].concat(), &["b.yaml"], &["strict"]),
            "urtext run b.yaml --budget answer=900ms --as referee -- './my judge' --port {port}"
        );
        assert_eq!(again(&["--strict"], &[""], &[]), "urtext run --strict");
    }

    #[test]
    fn what_is_not_repeated_are_options_of_a_run_or_of_an_exploration() {
        let [run, explore] = [
            RunArgs::augment_args(Command::new("run")),
            ExploreArgs::augment_args(Command::new("explore")),
        ];
        let both = run.get_arguments().chain(explore.get_arguments());
        let ids: Vec<_> = both.map(|arg| arg.get_id().as_str()).collect();
        for id in NOT_REPEATED {
            assert!(ids.contains(id), "{id} of {ids:?}");
        }
    }
}
