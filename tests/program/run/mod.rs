//! `urtext run` as a user runs it.

mod watch;
mod filters;
mod flaky;
mod interrupt;
mod output;
mod record;
mod mistakes;
mod rounds;
