//! The budget of work for one file with all its cases and includes: a few words can cost much. Every reader spends it.

use std::cell::{Cell, RefCell};

use crate::diagnostic::{Diagnostic, Faults, Source, Span};
use crate::scenario::PlannedGame;

/// The most work, in units of about a microsecond: that of the most bytes which a game may send, and of the most lines which a
/// recording may hold.
const WHOLE: usize = 2 << 20;

/// Work that is counted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Work {
    /// A turn is read, an act, a piece of what is sent, or the name of a file with turns.
    Step,
    /// A file of so many bytes is included.
    File(usize),
    /// A value is copied for a case, with so many bytes of text.
    Fill(usize),
    /// So many positions of a game are reached.
    Positions(usize),
    /// So many bytes and lines are sent or awaited, so many times.
    Sent {
        times: usize,
        lines: usize,
        bytes: usize,
    },
    /// A scenario is made, with so many errors.
    Scenario { errors: usize },
}

impl Work {
    fn units(self) -> usize {
        match self {
            Work::Step => 8,
            Work::File(bytes) => 100 + bytes / 8,
            Work::Fill(bytes) => 1 + bytes / 16,
            Work::Positions(count) => 3 * count,
            Work::Sent {
                times,
                lines,
                bytes,
            } => {
                // The bytes of a short line cost nothing beside the line.
                let bytes = times.saturating_mul(bytes) / 8;
                bytes.max(times.saturating_mul(lines).saturating_mul(2))
            }
            Work::Scenario { errors } => 100 + 50 * errors,
        }
    }
}

/// The remaining work.
pub(super) struct Budget {
    left: Cell<usize>,
    /// The error of a file that takes more.
    error: RefCell<Option<Diagnostic>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(WHOLE)
    }
}

impl Budget {
    pub(super) fn of(work: usize) -> Budget {
        Budget {
            left: Cell::new(work),
            error: RefCell::default(),
        }
    }

    /// The error, if there is one.
    pub(super) fn into_error(self) -> Option<Diagnostic> {
        self.error.into_inner()
    }

    /// Takes work from what is left, for something in that place; false where too little is left.
    pub(super) fn spend(&self, work: Work, source: &Source, span: Span) -> bool {
        if self.error.borrow().is_some() {
            return false;
        }
        let left = self.left.get().checked_sub(work.units());
        self.left.set(left.unwrap_or(0));
        if left.is_some() {
            return true;
        }
        let title = "this file takes too much work, with its cases and what it includes";
        let error = Diagnostic::error("scenario/too-much", title);
        let error = error.at(source, span, "the limit is reached here");
        let help =
            "split the file, send or repeat less, or leave cases, turns, `any` or includes out";
        let error = error.help(help);
        self.error.replace(Some(error));
        false
    }
}

/// A file that is being read: its problems, and the work that is left for it with all that belongs to it.
#[derive(Clone, Copy)]
pub(super) struct Scope<'r> {
    pub(super) budget: &'r Budget,
    pub(super) faults: &'r Faults,
}

impl Scope<'_> {
    /// Takes work for something in that place; `None` where too little is left.
    pub(super) fn spend(&self, work: Work, span: Span) -> Option<()> {
        let is_paid = self.budget.spend(work, self.faults.source(), span);
        is_paid.then_some(())
    }

    /// Takes the work of sending this text so many times.
    pub(super) fn send(&self, text: &[u8], times: usize, span: Span) -> Option<()> {
        let (lines, bytes) = (memchr::memchr_iter(b'\n', text).count(), text.len());
        let work = Work::Sent {
            times,
            lines,
            bytes,
        };
        self.spend(work, span)
    }

    /// Refuses something there, with what to write instead.
    pub(super) fn refuse<T>(
        &self,
        code: &'static str,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.faults.refuse(code, title, span, label, help);
        None
    }

    /// Adds the problems of another file, which this one refers to in that place.
    pub(super) fn append(&self, of: Faults, span: Span, says: &str) {
        for fault in of.into_diagnostics().sorted() {
            let fault = fault.clone();
            self.faults
                .push(fault.context(self.faults.source(), span, says));
        }
    }

    /// The first line of a span.
    pub(super) fn first_line(&self, span: Span) -> Span {
        self.faults.source().first_line(span)
    }
}

/// The reader of a game's turns.
#[derive(Clone, Copy)]
pub(super) struct Reader<'r> {
    /// The game, without its turns.
    pub(super) plan: &'r PlannedGame,
    pub(super) scope: Scope<'r>,
}

#[cfg(test)]
mod tests {
    use super::super::resolve_within;
    use super::*;
    use crate::diagnostic::Paint;
    use crate::scenario::Alone;

    /// A file with so many cases of a game in which each turn leads to several positions.
    fn text(cases: usize) -> String {
        let turns = "  - bot: 0 0 0 1 > any\n  - opponent: 0 0 0 1 > any\n".repeat(3);
        let cases: String = (0..cases)
            .map(|number| format!("  - {{case: c{number}, a: 1}}\n"))
            .collect();
        format!(
            "scenario: '{{a}}'\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/newline]\nturns:\n{turns}cases:\n{cases}"
        )
    }

    #[test]
    fn the_positions_of_all_cases_are_counted_together() {
        let read = |cases: usize, work: usize| {
            let source = Source::new("s.yaml", text(cases));
            resolve_within(Budget::of(work), &source, "s", &Alone)
        };
        let count = |work: usize| read(50, work).0.len();
        let (scenarios, faults) = read(2, WHOLE);
        assert!(scenarios.len() == 2 && faults.is_empty(), "{faults:?}");
        // The work of each case is the same.
        let [few, more] = [60_000, 120_000].map(count);
        assert!(0 < few && few < more && more < 50, "{few} {more}");
        let drawn = read(50, 60_000).1.draw(Paint::Plain);
        assert!(
            drawn.starts_with("error[scenario/too-much]: this file takes too much work"),
            "{drawn}"
        );
        assert!(drawn.contains("the limit is reached here"), "{drawn}");
    }
}
