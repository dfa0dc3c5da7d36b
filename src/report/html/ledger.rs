//! The ledger: the choices of the subjects where the specification leaves one.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::column::Column;
use crate::diagnostic::{counted, visible};
use crate::pack;
use crate::report::drawing::escaped;

/// The most bytes of an observation that are shown.
const MOST: usize = 400;

/// The id of an entry in the page; two requirements never have the same.
pub(super) fn anchor(requirement: &str) -> String {
    let mut id = String::from("o-");
    for c in requirement.chars() {
        match c {
            'a'..='z' | '0'..='9' | '-' => id.push(c),
            c => write!(id, "_{:x}_", u32::from(c)).expect("a string takes all"),
        }
    }
    id
}

/// Draws the ledger as a table.
pub(super) fn draw(columns: &[Column<'_>]) -> String {
    // By entry, the observations of each column with the number of scenarios that made them.
    let mut entries: BTreeMap<&str, Vec<BTreeMap<&str, usize>>> = BTreeMap::new();
    for (number, column) in columns.iter().enumerate() {
        for open in column.scenarios.iter().flat_map(|entry| &entry.result.open) {
            let row = entries.entry(&open.requirement);
            let row = row.or_insert_with(|| vec![BTreeMap::new(); columns.len()]);
            *row[number].entry(&open.seen).or_default() += 1;
        }
    }
    if entries.is_empty() {
        return "<p>No subject made a choice that the specification leaves open.\n".to_owned();
    }
    let mut text = String::from(
        "<div class=wide role=region tabindex=0 aria-labelledby=open>\n<table>\n\
         <caption>Choices of each subject, and the number of scenarios that show each choice.</caption>\n\
         <thead><tr><th scope=col>Left open",
    );
    for column in columns {
        let game = column.game.unwrap_or_default();
        write!(
            text,
            "<th scope=col>{} <small>{}</small>",
            escaped(&column.title()),
            escaped(game)
        )
        .expect("a string takes all");
    }
    text.push_str("</thead>\n<tbody>\n");
    for (id, row) in entries {
        write!(
            text,
            "<tr id=\"{}\"><th scope=row><code>{}</code>",
            anchor(id),
            escaped(id)
        )
        .expect("a string takes all");
        if let Some(entry) = pack::requirement(id) {
            let about = entry.open.as_ref().unwrap_or(&entry.summary);
            write!(text, "<br>{}", escaped(about)).expect("a string takes all");
        }
        for seen in row {
            text.push_str(if seen.is_empty() {
                "<td class=soft>not seen"
            } else {
                "<td><ul>"
            });
            for (seen, times) in &seen {
                let shown = visible::plain(*seen).at_most(MOST).to_string();
                write!(
                    text,
                    "<li>{} <small>{}</small>",
                    escaped(&shown),
                    counted(*times, "scenario")
                )
                .expect("a string takes all");
            }
            if !seen.is_empty() {
                text.push_str("</ul>");
            }
        }
        text.push('\n');
    }
    text + "</tbody>\n</table>\n</div>\n"
}
