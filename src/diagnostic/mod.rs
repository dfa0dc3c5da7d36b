//! Diagnostics about a place in a text: spans, stable codes, and the drawing with carets.
//!
//! A [`Diagnostic`] is about a file or a flag of the user's. A finding about a subject is another thing,
//! but it is drawn alike, so the [`Drawing`] stands here for both. Everything drawn passes through
//! [`visible`]: neither a scenario nor a subject can write to the terminal.

mod drawing;
mod fault;
mod file;
mod gathering;
mod json;
mod source;
mod span;
mod suggest;
mod text;
pub mod visible;
mod window;

pub use drawing::{Drawing, Mark, Tone};
pub use fault::{Diagnostic, Problem, Severity};
pub use file::{holds, open, unreadable};
pub use gathering::{Diagnostics, Faults};
pub use json::json_fault;
pub use source::{BYTE_ORDER_MARK, LineColumn, Source};
pub use span::Span;
pub use suggest::{did_you_mean, nearby, suggest};
pub use text::{Emphasis, Paint, Text, counted};
