//! Faults of built-in peers, and the macro that declares them.

use crate::rules::VariantRow;

/// A fault that a built-in referee or bot can be given, so that the suites can show that they catch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultRow {
    /// Name, as `--fault` takes it.
    pub name: &'static str,
    /// Behaviour of the faulty peer.
    pub summary: &'static str,
    /// Id of the requirement that it breaks first.
    pub breaks: &'static str,
}

impl From<VariantRow> for FaultRow {
    fn from(row: VariantRow) -> FaultRow {
        FaultRow {
            name: row.name,
            summary: row.summary,
            breaks: row.breaks,
        }
    }
}

/// Declares the faults of one peer, one row each: variant, name, what it does, the requirement that it breaks.
macro_rules! faults {
    ($(#[$meta:meta])* pub enum $fault:ident { $($variant:ident: $name:literal, $summary:literal, $breaks:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $fault {
            $(#[doc = $summary] $variant,)+
        }

        impl $fault {
            /// Every fault, in the order in which help lists them.
            pub const ROWS: &'static [$crate::peers::FaultRow] = &[
                $($crate::peers::FaultRow { name: $name, summary: $summary, breaks: $breaks },)+
            ];

            /// The fault of that name.
            #[must_use]
            pub fn find(name: &str) -> Option<$fault> {
                match name {
                    $($name => Some($fault::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(super) use faults;
