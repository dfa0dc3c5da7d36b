//! Names: no two public types share one, so that a name means one thing in the whole crate.

use std::collections::BTreeMap;

use crate::source::{SOURCES, Source};

/// The public types that share a name, each with their files.
fn shared(sources: &[Source]) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in sources {
        for name in &source.public_types {
            let file = source.path.display().to_string();
            files.entry(name).or_default().push(file);
        }
    }
    files
        .iter()
        .filter(|(_, files)| files.len() > 1)
        .map(|(name, files)| format!("{name}: {}", files.join(", ")))
        .collect()
}

#[test]
fn no_two_public_types_share_a_name() {
    let shared = shared(&SOURCES);
    assert!(shared.is_empty(), "\n{}", shared.join("\n"));
}

#[test]
fn sees_every_kind_of_public_type_at_every_depth() {
    let kinds = "pub struct A; pub enum B {} pub trait C {} pub type D = A; struct E; pub(crate) struct F; mod inner { pub struct G; }";
    let one = Source::new("judge/mod.rs", kinds);
    let other = Source::new(
        "engine/mod.rs",
        "pub struct A; pub struct B; pub struct C; pub struct D; pub struct E; pub struct F; pub struct G;",
    );
    let shared = shared(&[one, other]);
    let names: Vec<_> = shared.iter().map(|row| &row[..1]).collect();
    assert_eq!(names, ["A", "B", "C", "D", "G"]);
    assert_eq!(shared[0], "A: judge/mod.rs, engine/mod.rs");
}
