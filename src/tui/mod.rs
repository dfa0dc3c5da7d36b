//! The viewer of finished games: a state that events change, and a view of it. Only [`run`] touches a terminal.

mod board;
mod layout;
mod panes;
mod playback;
mod source;
mod state;
mod terminal;
mod view;

pub use layout::Pane;
pub use playback::Playback;
pub use source::{ViewerNews, ViewerSource};
pub use state::{Flow, Prompt, Shown, ViewerEvent, ViewerOptions, ViewerState};
pub use terminal::run;
pub use view::{HELP, view};

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
