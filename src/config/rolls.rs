//! Roll hooks, and the formats of forced rolls.

/// Roll hook of a referee: the channel for forced rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollHook {
    /// From an environment variable of this name.
    Environment(String),
    /// From its arguments: `{rolls}` or `{rolls_file}` stand in its command.
    Arguments,
}

/// Format of a list of forced rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollFormat {
    /// Separator of rolls; `None` is a newline in a file, and a blank elsewhere.
    pub between_rolls: Option<String>,
    /// Separator of the digits of one roll.
    pub between_digits: String,
    /// Format of a roll: its digits or their sum.
    pub digits: Digits,
}

/// Format of one roll.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Digits {
    /// Coin by coin, or die by die.
    #[default]
    Each,
    /// Only the sum of all.
    Sum,
}

impl Default for RollFormat {
    fn default() -> RollFormat {
        RollFormat {
            between_rolls: None,
            between_digits: String::new(),
            digits: Digits::Each,
        }
    }
}

impl RollFormat {
    /// Writes rolls, each of them given as the game writes it, on one line where nothing else is said.
    #[must_use]
    pub fn line(&self, rolls: &[String]) -> String {
        self.written(rolls)
            .join(self.between_rolls.as_deref().unwrap_or(" "))
    }

    /// Writes rolls into a file, one a line where nothing else is said.
    #[must_use]
    pub fn file(&self, rolls: &[String]) -> String {
        let mut text = self
            .written(rolls)
            .join(self.between_rolls.as_deref().unwrap_or("\n"));
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    fn written(&self, rolls: &[String]) -> Vec<String> {
        let write = |roll: &String| match self.digits {
            Digits::Each => roll
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(&self.between_digits),
            Digits::Sum => roll
                .split_whitespace()
                .filter_map(|digit| digit.parse::<u32>().ok())
                .sum::<u32>()
                .to_string(),
        };
        rolls.iter().map(write).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls() -> Vec<String> {
        vec!["0 0 1 1".to_owned(), "1 1 1 1".to_owned()]
    }

    #[test]
    fn writes_rolls_as_the_subject_reads_them() {
        assert_eq!(RollFormat::default().line(&rolls()), "0011 1111");
        assert_eq!(RollFormat::default().file(&rolls()), "0011\n1111\n");
        let spaced = RollFormat {
            between_rolls: Some(", ".to_owned()),
            between_digits: " ".to_owned(),
            digits: Digits::Each,
        };
        assert_eq!(spaced.line(&rolls()), "0 0 1 1, 1 1 1 1");
        let sums = RollFormat {
            digits: Digits::Sum,
            ..RollFormat::default()
        };
        assert_eq!(sums.line(&rolls()), "2 4");
        assert_eq!(sums.file(&[]), "");
    }
}
