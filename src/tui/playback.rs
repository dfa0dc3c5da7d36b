//! Playing a game at its recorded speed.

use std::time::Duration;

use crate::replay::Replay;

/// Speeds, in percent of the recorded one.
const SPEEDS: [u32; 9] = [10, 25, 50, 100, 200, 400, 800, 1600, 3200];

/// A game that plays by itself, or waits to.
#[derive(Debug, Clone)]
pub struct Playback {
    /// When the next turn is due; `None` while it is paused.
    pub due: Option<Duration>,
    speed: usize,
}

impl Default for Playback {
    fn default() -> Playback {
        Playback {
            due: None,
            speed: 3,
        }
    }
}

impl Playback {
    /// The speed, in percent of the recorded one.
    #[must_use]
    pub fn percent(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// Takes the next higher speed, or the next lower.
    pub fn change_speed(&mut self, is_faster: bool) {
        self.speed = match is_faster {
            true => (self.speed + 1).min(SPEEDS.len() - 1),
            false => self.speed.saturating_sub(1),
        };
    }

    /// Sets the time of the next turn; at the end of the game it pauses.
    pub fn plan(&mut self, now: Duration, replay: &Replay) {
        let next = replay.frame().number + 1;
        let pause = replay.pause_before(next) * 100 / self.percent();
        self.due = (next <= replay.last()).then_some(now + pause);
    }
}
