//! The wrong readings of a game's rules that an explanation considers, made from the settings of its variants.

use std::collections::HashMap;

use super::misread::MisreadRules;
use super::occasional::OccasionalRules;
use super::{Course, Rules, Seat, Setup, Table, VariantRow};

/// Wrong readings of the rules, each with the settings of the rules that stand for it. Those by which both players play stand first.
#[derive(Debug)]
pub struct Hypotheses<V> {
    standard: V,
    rows: Vec<VariantRow>,
    numbers: HashMap<&'static str, usize>,
    readings: Vec<Reading<V>>,
    /// The readings that do not hold the first time, each with its settings.
    occasional: Vec<VariantRow>,
    occasional_settings: Vec<V>,
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
            occasional_settings: Vec::new(),
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
        let row = VariantRow {
            name: kept(name),
            summary: kept(summary),
            breaks,
            general: None,
        };
        self.add(row, settings);
    }

    /// Adds each reading again for one player alone, where `matters` says that this is no empty claim. `players` are short names of the
    /// seats, and their names in a sentence.
    #[must_use]
    pub fn with_one_sided(
        mut self,
        players: [(&str, &str); 2],
        matters: impl Fn(&V, Seat) -> bool,
    ) -> Hypotheses<V> {
        for number in 0..self.rows.len() {
            let (row, settings) = (self.rows[number], self.readings[number].settings);
            let sides = Seat::BOTH.into_iter().zip(players);
            for (seat, (name, player)) in sides.filter(|(seat, _)| matters(&settings, *seat)) {
                let row = VariantRow {
                    name: kept(&format!("{}-for-{name}", row.name)),
                    summary: kept(&format!("{}, but only in turns of {player}", row.summary)),
                    breaks: row.breaks,
                    general: Some(row.name),
                };
                let only = Some(seat);
                self.push(row, Reading { settings, only });
            }
        }
        self
    }

    /// Adds, apart from the others, each reading of both players again as one that does not hold the first time that it matters.
    #[must_use]
    pub fn with_occasional(mut self) -> Hypotheses<V> {
        for (row, reading) in self.rows.iter().zip(&self.readings) {
            if reading.only.is_some() {
                continue;
            }
            self.occasional.push(VariantRow {
                name: kept(&format!("{}-later", row.name)),
                summary: kept(&format!("{}, but not the first time", row.summary)),
                breaks: row.breaks,
                general: Some(row.name),
            });
            self.occasional_settings.push(reading.settings);
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

    /// Every reading as one that does not hold the first time that it matters.
    #[must_use]
    pub fn occasional(&self) -> &[VariantRow] {
        &self.occasional
    }

    /// A game before its first turn by the reading of that name. `rules` makes rules of their settings.
    pub fn table<R: Rules>(
        &self,
        name: &str,
        setup: Setup,
        rules: impl Fn(V) -> R,
    ) -> Option<Box<dyn Table>> {
        let Some(&number) = self.numbers.get(name) else {
            let number = self.occasional.iter().position(|row| row.name == name)?;
            let occasional = OccasionalRules {
                rules: rules(self.standard),
                variant: rules(self.occasional_settings[number]),
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
    use crate::pack;
    use crate::rules::{Move, Roll, Seat, Setup};

    #[test]
    fn a_reading_that_holds_later_does_not_hold_the_first_time_that_it_matters() {
        let game = pack::game("royalur").unwrap();
        let name = "no-extra-turn-4-later";
        assert!(game.occasional().iter().any(|row| row.name == name));
        let mut table = game.variant_table(Setup::default(), name).unwrap();
        let mut movers = Vec::new();
        for token in 0..2 {
            // Four cells: the first rosette; the second token stands there after the first has moved on.
            for (steps, mover) in [(4, token), (1, token)] {
                movers.push(table.to_move());
                table.take_roll(Roll((1 << steps) - 1));
                table.play(Move(mover)).unwrap();
            }
        }
        let (one, other) = (Seat::First, Seat::Second);
        assert_eq!(movers, [one, one, other, one]);
    }
}
