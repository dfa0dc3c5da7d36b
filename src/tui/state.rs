//! State of the viewer, without a terminal: events in, state out.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::layout::{Pane, first_turn, places};
use crate::diagnostic::visible;
use crate::replay::{Replay, Target};

/// Number of turns in a page.
const PAGE: usize = 10;

/// The most characters of a number and of a text to search for.
const DIGITS: usize = 7;
const TEXT: usize = 60;

/// Next action of the loop around the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    /// Show the state and wait for the next event.
    Stay,
    /// The user leaves.
    Leave,
    /// The user suspends the program.
    Suspend,
    /// The user asks for another game of the file: the next, or the one before.
    OtherGame {
        /// True for the one before.
        is_before: bool,
    },
    /// The text goes to the clipboard.
    Copy(String),
}

/// The text that the user types at the foot of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The number of a turn.
    Turn(String),
    /// A text to search for.
    Search(String),
}

/// The ways in which the viewer can show the same state.
#[derive(Debug, Clone, Default)]
pub struct ViewerOptions {
    /// Only ASCII characters.
    pub is_ascii: bool,
    /// Colour; all of it can be read without.
    pub has_colour: bool,
    /// A command that plays the file again; `None` if there is none.
    pub continuing: Option<String>,
}

/// State of the viewer.
#[derive(Debug)]
pub(super) struct ViewerState {
    pub(super) replay: Replay,
    pub(super) options: ViewerOptions,
    size: (u16, u16),
    pub(super) pane: Pane,
    pub(super) scroll: usize,
    pub(super) prompt: Option<Prompt>,
    pub(super) message: Option<String>,
    target: Option<Target>,
    /// True if the board is seen from the other side.
    pub(super) is_flipped: bool,
    /// True if the keys are explained.
    pub(super) has_help: bool,
}

impl ViewerState {
    /// The replay where it stands, or at the last turn of a game that goes on.
    pub(super) fn new(mut replay: Replay, options: ViewerOptions) -> ViewerState {
        if replay.finished.goes_on {
            replay.go(usize::MAX);
        }
        ViewerState {
            replay,
            options,
            size: (80, 24),
            pane: Pane::Moves,
            scroll: 0,
            prompt: None,
            message: None,
            target: None,
            is_flipped: false,
            has_help: false,
        }
    }

    /// Number of rows by which a pane is scrolled.
    pub(super) fn scroll_of(&self, pane: Pane) -> usize {
        if pane == self.pane { self.scroll } else { 0 }
    }

    /// Shows another game of the file.
    pub(super) fn open(&mut self, replay: Replay) {
        self.replay = replay;
        (self.scroll, self.prompt) = (0, None);
    }

    /// Takes the game as it has gone on. A user at the last turn goes on with it.
    pub(super) fn grow(&mut self, mut grown: Replay) {
        let at = self.replay.frame().number;
        let is_at_end = at == self.replay.last();
        grown.go(if is_at_end { usize::MAX } else { at });
        self.replay = grown;
    }

    /// Shows a message until the next key.
    pub(super) fn say(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Takes an event of the terminal.
    pub(super) fn take(&mut self, event: &Event) -> Flow {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.press(*key),
            Event::Mouse(mouse) => self.point(*mouse),
            Event::Resize(columns, rows) => self.size = (*columns, *rows),
            _ => {}
        }
        Flow::Stay
    }

    fn press(&mut self, key: KeyEvent) -> Flow {
        self.message = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Flow::Leave,
                KeyCode::Char('z') => Flow::Suspend,
                _ => Flow::Stay,
            };
        }
        if let Some(prompt) = self.prompt.take() {
            self.type_into(prompt, key.code);
            return Flow::Stay;
        }
        if std::mem::take(&mut self.has_help) && key.code != KeyCode::Char('q') {
            return Flow::Stay;
        }
        let at = self.replay.frame().number;
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Flow::Leave,
            KeyCode::Char(digit @ '0'..='9') => self.prompt = Some(Prompt::Turn(digit.into())),
            KeyCode::Char(':') => self.prompt = Some(Prompt::Turn(String::new())),
            KeyCode::Char('/') => self.prompt = Some(Prompt::Search(String::new())),
            KeyCode::Right | KeyCode::Enter | KeyCode::Char('l') => self.step(at + 1),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => {
                self.step(at.saturating_sub(1));
            }
            KeyCode::Down | KeyCode::Char('j') => self.list(1),
            KeyCode::Up | KeyCode::Char('k') => self.list(-1),
            KeyCode::PageDown => self.list(PAGE as isize),
            KeyCode::PageUp => self.list(-(PAGE as isize)),
            KeyCode::Home | KeyCode::Char('g') => self.step(0),
            KeyCode::End | KeyCode::Char('G') => self.step(usize::MAX),
            KeyCode::Tab => self.change_pane(1),
            KeyCode::BackTab => self.change_pane(Pane::ALL.len() - 1),
            KeyCode::Char('c') => self.look_for(Target::Capture),
            KeyCode::Char('r') => self.look_for(Target::Rosette),
            KeyCode::Char('s') => self.look_for(Target::Skip),
            KeyCode::Char('e') => self.look_for(Target::Trouble),
            KeyCode::Char('n') => self.seek(false),
            KeyCode::Char('N') => self.seek(true),
            KeyCode::Char('[') => return Flow::OtherGame { is_before: true },
            KeyCode::Char(']') => return Flow::OtherGame { is_before: false },
            KeyCode::Char('f') => self.is_flipped ^= true,
            KeyCode::Char('?') => self.has_help = true,
            KeyCode::Char('y') => return self.copy(),
            _ => {}
        }
        Flow::Stay
    }

    fn type_into(&mut self, mut prompt: Prompt, key: KeyCode) {
        let is_number = matches!(prompt, Prompt::Turn(_));
        let (typed, most) = match &mut prompt {
            Prompt::Turn(typed) => (typed, DIGITS),
            Prompt::Search(typed) => (typed, TEXT),
        };
        match key {
            KeyCode::Esc => return,
            KeyCode::Backspace if typed.is_empty() => return,
            KeyCode::Backspace => {
                typed.pop();
            }
            KeyCode::Enter => return self.answer(prompt),
            KeyCode::Char(letter)
                if typed.chars().count() < most && (letter.is_ascii_digit() || !is_number) =>
            {
                typed.push(letter);
            }
            _ => {}
        }
        self.prompt = Some(prompt);
    }

    fn answer(&mut self, prompt: Prompt) {
        match prompt {
            Prompt::Turn(typed) if typed.is_empty() => {}
            Prompt::Turn(typed) => {
                let turn = typed.parse().expect("digits, few enough for a number");
                if let Err(error) = self.replay.seek(turn) {
                    self.say(error.title());
                }
            }
            Prompt::Search(typed) if typed.is_empty() => self.seek(false),
            Prompt::Search(typed) => self.look_for(Target::Text(typed)),
        }
    }

    /// Goes to a turn, or to the last.
    fn step(&mut self, turn: usize) {
        self.replay.go(turn);
        self.scroll = 0;
    }

    /// Moves in the pane: by turns among the moves, by rows in the others.
    fn list(&mut self, rows: isize) {
        match self.pane {
            Pane::Moves => self.step(self.replay.frame().number.saturating_add_signed(rows)),
            _ => self.scroll = self.scroll.saturating_add_signed(rows),
        }
    }

    fn change_pane(&mut self, by: usize) {
        let at = Pane::ALL.iter().position(|&pane| pane == self.pane);
        let next = (at.unwrap_or_default() + by) % Pane::ALL.len();
        (self.pane, self.scroll) = (Pane::ALL[next], 0);
    }

    fn look_for(&mut self, target: Target) {
        self.target = Some(target);
        self.seek(false);
    }

    fn seek(&mut self, is_backwards: bool) {
        let Some(target) = &self.target else {
            return self.say("nothing to repeat: `/` searches, c r s e look for turns");
        };
        let at = self.replay.frame().number;
        match target.seek(&self.replay, at, is_backwards) {
            Some(turn) => self.step(turn),
            None => {
                let name = target.name();
                self.say(format!("no {}", visible::plain(name.as_bytes())));
            }
        }
    }

    fn copy(&mut self) -> Flow {
        let Some(command) = &self.options.continuing else {
            self.say("no command continues from here: it takes a single file");
            return Flow::Stay;
        };
        let frame = self.replay.frame();
        if frame.picture().to_move.is_none() {
            self.say("the game is over here: no command continues");
            return Flow::Stay;
        }
        let number = self.replay.number_of_several();
        let number = number.map_or(String::new(), |number| format!(" --game-number {number}"));
        let command = format!("{command}{number} --from {}", frame.number + 1);
        self.say(command.clone());
        Flow::Copy(command)
    }

    fn point(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.step(self.replay.frame().number + 1),
            MouseEventKind::ScrollUp => {
                self.step(self.replay.frame().number.saturating_sub(1));
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let spot = Position::new(mouse.column, mouse.row);
                let (columns, rows) = self.size;
                let places = places(self, Rect::new(0, 0, columns, rows));
                let clicked = places.panes.iter().find(|(_, area)| area.contains(spot));
                let Some(&(pane, area)) = clicked else { return };
                if pane == Pane::Moves {
                    let first =
                        first_turn(self.replay.frame().number, self.replay.last(), area.height);
                    self.step(first + usize::from(mouse.row - area.y));
                }
                (self.pane, self.scroll) = (pane, 0);
            }
            _ => {}
        }
    }
}
