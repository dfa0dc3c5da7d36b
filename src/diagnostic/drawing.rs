//! The drawing of a diagnostic, in the style of rustc: title, lines of a source with carets, footers.

use std::iter::repeat_n;
use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use super::Paint;
use super::source::BYTE_ORDER_MARK;
use super::visible::{self, stand_in};
use super::{Diagnostic, Severity, Source, Span};

/// A marked place: its source, its span, and the words next to its carets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub(super) source: Source,
    span: Span,
    label: String,
}

impl Mark {
    /// A place in a source. Of a span of several lines only the first is marked.
    #[must_use]
    pub fn new(source: &Source, span: Span, label: impl Into<String>) -> Mark {
        Mark {
            source: source.clone(),
            span,
            label: label.into(),
        }
    }

    /// The part of its span that is marked.
    pub(super) fn line(&self) -> Span {
        self.source.first_line(self.span)
    }
}

impl Diagnostic {
    /// The drawing as lines of text, without a line feed at the end.
    #[must_use]
    pub fn draw(&self, paint: Paint) -> String {
        let said = &self.said;
        let level = match said.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut title = level.with_name(said.word).primary_title(shown(&said.title));
        if let Some(code) = said.code {
            title = title.id(code);
        }
        let mut group = Group::with_title(title);
        let place = said
            .place
            .iter()
            .map(|mark| (AnnotationKind::Primary, mark));
        let context = said
            .context
            .iter()
            .map(|mark| (AnnotationKind::Context, mark));
        let marks: Vec<_> = place.chain(context).collect();
        if let (Some(file), []) = (&said.file, &marks[..]) {
            group = group.element(Origin::path(shown(file)));
        }
        let mut drawn: Vec<&Source> = Vec::new();
        for (_, Mark { source, .. }) in &marks {
            if !drawn.contains(&source) {
                group = group.elements(elements(source, &marks));
                drawn.push(source);
            }
        }
        for (word, text) in &said.footers {
            let level = match word {
                Some("help") => Level::HELP,
                Some(word) => Level::NOTE.with_name(*word),
                None => Level::NOTE.no_name(),
            };
            group = group.element(level.message(text.painted(paint)));
        }
        let renderer = match paint {
            Paint::Plain => Renderer::plain(),
            Paint::Coloured => Renderer::styled(),
        };
        let drawn = renderer.render(&[group]);
        let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
        lines.join("\n")
    }
}

/// A mark with its kind.
type Kinded<'m> = (AnnotationKind, &'m Mark);

/// The marks in one source: together where they lie near enough, else each on its own.
fn elements(source: &Source, marks: &[Kinded<'_>]) -> Vec<Element<'static>> {
    let marks = marks.iter().filter(|(_, mark)| mark.source == *source);
    let marks: Vec<_> = marks.copied().collect();
    if let Some(together) = snippet(source, &marks) {
        return vec![together.into()];
    }
    let alone = |mark: Kinded<'_>| {
        snippet(source, &[mark]).map_or_else(|| origin(source, mark.1.line()).into(), Element::from)
    };
    marks.into_iter().map(alone).collect()
}

fn snippet(source: &Source, marks: &[Kinded<'_>]) -> Option<Snippet<'static, Annotation<'static>>> {
    let spans: Vec<Span> = marks.iter().map(|(_, mark)| mark.line()).collect();
    let window = Window::around(source, &spans)?;
    let annotations = marks.iter().zip(window.spans).map(|((kind, mark), span)| {
        let label = (!mark.label.is_empty()).then(|| shown(&mark.label));
        kind.span(span).label(label)
    });
    let snippet = Snippet::source(window.text)
        .line_start(window.first_line)
        .path(shown(source.name()));
    Some(snippet.annotations(annotations))
}

fn origin(source: &Source, span: Span) -> Origin<'static> {
    let position = source.position(span.start);
    Origin::path(shown(source.name()))
        .line(position.line)
        .char_column(position.column)
}

fn shown(text: &str) -> String {
    visible::plain(text).to_string()
}

/// Whole lines of a source, made harmless column by column, and where the wanted spans lie in them.
struct Window {
    /// The number of the first line shown, counted from 1.
    first_line: usize,
    /// The lines, one character for each character of the source, so that carets stay aligned.
    text: String,
    /// The spans asked for, in their order, as byte ranges of `text`, on character boundaries.
    spans: Vec<Range<usize>>,
}

/// The most bytes that a window shows: a text of one endless line must not make drawing slow.
const LARGEST: usize = 64 * 1024;

impl Window {
    /// The lines from the first that one of the spans touches to the last; nothing where that is too much.
    fn around(source: &Source, spans: &[Span]) -> Option<Window> {
        let bytes = source.bytes();
        let all = spans.iter().copied().reduce(Span::to).unwrap_or_default();
        let high = all.end.min(bytes.len());
        let mut begin = source.line_start(all.start);
        let end = bytes[high..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |length| high + length);
        if end.saturating_sub(begin) > LARGEST {
            return None;
        }
        let first_line = source.position(begin).line;
        if begin == 0 && bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
            begin = BYTE_ORDER_MARK.len();
        }
        let bytes = &bytes[begin.min(end)..end];
        // For each byte, where the copy of its character begins.
        let (mut text, mut places) = (String::new(), Vec::new());
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                places.extend(repeat_n(text.len(), character.len_utf8()));
                match character {
                    '\n' => text.push('\n'),
                    // The end of a line is cut off before the line feed, so a CR there is the last of its line.
                    '\r' if matches!(bytes.get(places.len()), None | Some(b'\n')) => {}
                    other => text.push(stand_in(other)),
                }
            }
            for _ in chunk.invalid() {
                places.push(text.len());
                text.push('\u{fffd}');
            }
        }
        let place = |offset: usize| {
            let place = places.get(offset.saturating_sub(begin)).copied();
            place.unwrap_or(text.len())
        };
        let spans = spans.iter().map(|span| {
            let start = place(span.start);
            start..place(span.end).max(start)
        });
        Some(Window {
            first_line,
            spans: spans.collect(),
            text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Mark, Paint, Severity, Source, Span, Window, visible};
    use crate::diagnostic::{Emphasis, Text};
    use proptest::prelude::*;

    #[test]
    fn draws_two_places_of_one_source_and_one_of_another() {
        let scenario = Source::new("s.yaml", "one: 1\ntwo: 2\nthree: 3\nfour: 4\none: 5\n");
        let golden = Source::new("g.txt", "> 3\n");
        let drawing = Diagnostic::new(
            "error",
            Severity::Error,
            Some("yaml/duplicate-key"),
            "the key `one` stands here twice",
        )
        .at(&scenario, Span::new(31, 34), "again")
        .explained_by(Mark::new(&scenario, Span::new(0, 3), "first"))
        .explained_by(Mark::new(&golden, Span::new(2, 3), ""))
        .footer("help", "remove one of them\nor rename it");
        assert_eq!(
            drawing.draw(Paint::Plain),
            "\
error[yaml/duplicate-key]: the key `one` stands here twice
 --> s.yaml:5:1
  |
1 | one: 1
  | --- first
...
5 | one: 5
  | ^^^ again
  |
 ::: g.txt:1:3
  |
1 | > 3
  |   -
  |
  = help: remove one of them
          or rename it"
        );
    }

    #[test]
    fn keeps_carets_under_what_they_mark_behind_hostile_and_wide_characters() {
        let source = Source::from_bytes(
            "a\x1b.txt",
            b"\x1b[2J\t\xff\xe2\x80\xae \xe5\xb0\x86 x!\r\n".to_vec(),
        );
        let drawing = Diagnostic::new("fail", Severity::Error, None, "a\nb").at(
            &source,
            Span::new(14, 15),
            "\u{202e}here",
        );
        assert_eq!(
            drawing.draw(Paint::Plain),
            "\
fail: a\\nb
 --> a\\x1b.txt:1:11
  |
1 | ␛[2J␉\u{fffd}\u{fffd} 将 x!
  |            ^ \\u{202e}here"
        );
    }

    #[test]
    fn draws_places_far_apart_each_on_its_own_and_an_endless_line_not_at_all() {
        let far = Source::new("far", format!("one: 1\n{}one: 5\n", "\n".repeat(100_000)));
        let drawing = Diagnostic::new("error", Severity::Error, None, "twice")
            .at(&far, Span::new(100_007, 100_010), "again")
            .explained_by(Mark::new(&far, Span::new(0, 3), "first"));
        let expected = "error: twice
      --> far:100002:1
       |
100002 | one: 5
       | ^^^ again
       |
      ::: far:1:1
       |
     1 | one: 1
       | --- first";
        assert_eq!(drawing.draw(Paint::Plain), expected);
        let endless = Source::new("endless", "x".repeat(100_000));
        let drawing = Diagnostic::new("error", Severity::Error, None, "long").at(
            &endless,
            Span::new(70_000, 70_001),
            "",
        );
        assert_eq!(
            drawing.draw(Paint::Plain),
            "error: long\n--> endless:1:70001"
        );
    }

    #[test]
    fn names_a_file_without_a_place() {
        let drawing = Diagnostic::new("error", Severity::Error, None, "there is no such file")
            .in_file("a.yaml")
            .footer("help", "look");
        assert_eq!(
            drawing.draw(Paint::Plain),
            "error: there is no such file\n--> a.yaml\n = help: look"
        );
    }

    #[test]
    fn marks_the_difference_inside_a_footer_where_coloured() {
        let text = Text::from("expected ").then(Emphasis::Expected, "3");
        let drawing = Diagnostic::new("inconclusive", Severity::Warning, None, "who knows")
            .footer(None, text);
        assert_eq!(
            drawing.draw(Paint::Plain),
            "inconclusive: who knows\n |\n = expected 3"
        );
        let coloured = drawing.draw(Paint::Coloured);
        assert!(coloured.contains("\x1b[1m\x1b[32m3\x1b[0m"), "{coloured:?}");
        assert!(
            coloured.starts_with("\x1b[1m\x1b[33minconclusive"),
            "{coloured:?}"
        );
    }

    proptest! {
        #[test]
        fn draws_any_bytes_and_spans_harmlessly(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'a'), Just(b'\r')], 0..60),
            spans in prop::collection::vec((0usize..70, 0usize..70), 1..5),
            label in any::<String>(),
        ) {
            let source = Source::from_bytes(&label, bytes);
            let mut drawing = Diagnostic::new("error", Severity::Error, None, &label).footer("note", label.as_str());
            for (index, (start, end)) in spans.into_iter().enumerate() {
                let span = Span::new(start, end);
                drawing = if index == 0 { drawing.at(&source, span, &label) } else { drawing.explained_by(Mark::new(&source, span, "x")) };
            }
            let drawn = drawing.draw(Paint::Plain);
            prop_assert!(!drawn.chars().any(|character| character != '\n' && visible::is_hostile(character)), "{:?}", drawn);
        }
    }

    fn in_window(source: &Source, span: Span) -> (usize, String, String) {
        let window = Window::around(source, &[span]).expect("a window");
        let marked = window.text[window.spans[0].clone()].to_owned();
        (window.first_line, window.text, marked)
    }

    #[test]
    fn shows_whole_lines_and_no_others() {
        let source = Source::new("a", "one\ntwo three\nfour\n");
        assert_eq!(
            in_window(&source, Span::new(8, 13)),
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
            in_window(&source, Span::new(11, 12)),
            (1, "a␉␛\u{fffd}\u{fffd}\u{fffd}!".into(), "!".into())
        );
        let lone = Source::new("a", "a\rb\r");
        assert_eq!(
            in_window(&lone, Span::new(2, 3)),
            (1, "a␍b".into(), "b".into())
        );
    }

    #[test]
    fn points_past_the_end_at_the_end() {
        let source = Source::new("a", "one\n");
        assert_eq!(
            in_window(&source, Span::new(4, 4)),
            (2, String::new(), String::new())
        );
        assert_eq!(
            in_window(&source, Span::new(2, 900)),
            (1, "one\n".into(), "e\n".into())
        );
        assert_eq!(
            in_window(&Source::new("a", ""), Span::at(0)),
            (1, String::new(), String::new())
        );
    }

    #[test]
    fn shows_no_endless_line() {
        assert!(Window::around(&Source::new("a", "x".repeat(1 << 20)), &[Span::at(0)]).is_none());
    }
}
