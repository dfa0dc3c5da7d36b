//! A baseline brought up to date, with its comments and its order.

use super::super::results::{Results, ScenarioResult};
use super::Baseline;
use super::entry::Judged;
use crate::config::file::quoted;
use crate::diagnostic::{Diagnostic, Faults, Source, Span};
use crate::finding::Verdict;
use crate::scenario::parse::{self, Key, Node};

/// A baseline that was brought up to date.
#[derive(Debug)]
pub struct UpdatedBaseline {
    /// The text of the file.
    pub text: String,
    /// Number of entries that were added.
    pub added: usize,
    /// Number of entries whose failure did not occur.
    pub stale: usize,
}

impl Baseline {
    /// Adds an entry for each failure that no entry expects. `prunes`: removes the entries whose failure did not occur.
    ///
    /// Entries that were not judged stay, and so do expired ones whose failure still occurs.
    ///
    /// # Errors
    /// Fails if the entries are not lines below each other.
    pub fn updated(&self, results: &Results, prunes: bool) -> Result<UpdatedBaseline, Diagnostic> {
        let is_stale = |entry: &&super::KnownFailure| {
            let judged = results.scenarios.iter().filter_map(|of| entry.judged(of));
            let judged: Vec<_> = judged.collect();
            !entry.is_flaky && !judged.is_empty() && !judged.contains(&Judged::Failed)
        };
        let stale: Vec<_> = self
            .entries
            .iter()
            .filter(is_stale)
            .map(|of| of.span)
            .collect();
        let mut added: Vec<String> = Vec::new();
        for result in &results.scenarios {
            let is_known =
                |entry: &super::KnownFailure| entry.judged(result) == Some(Judged::Failed);
            let is_new = result.verdict == Verdict::Fail && !self.entries.iter().any(is_known);
            if let Some(entry) = is_new.then(|| lines(result)).flatten()
                && !added.contains(&entry)
            {
                added.push(entry);
            }
        }
        let removed = if prunes { stale.as_slice() } else { &[] };
        Ok(UpdatedBaseline {
            text: self.edited(&added, removed)?,
            added: added.len(),
            stale: stale.len(),
        })
    }

    /// Returns the text of the file with these entries added and removed.
    fn edited(&self, added: &[String], removed: &[Span]) -> Result<String, Diagnostic> {
        let source = &self.source;
        let text = source.text().unwrap_or_default();
        let faults = Faults::new(source);
        let root = parse::parse(&faults);
        let Some((key, list)) = root.as_ref().and_then(|root| root.entry("failures")) else {
            return Ok(text.to_owned());
        };
        if added.is_empty() && removed.is_empty() {
            return Ok(text.to_owned());
        }
        let fault = || {
            let fault = Diagnostic::error("baseline/layout", "these entries cannot be edited");
            let fault = fault.at(source, source.first_line(list.span), "");
            fault.help("write each entry on lines of its own that begin with `- `")
        };
        let edited = edited(text, key, list, added, removed).ok_or_else(fault)?;
        let expected = self.entries.len() + added.len() - removed.len();
        match Baseline::read(Source::new(source.name(), edited.as_str())) {
            Ok(read) if read.count() == expected => Ok(edited),
            _ => Err(fault()),
        }
    }
}

/// Edits the text of a file; `None` if its entries are not lines below each other.
fn edited(
    text: &str,
    key: &Key,
    list: &Node,
    added: &[String],
    removed: &[Span],
) -> Option<String> {
    let parse::Value::List(entries) = &list.value else {
        return None;
    };
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let after = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let mut indents = entries.iter().map(|entry| {
        let before = &text[line_of(entry.span.start)..entry.span.start];
        let indent = before.trim_end().strip_suffix('-')?;
        indent.trim().is_empty().then_some(indent)
    });
    let indent = indents.next().unwrap_or(Some("  "))?;
    if indents.any(|indent| indent.is_none()) {
        return None;
    }
    let added = added.iter().map(|entry| {
        let lines = entry.lines().enumerate();
        let lines = lines.map(|(at, line)| {
            let dash = if at == 0 { "- " } else { "  " };
            format!("{indent}{dash}{line}\n")
        });
        lines.collect::<String>()
    });
    let added: String = added.collect();
    let mut edited = String::new();
    let mut from = 0;
    match entries.last() {
        None if added.is_empty() => {}
        None => {
            edited.push_str(text[..list.span.start].trim_end());
            edited.push('\n');
            edited.push_str(&added);
            from = after(list.span.end);
        }
        Some(last) => {
            let is_empty = added.is_empty() && removed.len() == entries.len();
            if is_empty {
                let colon = key.span.end + text[key.span.end..].find(':')? + 1;
                edited.push_str(&text[..colon]);
                edited.push_str(" []");
                from = colon;
            }
            for span in removed {
                edited.push_str(&text[from..line_of(span.start)]);
                from = after(span.end);
            }
            let end = after(last.span.end);
            edited.push_str(&text[from.min(end)..end]);
            if !edited.ends_with('\n') {
                edited.push('\n');
            }
            edited.push_str(&added);
            from = end;
        }
    }
    edited.push_str(&text[from..]);
    Some(edited)
}

/// The lines of the entry that expects the failure of this result.
fn lines(result: &ScenarioResult) -> Option<String> {
    let reason = result.reason()?;
    // An inference depends on the other games of the run.
    let id = reason.cause.as_ref().and(reason.requirement.as_ref());
    let mut lines = format!("scenario: {}\n", quoted(&result.name));
    if let Some(subject) = &result.subject {
        lines.push_str(&format!("subject: {}\n", quoted(&subject.name)));
    }
    lines.push_str(&format!(
        "reason: {}\n",
        quoted(id.unwrap_or(&reason.title))
    ));
    Some(lines)
}
