//! Situations that tests should reach.

/// A situation of a game that tests are to bring about, and that is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverageItem {
    /// Description of the situation: `first captures on cell 5`.
    pub name: String,
    /// Id of the requirement that shows there, where it is one in particular.
    pub requirement: Option<&'static str>,
}

impl CoverageItem {
    /// An item of that name, at which the requirement of that id shows.
    #[must_use]
    pub fn new(name: String, requirement: &'static str) -> CoverageItem {
        CoverageItem {
            name,
            requirement: Some(requirement),
        }
    }
}
