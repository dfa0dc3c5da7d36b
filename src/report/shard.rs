//! The parts of a run that several machines share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Results;
use crate::diagnostic::Diagnostic;

/// Part of a run that this report holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardHead {
    /// Number of the shard, from 1.
    pub index: u32,
    /// The scenarios of every shard. Equal in all parts of one run.
    pub shards: Vec<Vec<String>>,
}

/// Checks that reports of shards are all the parts of one run.
///
/// # Errors
/// The first reason why they are not.
pub fn assert_whole(reports: &[Results]) -> Result<(), Diagnostic> {
    let fault = |reason: String| {
        let title = format!("the reports cannot be joined: {reason}");
        Diagnostic::error("run/broken", title)
    };
    let heads: Vec<_> = reports
        .iter()
        .map(|report| report.run.shard.as_ref())
        .collect();
    let Some(first) = heads.iter().flatten().next() else {
        return Ok(());
    };
    let is_other = |head: &Option<&ShardHead>| head.is_none_or(|head| head.shards != first.shards);
    if let Some(place) = heads.iter().position(is_other) {
        let other = place + 1;
        return Err(fault(format!(
            "report {other} is not a part of the same run as the others"
        )));
    }
    let mut missing = Vec::new();
    for (number, names) in (1..).zip(&first.shards) {
        let parts = heads.iter().flatten().filter(|head| head.index == number);
        let part = format!("shard {number}/{}", first.shards.len());
        match parts.count() {
            0 => missing.extend(names.iter().map(|name| format!("{name} ({part})"))),
            1 => {}
            _ => return Err(fault(format!("shard {number} is there twice"))),
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let fault = fault(format!("{} scenarios were never played", missing.len()));
    Err(missing.into_iter().fold(fault, Diagnostic::note))
}
