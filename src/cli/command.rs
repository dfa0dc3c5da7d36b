//! The commands of the program, and which of them its arguments name.

use std::path::Path;
use std::process::{ExitCode, Termination};

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::Status;
use super::{
    bot, check, completions, doctor, explore, help, init, mutants, output, program, record,
    referee, repeat, replay, report, requirements, run, schema, seat, verify,
};
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
pub(super) struct Cli {
    /// When to colour what is printed; `auto`: where a terminal shows it, unless NO_COLOR is set
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        global = true,
        default_value_t,
        display_order = 1000
    )]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Checks scenarios, golden transcripts and recordings; runs nothing
    Check(check::CheckArgs),
    /// Plays scenarios against a referee or a bot
    Run(Box<run::RunArgs>),
    /// Plays random games, legal and hostile, towards what has not been seen yet
    Explore(Box<explore::ExploreArgs>),
    /// Writes down a game that others play, from between them or as a spectator
    Record(Box<record::RecordArgs>),
    /// Steps through a finished game, prints it, or writes it in another notation
    Replay(replay::ReplayArgs),
    /// Judges finished games against the rules, all lanes together
    Verify(verify::VerifyArgs),
    /// Writes a commented urtext.yaml for your referee or bot
    Init(Box<init::InitArgs>),
    /// Plays a plain game with each subject step by step, and says what to change
    Doctor(Box<doctor::DoctorArgs>),
    /// Lists what the specifications demand, and explains one of it
    Requirements(requirements::RequirementsArgs),
    /// Shows how good a suite is, by the deliberate faults that it catches
    Mutants(mutants::MutantsArgs),
    /// Reads JSON reports, and writes or joins them
    Report(report::ReportArgs),
    /// Prints the JSON Schema of a file, for editors
    Schema(schema::SchemaArgs),
    /// Prints a script with which a shell completes commands and options
    Completions(completions::CompletionsArgs),
    /// Writes manual pages
    Man(completions::ManArgs),
    /// Conducts games as the built-in referee
    Referee(referee::RefereeArgs),
    /// Plays as the built-in bot
    Bot(bot::BotArgs),
    /// Plays a seat of a running session, for a referee that starts its players itself
    ///
    /// Standard input is the player's input; the player's lines go to standard output. In a subject's command, {seat_first}
    /// and {seat_second} expand to this command with its arguments. The socket and the token are in the subject's
    /// environment too.
    Seat(seat::SeatArgs),
    /// Explains a command, or shows a page of the documentation
    Help(help::HelpArgs),
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
        program::started_as(Path::new(&path));
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
    let mut command = Cli::command();
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let cli = parsed.and_then(|matches| {
        repeat::learn(&command, &matches);
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    });
    let cli = match cli {
        Ok(cli) => cli,
        Err(error) => {
            return output::parser(&error);
        }
    };
    colour(cli.color);
    match cli.command {
        Command::Check(args) => args.run(),
        Command::Run(args) => run::run(*args),
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
        Command::Completions(args) => args.run(Cli::command()),
        Command::Man(args) => args.run(Cli::command()),
        Command::Referee(args) => args.run(),
        Command::Bot(args) => args.run(),
        Command::Seat(args) => args.run(),
        Command::Help(args) => args.run(),
    }
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
    use clap::error::ErrorKind;

    use super::*;
    use crate::cli::output::wrong_arguments;

    #[test]
    fn wrong_arguments_are_shown_as_the_parser_shows_them() {
        let by_parser =
            Cli::command().error(ErrorKind::ValueValidation, "a and b exclude each other");
        let shown = wrong_arguments("a and b exclude each other");
        assert_eq!(
            shown.render().ansi().to_string(),
            by_parser.render().ansi().to_string()
        );
        assert!(shown.use_stderr());
    }
}
