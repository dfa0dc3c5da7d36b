//! One table of figures: the first row is what the others are measured by.

use std::time::Duration;

/// Rows by name, with the best time of each.
pub(crate) struct Table {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    round_trips: usize,
    /// `None`: it could not be run here.
    best: Option<Duration>,
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
            Some(row) => row.best = [row.best, time].into_iter().flatten().min(),
            None => self.rows.push(Row { name, round_trips, best: time }),
        }
    }

    pub(crate) fn print(&self) {
        println!("\n{}", self.title);
        let bare = self.rows.first().and_then(Row::per_second);
        for row in &self.rows {
            let Some(rate) = row.per_second() else {
                println!("  {:<28} not measured: it is not there", row.name);
                continue;
            };
            let ratio = bare.map_or(String::new(), |bare| format!("{:.3}", rate / bare));
            println!("  {:<28} {:>8} round trips {:>10.0}/s {ratio:>7}", row.name, row.round_trips, rate);
        }
    }
}

impl Row {
    fn per_second(&self) -> Option<f64> {
        Some(self.round_trips as f64 / self.best?.as_secs_f64())
    }
}
