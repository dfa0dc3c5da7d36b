//! The events of the YAML parser, put together to one tree.

use std::collections::HashMap;

use serde_yaml::granit_parser::{self as granit, Event, Parser, ScalarStyle, StructureStyle};

use super::node::{Key, Node, Scalar, Style, Value};
use super::syntax;
use crate::diagnostic::visible::short;
use crate::diagnostic::{Diagnostic, Faults, Span};

/// Maximum nesting of lists and mappings in brackets, and of those by indentation; of both, where aliases are followed.
const DEEPEST: usize = 64;

/// Maximum weight of all nodes together, in bytes; see [`weight_of`].
const HEAVIEST: usize = 64 * 1024 * 1024;

/// Builds the tree of the one document in `text`, of which the first `start` bytes are passed over.
///
/// Faults that leave the tree whole (a key that stands twice, a tag, an unknown alias) are pushed, and the tree
/// is given all the same; a fault of the grammar is the error. `None`: there is no value. With `instead`, a value cannot be named, and that is the help.
pub(super) fn build(
    text: &str,
    start: usize,
    instead: Option<&'static str>,
    faults: &Faults,
) -> Result<Option<Node>, Diagnostic> {
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
        events: Parser::new_from_str_with_options(&text[start..], options),
        open: Vec::new(),
        anchors: HashMap::new(),
        weight: 0,
        passed: start,
        ahead: start,
    };
    builder.document()
}

struct Builder<'a> {
    text: &'a str,
    start: usize,
    /// What to write instead of an anchor or an alias, where there can be none.
    instead: Option<&'static str>,
    faults: &'a Faults,
    events: Parser<'a, granit::StrInput<'a>>,
    /// The lists and mappings that are being read; of those in brackets the bracket.
    open: Vec<Option<Span>>,
    /// The values that an alias may repeat.
    anchors: HashMap<usize, Node>,
    /// About the memory that all nodes take, copies included.
    weight: usize,
    /// End of the event before; the header of a block scalar follows it.
    passed: usize,
    /// End of the last event.
    ahead: usize,
}

impl<'a> Builder<'a> {
    /// The root of the one document; `None` where there is no value.
    fn document(&mut self) -> Result<Option<Node>, Diagnostic> {
        let (mut root, mut is_first) = (None, true);
        while let Some((event, span)) = self.event()? {
            match event {
                Event::DocumentStart(..) if is_first => is_first = false,
                Event::DocumentStart(..) => {
                    let title = "a second YAML document begins here";
                    let fault = Diagnostic::error("yaml/several-documents", title);
                    let help = "a file holds one document: split it, or remove this line";
                    return Err(fault.at(self.faults.source(), span, "").help(help));
                }
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                event => root = Some(self.node(event, span)?.0),
            }
        }
        Ok(root.filter(|node: &Node| !node.span.is_empty() || node.value != Value::Null))
    }

    /// The next event and its span; `None` at the end of the text.
    fn event(&mut self) -> Result<Option<(Event<'a>, Span)>, Diagnostic> {
        self.passed = self.passed.max(self.ahead);
        let Some(event) = self.events.next() else {
            return Ok(None);
        };
        let (event, place) = event.map_err(|error| {
            let progress = syntax::Progress {
                text: self.text,
                start: self.start,
                passed: self.passed,
                bracket: self.open.last().copied().flatten(),
            };
            syntax::fault(&error, self.faults.source(), &progress)
        })?;
        let span = self.span(&place);
        self.ahead = span.end;
        if let Some(tag) = place.tag_span() {
            let title = "a value that begins with `!` is a tag to YAML, and tags are not read";
            let help =
                "remove the tag, or put a value that is meant to begin with `!` in quotation marks";
            let span = self.span(&tag);
            self.faults.refuse("yaml/tag", title, span, "", help);
        }
        if let Event::Scalar(_, _, 1.., _)
        | Event::SequenceStart(_, 1.., _)
        | Event::MappingStart(_, 1.., _) = event
        {
            self.refuse_name(span);
        }
        Ok(Some((event, span)))
    }

    /// Refuses a name for a value where there can be none. Returns false where there can be some.
    fn refuse_name(&self, span: Span) -> bool {
        if let Some(instead) = self.instead {
            let title = "a value that begins with `&` or `*` is a name for a value to YAML, and names are not read here";
            let fault = Diagnostic::error("yaml/alias", title).at(self.faults.source(), span, "");
            let help = "put a value that is meant to begin with it in quotation marks";
            self.faults.push(fault.help(instead).help(help));
        }
        self.instead.is_some()
    }

    /// The parser's span as ours: from the start of the whole text, and inside it whatever the parser says.
    fn span(&self, place: &granit::Span) -> Span {
        let within = |marker: granit::Marker| syntax::offset_of(&marker, self.text, self.start);
        Span::new(within(place.start), within(place.end))
    }

    /// The node that begins with this event, and its extent: that of an alias is the place of the alias.
    fn node(&mut self, event: Event<'a>, span: Span) -> Result<(Node, Span), Diagnostic> {
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => (self.scalar(&text, style, span)?, anchor),
            Event::SequenceStart(style, anchor, _) => {
                let mut nodes = Vec::new();
                let span = self.inside(style, span, |own, event, span| {
                    let (node, extent) = own.node(event, span)?;
                    nodes.push(node);
                    Ok(extent)
                })?;
                let value = Value::List(nodes);
                (Node { span, value }, anchor)
            }
            Event::MappingStart(style, anchor, _) => {
                let (mut entries, mut places) = (Vec::new(), HashMap::new());
                let span = self.inside(style, span, |own, event, span| {
                    let (key, extent) = own.key(event, span, &mut places)?;
                    let Some((event, span)) = own.event()? else {
                        return Ok(extent);
                    };
                    let (node, value_extent) = own.node(event, span)?;
                    entries.extend(key.map(|key| (key, node)));
                    Ok(extent.to(value_extent))
                })?;
                let value = Value::Map(entries);
                (Node { span, value }, anchor)
            }
            Event::Alias(id) => return Ok((self.repeat(id, span)?, span)),
            _ => return Ok((self.repeat(0, span)?, span)),
        };
        if anchor != 0 {
            self.weigh(measure(&node).0, node.span)?;
            self.anchors.insert(anchor, node.clone());
        }
        let extent = node.span;
        Ok((node, extent))
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

    /// Reads the entries of a list or mapping, each beginning with an event; returns the span of all of it.
    fn inside(
        &mut self,
        style: StructureStyle,
        mut whole: Span,
        mut entry: impl FnMut(&mut Self, Event<'a>, Span) -> Result<Span, Diagnostic>,
    ) -> Result<Span, Diagnostic> {
        self.weigh(weight_of(0), whole)?;
        let is_bracket =
            style == StructureStyle::Flow && self.text[whole.range()].starts_with(['[', '{']);
        self.open
            .push(is_bracket.then(|| Span::new(whole.start, whole.start + 1)));
        while let Some((event, span)) = self.event()? {
            if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
                if is_bracket {
                    whole = whole.to(span);
                }
                break;
            }
            whole = whole.to(entry(self, event, span)?);
        }
        self.open.pop();
        Ok(whole)
    }

    /// The value that an alias stands for; of an alias that names nothing so far, nothing.
    fn repeat(&mut self, id: usize, span: Span) -> Result<Node, Diagnostic> {
        let Some(node) = self.anchors.get(&id).cloned() else {
            let text = &self.text[span.range()];
            if self.refuse_name(span) {
                let value = Node::of_text(text).value;
                return Ok(Node { span, value });
            }
            let name = short(text).to_string();
            let title = format!("no value before this is named `{}`", name.replace('*', "&"));
            let help = "a value that begins with `*` needs quotation marks";
            self.faults
                .refuse("yaml/unknown-alias", title, span, "", help);
            let value = Value::Null;
            return Ok(Node { span, value });
        };
        let (weight, depth) = measure(&node);
        if self.open.len() + depth > DEEPEST {
            return Err(syntax::too_deep(self.faults.source(), span));
        }
        self.weigh(weight, span)?;
        Ok(node)
    }

    /// A key that begins with this event, and its extent; `None` for one that is at fault.
    fn key(
        &mut self,
        event: Event<'a>,
        span: Span,
        places: &mut HashMap<String, Span>,
    ) -> Result<(Option<Key>, Span), Diagnostic> {
        let is_alias = matches!(&event, Event::Alias(id) if self.anchors.contains_key(id));
        let (node, span) = self.node(event, span)?;
        let [title, help] = match node.value {
            _ if is_alias => ["a name for another value is no key", "write the key itself"],
            Value::Null => ["a key is missing here", "write a key before the `:`"],
            Value::Scalar(Scalar { text, style })
                if style != Style::Block && !text.contains(['\n', '\r']) =>
            {
                if text == "<<" {
                    [
                        "merge keys are not read",
                        "write the keys out that are meant",
                    ]
                } else if let Some(first) = places.insert(text.clone(), span) {
                    places.insert(text.clone(), first);
                    let title = format!("the key `{}` stands here twice", short(&text));
                    self.faults
                        .refuse_again("yaml/duplicate-key", title, [first, span], "");
                    return Ok((None, span));
                } else {
                    return Ok((Some(Key { span, text }), span));
                }
            }
            _ => [
                "a key must be text on one line",
                "write one word or a few before the `:`",
            ],
        };
        self.faults.refuse("yaml/key", title, span, "", help);
        Ok((None, span))
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
