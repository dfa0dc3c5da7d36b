//! The command that plays something again, made from the arguments of this one.

use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::program;
use super::subject::quote;

static TYPED: OnceLock<Vec<Typed>> = OnceLock::new();

/// An argument that came from the command line.
#[derive(Debug)]
struct Typed {
    id: String,
    place: Place,
    words: Vec<String>,
}

/// Place of an argument in the command that plays again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// An option without a value.
    Flag,
    /// Another option, or a positional argument.
    Value,
    /// The words after `--`.
    Last,
}

/// Learns the arguments of the command line.
pub(super) fn learn(command: &Command, matches: &ArgMatches) {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        TYPED.get_or_init(|| typed(command, matches));
    }
}

/// The command line that plays again: its flags, then `words`, then its other arguments, all as they were typed. Arguments with the ids of
/// `except` are left out, because `words` has them, or because they do not change the game.
pub(super) fn command(verb: &str, words: &[String], except: &[&str]) -> String {
    let typed = TYPED.get().map_or(&[][..], Vec::as_slice);
    line(typed, verb, words, except)
}

fn line(typed: &[Typed], verb: &str, words: &[String], except: &[&str]) -> String {
    let at = |place: Place| {
        let kept = typed
            .iter()
            .filter(move |one| one.place == place && !except.contains(&one.id.as_str()));
        kept.flat_map(|one| &one.words)
    };
    let own = words.iter().filter(|word| !word.is_empty());
    let all = at(Place::Flag)
        .chain(own)
        .chain(at(Place::Value))
        .chain(at(Place::Last));
    let all = all.map(String::as_str);
    let start = [program::name(), verb];
    start.into_iter().chain(all).collect::<Vec<_>>().join(" ")
}

/// A word after others, as a shell reads it: a `=` in it means nothing.
fn quoted(word: &str) -> String {
    let parts: Vec<_> = word.splitn(2, '=').map(quote).collect();
    match parts.concat() == word.replacen('=', "", 1) {
        true => word.to_owned(),
        false => quote(word),
    }
}

fn typed(command: &Command, matches: &ArgMatches) -> Vec<Typed> {
    let is_typed =
        |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let arguments = command.get_arguments().filter(is_typed);
    let typed = arguments.map(|arg| {
        let id = arg.get_id().as_str();
        let values = matches.get_raw(id).into_iter().flatten();
        let values = values.map(|value| quoted(&value.to_string_lossy()));
        let option = arg.get_long().map(|name| format!("--{name}"));
        let (place, words) = match (option, arg.get_action()) {
            (Some(option), ArgAction::SetTrue) => (Place::Flag, vec![option]),
            (Some(option), _) => {
                let words = values.flat_map(|value| [option.clone(), value]);
                (Place::Value, words.collect())
            }
            (None, _) if arg.is_last_set() => {
                let end = std::iter::once("--".to_owned());
                (Place::Last, end.chain(values).collect())
            }
            (None, _) => (Place::Value, values.collect()),
        };
        let id = id.to_owned();
        Typed { id, place, words }
    });
    typed.collect()
}

#[cfg(test)]
mod tests {
    use clap::{Args, CommandFactory, Parser};

    use super::*;
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
        let typed = typed(command.find_subcommand("run").unwrap(), matches);
        let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
        line(&typed, "run", &words, except)
    }

    #[test]
    fn every_option_that_was_typed_is_repeated_as_it_was_typed() {
        let command = ["--as", "referee", "--", "./my judge", "--port", "{port}"];
        let options = ["a.yaml", "--budget", "answer=900ms", "--strict", "--jobs=2"];
        assert_eq!(
            again(
                &[&options[..], &command].concat(),
                &["b.yaml"],
                &["paths", "jobs"]
            ),
            "urtext run --strict b.yaml --budget answer=900ms --as referee -- './my judge' --port {port}"
        );
        assert_eq!(again(&["--strict"], &[""], &[]), "urtext run --strict");
    }

    /// Every option of a run is either repeated or known to leave the game as it is.
    #[test]
    fn the_exceptions_are_options_of_a_run() {
        let command = RunArgs::augment_args(Command::new("run"));
        let ids: Vec<_> = command
            .get_arguments()
            .map(|arg| arg.get_id().as_str())
            .collect();
        for except in RunArgs::NOT_REPEATED {
            assert!(ids.contains(except), "{except} of {ids:?}");
        }
    }
}
