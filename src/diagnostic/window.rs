//! The lines of a source that a drawing shows, with everything hostile in them replaced.

use std::ops::Range;

use super::source::BYTE_ORDER_MARK;
use super::visible::stand_in;
use super::{Source, Span};

/// Whole lines of a source, made harmless column by column, and where the wanted spans lie in them.
pub(super) struct Window {
    /// The number of the first line shown, counted from 1.
    pub(super) first_line: usize,
    /// The lines, one character for each character of the source, so that carets stay aligned.
    pub(super) text: String,
    /// The spans asked for, in their order, as byte ranges of `text`, on character boundaries.
    pub(super) spans: Vec<Range<usize>>,
}

/// The most bytes that a window shows: a text of one endless line must not make drawing slow.
const LARGEST: usize = 64 * 1024;

impl Window {
    /// The lines from the first that one of the spans touches to the last; nothing where that is too much.
    pub(super) fn around(source: &Source, spans: &[Span]) -> Option<Window> {
        let bytes = source.bytes();
        let low = spans
            .iter()
            .map(|span| span.start.min(bytes.len()))
            .min()
            .unwrap_or(0);
        let high = spans
            .iter()
            .map(|span| span.end.min(bytes.len()))
            .max()
            .unwrap_or(0);
        let mut begin = bytes[..low]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let end = bytes[high..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |length| high + length);
        if end.saturating_sub(begin) > LARGEST {
            return None;
        }
        let first_line = 1 + bytes[..begin].iter().filter(|byte| **byte == b'\n').count();
        if begin == 0 && bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
            begin = BYTE_ORDER_MARK.len();
        }
        let mut copy = Copy::new(spans);
        copy.lines(&bytes[begin.min(end)..end], begin);
        let (text, spans) = copy.finish();
        Some(Window {
            first_line,
            text,
            spans,
        })
    }
}

/// The copying of lines, which carries the wanted offsets over into the copy.
struct Copy {
    text: String,
    /// Offsets in the source still to be passed, nearest last: (offset, which span, which end of it).
    wanted: Vec<(usize, usize, End)>,
    spans: Vec<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Start,
    Finish,
}

impl Copy {
    fn new(spans: &[Span]) -> Copy {
        let mut wanted: Vec<_> = (spans.iter().enumerate())
            .flat_map(|(index, span)| {
                [
                    (span.start, index, End::Start),
                    (span.end, index, End::Finish),
                ]
            })
            .collect();
        wanted.sort_unstable_by(|one, other| other.cmp(one));
        Copy {
            text: String::new(),
            wanted,
            spans: vec![0..0; spans.len()],
        }
    }

    fn lines(&mut self, bytes: &[u8], begin: usize) {
        let mut offset = begin;
        for chunk in bytes.utf8_chunks() {
            let mut characters = chunk.valid().chars().peekable();
            while let Some(character) = characters.next() {
                let next = offset + character.len_utf8();
                // The end of a line is cut off before the line feed, so a CR there is the last of its line.
                let ends_line = match characters.peek() {
                    Some(following) => *following == '\n',
                    None => next - begin == bytes.len(),
                };
                match character {
                    '\n' => self.place(next, Some('\n')),
                    '\r' if ends_line => self.place(next, None),
                    other => self.place(next, Some(stand_in(other))),
                }
                offset = next;
            }
            for _ in chunk.invalid() {
                offset += 1;
                self.place(offset, Some('\u{fffd}'));
            }
        }
    }

    /// Copies the character that ends before `next`, and settles the offsets from its start on.
    fn place(&mut self, next: usize, copied: Option<char>) {
        let here = self.text.len();
        self.text.extend(copied);
        while let Some((_, index, end)) = self.wanted.pop_if(|(offset, ..)| *offset < next) {
            self.settle(index, end, here);
        }
    }

    fn settle(&mut self, index: usize, end: End, place: usize) {
        match end {
            End::Start => self.spans[index].start = place,
            End::Finish => self.spans[index].end = place.max(self.spans[index].start),
        }
    }

    fn finish(mut self) -> (String, Vec<Range<usize>>) {
        let last = self.text.len();
        while let Some((_, index, end)) = self.wanted.pop() {
            self.settle(index, end, last);
        }
        (self.text, self.spans)
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, Span, Window};

    fn shown(source: &Source, span: Span) -> (usize, String, String) {
        let window = Window::around(source, &[span]).expect("a window");
        let marked = window.text[window.spans[0].clone()].to_owned();
        (window.first_line, window.text, marked)
    }

    #[test]
    fn shows_whole_lines_and_no_others() {
        let source = Source::new("a", "one\ntwo three\nfour\n");
        assert_eq!(
            shown(&source, Span::new(8, 13)),
            (2, "two three".into(), "three".into())
        );
        let both =
            Window::around(&source, &[Span::new(14, 18), Span::new(4, 7)]).expect("a window");
        assert_eq!(
            (both.first_line, both.text.as_str()),
            (2, "two three\nfour")
        );
        assert_eq!(both.spans, [10..14, 0..3]);
    }

    #[test]
    fn replaces_hostile_characters_column_by_column() {
        let source = Source::from_bytes(
            "a",
            b"\xef\xbb\xbfa\t\x1b\xe2\x80\xae\xff\xfe!\r\nb".to_vec(),
        );
        assert_eq!(
            shown(&source, Span::new(11, 12)),
            (1, "a␉␛\u{fffd}\u{fffd}\u{fffd}!".into(), "!".into())
        );
        let lone = Source::new("a", "a\rb\r");
        assert_eq!(shown(&lone, Span::new(2, 3)), (1, "a␍b".into(), "b".into()));
    }

    #[test]
    fn points_past_the_end_at_the_end() {
        let source = Source::new("a", "one\n");
        assert_eq!(
            shown(&source, Span::new(4, 4)),
            (2, String::new(), String::new())
        );
        assert_eq!(
            shown(&source, Span::new(2, 900)),
            (1, "one\n".into(), "e\n".into())
        );
        assert_eq!(
            shown(&Source::new("a", ""), Span::at(0)),
            (1, String::new(), String::new())
        );
    }

    #[test]
    fn shows_no_endless_line() {
        assert!(Window::around(&Source::new("a", "x".repeat(1 << 20)), &[Span::at(0)]).is_none());
    }
}
