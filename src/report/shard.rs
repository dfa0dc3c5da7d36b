//! The parts of a run that several machines share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Results;

/// Part of a run that this report holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardHead {
    /// Number of the shard, from 1.
    pub index: u32,
    /// The scenarios of every shard. Equal in all parts of one run.
    pub shards: Vec<Vec<String>>,
}

/// Reason why reports are not all the parts of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardFault {
    /// A report that is no part of the run of the others; its number, from 1.
    #[error("report {0} is not a part of the same run as the others")]
    OtherRun(usize),
    /// A part that is given twice.
    #[error("shard {0} is there twice")]
    Twice(u32),
    /// Parts that are missing.
    #[error("{} scenarios were never played", .0.len())]
    Missing(Vec<String>),
}

/// Checks that reports of shards are all the parts of one run.
///
/// # Errors
/// The first reason why they are not.
pub fn assert_whole(reports: &[Results]) -> Result<(), ShardFault> {
    let heads: Vec<_> = reports
        .iter()
        .map(|report| report.run.shard.as_ref())
        .collect();
    let Some(first) = heads.iter().flatten().next() else {
        return Ok(());
    };
    let is_other = |head: &Option<&ShardHead>| head.is_none_or(|head| head.shards != first.shards);
    if let Some(place) = heads.iter().position(is_other) {
        return Err(ShardFault::OtherRun(place + 1));
    }
    let mut missing = Vec::new();
    for (number, names) in (1..).zip(&first.shards) {
        let parts = heads.iter().flatten().filter(|head| head.index == number);
        match parts.count() {
            0 => missing.extend(
                names
                    .iter()
                    .map(|name| format!("{name} (shard {number}/{})", first.shards.len())),
            ),
            1 => {}
            _ => return Err(ShardFault::Twice(number)),
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ShardFault::Missing(missing)),
    }
}
