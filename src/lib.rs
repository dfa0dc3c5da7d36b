//! urtext: a protocol conformance tester and replay tool for turn-based game referees and bots.

pub mod diagnostic;
