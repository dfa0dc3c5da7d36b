//! The table of keys: one row makes a field of a struct, the reader and the writer of its key, and its part of the JSON Schema.

use super::kind::Kind;
use super::node::{Key, Node};
use super::rows::Row;
use crate::diagnostic::{Faults, Span};

/// A table of keys that can be a part of another.
pub trait Keys: Sized {
    /// Returns the rows of the keys that this mapping can have; without a mapping those of any, for editors.
    fn rows(of: Option<&Node>) -> Vec<Row>;

    /// Reads the keys out of a mapping, which may have others.
    fn take(node: &Node, faults: &Faults) -> Self;

    /// Adds the keys that are there, each with its value as it is written.
    fn write(&self, keys: &mut Vec<(String, String)>);
}

/// A key with its value, whose reader has to know more than the value; nothing where the key is missing. Its row says its shape.
#[derive(Debug, Default)]
pub struct Entry(Option<(Key, Node)>);

impl Entry {
    /// The key and its value.
    #[must_use]
    pub fn get(&self) -> Option<&(Key, Node)> {
        self.0.as_ref()
    }

    /// The value.
    #[must_use]
    pub fn node(&self) -> Option<&Node> {
        self.get().map(|(_, node)| node)
    }

    /// A value that is only written: its text in YAML.
    #[must_use]
    pub fn of(text: Option<String>) -> Entry {
        let (span, name) = (Span::default(), String::new());
        Entry(text.map(|text| (Key { span, text: name }, Node::of_text(text))))
    }
}

impl Kind for Entry {
    fn read(node: &Node, _: &Faults) -> Option<Entry> {
        let (span, text) = (node.span, String::new());
        Some(Entry(Some((Key { span, text }, node.clone()))))
    }

    fn written(&self) -> Option<String> {
        self.node()?.text().map(str::to_owned)
    }

    fn field(entry: Option<&(Key, Node)>, _: &Faults) -> Entry {
        Entry(entry.cloned())
    }
}

/// Returns the value of a field if it passes a check, which otherwise returns a code, a sentence and its help.
pub fn checked<T>(
    value: Option<T>,
    entry: Option<&(Key, Node)>,
    check: impl Fn(&T) -> Result<(), [&'static str; 3]>,
    faults: &Faults,
) -> Option<T> {
    let (value, (_, node)) = value.zip(entry)?;
    let found = check(&value);
    if let Err([code, title, help]) = found {
        faults.refuse(code, title, node.span, "", help);
    }
    found.is_ok().then_some(value)
}

/// Declares a table of keys. A row is `optional` or `required`, and gives the key, its field and the type of the field, which is the kind
/// of the value; `as` gives another shape for editors, and `where` adds a check of the value. A row that is `part` of the table is another table, whose keys stand in the same mapping.
/// A table can have a shorter form (`or KIND`), and keys of which exactly one is due (`one of`). The first line of the row's doc comment
/// describes the key in `--help`, in the schema and in the reference.
macro_rules! keys {
    (@take $node:ident $faults:ident part $title:literal $type:ty) => {
        <$type as $crate::yaml::Keys>::take($node, $faults)
    };
    (@take $node:ident $faults:ident $need:ident $key:literal $type:ty $(where $check:expr)?) => {{
        let entry = $node.entry($key);
        let value = <$type as $crate::yaml::Kind>::field(entry, $faults);
        $( let value = $crate::yaml::checked(value, entry, $check, $faults); )?
        value
    }};
    (@row $of:ident part $title:literal $type:ty; $says:expr) => {
        <$type as $crate::yaml::Keys>::rows($of)
    };
    (@row $of:ident $need:ident $key:literal $type:ty $(as $form:path)?; $says:expr) => {
        vec![$crate::yaml::Row {
            key: $key,
            is_required: stringify!($need) == "required",
            example: <$type as $crate::yaml::Kind>::example(),
            says: $says.into(),
            shape: $crate::yaml::keys!(@shape $type $(as $form)?),
        }]
    };
    (@shape $type:ty as $form:path) => {
        $form
    };
    (@shape $type:ty) => {
        <$type as $crate::yaml::Kind>::shape
    };
    (@one of $one:expr) => {
        &$one
    };
    (@one) => {
        &[]
    };
    (@write $field:expr, $keys:ident part $title:literal) => {
        $crate::yaml::Keys::write(&$field, $keys)
    };
    (@write $field:expr, $keys:ident $need:ident $key:literal) => {
        if let Some(value) = $crate::yaml::Kind::written(&$field) {
            $keys.push(($key.to_owned(), value));
        }
    };
    (
        $(#[doc = $about:literal])+ $(#[derive $derive:tt])*
        $visible:vis struct $name:ident in $title:literal $(or $short:ty)? {
            $(
                $(#[doc = $says:literal])+ $(#[arg $arg:tt])? $(#[command $command:tt])?
                $need:ident $key:literal => $field:ident: $type:ty $(as $form:path)? $(where $check:expr)?;
            )*
        }
        $(one of $one:expr)?
    ) => {
        $(#[doc = $about])+ $(#[derive $derive])*
        $visible struct $name {
            $( $(#[doc = $says])+ $(#[arg $arg])? $(#[command $command])? pub $field: $type, )*
        }

        impl $crate::yaml::Keys for $name {
            #[allow(unused_variables, reason = "only a part can depend on the mapping")]
            fn rows(of: Option<&$crate::yaml::Node>) -> Vec<$crate::yaml::Row> {
                let rows = [
                    $( $crate::yaml::keys!(@row of $need $key $type $(as $form)?; [$($says),+][0]), )*
                ];
                rows.into_iter().flatten().collect()
            }

            fn take(
                node: &$crate::yaml::Node,
                faults: &$crate::diagnostic::Faults,
            ) -> Self {
                $(
                    let $field =
                        $crate::yaml::keys!(@take node faults $need $key $type $(where $check)?);
                )*
                $name { $($field),* }
            }

            fn write(&self, keys: &mut Vec<(String, String)>) {
                $( $crate::yaml::keys!(@write self.$field, keys $need $key); )*
            }
        }

        impl $crate::yaml::Kind for $name {
            fn read(
                node: &$crate::yaml::Node,
                faults: &$crate::diagnostic::Faults,
            ) -> Option<Self> {
                $(
                    if !matches!(node.value, $crate::yaml::Value::Map(_)) {
                        let short = <$short as $crate::yaml::Kind>::read(node, faults);
                        return short.map(Self::from);
                    }
                )?
                let rows = <Self as $crate::yaml::Keys>::rows(Some(node));
                let one_of = $crate::yaml::keys!(@one $(of $one)?);
                $crate::yaml::known(node, $title, &rows, one_of, faults)?;
                Some(<Self as $crate::yaml::Keys>::take(node, faults))
            }

            fn shape() -> serde_json::Value {
                let rows = <Self as $crate::yaml::Keys>::rows(None);
                let one_of = $crate::yaml::keys!(@one $(of $one)?);
                let shape = $crate::yaml::shape_of($title, &rows, one_of);
                $(
                    let short = <$short as $crate::yaml::Kind>::shape();
                    let shape = serde_json::json!({"anyOf": [short, shape]});
                )?
                shape
            }

            fn written(&self) -> Option<String> {
                let mut keys = Vec::new();
                $crate::yaml::Keys::write(self, &mut keys);
                Some($crate::yaml::mapping(keys))
            }
        }
    };
}

pub(crate) use keys;
