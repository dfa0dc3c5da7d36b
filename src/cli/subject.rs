//! The subject on the command line, and the built-in ones.

use std::path::Path;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::config::{Ports, Reach, RollHook, Subject, Template};
use crate::diagnostic::{Diagnostic, Diagnostics, suggest};
use crate::games::{self, Game};
use crate::scenario::Side;

/// What is under test, and how it is reached.
#[derive(Debug, Args)]
#[command(next_help_heading = "Subject")]
pub(super) struct SubjectArgs {
    /// What is under test; without it, the built-in referee and bot are
    #[arg(long = "as", value_name = "SIDE", value_enum)]
    side: Option<SideArg>,

    /// The game that it plays
    #[arg(long, value_name = "GAME", default_value = "royalur", requires = "side")]
    game: String,

    /// Where the players of a running referee connect
    #[arg(long, value_name = "HOST:PORT", requires = "side", conflicts_with = "command")]
    connect: Option<String>,

    /// Where the spectators of a running referee connect
    #[arg(long, value_name = "HOST:PORT", requires = "connect")]
    spectators_at: Option<String>,

    /// The environment variable from which the referee takes forced rolls, written as 0011 1111 0001
    #[arg(long, value_name = "NAME", requires = "command")]
    rolls_env: Option<String>,

    /// The timeout for a move that the subject was started with
    #[arg(long, value_name = "DURATION", requires = "side", value_parser = humantime::parse_duration)]
    timeout: Option<Duration>,

    /// The pace that the subject was started with
    #[arg(long, value_name = "DURATION", requires = "side", value_parser = humantime::parse_duration)]
    pace: Option<Duration>,

    /// The command that starts the subject, with its arguments
    #[arg(last = true, value_name = "COMMAND", requires = "side")]
    command: Vec<String>,
}

/// What a subject is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideArg {
    /// urtext plays the players and the spectators
    Referee,
    /// urtext plays the referee and the opponent
    Bot,
}

impl SubjectArgs {
    /// The subject that the arguments describe, if they describe one.
    pub(super) fn subject(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let side = match self.side? {
            SideArg::Referee => Side::Referee,
            SideArg::Bot => Side::Bot,
        };
        let Some(game) = games::find(&self.game) else {
            let names = games::ALL.iter().map(|game| game.name());
            let mut fault = Diagnostic::error("run/game", format!("there is no game `{}`", self.game));
            if let Some(meant) = suggest(&self.game, names) {
                fault = fault.help(format!("did you mean `{meant}`?"));
            }
            faults.push(fault);
            return None;
        };
        let command = match Template::parse(&self.command) {
            Ok(command) => command,
            Err(fault) => {
                faults.push(
                    Diagnostic::error("run/placeholder", fault.to_string()).help("write {{ for a brace"),
                );
                return None;
            }
        };
        let reach = match (side, &self.connect, self.command.is_empty()) {
            (Side::Referee, Some(players), _) => {
                Reach::Connect { players: players.clone(), spectators: self.spectators_at.clone() }
            }
            (Side::Referee, None, false) => {
                let ports = if command.takes("port") { Ports::Chosen } else { Ports::Printed };
                Reach::Listener { command: command.clone(), ports }
            }
            (Side::Bot, None, false) => Reach::Pipes { command: command.clone() },
            (Side::Bot, Some(_), _) => {
                let fault =
                    Diagnostic::error("run/subject", "a bot is started by urtext, it is not connected to");
                faults.push(fault.help("write its command after --"));
                return None;
            }
            (_, None, true) => {
                let word = side.word();
                let fault = Diagnostic::error(
                    "run/subject",
                    format!("--as {word} says what is tested, but not where it is"),
                );
                faults.push(fault.help(match side {
                    Side::Referee => "add --connect HOST:PORT, or its command after --",
                    Side::Bot => "write its command after --",
                }));
                return None;
            }
        };
        let takes_rolls = command.takes("rolls") || command.takes("rolls_file");
        let roll_hook = match &self.rolls_env {
            Some(name) => Some(RollHook::Environment(name.clone())),
            None => takes_rolls.then_some(RollHook::Arguments),
        };
        Some(Subject {
            name: self.command.first().or(self.connect.as_ref()).cloned().unwrap_or_default(),
            side,
            game,
            reach,
            roll_hook,
            timeout: self.timeout,
            pace: self.pace,
            arguments: self.repeat(),
        })
    }

    /// These arguments again, as a shell reads them.
    fn repeat(&self) -> String {
        let mut words = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([name.to_owned(), quote(&value)]);
            }
        };
        let time = |time: Option<Duration>| {
            time.map(|time| humantime::format_duration(time).to_string().replace(' ', ""))
        };
        option(
            "--as",
            self.side.map(|side| if side == SideArg::Referee { "referee" } else { "bot" }.to_owned()),
        );
        option("--game", (self.game != "royalur").then(|| self.game.clone()));
        option("--connect", self.connect.clone());
        option("--spectators-at", self.spectators_at.clone());
        option("--rolls-env", self.rolls_env.clone());
        option("--timeout", time(self.timeout));
        option("--pace", time(self.pace));
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| quote(word)));
        }
        words.join(" ")
    }
}

/// A word as a shell reads it.
pub(super) fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The built-in referee or bot of a game, started and reached like any other subject.
pub(super) fn built_in(game: &'static dyn Game, side: Side) -> Subject {
    let program = std::env::current_exe().unwrap_or_else(|_| Path::new("urtext").to_owned());
    let program = program.to_string_lossy().replace('{', "{{");
    let words: Vec<&str> = match side {
        Side::Referee => vec![
            &program,
            "referee",
            game.name(),
            "--spectators",
            "{spectators}",
            "--timeout",
            "{timeout}",
            "--pace",
            "{pace}",
            "--name",
            "{first}",
            "--name",
            "{second}",
            "--seed",
            "{seed}",
        ],
        Side::Bot => vec![&program, "bot", game.name(), "--seed", "{seed}"],
    };
    let command = Template::parse(&words).expect("the built-in commands have known places only");
    Subject {
        name: format!("the built-in {}", side.word()),
        side,
        game,
        reach: match side {
            Side::Referee => Reach::Listener { command, ports: Ports::Printed },
            Side::Bot => Reach::Pipes { command },
        },
        roll_hook: (side == Side::Referee).then(|| RollHook::Environment("URTEXT_ROLLS".to_owned())),
        timeout: None,
        pace: None,
        arguments: String::new(),
    }
}
