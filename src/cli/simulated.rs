//! Recognition of subjects that can be played in memory: the built-in peers, also behind a command.

use std::path::Path;

use super::program;
use super::subject::Tested;
use crate::config::{BuiltIn, RollHook, Subject};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::pack::{self, Protocol};
use crate::peers;
use crate::rules::Game;
use crate::scenario::Side;

/// Arguments in a built-in peer's command that have no effect in memory.
const TOLD: [&str; 9] = [
    "--port {port}",
    "--spectator-port {spectator_port}",
    "--spectators {spectators}",
    "--timeout {timeout}",
    "--pace {pace}",
    "--pace 0",
    "--name {first}",
    "--name {second}",
    "--rolls {rolls}",
];

impl Tested {
    /// Returns the target with every subject replaced by the equal built-in peer; `None` if a subject is
    /// another program.
    pub(super) fn simulated(self, faults: &mut Diagnostics) -> Option<Tested> {
        let known = |mut subject: Subject, faults: &mut Diagnostics| match built_in(&subject) {
            Ok(built_in) => {
                subject.built_in = Some(built_in);
                Some(subject)
            }
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        Some(match self {
            Tested::BuiltIn => Tested::BuiltIn,
            Tested::Named(subject) => Tested::Named(Box::new(known(*subject, faults)?)),
            Tested::OfFile(path, subjects) => {
                let all: Vec<_> = subjects
                    .into_iter()
                    .map(|subject| known(subject, faults))
                    .collect();
                Tested::OfFile(path, all.into_iter().collect::<Option<_>>()?)
            }
        })
    }
}

/// The built-in peer that the subject's command starts.
fn built_in(subject: &Subject) -> Result<BuiltIn, Diagnostic> {
    if let Some(known) = &subject.built_in {
        return Ok(known.clone());
    }
    let (side, game) = (subject.side, subject.protocol.game_name());
    let fault = |title: String| Diagnostic::error("run/simulated", title);
    let other = || {
        let title = format!(
            "only the built-in peers can be simulated, and {} is another program",
            subject.label()
        );
        fault(title).help(format!(
            "leave --simulated out, or write --subject built-in, or --as {} --game {game} -- {} {} {game} --fault NAME",
            side.word(),
            program::name(),
            side.word()
        ))
    };
    let program = subject.program.as_ref().ok_or_else(other)?;
    let first = program
        .command
        .program()
        .filter(|first| is_urtext(first))
        .ok_or_else(other)?;
    let text = program.command.to_string();
    let words: Vec<&str> = text[first.len()..].split_whitespace().collect();
    let [command, played, options @ ..] = words.as_slice() else {
        return Err(other());
    };
    if *command != side.word()
        || Protocol::of_game(played).is_none_or(|played| played.game_name() != game)
    {
        return Err(other());
    }
    let refuse = |what: &str| {
        let title = format!("`{what}` of a built-in {} cannot be simulated", side.word());
        fault(title).help("leave it out, or leave --simulated out")
    };
    let mut forced_by = pack::all().flat_map(|pack| pack.environment);
    let is_setup = |told: &str| {
        let keys = subject.protocol.game().map_or(&[][..], Game::setup_keys);
        keys.iter()
            .any(|(key, _)| told == format!("--{key} {{{key}}}"))
    };
    match &subject.roll_hook {
        Some(RollHook::Environment(name)) if !forced_by.any(|(known, _)| known == name) => {
            return Err(refuse(&format!("--rolls-env {name}")));
        }
        _ if !program.environment.is_empty() => return Err(refuse("env")),
        _ => {}
    }
    let mut built_in = BuiltIn::default();
    let mut rest = options.iter().copied();
    while let Some(word) = rest.next() {
        if ["{host}", "{port}", "--stdio"].contains(&word) {
            continue;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, rest.next()),
        };
        let told = format!("{name} {}", value.unwrap_or_default());
        match (name, value) {
            ("--fault", Some(value)) => {
                check_fault(game, side, value)?;
                built_in.fault = Some(value.to_owned());
            }
            ("--seed", Some("{seed}")) => {}
            ("--seed", Some(value)) => {
                built_in.seed = Some(value.parse().map_err(|_| refuse(&told))?);
            }
            _ if TOLD.contains(&told.as_str()) || is_setup(&told) => {}
            _ => return Err(refuse(told.trim_end())),
        }
    }
    Ok(built_in)
}

/// # Errors
/// The built-in peer has no fault of that name.
fn check_fault(game: &str, side: Side, name: &str) -> Result<(), Diagnostic> {
    let (known, word) = (peers::faults_of(game, side), side.word());
    if known.iter().any(|row| row.name == name) {
        return Ok(());
    }
    let title = format!("the built-in {word} has no fault `{name}`");
    let unknown = Diagnostic::error("run/simulated", title);
    let meant = did_you_mean(name, known.iter().map(|row| row.name));
    Err(unknown.help(
        meant.unwrap_or_else(|| format!("`{} {word} {game} --help` lists them", program::name())),
    ))
}

/// Returns true if a word of a command starts this program.
fn is_urtext(word: &str) -> bool {
    let path = Path::new(word);
    let is_own = || {
        path.canonicalize()
            .ok()
            .zip(std::env::current_exe().ok()?.canonicalize().ok())
    };
    word == "urtext" || word == program::name() || is_own().is_some_and(|(one, other)| one == other)
}
