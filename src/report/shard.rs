//! The parts of a run that several machines share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Results;
use super::findings::fnv1a;
use crate::scenario::Shard;

/// Part of a run that this report holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardHead {
    /// Number of the shard, from 1.
    pub index: u32,
    /// Digest of the selection and of how it was shared out. Equal in all parts of one run.
    pub digest: String,
    /// The scenarios of every shard.
    pub shards: Vec<Vec<String>>,
}

impl ShardHead {
    /// A shard of the run in which these are the scenarios of every shard.
    #[must_use]
    pub fn new(shard: Shard, shards: Vec<Vec<String>>) -> ShardHead {
        let text: Vec<_> = shards.iter().map(|names| names.join("\n")).collect();
        ShardHead {
            index: shard.index.get(),
            digest: format!("{:016x}", fnv1a(&text.join("\n\n"))),
            shards,
        }
    }
}

/// Reason why reports are not all the parts of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardFault {
    /// Reports of parts and of whole runs.
    #[error("some of the reports are parts of a run, and some are whole runs")]
    Mixed,
    /// Parts of different runs.
    #[error("shard {0} has another selection than the first report")]
    OtherRun(u32),
    /// A part that is there twice.
    #[error("shard {0} is there twice")]
    Twice(u32),
    /// Parts that are not there.
    #[error("{} scenarios were never played", .0.len())]
    Missing(Vec<String>),
}

/// Checks that reports of shards are all the parts of one run.
///
/// # Errors
/// The first reason why they are not.
pub fn assert_whole(reports: &[Results]) -> Result<(), ShardFault> {
    let mut heads = reports.iter().map(|report| &report.run.shard);
    let Some(first) = heads.next().and_then(Option::as_ref) else {
        return match heads.any(Option::is_some) {
            true => Err(ShardFault::Mixed),
            false => Ok(()),
        };
    };
    let mut seen = vec![first.index];
    for head in heads {
        let head = head.as_ref().ok_or(ShardFault::Mixed)?;
        if head.digest != first.digest || head.shards != first.shards {
            return Err(ShardFault::OtherRun(head.index));
        }
        if seen.contains(&head.index) {
            return Err(ShardFault::Twice(head.index));
        }
        seen.push(head.index);
    }
    let count = first.shards.len();
    let missing = (1..)
        .zip(&first.shards)
        .filter(|(index, _)| !seen.contains(index));
    let missing = missing.flat_map(|(index, names)| {
        let of = move |name: &String| format!("{name} (shard {index}/{count})");
        names.iter().map(of)
    });
    let missing: Vec<_> = missing.collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ShardFault::Missing(missing)),
    }
}
