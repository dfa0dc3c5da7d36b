//! The error of a description or an address from which no transport follows.

/// Explains why no transport follows from a description or an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}")]
pub struct Unreachable {
    /// Description of the error.
    pub title: String,
    /// Advice for the user.
    pub help: String,
}

pub(super) fn unreachable<T>(
    title: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, Unreachable> {
    Err(Unreachable {
        title: title.into(),
        help: help.into(),
    })
}
