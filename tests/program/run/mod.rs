//! `urtext run` as a user runs it.

mod adaptive;
mod again;
mod watch;
mod connect;
mod debug;
mod evidence;
mod filters;
mod finding;
mod gate;
mod flaky;
mod interrupt;
mod output;
mod record;
mod readings;
mod rounds;
mod select;
mod built_in;
mod status;
mod stderr;
mod tested;

use crate::harness::URTEXT;

/// The built-in referee as a started subject that takes no forced rolls.
const UR: &[&str] = &[
    "--as",
    "referee",
    "--",
    URTEXT,
    "referee",
    "royalur",
    "--pace",
    "0",
    "--spectators",
    "{spectators}",
];
