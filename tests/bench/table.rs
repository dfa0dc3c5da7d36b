//! One table of figures: the first row is what the others are measured by.

use std::time::Duration;

/// Rows by name, with the time of each round.
pub(crate) struct Table {
    title: String,
    /// What is counted.
    unit: &'static str,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    count: usize,
    /// None where it could not be run here.
    times: Vec<Duration>,
}

impl Table {
    /// A table of rates: `unit` is what is counted.
    pub(crate) fn new(title: String, unit: &'static str) -> Table {
        Table {
            title,
            unit,
            rows: Vec::new(),
        }
    }

    /// Measures a row once more.
    pub(crate) fn row(
        &mut self,
        name: &'static str,
        count: usize,
        measure: impl FnOnce() -> Option<Duration>,
    ) {
        let time = measure();
        match self.rows.iter_mut().find(|row| row.name == name) {
            Some(row) => row.times.extend(time),
            None => self.rows.push(Row {
                name,
                count,
                times: time.into_iter().collect(),
            }),
        }
    }

    pub(crate) fn print(&self) {
        println!("\n{}", self.title);
        let bare = self.rows.first().map_or(Vec::new(), Row::rates);
        for row in &self.rows {
            let rates = row.rates();
            let ratios = rates
                .iter()
                .zip(&bare)
                .map(|(rate, bare)| rate / bare)
                .collect();
            match (median(rates), median(ratios)) {
                (Some(rate), Some(ratio)) => {
                    let Row { name, count, .. } = row;
                    println!(
                        "  {name:<28} {count:>8} {} {rate:>10.0}/s {ratio:>7.3}",
                        self.unit
                    );
                }
                _ => println!("  {:<28} not measured: it is missing here", row.name),
            }
        }
    }
}

impl Row {
    /// How many a second, round by round.
    fn rates(&self) -> Vec<f64> {
        self.times
            .iter()
            .map(|time| self.count as f64 / time.as_secs_f64())
            .collect()
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
