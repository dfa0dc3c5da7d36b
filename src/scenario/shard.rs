//! Parts of a run for several machines.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU32;
use std::str::FromStr;

/// One part of a run: shard 2 of 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub index: NonZeroU32,
    /// Number of shards.
    pub count: NonZeroU32,
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = || {
            let (index, count) = text.split_once('/')?;
            Some((index.parse().ok()?, count.parse().ok()?))
        };
        let (index, count) =
            numbers().ok_or("write the number of the shard and how many there are, such as 2/5")?;
        Shard::new(index, count)
    }
}

/// How a service numbers the machines that share a job: the variables of the number and of the count, and the first number.
const SERVICES: &[(&str, &str, u32)] = &[
    ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ("CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
    ("BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
    ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0),
];

impl Shard {
    fn new(index: NonZeroU32, count: NonZeroU32) -> Result<Shard, String> {
        match index <= count {
            true => Ok(Shard { index, count }),
            false => Err(format!("there is no shard {index} of {count}")),
        }
    }

    /// The shard that the variables of a service name: GitLab, CircleCI, Buildkite, an indexed job of Kubernetes (with JOB_COMPLETIONS,
    /// which the manifest sets), or an array of Slurm.
    ///
    /// # Errors
    /// No such variables are set, or they make no sense.
    pub fn of_service(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
        for &(index, count, first) in SERVICES {
            let (Some(number), Some(total)) = (variable(index), variable(count)) else {
                continue;
            };
            // An array of Slurm begins where its owner says.
            let first = match index.strip_suffix("_ID") {
                Some(array) => variable(&format!("{array}_MIN"))
                    .and_then(|least| least.parse().ok())
                    .unwrap_or(first),
                None => first,
            };
            let number = number.parse::<u32>().ok();
            let number = number.and_then(|number| (number.checked_sub(first)?).checked_add(1));
            let number = number.and_then(NonZeroU32::new);
            return match (number, total.parse().ok()) {
                (Some(number), Some(total)) => Shard::new(number, total),
                _ => Err(format!("{index} and {count} name no shard")),
            };
        }
        let known: Vec<_> = SERVICES.iter().map(|(index, ..)| *index).collect();
        Err(format!("none of {} is set; write N/M", known.join(", ")))
    }

    /// Shares out things by their weights, so that every shard gets about as much; the places of each shard's things, in order. Equal
    /// weights are dealt out in turn.
    ///
    /// The heaviest goes first, and each to the shard that has least (longest processing time first). The same weights give the same
    /// shards everywhere.
    #[must_use]
    pub fn deal(weights: &[f64], count: NonZeroU32) -> Vec<Vec<usize>> {
        let count = count.get() as usize;
        let mut shards = vec![Vec::new(); count];
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&one, &other| {
            weights[other]
                .total_cmp(&weights[one])
                .then(one.cmp(&other))
        });
        // Whole microseconds, so that sums do not depend on their order.
        let mut least: std::collections::BTreeSet<(u64, usize)> =
            (0..count).map(|shard| (0, shard)).collect();
        for place in order {
            let (sum, shard) = least.pop_first().expect("there is a shard");
            shards[shard].push(place);
            let weight = (weights[place] * 1e6) as u64;
            least.insert((sum + weight.max(1), shard));
        }
        shards.iter_mut().for_each(|shard| shard.sort_unstable());
        shards
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn nonzero(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    proptest! {
        #[test]
        fn every_thing_is_in_one_shard(weights in prop::collection::vec(0.0..100.0_f64, 0..200), count in 1..20_u32) {
            let shards = Shard::deal(&weights, nonzero(count));
            prop_assert_eq!(shards.len(), count as usize);
            let mut all: Vec<_> = shards.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..weights.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_largest_of_64_shards_is_at_most_a_twentieth_above_the_mean() {
        // 100,000 scenarios, some a thousand times as long as others, none over 2 % of a shard's share.
        let weights: Vec<f64> = (0..100_000_u64)
            .map(|number| 0.002 * 1.2_f64.powi((number.wrapping_mul(2_654_435_761) % 38) as i32))
            .collect();
        let shards = Shard::deal(&weights, nonzero(64));
        let sum = |shard: &Vec<usize>| shard.iter().map(|&place| weights[place]).sum::<f64>();
        let mean = weights.iter().sum::<f64>() / 64.0;
        let largest = shards.iter().map(sum).fold(0.0, f64::max);
        assert!(largest <= 1.05 * mean, "{largest} of {mean}");
        assert_eq!(shards, Shard::deal(&weights, nonzero(64)));
        let equal = Shard::deal(&vec![1.0; 100_000], nonzero(64));
        let lengths = equal.iter().map(Vec::len);
        assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
    }

    #[test]
    fn services_number_their_machines_from_0_or_1() {
        let of = |variables: &'static [(&str, &str)]| {
            Shard::of_service(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
            .map(|shard| shard.to_string())
        };
        assert_eq!(
            of(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "5")]).unwrap(),
            "2/5"
        );
        assert_eq!(
            of(&[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "3")]).unwrap(),
            "1/3"
        );
        assert_eq!(
            of(&[
                ("BUILDKITE_PARALLEL_JOB", "7"),
                ("BUILDKITE_PARALLEL_JOB_COUNT", "8")
            ])
            .unwrap(),
            "8/8"
        );
        assert_eq!(
            of(&[("JOB_COMPLETION_INDEX", "3"), ("JOB_COMPLETIONS", "4")]).unwrap(),
            "4/4"
        );
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "12"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
        ];
        assert_eq!(of(slurm.to_vec().leak()).unwrap(), "3/4");
        assert!(of(&[]).unwrap_err().contains("CI_NODE_INDEX"));
        assert!(of(&[("CI_NODE_INDEX", "6"), ("CI_NODE_TOTAL", "5")]).is_err());
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
