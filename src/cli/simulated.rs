//! Recognition of subjects that can be played in memory: the built-in peers, also behind a command.

use std::path::Path;

use super::program;
use super::subject::Tested;
use crate::config::{BuiltIn, RollHook, Subject};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::pack::{self, Protocol};
use crate::peers;
use crate::scenario::Side;

/// Arguments in a built-in peer's command that have no effect in memory.
const TOLD: [&str; 10] = [
    "--port {port}",
    "--spectator-port {spectator_port}",
    "--spectators {spectators}",
    "--timeout {timeout}",
    "--pace {pace}",
    "--pace 0",
    "--name {first}",
    "--name {second}",
    "--rolls {rolls}",
    "--setup {setup}",
];

impl Tested {
    /// Returns the target with every subject replaced by the equal built-in peer; `None` if a subject is
    /// another program.
    pub(super) fn simulated(self, faults: &mut Diagnostics) -> Option<Tested> {
        let mut known = |mut subject: Subject| match built_in(&subject) {
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
            Tested::Named(subject) => Tested::Named(Box::new(known(*subject)?)),
            Tested::OfFile(path, subjects) => {
                let all: Vec<_> = subjects.into_iter().map(known).collect();
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
    let options = own_options(subject).ok_or_else(|| {
        let (word, game) = (subject.side.word(), subject.protocol.game_name());
        let title = format!(
            "only the built-in peers can be simulated, and {} is another program",
            subject.label()
        );
        Diagnostic::error("run/simulated", title).help(format!(
            "leave --simulated out, or write --subject built-in, or --as {word} --game {game} -- {} {word} {game} --fault NAME",
            program::name()
        ))
    })?;
    let mut forced_by = pack::all().flat_map(|pack| pack.environment);
    match (&subject.roll_hook, &subject.program) {
        (Some(RollHook::Environment(name)), _) if !forced_by.any(|(known, _)| known == name) => {
            Err(refuse(subject.side, &format!("--rolls-env {name}")))
        }
        (_, Some(program)) if !program.environment.is_empty() => Err(refuse(subject.side, "env")),
        _ => read(subject, &options),
    }
}

/// The options of a command that starts this program as a peer of the subject's side and game.
fn own_options(subject: &Subject) -> Option<Vec<String>> {
    let command = &subject.program.as_ref()?.command;
    let first = command.program().filter(|first| is_urtext(first))?;
    let text = command.to_string();
    let mut words = text[first.len()..].split_whitespace();
    let (side, played) = (words.next()?, Protocol::of_game(words.next()?)?);
    (side == subject.side.word() && played.game_name() == subject.protocol.game_name())
        .then(|| words.map(str::to_owned).collect())
}

/// The peer with the options of its command.
fn read(subject: &Subject, options: &[String]) -> Result<BuiltIn, Diagnostic> {
    let (side, protocol) = (subject.side, subject.protocol);
    let mut built_in = BuiltIn::default();
    let mut rest = options.iter().map(String::as_str);
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
                check_fault(protocol.game_name(), side, value)?;
                built_in.fault = Some(value.to_owned());
            }
            ("--seed", Some("{seed}")) => {}
            ("--seed", Some(value)) => {
                built_in.seed = Some(value.parse().map_err(|_| refuse(side, &told))?);
            }
            _ if TOLD.contains(&told.as_str()) => {}
            _ => return Err(refuse(side, told.trim_end())),
        }
    }
    Ok(built_in)
}

/// The fault of an option that has an effect in memory.
fn refuse(side: Side, option: &str) -> Diagnostic {
    let title = format!(
        "`{option}` of a built-in {} cannot be simulated",
        side.word()
    );
    Diagnostic::error("run/simulated", title).help("leave it out, or leave --simulated out")
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
    Err(unknown.help(meant.unwrap_or_else(|| {
        format!(
            "`{} {word} {game} --fault list` prints them",
            program::name()
        )
    })))
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
