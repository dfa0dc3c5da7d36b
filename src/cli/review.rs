//! `urtext review`: goes through the golden transcripts that `run --bless` proposes.

use std::fs;
use std::io::{BufRead, stdin};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::bless::{draw, is_ci};
use super::output;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, counted, visible};
use crate::scenario::{PendingGolden, Review};
use crate::transcript::golden::Hunk;

/// Arguments of `urtext review`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReviewArgs {
    /// Scenario files, or folders of them [default: ./scenarios]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Accepts everything that waits, without questions; refuses under CI
    #[arg(long)]
    accept: bool,

    /// Refuses everything that waits, without questions; refuses under CI
    #[arg(long, conflicts_with = "accept")]
    reject: bool,

    /// Changes nothing: fails if something waits, or if a golden transcript has no scenario
    #[arg(long, conflicts_with_all = ["accept", "reject", "remove"])]
    check: bool,

    /// Removes golden transcripts that no scenario has
    #[arg(long)]
    remove: bool,
}

const EXAMPLES: &str = "\
Examples:
  urtext run scenarios --bless      plays, and proposes golden transcripts
  urtext review                     shows each, and asks
  urtext review --check             in CI: nothing may wait

A proposal waits in a file beside the golden transcript, NAME.txt.new. Of a game it is what the rules predict, and is accepted or refused
as a whole; of a dialogue (`game: lines`), each change by itself.";

/// What becomes of a proposal, or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Accept,
    Reject,
    Skip,
    /// Accept this and all that follow.
    All,
    /// Skip this and all that follow.
    Quit,
}

/// How many proposals were accepted, refused and left.
#[derive(Debug, Default)]
struct Counts {
    accepted: usize,
    refused: usize,
    left: usize,
}

impl ReviewArgs {
    /// Goes through what waits.
    pub(super) fn run(self) -> Status {
        let writes = !self.check;
        if writes && is_ci() {
            return output::usage(
                "golden transcripts are not changed under CI (the variable CI is set); `--check` only looks",
            );
        }
        let paths = match self.paths.is_empty() {
            false => self.paths.clone(),
            true if Path::new("scenarios").is_dir() => vec![PathBuf::from("scenarios")],
            true => {
                return output::usage(
                    "there is no folder `scenarios` here; name the scenarios whose golden transcripts are to be reviewed",
                );
            }
        };
        let (review, faults) = Review::of(&paths);
        output::say(&faults);
        if faults.has_errors() {
            return Status::Usage;
        }
        if self.check {
            return check(&review);
        }
        let mut faults = Diagnostics::new();
        let mut counts = Counts::default();
        let mut always = match (self.accept, self.reject) {
            (true, _) => Some(Answer::Accept),
            (_, true) => Some(Answer::Reject),
            _ => None,
        };
        for waiting in &review.waiting {
            if let Err(found) = go_through(waiting, &mut always, &mut counts) {
                counts.left += 1;
                faults.append(found);
            }
        }
        output::say(&faults);
        output::print(&format!(
            "golden transcripts: {} accepted, {} refused, {} left",
            counts.accepted, counts.refused, counts.left
        ));
        let removed = unreferenced(&review.unreferenced, self.remove);
        match (faults.has_errors(), removed) {
            (false, Ok(())) => Status::Conforms,
            _ => Status::Broken,
        }
    }
}

/// Says what waits, and what has no scenario.
fn check(review: &Review) -> Status {
    for waiting in &review.waiting {
        let path = waiting.path.as_os_str().as_encoded_bytes();
        output::print(&format!("waits for review: {}", visible::plain(path)));
    }
    for path in &review.unreferenced {
        let path = path.as_os_str().as_encoded_bytes();
        output::print(&format!("has no scenario: {}", visible::plain(path)));
    }
    match review.waiting.is_empty() && review.unreferenced.is_empty() {
        true => {
            output::print("golden transcripts: nothing waits for review");
            Status::Conforms
        }
        false => Status::Deviates,
    }
}

/// Shows a proposal, asks, and does what the answer says.
fn go_through(
    waiting: &PendingGolden,
    always: &mut Option<Answer>,
    counts: &mut Counts,
) -> Result<(), Diagnostics> {
    let hunks = waiting.proposal.hunks();
    let path = waiting.path.as_os_str().as_encoded_bytes();
    let (name, path) = (visible::plain(&waiting.scenario), visible::plain(path));
    let kind = match waiting.proposal.is_first() {
        true => "a new golden transcript",
        false => "a changed golden transcript",
    };
    output::print(&format!("\n{name}: {kind}, {path}"));
    let mut taken = Vec::new();
    let mut is_skipped = false;
    let parts: Vec<&[Hunk]> = match waiting.is_whole || always.is_some() {
        true => vec![&hunks],
        false => hunks.chunks(1).collect(),
    };
    for (place, part) in parts.iter().enumerate() {
        // Who is not asked has nothing to look at.
        if always.is_none() {
            part.iter().for_each(|hunk| output::print(&draw(hunk)));
        }
        let question = match parts.len() {
            1 => "accept it?".to_owned(),
            all => format!("accept change {} of {all}?", place + 1),
        };
        match always.unwrap_or_else(|| ask(&question)) {
            answer @ (Answer::Accept | Answer::All) => {
                taken.extend(part.iter().cloned());
                if answer == Answer::All {
                    *always = Some(Answer::Accept);
                }
            }
            Answer::Reject => {}
            answer @ (Answer::Skip | Answer::Quit) => {
                is_skipped = true;
                if answer == Answer::Quit {
                    *always = Some(answer);
                }
                break;
            }
        }
    }
    if is_skipped {
        counts.left += 1;
        return Ok(());
    }
    let unwritten = |error| waiting.proposal.unwritten(&error);
    if taken.is_empty() {
        waiting.proposal.reject().map_err(unwritten)?;
        counts.refused += 1;
    } else {
        waiting.proposal.accept(&taken)?;
        counts.accepted += 1;
    }
    Ok(())
}

/// Asks until the answer is one. The end of the input leaves the rest as it is.
fn ask(question: &str) -> Answer {
    loop {
        output::print_text(&format!(
            "{question} [a]ccept, [r]efuse, [s]kip, accept a[l]l, [q]uit: "
        ));
        let mut line = String::new();
        if !stdin()
            .lock()
            .read_line(&mut line)
            .is_ok_and(|read| read > 0)
        {
            output::print("");
            return Answer::Quit;
        }
        match line.trim() {
            "a" | "accept" => return Answer::Accept,
            "r" | "refuse" => return Answer::Reject,
            "s" | "skip" => return Answer::Skip,
            "l" | "all" => return Answer::All,
            "q" | "quit" => return Answer::Quit,
            _ => {}
        }
    }
}

/// Lists the golden transcripts that no scenario has, or removes them.
fn unreferenced(paths: &[PathBuf], removes: bool) -> Result<(), ()> {
    let mut is_done = Ok(());
    for path in paths {
        let name = visible::plain(path.as_os_str().as_encoded_bytes());
        if !removes {
            output::print(&format!("has no scenario: {name}"));
            continue;
        }
        match fs::remove_file(path) {
            Ok(()) => output::print(&format!("removed: {name}")),
            Err(error) => {
                let title = format!("{name} cannot be removed: {error}");
                let fault = Diagnostic::error("golden/remove", title);
                anstream::eprintln!("{}", fault.draw(Paint::Coloured));
                is_done = Err(());
            }
        }
    }
    if !removes && !paths.is_empty() {
        let count = counted(paths.len(), "golden transcript");
        output::print(&format!(
            "{count} without a scenario; `--remove` removes them"
        ));
    }
    is_done
}
