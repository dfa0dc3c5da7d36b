//! State of the interactive replay, without a terminal.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::replay::Replay;

/// Number of turns in a page.
const PAGE: usize = 10;

/// The most digits of a turn's number that are taken.
const DIGITS: usize = 7;

/// State of the interactive replay: the replay, and the number that is being typed.
#[derive(Debug)]
pub struct ViewerState {
    replay: Replay,
    typed: String,
    message: Option<String>,
}

/// The loop's next action: go on, or end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Show the state and wait for the next key.
    Stay,
    /// The user leaves.
    Leave,
}

impl ViewerState {
    /// The replay where it stands.
    #[must_use]
    pub fn new(replay: Replay) -> ViewerState {
        ViewerState {
            replay,
            typed: String::new(),
            message: None,
        }
    }

    /// The replay.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The digits of a turn's number typed so far.
    #[must_use]
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Returns the message about the last key.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Takes a key.
    pub fn press(&mut self, key: KeyEvent) -> Flow {
        self.message = None;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return Flow::Leave,
            KeyCode::Char('q') => return Flow::Leave,
            KeyCode::Esc if self.typed.is_empty() => return Flow::Leave,
            KeyCode::Char(digit @ '0'..='9') => {
                if self.typed.len() < DIGITS {
                    self.typed.push(digit);
                }
                return Flow::Stay;
            }
            KeyCode::Backspace if !self.typed.is_empty() => {
                self.typed.pop();
                return Flow::Stay;
            }
            KeyCode::Enter if !self.typed.is_empty() => self.go(),
            KeyCode::Right
            | KeyCode::Down
            | KeyCode::Enter
            | KeyCode::Char(' ' | 'l' | 'j' | 'n') => {
                self.replay.forward(1);
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('h' | 'k' | 'p') => {
                self.replay.back(1);
            }
            KeyCode::PageDown => self.replay.forward(PAGE),
            KeyCode::PageUp => self.replay.back(PAGE),
            KeyCode::Home | KeyCode::Char('g') => self.replay.back(usize::MAX),
            KeyCode::End | KeyCode::Char('G') => self.replay.forward(usize::MAX),
            _ => {}
        }
        self.typed.clear();
        Flow::Stay
    }

    fn go(&mut self) {
        let turn = self.typed.parse().expect("digits, few enough for a number");
        if let Err(error) = self.replay.seek(turn) {
            self.message = Some(error.to_string());
        }
    }
}
