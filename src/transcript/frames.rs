//! Framing of a game's bytes, where frames carry them.

use crate::diagnostic::counted;

/// Number of frames of each kind in a game, over all its lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frames {
    /// Frames with bytes.
    pub filled: u64,
    /// Those of them that end within a line.
    pub cutting: u64,
    /// Frames without bytes.
    pub empty: u64,
    /// The most of them on one lane.
    pub most_empty: u64,
    /// Frames with bytes after the end of a lane; what was in them is not part of the game.
    pub late: u64,
}

/// So many frames without bytes on one lane are nothing out of the ordinary.
const FEW: u64 = 1000;

impl Frames {
    /// Those of several lanes together; `None` where there is no lane.
    #[must_use]
    pub fn of_lanes<'f>(lanes: impl IntoIterator<Item = &'f Frames>) -> Option<Frames> {
        lanes.into_iter().fold(None, |all, lane| {
            let mut all = all.unwrap_or_default();
            Frames::add(&mut all, lane);
            Some(all)
        })
    }

    /// Adds the lanes of another one.
    pub fn add(&mut self, other: &Frames) {
        self.filled += other.filled;
        self.cutting += other.cutting;
        self.empty += other.empty;
        self.most_empty = self.most_empty.max(other.most_empty);
        self.late += other.late;
    }

    /// Returns true if each frame holds whole lines and nothing else was received.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.cutting == 0 && self.empty == 0 && self.late == 0
    }

    /// All of it in one line: `212 frames, 31 of which cut a line, and 1250 empty ones`.
    #[must_use]
    pub fn describe(&self) -> String {
        let &Frames {
            filled,
            cutting,
            empty,
            most_empty,
            late,
        } = self;
        let mut text = format!(
            "{}, {cutting} of which cut a line, and {empty} empty ones",
            counted(filled, "frame")
        );
        if most_empty < empty {
            text.push_str(&format!(" ({most_empty} of them on one lane)"));
        }
        if late > 0 {
            text.push_str(&format!(
                "; {} with bytes after the end of a lane",
                counted(late, "frame")
            ));
        }
        text
    }

    /// Describes the unusual framing of some games, one line each.
    #[must_use]
    pub fn oddities<'f>(games: impl IntoIterator<Item = &'f Frames>) -> Vec<String> {
        let mut all = Frames::default();
        let (mut played, mut with_many, mut with_late) = (0u64, 0u64, 0u64);
        for game in games {
            all.add(game);
            played += 1;
            with_many += u64::from(game.most_empty > FEW);
            with_late += u64::from(game.late > 0);
        }
        let of = |number| {
            if played == 1 {
                String::new()
            } else {
                format!(", in {number} of {played} games")
            }
        };
        let mut lines = Vec::new();
        if with_many > 0 {
            let upto = if with_many == 1 { "" } else { "up to " };
            lines.push(format!(
                "{upto}{} empty frames on one lane{}",
                all.most_empty,
                of(with_many)
            ));
        }
        if with_late > 0 {
            lines.push(format!(
                "{} with bytes after the end of a lane{}",
                counted(all.late, "frame"),
                of(with_late)
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Frames = Frames {
        filled: 200,
        cutting: 3,
        empty: 5,
        most_empty: 5,
        late: 0,
    };
    const FLOODED: Frames = Frames {
        filled: 1,
        cutting: 0,
        empty: 3000,
        most_empty: 2000,
        late: 1,
    };

    #[test]
    fn counts_every_frame_and_says_where_the_empty_ones_came() {
        assert_eq!(
            PLAIN.describe(),
            "200 frames, 3 of which cut a line, and 5 empty ones"
        );
        assert_eq!(
            FLOODED.describe(),
            "1 frame, 0 of which cut a line, and 3000 empty ones (2000 of them on one lane); \
             1 frame with bytes after the end of a lane"
        );
    }

    #[test]
    fn a_few_empty_frames_are_nothing_out_of_the_ordinary() {
        assert!(
            !PLAIN.is_plain()
                && Frames {
                    cutting: 0,
                    empty: 0,
                    ..PLAIN
                }
                .is_plain()
        );
        assert!(Frames::oddities([&PLAIN]).is_empty());
        assert_eq!(
            Frames::oddities([&FLOODED]),
            [
                "2000 empty frames on one lane",
                "1 frame with bytes after the end of a lane"
            ]
        );
        assert_eq!(
            Frames::oddities([&PLAIN, &FLOODED, &FLOODED]),
            [
                "up to 2000 empty frames on one lane, in 2 of 3 games",
                "2 frames with bytes after the end of a lane, in 2 of 3 games"
            ]
        );
    }
}
