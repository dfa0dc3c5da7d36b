//! `urtext init`: writes a commented urtext.yaml that describes one subject.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::{Args, ValueEnum};
use inquire::validator::Validation;
use inquire::{InquireError, Select, Text};

use super::Status;
use super::output::{broken, print, say};
use super::subject::address_or_url;
use crate::config::Template;
use crate::config::file::{self, quoted};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Source};
use crate::pack::Protocol;
use crate::platform::write_output;
use crate::rules::Game;
use crate::scenario::Side;

const EXAMPLES: &str = "\
On a terminal, init asks for the options that are missing.

Examples:
  urtext init
  urtext init --as referee --game royalur -- ./myreferee --port {port} --spectators {spectators}
  urtext init --as referee --game royalur --connect 127.0.0.1:4000
  urtext init --as bot --game onitama -- python3 mybot.py";

/// The file. Each line begins with flags, which all have to hold for it: `S` urtext starts the subject, `C` urtext connects to it; `R` a
/// referee, `B` a bot; the game has dice (`D`), a pace (`P`); the command leaves open whether a bot connects to its port (`O`) or not (`o`).
const FILE: &str = "\
|# The referees and bots that urtext tests. `urtext doctor` examines them, `urtext run` tests them.
|# `urtext help urtext-yaml` describes these keys and all others; `urtext check` reports every error in this file.
|
|# The subject to test if several fit and the command line names none:
|# default: mine
|# Options of every run, unless the command line says otherwise:
|# run: {retries: 1, allow: [unsupported], report: {junit: report.xml}}
|subjects:
|  mine:
|    as: $side
|    game: $game
S|    # Started once for every game, without a shell. urtext fills in such places:
SR|    # {port} {spectator_port} {spectators} {timeout} {pace} {rolls} {seed}
SB|    # {host} {port} {pipe_in} {pipe_out} {seed}
S|    command: $command
C|    # It runs already, and its players connect here:
C|    players: $address
S|    # How urtext reaches it, if the command does not show that:
SR|    # listens, named-pipes, seats, lanes-on-stdio or coco
SB|    # stdio, connects, listens or named-pipes
SR|    # reach: listens
SBo|    # reach: stdio
SBO|    reach: connects
S|    # Its working folder; without this key, an empty one for every game:
S|    folder: .
S|    # The line that it prints once it listens:
S|    # ready: 'listening on port {port}'
SRD|    # How it takes forced rolls: `argument` ({rolls} in the command), `file` ({rolls_file}) or a variable.
SRD|    # Without this, scenarios that force rolls are unsupported:
SRD|    # rolls: {environment: NAME}
R|    # Where spectators connect: HOST:PORT, same-port, own-port ({spectator_port} in the command) or none:
SR|    # spectators: none
CR|    spectators: none
R|    # What a spectator who joins late receives: whole, from-now, nothing or unknown:
R|    # late-spectator: unknown
R|    # Times that are fixed; with {timeout} and {pace} in the command, scenarios choose them:
R|    # timeout: 90s
RP|    # pace: 1500ms
";

/// Arguments of `urtext init`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArgs {
    /// Side under test
    #[arg(long = "as", value_name = "SIDE", value_enum)]
    side: Option<Side>,

    /// The game that it plays
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Where the players of a running referee connect
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "command", value_parser = address_or_url)]
    connect: Option<String>,

    /// The command that starts the subject, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl InitArgs {
    /// Asks for what is missing, and writes the file.
    pub(super) fn run(mut self) -> Status {
        if Path::new(file::NAME).exists() {
            let title = format!("{} exists already, and stays as it is", file::NAME);
            let help = "add a subject to it by hand, or delete it first";
            say(&Diagnostic::error("init/exists", title).help(help).into());
            return Status::Usage;
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            match self.ask() {
                Ok(()) => {}
                Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => {
                    return Status::Interrupted;
                }
                Err(error) => return broken(&format!("the terminal cannot be used: {error}")),
            }
        }
        let (text, problems) = match self.text() {
            Ok((text, warnings)) => (Some(text), warnings),
            Err(problems) => (None, problems),
        };
        say(&problems);
        let Some(text) = text else {
            return Status::Usage;
        };
        if let Err(error) = write_output(Path::new(file::NAME), text.as_bytes()) {
            return broken(&format!("{} cannot be written: {error}", file::NAME));
        }
        print(&format!(
            "wrote {}\nnext: {program} doctor examines the subject, {program} run tests it",
            file::NAME,
            program = super::program::name()
        ));
        Status::Conforms
    }

    /// Asks for what is missing. The command is asked for again until the file can be written with it.
    fn ask(&mut self) -> Result<(), InquireError> {
        if self.side.is_none() {
            let sides = vec![Side::Referee.word(), Side::Bot.word()];
            let side = Select::new("What is under test?", sides).prompt()?;
            self.side = Side::from_str(side, false).ok();
        }
        if self.game.is_none() {
            let games = Protocol::game_names().collect();
            let game = Select::new("Which game does it play?", games).prompt()?;
            self.game = Some(game.to_owned());
        }
        if self.connect.is_none() && self.command.is_empty() {
            let (question, help) = match self.side {
                Some(Side::Bot) => (
                    "Its command:",
                    "urtext fills in {host} and {port}; without them, the bot uses standard input and output",
                ),
                _ => (
                    "Its command, or HOST:PORT if it runs already:",
                    "urtext fills in {port}, {spectator_port}, {spectators}, {timeout}, {pace} and {rolls}",
                ),
            };
            let asked = self.clone();
            let validator = move |answer: &str| {
                let checked = asked.answered(answer).and_then(|args| args.text());
                Ok(match checked {
                    Ok(_) => Validation::Valid,
                    Err(problems) => Validation::Invalid(first_error(&problems).into()),
                })
            };
            let question = Text::new(question).with_help_message(help);
            let answer = question.with_validator(validator).prompt()?;
            *self = self
                .answered(&answer)
                .expect("the validator has read the answer");
        }
        Ok(())
    }

    /// These arguments with a command or an address as typed on a terminal.
    fn answered(&self, answer: &str) -> Result<InitArgs, Diagnostics> {
        let (mut args, answer) = (self.clone(), answer.trim());
        if address_or_url(answer).is_ok() {
            args.connect = Some(answer.to_owned());
        } else {
            args.command = shell_words::split(answer).map_err(|error| {
                Diagnostic::error("init/command", format!("{error}: close the quotation"))
            })?;
        }
        Ok(args)
    }

    /// The file, and the warnings of its reader.
    ///
    /// # Errors
    /// Names the arguments that are missing, and reports what the reader of the file refuses.
    fn text(&self) -> Result<(String, Diagnostics), Diagnostics> {
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
            let help = "such as: urtext init --as bot --game royalur -- python3 mybot.py";
            return Err(Diagnostic::error("init/missing", title).help(help).into());
        };
        let text = self.file(side, game);
        let source = Source::new(file::NAME, text.as_str());
        let (_, problems) = file::read(&source, Path::new("."));
        match problems.has_errors() {
            true => Err(problems),
            false => Ok((text, problems)),
        }
    }

    /// The file for a subject of this side and game.
    fn file(&self, side: Side, game: &str) -> String {
        let rules = Protocol::of_game(game).and_then(|protocol| protocol.game());
        let command = Template::parse(&self.command).unwrap_or_default();
        let takes = |place: &&str| command.takes(place);
        let is_open = takes(&"port") && !["host", "pipe_in", "pipe_out"].iter().any(takes);
        let holds = |flag| match flag {
            'S' => self.connect.is_none(),
            'C' => self.connect.is_some(),
            'R' => side == Side::Referee,
            'B' => side == Side::Bot,
            'D' => rules.is_some_and(|rules| !rules.kinds_of_roll().is_empty()),
            'P' => rules.and_then(Game::longest_pace).is_some(),
            'O' => is_open,
            _ => !is_open,
        };
        let words: Vec<_> = self.command.iter().map(|word| quoted(word)).collect();
        let values = [
            ("$side", side.word().to_owned()),
            ("$game", quoted(game)),
            (
                "$address",
                self.connect.as_deref().map(quoted).unwrap_or_default(),
            ),
            ("$command", format!("[{}]", words.join(", "))),
        ];
        let mut text = String::new();
        for (flags, line) in FILE.lines().filter_map(|line| line.split_once('|')) {
            if flags.chars().all(holds) {
                let value = values.iter().find(|(name, _)| line.ends_with(name));
                text += &value.map_or(line.to_owned(), |(name, value)| line.replace(name, value));
                text.push('\n');
            }
        }
        text
    }
}

fn first_error(problems: &Diagnostics) -> String {
    let mut problems = problems.sorted().into_iter();
    let error = problems.find(|problem| problem.severity() == Severity::Error);
    error
        .map(|error| error.title().to_owned())
        .unwrap_or_default()
}

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
        let (mut subjects, problems) = file::read(&Source::new("f", text), Path::new("."));
        assert_eq!(problems.draw(Paint::Plain), "", "{text}");
        subjects.remove(0)
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
        let subject = read(&args(Side::Referee, &odd).text().unwrap().0);
        let values = Values::from([("port", "{port}".to_owned())]);
        assert_eq!(subject.program.unwrap().command.fill(&values), odd);
    }

    #[test]
    fn a_bot_with_a_port_connects_and_a_running_referee_plays_without_spectators() {
        let bot = args(Side::Bot, &["b", "{port}"]).text().unwrap().0;
        assert_eq!(read(&bot).players.way, Way::Accept);
        let pipes = args(Side::Bot, &["b"]).text().unwrap().0;
        assert_eq!(read(&pipes).players.way, Way::Stdio);
        let running = InitArgs {
            connect: Some("127.0.0.1:4000".to_owned()),
            ..args(Side::Referee, &[])
        };
        let running = read(&running.text().unwrap().0);
        assert!(running.plays_alone() && !running.has_spectators());
    }

    #[test]
    fn every_key_that_is_commented_out_can_be_used() {
        for (side, keys) in [(Side::Referee, 7), (Side::Bot, 2)] {
            let text = args(side, &["r", "{host}", "{port}"]).text().unwrap().0;
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
        let of = |side, answer: &str| args(side, &[]).answered(answer);
        let address = of(Side::Referee, " localhost:4000 ").unwrap();
        assert_eq!(address.connect.as_deref(), Some("localhost:4000"));
        let command = of(Side::Referee, "./my\\ judge '{port}'").unwrap();
        assert_eq!(command.command, ["./my judge", "{port}"]);
        let title = |answer: &str| {
            let checked = of(Side::Bot, answer).and_then(|args| args.text());
            first_error(&checked.unwrap_err())
        };
        for (answer, said) in [
            ("'open", "close the quotation"),
            ("", "missing: its command"),
            ("b {prt}", "did you mean {port}?"),
        ] {
            let title = title(answer);
            assert!(title.contains(said), "{title}");
        }
    }
}
