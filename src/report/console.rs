//! The report for people: a line per scenario, the findings, a summary.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::{Tally, draw_finding, draw_frames};
use crate::diagnostic::Paint;
use crate::event::{Outcome, Verdict};
use crate::requirement;

/// The most bytes of a finding that are shown; the line in which they end is left out.
const LARGEST_FINDING: usize = 64 * 1024;
/// The most bytes of all findings that are shown.
const LARGEST: usize = 16 * 1024 * 1024;

/// Findings that are shown until they are too many.
#[derive(Debug, Default)]
struct Bounded {
    shown: usize,
    left_out: usize,
}

impl Bounded {
    fn add(&mut self, finding: &str, text: &mut String) {
        let mut end = finding.len();
        if end > LARGEST_FINDING {
            end = (0..=LARGEST_FINDING).rev().find(|&at| finding.is_char_boundary(at)).unwrap_or(0);
            end = finding[..end].rfind('\n').unwrap_or(end);
        }
        if self.shown + end > LARGEST {
            self.left_out += 1;
            return;
        }
        self.shown += end;
        text.push('\n');
        text.push_str(&finding[..end]);
        text.push('\n');
        if end < finding.len() {
            writeln!(text, "… {} more bytes of this finding are left out", finding.len() - end)
                .expect("a string takes all");
        }
    }

    /// Says how many were left out.
    fn conclude(&self, text: &mut String) {
        if self.left_out > 0 {
            let findings = if self.left_out == 1 { "finding is" } else { "findings are" };
            writeln!(
                text,
                "\n{} more {findings} left out: a report shows at most {LARGEST} bytes of them; name fewer scenarios to see the rest",
                self.left_out
            )
            .expect("a string takes all");
        }
    }
}

/// Writes the report for people.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// Whether in colour.
    pub paint: Paint,
    /// Whether passed scenarios have lines of their own.
    pub is_verbose: bool,
}

impl Console {
    /// The line of one scenario.
    #[must_use]
    pub fn line(&self, outcome: &Outcome, width: usize) -> String {
        let word = outcome.verdict.word();
        let style = self.style(outcome.verdict);
        let name = &outcome.name;
        format!(
            "{style}{word:>12}{style:#}  {name:<width$}  {:>7}  {}\n",
            seconds(outcome.took),
            outcome.title
        )
    }

    /// Everything: lines, findings, what was left open, the summary.
    #[must_use]
    pub fn report(&self, outcomes: &[Outcome], took: Duration) -> String {
        let mut text = String::new();
        let width = outcomes.iter().map(|outcome| outcome.name.chars().count()).max().unwrap_or(0);
        for outcome in outcomes {
            if self.is_verbose || outcome.verdict > Verdict::Lenient {
                text.push_str(&self.line(outcome, width));
            }
            if let (Some(frames), true) = (&outcome.frames, self.is_verbose) {
                writeln!(text, "{:>12}  {}", "", frames.describe()).expect("a string takes all");
            }
        }
        self.findings(outcomes, &mut text);
        self.open_choices(outcomes, &mut text);
        let frames = draw_frames(outcomes.iter().filter_map(|outcome| outcome.frames.as_ref()));
        if !frames.is_empty() {
            text.push('\n');
            text.push_str(&frames);
        }
        self.summary(outcomes, took, &mut text);
        text
    }

    fn findings(&self, outcomes: &[Outcome], text: &mut String) {
        // A subject that cannot be started says the same in every scenario; once is enough.
        let mut said = HashSet::new();
        let mut drawn = Bounded::default();
        for outcome in outcomes {
            for (number, finding) in outcome.findings.iter().enumerate() {
                let is_about_the_run = matches!(finding.verdict, Verdict::Error | Verdict::Unsupported);
                if is_about_the_run && !said.insert((finding.verdict, finding.title.clone())) {
                    continue;
                }
                drawn.add(&draw_finding(outcome, finding, number == 0, self.paint), text);
            }
        }
        drawn.conclude(text);
    }

    fn open_choices(&self, outcomes: &[Outcome], text: &mut String) {
        let mut choices: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for outcome in outcomes {
            for choice in &outcome.open {
                choices.entry(choice).or_default().push(&outcome.name);
            }
        }
        if choices.is_empty() {
            return;
        }
        text.push_str("\nLeft open by the specification, and so only observed:\n");
        for (choice, names) in choices {
            let what = requirement::find(choice.requirement).map_or("", |entry| entry.summary.as_str());
            let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
            writeln!(text, "  {}: {} ({}{more})", choice.requirement, choice.seen, names[0])
                .expect("a string takes all");
            if self.is_verbose && !what.is_empty() {
                writeln!(text, "      {what}").expect("a string takes all");
            }
        }
    }

    fn summary(&self, outcomes: &[Outcome], took: Duration, text: &mut String) {
        let tally = Tally::of(outcomes);
        let mut parts = vec![format!("{} passed", tally.passed)];
        let counts = [
            (tally.lenient, "lenient"),
            (tally.failed, "failed"),
            (tally.flaky, "flaky"),
            (tally.inconclusive, "inconclusive"),
            (tally.unsupported, "unsupported"),
            (tally.skipped, "skipped"),
            (tally.errors, "could not be played"),
        ];
        parts.extend(
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")),
        );
        let worst = outcomes.iter().map(|outcome| outcome.verdict).max().unwrap_or(Verdict::Pass);
        let style = self.style(worst);
        let total = tally.total();
        let scenarios = if total == 1 { "scenario" } else { "scenarios" };
        writeln!(
            text,
            "\n{style}{total} {scenarios}: {}{style:#} in {}",
            parts.join(", "),
            seconds(took).trim_start()
        )
        .expect("a string takes all");
        let what = "something came too late only because this machine was busy";
        match outcomes.iter().filter(|outcome| outcome.has_lagged).count() {
            0 => {}
            1 => writeln!(text, "in 1 scenario {what}").expect("a string takes all"),
            number => writeln!(text, "in {number} scenarios {what}").expect("a string takes all"),
        }
    }

    fn style(&self, verdict: Verdict) -> Style {
        if self.paint == Paint::Plain {
            return Style::new();
        }
        let colour = match verdict {
            Verdict::Pass | Verdict::Lenient => AnsiColor::Green,
            Verdict::Fail | Verdict::Error => AnsiColor::Red,
            Verdict::Flaky | Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped => {
                AnsiColor::Yellow
            }
        };
        Style::new().bold().fg_color(Some(colour.into()))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::RoyalUr;
    use crate::scenario::free_game;

    #[test]
    fn the_summary_counts_what_only_lag_explains() {
        let console = Console { paint: Paint::Plain, is_verbose: false };
        let outcome = |has_lagged| Outcome { has_lagged, ..Outcome::new(&free_game(&RoyalUr, 1)) };
        let report = |lagged: &[bool]| {
            let outcomes: Vec<_> = lagged.iter().map(|&lagged| outcome(lagged)).collect();
            console.report(&outcomes, Duration::ZERO)
        };
        assert!(report(&[false, false]).ends_with("2 scenarios: 2 passed in 0.00 s\n"));
        assert!(report(&[false, true]).contains("\nin 1 scenario something came too late only because"));
        assert!(report(&[true, true]).contains("\nin 2 scenarios something came too late only because"));
    }

    #[test]
    fn shows_no_more_of_findings_than_a_report_may_be_large_and_says_what_is_left_out() {
        let (mut drawn, mut text) = (Bounded::default(), String::new());
        drawn.add("fail: a title\n and more", &mut text);
        drawn.conclude(&mut text);
        assert_eq!(text, "\nfail: a title\n and more\n");
        let large = "ż".repeat(LARGEST_FINDING / 2) + "\nand more";
        for _ in 0..2 * LARGEST / LARGEST_FINDING {
            drawn.add(&large, &mut text);
        }
        drawn.conclude(&mut text);
        assert!(text.len() < LARGEST + LARGEST / 100, "{}", text.len());
        assert!(text.contains("\n… 9 more bytes of this finding are left out\n"));
        let tail = &text[text.len() - 200..];
        assert!(
            tail.contains("\n257 more findings are left out: a report shows at most 16777216 bytes"),
            "{tail}"
        );
    }
}
