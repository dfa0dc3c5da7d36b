//! A Code Colosseum server: its requests, and lanes over WebSocket.

#![doc = include_str!("coco.md")]

mod client;
mod lane;
mod message;

pub use client::Client;
pub use lane::Notices;
pub use message::Match;
