//! Seeds that nobody gave.

use std::hash::{BuildHasher, RandomState};

/// A seed where the user gave none.
pub(super) fn random_seed() -> u64 {
    RandomState::new().hash_one(())
}
