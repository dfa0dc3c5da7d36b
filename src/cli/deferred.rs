//! Late description of a command's arguments to clap, which keeps the start of the program fast.

use clap::{ArgMatches, Args, Command, FromArgMatches};

/// Arguments that are described to clap only where their command is used, or explained.
///
/// All commands have some three hundred arguments together, and a start needs those of one.
#[derive(Debug)]
pub(super) struct Deferred<A>(pub(super) A);

impl<A: Args> Args for Deferred<A> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<A>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(described::<A>)
    }
}

/// The command with its arguments. Its own summary stays, where the arguments have another one.
fn described<A: Args>(command: Command) -> Command {
    let (about, long_about) = (
        command.get_about().cloned(),
        command.get_long_about().cloned(),
    );
    let mut command = A::augment_args(command).about(None).long_about(None);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long_about) = long_about {
        command = command.long_about(long_about);
    }
    command
}

impl<A: FromArgMatches> FromArgMatches for Deferred<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        A::from_arg_matches(matches).map(Deferred)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        A::from_arg_matches_mut(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}
