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

impl Shard {
    fn new(index: NonZeroU32, count: NonZeroU32) -> Result<Shard, String> {
        match index <= count {
            true => Ok(Shard { index, count }),
            false => Err(format!("there is no shard {index} of {count}")),
        }
    }

    /// The part, from 0, that gets the thing in this place: they are dealt out in turn.
    #[must_use]
    pub fn part_of(self, place: usize) -> usize {
        place % self.count.get() as usize
    }

    /// Returns true if this shard gets the thing in this place.
    #[must_use]
    pub fn holds(self, place: usize) -> bool {
        self.part_of(place) + 1 == self.index.get() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_in_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .into();
        for place in 0..10 {
            let holders = shards.iter().filter(|shard| shard.holds(place));
            assert_eq!(holders.count(), 1, "{place}");
        }
        assert!(shards[1].holds(1) && shards[1].holds(4));
    }

    #[test]
    fn a_shard_that_there_cannot_be_is_refused() {
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
