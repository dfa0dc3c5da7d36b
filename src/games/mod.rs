//! The shipped packs: one folder per game, and their table.

pub mod onitama;
pub mod royalur;

use crate::pack::Pack;

/// Every shipped pack; the first is that of the game that is played where none is named.
pub static PACKS: &[&Pack] = &[&royalur::PACK, &onitama::PACK];
