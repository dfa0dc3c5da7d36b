//! Titles of findings: the words of a failure, and the form that tells its sort.

use std::fmt;
use std::ops::Deref;

/// What a finding reports, in one line, as data.
///
/// Two findings of one requirement report the same failure if their titles are equal. The engine relies on it: a failure is confirmed by
/// another game with an equal one, and two unequal ones are two failures. So a title shows the lane, since a referee that forgets one player is
/// not confirmed by one that forgets the other; times to a tenth of a second, since a wrong time that is not the same again can come of
/// load; and an exit status and the last line before a crash. Explore and its gate compare less, see [`Title::sort`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Title {
    text: String,
    /// The text with names in place of its words; empty where the text is of an operating system or server.
    form: &'static str,
    /// Length of the name of the lane that the text begins with.
    lane: usize,
    /// The observation alone, where the text infers a cause.
    observed: Option<Box<Title>>,
    /// True for a failure of every game of a server but the first, which passed.
    pub is_later: bool,
}

/// A [`Title`] whose form is the format string: `title!("{who} sent nothing")`.
macro_rules! title {
    ($form:literal $(, $word:expr)* $(,)?) => {
        $crate::finding::Title::new($form, format!($form $(, $word)*))
    };
}
pub(crate) use title;

impl Title {
    /// The title with this text, of this form.
    #[must_use]
    pub fn new(form: &'static str, text: impl Into<String>) -> Title {
        Title {
            text: text.into(),
            form,
            lane: 0,
            observed: None,
            is_later: false,
        }
    }

    /// The title about the line of a lane.
    #[must_use]
    pub fn on_lane(mut self, lane: &str) -> Title {
        self = self.before(lane);
        self.lane = lane.len();
        self
    }

    /// The title as an inference from what that title observes.
    #[must_use]
    pub fn inferred_from(self, observed: Title) -> Title {
        Title {
            observed: Some(Box::new(observed)),
            ..self
        }
    }

    /// The title after these words.
    #[must_use]
    pub fn before(mut self, words: &str) -> Title {
        self.text.insert_str(0, &format!("{words} "));
        self.lane = 0;
        self
    }

    /// The title and then these words, of the same sort.
    #[must_use]
    pub fn and(mut self, words: impl fmt::Display) -> Title {
        self.text.push_str(&format!(", {words}"));
        self.lane = 0;
        self
    }

    /// The observation alone, where the title itself infers its cause.
    #[must_use]
    pub fn without_inference(self) -> Title {
        match self.observed {
            Some(observed) => *observed,
            None => self,
        }
    }

    /// The observation alone, where the title infers its cause.
    #[must_use]
    pub fn observed(&self) -> Option<&Title> {
        self.observed.as_deref()
    }

    /// The wrong or missing line of a referee, in words that leave out the lane; `None` for others. Findings with the same words show
    /// the same mistake, whatever requirement their scenarios test.
    #[must_use]
    pub fn of_a_line(&self) -> Option<&str> {
        (self.lane > 0).then(|| self.text[self.lane..].trim_start())
    }

    /// The title without lanes, numbers and times: those of a failure that breaks no requirement differ from game to game, with the
    /// seed and the port.
    #[must_use]
    pub fn sort(&self) -> String {
        match self.form {
            "" => self.text.replace(|c: char| c.is_ascii_digit(), ""),
            form => form.to_owned(),
        }
    }
}

impl Deref for Title {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T: Into<String>> From<T> for Title {
    fn from(text: T) -> Title {
        Title::new("", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_on_another_lane_or_at_another_time_is_another_one_of_the_same_sort() {
        let late = |lane: &str, late: &str| title!("{lane} received a roll {late} too late");
        let one = late("PlayerA", "0.3 s");
        assert_eq!(one, late("PlayerA", "0.3 s"));
        for other in [late("PlayerB", "0.3 s"), late("PlayerA", "0.4 s")] {
            assert_ne!(one, other);
            assert_eq!(one.sort(), other.sort());
        }
        assert_ne!(one.sort(), title!("nothing came in time").sort());
    }

    #[test]
    fn words_alone_are_of_one_sort_where_only_their_digits_differ() {
        let refused = |port: u16| Title::from(format!("port {port} refused"));
        assert_ne!(refused(1), refused(2));
        assert_eq!(refused(1).sort(), refused(2).sort());
        assert_ne!(refused(1).sort(), Title::from("timed out").sort());
    }

    #[test]
    fn a_line_reads_without_its_lane_and_an_inference_leads_back_to_what_was_seen() {
        let line = |lane| title!("received a roll").on_lane(lane);
        assert_eq!(&*line("PlayerA"), "PlayerA received a roll");
        assert_eq!(line("PlayerA").of_a_line(), line("PlayerBee").of_a_line());
        let seen = title!("the bot sent a line");
        let inferred = title!("the bot mistakes its seat").inferred_from(seen.clone());
        assert_eq!(inferred.without_inference(), seen);
        assert_eq!(
            &*seen.and("with odd names").before("in game 2:"),
            "in game 2: the bot sent a line, with odd names"
        );
    }
}
