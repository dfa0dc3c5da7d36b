//! The loop between a terminal and the state of the viewer.

use std::io::{self, Write};
use std::time::Duration;

use data_encoding::BASE64;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, restore, try_init};

use super::ViewerOptions;
use super::state::{Flow, ViewerState};
use super::view::view;
use crate::platform::suspend;
use crate::replay::{LOOK, Replay, ReplaySource};

/// The longest wait for an event.
const IDLE: Duration = Duration::from_secs(3600);

/// Steps through a game on the terminal until the user leaves, and returns the game that was shown last.
///
/// # Errors
/// Fails if the terminal cannot be used. Restores the terminal in any case.
pub fn run(
    replay: Replay,
    options: ViewerOptions,
    source: &mut ReplaySource<'_>,
) -> io::Result<Replay> {
    let mut terminal = begin()?;
    let mut state = ViewerState::new(replay, options);
    let result = steps(&mut terminal, &mut state, source);
    end();
    result.map(|()| state.replay)
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
    state: &mut ViewerState,
    source: &mut ReplaySource<'_>,
) -> io::Result<()> {
    let size = terminal.size()?;
    state.take(&Event::Resize(size.width, size.height));
    loop {
        terminal.draw(|frame| view(state, frame))?;
        let wait = match state.replay.finished.goes_on {
            true => LOOK,
            false => IDLE,
        };
        let event = event::poll(wait)?.then(event::read).transpose()?;
        // A file that cannot be read any more stays as it was shown.
        if let Some(Ok(grown)) = source.grown()
            && let Some(grown) = Replay::new(grown)
        {
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
            Flow::OtherGame { is_before } => match source.other(&state.replay, is_before) {
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
