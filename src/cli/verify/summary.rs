//! The last lines of `urtext verify`: the counts, and the exit status.

use super::verdicts::{EXPLAINED, FEW, Verdicts};
use crate::cli::Status;
use crate::cli::output::print;
use crate::cli::report_files::ReportOptions;
use crate::report::ExplanationResult;

impl Verdicts<'_> {
    /// Prints the rest with these causes and the lines of the table, and returns the exit status: this one, or a worse one.
    pub(super) fn finish(
        mut self,
        status: Status,
        explanation: ExplanationResult,
        causes: &str,
        rows: &str,
        reports: &ReportOptions,
    ) -> Status {
        self.be(status);
        let cases = self.cases.take();
        if !self.is_silent {
            self.print_rest(causes, rows);
        }
        if !self.last_line.is_empty() {
            print(self.last_line.trim_end());
        }
        let Some(cases) = cases else {
            return self.status;
        };
        let cases = cases.explained(explanation);
        let results = cases.results("verify", self.summary(), self.status.code());
        self.status.worse(reports.write(&results))
    }

    /// Prints what is still held, the causes of the complaints, and the counts.
    fn print_rest(&mut self, causes: &str, rows: &str) {
        if self.counts.games > FEW {
            self.tell_complaints();
        }
        self.held.iter().for_each(|(_, text)| print(text));
        if self.counts.complaints > FEW {
            print(&format!(
                "… and {} more complaints",
                grouped(self.counts.complaints - FEW)
            ));
        }
        if !causes.is_empty() {
            print(causes.trim_end());
        } else if self.counts.complaints > 0 && self.counts.games > EXPLAINED {
            print("`--explain` says which wrong readings of the rules fit these games");
        }
        if self.counts.games > 1 {
            print(&self.summary());
        }
        if !rows.is_empty() {
            print(rows.trim_end());
        }
    }

    /// The counts in words.
    fn summary(&self) -> String {
        let many = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{} {what}s", grouped(number)),
        };
        let mut text = format!(
            "{}, {}",
            many(self.counts.games, "game"),
            many(self.counts.complaints, "complaint")
        );
        if self.counts.incomplete > 0 {
            text.push_str(&format!(
                " ({} incomplete)",
                grouped(self.counts.incomplete)
            ));
        }
        if self.counts.undecided > 0 {
            text.push_str(&format!(
                ", {} neither pass nor fail",
                grouped(self.counts.undecided)
            ));
        }
        text
    }
}

/// A number with its thousands apart: `10,000`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn groups_the_digits_of_a_number() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(super::grouped(number), text);
        }
    }
}
