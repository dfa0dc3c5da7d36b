//! Shorter games that may fail as a longer one did; every one of them is legal, and whether it fails, only playing it tells.

use super::aim::{Aim, Shown};
use super::script::{Answers, Script, given_to};
use crate::rules::{Mistake, Phase};
use crate::scenario::{Choice, Deed, Side, Turn};

impl Script {
    /// Games with fewer turns that may fail under this requirement too, the most promising first, each sort
    /// made up only when those before it are used up. Unknown answers of a bot are guessed.
    pub(super) fn shorter<'s>(
        &'s self,
        answers: &'s Answers,
        requirement: Option<&'static str>,
    ) -> impl Iterator<Item = Script> + use<'s> {
        let later = |make: fn(&'s Script, &'s Answers) -> Vec<Script>| {
            std::iter::once_with(move || make(self, answers)).flatten()
        };
        let all = std::iter::once_with(move || self.similar(requirement, answers)).flatten();
        let all = all
            .chain(later(Script::with_less))
            .chain(later(Script::played_on));
        all.filter_map(|script| self.if_shorter(script, answers))
    }

    /// The game if it is shorter than this one, as far as the answers of a bot are known.
    fn if_shorter(&self, script: Script, answers: &Answers) -> Option<Script> {
        let free_from = script.known_until(answers);
        script.is_shorter_than(self).then_some(Script {
            free_from,
            ..script
        })
    }

    /// The shortest games found that show what the last turns of this one show, or the requirement.
    fn similar(&self, requirement: Option<&'static str>, answers: &Answers) -> Vec<Script> {
        let mut all = Vec::new();
        for aim in self.aims(requirement) {
            for (_, script) in self.that_show(&aim, answers) {
                match aim.follows {
                    0 => all.push(script),
                    most => all.extend(script.followed().into_iter().take(most)),
                }
            }
        }
        all.sort_by_key(Script::cost);
        all
    }

    /// Shorter games in which a subject that makes one of these mistakes shows it, the shortest first.
    pub(super) fn telling(
        &self,
        mistakes: &[&'static Mistake],
        answers: &Answers,
    ) -> impl Iterator<Item = Script> + use<> {
        let told = mistakes
            .iter()
            .flat_map(|mistake| self.that_tell(mistake, answers));
        let shorter = told.filter_map(|script| self.if_shorter(script, answers));
        let mut all: Vec<_> = shorter.collect();
        all.sort_by_key(Script::cost);
        all.into_iter()
    }

    /// The turn up to which the bot was seen to answer so.
    pub(super) fn known_until(&self, answers: &Answers) -> usize {
        let is_guessed = |(place, turn): (usize, &Turn)| {
            let is_known = |mv| answers.after(&self.turns[..place], turn.roll) == Some(mv);
            self.is_bots(turn.seat) && turn.deed.mv().is_some_and(|mv| !is_known(mv))
        };
        self.turns
            .iter()
            .enumerate()
            .position(is_guessed)
            .unwrap_or(self.turns.len())
    }

    /// Of a bot, games that soon show something which this one showed anywhere, what came last first, and then go on freely: what it
    /// forgets can show long after.
    fn played_on(&self, answers: &Answers) -> Vec<Script> {
        if self.plan.side == Side::Referee || self.turns.len() < 2 {
            return Vec::new();
        }
        let before_last = (0..self.turns.len() - 1).rev();
        let mut items: Vec<Shown> = before_last.flat_map(|place| self.shown(place)).collect();
        items.retain(|shown| matches!(shown, Shown::Item(_)));
        let rank = |shown: Shown| items.iter().position(|known| *known == shown);
        let plain = Turn::new(self.turns[0].seat, None, Deed::Skip);
        let mut all = self.that_show(&Aim::new(items.clone(), &plain, 0), answers);
        all.sort_by_key(|(shown, _)| rank(*shown));
        let scripts = all.into_iter().map(|(_, script)| script);
        let plays_on = |script: Script| {
            let left = self.turns.len().checked_sub(script.turns.len() + 1)?;
            (left > 0).then(|| script.played_on_for(left))
        };
        scripts
            .chain([self.with_turns(Vec::new())])
            .filter_map(plays_on)
            .collect()
    }

    /// The game without some of its turns: first large parts are left out, then small ones.
    fn with_less(&self, answers: &Answers) -> Vec<Script> {
        let before_last = self.turns.len().saturating_sub(1);
        let some = |size: usize| Some(size).filter(|size| *size > 0);
        let sizes = std::iter::successors(some(before_last), |size| some(size / 2));
        let mut all = Vec::new();
        for size in sizes {
            for from in (0..before_last).step_by(size) {
                let until = (from + size).min(before_last);
                let kept = self.turns[..from].iter().chain(&self.turns[until..]);
                all.extend(self.replayed(kept, answers));
            }
        }
        all
    }

    /// These turns one after the other; where a move is not possible any more, another one is made instead. `None` where the last turn
    /// is not.
    fn replayed<'t>(
        &self,
        turns: impl Iterator<Item = &'t Turn>,
        answers: &Answers,
    ) -> Option<Script> {
        let mut table = self.start();
        let mut turns = turns.peekable();
        let mut played = Vec::new();
        while let Some(turn) = turns.next() {
            let seat = table.to_move();
            let is_last = turns.peek().is_none();
            match table.phase() {
                Phase::Over(_) => return None,
                Phase::Roll if !table.take_roll(turn.roll?) => {
                    if is_last && turn.deed != Deed::Skip {
                        return None;
                    }
                    // It is over with its roll, and nobody is heard in it.
                    played.push(Turn::new(seat, turn.roll, Deed::Skip));
                    continue;
                }
                Phase::Roll | Phase::Move => {}
            }
            let legal = self.choices(&played, table.as_ref(), turn.roll, answers);
            let action = match &turn.deed {
                Deed::Move(Choice::Any { .. }) if !self.is_bots(seat) => return None,
                Deed::Move(Choice::This(mv)) if legal.contains(mv) => Deed::this(*mv),
                Deed::Move(Choice::This(_)) | Deed::Skip if is_last => return None,
                Deed::Move(Choice::This(_)) | Deed::Skip => Deed::this(*legal.first()?),
                last => last.clone(),
            };
            if let Some(mv) = action.mv() {
                table.play(mv).ok()?;
            }
            played.push(given_to(turn, seat, action));
        }
        Some(self.with_turns(played))
    }
}

#[cfg(test)]
#[path = "shrink_tests.rs"]
mod tests;
