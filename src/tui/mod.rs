//! The interactive replay: a state that keys change, and a view of it. Only [`run`] touches a terminal.

mod state;
mod view;

pub use state::{Flow, ViewerState};
pub use view::view;

use std::io;

use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::replay::Replay;

/// Steps through a game on the terminal until the user leaves.
///
/// # Errors
/// Fails if the terminal cannot be used. Restores the terminal in any case.
pub fn run(replay: Replay) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let mut state = ViewerState::new(replay);
    let result = loop {
        if let Err(error) = terminal.draw(|frame| view(&state, frame)) {
            break Err(error);
        }
        match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                if state.press(key) == Flow::Leave {
                    break Ok(());
                }
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    ratatui::restore();
    result
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
