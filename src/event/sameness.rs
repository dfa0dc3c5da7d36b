//! Texts that are the same for findings of one kind.

use super::Outcome;
use crate::diagnostic::visible;
use crate::finding::Finding;

/// Requirement of a finding, and the kind of what was observed. Two games with the same pair are taken to have failed alike.
pub type Reason = (Option<&'static str>, String);

/// End of the title of a finding that may come from load on this machine.
pub const BUSY: &str = ", and this machine was busy";

/// The last line of standard error that is not blank.
#[must_use]
pub fn last_line(stderr: &[u8]) -> Option<String> {
    let lines = stderr.split(|&byte| byte == b'\n');
    let last = lines.rev().find(|line| !line.trim_ascii().is_empty());
    last.map(|line| visible::plain(line).at_most(120).to_string())
}

/// A text with every number and every row of numbers as one sign.
#[must_use]
pub fn form(text: &str) -> String {
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

/// A text with other words for these, where they are not part of a longer word.
fn replaced(text: &str, words: &str, other: &str) -> String {
    let is_apart = |around: Option<char>| around.is_none_or(|around| !around.is_alphanumeric());
    let is_whole = |(start, _): &(usize, &str)| {
        let (before, after) = (&text[..*start], &text[start + words.len()..]);
        is_apart(before.chars().next_back()) && is_apart(after.chars().next())
    };
    let (mut new, mut done) = (String::new(), 0);
    for (start, _) in text.match_indices(words).filter(is_whole) {
        new += &text[done..start];
        new += other;
        done = start + words.len();
    }
    new + &text[done..]
}

/// A text of a finding, such as its observation, without its lanes, quoted lines and numbers.
#[must_use]
pub fn kind(finding: &Finding, text: &str) -> String {
    let text = text.strip_suffix(BUSY).unwrap_or(text);
    let unquoted: Vec<_> = text.split('"').step_by(2).collect();
    let mut kind = unquoted.join("a line");
    let lanes = finding.lanes.iter().map(|view| view.lane.as_str());
    for lane in lanes.filter(|lane| !lane.is_empty()) {
        kind = replaced(&kind, lane, "a lane");
    }
    form(&kind)
}

/// Returns the reason of a finding. Findings of the same reason are alike.
#[must_use]
pub fn reason(finding: &Finding) -> Reason {
    (finding.requirement, kind(finding, finding.observation()))
}

/// Returns true if two games came to the same: the same verdict under the same requirement, or by findings of the same kind where there is
/// none. Ports, times, and the lane that showed it first do not count: they are chance.
#[must_use]
pub fn is_like(one: &Finding, other: &Finding) -> bool {
    let is_same = match (one.requirement, other.requirement) {
        (None, None) => reason(one) == reason(other),
        (one, other) => one == other,
    };
    is_same && one.verdict == other.verdict
}

impl Outcome {
    /// Text that is the same for equal crashes of the subject: the last line of standard error, without its numbers; `None` where it did not crash.
    #[must_use]
    pub fn crash(&self) -> Option<String> {
        let crashed = self.failure().filter(|finding| finding.crash.is_some());
        crashed.and_then(|_| Some(form(&last_line(&self.stderr)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::{BUSY, form, kind, reason, replaced};
    use crate::finding::{Finding, LaneText, LaneView, Verdict};

    #[test]
    fn numbers_make_no_difference_and_words_do() {
        assert_eq!(form("nothing for 5.0 s"), form("nothing for 12.25 s"));
        assert_eq!(form("0 1 1 0"), form("1 1"));
        assert_ne!(form("0 1 1 0"), form("RETIRE"));
        assert_ne!(form("1"), form("1x"));
    }

    #[test]
    fn only_whole_words_are_replaced() {
        let kind = |text| replaced(text, "top", "a lane");
        assert_eq!(kind("the lane of top before"), "the lane of a lane before");
        assert_eq!(kind("stop, tops, top"), "stop, tops, a lane");
    }

    #[test]
    fn a_failure_on_another_lane_or_at_another_time_is_of_the_same_kind() {
        let late = |lane: &str, late: &str| {
            let title = format!("{lane} received a roll {late} too late");
            let mut finding = Finding::new(Verdict::Fail, title);
            let view = LaneView::new(lane, 1, LaneText::Nothing, LaneText::Nothing);
            finding.lanes.push(view);
            finding
        };
        let one = late("PlayerA", "0.3 s");
        for other in [late("PlayerB", "0.3 s"), late("PlayerA", "0.4 s")] {
            assert_ne!(one.title, other.title);
            assert_eq!(reason(&one), reason(&other));
        }
        let nothing = Finding::new(Verdict::Fail, "nothing came in time");
        assert_ne!(reason(&one), reason(&nothing));
        let busy = format!("nothing came in time{BUSY}");
        assert_eq!(kind(&nothing, &busy), reason(&nothing).1);
    }

    #[test]
    fn a_finding_is_of_the_kind_of_what_was_observed_whatever_is_inferred() {
        let seen = Finding::new(Verdict::Fail, "the bot sent a line");
        let mut inferred = seen.clone();
        inferred.infer("the bot mistakes its seat".to_owned());
        inferred.after_first("in game 2");
        assert_eq!(inferred.title, "in game 2: the bot mistakes its seat");
        assert_eq!(reason(&inferred), reason(&seen));
        inferred.drop_inference();
        assert_eq!(inferred.title, seen.title);
    }
}
