//! The report for people: the findings, then the summary. What failed most tellingly stands last, and how to repeat it.

use std::io::{self, Write};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};

use super::findings::FindingResult;
use super::groups::Group;
use super::mistakes::NAMES_OTHERS;
use super::results::Results;
use super::scenario::ScenarioResult;
use super::status::Status;
use crate::diagnostic::counted;
use crate::event::empty_frames_remark;
use crate::finding::Verdict;
use crate::pack;

/// An answer that took so many seconds is named in the summary.
const SLOW: f64 = 5.0;

/// The report for people, as far as it is written.
struct Console<'r> {
    results: &'r Results,
    /// True if every scenario has a line of its own, and everything is named.
    is_verbose: bool,
    text: String,
}

/// Writes a report with its heading, without colours.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let heading = match results.run.is_run() {
        true => format!("{}\n", results.run.heading),
        false => String::new(),
    };
    let text = heading + &strip_str(&draw(results, false)).to_string();
    out.write_all(text.as_bytes())
}

/// Returns the whole report but its heading, with colours: lines of scenarios, findings, what is open, the cause, the summary, the command that
/// repeats. `is_verbose`: every scenario has a line of its own, and everything is named.
#[must_use]
pub fn draw(results: &Results, is_verbose: bool) -> String {
    let mut console = Console {
        results,
        is_verbose,
        text: String::new(),
    };
    console.report();
    console.text
}

impl Console<'_> {
    fn report(&mut self) {
        if self.is_verbose {
            self.lines();
        }
        // An expected failure is in nobody's way.
        let results = self.results;
        let groups = results.groups(|scenario| self.is_verbose || scenario.expected.is_none());
        let (brief, groups): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|group| (group.is_brief || group.can_wait) && !self.is_verbose);
        let last = groups.iter().position(|group| {
            let (scenario, _) = group.best();
            let verdict = scenario.verdict;
            scenario.is_failure() || matches!(verdict, Verdict::Flaky | Verdict::Inconclusive)
        });
        self.findings(&groups, last);
        self.remarks(&brief);
        let first = last.map(|place| groups[place].best());
        let is_failure = |group: &&Group<'_>| group.best().0.is_failure();
        let several = groups.iter().filter(is_failure).count() > 1;
        self.conclusion(first.filter(|_| several));
        if let Some((scenario, _)) = first.filter(|(scenario, _)| !scenario.repeat.is_empty()) {
            self.text += &format!("repeat: {}\n", scenario.repeat);
        }
    }

    /// A line for each scenario.
    fn lines(&mut self) {
        let results = self.results;
        let names = results.scenarios.iter().map(|scenario| &scenario.name);
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for scenario in &results.scenarios {
            let style = style(scenario.reported());
            let took = match results.run.is_run() {
                true => format!("  {:>7}", seconds(scenario.seconds)),
                false => String::new(),
            };
            self.text += &format!(
                "{style}{:>15}{style:#}  {:<width$}{took}  {}{}\n",
                scenario.word(),
                scenario.name,
                scenario.title,
                scenario.remark()
            );
        }
    }

    /// `last`: the finding whose command is the last line of the report.
    fn findings(&mut self, groups: &[Group<'_>], last: Option<usize>) {
        for (place, group) in groups.iter().enumerate() {
            let (scenario, finding) = group.best();
            if finding.is_on_stderr {
                continue;
            }
            let drawn = match finding.painted.as_str() {
                "" => &finding.text,
                painted => painted,
            };
            self.text += &format!("\n{drawn}");
            self.others(group);
            if Some(place) != last && !scenario.repeat.is_empty() {
                self.text += &format!("\n   = repeat: {}", scenario.repeat);
            }
            self.text.push('\n');
        }
    }

    /// What is said below a finding: how many games failed, the others with it, and the remarks about all of them.
    fn others(&mut self, group: &Group<'_>) {
        let noun = self.results.run.noun();
        let (best, finding) = group.best();
        let file = best.recording.as_ref().filter(|file| **file == best.name);
        let game = finding.game.map(|game| format!(" game {game}"));
        let is_named = |file: &&String| game.is_none() && finding.text.contains(*file);
        if let Some(file) = file.filter(|file| !is_named(file)) {
            self.text += &format!("\n   = in {file}{}", game.unwrap_or_default());
        }
        if let Some(games) = best.failed_games() {
            self.text += &format!("\n   = {games}");
        }
        if group.repeated > 0 {
            let more = counted(group.repeated, "more time");
            self.text += &format!("\n   = {more} in the same {noun}");
        }
        if let Some(others) = group.others(noun, self.is_verbose) {
            let hint = if others.ends_with('…') {
                NAMES_OTHERS
            } else {
                ""
            };
            self.text += &format!("\n   = {others}{hint}");
        }
        for (scenario, finding) in &group.members {
            let is_reason = scenario
                .reason()
                .is_some_and(|reason| std::ptr::eq(reason, *finding));
            for note in scenario.notes.iter().filter(|_| is_reason) {
                let note = self.note(note);
                self.text += &format!("\n   = {note}");
            }
        }
    }

    /// The first line of a remark, or all of it.
    fn note(&self, note: &str) -> String {
        match note.split_once('\n') {
            Some((first, _)) if !self.is_verbose => format!("{first}{NAMES_OTHERS}"),
            _ => note.to_owned(),
        }
    }

    /// What is no failure, a line each: what was not tested, what was only observed, the slowest answer, the diagnosis, what lag explains, what was left
    /// out.
    fn remarks(&mut self, brief: &[Group<'_>]) {
        let results = self.results;
        let line = |group: &Group<'_>| {
            let hint = if group.can_wait { " (-v draws it)" } else { "" };
            group.in_line() + hint
        };
        let mut lines: Vec<_> = brief.iter().map(line).collect();
        lines.extend(results.notes().map(|note| self.note(note)));
        lines.extend(self.observed());
        let all = results.scenarios.iter();
        let slowest = all
            .clone()
            .max_by(|one, other| one.slowest_answer.total_cmp(&other.slowest_answer));
        if let Some(slowest) = slowest.filter(|scenario| scenario.slowest_answer >= SLOW) {
            let time = seconds(slowest.slowest_answer);
            lines.push(format!("slowest answer: {time} ({})", slowest.name));
        }
        let lagged = all.clone().filter(|scenario| scenario.has_lagged).count();
        if lagged > 0 {
            let scenarios = counted(lagged, "scenario");
            lines.push(format!(
                "in {scenarios} something came too late only because this machine was busy"
            ));
        }
        let empty_frames = all.map(|scenario| scenario.empty_frames).max();
        lines.extend(empty_frames.and_then(empty_frames_remark));
        if let Some(end) = &results.end {
            let hint = if self.is_verbose {
                ""
            } else {
                " (-v lists them)"
            };
            let diagnoses = results.diagnoses(self.is_verbose);
            lines.extend(diagnoses.map(|line| line + hint));
            if end.slow_left_out > 0 {
                let slow = counted(end.slow_left_out, "slow scenario");
                lines.push(format!("{slow} left out (--slow plays them)"));
            }
        }
        if !lines.is_empty() {
            self.text += &format!("\n{}\n", lines.join("\n"));
        }
    }

    /// What was only observed: its number, or a line for each thing with the number of games that show it.
    fn observed(&self) -> Vec<String> {
        if !self.is_verbose {
            let line = self.results.observed_in_line(" (-v lists them)");
            return line.into_iter().collect();
        }
        let mut lines = Vec::new();
        for observed in self.results.observed() {
            let first = &observed.scenarios[0].name;
            lines.push(format!("{observed}, such as {first}"));
            let entry = pack::requirement(observed.requirement);
            let entry = entry.filter(|entry| !entry.summary.is_empty());
            lines.extend(entry.map(|entry| format!("    {}", entry.summary)));
        }
        lines
    }

    /// The last lines: the causes, or else the first failure of several; the number of each result.
    fn conclusion(&mut self, first: Option<(&ScenarioResult, &FindingResult)>) {
        let results = self.results;
        self.text.push('\n');
        let bad = style(Some(Status::Deviates));
        let causes: Vec<_> = results.causes().collect();
        for (_, line) in &causes {
            self.text += &format!("{bad}{line}{bad:#}\n");
        }
        if let Some((scenario, finding)) = first.filter(|_| causes.is_empty()) {
            let title = scenario.title_of(finding);
            self.text += &format!("{bad}{title}{bad:#}\n");
        }
        let standings = results.scenarios.iter().map(ScenarioResult::reported);
        let style = style(standings.max().flatten());
        let took = results.end.as_ref().map(|end| end.seconds);
        let took = took.filter(|took| results.run.is_run() || *took > 0.0);
        let took = took.map_or_else(String::new, |took| format!(" in {}", seconds(took)));
        let summary = results.summary();
        self.text += &format!("{style}{summary}{style:#}{took}\n");
    }
}

fn style(standing: Option<Status>) -> Style {
    let colour = match standing {
        None => AnsiColor::Green,
        Some(Status::Conforms | Status::Open) => AnsiColor::Yellow,
        Some(_) => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(colour.into()))
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Outcome;
    use crate::finding::{Finding, LaneText, LaneView};
    use crate::peers;
    use crate::report::{MistakeResult, Status};
    use crate::scenario::{self, Side};

    fn result(number: u32, change: impl FnOnce(Outcome) -> Outcome) -> ScenarioResult {
        let game = scenario::free_game(pack::usual().dialects[0], number);
        let subject = peers::subject(pack::usual().game.name(), Side::Referee, None).unwrap();
        let outcome = change(Outcome::new(&game));
        let standing = Status::of(outcome.verdict);
        ScenarioResult::new(&game, &subject, &outcome, standing)
    }

    fn failed_by(
        number: u32,
        title: &str,
        received: &str,
        id: Option<&'static str>,
    ) -> ScenarioResult {
        let mut finding = Finding::new(Verdict::Fail, title);
        finding.requirement = id;
        finding.lanes.push(LaneView {
            lane: format!("Player{number}"),
            line_number: u64::from(number),
            expected: LaneText::Words("four coins".to_owned()),
            received: LaneText::Line(received.as_bytes().to_vec()),
        });
        result(number, |outcome| outcome.with(finding))
    }

    fn failed(number: u32, title: &str, received: &str) -> ScenarioResult {
        failed_by(number, title, received, None)
    }

    fn report(scenarios: Vec<ScenarioResult>, is_verbose: bool) -> String {
        let results = Results::new("run", String::new(), 0, scenarios);
        strip_str(&draw(&results, is_verbose)).to_string()
    }

    #[test]
    fn the_summary_counts_what_only_lag_explains() {
        let game = |number, has_lagged| {
            result(number, |outcome| Outcome {
                has_lagged,
                ..outcome
            })
        };
        let said = |lagged: [bool; 2]| report(vec![game(1, lagged[0]), game(2, lagged[1])], false);
        assert_eq!(said([false; 2]), "\n2 scenarios: 2 passed in 0.00 s\n");
        let one = said([false, true]);
        assert!(
            one.contains("\nin 1 scenario something came too late only because"),
            "{one}"
        );
        let both = said([true; 2]);
        assert!(
            both.contains("\nin 2 scenarios something came too late only because"),
            "{both}"
        );
    }

    #[test]
    fn equal_findings_are_shown_once_with_the_names_of_the_others() {
        let equal = |number: u32| failed(number, "no roll", &"1".repeat(number as usize));
        let mut all: Vec<_> = (1..=12).map(equal).collect();
        all.push(failed(13, "no roll", "banana"));
        all.push(failed(14, "no move", "11"));
        let said = report(all.clone(), false);
        assert_eq!(said.matches("\nfail: no roll\n--> ").count(), 1, "{said}");
        assert_eq!(said.matches("\nfail: no move\n--> ").count(), 1, "{said}");
        let named = said
            .split("and 12 more failures:")
            .nth(1)
            .unwrap_or_else(|| panic!("{said}"));
        let (named, _) = named.split_once(", … (-v names the others)").unwrap();
        let names: Vec<_> = named.trim().split(", ").collect();
        let due = (2..=9).map(|number| format!("royalur/free-game-{number}"));
        assert_eq!(names, due.collect::<Vec<_>>());
        let all = report(all, true);
        assert!(
            all.contains("royalur/free-game-13\n") && !all.contains("(-v names the others)"),
            "{all}"
        );
    }

    #[test]
    fn the_last_lines_are_the_first_failure_the_counts_and_how_to_repeat_it() {
        let mut one = failed(1, "no roll", "banana");
        one.repeat = "urtext run one".to_owned();
        let said = report(vec![one.clone(), failed(2, "no move", "11")], false);
        let end =
            "\nfail: no roll\n2 scenarios: 0 passed, 2 failed in 0.00 s\nrepeat: urtext run one\n";
        assert!(said.ends_with(end), "{said}");
        // Of one finding, nothing is said twice.
        let said = report(vec![one], false);
        let end = "\n\n1 scenario: 0 passed, 1 failed in 0.00 s\nrepeat: urtext run one\n";
        assert!(said.ends_with(end), "{said}");
    }

    #[test]
    fn what_the_specification_leaves_open_comes_after_what_it_demands() {
        let open = failed_by(1, "seen", "banana", Some("ur/handshake/name-characters"));
        let due = failed_by(2, "no roll", "banana", Some("ur/roll/line"));
        let said = report(vec![open, due], false);
        let at = |title: &str| said.find(title).unwrap_or_else(|| panic!("{said}"));
        assert!(at("]: no roll") < at("]: seen"), "{said}");
    }

    #[test]
    fn a_failure_without_a_cause_has_one_line_beside_one_with_a_cause() {
        let mut explained = failed_by(1, "no roll", "banana", Some("ur/roll/line"));
        explained.findings[0].mistakes = vec![MistakeResult {
            name: "x".to_owned(),
            summary: "x".to_owned(),
        }];
        let other = failed_by(2, "no move", "11", Some("ur/move/relayed-to-opponent"));
        let line =
            "fail: royalur/free-game-2: no move (ur/move/relayed-to-opponent, must) (-v draws it)";
        let all = vec![explained.clone(), other.clone()];
        let said = report(all.clone(), false);
        assert!(
            said.contains(line) && !said.contains("fail[ur/move"),
            "{said}"
        );
        let said = report(all, true);
        assert!(
            !said.contains(line) && said.contains("fail[ur/move"),
            "{said}"
        );
        // The fault of another subject does not wait.
        let elsewhere = ScenarioResult {
            subject: None,
            ..other
        };
        let said = report(vec![explained, elsewhere], false);
        assert!(said.contains("fail[ur/move"), "{said}");
    }

    #[test]
    fn short_games_come_before_long_ones() {
        let long = ScenarioResult {
            turns: 9,
            ..failed(1, "no roll", "banana")
        };
        let short = ScenarioResult {
            turns: 2,
            ..failed(2, "no move", "banana")
        };
        let said = report(vec![long, short], false);
        let at = |title: &str| said.find(title).unwrap_or_else(|| panic!("{said}"));
        assert!(at("fail: no move") < at("fail: no roll"), "{said}");
    }

    #[test]
    fn what_was_skipped_is_one_finding_and_has_a_line_of_its_own_only_where_all_have() {
        let skipped = |number| {
            result(number, |outcome| {
                outcome.with(Finding::new(Verdict::Skipped, "not played"))
            })
        };
        let both = vec![skipped(1), skipped(2)];
        let said = report(both.clone(), false);
        assert!(
            said.contains("\nskipped: royalur/free-game-1 and 1 other: not played\n"),
            "{said}"
        );
        assert_eq!(said.matches("  skipped  ").count(), 0, "{said}");
        assert_eq!(report(both, true).matches("  skipped  ").count(), 2);
    }
}
