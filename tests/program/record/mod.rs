//! `urtext record` between real participants and a real referee, as a bot in a bot's place, and as a spectator.

pub(crate) mod command;
mod ending;
mod proxy;
mod spectate;
mod wrap;
