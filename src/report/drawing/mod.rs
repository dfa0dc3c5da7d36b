//! The drawing of a game's board. Its fixed parts are drawn once; places and the items on them change from turn to turn.

mod items;
mod layout;
mod position;
mod text;

pub(super) use layout::{BoardDrawing, SlotKind};
pub(super) use position::TurnMarks;
pub(super) use text::escaped;

/// The colours, light and dark. Where no style is allowed, the attributes show the light ones.
pub(super) const STYLE: &str = include_str!("board.css");
