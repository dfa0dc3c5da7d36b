//! One table of figures: the first row is what the others are measured by.

use std::time::Duration;

/// Rows by name, with the time of each round.
pub(crate) struct Table {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    round_trips: usize,
    /// None where it could not be run here.
    times: Vec<Duration>,
}

impl Table {
    pub(crate) fn new(title: String) -> Table {
        Table { title, rows: Vec::new() }
    }

    /// Measures a row once more.
    pub(crate) fn row(
        &mut self,
        name: &'static str,
        round_trips: usize,
        measure: impl FnOnce() -> Option<Duration>,
    ) {
        let time = measure();
        match self.rows.iter_mut().find(|row| row.name == name) {
            Some(row) => row.times.extend(time),
            None => self.rows.push(Row { name, round_trips, times: time.into_iter().collect() }),
        }
    }

    pub(crate) fn print(&self) {
        println!("\n{}", self.title);
        let bare = self.rows.first().map_or(Vec::new(), Row::rates);
        for row in &self.rows {
            let rates = row.rates();
            let ratios = rates.iter().zip(&bare).map(|(rate, bare)| rate / bare).collect();
            match (median(rates), median(ratios)) {
                (Some(rate), Some(ratio)) => {
                    println!(
                        "  {:<28} {:>8} round trips {rate:>10.0}/s {ratio:>7.3}",
                        row.name, row.round_trips
                    );
                }
                _ => println!("  {:<28} not measured: it is not there", row.name),
            }
        }
    }
}

impl Row {
    /// Round trips a second, round by round.
    fn rates(&self) -> Vec<f64> {
        self.times.iter().map(|time| self.round_trips as f64 / time.as_secs_f64()).collect()
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
