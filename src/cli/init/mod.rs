//! `urtext init`: writes a commented urtext.yaml after asking what is under test.

mod answers;
mod asking;
mod questions;
mod text;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use self::answers::{Answers, Place, USUAL_NAME};
use super::Status;
use super::subject::SideArg;
use crate::config::{address, file};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, Source};
use crate::pack::Protocol;
use crate::platform::{folder_of, is_special_output, write_output};
use crate::scenario::Side;

const EXAMPLES: &str = "\
On a terminal, what is not said is asked; elsewhere the flags have to say it.

Examples:
  urtext init
  urtext init --as referee --rolls-env MY_ROLLS -- ./myreferee {port} {spectator_port}
  urtext init --as referee --connect 127.0.0.1:4000 --spectators-at 127.0.0.1:4001 --timeout 2s
  urtext init --as bot --name mine -- python3 mybot.py";

/// Arguments of `urtext init`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES
)]
pub(super) struct InitArgs {
    /// What is under test
    #[arg(long = "as", value_name = "SIDE", value_enum)]
    side: Option<SideArg>,

    /// The game that it plays
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// What to call it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Where the players of a running referee connect
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "command", value_parser = address)]
    connect: Option<String>,

    /// Where the spectators of a referee connect: an address, same-port, own-port or none
    #[arg(long, value_name = "WHERE")]
    spectators_at: Option<String>,

    /// The environment variable from which the referee takes forced rolls
    #[arg(long, value_name = "NAME", conflicts_with = "connect")]
    rolls_env: Option<String>,

    /// How the subject is reached, where its command does not tell
    #[arg(long, value_name = "WAY", conflicts_with = "connect", value_parser = super::subject::ways())]
    reach: Option<String>,

    /// The line that the subject prints once it can be reached, such as `listening on port {port}`
    #[arg(long, value_name = "LINE", conflicts_with = "connect")]
    ready: Option<String>,

    /// The timeout for a move, where it is fixed
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    timeout: Option<Duration>,

    /// The pace, where it is fixed
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pace: Option<Duration>,

    /// Overwrites a file that is there already
    #[arg(long)]
    force: bool,

    /// Where to write
    #[arg(long, value_name = "FILE", default_value = file::NAME)]
    file: PathBuf,

    /// The command that starts the subject, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl InitArgs {
    /// Asks, checks and writes.
    pub(super) fn run(self) -> Status {
        if self.is_kept() {
            return refuse(&self.exists().into());
        }
        let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
        let answers = if is_asked {
            questions::ask(&self, &mut io::stdin().lock(), &mut anstream::stderr())
        } else {
            questions::said(&self)
        };
        let answers = match answers {
            Ok(answers) => answers,
            Err(fault) => return refuse(&fault.into()),
        };
        let text = text::text(&answers, folder_of(&self.file));
        let (_, faults) = file::read(
            &Source::new(&self.file.to_string_lossy(), text.as_str()),
            folder_of(&self.file),
        );
        if faults.has_errors() {
            return refuse(&faults);
        }
        // It may have come between the question and the answer.
        if self.is_kept() {
            return refuse(&self.exists().into());
        }
        match write_output(&self.file, text.as_bytes()) {
            Ok(()) => {
                if !faults.is_empty() {
                    anstream::eprintln!("{}\n", faults.draw(Paint::Coloured));
                }
                super::output::print(&format!("wrote {}", self.file.display()));
                super::output::print(&format!("try: {}", self.next_step(&answers.name)));
                Status::Conforms
            }
            Err(error) => {
                anstream::eprintln!(
                    "urtext init: {} cannot be written: {error}",
                    self.file.display()
                );
                Status::Broken
            }
        }
    }

    /// The command that plays with what was written.
    fn next_step(&self, name: &str) -> String {
        let (program, name) = (super::program::name(), super::subject::quote(name));
        if self.file.as_os_str() == file::NAME {
            return format!("{program} run --subject {name}");
        }
        let file = super::subject::quote(&self.file.to_string_lossy());
        format!("{program} run --subject {name} --config {file}")
    }

    /// Returns true if there is a file that must not be overwritten.
    fn is_kept(&self) -> bool {
        !self.force && self.file.exists() && !is_special_output(&self.file)
    }

    /// The subject's location, if the flags give one.
    fn place(&self) -> Option<Place> {
        match &self.connect {
            Some(players) => Some(Place::Running(players.clone())),
            None if self.command.is_empty() => None,
            None => Some(Place::Command(self.command.clone())),
        }
    }

    /// # Errors
    /// Flags that cannot be meant of this side.
    fn check(&self, side: Side) -> Result<(), Diagnostic> {
        let others = [
            self.rolls_env.is_some(),
            self.spectators_at.is_some(),
            self.timeout.is_some(),
            self.pace.is_some(),
        ];
        let (what, help) = match side {
            Side::Bot if self.connect.is_some() => (
                "a bot is started by urtext, it is not connected to",
                "write its command after --",
            ),
            Side::Bot if others.contains(&true) => (
                "rolls, spectators, timeout and pace are a referee's, and this is a bot",
                "leave these flags out",
            ),
            _ => return Ok(()),
        };
        Err(Diagnostic::error("init/bot", what).help(help))
    }

    /// The answers with what the flags give.
    fn answers(&self, side: Side, protocol: Protocol, place: Place) -> Answers {
        Answers {
            name: self.name.clone().unwrap_or_else(|| USUAL_NAME.to_owned()),
            side,
            protocol,
            place,
            reach: self.reach.clone(),
            ready: self.ready.clone(),
            spectators: self.spectators_at.clone(),
            rolls_env: self.rolls_env.clone(),
            timeout: self.timeout,
            pace: self.pace,
        }
    }

    fn exists(&self) -> Diagnostic {
        let title = format!(
            "there is {} already, and it stays as it is",
            self.file.display()
        );
        Diagnostic::error("init/exists", title)
            .help("add a subject to it by hand, write another file with --file, or overwrite it with --force")
    }
}

fn refuse(faults: &Diagnostics) -> Status {
    anstream::eprintln!("{}", faults.draw(Paint::Coloured));
    Status::Usage
}
