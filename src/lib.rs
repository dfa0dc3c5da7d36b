//! urtext: a protocol conformance tester and replay tool for turn-based game referees and bots.

pub mod diagnostic;
pub mod rules;
pub mod games;
pub mod requirement;
pub mod protocol;
pub mod transcript;
pub mod scenario;
pub mod config;
pub mod event;
pub mod judge;
pub mod verify;
pub mod transport;
pub mod peers;
pub mod engine;
pub mod report;
pub mod cli;
