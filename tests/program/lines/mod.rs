//! Dialogues without rules: what can be sent, what can be expected, and how a participant reads and leaves.

mod play;
mod sending;
