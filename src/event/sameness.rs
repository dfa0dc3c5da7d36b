//! Texts that are the same for findings of one kind.

use super::Outcome;
use crate::diagnostic::visible;

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
    use super::form;

    #[test]
    fn numbers_make_no_difference_and_words_do() {
        assert_eq!(form("nothing for 5.0 s"), form("nothing for 12.25 s"));
        assert_eq!(form("0 1 1 0"), form("1 1"));
        assert_ne!(form("0 1 1 0"), form("RETIRE"));
        assert_ne!(form("1"), form("1x"));
    }
}
