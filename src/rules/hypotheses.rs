//! The wrong readings of a game's rules that an explanation considers, made from the settings of its variants.

use std::collections::HashMap;
use std::iter;

use super::misread::MisreadRules;
use super::occasional::{OccasionalRules, Occasions};
use super::{Course, Rules, Seat, Setup, Table, VariantRow};

/// Wrong readings of the rules, each with the settings of the rules that stand for it. Those by which both players play stand first.
#[derive(Debug)]
pub struct Hypotheses<V> {
    standard: V,
    rows: Vec<VariantRow>,
    numbers: HashMap<&'static str, usize>,
    readings: Vec<Reading<V>>,
    /// The readings that hold on some occasions only.
    occasional: Vec<VariantRow>,
    /// The readings that hold under one more condition only.
    conditional: Vec<VariantRow>,
    /// The settings of either, when they hold, and the player in whose turns, if not in those of both.
    partial: HashMap<&'static str, (V, Occasions, Option<Seat>)>,
}

/// A wrong reading of the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Reading<V> {
    settings: V,
    /// The one player who plays by them, if the other one plays by the rules.
    only: Option<Seat>,
}

impl<V: Copy + PartialEq> Hypotheses<V> {
    /// No wrong reading of the rules that these settings stand for.
    #[must_use]
    pub fn of(standard: V) -> Hypotheses<V> {
        Hypotheses {
            standard,
            rows: Vec::new(),
            numbers: HashMap::new(),
            readings: Vec::new(),
            occasional: Vec::new(),
            conditional: Vec::new(),
            partial: HashMap::new(),
        }
    }

    /// Adds a reading, unless it stands there already under another name, or is no deviation.
    pub fn add(&mut self, row: VariantRow, settings: V) {
        let reading = Reading {
            settings,
            only: None,
        };
        if settings != self.standard && !self.readings.contains(&reading) {
            self.push(row, reading);
        }
    }

    /// Adds a reading whose name and summary are made; see [`Hypotheses::add`].
    pub fn add_made(&mut self, name: &str, summary: &str, breaks: &'static str, settings: V) {
        self.add(VariantRow::new(kept(name), kept(summary), breaks), settings);
    }

    /// The same of a reading that is made of these simpler ones.
    pub fn add_containing(
        &mut self,
        contains: &[&str],
        name: &str,
        summary: &str,
        breaks: &'static str,
        settings: V,
    ) {
        let row = VariantRow {
            contains: Vec::leak(contains.iter().map(|name| kept(name)).collect()),
            ..VariantRow::new(kept(name), kept(summary), breaks)
        };
        self.add(row, settings);
    }

    /// Adds each reading again for one player alone, where `matters` says that this is no empty claim. `players` are short names of the
    /// seats, and their names in a sentence.
    #[must_use]
    pub fn with_one_sided(
        mut self,
        players: [(&str, &str); 2],
        matters: impl Fn(&V) -> bool,
    ) -> Hypotheses<V> {
        for number in 0..self.rows.len() {
            let (row, settings) = (self.rows[number], self.readings[number].settings);
            if !matters(&settings) {
                continue;
            }
            for (seat, (name, player)) in Seat::BOTH.into_iter().zip(players) {
                let row = VariantRow {
                    name: kept(&format!("{}-for-{name}", row.name)),
                    summary: kept(&format!("{}, but only in turns of {player}", row.summary)),
                    breaks: row.breaks,
                    general: Some(row.name),
                    contains: &[],
                };
                let only = Some(seat);
                self.push(row, Reading { settings, only });
            }
        }
        self
    }

    /// Adds, apart from the others, each reading of both players again as one that holds on these occasions only.
    #[must_use]
    pub fn with_occasional(mut self, all: &[Occasions]) -> Hypotheses<V> {
        let readings = self.rows.iter().zip(&self.readings);
        for (row, reading) in readings.filter(|(_, reading)| reading.only.is_none()) {
            for &occasions in all {
                let (name, words) = occasions.words();
                let name = kept(&format!("{}-{name}", row.name));
                self.occasional.push(VariantRow {
                    name,
                    summary: kept(&format!("{}, {words}", row.summary)),
                    breaks: row.breaks,
                    general: Some(row.name),
                    contains: &[],
                });
                let when = (reading.settings, occasions, None);
                self.partial.insert(name, when);
            }
        }
        self
    }

    /// Adds, apart from the others, these readings again under each condition, in turns of both players and of each of these alone.
    #[must_use]
    pub fn with_conditional(
        mut self,
        readings: &[(VariantRow, V)],
        conditions: &[Occasions],
        players: &[(&str, &str)],
    ) -> Hypotheses<V> {
        let product = readings.iter().flat_map(|reading| {
            conditions
                .iter()
                .map(move |&condition| (reading, condition))
        });
        for ((row, settings), condition) in product {
            let (condition_name, words) = condition.words();
            let alone = Seat::BOTH.into_iter().zip(players).map(Some);
            for player in iter::once(None).chain(alone) {
                let mut name = format!("{}-{condition_name}", row.name);
                let mut summary = format!("{}, {words}", row.summary);
                if let Some((_, (short, player))) = player {
                    name += &format!("-for-{short}");
                    summary += &format!(", in turns of {player}");
                }
                let name = kept(&name);
                self.conditional.push(VariantRow {
                    name,
                    summary: kept(&summary),
                    breaks: row.breaks,
                    general: Some(row.name),
                    contains: &[],
                });
                let only = player.map(|(seat, ..)| seat);
                self.partial.insert(name, (*settings, condition, only));
            }
        }
        self
    }

    fn push(&mut self, row: VariantRow, reading: Reading<V>) {
        self.numbers.insert(row.name, self.rows.len());
        self.rows.push(row);
        self.readings.push(reading);
    }

    /// Every reading by name.
    #[must_use]
    pub fn rows(&self) -> &[VariantRow] {
        &self.rows
    }

    /// Every reading as one that holds on some occasions only.
    #[must_use]
    pub fn occasional(&self) -> &[VariantRow] {
        &self.occasional
    }

    /// Every reading that holds under a condition only.
    #[must_use]
    pub fn conditional(&self) -> &[VariantRow] {
        &self.conditional
    }

    /// A game before its first turn by the reading of that name. `rules` makes rules of their settings.
    pub fn table<R: Rules>(
        &self,
        name: &str,
        setup: Setup,
        rules: impl Fn(V) -> R,
    ) -> Option<Box<dyn Table>> {
        let Some(&number) = self.numbers.get(name) else {
            let (settings, occasions, only) = *self.partial.get(name)?;
            let occasional = OccasionalRules {
                rules: rules(self.standard),
                variant: rules(settings),
                occasions,
                only,
            };
            return Some(Box::new(Course::new(occasional, setup)));
        };
        let Reading { settings, only } = self.readings[number];
        let misread = MisreadRules {
            rules: rules(self.standard),
            variant: rules(settings),
            only,
        };
        Some(Box::new(Course::new(misread, setup)))
    }
}

/// Keeps a text for as long as the process lasts: the readings of a game are made once.
fn kept(text: &str) -> &'static str {
    Box::leak(text.into())
}

#[cfg(test)]
mod tests {
    use crate::case_files::assert_lines;
    use crate::pack;
    use crate::rules::{Move, Roll, Setup, Table};

    /// Plays a turn, as `HEADS>TOKEN` or `HEADS`, and returns its mover.
    fn play(table: &mut dyn Table, turn: &str) -> String {
        let mover = table.to_move();
        let (heads, token) = turn.split_once('>').unwrap_or((turn, ""));
        table.take_roll(Roll((1 << heads.parse::<u32>().unwrap()) - 1));
        if let Ok(token) = token.parse() {
            table.play(Move(token)).unwrap();
        }
        format!("{mover:?} ")
    }

    #[test]
    fn a_reading_can_hold_for_one_token_late_once_or_after_other_turns() {
        assert_lines("movers", |row| {
            let (name, turns) = row.split_once(": ").unwrap();
            let game = pack::game("royalur").unwrap();
            let mut rows = game.occasional().iter().chain(game.conditional());
            assert!(rows.any(|row| row.name == name));
            let mut table = game.variant_table(Setup::default(), name).unwrap();
            let (skipped, turns) = turns.split_once("x0 ").unwrap_or(("0", turns));
            for _ in 0..skipped.parse().unwrap() {
                play(table.as_mut(), "0");
            }
            turns
                .split(' ')
                .map(|turn| play(table.as_mut(), turn))
                .collect()
        });
    }
}
