//! Quantiles of many numbers in bounded memory.

use hdrhistogram::Histogram;

/// The largest number that is kept: a day in microseconds.
const LARGEST: u64 = 24 * 3600 * 1_000_000;

/// Numbers counted in ranges of one part in a hundred or less.
#[derive(Debug, Clone)]
pub(super) struct Quantiles(Histogram<u64>);

impl Default for Quantiles {
    fn default() -> Quantiles {
        let mut histogram = Histogram::new(2).expect("two digits are a valid precision");
        histogram.auto(true);
        Quantiles(histogram)
    }
}

impl Quantiles {
    /// Counts a number; a larger one counts as the largest that is kept.
    pub(super) fn add(&mut self, number: u64) {
        let counted = self.0.record(number.min(LARGEST));
        counted.expect("the histogram grows up to the largest number");
    }

    /// Counts the numbers of others.
    pub(super) fn merge(&mut self, others: &Quantiles) {
        self.0
            .add(&others.0)
            .expect("the histogram grows up to the largest number");
    }

    /// Returns the count of the numbers.
    pub(super) fn count(&self) -> u64 {
        self.0.len()
    }

    /// Returns the number below which this part of the numbers lies, up to one part in a hundred.
    pub(super) fn at(&self, part: f64) -> u64 {
        match part {
            0.0 => self.0.min(),
            1.0 => self.0.max(),
            part => self.0.value_at_quantile(part).min(self.0.max()),
        }
    }
}
