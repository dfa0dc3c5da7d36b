//! Mistakes in the rules, held against a game as it goes.

use crate::protocol::GameEvent;
use crate::rules::{Game, Mistake, Move, Phase, Seat, Setup, Table, below};

/// A bot that makes a mistake, and picks at random among the moves that it holds to be legal, would have shown it but for this
/// probability: then the mistake has had its chance.
pub const CHANCE: f64 = 1.0 / 8.0;

/// A mistake in the rules that no event of a game has refuted yet.
#[derive(Debug, Clone)]
pub struct OpenMistake {
    /// The mistake.
    pub row: &'static Mistake,
    /// Probability that a bot that believes it would not have shown it so far.
    pub unshown: f64,
    /// The game by the mistake.
    pub table: Box<dyn Table>,
}

/// What an event says of a mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sign {
    /// It fits. A subject that believes the mistake would have shown something else with this probability.
    Fits(f64),
    /// A subject that believes the mistake would have shown something else.
    Refuted,
    /// A bot that believes the mistake would have sent a line in the turn of another. It may be taken for its next answer.
    Surplus,
    /// It does not fit, and was not the subject's doing: nobody knows what a bot makes of it.
    Unclear,
}

impl OpenMistake {
    /// The mistake before the first event of a game; `None` where the game does not know it.
    #[must_use]
    pub fn new(game: &dyn Game, setup: Setup, row: &'static Mistake) -> Option<OpenMistake> {
        let table = game.mistakes().table(setup, row.name)?;
        Some(OpenMistake {
            row,
            unshown: 1.0,
            table,
        })
    }

    /// Takes an event of the game, which `rules` is about to play. `bot` is the seat of the subject; `None` where it is the referee.
    pub fn see(&mut self, bot: Option<Seat>, rules: &dyn Table, event: &GameEvent) -> Sign {
        let sign = match bot {
            Some(bot) => see_bot(self.table.as_mut(), bot, rules, event),
            None if matches!(event, GameEvent::Lost { .. }) => Sign::Unclear,
            None if is_shown(self.table.as_mut(), event) => Sign::Fits(0.0),
            None => Sign::Refuted,
        };
        if let Sign::Fits(chance) = sign {
            self.unshown *= 1.0 - chance;
        }
        sign
    }
}

/// Plays an event on the table of a bot that makes a mistake. `rules`: the game before it.
pub fn see_bot(belief: &mut dyn Table, bot: Seat, rules: &dyn Table, event: &GameEvent) -> Sign {
    let is_bots = matches!(event, GameEvent::Moved { by, .. } if *by == bot);
    let is_awaited = awaits(belief, bot);
    // It would have left.
    if belief.phase().result().is_some() && !is_bots {
        return Sign::Fits(0.0);
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
        GameEvent::Moved { by, .. } if awaits(belief, by) => {}
        GameEvent::Moved { .. } if is_awaited => return Sign::Surplus,
        _ => return Sign::Unclear,
    }
    match event.play_on(belief) {
        true => Sign::Fits(chance),
        false => Sign::Unclear,
    }
}

/// Plays a roll or a move on the table of a referee; false for a loss, and where the referee would have shown something else.
pub fn is_shown(table: &mut dyn Table, event: &GameEvent) -> bool {
    let is_due = match *event {
        GameEvent::Rolled { .. } => table.phase() == Phase::Roll,
        GameEvent::Moved { by, .. } => awaits(table, by),
        GameEvent::Lost { .. } => false,
    };
    is_due && event.play_on(table)
}

/// Returns true if the game waits for a move of this player.
pub fn awaits(table: &dyn Table, by: Seat) -> bool {
    table.phase() == Phase::Move && table.to_move() == by
}

/// The mistakes that a game has not told from the rules yet.
#[derive(Debug, Clone)]
pub struct OpenMistakes {
    /// The seat of the bot under test; `None` where the subject is the referee.
    pub(super) bot: Option<Seat>,
    rules: Box<dyn Table>,
    /// Number of the game's events that were taken.
    seen: usize,
    open: Vec<OpenMistake>,
}

impl OpenMistakes {
    /// These mistakes before the first event of a game. `bot` is the seat of the subject; `None` where it is the referee.
    pub fn new(
        game: &dyn Game,
        bot: Option<Seat>,
        setup: Setup,
        rows: impl Iterator<Item = &'static Mistake>,
    ) -> OpenMistakes {
        OpenMistakes {
            bot,
            rules: game.table(setup),
            seen: 0,
            open: rows
                .filter_map(|row| OpenMistake::new(game, setup, row))
                .collect(),
        }
    }

    /// Takes those events of the game that are new.
    pub fn catch_up(&mut self, history: &[GameEvent]) {
        for event in &history[self.seen.min(history.len())..] {
            let (bot, rules) = (self.bot, self.rules.as_ref());
            self.open.retain_mut(|mistake| {
                matches!(mistake.see(bot, rules, event), Sign::Fits(_)) && mistake.unshown > CHANCE
            });
            event.play_on(self.rules.as_mut());
        }
        self.seen = history.len();
    }

    /// Returns the number of mistakes that are left; none: the game can tell no more.
    #[must_use]
    pub fn number(&self) -> usize {
        self.open.len()
    }

    /// The mistakes that allow this move of the player on turn.
    pub fn that_allow(&self, mv: Move) -> impl Iterator<Item = &'static Mistake> {
        let is_allowed = move |mistake: &&OpenMistake| mistake.table.check(mv).is_ok();
        let allowed = self.open.iter().filter(is_allowed);
        allowed.map(|mistake| mistake.row)
    }

    /// Those of the mistakes that allow this move which allow the fewest wrong moves now: the move is an example of them.
    #[must_use]
    pub fn shown_by(&self, mv: Move) -> Vec<&'static Mistake> {
        let is_wrong = |mv: &&Move| self.rules.check(**mv).is_err();
        let wrong =
            |mistake: &OpenMistake| mistake.table.legal_moves().iter().filter(is_wrong).count();
        let allowed = self
            .open
            .iter()
            .filter(|mistake| mistake.table.check(mv).is_ok());
        let mut allowed: Vec<_> = allowed
            .map(|mistake| (wrong(mistake), mistake.row))
            .collect();
        let fewest = allowed.iter().map(|(wrong, _)| *wrong).min();
        allowed.retain(|(wrong, _)| Some(*wrong) == fewest);
        allowed.into_iter().map(|(_, row)| row).collect()
    }

    /// Some of the mistakes, at most `most`. `random` gives uniformly random numbers.
    pub(super) fn some(&self, most: usize, random: &mut dyn FnMut() -> u64) -> Vec<OpenMistake> {
        if self.open.is_empty() {
            return Vec::new();
        }
        let from = below(random(), self.open.len());
        let all = self.open.iter().cycle().skip(from);
        all.take(most.min(self.open.len())).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;
    use crate::protocol::history;

    #[test]
    fn a_bot_that_answers_in_a_turn_that_it_would_not_have_refutes_the_mistake() {
        let game = pack::game("royalur").unwrap();
        let mut rows = game.mistakes().whole().iter();
        let row = rows.find(|row| row.name == "no-extra-turns").unwrap();
        let mut held = OpenMistake::new(game, Setup::default(), row).unwrap();
        let mut rules = game.table(Setup::default());
        let see = |event: GameEvent| {
            let sign = held.see(Some(Seat::First), rules.as_ref(), &event);
            event.play_on(rules.as_mut());
            sign
        };
        let events = history("first 4 > 0, first 1 > 1");
        let signs: Vec<_> = events.into_iter().map(see).collect();
        assert_eq!(signs[3], Sign::Refuted, "{signs:?}");
        assert!(
            signs[..3].iter().all(|sign| *sign == Sign::Fits(0.0)),
            "{signs:?}"
        );
    }
}
