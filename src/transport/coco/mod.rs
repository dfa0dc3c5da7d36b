//! A Code Colosseum server: its requests, and lanes over WebSocket.

#![doc = include_str!("coco.md")]

mod client;
mod failure;
mod lane;
mod message;
mod stored;

pub use client::{Client, NewMatch};
pub use failure::Failure;
pub use lane::Notices;
pub use message::Match;
