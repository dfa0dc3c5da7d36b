//! One known mistake in the rules of a game.

/// A known way to get the rules of a game wrong: what a faulty peer plays, and what an explanation considers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mistake {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Description, in words that follow "behaves as if".
    pub summary: &'static str,
    /// Id of the requirement that whoever makes the mistake breaks first.
    pub breaks: &'static str,
    /// Name of the mistake of which this is a part: that one in some turns only. It is considered where the whole is refuted.
    pub general: Option<&'static str>,
    /// Names of the simpler mistakes of which this one is made. It is considered where they are refuted.
    pub contains: &'static [&'static str],
}

impl Mistake {
    /// A mistake that is no part of another one.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, breaks: &'static str) -> Mistake {
        Mistake {
            name,
            summary,
            breaks,
            general: None,
            contains: &[],
        }
    }

    /// Returns true if none of these mistakes is the whole of which this one is a part, or a simpler one that it contains.
    #[must_use]
    pub fn is_simplest_of(&self, all: &[&Mistake]) -> bool {
        let is_simpler = |other: &&Mistake| {
            self.general == Some(other.name) || self.contains.contains(&other.name)
        };
        !all.iter().any(is_simpler)
    }
}
