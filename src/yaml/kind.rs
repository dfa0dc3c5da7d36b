//! Kinds of values: how each is read, its shape for editors, and how it is written.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::node::{Key, Node, Value};
use super::node::{scalar, within_brackets};
use super::shape;
use crate::diagnostic::{Faults, Span};

/// A value of a file, with its span.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct At<T> {
    /// The value.
    pub is: T,
    /// Its span.
    pub span: Span,
}

impl<T> At<T> {
    /// A value that comes from no file.
    pub fn nowhere(is: T) -> At<T> {
        let span = Span::default();
        At { is, span }
    }
}

/// A kind of value.
pub trait Kind: Sized {
    /// True if one value alone may be written in place of a list with one.
    const IS_LIST_OF_ITSELF: bool = false;

    /// Reads a value; another kind of value is a fault.
    fn read(node: &Node, faults: &Faults) -> Option<Self>;

    /// Returns the shape of a value for editors; usually a text.
    #[must_use]
    fn shape() -> Json {
        json!({"type": ["string", "number", "boolean"]})
    }

    /// Writes a value so that it is read back; `None` for a kind that is only read.
    fn written(&self) -> Option<String> {
        None
    }

    /// Returns a value that may be written where a required key is missing.
    #[must_use]
    fn example() -> Option<&'static str> {
        None
    }

    /// Reads the field of a table, whose key may be missing.
    fn field(entry: Option<&(Key, Node)>, faults: &Faults) -> Self
    where
        Self: Default,
    {
        let read = entry.and_then(|(_, node)| Self::read(node, faults));
        read.unwrap_or_default()
    }
}

/// A kind of value that is one of several words.
pub trait Words: Copy + PartialEq + 'static {
    /// The words, each with its meaning.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the word for this value; nothing where it has none.
    #[must_use]
    fn word(self) -> &'static str {
        let mut words = Self::WORDS.iter();
        words
            .find(|(_, is)| *is == self)
            .map_or("", |(word, _)| *word)
    }

    /// Returns the meaning of a word.
    #[must_use]
    fn of(word: &str) -> Option<Self> {
        let mut words = Self::WORDS.iter();
        words.find(|(known, _)| *known == word).map(|(_, is)| *is)
    }

    /// Returns all words.
    #[must_use]
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(word, _)| *word).collect()
    }
}

impl<T: Words> Kind for T {
    fn read(node: &Node, faults: &Faults) -> Option<T> {
        T::of(node.as_one_of(&T::words(), faults)?)
    }

    fn shape() -> Json {
        json!({"enum": T::words()})
    }

    fn written(&self) -> Option<String> {
        Some(self.word().to_owned()).filter(|word| !word.is_empty())
    }

    fn example() -> Option<&'static str> {
        T::WORDS.first().map(|(word, _)| *word)
    }
}

impl<T: Kind> Kind for At<T> {
    const IS_LIST_OF_ITSELF: bool = T::IS_LIST_OF_ITSELF;

    fn read(node: &Node, faults: &Faults) -> Option<At<T>> {
        let (is, span) = (T::read(node, faults)?, node.span);
        Some(At { is, span })
    }

    fn shape() -> Json {
        T::shape()
    }

    fn written(&self) -> Option<String> {
        self.is.written()
    }
}

/// Text on one line.
impl Kind for String {
    fn read(node: &Node, faults: &Faults) -> Option<String> {
        node.as_line(faults).map(str::to_owned)
    }

    fn written(&self) -> Option<String> {
        Some(scalar(self))
    }
}

impl Kind for PathBuf {
    fn read(node: &Node, faults: &Faults) -> Option<PathBuf> {
        node.as_line(faults).map(PathBuf::from)
    }
}

impl Kind for bool {
    fn read(node: &Node, faults: &Faults) -> Option<bool> {
        node.as_bool(faults)
    }

    fn shape() -> Json {
        json!({"type": "boolean"})
    }

    /// A key that is false is left out.
    fn written(&self) -> Option<String> {
        self.then(|| "true".to_owned())
    }
}

impl Kind for Duration {
    fn read(node: &Node, faults: &Faults) -> Option<Duration> {
        node.as_duration(faults)
    }

    fn shape() -> Json {
        json!({"type": "string", "pattern": shape::DURATION, "examples": ["2s", "300ms"]})
    }

    fn written(&self) -> Option<String> {
        Some(humantime::format_duration(*self).to_string())
    }
}

/// A whole number within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<const LEAST: u64, const MOST: u64>(pub u64);

impl<const LEAST: u64, const MOST: u64> Kind for Number<LEAST, MOST> {
    fn read(node: &Node, faults: &Faults) -> Option<Number<LEAST, MOST>> {
        let number = node.as_u64(faults)?;
        let is_within = (LEAST..=MOST).contains(&number);
        if !is_within {
            let title = format!("a number from {LEAST} to {MOST} is due here");
            let help = format!("write a number such as `{LEAST}`");
            faults.refuse("yaml/expected-number", title, node.span, "", help);
        }
        is_within.then_some(Number(number))
    }

    fn shape() -> Json {
        json!({"type": "integer", "minimum": LEAST, "maximum": MOST})
    }

    fn written(&self) -> Option<String> {
        Some(self.0.to_string())
    }
}

/// The largest number of 32 bits.
const LARGEST: u64 = u32::MAX as u64;

impl Kind for u32 {
    fn read(node: &Node, faults: &Faults) -> Option<u32> {
        u32::try_from(Number::<0, LARGEST>::read(node, faults)?.0).ok()
    }

    fn shape() -> Json {
        Number::<0, LARGEST>::shape()
    }

    fn written(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Kind for NonZeroUsize {
    fn read(node: &Node, faults: &Faults) -> Option<NonZeroUsize> {
        NonZeroUsize::new(usize::try_from(Number::<1, LARGEST>::read(node, faults)?.0).ok()?)
    }

    fn shape() -> Json {
        Number::<1, LARGEST>::shape()
    }
}

/// A mapping whose keys are the user's own. A value that could not be read is `None`.
#[derive(Debug, Clone)]
pub struct Table<T>(pub Vec<(Key, Option<T>)>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(Vec::new())
    }
}

impl<T: Kind> Kind for Table<T> {
    fn read(node: &Node, faults: &Faults) -> Option<Table<T>> {
        let entries = node.as_map(faults)?.iter();
        let entries = entries.map(|(key, node)| (key.clone(), T::read(node, faults)));
        Some(Table(entries.collect()))
    }

    fn shape() -> Json {
        json!({"type": "object", "additionalProperties": T::shape()})
    }
}

impl<T: Kind> Kind for BTreeMap<String, T> {
    fn read(node: &Node, faults: &Faults) -> Option<BTreeMap<String, T>> {
        let entries = Table::<T>::read(node, faults)?.0.into_iter();
        let entries = entries.filter_map(|(key, value)| Some((key.text, value?)));
        Some(entries.collect())
    }

    fn shape() -> Json {
        Table::<T>::shape()
    }
}

/// A mapping that was read, with its node, which has the entries that could not be read as well.
#[derive(Debug, Clone)]
pub struct Written<T> {
    /// The keys.
    pub is: T,
    /// The mapping.
    pub node: Node,
}

impl<T: Kind> Kind for Written<T> {
    fn read(node: &Node, faults: &Faults) -> Option<Written<T>> {
        let (is, node) = (T::read(node, faults)?, node.clone());
        Some(Written { is, node })
    }

    fn shape() -> Json {
        T::shape()
    }
}

/// A value, or nothing where nothing or null is written.
#[derive(Debug, Clone)]
pub struct OrNull<T>(pub Option<T>);

impl<T: Kind> Kind for OrNull<T> {
    fn read(node: &Node, faults: &Faults) -> Option<OrNull<T>> {
        Some(OrNull(match node.value {
            Value::Null => None,
            _ => Some(T::read(node, faults)?),
        }))
    }

    fn shape() -> Json {
        json!({"anyOf": [T::shape(), {"type": "null"}]})
    }
}

/// The value of a key that may be missing.
impl<T: Kind> Kind for Option<T> {
    fn read(node: &Node, faults: &Faults) -> Option<Option<T>> {
        T::read(node, faults).map(Some)
    }

    fn shape() -> Json {
        T::shape()
    }

    fn written(&self) -> Option<String> {
        self.as_ref()?.written()
    }

    fn example() -> Option<&'static str> {
        T::example()
    }
}

/// A list of which every value can be read.
impl<T: Kind> Kind for Vec<T> {
    fn read(node: &Node, faults: &Faults) -> Option<Vec<T>> {
        let nodes = match &node.value {
            Value::List(nodes) => nodes,
            _ if T::IS_LIST_OF_ITSELF => std::slice::from_ref(node),
            _ => node.as_list(faults)?,
        };
        let values: Vec<T> = nodes
            .iter()
            .filter_map(|node| T::read(node, faults))
            .collect();
        (values.len() == nodes.len()).then_some(values)
    }

    fn shape() -> Json {
        let list = json!({"type": "array", "items": T::shape()});
        match T::IS_LIST_OF_ITSELF {
            true => json!({"anyOf": [T::shape(), list]}),
            false => list,
        }
    }

    fn written(&self) -> Option<String> {
        let entries = self
            .iter()
            .map(|entry| entry.written().map(within_brackets));
        let entries: Vec<_> = entries.collect::<Option<_>>()?;
        Some(format!("[{}]", entries.join(", ")))
    }
}
