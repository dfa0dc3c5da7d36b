//! `urtext init`: writes a commented urtext.yaml that describes one subject.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::{Args, ValueEnum};
use inquire::{InquireError, Select, Text};

use super::Status;
use super::output::{OrBroken, checked, print, write_file};
use super::subject::address_or_url;
use crate::config::Template;
use crate::config::file;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::pack::Protocol;
use crate::scenario::Side;
use crate::yaml::entry;

const EXAMPLES: &str = "\
On a terminal, init asks for the options that are missing.

Examples:
  urtext init
  urtext init --as referee --game royalur -- ./myreferee --port {port} --spectators {spectators}
  urtext init --as referee --game royalur --connect 127.0.0.1:4000
  urtext init --as bot --game onitama -- python3 mybot.py";

/// Arguments of `urtext init`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArgs {
    /// What is under test
    #[arg(long = "as", value_name = "SIDE", value_enum)]
    side: Option<Side>,

    /// The game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Address of a running referee, for players
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "command", value_parser = address_or_url)]
    connect: Option<String>,

    /// The command that starts the subject, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl InitArgs {
    /// Asks for what is missing, and writes the file.
    pub(super) fn run(mut self) -> Result<Status, Status> {
        let name = file::NAME;
        if Path::new(name).exists() {
            let title = format!("{name} exists already, and stays as it is");
            let help = "add a subject to it by hand, or delete it first";
            let problem = Diagnostic::error("init/exists", title).help(help);
            checked(&problem.into())?;
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            match self.ask() {
                Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => {
                    return Err(Status::Interrupted);
                }
                asked => asked.or_broken("the terminal cannot be used")?,
            }
        }
        let (text, problems) = self.text();
        checked(&problems)?;
        write_file(Path::new(name), text.as_bytes())?;
        let program = super::repeat::program();
        print(&format!(
            "wrote {name}\nnext: {program} doctor examines the subject, {program} run tests it"
        ));
        Ok(Status::Conforms)
    }

    /// Asks for what is missing.
    fn ask(&mut self) -> Result<(), InquireError> {
        if self.side.is_none() {
            let sides = Side::ALL.map(Side::word).to_vec();
            let side = Select::new("What is under test?", sides).prompt()?;
            self.side = Side::from_str(side, false).ok();
        }
        if self.game.is_none() {
            let games = Protocol::game_names().collect();
            let game = Select::new("Which game does it play?", games).prompt()?;
            self.game = Some(game.to_owned());
        }
        if self.connect.is_none() && self.command.is_empty() {
            let question = Text::new("Its command, or HOST:PORT of a referee that runs already:");
            let answer = question.with_help_message(self.places()).prompt()?;
            self.take(answer.trim());
        }
        Ok(())
    }

    /// Takes a command or an address as typed on a terminal.
    fn take(&mut self, answer: &str) {
        match address_or_url(answer) {
            Ok(address) => self.connect = Some(address),
            // Words with an open quotation are the words between blanks.
            Err(_) => {
                let words = shell_words::split(answer);
                let blanks = |_| answer.split_whitespace().map(str::to_owned).collect();
                self.command = words.unwrap_or_else(blanks);
            }
        }
    }

    /// Returns the placeholders of a command for this side, as the prompt lists them.
    fn places(&self) -> &'static str {
        match self.side {
            Some(Side::Bot) => "urtext fills in {host} {port} {pipe_in} {pipe_out} {seed}",
            _ => {
                "urtext fills in {port} {spectator_port} {spectators} {timeout} {pace} {rolls} {seed}"
            }
        }
    }

    /// The file, and what its reader says of it; an error where arguments are missing.
    fn text(&self) -> (String, Diagnostics) {
        let runs = self.connect.is_some() && self.side != Some(Side::Bot);
        let missing = [
            (self.side.is_none(), "--as SIDE"),
            (self.game.is_none(), "--game GAME"),
            (
                !runs && self.command.is_empty(),
                "its command after -- (or --connect HOST:PORT, if a referee runs already)",
            ),
        ];
        let missing = missing.into_iter().filter(|(is_missing, _)| *is_missing);
        let missing: Vec<_> = missing.map(|(_, what)| what).collect();
        let (Some(side), Some(game), []) = (self.side, &self.game, &missing[..]) else {
            let title = format!("missing: {}", missing.join(", "));
            let help = match self.side {
                Some(Side::Referee) => {
                    "such as: urtext init --as referee --game royalur -- ./myreferee {port} {spectators}"
                }
                _ => "such as: urtext init --as bot --game royalur -- python3 mybot.py",
            };
            let problem = Diagnostic::error("init/missing", title).help(help);
            return (String::new(), problem.into());
        };
        let text = self.file(side, game);
        let source = Source::new("urtext.yaml (not written)", text.as_str());
        let read = file::read(&source, Path::new("."), false);
        (text, read.problems)
    }

    /// The file for a subject of this side and game.
    fn file(&self, side: Side, game: &str) -> String {
        let mut text = format!(
            "\
# The referees and bots that urtext tests. `urtext doctor` examines them, `urtext run` tests them.
# `urtext help urtext-yaml` describes these keys and all others; `urtext check` reports every error in this file.

# Options of every run, unless the command line says otherwise:
# run: {{retries: 1, allow: [unsupported], report: {{junit: report.xml}}}}
subjects:
  mine:
    as: {}
    game: {}
",
            side.word(),
            entry(game)
        );
        if let Some(address) = &self.connect {
            text += &format!(
                "    \
    # It runs already, and its players connect here:
    players: {}
    # Where spectators connect, HOST:PORT or none:
    spectators: none
",
                entry(address)
            );
        } else {
            let words: Vec<_> = self.command.iter().map(|word| entry(word)).collect();
            text += &format!(
                "    \
    # Started once for every game, without a shell; {}:
    command: [{}]
    # Its working folder; without this key, an empty one for every game:
    folder: .
",
                self.places(),
                words.join(", ")
            );
        }
        let command = Template::parse(&self.command).unwrap_or_default();
        let takes = |place: &&str| command.takes(place);
        let has_way = ["host", "pipe_in", "pipe_out"].iter().any(takes);
        match side {
            Side::Bot if takes(&"port") && !has_way => {
                text += "    # It connects to {port}; write `listens` if it listens there:\n    reach: connects\n";
            }
            Side::Referee if self.connect.is_none() => text += REFEREE,
            _ => {}
        }
        text
    }
}

/// Keys of a referee that urtext starts.
const REFEREE: &str = "    \
    # The line that it prints once it listens:
    # ready: 'listening on port {port}'
    # How it takes forced rolls, if its game has dice: `argument` ({rolls} in the command), `file` ({rolls_file}) or a variable:
    # rolls: {environment: NAME}
    # Where spectators connect: same-port, own-port ({spectator_port} in the command) or none:
    # spectators: none
    # What a spectator who joins late receives: whole, from-now or nothing:
    # late-spectator: whole
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Subject, Values, Way};
    use crate::diagnostic::Paint;

    fn args(side: Side, words: &[&str]) -> InitArgs {
        InitArgs {
            side: Some(side),
            game: Some("royalur".to_owned()),
            connect: None,
            command: words.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    fn read(text: &str) -> Subject {
        let mut read = file::read(&Source::new("f", text), Path::new("."), false);
        assert_eq!(read.problems.draw(Paint::Plain), "", "{text}");
        read.subjects.remove(0)
    }

    #[test]
    fn the_words_of_a_command_are_read_back_as_they_were_typed() {
        let odd = [
            "r",
            "--x=a b",
            "it's",
            "",
            "{port}",
            "#",
            "- a",
            "null",
            "line\nbreak",
            "007",
        ];
        let subject = read(&args(Side::Referee, &odd).text().0);
        let values = Values::from([("port", "{port}".to_owned())]);
        assert_eq!(subject.program.unwrap().command.fill(&values), odd);
    }

    #[test]
    fn a_bot_with_a_port_connects_and_a_running_referee_plays_without_spectators() {
        let bot = args(Side::Bot, &["b", "{port}"]).text().0;
        assert_eq!(read(&bot).players.way, Way::Accept);
        let pipes = args(Side::Bot, &["b"]).text().0;
        assert_eq!(read(&pipes).players.way, Way::Stdio);
        let running = InitArgs {
            connect: Some("127.0.0.1:4000".to_owned()),
            ..args(Side::Referee, &[])
        };
        let running = read(&running.text().0);
        assert!(running.plays_alone() && !running.has_spectators());
    }

    #[test]
    fn every_key_that_is_commented_out_can_be_used() {
        for (side, keys) in [(Side::Referee, 4), (Side::Bot, 0)] {
            let text = args(side, &["r", "{host}", "{port}"]).text().0;
            let mut used = 0;
            let lines = text.lines().map(|line| match line.strip_prefix("    # ") {
                Some(rest)
                    if rest
                        .split_once(": ")
                        .is_some_and(|(key, _)| !key.contains(' ')) =>
                {
                    used += 1;
                    format!("    {rest}\n")
                }
                _ => format!("{line}\n"),
            });
            read(&lines.collect::<String>());
            assert_eq!(used, keys, "{text}");
        }
    }

    #[test]
    fn an_answer_is_an_address_or_a_command() {
        let of = |answer: &str| {
            let mut args = args(Side::Referee, &[]);
            args.take(answer);
            args
        };
        let address = of("localhost:4000").connect;
        assert_eq!(address.as_deref(), Some("localhost:4000"));
        let command = of("./my\\ judge '{port}'").command;
        assert_eq!(command, ["./my judge", "{port}"]);
    }
}
