//! `urtext run` as a user runs it.

mod adaptive;
mod again;
mod bless;
mod command;
mod connect;
mod finding;
mod gate;
mod flaky;
mod interrupt;
mod output;
mod record;
mod select;
mod simulated;
mod status;
#[path = "../subjects/mod.rs"]
mod subjects;
mod tested;
