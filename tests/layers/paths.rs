//! The paths that a file writes: its imports, and paths in its code and inside macros.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{File, ItemMod, ItemUse, Macro, UseTree, VisRestricted, Visibility};

/// A module by the names that lead to it from the crate.
pub(crate) type Module = Vec<String>;

/// A path as a file writes it.
#[derive(Debug, PartialEq)]
pub(crate) struct Written {
    pub(crate) line: usize,
    /// The module that writes it.
    pub(crate) module: Module,
    pub(crate) names: Vec<String>,
    /// The import that it stands in, if it does.
    pub(crate) import: Option<Import>,
}

/// A name that a path brings into a module.
#[derive(Debug, PartialEq)]
pub(crate) struct Import {
    pub(crate) name: String,
    /// Whether other modules can use the name from there.
    pub(crate) is_exported: bool,
}

impl Written {
    /// The path from the crate on, if it is written from there, or from the module that writes it.
    pub(crate) fn absolute(&self) -> Option<Vec<String>> {
        let own = self
            .names
            .iter()
            .take_while(|name| ["crate", "self", "super"].contains(&name.as_str()));
        let mut path = self.module.clone();
        let mut count = 0;
        for name in own {
            count += 1;
            match name.as_str() {
                "crate" => path.clear(),
                "super" => drop(path.pop()),
                _ => {}
            }
        }
        path.extend_from_slice(&self.names[count..]);
        (count > 0).then_some(path)
    }
}

/// Lists the paths in the file of a module.
pub(crate) fn paths(file: &File, module: Module) -> Vec<Written> {
    let mut reader = Reader {
        module,
        found: Vec::new(),
    };
    reader.visit_file(file);
    reader.found
}

struct Reader {
    module: Module,
    found: Vec<Written>,
}

impl Reader {
    fn add(&mut self, last: &Ident, names: Vec<String>, import: Option<Import>) {
        let line = last.span().start().line;
        self.found.push(Written {
            line,
            module: self.module.clone(),
            names,
            import,
        });
    }

    fn add_import(&mut self, tree: &UseTree, before: &[String], is_exported: bool) {
        let with = |name: &Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_import(&path.tree, &with(&path.ident), is_exported),
            UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|tree| self.add_import(tree, before, is_exported));
            }
            UseTree::Name(name) if name.ident == "self" => {
                let import = before.last().map(|name| Import {
                    name: name.clone(),
                    is_exported,
                });
                self.add(&name.ident, before.to_vec(), import);
            }
            UseTree::Name(name) => {
                let import = Import {
                    name: name.ident.to_string(),
                    is_exported,
                };
                self.add(&name.ident, with(&name.ident), Some(import));
            }
            UseTree::Rename(renamed) => {
                let import = Import {
                    name: renamed.rename.to_string(),
                    is_exported,
                };
                self.add(&renamed.ident, with(&renamed.ident), Some(import));
            }
            UseTree::Glob(glob) => {
                let star = Ident::new("_", glob.star_token.spans[0]);
                self.add(&star, [before, &["*".to_owned()]].concat(), None);
            }
        }
    }

    /// Takes every row of names with colons between them for a path.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<Ident> = Vec::new();
        let mut colons = 0;
        for tree in tokens.into_iter().map(Some).chain([None]) {
            match tree {
                Some(TokenTree::Punct(sign)) if sign.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                Some(TokenTree::Ident(name)) if colons == 2 => path.push(name),
                other => {
                    if let Some(last) = path.last() {
                        self.add(
                            &last.clone(),
                            path.iter().map(Ident::to_string).collect(),
                            None,
                        );
                    }
                    path.clear();
                    match other {
                        Some(TokenTree::Ident(name)) => path.push(name),
                        Some(TokenTree::Group(group)) => self.add_tokens(group.stream()),
                        _ => {}
                    }
                }
            }
            colons = 0;
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_exported = !matches!(item.vis, Visibility::Inherited);
        self.add_import(&item.tree, &[], is_exported);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if let Some(last) = path.segments.last() {
            self.add(&last.ident, names, None);
        }
        visit::visit_path(self, path);
    }

    /// To be seen by a module is not to use it.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.add_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}
