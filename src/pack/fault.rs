//! Faults of built-in peers: rows of data.

use super::spoiler::Spoiler;
use crate::rules::Mistake;

/// A fault that a built-in referee or bot can be given, so that the suites can show that they catch it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaultRow {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Behaviour of the faulty peer.
    pub summary: &'static str,
    /// Id of the requirement that it breaks first.
    pub breaks: &'static str,
    /// Deviations of the peer; none where it makes the mistake of the rules that has the name of the fault.
    pub spoilers: &'static [Spoiler],
}

impl FaultRow {
    /// The mistake of the rules by which the peer plays, if there is one.
    pub(crate) fn variant(&self) -> Option<&'static str> {
        if self.spoilers.is_empty() {
            return Some(self.name);
        }
        self.spoilers.iter().find_map(|spoiler| match spoiler {
            Spoiler::Variant(name) => Some(*name),
            _ => None,
        })
    }
}

/// A row of a table of faults.
#[must_use]
pub const fn row(
    name: &'static str,
    summary: &'static str,
    breaks: &'static str,
    spoilers: &'static [Spoiler],
) -> FaultRow {
    FaultRow {
        name,
        summary,
        breaks,
        spoilers,
    }
}

impl From<Mistake> for FaultRow {
    fn from(mistake: Mistake) -> FaultRow {
        row(mistake.name, mistake.summary, mistake.breaks, &[])
    }
}
