//! The viewer of finished games: a state that events change, and a view of it. Only [`run`] touches a terminal.

mod board;
mod layout;
mod panes;
mod state;
mod terminal;
mod view;

pub use state::ViewerOptions;
pub use terminal::run;

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
