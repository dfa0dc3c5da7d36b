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

    /// The settings that differ from these, as the file writes them, by which a subject would read such rolls from `text` as were shown:
    /// those with the fewest changes. `shown` are rolls as the game writes them, digits with blanks between.
    #[must_use]
    ///
    /// `faces` are the lowest and the highest digit of a coin or die.
    pub fn fitting(&self, text: &str, shown: &[String], faces: [u32; 2]) -> Vec<String> {
        let mut fitting: Vec<Vec<String>> = Vec::new();
        for between_rolls in [" ", ",", ", ", ";", "\n"] {
            for between_digits in ["", " ", ","] {
                for digits in [Digits::Each, Digits::Sum] {
                    let has_digits = digits == Digits::Each;
                    let is_odd = !has_digits && !between_digits.is_empty();
                    if is_odd || !reads(text, (between_rolls, between_digits, digits), shown, faces)
                    {
                        continue;
                    }
                    let mut changes = Vec::new();
                    let usual = self.between_rolls.as_deref().unwrap_or(" ");
                    if usual.trim() != between_rolls.trim()
                        || usual == "\n" && between_rolls != "\n"
                    {
                        changes.push(format!("between-rolls: {}", yaml(between_rolls)));
                    }
                    let is_other_gap = self.between_digits.trim() != between_digits.trim()
                        || self.between_digits.is_empty() != between_digits.is_empty();
                    if has_digits && is_other_gap {
                        changes.push(format!("between-digits: {}", yaml(between_digits)));
                    }
                    if self.digits != digits {
                        changes.push(format!(
                            "digits: {}",
                            if has_digits { "each" } else { "sum" }
                        ));
                    }
                    if !changes.is_empty() && !fitting.contains(&changes) {
                        fitting.push(changes);
                    }
                }
            }
        }
        let fewest = fitting.iter().map(Vec::len).min().unwrap_or(0);
        fitting.retain(|changes| changes.len() == fewest);
        fitting
            .into_iter()
            .map(|changes| changes.join(", "))
            .collect()
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

/// A text between quotation marks, as YAML reads it.
fn yaml(text: &str) -> String {
    if text == "\n" {
        "\"\\n\"".to_owned()
    } else {
        format!("'{text}'")
    }
}

/// Returns true if a subject that splits a text by these separators, strictly or leniently, would read the
/// rolls that were shown.
fn reads(
    text: &str,
    (between_rolls, between_digits, digits): (&str, &str, Digits),
    shown: &[String],
    [lowest, highest]: [u32; 2],
) -> bool {
    let shown: Vec<Vec<u32>> = shown
        .iter()
        .map(|roll| {
            roll.split_whitespace()
                .filter_map(|digit| digit.parse().ok())
                .collect()
        })
        .collect();
    let Some(width) = shown.first().map(Vec::len).filter(|&width| width > 0) else {
        return false;
    };
    let split = |text: &str, by: &str| -> Vec<String> {
        let parts: Vec<&str> = if by.trim().is_empty() && by != "\n" {
            text.split_whitespace().collect()
        } else {
            text.split(by.trim_matches(' ')).collect()
        };
        parts
            .into_iter()
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    };
    let tokens = split(text, between_rolls);
    if digits == Digits::Sum {
        let sums: Option<Vec<u64>> = tokens.iter().map(|token| token.parse().ok()).collect();
        // A sum is shown by any dice that come to it, and one that is too high by the most that there is.
        return sums.is_some_and(|sums| {
            let most = width as u64 * u64::from(highest);
            let agrees = |(sum, dice): (&u64, &Vec<u32>)| {
                (*sum).min(most) == dice.iter().map(|&digit| u64::from(digit)).sum::<u64>()
            };
            sums.len() >= shown.len() && sums.iter().zip(&shown).all(agrees)
        });
    }
    let numbers = |part: &String| part.parse::<u64>().ok();
    let rolls: Option<Vec<Vec<u64>>> = if between_digits.is_empty() {
        let digits = |token: &String| {
            token
                .chars()
                .map(|c| c.to_digit(10).map(u64::from))
                .collect()
        };
        tokens.iter().map(digits).collect()
    } else if between_digits.trim() == between_rolls.trim() {
        let all: Option<Vec<u64>> = split(text, between_digits).iter().map(numbers).collect();
        all.map(|all| all.chunks(width).map(<[u64]>::to_vec).collect())
    } else {
        tokens
            .iter()
            .map(|token| split(token, between_digits).iter().map(numbers).collect())
            .collect()
    };
    let Some(rolls) = rolls.filter(|rolls| rolls.len() >= shown.len()) else {
        return false;
    };
    // A digit above the highest face counts as that face, or as the lowest; a missing one as the lowest, before or after.
    let face = |digit: u64| u32::try_from(digit).ok().filter(|digit| *digit <= highest);
    [highest, lowest].into_iter().any(|too_high| {
        [false, true].into_iter().any(|is_padded_before| {
            rolls.iter().zip(&shown).all(|(roll, shown)| {
                let mut read: Vec<u32> = roll
                    .iter()
                    .take(width)
                    .map(|&digit| face(digit).unwrap_or(too_high))
                    .collect();
                let lacking = width - read.len();
                let at = if is_padded_before { 0 } else { read.len() };
                read.splice(at..at, std::iter::repeat_n(lowest, lacking));
                read == *shown
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_settings_that_explain_what_came() {
        let usual = RollFormat::default();
        let shown = |rolls: &[&str]| rolls.iter().map(ToString::to_string).collect::<Vec<_>>();
        let text = usual.line(&shown(&["0 0 1 1", "0 0 0 1", "1 1 1 1", "0 1 1 1"]));
        assert_eq!(text, "0011 0001 1111 0111");
        // Coins with blanks between: each word is a coin. A sum: eleven is more than four coins can show.
        let heads = usual.fitting(&text, &shown(&["1 1 1 1"]), [0, 1]);
        assert_eq!(heads, ["digits: sum", "between-digits: ' '"]);
        let heads = usual.fitting(&text, &shown(&["1 1 1 1", "0 0 1 0"]), [0, 1]);
        assert_eq!(heads, ["digits: sum"]);
        // Only the last bit is a one, and nothing else counts as one.
        let text = "0011 0001 0001 0001";
        let last = usual.fitting(text, &shown(&["0 1 1 1"]), [0, 1]);
        assert_eq!(last, ["between-digits: ' '"]);
        // Rolls as sums, read as coins.
        let sums = RollFormat {
            digits: Digits::Sum,
            ..RollFormat::default()
        };
        let fitting = sums.fitting("1 2 3", &shown(&["1 0 0 0", "0 0 0 0"]), [0, 1]);
        assert!(fitting.contains(&"digits: each".to_owned()));
        let chance = usual.fitting("0011 0111", &shown(&["1 0 0 1"]), [0, 1]);
        assert_eq!(chance, Vec::<String>::new());
    }

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
