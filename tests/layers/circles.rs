//! Circles: files that use each other, straight or by way of others.
//!
//! A path counts for the file that defines what the path names, wherever the name is exported from. To export a name is not to use it, and a
//! module is not used by its import alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::paths::{Module, Written};
use crate::source::{SOURCES, Source};

/// The files that a file uses, each with the names.
type Uses = BTreeMap<usize, BTreeSet<String>>;

/// The file of each module, and what the module imports.
struct Modules<'a>(BTreeMap<Module, (usize, BTreeMap<&'a str, &'a Written>)>);

impl<'a> Modules<'a> {
    fn new(files: &[&'a Source]) -> Modules<'a> {
        let empty = |file: usize| (file, BTreeMap::new());
        let of_file = |(file, source): (usize, &&Source)| (source.module(), empty(file));
        let mut modules: BTreeMap<_, _> = files.iter().enumerate().map(of_file).collect();
        let of_file = |(file, source): (usize, &&'a Source)| {
            source.paths.iter().map(move |path| (file, path))
        };
        for (file, path) in files.iter().enumerate().flat_map(of_file) {
            let (_, imports) = modules
                .entry(path.module.clone())
                .or_insert_with(|| empty(file));
            imports.extend(
                path.import
                    .as_ref()
                    .map(|import| (import.name.as_str(), path)),
            );
        }
        Modules(modules)
    }

    /// The file that defines what a path names, and the name; none for a module and for what is not of the crate.
    fn definition(&self, path: &Written, more: &[String]) -> Option<(usize, String)> {
        let absolute = path.absolute();
        let is_relative = absolute.is_none();
        let mut names = absolute.unwrap_or_else(|| path.names.clone());
        names.extend_from_slice(more);
        let mut module = if is_relative {
            path.module.clone()
        } else {
            Module::new()
        };
        for (at, name) in names.iter().enumerate() {
            let (file, imports) = self.0.get(&module)?;
            let import = imports.get(name.as_str());
            let child = [&module[..], std::slice::from_ref(name)].concat();
            // A module and what is exported beside it can share a name.
            if self.0.contains_key(&child) && (at + 1 < names.len() || import.is_none()) {
                module = child;
                continue;
            }
            return match import {
                Some(import) if std::ptr::eq(*import, path) => None,
                Some(import) => self.definition(import, &names[at + 1..]),
                None if is_relative && at == 0 => None,
                None => Some((*file, name.clone())),
            };
        }
        None
    }

    fn uses(&self, file: usize, written: &[Written]) -> Uses {
        let is_used = |path: &&Written| {
            path.import
                .as_ref()
                .is_none_or(|import| !import.is_exported)
        };
        let mut uses = Uses::new();
        for (used, name) in written
            .iter()
            .filter(is_used)
            .filter_map(|path| self.definition(path, &[]))
        {
            if used != file {
                uses.entry(used).or_default().insert(name);
            }
        }
        uses
    }
}

/// The circles, each with a row for every file that uses another one of it.
fn circles(sources: &[Source]) -> Vec<Vec<String>> {
    let is_of_modules =
        |source: &&Source| source.layer().is_some() || source.path.ends_with("lib.rs");
    let files: Vec<_> = sources.iter().filter(is_of_modules).collect();
    let modules = Modules::new(&files);
    let mut uses: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(file, source)| modules.uses(file, &source.paths))
        .collect();
    for (face, _) in files
        .iter()
        .enumerate()
        .filter(|(_, source)| source.is_face)
    {
        uses[face].clear();
        uses.iter_mut().for_each(|used| drop(used.remove(&face)));
    }
    let reached: Vec<_> = (0..files.len()).map(|file| reached(file, &uses)).collect();
    let around = |file: usize| {
        reached[file]
            .iter()
            .copied()
            .filter(|other| reached[*other].contains(&file))
            .collect()
    };
    let all: BTreeSet<BTreeSet<usize>> = (0..files.len()).map(around).collect();
    let circle = |group: BTreeSet<usize>| {
        let name = |file: usize| files[file].path.display();
        let pairs = group.iter().flat_map(|user| {
            uses[*user]
                .iter()
                .map(|(used, names)| (*user, *used, names))
        });
        let ties = pairs.filter(|(_, used, _)| group.contains(used));
        let row = |(user, used, names): (usize, usize, &BTreeSet<String>)| {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            format!("{} -> {}: {}", name(user), name(used), names.join(", "))
        };
        ties.map(row).collect()
    };
    all.into_iter()
        .filter(|group| group.len() > 2)
        .map(circle)
        .collect()
}

/// Every file that a file uses, straight or by way of others.
fn reached(file: usize, uses: &[Uses]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(next) = open.pop() {
        open.extend(uses[next].keys().filter(|used| reached.insert(**used)));
    }
    reached
}

#[test]
fn no_circle_of_files_is_larger_than_a_pair() {
    let found = circles(&SOURCES).into_iter();
    let found: Vec<_> = found.map(|circle| circle.join("\n")).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n\n"));
}

#[track_caller]
fn assert_ties(files: &[(&str, &str)], expected: &[&[&str]]) {
    let faces = [
        ("lib.rs", "pub mod judge;"),
        ("judge/mod.rs", "mod a; mod b; mod c;"),
    ];
    let missing = faces
        .iter()
        .filter(|(path, _)| files.iter().all(|(known, _)| known != path));
    let sources: Vec<_> = files
        .iter()
        .chain(missing)
        .map(|(path, text)| Source::new(path, text))
        .collect();
    assert_eq!(circles(&sources), expected);
}

#[test]
fn sees_a_circle_of_three_by_every_kind_of_path() {
    let (b, c) = (
        ("judge/b.rs", "use super::c::C; pub struct B(C);"),
        "use super::a::A; pub struct C(A);",
    );
    let ties = [
        "judge/a.rs -> judge/b.rs: B",
        "judge/b.rs -> judge/c.rs: C",
        "judge/c.rs -> judge/a.rs: A",
    ];
    for a in [
        "use super::b::B; pub struct A(B);",
        "use crate::judge::{self, b::{B as Other}}; pub struct A(Other);",
        "pub struct A(super::b::B);",
        "use super::b; pub struct A(b::B);",
        "use crate::judge; pub struct A(judge::b::B);",
        "pub struct A; fn f() { g(super::b::B::new()) }",
        "pub struct A; fn f() { use super::b::B; }",
        "pub struct A; fn f() { println!(\"{}\", [super::b::B]) }",
        "pub struct A; mod inner { fn f() -> super::super::b::B {} }",
    ] {
        assert_ties(&[("judge/a.rs", a), b, ("judge/c.rs", c)], &[&ties]);
    }
    let everything = ("judge/a.rs", "use super::b::*; pub struct A(B);");
    assert_ties(
        &[everything, b, ("judge/c.rs", c)],
        &[&["judge/a.rs -> judge/b.rs: *", ties[1], ties[2]]],
    );
    let exported = "pub struct A; pub(crate) use super::b::B; fn f() -> B {}";
    assert_ties(&[("judge/a.rs", exported), b, ("judge/c.rs", c)], &[&ties]);
}

#[test]
fn follows_a_name_to_the_file_that_defines_it() {
    let (a, b) = (
        ("judge/a.rs", "use super::B; pub struct A(B);"),
        ("judge/b.rs", "use crate::judge::C; pub struct B(C);"),
    );
    let c = ("judge/deep/c.rs", "use super::super::A; pub struct C(A);");
    let face = (
        "judge/mod.rs",
        "mod a; mod b; mod deep; pub use self::{a::A, b::B}; pub use deep::C;",
    );
    let deep = (
        "judge/deep/mod.rs",
        "mod c; pub(super) use c::C; pub const ALL: &[C] = &[];",
    );
    let ties = [
        "judge/a.rs -> judge/b.rs: B",
        "judge/b.rs -> judge/deep/c.rs: C",
        "judge/deep/c.rs -> judge/a.rs: A",
    ];
    assert_ties(&[a, b, c, face, deep], &[&ties]);
    // With code of its own, the file of the folder is one like others.
    let face = (
        "judge/mod.rs",
        "mod a; mod b; use a::A; use b::B; pub struct C; pub struct Judge(A, B);",
    );
    let ties = [
        "judge/a.rs -> judge/b.rs: B",
        "judge/b.rs -> judge/mod.rs: C",
        "judge/mod.rs -> judge/a.rs: A",
        "judge/mod.rs -> judge/b.rs: B",
    ];
    assert_ties(&[a, b, face], &[&ties]);
}

#[test]
fn passes_over_pairs_faces_and_tests() {
    let b = ("judge/b.rs", "use super::a::A; pub struct B(A);");
    assert_ties(
        &[("judge/a.rs", "use super::b::B; pub struct A(B);"), b],
        &[],
    );
    let c = ("judge/c.rs", "use super::b::B; pub struct C(B);");
    for a in [
        "pub struct A; #[cfg(test)] mod tests { use super::super::c::C; }",
        "pub struct A; pub use super::c::C;",
        "pub struct A; // super::c::C",
        "pub struct A; use super::c;",
        "use c::C; pub struct A(C);",
        "use tokio; use std::fmt; pub struct A; fn f() { tokio::spawn(fmt::C) }",
    ] {
        assert_ties(&[("judge/a.rs", a), b, c], &[]);
    }
    let lists = (
        "judge/mod.rs",
        "mod a; use a::A; pub const ALL: [A; 1] = [A]; pub static FIRST: A = A;",
    );
    assert_ties(
        &[("judge/a.rs", "use super::ALL; pub struct A;"), b, c, lists],
        &[],
    );
}
