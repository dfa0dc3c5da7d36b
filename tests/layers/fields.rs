//! No type of the judge or of the engine has so many fields that nobody keeps them in mind.

use syn::visit::{self, Visit};
use syn::{Fields, File, Ident, ItemEnum, ItemStruct};

use crate::source::{SOURCES, Source};

/// Layers whose types are counted.
const COUNTED: [&str; 2] = ["judge", "engine"];

/// The most fields of a type.
const MOST: usize = 15;

/// Endings of the names of types that only carry arguments: these are flat, by theme.
const ARGUMENTS: [&str; 2] = ["Settings", "Options"];

struct Counter<'a> {
    source: &'a Source,
    found: Vec<String>,
}

impl Counter<'_> {
    fn count(&mut self, name: &Ident, fields: &Fields) {
        let carries_arguments = ARGUMENTS
            .iter()
            .any(|ending| name.to_string().ends_with(ending));
        if fields.len() > MOST && !carries_arguments {
            let path = self.source.path.display();
            let count = fields.len();
            self.found.push(format!("{path}: `{name}`: {count} fields"));
        }
    }
}

impl<'ast> Visit<'ast> for Counter<'_> {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.count(&item.ident, &item.fields);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        for variant in &item.variants {
            self.count(&variant.ident, &variant.fields);
        }
        visit::visit_item_enum(self, item);
    }
}

/// The types of a file with too many fields.
fn too_large(source: &Source) -> Vec<String> {
    if !source.layer().is_some_and(|layer| COUNTED.contains(&layer)) {
        return Vec::new();
    }
    let file: File = syn::parse_file(&source.code).expect("the source was read as code");
    let mut counter = Counter {
        source,
        found: Vec::new(),
    };
    counter.visit_file(&file);
    counter.found
}

#[test]
fn no_type_of_judge_or_engine_has_more_than_fifteen_fields() {
    let found: Vec<_> = SOURCES.iter().flat_map(too_large).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn sees_a_type_with_too_many_fields_wherever_it_is() {
    let fields = |count: usize| {
        (0..count)
            .map(|field| format!("f{field}: u8,"))
            .collect::<String>()
    };
    let (most, more) = (fields(MOST), fields(MOST + 1));
    for (path, text, expected) in [
        (
            "judge/a.rs",
            format!("struct A {{{more}}}"),
            Some("judge/a.rs: `A`: 16 fields"),
        ),
        ("judge/a.rs", format!("struct A {{{most}}}"), None),
        (
            "engine/b.rs",
            format!("fn f() {{ struct B {{{more}}} }}"),
            Some("engine/b.rs: `B`: 16 fields"),
        ),
        (
            "engine/b.rs",
            format!("enum E {{ A, B {{{more}}} }}"),
            Some("engine/b.rs: `B`: 16 fields"),
        ),
        ("judge/a.rs", format!("struct Options {{{more}}}"), None),
        (
            "judge/a.rs",
            format!("#[cfg(test)] mod tests {{ struct A {{{more}}} }}"),
            None,
        ),
        ("cli/a.rs", format!("struct A {{{more}}}"), None),
    ] {
        let found = too_large(&Source::new(path, &text));
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text}");
    }
}
