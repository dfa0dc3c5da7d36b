//! One drawing for faults and findings alike: title, lines of a source with carets, footers.

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use super::text::{Paint, Text};
use super::window::Window;
use super::{Source, Span, visible};

/// Drawing of a message about a place in a source, in the style of rustc.
///
/// ```
/// use urtext::diagnostic::{Drawing, Paint, Source, Span, Tone};
///
/// let source = Source::new("cell-8.yaml", "turns:\n  - first: 0 0 0 1 > 2\n");
/// let drawing = Drawing::new("fail", Tone::Bad, "the turn went to the second player (must)")
///     .code("ur/extra-turn/cell-8")
///     .mark(&source, Span::new(11, 29), "token 2 landed on the eighth cell here")
///     .footer("repeat", "urtext run cell-8.yaml");
/// assert_eq!(drawing.draw(Paint::Plain), "\
/// fail[ur/extra-turn/cell-8]: the turn went to the second player (must)
///  --> cell-8.yaml:2:5
///   |
/// 2 |   - first: 0 0 0 1 > 2
///   |     ^^^^^^^^^^^^^^^^^^ token 2 landed on the eighth cell here
///   |
///   = repeat: urtext run cell-8.yaml");
/// ```
///
/// Every text in it may hold hostile characters: they are escaped as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    word: String,
    tone: Tone,
    code: Option<String>,
    title: String,
    file: Option<String>,
    marks: Vec<Mark>,
    footers: Vec<(Option<String>, Text)>,
}

/// The colour class of a drawing: what its first word means, whatever the word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Error: red.
    Bad,
    /// Warning: yellow.
    Doubtful,
    /// Remark: blue.
    Neutral,
    /// All is well: green.
    Good,
}

/// A marked place: its source, its span, and the words next to its carets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    kind: AnnotationKind,
    source: Source,
    span: Span,
    label: String,
}

impl Mark {
    /// A place that explains another one. Of a span of several lines only the first is marked.
    #[must_use]
    pub fn new(source: &Source, span: Span, label: impl Into<String>) -> Mark {
        Mark {
            kind: AnnotationKind::Context,
            source: source.clone(),
            span,
            label: label.into(),
        }
    }

    /// The part of its span that is marked.
    fn line(&self) -> Span {
        self.source.first_line(self.span)
    }
}

impl Drawing {
    /// A drawing with its first word (`error`, `fail`, `inconclusive`, …) and its title.
    #[must_use]
    pub fn new(word: impl Into<String>, tone: Tone, title: impl Into<String>) -> Drawing {
        Drawing {
            word: word.into(),
            tone,
            code: None,
            title: title.into(),
            file: None,
            marks: Vec::new(),
            footers: Vec::new(),
        }
    }

    /// Adds the stable code that stands in brackets after the first word.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Drawing {
        self.code = Some(code.into());
        self
    }

    /// Marks the place that the title speaks of, one at most; an empty label draws the carets alone.
    #[must_use]
    pub fn mark(mut self, source: &Source, span: Span, label: impl Into<String>) -> Drawing {
        if self.place().is_some() {
            self.marks.remove(0);
        }
        let mark = Mark {
            kind: AnnotationKind::Primary,
            ..Mark::new(source, span, label)
        };
        self.marks.insert(0, mark);
        self
    }

    /// Marks another place that explains the first, in the same source or in another.
    #[must_use]
    pub fn context(mut self, mark: Mark) -> Drawing {
        self.marks.push(mark);
        self
    }

    /// Names a file where no place in it can be marked.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>) -> Drawing {
        self.file = Some(name.into());
        self
    }

    /// Adds a line `= word: text` below the marked lines.
    #[must_use]
    pub fn footer(mut self, word: impl Into<String>, text: impl Into<Text>) -> Drawing {
        self.footers.push((Some(word.into()), text.into()));
        self
    }

    /// Adds a line `= text` below the marked lines.
    #[must_use]
    pub fn remark(mut self, text: impl Into<Text>) -> Drawing {
        self.footers.push((None, text.into()));
        self
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// The place that the title speaks of.
    pub(super) fn place(&self) -> Option<(&Source, Span)> {
        let mark = self.marks.first()?;
        (mark.kind == AnnotationKind::Primary).then(|| (&mark.source, mark.line()))
    }

    /// The file of this place, or the one that is named without a place.
    pub(super) fn file_name(&self) -> Option<&str> {
        let file = self.place().map(|(source, _)| source.name());
        file.or(self.file.as_deref())
    }

    /// The drawing as lines of text, without a line feed at the end.
    #[must_use]
    pub fn draw(&self, paint: Paint) -> String {
        let level = self.tone.level().with_name(shown(&self.word));
        let mut title = level.primary_title(shown(&self.title));
        if let Some(code) = &self.code {
            title = title.id(shown(code));
        }
        let mut group = Group::with_title(title);
        if let (Some(file), true) = (&self.file, self.marks.is_empty()) {
            group = group.element(Origin::path(shown(file)));
        }
        for source in self.sources() {
            group = group.elements(self.elements(source));
        }
        for (word, text) in &self.footers {
            let level = match word.as_deref() {
                Some("help") => Level::HELP,
                Some(word) => Level::NOTE.with_name(shown(word)),
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

    /// The sources in order of their first mark.
    fn sources(&self) -> Vec<&Source> {
        let mut sources: Vec<&Source> = Vec::new();
        for mark in &self.marks {
            if !sources.contains(&&mark.source) {
                sources.push(&mark.source);
            }
        }
        sources
    }

    /// The marks in one source: together where they lie near enough, else each on its own.
    fn elements(&self, source: &Source) -> Vec<Element<'_>> {
        let marks = self.marks.iter().filter(|mark| mark.source == *source);
        let marks: Vec<&Mark> = marks.collect();
        if let Some(together) = snippet(source, &marks) {
            return vec![together.into()];
        }
        let alone = |mark: &Mark| {
            snippet(source, &[mark])
                .map_or_else(|| origin(source, mark.line()).into(), Element::from)
        };
        marks.into_iter().map(alone).collect()
    }
}

fn snippet(source: &Source, marks: &[&Mark]) -> Option<Snippet<'static, Annotation<'static>>> {
    let spans: Vec<Span> = marks.iter().map(|mark| mark.line()).collect();
    let window = Window::around(source, &spans)?;
    let annotations = marks.iter().zip(window.spans).map(|(mark, span)| {
        let label = (!mark.label.is_empty()).then(|| shown(&mark.label));
        mark.kind.span(span).label(label)
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

impl Tone {
    fn level(self) -> Level<'static> {
        match self {
            Tone::Bad => Level::ERROR,
            Tone::Doubtful => Level::WARNING,
            Tone::Neutral => Level::INFO,
            Tone::Good => Level::NOTE,
        }
    }
}

fn shown(text: &str) -> String {
    visible::plain(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Mark, Paint, Source, Span, Text, Tone, visible};
    use crate::diagnostic::Emphasis;
    use proptest::prelude::*;

    #[test]
    fn draws_two_places_of_one_source_and_one_of_another() {
        let scenario = Source::new("s.yaml", "one: 1\ntwo: 2\nthree: 3\nfour: 4\none: 5\n");
        let golden = Source::new("g.txt", "> 3\n");
        let drawing = Drawing::new("error", Tone::Bad, "the key `one` stands here twice")
            .code("yaml/duplicate-key")
            .mark(&scenario, Span::new(31, 34), "again")
            .context(Mark::new(&scenario, Span::new(0, 3), "first"))
            .context(Mark::new(&golden, Span::new(2, 3), ""))
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
        let drawing = Drawing::new("fail", Tone::Bad, "a\nb").mark(
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
        let drawing = Drawing::new("error", Tone::Bad, "twice")
            .mark(&far, Span::new(100_007, 100_010), "again")
            .context(Mark::new(&far, Span::new(0, 3), "first"));
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
        let drawing =
            Drawing::new("error", Tone::Bad, "long").mark(&endless, Span::new(70_000, 70_001), "");
        assert_eq!(
            drawing.draw(Paint::Plain),
            "error: long\n--> endless:1:70001"
        );
    }

    #[test]
    fn names_a_file_without_a_place() {
        let drawing = Drawing::new("error", Tone::Bad, "there is no such file")
            .file("a.yaml")
            .footer("help", "look");
        assert_eq!(
            drawing.draw(Paint::Plain),
            "error: there is no such file\n--> a.yaml\n = help: look"
        );
    }

    #[test]
    fn marks_the_difference_inside_a_footer_where_coloured() {
        let text = Text::from("expected ").then(Emphasis::Expected, "3");
        let drawing = Drawing::new("inconclusive", Tone::Doubtful, "who knows").remark(text);
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
            let mut drawing = Drawing::new("error", Tone::Bad, &label).footer("note", label.as_str());
            for (index, (start, end)) in spans.into_iter().enumerate() {
                let span = Span::new(start, end);
                drawing = if index == 0 { drawing.mark(&source, span, &label) } else { drawing.context(Mark::new(&source, span, "x")) };
            }
            let drawn = drawing.draw(Paint::Plain);
            prop_assert!(!drawn.chars().any(|character| character != '\n' && visible::is_hostile(character)), "{:?}", drawn);
        }
    }
}
