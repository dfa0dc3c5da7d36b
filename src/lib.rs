//! urtext: a protocol conformance tester and replay tool for turn-based game referees and bots.
//!
//! Scripted scenarios are played against any referee or bot, every lane is compared with what a model of the game
//! predicts and with golden transcripts, and finished games are judged and replayed. Five ideas carry the code:
//!
//! - **A game is a pack.** One value of [`pack::Pack`] holds rules, notation, wire protocols and requirements. [`main`] takes the
//!   packs, so that a program of your own plays your own game.
//! - **One rules path.** [`rules`] and [`games`] are pure. Live runs, the built-in peers, `verify` and `replay` all play
//!   through [`rules::Table`]; deliberate deviations are a value that the rules take, so that faulty peers and the diagnosis share them.
//! - **The model predicts every lane.** From what happened, [`protocol::Model`] derives what each lane must receive, each line
//!   with the id of the [`requirement`] it rests on. It always advances on what was observed.
//! - **The judge is a pure machine.** [`judge`] takes events and says what to do; the [`engine`] feeds it from live lanes, a
//!   recording feeds it the same events.
//! - **Findings, diagnostics and breakdowns never mix.** What is wrong with a subject is data ([`finding::Finding`]); what is
//!   wrong with a user's file is a [`diagnostic`]; what keeps a game from running is an error.
//!
//! | to add | touch |
//! | --- | --- |
//! | a game | a folder such as `src/games/GAME/mod.rs` with its `PACK`, a row in `src/games/mod.rs`, its catalogue `scenarios/GAME/requirements.yaml` |
//! | a wire protocol | a [`protocol::Dialect`] such as `src/games/GAME/dialect.rs`, a row in `src/games/GAME/mod.rs` |
//! | a notation | a [`pack::Notation`] such as `src/games/royalur/hcur/mod.rs`, a row in `src/games/GAME/mod.rs` |
//! | a fault of a built-in peer | a row in `src/games/GAME/faults.rs`; a new kind of deviation in `src/pack/spoiler.rs` |
//! | a known mistake in the rules | a row in `src/games/GAME/mistakes.rs`; for a new setting also `rules.rs` beside it |
//! | a key of a scenario | its row in `src/scenario/resolve/keys.rs` or, for one that is kept as it is written, in `src/scenario/keys.rs`, which gives reader, schema and writer, and its use; `URTEXT_BLESS=1 cargo test --test program schema::` writes it into `docs/scenarios.md` |
//! | a deed of a scenario | a variant of [`scenario::Deed`], a row in `src/scenario/resolve/forms.rs`, and what the judge does: `src/judge/referee/acting.rs`, or `src/judge/dialogue.rs` |
//! | a verdict | `src/finding/mod.rs`, its count in `src/report/mod.rs`, its word in `src/report/console.rs`, its exit status in `src/report/results.rs`, `docs/running.md` |
//! | a finding | the place that makes it in `src/judge` |
//! | a key of `urtext.yaml` | its row in `src/config/file/subject.rs` or in the table of its mapping, which [`yaml`] turns into field, reader and schema, and its use; `URTEXT_BLESS=1 cargo test --test program schema::` writes it into `docs/urtext-yaml.md` |
//! | an operating system | the files of `src/platform/mod.rs`, and for processes and pipes those of `src/transport/mod.rs` |
//! | a transport | a file in `src/transport/mod.rs`, a way in `src/config/reach.rs`, its door in `src/engine/attach/doors.rs`, `docs/urtext-yaml.md` |
//! | a report | its row in `src/report/mod.rs`, its writer beside it, its command in `src/cli/report.rs`, `docs/running.md` |
//!
//! The modules stand in the order of their layers: each uses only those above it. `tests/layers` holds that.

pub mod platform;
pub mod diagnostic;
pub mod yaml;
pub mod rules;
pub mod requirement;
pub mod finding;
pub mod protocol;
pub mod pack;
pub mod transcript;
pub mod scenario;
pub mod config;
pub mod event;
pub mod mistake;
pub mod judge;
pub mod verify;
pub mod archive;
pub mod replay;
pub mod transport;
pub mod peers;
pub mod engine;
pub mod explore;
pub mod mutation;
pub mod games;
pub mod report;
pub mod session;
pub mod tui;
pub mod cli;

#[cfg(test)]
mod case_files;

use std::sync::OnceLock;

pub use cli::main;

/// The packs of the process, once they are known.
static PACKS: OnceLock<Vec<&'static pack::Pack>> = OnceLock::new();

/// Returns the packs of the process: those that [`main`] was given, else the shipped ones, so that tests and users of the library
/// need no set-up.
pub(crate) fn packs() -> &'static [&'static pack::Pack] {
    PACKS.get_or_init(|| games::PACKS.to_vec())
}

/// Makes these the packs of the process, unless it has some.
pub(crate) fn install(packs: &[&'static pack::Pack]) {
    PACKS.get_or_init(|| packs.to_vec());
}
