//! The revision of a set of requirements.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

/// A month in which requirements were added or changed, such as `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision {
    year: u16,
    month: u8,
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(text: &str) -> Result<Revision, String> {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let read = || {
            let (year, month) = text.split_once('-')?;
            if (year.len(), month.len()) != (4, 2) || !is_number(year) || !is_number(month) {
                return None;
            }
            let (year, month) = (year.parse().ok()?, month.parse().ok()?);
            (1..=12)
                .contains(&month)
                .then_some(Revision { year, month })
        };
        read().ok_or_else(|| "a year and a month are due, such as 2026-11".to_owned())
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl<'de> Deserialize<'de> for Revision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Revision, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn a_month_reads_back_and_is_later_than_the_one_before() {
        let read = |text: &str| text.parse::<Revision>();
        assert_eq!(read("2026-11").unwrap().to_string(), "2026-11");
        assert!(read("2026-12") < read("2027-01") && read("2026-11") < read("2026-12"));
        for wrong in [
            "2026", "2026-13", "2026-00", "26-11", "2026-1", "2026-+1", "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
