//! Shorter games that may fail as a longer one did; every one of them is legal, and whether it fails, only playing it tells.

use std::collections::HashSet;

use super::Answers;
use super::aim::{Aim, Follows};
use super::script::{Script, given_to};
use crate::rules::{Phase, Seat, Table};
use crate::scenario::{Choice, Deed, Side, Turn};

impl Script {
    /// Games with fewer turns that may fail under this requirement too, the most promising first, each sort
    /// made up only when those before it are used up. Unknown answers of a bot are guessed.
    pub fn shorter<'s>(
        &'s self,
        answers: &'s Answers,
        requirement: Option<&'static str>,
    ) -> impl Iterator<Item = Script> + use<'s> {
        let later = |make: fn(&'s Script, &'s Answers) -> Vec<Script>| {
            std::iter::once_with(move || make(self, answers)).flatten()
        };
        let all = later(Script::that_show_the_same)
            .chain(std::iter::once_with(move || self.that_show(requirement, answers)).flatten())
            .chain(later(Script::with_less))
            .chain(later(Script::with_less_said))
            .chain(later(Script::quieter))
            .chain(later(Script::that_show_the_same_and_go_on_otherwise))
            .chain(later(Script::played_on));
        let shorter = all.filter(|script| script.is_shorter_than(self));
        shorter.map(|script| Script {
            free_from: script.known_until(answers),
            ..script
        })
    }

    /// The shortest games found that show the requirement, each with any one move after it: its failure may have come out long after. Of a
    /// bot none, for which [`Script::played_on`] does this.
    fn that_show(&self, requirement: Option<&'static str>, answers: &Answers) -> Vec<Script> {
        if self.plan.side == Side::Bot {
            return Vec::new();
        }
        let all = self.plan.dialect.game().coverage_items();
        let shows = |item: &usize| requirement.is_some() && all[*item].requirement == requirement;
        let items: Vec<_> = (0..all.len()).filter(shows).collect();
        let Some(last) = self.turns.last().filter(|_| !items.is_empty()) else {
            return Vec::new();
        };
        let plain = Turn::new(last.seat, last.roll, last.deed.clone());
        let mut found = Vec::new();
        self.quickest(&Aim::Items(items), &plain, answers, &mut |script, _| {
            found.push(script)
        });
        let mut games: Vec<_> = found
            .into_iter()
            .flat_map(|script| self.ended(script.turns, Follows::OneMove))
            .collect();
        games.sort_by_key(Script::cost);
        games
    }

    /// The shortest games found whose last turns show what those of this one show, each with one move after it where there was one.
    fn that_show_the_same(&self, answers: &Answers) -> Vec<Script> {
        self.similar(answers, |ended| ended.into_iter().take(1).collect())
    }

    /// The same games with any other move after them, by which alone it may be seen what they have led to.
    fn that_show_the_same_and_go_on_otherwise(&self, answers: &Answers) -> Vec<Script> {
        self.similar(answers, |ended| ended.into_iter().skip(1).collect())
    }

    fn similar(&self, answers: &Answers, chosen: fn(Vec<Script>) -> Vec<Script>) -> Vec<Script> {
        let mut all = Vec::new();
        for (aim, last, follows) in self.aims() {
            let mut found = Vec::new();
            self.quickest(&aim, &last, answers, &mut |script, _| found.push(script));
            found.extend(self.sprints(&aim, &last, answers));
            all.extend(
                found
                    .into_iter()
                    .flat_map(|script| chosen(self.ended(script.turns, follows))),
            );
        }
        all.sort_by_key(Script::cost);
        all
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

    /// Returns true if this game is cheaper to read than the other one.
    #[must_use]
    pub fn is_shorter_than(&self, other: &Script) -> bool {
        self.cost() < other.cost()
    }

    /// Of a bot, games that soon show something which this one showed anywhere, what came last first, and then go on freely: what it
    /// forgets can show long after.
    fn played_on(&self, answers: &Answers) -> Vec<Script> {
        if self.plan.side == Side::Referee || self.turns.len() < 2 {
            return Vec::new();
        }
        let mut items: Vec<usize> = Vec::new();
        for place in (0..self.turns.len() - 1).rev() {
            if let Some((Aim::Items(shown), _)) = self.aim(place) {
                items.extend(
                    shown
                        .into_iter()
                        .filter(|item| !items.contains(item))
                        .collect::<Vec<_>>(),
                );
            }
        }
        let rank = |item: &usize| items.iter().position(|known| known == item);
        let mut all = Vec::new();
        let aim = Aim::Items(items.clone());
        self.quickest(&aim, &self.turns[0], answers, &mut |script, shown| {
            if let Some(rank) = shown.iter().filter_map(rank).min() {
                all.push((rank, script));
            }
        });
        all.sort_by_key(|(rank, _)| *rank);
        let scripts = all
            .into_iter()
            .map(|(_, script)| script)
            .chain([self.with_turns(Vec::new())]);
        let plays_on = |script: Script| {
            let then_free = self
                .turns
                .len()
                .checked_sub(script.turns.len() + 1)
                .filter(|left| *left > 0)?;
            Some(Script {
                then_free,
                ..script
            })
        };
        scripts.filter_map(plays_on).collect()
    }

    /// Returns the cost of reading the game: a skipped turn or an additional line costs half of a turn.
    pub(super) fn cost(&self) -> usize {
        let own = |turn: &Turn| {
            if turn.deed == Deed::Skip { 1 } else { 2 }
        };
        let turns = self
            .turns
            .iter()
            .map(|turn| own(turn) + turn.meanwhile.len());
        turns.sum::<usize>() + self.then_free
    }

    pub(super) fn start(&self) -> Box<dyn Table> {
        self.plan
            .dialect
            .game()
            .table(self.plan.setup.unwrap_or_default())
    }

    pub(super) fn with_turns(&self, turns: Vec<Turn>) -> Script {
        Script {
            turns,
            ..self.clone()
        }
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

    /// Returns the game without the lines sent outside the turns.
    fn with_less_said(&self, _: &Answers) -> Vec<Script> {
        let plain = |turn: &Turn| Turn::new(turn.seat, turn.roll, turn.deed.clone());
        vec![self.with_turns(self.turns.iter().map(plain).collect())]
    }

    /// Returns the game with turns of a player skipped: all of them, or single ones.
    fn quieter(&self, answers: &Answers) -> Vec<Script> {
        let Some(&least) = self.plan.dialect.game().kinds_of_roll().first() else {
            return Vec::new();
        };
        let before_last = self.turns.len().saturating_sub(1);
        let all_of = |seat: Seat| {
            (0..before_last)
                .filter(|&place| self.turns[place].seat == seat)
                .collect()
        };
        let groups = Seat::BOTH
            .map(all_of)
            .into_iter()
            .chain((0..before_last).map(|place| vec![place]));
        let quieter = groups.filter_map(|group: Vec<usize>| {
            let mut turns = self.turns.clone();
            group
                .into_iter()
                .for_each(|place| turns[place].roll = Some(least));
            self.replayed(turns.iter(), answers)
        });
        quieter.collect()
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

    /// The position after so many turns.
    pub(super) fn reached(&self, turns: usize) -> Option<Box<dyn Table>> {
        let mut table = self.start();
        for turn in &self.turns[..turns] {
            if let Some(roll) = turn.roll {
                table.take_roll(roll);
            }
            if let Some(mv) = turn.deed.mv() {
                table.play(mv).ok()?;
            }
        }
        Some(table)
    }

    /// The position before a turn, its roll taken unless it skips the turn, and that turn.
    pub(super) fn before(&self, place: usize) -> Option<(Box<dyn Table>, &Turn)> {
        let last = self.turns.get(place)?;
        let mut table = self.reached(place)?;
        if let Some(roll) = last.roll.filter(|_| last.deed != Deed::Skip) {
            table.take_roll(roll);
        }
        Some((table, last))
    }

    /// Games with these turns, and with a move after them where that follows: one for each roll, the greatest first, and for each
    /// position that a move leads to.
    pub(super) fn ended(&self, turns: Vec<Turn>, follows: Follows) -> Vec<Script> {
        let script = self.with_turns(turns);
        if follows == Follows::Nothing {
            return vec![script];
        }
        let Some(table) = script.reached(script.turns.len()) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (table, roll) in self.begun(table.as_ref()).into_iter().rev() {
            let mut seen = HashSet::new();
            for mv in table.legal_moves() {
                let mut after = table.fork();
                if after.play(mv).is_ok() && seen.insert(after.canonical_fingerprint()) {
                    let turn = Turn::new(table.to_move(), roll, Deed::this(mv));
                    all.push(self.with_turns(script.turns.iter().cloned().chain([turn]).collect()));
                }
            }
        }
        all
    }
}

#[cfg(test)]
#[path = "shrink_tests.rs"]
mod tests;
