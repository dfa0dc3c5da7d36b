//! The catalogue of requirements: ids, levels, and the sentences of the specifications they stand for.

mod role;
mod side;

pub use role::{Role, Roles};
pub use side::Side;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::diagnostic::{Diagnostics, Faults, Paint, Source, visible};
use crate::yaml::{self, Kind, Node, Words, keys, shape};

/// Level of a requirement: how binding it is.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Deserialize,
    Serialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A sentence says so.
    #[default]
    Must,
    /// It follows from a sentence by an inference that is written down; it fails like *must* and is named apart.
    Should,
    /// Allowed.
    May,
    /// Left open: a subject's choice is recorded and shown, not judged.
    Unspecified,
}

impl Words for Level {
    const WORDS: &'static [(&'static str, Level)] = &[
        ("must", Level::Must),
        ("should", Level::Should),
        ("may", Level::May),
        ("unspecified", Level::Unspecified),
    ];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The part of a game that exercises a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExercisedBy {
    /// A line that is sent or received in a certain situation, or one that must not come in it.
    Line,
    /// The end of a game, or of a lane.
    Close,
    /// A timeout or a pace of a known length.
    Time,
    /// Format of lines: line endings, partial lines, encoding.
    Framing,
}

impl Words for ExercisedBy {
    const WORDS: &'static [(&'static str, ExercisedBy)] = &[
        ("line", ExercisedBy::Line),
        ("close", ExercisedBy::Close),
        ("time", ExercisedBy::Time),
        ("framing", ExercisedBy::Framing),
    ];
}

/// Sentences of a catalogue, with their white space folded, and fit for a terminal and a report, whoever has written them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose(pub String);

impl Deref for Prose {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Kind for Prose {
    fn read(node: &Node, faults: &Faults) -> Option<Prose> {
        let words: Vec<_> = node.as_str(faults)?.split_whitespace().collect();
        Some(Prose(visible::plain(&words.join(" ")).to_string()))
    }

    fn shape() -> Json {
        String::shape()
    }
}

keys! {
    /// A sentence of a specification.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Quote in "a quote" {
        /// The seed it stands in, by number.
        required "seed" => seed: String;
        /// The sentence.
        required "says" => says: Prose;
    }
}

/// Parameters of a match, by their names.
pub type Parameters = BTreeMap<String, String>;

keys! {
    /// A limit on the parameters with which a server creates matches.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Limit in "a limit of matches" {
        /// With these it has to create one.
        optional "created" => created: Parameters;
        /// With these it must not.
        optional "refused" => refused: Parameters;
    }
}

keys! {
    /// One normative sentence, or what follows from one, or what they leave open.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Requirement in "a requirement" {
        /// Stable id, such as `ur/extra-turn/cell-8`.
        required "id" => id: String;
        /// Level of the requirement.
        required "level" => level: Level;
        /// The participants that have to satisfy the requirement.
        optional "binds" => binds: Vec<Side>;
        /// The sentence.
        optional "says" => says: Prose;
        /// The seed it stands in, by number.
        optional "seed" => seed: String;
        /// The requirement in one line of our own words.
        required "summary" => summary: Prose;
        /// Inference from the quoted sentence, if the sentence does not state the requirement itself.
        optional "inference" => inference: Option<Prose>;
        /// The open question, with its possible mistakes.
        optional "open" => open: Option<Prose>;
        /// Quotations of the rule from other seeds, or of their differences.
        optional "also" => also: Vec<Quote>;
        /// Reason why no scenario can check the requirement.
        optional "unchecked" => unchecked: Option<Prose>;
        /// The parameters that a server of matches is asked for, if no scenario can check the requirement.
        optional "match" => limit: Option<Limit>;
        /// The part of a game that exercises the requirement, if a scenario can.
        optional "exercised" => exercised: Option<ExercisedBy>;
        /// The turn, the end or the setting that a scenario needs for that, in words that follow "it takes".
        optional "needs" => needs: Option<Prose>;
        /// The parts that it plays in every game that has a requirement like it.
        optional "role" => role: Vec<Role>;
    }
}

keys! {
    /// A requirement that is none any more.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct GoneRequirement in "a requirement that went" {
        /// Its id.
        required "id" => id: String;
        /// Why it went, in words that follow a colon.
        required "why" => why: Prose;
    }
}

keys! {
    /// The requirements of one protocol.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Catalogue in "a catalogue of requirements" {
        /// Name of the game.
        required "protocol" => protocol: String;
        /// Titles of the seeds, by number.
        optional "seeds" => seeds: BTreeMap<String, Prose>;
        /// The command that judges the requirements if no scenario does: a protocol of finished games has no lanes to play on.
        optional "judged" => judged: Option<String>;
        /// The requirements, in the order of the specification.
        required "requirements" => requirements: Vec<Requirement>;
        /// Those that went: what names them is still understood.
        optional "gone" => gone: Vec<GoneRequirement>;
    }
}

impl Requirement {
    /// The sentence as people read it, without its markup; empty if there is none.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.says
            .replace(r"\\( ", "")
            .replace(r" \\)", "")
            .replace('`', "")
    }

    /// Returns true if a subject has to satisfy it: at the levels *must* and *should*.
    #[must_use]
    pub fn is_binding(&self) -> bool {
        matches!(self.level, Level::Must | Level::Should)
    }
}

impl Catalogue {
    /// Reads a catalogue from its text.
    ///
    /// # Errors
    /// All that is wrong with the text.
    pub fn of(source: &Source) -> Result<Catalogue, Diagnostics> {
        let faults = Faults::new(source);
        let catalogue =
            yaml::parse("protocol:", &faults).and_then(|root| Catalogue::read(&root, &faults));
        let found = faults.into_diagnostics();
        match catalogue {
            Some(catalogue) if !found.has_errors() => Ok(catalogue),
            _ => Err(found),
        }
    }

    /// Returns the JSON Schema of a catalogue, for editors.
    #[must_use]
    pub fn schema() -> Json {
        let mut schema = <Catalogue as Kind>::shape();
        schema["$schema"] = json!(shape::DRAFT);
        schema
    }
}

/// The catalogue of one specification inside a program; that of a pack is read when it is first needed.
#[derive(Debug)]
pub struct Specification {
    /// The protocol whose requirements they are.
    pub protocol: &'static str,
    text: &'static str,
    catalogue: OnceLock<Catalogue>,
    roles: OnceLock<Roles>,
    by_id: OnceLock<HashMap<&'static str, &'static Requirement>>,
}

impl Specification {
    /// The catalogue of a protocol by its text, in YAML.
    #[must_use]
    pub const fn new(protocol: &'static str, text: &'static str) -> Specification {
        Specification {
            protocol,
            text,
            catalogue: OnceLock::new(),
            roles: OnceLock::new(),
            by_id: OnceLock::new(),
        }
    }

    /// A catalogue that was read while the program runs.
    #[must_use]
    pub fn of(catalogue: Catalogue) -> Specification {
        Specification {
            catalogue: catalogue.clone().into(),
            ..Specification::new(catalogue.protocol.leak(), "")
        }
    }

    /// Returns the catalogue.
    ///
    /// # Panics
    /// Panics if the text is no catalogue of the protocol.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| {
            let catalogue = Catalogue::of(&Source::new("requirements.yaml", self.text));
            let catalogue =
                catalogue.unwrap_or_else(|found| panic!("{}", found.draw(Paint::Plain)));
            assert_eq!(catalogue.protocol, self.protocol);
            catalogue
        })
    }

    /// Returns the requirements by their roles.
    ///
    /// # Panics
    /// Panics if a role that every game has is missing or given twice.
    pub fn roles(&'static self) -> &'static Roles {
        self.roles.get_or_init(|| {
            Roles::of(self.catalogue())
                .unwrap_or_else(|error| panic!("a catalogue of requirements: {error}"))
        })
    }

    /// Returns the requirement of that id.
    pub fn find(&'static self, id: &str) -> Option<&'static Requirement> {
        let by_id = self.by_id.get_or_init(|| {
            let entries = self.catalogue().requirements.iter();
            entries.map(|entry| (entry.id.as_str(), entry)).collect()
        });
        by_id.get(id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_of_a_catalogue_are_shown() {
        let wrong = "protocol: x\nfoo: 1\nrequirements:\n  - {id: x, levl: must, summary: x, exercised: luck, role: [nwline]}\n";
        let found = Catalogue::of(&Source::new("r", wrong)).unwrap_err();
        let found: Vec<_> = found.sorted().iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 4, "{found:#?}");
        assert!(
            found[1].starts_with("r:4:13: error[yaml/unknown-key]"),
            "{found:#?}"
        );
    }

    #[test]
    fn a_role_that_every_game_has_is_given_exactly_once() {
        let said = |requirements: &str| {
            let text = format!("protocol: x\nseeds: {{}}\nrequirements: [{requirements}]\n");
            let catalogue = Catalogue::of(&Source::new("r", text)).unwrap();
            Roles::of(Box::leak(Box::new(catalogue))).unwrap_err()
        };
        let entry =
            |id: &str, role: &str| format!("{{id: {id}, level: may, summary: x, role: [{role}]}}");
        assert_eq!(
            said(&entry("x/a", "newline")),
            "x: exactly one requirement has the role `greeting-ends`, not []"
        );
        let twice = [entry("x/a", "greeting-ends"), entry("x/b", "greeting-ends")].join(", ");
        assert_eq!(
            said(&twice),
            r#"x: exactly one requirement has the role `greeting-ends`, not ["x/a", "x/b"]"#
        );
    }
}
