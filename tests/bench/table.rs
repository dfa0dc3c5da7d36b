//! One table of figures: the first row is what the others are measured by.
//!
//! `snapshots/bench.txt` keeps the ratios. Each run prints the kept ratio beside the new one and marks a fall by more than a fifth;
//! `URTEXT_BLESS_BENCH=1 cargo bench` writes the rows of its tables anew, so that the difference of a change states what became slower.

use std::fmt::Write;
use std::time::Duration;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/bench.txt");

const TITLE: &str = "\
Ratio of each row of `cargo bench` to the first row of its table, the median of three rounds. Higher is faster.
tests/bench/table.rs writes this file.
";

/// A fall to less than this part of the kept ratio is marked.
const FALL: f64 = 0.8;

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

    /// Prints the rows, and keeps their ratios where that is asked for.
    pub(crate) fn print(&self) {
        println!("\n{}", self.title);
        let mut kept = Kept::read();
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
                    let before = match kept.ratio(&self.title, name) {
                        Some(before) if ratio < FALL * before => {
                            format!("   kept {before:.3}: it fell by more than a fifth")
                        }
                        Some(before) => format!("   kept {before:.3}"),
                        None => String::new(),
                    };
                    println!(
                        "  {name:<28} {count:>8} {} {rate:>10.0}/s {ratio:>7.3}{before}",
                        self.unit
                    );
                    kept.set(&self.title, name, ratio);
                }
                _ => println!("  {:<28} not measured: it is missing here", row.name),
            }
        }
        if std::env::var_os("URTEXT_BLESS_BENCH").is_some() {
            kept.write();
        }
    }
}

/// The kept ratios: the rows of each table, by its title.
struct Kept(Vec<(String, Vec<(String, f64)>)>);

impl Kept {
    fn read() -> Kept {
        let mut tables: Vec<(String, Vec<_>)> = Vec::new();
        let text = std::fs::read_to_string(KEPT).unwrap_or_default();
        let rows = text.lines().skip(TITLE.lines().count());
        for line in rows.filter(|line| !line.is_empty()) {
            match (line.strip_prefix("  "), tables.last_mut()) {
                (Some(row), Some((_, rows))) => {
                    let (name, ratio) = row.rsplit_once(' ').expect("a name and a ratio");
                    let ratio = ratio.parse().expect("a ratio");
                    rows.push((name.trim_end().to_owned(), ratio));
                }
                _ => tables.push((line.to_owned(), Vec::new())),
            }
        }
        Kept(tables)
    }

    fn ratio(&self, title: &str, name: &str) -> Option<f64> {
        let (_, rows) = self.0.iter().find(|(kept, _)| kept == title)?;
        let row = rows.iter().find(|(kept, _)| kept == name);
        row.map(|(_, ratio)| *ratio)
    }

    fn set(&mut self, title: &str, name: &str, ratio: f64) {
        let place = self.0.iter().position(|(kept, _)| kept == title);
        let place = place.unwrap_or_else(|| {
            self.0.push((title.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let rows = &mut self.0[place].1;
        match rows.iter_mut().find(|(kept, _)| kept == name) {
            Some(row) => row.1 = ratio,
            None => rows.push((name.to_owned(), ratio)),
        }
    }

    fn write(&self) {
        let mut text = TITLE.to_owned();
        for (title, rows) in &self.0 {
            write!(text, "\n{title}\n").expect("a string takes all");
            for (name, ratio) in rows {
                writeln!(text, "  {name:<28} {ratio:>7.3}").expect("a string takes all");
            }
        }
        std::fs::write(KEPT, text).expect("the ratios are kept");
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
