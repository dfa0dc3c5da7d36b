//! The commands of the program, which of them its arguments name, and its exit status; one file per command.

mod replay_live;
mod bot;
mod check;
mod doctor;
mod explore;
mod help;
mod init;
mod interrupt;
mod mutants;
mod output;
mod progress;
mod record;
mod repeat;
mod referee;
mod replay;
mod report;
mod report_files;
mod requirements;
mod run;
mod server;
mod subject;
mod verify;

pub use crate::report::Status;

use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::process::{ExitCode, Termination};

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::pack::Pack;
use crate::platform::survive_size_limit;
use crate::transport::supervisor;

/// Protocol conformance tester and replay tool for turn-based game referees and bots.
#[derive(Debug, Parser)]
#[command(
    name = "urtext",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Cli {
    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        global = true,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true,
        display_order = 1000,
        hide_short_help = true
    )]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

/// The groups of commands in `urtext --help`. The hidden command is in none.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Test", &["run", "explore", "check", "mutants", "report"]),
    ("Look at games", &["replay", "verify", "record"]),
    ("Set up", &["init", "doctor", "referee", "bot"]),
    (
        "Look up",
        &["requirements", "help", "schema", "completions", "man"],
    ),
];

#[derive(Debug, Subcommand)]
enum Command {
    /// Play scenarios against a referee or a bot
    Run(Box<run::RunArgs>),
    /// Play random legal and illegal games, steering towards untested situations
    Explore(Box<explore::ExploreArgs>),
    /// Check scenarios, golden transcripts, recordings and urtext.yaml; run nothing
    Check(check::CheckArgs),
    /// Show which deliberate faults a suite catches
    Mutants(mutants::MutantsArgs),
    /// Write JSON reports in another format, several joined
    Report(report::ReportArgs),
    /// Step through a finished game, print it, or write it in another notation
    Replay(replay::ReplayArgs),
    /// Judge finished games by the rules
    Verify(verify::VerifyArgs),
    /// Record a game that others play
    Record(Box<record::RecordArgs>),
    /// Write a commented urtext.yaml
    Init(Box<init::InitArgs>),
    /// Examine this machine and your subjects step by step
    Doctor(Box<doctor::DoctorArgs>),
    /// Conduct games as the built-in referee
    Referee(referee::RefereeArgs),
    /// Play as the built-in bot
    Bot(bot::BotArgs),
    /// List the requirements, or explain one
    Requirements(requirements::RequirementsArgs),
    /// Explain a command, or show a page of the documentation
    Help(help::HelpArgs),
    /// Print the JSON Schema of a file, for editors
    Schema(help::SchemaArgs),
    /// Print a script that lets a shell complete commands and options
    Completions(help::CompletionsArgs),
    /// Write the manual pages
    Man(help::ManArgs),
    /// Play a seat of a running session, for a referee that starts its players itself
    ///
    /// The referee writes to its standard input, and reads the player's lines from its standard output. In a subject's command,
    /// {seat_first} and {seat_second} become this command with its arguments.
    #[command(hide = true)]
    Seat(bot::SeatArgs),
}

/// The program's command, whose help shows the commands in groups.
fn described() -> clap::Command {
    let command = Cli::command();
    let about = |name: &str| {
        command
            .find_subcommand(name)
            .and_then(clap::Command::get_about)
    };
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text.push_str(&format!("\n{heading}:\n"));
        for name in names {
            let about = about(name).map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {name:<13} {about}\n"));
        }
    }
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n{text}\nOptions:\n{{options}}{{after-help}}"
    );
    command
        .help_template(template)
        .after_help("`urtext help running` lists the exit statuses.")
}

/// Runs the program with the arguments of the process, for the games of these packs. The first pack's game is played where none is named.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     urtext::main(urtext::games::PACKS)
/// }
/// ```
pub fn main(packs: &[&'static Pack]) -> ExitCode {
    crate::install(packs);
    let mut arguments = std::env::args_os();
    if let Some(path) = arguments.next() {
        repeat::started_as(Path::new(&path));
    }
    // Not a command for people: it is started for every subject, and is there before the others are even described.
    if arguments
        .next()
        .is_some_and(|first| first == supervisor::ARGUMENT)
    {
        return supervisor::supervise(arguments);
    }
    survive_size_limit();
    output::printed(run()).report()
}

fn run() -> Status {
    let mut command = described();
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let cli = parsed.and_then(|matches| {
        repeat::learn(&command, &matches);
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    });
    let cli = match cli.map_err(|error| with_hint(error, &command)) {
        Ok(cli) => cli,
        Err(error) => return output::parser(&number_in_words(error, &command)),
    };
    colour(cli.color);
    let ended = match cli.command {
        Command::Check(args) => args.run(),
        Command::Run(args) => args.run(),
        Command::Explore(args) => args.run(),
        Command::Record(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Init(args) => args.run(),
        Command::Doctor(args) => args.run(),
        Command::Requirements(args) => args.run(),
        Command::Mutants(args) => args.run(),
        Command::Report(args) => args.run(),
        Command::Schema(args) => args.run(),
        Command::Completions(args) => args.run(described()),
        Command::Man(args) => args.run(described()),
        Command::Referee(args) => args.run(),
        Command::Bot(args) => args.run(),
        Command::Seat(args) => args.run(),
        Command::Help(args) => args.run(),
    };
    ended.unwrap_or_else(|status| status)
}

/// Words that users try, and what they mean here.
const MEANT: [(&str, &str); 6] = [
    ("test", "run"),
    ("--filter", "--only PATTERN"),
    ("--html", "--report html=FOLDER"),
    ("--json", "--report json=FILE"),
    ("--junit", "--report junit=FILE"),
    ("--timeout", "--set timeout=DURATION"),
];

/// The error of the parser, with the word that was meant, if the command that is named has it.
fn with_hint(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let named = std::env::args().nth(1);
    let named = named.and_then(|name| command.find_subcommand(name));
    let has = |meant: &str| {
        let is_it = |option| meant.split(' ').next() == Some(&format!("--{option}"));
        named.is_none_or(|named| {
            named
                .get_arguments()
                .filter_map(clap::Arg::get_long)
                .any(is_it)
        })
    };
    let kinds = [
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
    ];
    for (wrong, suggested) in kinds {
        if let Some(ContextValue::String(word)) = error.get(wrong)
            && let Some((_, meant)) = MEANT.iter().find(|(known, _)| known == word)
            && has(meant)
        {
            error.insert(suggested, ContextValue::String((*meant).to_owned()));
        }
    }
    error
}

/// The error of the parser, in plain words where another number is due.
fn number_in_words(error: clap::Error, command: &clap::Command) -> clap::Error {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref());
    let tip = match source.map(ParseIntError::kind) {
        None => return error,
        Some(IntErrorKind::Zero) => "write a whole number from 1 on",
        Some(IntErrorKind::PosOverflow) => "write a smaller number",
        Some(_) => "write a whole number",
    };
    let mut plain = clap::Error::new(error.kind()).with_cmd(command);
    for (kind, value) in error.context() {
        plain.insert(kind, value.clone());
    }
    let tip = ContextValue::StyledStrs(vec![tip.into()]);
    plain.insert(ContextKind::Suggested, tip);
    plain
}

/// Decides for all streams whether what is printed is coloured.
fn colour(choice: ColorChoice) {
    match choice {
        // The environment and the stream decide.
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_stands_in_one_group() {
        let command = Cli::command();
        let shown = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let shown: Vec<_> = shown.map(clap::Command::get_name).collect();
        let grouped: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        assert_eq!(grouped, shown);
    }
}
