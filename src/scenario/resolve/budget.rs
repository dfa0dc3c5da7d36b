//! The work that parts of a scenario cost, in the units of [`Budget`](crate::diagnostic::Budget).

use crate::diagnostic::{Faults, Span};

/// The work of a turn that is read, of an act, a piece of what is sent, or the name of a file with turns.
pub(super) const STEP: usize = 8;

/// The work of including a file of so many bytes.
pub(super) fn file(bytes: usize) -> usize {
    100 + bytes / 8
}

/// The work of sending or awaiting so many lines and bytes, so many times. The bytes of a short line cost nothing beside the line.
pub(super) fn sent(times: usize, lines: usize, bytes: usize) -> usize {
    let bytes = times.saturating_mul(bytes) / 8;
    bytes.max(times.saturating_mul(lines).saturating_mul(2))
}

impl Faults {
    /// Takes the work of sending this text so many times. A name in it costs as much as a line.
    pub(super) fn send(&self, text: &[u8], times: usize, span: Span) -> Option<()> {
        let lines = memchr::memchr2_iter(b'\n', b'{', text).count();
        self.spend(sent(times, lines, text.len()), span)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::resolve_within;
    use crate::diagnostic::{Budget, Paint, Source};
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
            resolve_within(&Rc::new(Budget::of(work)), &source, "s", &Alone)
        };
        let count = |work: usize| read(50, work).0.len();
        let (scenarios, faults) = read(2, usize::MAX);
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
