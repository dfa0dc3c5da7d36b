//! The report for people: a line per scenario, the findings, a summary.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::attempts::failed_games;
use super::{Tally, draw_finding};
use crate::diagnostic::{Paint, visible};
use crate::event::{EXPECTED, Outcome, empty_frames_remark};
use crate::finding::{Finding, LaneText, Verdict};
use crate::pack;

/// The most bytes of a finding that are shown; the line in which they end is left out.
const LARGEST_FINDING: usize = 64 * 1024;
/// The most bytes of all findings that are shown.
const LARGEST: usize = 16 * 1024 * 1024;

/// An answer that took so long is named in the summary.
const SLOW: Duration = Duration::from_secs(5);

/// Findings that are shown until they are too many.
#[derive(Debug, Default)]
struct Bounded {
    shown: usize,
    left_out: usize,
}

impl Bounded {
    fn add(&mut self, finding: &str, text: &mut String) {
        let (beginning, left_out) = beginning(finding);
        if self.shown + beginning.len() > LARGEST {
            self.left_out += 1;
            return;
        }
        self.shown += beginning.len();
        text.push('\n');
        text.push_str(beginning);
        text.push('\n');
        if let Some(remark) = left_out {
            text.push_str(&remark);
            text.push('\n');
        }
    }

    /// Says how many were left out.
    fn conclude(&self, text: &mut String) {
        if self.left_out > 0 {
            let findings = if self.left_out == 1 {
                "finding is"
            } else {
                "findings are"
            };
            writeln!(
                text,
                "\n{} more {findings} left out: a report shows at most {LARGEST} bytes of them; name fewer scenarios to see the rest",
                self.left_out
            )
            .expect("a string takes all");
        }
    }
}

/// Returns the lines of a drawn finding that are shown, and a remark about those that are left out.
pub(super) fn beginning(finding: &str) -> (&str, Option<String>) {
    if finding.len() <= LARGEST_FINDING {
        return (finding, None);
    }
    let end = (0..=LARGEST_FINDING)
        .rev()
        .find(|&at| finding.is_char_boundary(at))
        .unwrap_or(0);
    let beginning = &finding[..finding[..end].rfind('\n').unwrap_or(end)];
    let left_out = finding.len() - beginning.len();
    let remark = format!("… {left_out} more bytes of this finding are left out");
    (beginning, Some(remark))
}

/// Maximum number of scenarios listed for a finding that is already shown, unless all are wanted.
const OTHERS: usize = 8;
/// Width of the lines that list these scenarios.
const WIDTH: usize = 100;

/// Writes the report for people.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// Colours of the output.
    pub paint: Paint,
    /// True if passed scenarios have lines of their own.
    pub is_verbose: bool,
}

impl Console {
    /// The line of one scenario.
    #[must_use]
    pub fn line(&self, outcome: &Outcome, width: usize) -> String {
        let (word, remark) = match &outcome.expected {
            Some(entry) => (EXPECTED, format!(" ({entry})")),
            None => (outcome.verdict.word(), String::new()),
        };
        let style = self.style(severity(outcome));
        let name = &outcome.name;
        let games = failed_games(outcome.games.iter().map(|game| game.has_failed));
        let games = games.map_or_else(String::new, |games| format!(" ({games})"));
        format!(
            "{style}{word:>12}{style:#}  {name:<width$}  {:>7}  {}{games}{remark}\n",
            seconds(outcome.took),
            outcome.title
        )
    }

    /// Returns the whole report: lines, causes, findings, open choices, the summary. `causes` has a line for each cause.
    #[must_use]
    pub fn report(&self, outcomes: &[Outcome], causes: &str, took: Duration) -> String {
        let mut text = String::new();
        let width = outcomes
            .iter()
            .map(|outcome| outcome.name.chars().count())
            .max()
            .unwrap_or(0);
        for outcome in outcomes {
            // Of what was skipped, one finding names the scenarios.
            if self.is_verbose || outcome.verdict > Verdict::Skipped {
                text.push_str(&self.line(outcome, width));
            }
        }
        if !causes.is_empty() {
            let style = self.style(Verdict::Fail);
            causes.lines().for_each(|line| {
                writeln!(text, "\n{style}{line}{style:#}").expect("a string takes all");
            });
        }
        self.findings(outcomes, &mut text);
        self.open_choices(outcomes, &mut text);
        let empty_frames = outcomes.iter().map(|outcome| outcome.empty_frames).max();
        if let Some(remark) = empty_frames.and_then(empty_frames_remark) {
            writeln!(text, "\nBeside the lines of the game: {remark}").expect("a string takes all");
        }
        self.summary(outcomes, took, &mut text);
        text
    }

    /// Equal findings are shown once, and so are those with the same cause, with the names of the others.
    fn findings(&self, outcomes: &[Outcome], text: &mut String) {
        let mut groups: Vec<(String, &Outcome, usize, Vec<&str>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        // An expected failure is in nobody's way.
        let is_expected = |outcome: &&Outcome| outcome.expected.is_some();
        let shown = |outcome: &&Outcome| self.is_verbose || !is_expected(outcome);
        for outcome in outcomes.iter().filter(shown) {
            for (number, finding) in outcome.findings.iter().enumerate() {
                let key = kind(finding);
                match known.get(&key) {
                    Some(&at) if groups[at].3.contains(&outcome.name.as_str()) => {}
                    Some(&at) => {
                        let (_, shown, place, names) = &mut groups[at];
                        // The shortest game shows a cause best.
                        let is_shorter = outcome.history.len() < shown.history.len();
                        if finding.observed.is_some() && is_shorter {
                            (*shown, *place) = (outcome, number);
                            names.insert(0, &outcome.name);
                        } else {
                            names.push(&outcome.name);
                        }
                    }
                    None => {
                        known.insert(key.clone(), groups.len());
                        groups.push((key, outcome, number, vec![&outcome.name]));
                    }
                }
            }
        }
        // What the specification leaves open comes after what it demands.
        groups.sort_by_key(|(_, outcome, number, _)| {
            let id = outcome.findings[*number].requirement;
            id.and_then(pack::requirement)
                .is_some_and(|entry| !entry.is_binding())
        });
        let mut drawn = Bounded::default();
        for (_, outcome, number, names) in groups {
            let mut finding =
                draw_finding(outcome, &outcome.findings[number], number == 0, self.paint);
            self.others(&names[1..], &mut finding);
            drawn.add(&finding, text);
        }
        drawn.conclude(text);
    }

    /// The names of scenarios with a finding that is shown already.
    fn others(&self, names: &[&str], text: &mut String) {
        let shown = if self.is_verbose {
            names.len()
        } else {
            names.len().min(OTHERS)
        };
        let word = if names.len() == 1 {
            "scenario"
        } else {
            "scenarios"
        };
        let mut line = match names.len() {
            0 => return,
            count => format!("\n   = and {count} more {word}:"),
        };
        for (number, name) in names[..shown].iter().enumerate() {
            let end = if number + 1 < names.len() { "," } else { "" };
            if line.chars().count() + name.chars().count() + 2 > WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = "    ".to_owned();
            }
            write!(line, " {name}{end}").expect("a string takes all");
        }
        text.push_str(&line);
        if shown < names.len() {
            text.push_str(" … (-v names all)");
        }
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
            let what =
                pack::requirement(choice.requirement).map_or("", |entry| entry.summary.as_str());
            let more = if names.len() > 1 {
                format!(" and {} more", names.len() - 1)
            } else {
                String::new()
            };
            writeln!(
                text,
                "  {}: {} ({}{more})",
                choice.requirement, choice.seen, names[0]
            )
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
            (tally.expected, "expected to fail"),
            (tally.flaky, "flaky"),
            (tally.inconclusive, "inconclusive"),
            (tally.unsupported, "unsupported"),
            (tally.skipped, "skipped"),
            (tally.errors, "could not be played"),
        ];
        parts.extend(
            counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, word)| format!("{count} {word}")),
        );
        let slowest = outcomes
            .iter()
            .max_by_key(|outcome| outcome.slowest.longest());
        if let Some(outcome) = slowest.filter(|outcome| outcome.slowest.longest() >= SLOW) {
            let longest = seconds(outcome.slowest.longest());
            writeln!(text, "\nslowest answer: {longest} ({})", outcome.name)
                .expect("a string takes all");
        }
        let worst = outcomes.iter().map(severity).max().unwrap_or(Verdict::Pass);
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

/// The verdict whose colour an outcome has.
fn severity(outcome: &Outcome) -> Verdict {
    match outcome.expected {
        Some(_) => Verdict::Skipped,
        None => outcome.verdict,
    }
}

/// Returns the key that equal findings share: verdict, requirement, kind, and the form of the expected and
/// received lines.
///
/// Differences between scenarios do not count: numbers in lines, names of lanes, durations of waits. Of a
/// finding about the run, such as an error, only the kind counts.
pub(super) fn kind(finding: &Finding) -> String {
    let is_about_the_run = matches!(
        finding.verdict,
        Verdict::Error | Verdict::Unsupported | Verdict::Skipped
    );
    let want = |want: &LaneText| match want {
        LaneText::Line(line) => form(&visible::plain(line).to_string()),
        LaneText::Words(words) | LaneText::Timed(words, _) => form(words),
        LaneText::Nothing => "nothing".to_owned(),
    };
    let lanes = finding
        .lanes
        .iter()
        .filter(|lane_view| !lane_view.agrees && !is_about_the_run && finding.observed.is_none());
    let lanes: Vec<_> = lanes
        .map(|lane_view| {
            format!(
                "{} / {}",
                want(&lane_view.expected),
                want(&lane_view.received)
            )
        })
        .collect();
    format!(
        "{:?} {:?} {:?}\n{}",
        finding.verdict,
        finding.requirement,
        finding.kind,
        lanes.join("\n")
    )
}

/// A text with every number and every row of numbers as one sign.
fn form(text: &str) -> String {
    let mut form = String::new();
    for c in text.chars() {
        let is_number = c.is_ascii_digit() || matches!(c, '.' | ' ') && form.ends_with('#');
        match is_number {
            true if form.ends_with('#') => {}
            true => form.push('#'),
            false => form.push(c),
        }
    }
    form
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::LaneView;
    use crate::games::royalur::CodeColosseum;
    use crate::scenario;
    use crate::scenario::free_game;

    #[test]
    fn the_summary_counts_what_only_lag_explains() {
        let console = Console {
            paint: Paint::Plain,
            is_verbose: false,
        };
        let outcome = |has_lagged| Outcome {
            has_lagged,
            ..Outcome::new(&free_game(&CodeColosseum, 1))
        };
        let report = |lagged: &[bool]| {
            let outcomes: Vec<_> = lagged.iter().map(|&lagged| outcome(lagged)).collect();
            console.report(&outcomes, "", Duration::ZERO)
        };
        assert!(report(&[false, false]).ends_with("2 scenarios: 2 passed in 0.00 s\n"));
        assert!(
            report(&[false, true]).contains("\nin 1 scenario something came too late only because")
        );
        assert!(
            report(&[true, true]).contains("\nin 2 scenarios something came too late only because")
        );
    }

    fn failed(number: u32, title: &str, received: &str) -> Outcome {
        let game = scenario::free_game(pack::usual().dialects[0], number);
        let mut finding = Finding::new(Verdict::Fail, title);
        let expected = LaneText::Words("four coins".to_owned());
        let received = LaneText::Line(received.as_bytes().to_vec());
        let lane = format!("Player{number}");
        finding.lanes.push(LaneView {
            lane,
            line_number: u64::from(number),
            expected,
            received,
            agrees: false,
        });
        Outcome::new(&game).with(finding)
    }

    fn report(outcomes: &[Outcome], is_verbose: bool) -> String {
        Console {
            paint: Paint::Plain,
            is_verbose,
        }
        .report(outcomes, "", Duration::ZERO)
    }

    #[test]
    fn equal_findings_are_shown_once_with_the_names_of_the_others() {
        let mut outcomes: Vec<_> = (1..=12)
            .map(|number| failed(number, "no roll", &"1".repeat(number as usize)))
            .collect();
        outcomes.push(failed(13, "no roll", "banana"));
        outcomes.push(failed(14, "no move", "11"));
        let said = report(&outcomes, false);
        assert_eq!(said.matches("fail: no roll").count(), 2, "{said}");
        assert_eq!(said.matches("fail: no move").count(), 1, "{said}");
        let named = said
            .split("and 11 more scenarios:")
            .nth(1)
            .unwrap_or_else(|| panic!("{said}"));
        let (named, _) = named.split_once(" … (-v names all)").unwrap();
        let names: Vec<_> = named
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        assert_eq!(
            names,
            (2..=9)
                .map(|number| format!("royalur/free-game-{number}"))
                .collect::<Vec<_>>()
        );
        assert!(
            said.lines().all(|line| line.chars().count() <= WIDTH + 20),
            "{said}"
        );
        let all = report(&outcomes, true);
        assert!(
            all.contains("royalur/free-game-12\n") && !all.contains("(-v names all)"),
            "{all}"
        );
    }

    #[test]
    fn what_the_specification_leaves_open_comes_after_what_it_demands() {
        let of = |number, title: &str, id| {
            let mut outcome = failed(number, title, "banana");
            outcome.findings[0].requirement = Some(id);
            outcome
        };
        let open = of(1, "seen", "ur/handshake/name-characters");
        let due = of(2, "no roll", "ur/roll/line");
        let said = report(&[open, due], false);
        let at = |title: &str| said.find(title).unwrap_or_else(|| panic!("{said}"));
        assert!(at("]: no roll") < at("]: seen"), "{said}");
    }

    #[test]
    fn numbers_make_no_difference_and_words_do() {
        assert_eq!(form("nothing for 5.0 s"), form("nothing for 12.25 s"));
        assert_eq!(form("0 1 1 0"), form("1 1"));
        assert_ne!(form("0 1 1 0"), form("RETIRE"));
        assert_ne!(form("1"), form("1x"));
    }

    #[test]
    fn what_was_skipped_is_one_finding_and_no_line_of_its_own() {
        let game = |number| scenario::free_game(pack::usual().dialects[0], number);
        let skipped =
            |number| Outcome::new(&game(number)).with(Finding::new(Verdict::Skipped, "not played"));
        let said = report(&[skipped(1), skipped(2)], false);
        assert_eq!(said.matches("skipped: not played").count(), 1, "{said}");
        assert!(
            said.contains("and 1 more scenario: royalur/free-game-2\n"),
            "{said}"
        );
        assert_eq!(said.matches("  skipped  ").count(), 0, "{said}");
        assert_eq!(
            report(&[skipped(1), skipped(2)], true)
                .matches("  skipped  ")
                .count(),
            2
        );
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
            tail.contains(
                "\n257 more findings are left out: a report shows at most 16777216 bytes"
            ),
            "{tail}"
        );
    }
}
