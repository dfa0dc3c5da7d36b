//! A source file below `src`, without its comments and without the items that exist for tests alone.

use std::collections::VecDeque;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::{File, Item};

use crate::paths::{Module, Written, paths};

/// A source file: its path below `src`, and its code.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The text line by line, blank where a comment or a test stands. Strings stay.
    pub(crate) code: String,
    /// The paths that stand in the code.
    pub(crate) paths: Vec<Written>,
    /// Whether the file only declares, exports or lists the modules below it.
    pub(crate) is_face: bool,
    /// The files of the modules that the file declares for tests alone.
    pub(crate) test_modules: Vec<PathBuf>,
}

impl Source {
    /// Reads a text as code.
    ///
    /// # Panics
    ///
    /// Panics if the text is not Rust.
    pub(crate) fn new(path: &str, text: &str) -> Source {
        let mut test_modules = Vec::new();
        let tokens = text
            .parse()
            .unwrap_or_else(|fault| panic!("{path}: {fault}"));
        let tokens = without_tests(tokens, Path::new(path), &mut test_modules);
        let file: File =
            syn::parse2(tokens.clone()).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        let is_list = |item: &Item| {
            matches!(
                item,
                Item::Mod(_) | Item::Use(_) | Item::Const(_) | Item::Static(_)
            )
        };
        Source {
            path: path.into(),
            code: only(text, &ranges(tokens)),
            paths: paths(&file, module(Path::new(path))),
            is_face: path.ends_with("mod.rs") && file.items.iter().all(is_list),
            test_modules,
        }
    }

    /// The module that it is.
    pub(crate) fn module(&self) -> Module {
        module(&self.path)
    }

    /// The layer that it belongs to; none for the crate's own files.
    pub(crate) fn layer(&self) -> Option<&str> {
        let first = self.path.components().next()?.as_os_str().to_str()?;
        Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|_| !self.module().is_empty())
    }
}

/// The module that a file is, by the names that lead to it from the crate.
fn module(path: &Path) -> Module {
    let path = path.with_extension("");
    let mut names: Vec<_> = path
        .iter()
        .map(|name| name.to_str().unwrap().to_owned())
        .collect();
    let is_root = names.len() == 1 && ["lib", "main", "build"].contains(&names[0].as_str());
    names.pop_if(|last| is_root || last == "mod");
    names
}

/// Tokens without comments for the documentation, and without items for tests. The files of modules for tests go to `modules`.
fn without_tests(tokens: TokenStream, path: &Path, modules: &mut Vec<PathBuf>) -> TokenStream {
    let mut rest: VecDeque<_> = tokens.into_iter().collect();
    let mut kept = Vec::new();
    while let Some(tree) = rest.pop_front() {
        let is_attribute = is_sign(&tree, '#');
        let inner =
            usize::from(is_attribute && rest.front().is_some_and(|next| is_sign(next, '!')));
        match rest.get(inner) {
            Some(TokenTree::Group(attribute)) if is_attribute && is_documentation(attribute) => {
                rest.drain(..=inner);
            }
            Some(TokenTree::Group(attribute)) if is_attribute && is_for_tests(attribute) => {
                rest.drain(..=inner);
                let item: Vec<_> = rest.drain(..item_length(&rest)).collect();
                modules.extend(declared_file(&item, path));
            }
            _ => kept.push(match tree {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(
                        group.delimiter(),
                        without_tests(group.stream(), path, modules),
                    );
                    inner.set_span(group.span());
                    inner.into()
                }
                other => other,
            }),
        }
    }
    kept.into_iter().collect()
}

/// The file of the module that an item of a file declares, if the item does.
fn declared_file(item: &[TokenTree], path: &Path) -> Option<PathBuf> {
    let words: Vec<_> = item.iter().map(ToString::to_string).collect();
    let at = words.iter().position(|word| word == "mod")?;
    words.get(at + 2).filter(|end| *end == ";")?;
    if let Some(name) = words
        .iter()
        .find_map(|word| word.strip_prefix("[path = \"")?.strip_suffix("\"]"))
    {
        return Some(path.with_file_name(name));
    }
    let is_folder = ["mod", "lib", "main"]
        .iter()
        .any(|stem| path.file_stem().unwrap() == *stem);
    let folder = if is_folder {
        path.parent().unwrap().to_owned()
    } else {
        path.with_extension("")
    };
    Some(folder.join(format!("{}.rs", words[at + 1])))
}

fn is_sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_documentation(attribute: &Group) -> bool {
    attribute.stream().to_string().starts_with("doc =")
}

fn is_for_tests(attribute: &Group) -> bool {
    let condition = attribute.stream().to_string().replace(' ', "");
    condition == "cfg(test)" || condition.starts_with("cfg(all(test,")
}

/// The number of trees up to the end of the first item: a body in braces, a semicolon, or both.
fn item_length(trees: &VecDeque<TokenTree>) -> usize {
    let is_body = |tree: &TokenTree| tree.to_string().starts_with('{');
    let end = trees
        .iter()
        .position(|tree| is_sign(tree, ';') || is_body(tree));
    let end = end.map_or(trees.len(), |end| end + 1);
    end + usize::from(trees.get(end).is_some_and(|next| is_sign(next, ';')))
}

/// The bytes of every token, in order.
fn ranges(tokens: TokenStream) -> Vec<Range<usize>> {
    let of_tree = |tree: TokenTree| match tree {
        TokenTree::Group(group) => {
            let (open, close) = (
                group.span_open().byte_range(),
                group.span_close().byte_range(),
            );
            [vec![open], ranges(group.stream()), vec![close]].concat()
        }
        tree => vec![tree.span().byte_range()],
    };
    tokens.into_iter().flat_map(of_tree).collect()
}

/// A text with only some ranges of it; of the others, the ends of the lines and a space for each other character.
fn only(text: &str, kept: &[Range<usize>]) -> String {
    let mut code = String::new();
    let mut at = 0;
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    for range in kept {
        code.extend(text[at..range.start].chars().map(blank));
        code.push_str(&text[range.clone()]);
        at = range.end;
    }
    code.extend(text[at..].chars().map(blank));
    code
}

/// The threads that read files, each its part of them: more than there are processors, since no two parts are as large.
const PARTS: usize = 8;

/// Every file below `src`, less the files for tests alone.
pub(crate) static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(&root)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap);
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let read = &|path: &PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        Source::new(name, &fs::read_to_string(path).unwrap())
    };
    let files = files.map(walkdir::DirEntry::into_path).filter(is_rust);
    let files: Vec<_> = files.collect();
    let mut all: Vec<_> = thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(PARTS));
        let parts =
            parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>()));
        let parts: Vec<_> = parts.collect();
        let read = parts.into_iter().map(|part| part.join().unwrap());
        read.flatten().collect()
    });
    let test_files: Vec<_> = all
        .iter()
        .flat_map(|source| source.test_modules.clone())
        .collect();
    all.retain(|source| !test_files.contains(&source.path));
    all
});
