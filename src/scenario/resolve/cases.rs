//! One file, many scenarios: the keys `variables` and `cases`. `{name}` in any value becomes the text that the file gives for it.
//!
//! Only whole values of the tree are touched, never the text of the file, so what is filled in can add no key and no turn.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value as Json, json};

use crate::diagnostic::{Diagnostic, Faults, Problem, Source, Span, suggest, visible};
use crate::requirement::Catalogue;
use crate::scenario::ScenarioFiles;
use crate::scenario::keys::{NAME, SPELLING, is_name};
use crate::yaml::braces::{self, Piece};
use crate::yaml::shape::text;
use crate::yaml::{Key, Keys, Kind, Node, Value, keys};

/// The key that names a case.
const CASE: &str = "case";

keys! {
    /// The keys that make many scenarios of one file. They are read before the others.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct CaseKeys in "a scenario" {
        /// Texts for names in braces, see [Cases](#cases)
        optional "variables" => variables: Texts;
        /// Many scenarios in one file, see [Cases](#cases)
        optional "cases" => cases: Option<Vec<CaseTexts>>;
    }
}

impl CaseKeys {
    /// Reads what is filled in.
    ///
    /// Nothing where there is a fault in that, since what the rest means would be a guess.
    pub(super) fn of_file(root: &Node, faults: &Faults) -> Option<CaseKeys> {
        let before = faults.len();
        let keys = CaseKeys::take(root, faults);
        if let Some((key, _)) = keys.variables.0.get(CASE) {
            let help = "give the variable another name";
            let title = "`case` is the name of a case";
            faults.refuse("scenario/cases", title, key.span, "", help);
        }
        if let Some((_, Node { span, value })) = root.entry("cases")
            && let Value::List(cases) = value
        {
            if cases.is_empty() {
                let title = "at least one case is due here";
                let help = "write one a line, such as `- {case: empty, line: \"\"}`";
                faults.refuse("scenario/cases", title, *span, "", help);
            }
            let mut places: HashMap<&str, Span> = HashMap::new();
            let named = cases.iter().filter_map(|case| case.entry(CASE));
            for (name, span) in named.filter_map(|(_, name)| Some((name.text()?, name.span))) {
                if let Some(first) = places.insert(name, span) {
                    let title = format!("there is another case `{name}`");
                    let help = "give it another name";
                    faults.refuse_again("scenario/cases", title, [first, span], help);
                }
            }
        }
        (faults.len() == before).then_some(keys)
    }
}

/// A file with its cases, and what they share.
pub(super) struct CaseFile<'f> {
    source: &'f Source,
    pub(super) files: &'f dyn ScenarioFiles,
    /// The names of all its scenarios. Without any name, a brace is a brace.
    keys: CaseKeys,
    /// The names that its scenarios have used so far.
    used: RefCell<HashSet<String>>,
    /// The golden transcripts that the cases so far have named.
    pub(super) goldens: RefCell<HashSet<String>>,
    /// The catalogue of a dialogue, once a case has read it.
    pub(super) catalogue: OnceCell<&'static Catalogue>,
    included: RefCell<BTreeMap<String, Source>>,
}

impl<'f> CaseFile<'f> {
    pub(super) fn new(
        source: &'f Source,
        files: &'f dyn ScenarioFiles,
        keys: CaseKeys,
    ) -> CaseFile<'f> {
        CaseFile {
            source,
            files,
            keys,
            used: RefCell::default(),
            goldens: RefCell::default(),
            catalogue: OnceCell::new(),
            included: RefCell::default(),
        }
    }

    /// Its scenarios; one without any names where nothing is filled in. `name`: that of the file.
    pub(super) fn cases(&self, name: &str) -> Vec<Case<'_>> {
        let case = |name, own| Case {
            name,
            own,
            file: self,
        };
        match &self.keys.cases {
            Some(cases) => {
                let named = |own: &CaseTexts| format!("{name}#{}", own.name);
                let cases = cases.iter().map(|own| case(named(own), Some(own)));
                cases.collect()
            }
            None => vec![case(name.to_owned(), None)],
        }
    }

    pub(super) fn include(&self, path: &str) -> Result<Source, String> {
        let source = self.files.include(path)?;
        let mut included = self.included.borrow_mut();
        included.insert(path.to_owned(), source.clone());
        Ok(source)
    }

    /// The files that its scenarios have included, by their paths.
    pub(super) fn included(self) -> Vec<(String, Source)> {
        self.included.into_inner().into_iter().collect()
    }

    /// Reports variables that are defined and never used.
    pub(super) fn unused(&self) -> Vec<Diagnostic> {
        let own = self.keys.cases.iter().flatten().map(|case| &case.texts);
        let given = [&self.keys.variables].into_iter().chain(own);
        let (used, mut seen) = (self.used.borrow(), HashSet::new());
        let unused = given
            .flat_map(|texts| &texts.0)
            .filter(|(name, _)| *name != CASE && !used.contains(*name) && seen.insert(*name));
        let fault = |(name, (key, _)): (&String, &(Key, Node))| {
            let title = format!("`{{{name}}}` stands nowhere");
            let fault = Diagnostic::error("scenario/name", title);
            let fault = fault.at(self.source, key.span, "nothing is filled in");
            fault.help("remove it, or write it where it belongs")
        };
        unused.map(fault).collect()
    }
}

/// Names that can be written between braces, each with its text.
#[derive(Debug, Default)]
pub(super) struct Texts(BTreeMap<String, (Key, Node)>);

impl Kind for Texts {
    fn read(node: &Node, faults: &Faults) -> Option<Texts> {
        let entries = node.as_map(faults)?;
        for (key, value) in entries {
            let refuse = |title: &str, span, label: &str, help| {
                faults.refuse("scenario/cases", title, span, label, help);
            };
            if !is_name(&key.text) {
                let shown = visible::short(&key.text);
                let title = format!("`{shown}` cannot be filled in by its name");
                refuse(&title, key.span, "", SPELLING);
            }
            if !matches!(value.value, Value::Scalar(_)) {
                let label = format!("this is {}", value.kind());
                let help = "write a text; an empty one is `\"\"`";
                refuse("only text can be filled in", value.span, &label, help);
            }
        }
        let entries = entries.iter().cloned();
        let named = entries.map(|entry| (entry.0.text.clone(), entry));
        Some(Texts(named.collect()))
    }

    fn shape() -> Json {
        let filled_in = text("what is filled in where its name stands between braces");
        json!({"type": "object", "propertyNames": {"pattern": NAME}, "additionalProperties": filled_in})
    }
}

/// The texts of one case, and its name, which is one of them.
#[derive(Debug)]
pub(super) struct CaseTexts {
    name: String,
    texts: Texts,
}

impl Kind for CaseTexts {
    fn read(node: &Node, faults: &Faults) -> Option<CaseTexts> {
        let texts = Texts::read(node, faults)?;
        let Some((_, value)) = node.entry(CASE) else {
            let help = "write it first, such as `case: empty`";
            let title = "a case needs a name";
            return faults.reject("scenario/cases", title, node.span, "", help);
        };
        let name = String::read(value, faults)?;
        if !is_name(&name) {
            let shown = visible::short(&name);
            let title = format!("`{shown}` cannot be the name of a case");
            faults.refuse("scenario/cases", title, value.span, "", SPELLING);
        }
        Some(CaseTexts { name, texts })
    }

    fn shape() -> Json {
        let mut shape = Texts::shape();
        shape["title"] = json!("a case");
        shape["properties"] = json!({CASE: text("its name: small letters, digits and `-`")});
        shape["required"] = json!([CASE]);
        shape
    }
}

/// One scenario of a file.
pub(super) struct Case<'c> {
    pub(super) name: String,
    /// Its own texts, where the file has cases. They take the place of variables of the same names.
    own: Option<&'c CaseTexts>,
    pub(super) file: &'c CaseFile<'c>,
}

impl<'c> Case<'c> {
    /// The name of the case, where the file has some.
    pub(super) fn case(&self) -> Option<&'c str> {
        self.own.map(|own| &*own.name)
    }

    /// Names that can be written between braces, each with its entry: first those of the case.
    fn texts(&self) -> impl Iterator<Item = &'c BTreeMap<String, (Key, Node)>> {
        let own = self.own.map(|own| &own.texts);
        own.into_iter()
            .chain([&self.file.keys.variables])
            .map(|texts| &texts.0)
    }

    /// Fills in the names in a tree; what cannot be filled in stays as it is, and there is a fault.
    pub(super) fn fill(&self, node: &mut Node, faults: &Faults) {
        let length = node.text().map_or(0, str::len);
        if self.texts().all(BTreeMap::is_empty) || paid(length, node.span, faults).is_none() {
            return;
        }
        match &mut node.value {
            Value::Null => {}
            Value::Scalar(_) => self.fill_text(node, faults),
            Value::List(nodes) => nodes.iter_mut().for_each(|node| self.fill(node, faults)),
            Value::Map(entries) => {
                let nodes = entries.iter_mut().map(|(_, node)| node);
                nodes.for_each(|node| self.fill(node, faults));
            }
        }
    }

    fn fill_text(&self, node: &mut Node, faults: &Faults) {
        let span = node.span;
        let Value::Scalar(scalar) = &mut node.value else {
            return;
        };
        let pieces = braces::read(&scalar.text, |inside| {
            let node = self.named(inside, span, faults).map_err(Some)?;
            let length = node.text().map_or(0, str::len);
            paid(length, span, faults).map(|()| Some(node)).ok_or(None)
        });
        let pieces = match pieces {
            Ok(pieces) => pieces,
            Err(problem) => {
                let refuse = |problem: Problem| problem.refuse("scenario/name", span, faults);
                return problem.into_iter().for_each(refuse);
            }
        };
        // A value that is one name and nothing else is what the file gives for it.
        if let [Piece::Name(named)] = pieces[..] {
            node.value = named.value.clone();
            // The place of a value in another file than that which is read would show anything.
            if faults.source() == self.file.source {
                node.span = named.span;
            }
            return;
        }
        let text = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Name(node) => node.text().unwrap_or_default(),
        });
        scalar.text = text.collect();
    }

    /// The value of the name in braces.
    fn named(&self, name: &str, span: Span, faults: &Faults) -> Result<&'c Node, Problem> {
        if !is_name(name) {
            return Err(braces::no_name());
        }
        if let Some((_, node)) = self.texts().find_map(|texts| texts.get(name)) {
            self.file.used.borrow_mut().insert(name.to_owned());
            return Ok(node);
        }
        let known = self.texts().flat_map(BTreeMap::keys).map(String::as_str);
        // A slip is looked for among all of them.
        let count = self.texts().map(BTreeMap::len).sum::<usize>();
        let is_paid = paid(16 * count, span, faults).is_some();
        let meant = suggest(name, known.filter(|_| is_paid));
        let help = "give it in `variables` or in every case";
        Err(braces::unknown(name, meant, help))
    }
}

/// Takes the work of copying so many bytes for a case.
fn paid(bytes: usize, span: Span, faults: &Faults) -> Option<()> {
    faults.spend(1 + bytes / 16, span)
}
