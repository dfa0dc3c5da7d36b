//! `urtext run` as a user runs it.

mod adaptive;
mod again;
mod bless;
mod connect;
mod evidence;
mod finding;
mod gate;
mod flaky;
mod interrupt;
mod output;
mod record;
mod select;
mod simulated;
mod status;
mod tested;
