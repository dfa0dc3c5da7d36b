//! Playing a game at its recorded speed.

use std::time::Duration;

use crate::replay::Replay;

/// Speeds, in percent of the recorded one.
const SPEEDS: [u32; 9] = [10, 25, 50, 100, 200, 400, 800, 1600, 3200];

/// The longest pause between two turns that are played.
const IDLE: Duration = Duration::from_secs(2);

/// The pause before a turn without a time.
const UNTIMED: Duration = Duration::from_secs(1);

/// A game that plays by itself, or waits to.
#[derive(Debug, Clone)]
pub(super) struct Playback {
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
    pub(super) fn percent(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// Takes the next higher speed, or the next lower.
    pub(super) fn change_speed(&mut self, is_faster: bool) {
        self.speed = match is_faster {
            true => (self.speed + 1).min(SPEEDS.len() - 1),
            false => self.speed.saturating_sub(1),
        };
    }

    /// Sets the time of the next turn; at the end of the game it pauses.
    pub(super) fn plan(&mut self, now: Duration, replay: &Replay) {
        let next = replay.frame().number + 1;
        self.due = replay.frames().get(next).map(|frame| {
            let took = frame.times.map_or(UNTIMED, |(took, _)| took);
            now + took.min(IDLE) * 100 / self.percent()
        });
    }
}
