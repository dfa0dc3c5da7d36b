//! The golden transcript beside what was observed.

use super::state::State;

/// Compares, where the game came to its end as the scenario has it.
pub(super) fn compare(_state: &mut State) {}
