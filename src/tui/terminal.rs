//! The loop between a terminal and the state of the viewer.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, restore, try_init};

use super::state::{Flow, ViewerState};
use super::view::view;
use super::{ViewerOptions, ViewerSource};
use crate::platform::suspend;
use crate::replay::Replay;
use crate::transcript::LOOK;

/// The longest wait for an event.
const IDLE: Duration = Duration::from_secs(3600);

/// Steps through a game on the terminal until the user leaves.
///
/// # Errors
/// Fails if the terminal cannot be used. Restores the terminal in any case.
pub fn run(
    replay: Replay,
    options: ViewerOptions,
    source: &mut dyn ViewerSource,
) -> io::Result<()> {
    let mut terminal = begin()?;
    let result = steps(&mut terminal, ViewerState::new(replay, options), source);
    end();
    result
}

fn begin() -> io::Result<DefaultTerminal> {
    let terminal = try_init()?;
    execute!(io::stdout(), EnableMouseCapture)?;
    Ok(terminal)
}

fn end() {
    // A terminal that is gone cannot be put back either.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    restore();
}

fn steps(
    terminal: &mut DefaultTerminal,
    mut state: ViewerState,
    source: &mut dyn ViewerSource,
) -> io::Result<()> {
    let start = Instant::now();
    let size = terminal.size()?;
    state.take(&Event::Resize(size.width, size.height));
    loop {
        terminal.draw(|frame| view(&state, frame))?;
        let due = state.playback.due;
        let wait = due.map_or(IDLE, |due| due.saturating_sub(start.elapsed()));
        let wait = if source.is_settled() {
            wait
        } else {
            wait.min(LOOK)
        };
        let event = event::poll(wait)?.then(event::read).transpose()?;
        state.tick(start.elapsed());
        if let Some(grown) = source.grown() {
            state.grow(grown);
        }
        let flow = event.map_or(Flow::Stay, |event| state.take(&event));
        match flow {
            Flow::Stay => {}
            Flow::Leave => return Ok(()),
            Flow::Suspend => {
                end();
                suspend()?;
                *terminal = begin()?;
                let size = terminal.size()?;
                state.take(&Event::Resize(size.width, size.height));
            }
            Flow::OtherGame { is_before } => match source.other(is_before) {
                Ok(replay) => state.open(replay),
                Err(message) => state.say(message),
            },
            Flow::Copy(text) => {
                // OSC 52: the terminal puts the text into the clipboard; one that cannot ignores it.
                let mut stdout = io::stdout();
                write!(stdout, "\x1b]52;c;{}\x07", BASE64.encode(text.as_bytes()))?;
                stdout.flush()?;
            }
        }
    }
}
