//! Diagnostics about a place in a text: spans, stable codes, and the drawing with carets.
//!
//! A finding about a subject is another thing than an error in a file of the user's, but it is drawn alike: both are drawn as a
//! [`Diagnostic`]. Everything drawn passes through [`visible`]: neither a scenario nor a subject can write to the terminal.

mod budget;
mod drawing;
mod fault;
mod file;
mod gathering;
mod source;
mod suggest;
pub mod visible;

pub use budget::Budget;
pub use drawing::Mark;
pub use fault::{Diagnostic, Emphasis, Paint, Severity, Text, counted};
pub use file::{holds, json_fault, open, unreadable};
pub use gathering::{Diagnostics, Faults, Problem};
pub use source::{BYTE_ORDER_MARK, LineColumn, Source, Span};
pub use suggest::{did_you_mean, suggest};
