//! A catalogue as text, read when it is first needed.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Catalogue, Requirement, Roles};

/// The catalogue of one specification inside a program: a text that is read when it is first needed.
#[derive(Debug)]
pub struct Specification {
    text: &'static str,
    catalogue: OnceLock<Catalogue>,
    index: OnceLock<Index>,
}

#[derive(Debug)]
struct Index {
    roles: Roles,
    by_id: HashMap<&'static str, &'static Requirement>,
}

impl Specification {
    /// A catalogue by its text, in YAML.
    #[must_use]
    pub const fn new(text: &'static str) -> Specification {
        Specification {
            text,
            catalogue: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// Returns the catalogue.
    ///
    /// # Panics
    /// Panics if the text is no catalogue.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| {
            let catalogue = Catalogue::read(self.text);
            catalogue.unwrap_or_else(|(error, [line, _])| {
                panic!("a catalogue of requirements, line {line}: {error}")
            })
        })
    }

    /// Returns the requirements by their roles.
    ///
    /// # Panics
    /// Panics if a role that every game has is missing or given twice.
    pub fn roles(&'static self) -> &'static Roles {
        &self.index().roles
    }

    /// Returns the requirement of that id.
    pub fn find(&'static self, id: &str) -> Option<&'static Requirement> {
        self.index().by_id.get(id).copied()
    }

    fn index(&'static self) -> &'static Index {
        self.index.get_or_init(|| {
            let catalogue = self.catalogue();
            let of_entry = |entry: &'static Requirement| (entry.id.as_str(), entry);
            Index {
                roles: Roles::of(catalogue)
                    .unwrap_or_else(|error| panic!("a catalogue of requirements: {error}")),
                by_id: catalogue.requirements.iter().map(of_entry).collect(),
            }
        })
    }
}
