//! The events of the YAML parser, put together to one tree.

use std::collections::HashMap;

use serde_yaml::granit_parser::{self as granit, Event, Parser, ScalarStyle, StructureStyle};

use super::node::{Key, Node, Scalar, Style, Value};
use super::{short, syntax};
use crate::diagnostic::{Diagnostic, Faults, Span};

/// Maximum nesting of lists and mappings, with aliases followed.
const DEEPEST: usize = 64;

/// Maximum weight of all nodes together, in bytes; see [`weight_of`].
const HEAVIEST: usize = 64 * 1024 * 1024;

/// Builds the tree of the one document in `text`, of which the first `start` bytes are passed over.
///
/// Faults that leave the tree whole (a key that stands twice, a tag, an unknown alias) are pushed, and the tree
/// is given all the same; after a fault of the grammar there is none. With `instead`, a value cannot be named, and that is the help.
pub(super) fn build(
    text: &str,
    start: usize,
    instead: Option<&'static str>,
    faults: &Faults<'_>,
) -> Option<Node> {
    let options = granit::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: DEEPEST,
        block_nesting_limit: DEEPEST,
    };
    let mut builder = Builder {
        text,
        start,
        instead,
        faults,
        open: Vec::new(),
        anchors: HashMap::new(),
        weight: 0,
        passed: start,
        documents: 0,
        root: None,
    };
    for event in Parser::new_from_str_with_options(&text[start..], options) {
        let taken = match event {
            Ok((event, span)) => builder.take(event, span),
            Err(error) => Err(syntax::fault(&error, faults.source(), &builder.progress())),
        };
        if let Err(fault) = taken {
            faults.push(fault);
            return None;
        }
    }
    if builder.root.is_none() {
        faults.push(syntax::nothing_there(faults.source(), text, start));
    }
    builder.root
}

struct Builder<'a, 's> {
    text: &'a str,
    start: usize,
    /// What to write instead of an anchor or an alias, where there can be none.
    instead: Option<&'static str>,
    faults: &'a Faults<'s>,
    open: Vec<Open>,
    /// The values that an alias may repeat.
    anchors: HashMap<usize, Node>,
    /// About the memory that all nodes take, copies included.
    weight: usize,
    /// End of the last event; the header of a block scalar follows it.
    passed: usize,
    documents: usize,
    root: Option<Node>,
}

/// A list or mapping whose end has not come yet.
struct Open {
    span: Span,
    bracket: bool,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map {
        entries: Vec<(Key, Node)>,
        places: HashMap<String, Span>,
        key: NextKey,
    },
}

/// State of the key whose value is next.
enum NextKey {
    Awaited,
    Read(Key),
    /// The key is at fault; its value is passed over.
    Refused,
}

impl<'a, 's> Builder<'a, 's> {
    fn progress(&self) -> syntax::Progress<'a> {
        let bracket = self.open.last().filter(|open| open.bracket);
        let bracket = bracket.map(|open| Span::new(open.span.start, open.span.start + 1));
        syntax::Progress {
            text: self.text,
            start: self.start,
            passed: self.passed,
            bracket,
        }
    }

    fn take(&mut self, event: Event<'_>, place: granit::Span) -> Result<(), Diagnostic> {
        let span = self.span(&place);
        if let Some(tag) = place.tag_span() {
            self.refuse_tag(self.span(&tag));
        }
        let is_named = matches!(
            event,
            Event::Alias(_)
                | Event::UnresolvedAlias(_)
                | Event::Scalar(_, _, 1.., _)
                | Event::SequenceStart(_, 1.., _)
                | Event::MappingStart(_, 1.., _)
        );
        if let (true, Some(instead)) = (is_named, self.instead) {
            let title = "a value that begins with `&` or `*` is a name for a value to YAML, and names are not read here";
            let fault = Diagnostic::error("yaml/alias", title).at(self.faults.source(), span, "");
            let help = "put a value that is meant to begin with it in quotation marks";
            return Err(fault.help(instead).help(help));
        }
        match event {
            Event::DocumentStart(..) => self.begin_document(span)?,
            Event::Scalar(text, style, anchor, _) => {
                let node = self.scalar(&text, style, span)?;
                self.add(node, anchor)?;
            }
            Event::SequenceStart(style, anchor, _) => {
                self.begin(Content::List(Vec::new()), style, anchor, span)?;
            }
            Event::MappingStart(style, anchor, _) => {
                let content = Content::Map {
                    entries: Vec::new(),
                    places: HashMap::new(),
                    key: NextKey::Awaited,
                };
                self.begin(content, style, anchor, span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.finish(span)?,
            Event::Alias(id) => self.repeat(id, span)?,
            Event::UnresolvedAlias(_) => self.repeat(0, span)?,
            _ => {}
        }
        self.passed = self.passed.max(span.end);
        Ok(())
    }

    /// The parser's span as ours: from the start of the whole text, and inside it whatever the parser says.
    fn span(&self, place: &granit::Span) -> Span {
        let within = |marker: granit::Marker| syntax::offset_of(&marker, self.text, self.start);
        Span::new(within(place.start), within(place.end))
    }

    fn begin_document(&mut self, span: Span) -> Result<(), Diagnostic> {
        self.documents += 1;
        if self.documents == 1 {
            return Ok(());
        }
        let fault = Diagnostic::error(
            "yaml/several-documents",
            "a second YAML document begins here",
        );
        let help = "a file holds one document: split it, or remove this line";
        Err(fault.at(self.faults.source(), span, "").help(help))
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Result<Node, Diagnostic> {
        let (style, span) = match style {
            ScalarStyle::Plain => (Style::Plain, span),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (Style::Quoted, span),
            ScalarStyle::Literal | ScalarStyle::Folded => (Style::Block, self.block_span(span)),
        };
        self.weigh(weight_of(text.len()), span)?;
        let is_null = style == Style::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL");
        let value = if is_null {
            Value::Null
        } else {
            Value::Scalar(Scalar {
                text: text.to_owned(),
                style,
            })
        };
        Ok(Node { span, value })
    }

    /// The span of a block of text from its `>` or `|` on, which the parser leaves out.
    fn block_span(&self, content: Span) -> Span {
        let end = self.text[..content.end].trim_end().len();
        let mut rest = &self.text[self.passed.min(content.start)..content.end];
        while let Some(character) = rest.chars().next() {
            let skipped = match character {
                '>' | '|' => {
                    let start = content.end - rest.len();
                    return Span::new(start, end);
                }
                '#' => rest.find(['\n', '\r']),
                '&' | '!' => rest.find(char::is_whitespace),
                _ => Some(character.len_utf8()),
            };
            rest = &rest[skipped.unwrap_or(rest.len())..];
        }
        Span::new(content.start, end)
    }

    fn begin(
        &mut self,
        content: Content,
        style: StructureStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if self.open.len() >= DEEPEST {
            return Err(syntax::too_deep(self.faults.source(), span));
        }
        self.weigh(weight_of(0), span)?;
        let bracket =
            style == StructureStyle::Flow && self.text[span.range()].starts_with(['[', '{']);
        self.open.push(Open {
            span,
            bracket,
            anchor,
            content,
        });
        Ok(())
    }

    fn finish(&mut self, end: Span) -> Result<(), Diagnostic> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let span = if open.bracket {
            open.span.to(end)
        } else {
            open.span
        };
        let value = match open.content {
            Content::List(nodes) => Value::List(nodes),
            Content::Map { entries, .. } => Value::Map(entries),
        };
        if let Some(outer) = self.open.last_mut() {
            outer.span = outer.span.to(span);
        }
        self.add(Node { span, value }, open.anchor)
    }

    /// Puts in the value that an alias stands for; of an alias that names nothing so far, nothing.
    fn repeat(&mut self, id: usize, span: Span) -> Result<(), Diagnostic> {
        let null = Node {
            span,
            value: Value::Null,
        };
        let Some(node) = self.anchors.get(&id).cloned() else {
            let name = short(&self.text[span.range()]).to_string();
            let title = format!("no value before this is named `{}`", name.replace('*', "&"));
            let help = "a value that begins with `*` needs quotation marks";
            self.faults
                .refuse("yaml/unknown-alias", title, span, "", help);
            return self.add(null, 0);
        };
        let (weight, depth) = measure(&node);
        if self.open.len() + depth > DEEPEST {
            return Err(syntax::too_deep(self.faults.source(), span));
        }
        self.weigh(weight, span)?;
        if let Some(open) = self.open.last_mut() {
            open.span = open.span.to(span);
        }
        if self.awaits_key() {
            self.refuse_key(
                span,
                "a name for another value is no key",
                "write the key itself",
            );
            return Ok(());
        }
        self.add(node, 0)
    }

    /// Adds a finished node to what is open, or makes it the root.
    fn add(&mut self, node: Node, anchor: usize) -> Result<(), Diagnostic> {
        if anchor != 0 {
            self.weigh(measure(&node).0, node.span)?;
            self.anchors.insert(anchor, node.clone());
        }
        if self.awaits_key() {
            self.take_key(node);
            return Ok(());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = (!node.span.is_empty() || node.value != Value::Null).then_some(node);
            return Ok(());
        };
        // The value of an alias stands elsewhere, and does not widen what it is used in.
        if node.span.start >= open.span.start {
            open.span = open.span.to(node.span);
        }
        match &mut open.content {
            Content::List(nodes) => nodes.push(node),
            Content::Map { entries, key, .. } => {
                if let NextKey::Read(key) = std::mem::replace(key, NextKey::Awaited) {
                    entries.push((key, node));
                }
            }
        }
        Ok(())
    }

    fn awaits_key(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Open {
                content: Content::Map {
                    key: NextKey::Awaited,
                    ..
                },
                ..
            })
        )
    }

    fn take_key(&mut self, node: Node) {
        let Node { span, value } = node;
        if let Some(open) = self.open.last_mut() {
            open.span = open.span.to(span);
        }
        let text = match value {
            Value::Scalar(Scalar { text, style })
                if style != Style::Block && !text.contains(['\n', '\r']) =>
            {
                text
            }
            Value::Null => {
                return self.refuse_key(
                    span,
                    "a key is missing here",
                    "write a key before the `:`",
                );
            }
            _ => {
                return self.refuse_key(
                    span,
                    "a key must be text on one line",
                    "write one word or a few before the `:`",
                );
            }
        };
        if text == "<<" {
            return self.refuse_key(
                span,
                "merge keys are not read",
                "write the keys out that are meant",
            );
        }
        let Some(Open {
            content: Content::Map { places, key, .. },
            ..
        }) = self.open.last_mut()
        else {
            return;
        };
        match places.get(&text) {
            Some(first) => {
                let first = *first;
                *key = NextKey::Refused;
                let title = format!("the key `{}` stands here twice", short(&text));
                self.faults
                    .refuse_again("yaml/duplicate-key", title, [first, span], "");
            }
            None => {
                places.insert(text.clone(), span);
                *key = NextKey::Read(Key { span, text });
            }
        }
    }

    fn refuse_key(&mut self, span: Span, title: &str, help: &str) {
        self.faults.refuse("yaml/key", title, span, "", help);
        if let Some(Open {
            content: Content::Map { key, .. },
            ..
        }) = self.open.last_mut()
        {
            *key = NextKey::Refused;
        }
    }

    fn refuse_tag(&self, span: Span) {
        let help =
            "remove the tag, or put a value that is meant to begin with `!` in quotation marks";
        self.faults.refuse(
            "yaml/tag",
            "a value that begins with `!` is a tag to YAML, and tags are not read",
            span,
            "",
            help,
        );
    }

    fn weigh(&mut self, weight: usize, span: Span) -> Result<(), Diagnostic> {
        self.weight = self.weight.saturating_add(weight);
        if self.weight <= HEAVIEST {
            return Ok(());
        }
        let fault = Diagnostic::error(
            "yaml/too-large",
            "what the file holds becomes too large here, aliases followed",
        );
        let fault = fault.help("write fewer aliases of aliases, or split the file");
        Err(fault.at(self.faults.source(), span, ""))
    }
}

/// About what a node costs in memory.
fn weight_of(text_length: usize) -> usize {
    64 + text_length
}

/// About what a node with all below it costs in memory, and how deep lists and mappings nest in it.
fn measure(node: &Node) -> (usize, usize) {
    let inner: Vec<&Node> = match &node.value {
        Value::Null => return (weight_of(0), 0),
        Value::Scalar(scalar) => return (weight_of(scalar.text.len()), 0),
        Value::List(nodes) => nodes.iter().collect(),
        Value::Map(entries) => entries.iter().map(|(_, node)| node).collect(),
    };
    let add = |(weight, depth): (usize, usize), node| {
        let (more, deeper) = measure(node);
        (weight + more, depth.max(deeper))
    };
    let (weight, depth) = inner.into_iter().fold((weight_of(0), 0), add);
    (weight, depth + 1)
}
