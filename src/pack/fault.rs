//! Faults of built-in peers.

use super::spoiler::Spoiler;
use crate::rules::VariantRow;

/// A fault that a built-in referee or bot can be given, so that the suites can show that they catch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultRow {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Behaviour of the faulty peer.
    pub summary: &'static str,
    /// Id of the requirement that it breaks first.
    pub breaks: &'static str,
    /// Deviations of the peer.
    pub how: How,
}

/// Deviations of a faulty peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The variant of the rules that has the name of the fault.
    Variant,
    /// All of these.
    Spoilt(&'static [Spoiler]),
}

impl FaultRow {
    /// Its spoilers; none for a variant of the rules.
    pub(crate) fn spoilers(&self) -> &'static [Spoiler] {
        match self.how {
            How::Spoilt(spoilers) => spoilers,
            How::Variant => &[],
        }
    }

    /// The variant of the rules by which the peer plays, if there is one.
    pub(crate) fn variant(&self) -> Option<&'static str> {
        if self.how == How::Variant {
            return Some(self.name);
        }
        self.spoilers().iter().find_map(|spoiler| match spoiler {
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
        how: How::Spoilt(spoilers),
    }
}

impl From<VariantRow> for FaultRow {
    fn from(row: VariantRow) -> FaultRow {
        FaultRow {
            name: row.name,
            summary: row.summary,
            breaks: row.breaks,
            how: How::Variant,
        }
    }
}
