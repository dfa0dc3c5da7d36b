//! `urtext explain`: which wrong readings of the rules fit the games of a run or of an archive, and the game that shows each best.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{print, say, usage};
use super::{Status, file_progress, game_files, report};
use crate::archive::{
    ArchiveFiles, ArchiveReadings, ExplainedFailure, ExplainedGames, each_game_of_lanes,
};
use crate::diagnostic::{self, Diagnostic, Paint, counted, visible};
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::report::{
    CauseResult, ExplanationResult, NamedGame, Results, draw_finding, draw_in_file, is_report,
};

/// Other failures of the same cause, of which so many are named.
const OTHERS: usize = 8;

/// Arguments of `urtext explain`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExplainArgs {
    /// A JSON report of a run; or files with finished games, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Name the readings that are still open, and every failure
    #[arg(long, short = 'v')]
    open: bool,
    /// The dialect or the game of streams that do not tell it
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

const HELP: &str = "\
Examples:
  urtext run --report json=run.json; urtext explain run.json   the causes of a run's failures
  urtext explain games/                                        recordings of scenarios, or games of one server

A wrong reading of the rules is a cause where it explains failures and no game contradicts it. Recordings and what lanes received are read; \
notations, such as hc-ur, do not tell enough.

Exit status: 0, whatever the games are; 2 a file cannot be read; 3 the report is incomplete.";

/// Causes of failures, and how to show them.
#[derive(Default)]
struct Explained {
    result: ExplanationResult,
    /// The drawn findings of the failed games, by the names of these, in order.
    failed: Vec<(String, String)>,
}

/// What the games of these files say of the readings of the rules. What cannot be read is left out.
pub(super) fn explanation_of(files: &[PathBuf], protocol: Option<Protocol>) -> ExplanationResult {
    let mut readings = ArchiveReadings::default();
    for file in ArchiveFiles::new(files).iter().flatten() {
        let name = file.to_string_lossy();
        // Whoever judges the files says what is wrong with them.
        let _ = each_game_of_lanes(&file, protocol, &mut |number, game| {
            if let Ok(game) = game {
                readings.take(&named(&name, number), &game);
            }
        });
    }
    let mut explained = Explained::default();
    for games in readings.explain() {
        explained.add(games);
    }
    explained.result
}

impl ExplainArgs {
    pub(super) fn run(self) -> Status {
        let protocol = match game_files::protocol(self.dialect.as_deref()) {
            Ok(protocol) => protocol,
            Err(status) => return status,
        };
        let reports: Vec<_> = self
            .paths
            .iter()
            .filter(|path| begins_report(path))
            .collect();
        match (&reports[..], &self.paths[..]) {
            ([], _) => {}
            ([file], [_]) => {
                return match report::complete(file) {
                    Ok(results) => self.print(&Explained::of_run(results)),
                    Err(status) => status,
                };
            }
            _ => return usage("give one report alone; `urtext report merge` joins several"),
        }
        let mut readings = ArchiveReadings::default();
        let mut status = Status::Conforms;
        let files = ArchiveFiles::new(&self.paths);
        let bar = file_progress::bar(&files);
        let mut fault = |faults: &_| {
            bar.suspend(|| say(faults));
            status = Status::Usage;
        };
        for file in files.iter() {
            let file = match file {
                Ok(file) => file,
                Err(missing) => {
                    fault(&missing.into());
                    continue;
                }
            };
            let name = file.to_string_lossy();
            // It holds what should have been seen.
            if name.ends_with(".golden.txt") {
                continue;
            }
            let read = each_game_of_lanes(&file, protocol, &mut |number, game| match game {
                Ok(game) => readings.take(&named(&name, number), &game),
                Err(unread) => fault(&unread.into()),
            });
            match read {
                Ok(warnings) => bar.suspend(|| say(&warnings)),
                Err(faults) => fault(&faults),
            }
            bar.inc(file.metadata().map_or(0, |metadata| metadata.len()));
        }
        bar.finish_and_clear();
        if readings.mute > 0 {
            let title = format!(
                "{} cannot be explained: no rules, or half a lane",
                counted(readings.mute, "game")
            );
            say(&Diagnostic::remark("explain/mute", title).into());
        }
        let mut explained = Explained::default();
        readings
            .explain()
            .into_iter()
            .for_each(|games| explained.add(games));
        self.print(&explained);
        status
    }

    /// Prints each cause with the game that shows it, then what no cause explains, then what is ruled out.
    fn print(&self, explained: &Explained) -> Status {
        let Explained { result, failed } = explained;
        let texts: BTreeMap<_, _> = failed.iter().map(|(name, text)| (name, text)).collect();
        let mut blocks = Vec::new();
        for cause in &result.causes {
            let mut block = result.sentence(cause);
            let shown = cause.explains.first().and_then(|name| texts.get(name));
            if let Some(text) = shown {
                block += &format!("\n\n{text}");
            }
            if let [_, others @ ..] = &cause.explains[..]
                && !others.is_empty()
            {
                block += &format!("\n   = also in: {}", self.names(others));
            }
            blocks.push(block);
        }
        let is_explained = |name: &String| {
            let explains = |cause: &CauseResult| cause.explains.contains(name);
            result.causes.iter().any(explains)
        };
        let others: Vec<_> = failed
            .iter()
            .filter(|(name, _)| !is_explained(name))
            .collect();
        if !others.is_empty() {
            let names: Vec<_> = others.iter().map(|(name, _)| name.clone()).collect();
            let mut block = format!(
                "no wrong reading of the rules explains {}: {}",
                counted(others.len(), "failure"),
                self.names(&names)
            );
            // Without a cause, the first of them says the most.
            if result.causes.is_empty() || self.open {
                let shown = others.iter().take(if self.open { others.len() } else { 1 });
                shown.for_each(|(_, text)| block += &format!("\n\n{text}"));
            }
            blocks.push(block);
        }
        if failed.is_empty() {
            blocks.push("no game failed".to_owned());
        }
        let ruled_out = result.draw_ruled_out(self.open);
        blocks.push(ruled_out.trim_end().to_owned());
        blocks.retain(|block| !block.is_empty());
        print(&blocks.join("\n\n"));
        Status::Conforms
    }

    fn names(&self, names: &[String]) -> String {
        let most = if self.open { names.len() } else { OTHERS };
        let shown = names.iter().take(most);
        let shown: Vec<_> = shown.map(|name| visible::plain(name).to_string()).collect();
        match names.len().saturating_sub(most) {
            0 => shown.join(", "),
            more => format!("{} and {more} more (-v names all)", shown.join(", ")),
        }
    }
}

/// Returns true if the file begins as a JSON report does.
fn begins_report(file: &Path) -> bool {
    let mut head = Vec::new();
    let mut begin =
        |file| diagnostic::open(file).and_then(|file| file.take(64).read_to_end(&mut head));
    file.is_file() && begin(file).is_ok() && is_report(&head)
}

/// The name of a game of a file.
fn named(file: &str, number: u64) -> String {
    match number {
        1 => file.to_owned(),
        number => format!("{file} game {number}"),
    }
}

impl Explained {
    fn of_run(results: Results) -> Explained {
        let failed = results.scenarios.iter();
        let failed = failed.filter(|scenario| scenario.verdict == Verdict::Fail);
        let drawn = failed.filter_map(|scenario| {
            let finding = scenario.reason()?;
            Some((scenario.name.clone(), finding.text.clone()))
        });
        Explained {
            failed: drawn.collect(),
            result: results.end.map(|end| end.explanation).unwrap_or_default(),
        }
    }

    fn add(&mut self, games: ExplainedGames) {
        let named = games.games.iter().map(|(name, subject)| NamedGame {
            scenario: name,
            subject,
        });
        let named: Vec<_> = named.collect();
        self.result
            .append(ExplanationResult::new(&games.explanation, &named));
        for (number, failure) in &games.failures {
            let drawn = match failure {
                ExplainedFailure::InFile(finding) => draw_in_file(finding).draw(Paint::Coloured),
                ExplainedFailure::Recorded(outcome) => {
                    outcome.failure().map_or_else(String::new, |finding| {
                        draw_finding(outcome, finding, true, Paint::Coloured)
                    })
                }
            };
            self.failed.push((games.games[*number].0.clone(), drawn));
        }
    }
}
