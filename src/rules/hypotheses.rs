//! The wrong readings of a game's rules that an explanation considers, made from the settings of its variants.

use std::collections::HashMap;

use super::one_sided::OneSided;
use super::{Course, Rules, Seat, Setup, Table, VariantRow};

/// Wrong readings of the rules, each with the settings of the rules that stand for it. Those by which both players play stand first.
#[derive(Debug)]
pub struct Hypotheses<V> {
    standard: V,
    rows: Vec<VariantRow>,
    numbers: HashMap<&'static str, usize>,
    readings: Vec<Reading<V>>,
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

    /// A game before its first turn by the reading of that name. `rules` makes rules of their settings.
    pub fn table<R: Rules>(
        &self,
        name: &str,
        setup: Setup,
        rules: impl Fn(V) -> R,
    ) -> Option<Box<dyn Table>> {
        let Reading { settings, only } = self.readings[*self.numbers.get(name)?];
        let variant = rules(settings);
        let Some(only) = only else {
            return Some(Box::new(Course::new(variant, setup)));
        };
        let rules = rules(self.standard);
        let one_sided = OneSided {
            rules,
            variant,
            only,
        };
        Some(Box::new(Course::new(one_sided, setup)))
    }
}

/// Keeps a text for as long as the process lasts: the readings of a game are made once.
fn kept(text: &str) -> &'static str {
    Box::leak(text.into())
}
