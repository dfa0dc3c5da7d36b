//! Many diagnostics: gathered while files are read, shown at once in the order of the files.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Budget, Diagnostic, Paint, Severity, Source, Span};

/// Diagnostics of one or many files, without exact repetitions, in order of file and position.
///
/// At most [`Diagnostics::KEPT`] are kept, whatever a hostile file does; of the others only the number.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    surplus: usize,
    errors: usize,
}

impl Diagnostics {
    /// Maximum number of diagnostics that are kept; later ones are only counted.
    pub const KEPT: usize = 1000;

    /// Maximum number of diagnostics that [`Diagnostics::draw`] shows.
    pub const SHOWN: usize = 50;

    /// None yet.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one, unless the very same is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let mut kept = self.kept.iter();
        if !self.is_full() && kept.any(|kept| kept.says_the_same(&diagnostic)) {
            return;
        }
        self.errors += usize::from(diagnostic.is_error());
        match self.is_full() {
            true => self.surplus += 1,
            false => self.kept.push(diagnostic),
        }
    }

    /// Adds all of another collection.
    pub fn append(&mut self, other: Diagnostics) {
        let dropped_errors =
            other.errors - other.kept.iter().filter(|kept| kept.is_error()).count();
        self.extend(other.kept);
        self.surplus += other.surplus;
        self.errors += dropped_errors;
    }

    /// Returns true if there are no diagnostics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the number of diagnostics, with those that were only counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.surplus
    }

    /// Returns the number of errors, with those that were only counted.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns true if there are errors: then the files cannot be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns true if further diagnostics are only counted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= Diagnostics::KEPT
    }

    /// Those kept: file by file in the order the files came in, within a file by position.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut files = Vec::new();
        for file in self.kept.iter().map(Diagnostic::file) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let mut sorted: Vec<_> = self.kept.iter().collect();
        sorted.sort_by_cached_key(|diagnostic| {
            let rank = files.iter().position(|file| *file == diagnostic.file());
            (rank, diagnostic.span(), diagnostic.severity())
        });
        sorted
    }

    /// All of them as text, an empty line between two; beyond [`Diagnostics::SHOWN`] only how many more.
    #[must_use]
    pub fn draw(&self, paint: Paint) -> String {
        let sorted = self.sorted();
        let mut drawn: Vec<String> = sorted
            .iter()
            .take(Diagnostics::SHOWN)
            .map(|diagnostic| diagnostic.draw(paint))
            .collect();
        let more = self.len() - drawn.len();
        if more > 0 {
            drawn.push(format!("and {more} more"));
        }
        drawn.join("\n\n")
    }
}

impl Diagnostic {
    /// Returns true if another one is of the same file, span, code and title.
    fn says_the_same(&self, other: &Diagnostic) -> bool {
        let key = |one: &Diagnostic| (one.span(), one.code());
        key(self) == key(other) && (self.title(), self.file()) == (other.title(), other.file())
    }

    fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics
            .into_iter()
            .for_each(|diagnostic| self.push(diagnostic));
    }
}

/// Diagnostics of one source, collected by readers that go on after an error.
///
/// It is shared by reference: readers of nested parts all push into the same one, and all spend from its budget of work.
#[derive(Debug)]
pub struct Faults {
    source: Source,
    budget: Rc<Budget>,
    found: RefCell<Diagnostics>,
}

impl Faults {
    /// None found yet in this source, which has a budget of its own.
    #[must_use]
    pub fn new(source: &Source) -> Faults {
        Faults::within(source, &Rc::default())
    }

    /// None found yet in this source, which is read within this budget.
    #[must_use]
    pub fn within(source: &Source, budget: &Rc<Budget>) -> Faults {
        Faults {
            source: source.clone(),
            budget: Rc::clone(budget),
            found: RefCell::default(),
        }
    }

    /// None found yet in another source, which is read within the same budget.
    #[must_use]
    pub fn beside(&self, source: &Source) -> Faults {
        Faults::within(source, &self.budget)
    }

    /// The source that is being read.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Takes work from the budget for something in this place; `None` where too little is left.
    pub fn spend(&self, work: usize, place: Span) -> Option<()> {
        self.budget.spend(work, &self.source, place)
    }

    /// Adds a diagnostic.
    pub fn push(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    /// Adds an error at this place, with what to write instead; an empty `help` adds nothing.
    pub fn refuse(
        &self,
        code: &'static str,
        title: impl Into<String>,
        place: Span,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        let fault = Diagnostic::error(code, title).at(&self.source, place, label);
        self.push_with(fault, help.into());
    }

    /// Adds an error as [`Faults::refuse`] does, for a reader that returns nothing then.
    pub fn reject<T>(
        &self,
        code: &'static str,
        title: impl Into<String>,
        place: Span,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.refuse(code, title, place, label, help);
        None
    }

    /// Adds an error at something that stands at another place already; an empty `help` adds nothing.
    pub fn refuse_again(
        &self,
        code: &'static str,
        title: impl Into<String>,
        [first, again]: [Span; 2],
        help: impl Into<String>,
    ) {
        let fault = Diagnostic::error(code, title).at(&self.source, again, "here again");
        let fault = fault.context(&self.source, first, "first here");
        self.push_with(fault, help.into());
    }

    /// Adds those of another file, which this one refers to in that place.
    pub fn append(&self, of: Faults, place: Span, says: &str) {
        for fault in of.into_diagnostics().sorted() {
            self.push(fault.clone().context(&self.source, place, says));
        }
    }

    fn push_with(&self, fault: Diagnostic, help: String) {
        self.push(match help.is_empty() {
            true => fault,
            false => fault.help(help),
        });
    }

    /// Returns the number of diagnostics; a reader that needs a part without errors compares this before and
    /// after.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.borrow().len()
    }

    /// Returns true if there are no diagnostics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// Returns true if there are errors.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.borrow().has_errors()
    }

    /// Returns true if further diagnostics are only counted, so that costly advice can be left out.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.found.borrow().is_full()
    }

    /// Returns all diagnostics.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        self.found.into_inner()
    }
}

/// A problem in a text. The caller knows the place of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}{}", help.iter().map(|help| format!("; {help}")).collect::<String>())]
pub struct Problem {
    /// Description of the problem.
    pub title: String,
    /// Advice for the author, one sentence each.
    pub help: Vec<String>,
}

impl Problem {
    /// The problem of this title.
    pub fn new(title: impl Into<String>) -> Problem {
        let (title, help) = (title.into(), Vec::new());
        Problem { title, help }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help.push(help.into());
        self
    }

    /// It as an error without a place.
    #[must_use]
    pub fn error(self, code: &'static str) -> Diagnostic {
        let error = Diagnostic::error(code, self.title);
        self.help.into_iter().fold(error, Diagnostic::help)
    }

    /// Reports it at this place.
    pub fn refuse(self, code: &'static str, span: Span, faults: &Faults) {
        faults.push(self.error(code).at(faults.source(), span, ""));
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Diagnostics, Faults, Paint, Source, Span};

    fn fault(source: &Source, offset: usize) -> Diagnostic {
        Diagnostic::error("scenario/test", format!("wrong at {offset}")).at(
            source,
            Span::at(offset),
            "",
        )
    }

    fn one_a_line(diagnostics: &Diagnostics) -> Vec<String> {
        diagnostics
            .sorted()
            .iter()
            .map(|diagnostic| diagnostic.to_string())
            .collect()
    }

    #[test]
    fn orders_by_file_and_then_by_position() {
        let (one, other) = (Source::new("one", "abcd"), Source::new("other", "abcd"));
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend([
            fault(&one, 2),
            fault(&other, 3),
            fault(&other, 1),
            fault(&one, 0),
        ]);
        assert_eq!(
            one_a_line(&diagnostics),
            [
                "one:1:1: error[scenario/test]: wrong at 0",
                "one:1:3: error[scenario/test]: wrong at 2",
                "other:1:2: error[scenario/test]: wrong at 1",
                "other:1:4: error[scenario/test]: wrong at 3",
            ]
        );
    }

    #[test]
    fn drops_exact_repetitions_only() {
        let source = Source::new("one", "abcd");
        let faults = Faults::new(&source);
        faults.push(fault(&source, 1));
        faults.push(fault(&source, 1));
        faults.push(Diagnostic::error("scenario/test", "wrong otherwise").at(
            &source,
            Span::at(1),
            "",
        ));
        faults.push(Diagnostic::error("scenario/other", "wrong at 1").at(&source, Span::at(1), ""));
        assert_eq!(faults.len(), 3);
    }

    #[test]
    fn shows_a_bounded_number_and_counts_the_rest() {
        let source = Source::new("one", "a".repeat(3000));
        let mut diagnostics = Diagnostics::new();
        (0..3000).for_each(|offset| diagnostics.push(fault(&source, offset)));
        assert_eq!(
            (diagnostics.len(), diagnostics.sorted().len()),
            (3000, Diagnostics::KEPT)
        );
        let drawn = diagnostics.draw(Paint::Plain);
        assert_eq!(
            drawn.matches("error[scenario/test]").count(),
            Diagnostics::SHOWN
        );
        assert!(drawn.ends_with("\n\nand 2950 more"), "{drawn}");
    }

    #[test]
    fn an_error_counts_even_where_it_is_not_kept() {
        let source = Source::new("one", "a".repeat(3000));
        let mut warnings = Diagnostics::new();
        let warning =
            |offset| Diagnostic::warning("scenario/test", "odd").at(&source, Span::at(offset), "");
        (0..2000).for_each(|offset| warnings.push(warning(offset)));
        assert!(!warnings.has_errors());
        warnings.push(fault(&source, 2500));
        let mut all = Diagnostics::new();
        all.append(warnings);
        assert!(all.has_errors());
        assert_eq!(all.len(), 2001);
    }
}
