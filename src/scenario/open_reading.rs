//! Wrong readings of the rules, held against a game as it goes.

use super::{PlannedGame, Side};
use crate::protocol::GameEvent;
use crate::rules::{Phase, Seat, Setup, Table, VariantRow, below};

/// A bot that believes a reading, and picks at random among the moves that it holds to be legal, would have shown it but for this
/// probability: then the reading has had its chance.
pub const CHANCE: f64 = 1.0 / 8.0;

/// A wrong reading of the rules that no event of a game has refuted yet.
#[derive(Debug, Clone)]
pub struct OpenReading {
    /// The reading.
    pub row: &'static VariantRow,
    /// Probability that a bot that believes it would not have shown it so far.
    pub unshown: f64,
    /// The game by the reading.
    table: Box<dyn Table>,
    /// True if the game went on in a way that a bot which believes the reading would not have followed: what it does next does not fit.
    is_behind: bool,
}

/// What an event says of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sign {
    /// It fits. A subject that believes the reading would have shown something else with this probability.
    Fits(f64),
    /// A subject that believes the reading would have shown something else.
    Refuted,
    /// It does not fit, and was not the subject's doing: nobody knows what a bot makes of it.
    Unclear,
}

impl OpenReading {
    /// The reading before the first event of a game; `None` where the game does not know it.
    #[must_use]
    pub fn new(plan: &PlannedGame, setup: Setup, row: &'static VariantRow) -> Option<OpenReading> {
        let table = plan.dialect.game().variant_table(setup, row.name)?;
        Some(OpenReading {
            row,
            unshown: 1.0,
            table,
            is_behind: false,
        })
    }

    /// Takes an event of the game, which `rules` is about to play. `bot` is the seat of the subject; `None` where it is the referee.
    pub fn see(&mut self, bot: Option<Seat>, rules: &dyn Table, event: &GameEvent) -> Sign {
        let Some(bot) = bot else {
            return self.see_referee(event);
        };
        let belief = &mut self.table;
        let is_bots = matches!(event, GameEvent::Moved { by, .. } if *by == bot);
        let is_awaited = awaits(belief.as_ref(), bot);
        // It would have left, or would have sent a line in this turn.
        self.is_behind |= match event {
            GameEvent::Lost { .. } => false,
            GameEvent::Rolled { .. } => belief.phase().result().is_some(),
            GameEvent::Moved { by, .. } => *by != bot && is_awaited,
        };
        if self.is_behind {
            return if is_bots {
                Sign::Refuted
            } else {
                Sign::Fits(0.0)
            };
        }
        let mut chance = 0.0;
        match *event {
            GameEvent::Rolled { .. } if is_awaited => return Sign::Refuted,
            GameEvent::Rolled { .. } if belief.phase() == Phase::Roll => {}
            GameEvent::Moved { mv, .. } if is_bots => {
                if !is_awaited || belief.check(mv).is_err() {
                    return Sign::Refuted;
                }
                let believed = belief.legal_moves();
                let is_wrong = |&&mv: &&_| rules.check(mv).is_err();
                let wrong = believed.iter().filter(is_wrong).count();
                chance = wrong as f64 / believed.len() as f64;
            }
            GameEvent::Moved { by, .. } if awaits(belief.as_ref(), by) => {}
            _ => return Sign::Unclear,
        }
        if !event.play_on(belief.as_mut()) {
            return Sign::Unclear;
        }
        self.unshown *= 1.0 - chance;
        Sign::Fits(chance)
    }

    fn see_referee(&mut self, event: &GameEvent) -> Sign {
        let is_due = match *event {
            GameEvent::Rolled { .. } => self.table.phase() == Phase::Roll,
            GameEvent::Moved { by, .. } => awaits(self.table.as_ref(), by),
            GameEvent::Lost { .. } => return Sign::Unclear,
        };
        match is_due && event.play_on(self.table.as_mut()) {
            true => Sign::Fits(0.0),
            false => Sign::Refuted,
        }
    }
}

/// Returns true if the game waits for a move of this player.
pub fn awaits(table: &dyn Table, by: Seat) -> bool {
    table.phase() == Phase::Move && table.to_move() == by
}

/// The readings that a game has not told from the rules yet.
#[derive(Debug, Clone)]
pub struct OpenReadings {
    /// The seat of the bot under test; `None` where the subject is the referee.
    pub(super) bot: Option<Seat>,
    rules: Box<dyn Table>,
    /// Number of the game's events that were taken.
    seen: usize,
    open: Vec<OpenReading>,
}

impl OpenReadings {
    /// These readings before the first event of a game.
    pub fn new(
        plan: &PlannedGame,
        setup: Setup,
        rows: impl Iterator<Item = &'static VariantRow>,
    ) -> OpenReadings {
        OpenReadings {
            bot: (plan.side == Side::Bot).then_some(plan.bot_seat),
            rules: plan.dialect.game().table(setup),
            seen: 0,
            open: rows
                .filter_map(|row| OpenReading::new(plan, setup, row))
                .collect(),
        }
    }

    /// Takes those events of the game that are new.
    pub fn catch_up(&mut self, history: &[GameEvent]) {
        for event in &history[self.seen.min(history.len())..] {
            let (bot, rules) = (self.bot, self.rules.as_ref());
            self.open.retain_mut(|reading| {
                matches!(reading.see(bot, rules, event), Sign::Fits(_)) && reading.unshown > CHANCE
            });
            event.play_on(self.rules.as_mut());
        }
        self.seen = history.len();
    }

    /// Returns true if the game can tell no more.
    #[must_use]
    pub fn are_told_apart(&self) -> bool {
        self.open.is_empty()
    }

    /// Some of the readings, at most `most`. `random` gives uniformly random numbers.
    pub(super) fn some(&self, most: usize, random: &mut dyn FnMut() -> u64) -> Vec<OpenReading> {
        if self.open.is_empty() {
            return Vec::new();
        }
        let from = below(random(), self.open.len());
        let all = self.open.iter().cycle().skip(from);
        all.take(most.min(self.open.len())).cloned().collect()
    }
}
