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

/// The circles of the files of an example, with the faces that it does not have.
pub(crate) fn of_example(mut files: Vec<Source>) -> Vec<Vec<String>> {
    for (path, text) in [
        ("lib.rs", "pub mod judge;"),
        ("judge/mod.rs", "mod a; mod b; mod c;"),
    ] {
        if files.iter().all(|known| !known.path.ends_with(path)) {
            files.push(Source::new(path, text));
        }
    }
    circles(&files)
}
