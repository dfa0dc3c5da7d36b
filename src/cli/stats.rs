//! `urtext stats`: counts the games of an archive.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, ValueEnum};

use super::output::{print, say, usage};
use super::{Status, file_progress, game_files};
use crate::archive::statistics::{
    GAME_COLUMNS, GameRow, PAIR_COLUMNS, PLAYER_COLUMNS, Statistics, StatisticsReport,
};
use crate::archive::{ArchiveFiles, each_game};
use crate::diagnostic::Diagnostics;
use crate::pack::Protocol;
use crate::report;
use crate::verify::in_order;

/// Arguments of `urtext stats`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is whatever `urtext verify` reads; a folder stands for all files below it. Memory grows with the number of players, not of games. \
    Answer times come from recordings and from notations with times. Quantiles are exact to 1 %. A score counts a draw as half a point; its \
    interval is Wilson's, with 95 %.\n\n\
    Exit status: 0 every game was counted, 1 a game has an error and is not counted, 2 a file cannot be read."
)]
pub(super) struct StatsArgs {
    /// Files with finished games, or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    format: StatsFormat,
    /// Write the rows of one table; games are written while they are read
    #[arg(long, value_enum, value_name = "TABLE")]
    rows: Option<RowKind>,
    /// The dialect or the game of streams that do not tell it, or a notation, such as `hc-ur`
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Number of files read at once [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Form of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StatsFormat {
    /// Tables for people
    Text,
    /// CSV with a header, one table; players unless --rows names another
    Csv,
    /// One JSON object; a JSON object per line with --rows
    Json,
}

/// A table of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RowKind {
    /// One row per game
    Games,
    /// One row per player
    Players,
    /// One row per player and opponent
    Pairs,
}

/// Results of one file: its part of the statistics, rows of games, and faults.
struct Counted {
    statistics: Statistics,
    rows: String,
    faults: Vec<Diagnostics>,
    warnings: Diagnostics,
    file_size: u64,
}

impl StatsArgs {
    /// Counts the games.
    pub(super) fn run(self) -> Status {
        if self.format == StatsFormat::Text && self.rows.is_some() {
            return usage("`--rows` goes with `--format csv` or `--format json`");
        }
        let protocol = match game_files::protocol(self.dialect.as_deref()) {
            Ok(protocol) => protocol,
            Err(status) => return status,
        };
        let files = ArchiveFiles::new(&self.paths);
        let bar = file_progress::bar(&files);
        let is_by_game = self.rows == Some(RowKind::Games);
        if is_by_game && self.format == StatsFormat::Csv {
            print(GAME_COLUMNS);
        }
        let jobs = || thread::available_parallelism().map_or(1, usize::from);
        let mut all = Statistics::default();
        let mut status = Status::Conforms;
        in_order(
            self.jobs.map_or_else(jobs, usize::from),
            |give| files.iter().for_each(give),
            |file| match file {
                Ok(file) => self.count(&file, protocol),
                Err(fault) => Counted::unreadable(fault.into()),
            },
            |counted| {
                bar.inc(counted.file_size);
                bar.suspend(|| {
                    if !counted.rows.is_empty() {
                        print(counted.rows.trim_end());
                    }
                    counted.faults.iter().for_each(say);
                    say(&counted.warnings);
                });
                if !counted.faults.is_empty() {
                    status = status.worse(Status::Usage);
                }
                all.merge(counted.statistics);
            },
        );
        bar.finish_and_clear();
        let report = all.report();
        if report.wrong > 0 {
            status = status.worse(Status::Deviates);
        }
        if !is_by_game {
            print(self.written(&report).trim_end());
        }
        status
    }

    /// Counts the games of a file.
    fn count(&self, file: &Path, protocol: Option<Protocol>) -> Counted {
        let name = file.to_string_lossy();
        let mut counted = Counted {
            statistics: Statistics::default(),
            rows: String::new(),
            faults: Vec::new(),
            warnings: Diagnostics::new(),
            file_size: file.metadata().map_or(0, |metadata| metadata.len()),
        };
        let faults = each_game(
            file,
            self.dialect.as_deref(),
            protocol,
            &mut |number, told| {
                let told = match told {
                    Ok(told) => told,
                    Err(fault) => {
                        counted.statistics.add_unreadable();
                        return counted.faults.push(fault.into());
                    }
                };
                if told.wrong.is_some() {
                    return counted.statistics.add_wrong();
                }
                let row = GameRow::new(&name, number, &told);
                counted.statistics.add(&row);
                if self.rows == Some(RowKind::Games) {
                    let line = match self.format {
                        StatsFormat::Csv => row.csv(),
                        _ => json(&row),
                    };
                    writeln!(counted.rows, "{line}").expect("a text grows");
                }
            },
        );
        match faults {
            Ok(warnings) => counted.warnings = warnings,
            Err(faults) => {
                counted.statistics.add_unreadable();
                counted.faults.push(faults);
            }
        }
        counted
    }

    /// The statistics in the form that the user asked for.
    fn written(&self, report: &StatisticsReport) -> String {
        let players = || report.games.iter().flat_map(|game| &game.players);
        let pairs = || report.games.iter().flat_map(|game| &game.pairs);
        let lines = |head: &str, rows: Vec<String>| format!("{head}\n{}", rows.join("\n"));
        match (self.format, self.rows) {
            (StatsFormat::Text, _) => report::draw_statistics(report),
            (StatsFormat::Json, None | Some(RowKind::Games)) => json(report),
            (StatsFormat::Json, Some(RowKind::Players)) => {
                players().map(json).collect::<Vec<_>>().join("\n")
            }
            (StatsFormat::Json, Some(RowKind::Pairs)) => {
                pairs().map(json).collect::<Vec<_>>().join("\n")
            }
            (StatsFormat::Csv, Some(RowKind::Pairs)) => {
                lines(PAIR_COLUMNS, pairs().map(|pair| pair.csv()).collect())
            }
            (StatsFormat::Csv, _) => lines(
                PLAYER_COLUMNS,
                players().map(|player| player.csv()).collect(),
            ),
        }
    }
}

impl Counted {
    fn unreadable(faults: Diagnostics) -> Counted {
        let mut statistics = Statistics::default();
        statistics.add_unreadable();
        Counted {
            statistics,
            rows: String::new(),
            faults: vec![faults],
            warnings: Diagnostics::new(),
            file_size: 0,
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("all keys are texts")
}
