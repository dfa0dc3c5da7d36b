//! Ranges of a text, in bytes.

use std::ops::Range;

/// A stretch of a [`Source`](super::Source), in byte offsets: `start` inclusive, `end` exclusive.
///
/// An empty span points between two bytes, and at the end of a text to what is missing there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one; never less than `start`.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`; an `end` before `start` gives an empty span at `start`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The empty span at `offset`.
    #[must_use]
    pub fn at(offset: usize) -> Span {
        Span {
            start: offset,
            end: offset,
        }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns true for an empty range.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as a range, to index a slice.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn never_ends_before_it_starts() {
        assert_eq!(Span::new(7, 3), Span::at(7));
    }

    #[test]
    fn joins_with_another_in_either_order() {
        let (early, late) = (Span::new(1, 3), Span::new(5, 9));
        assert_eq!(early.to(late), Span::new(1, 9));
        assert_eq!(late.to(early), Span::new(1, 9));
    }
}
