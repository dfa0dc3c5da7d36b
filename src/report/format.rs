//! The formats of reports.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::results::Results;
use super::{console, github, gitlab, html, json, junit, markdown};

/// A format of a report. All are made from the same [`Results`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// What the terminal shows, without colours.
    Text,
    /// JSON Lines with everything that the other formats hold.
    Json,
    /// JUnit XML, for the test views of CI servers.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// Code Quality of GitLab.
    Gitlab,
    /// A table and the findings, for the comment of a pull request.
    Markdown,
    /// A page. It is usually part of a folder, and then has links to replays of the games.
    Html,
}

impl ReportFormat {
    /// All formats, with their names on the command line.
    pub const ALL: [(&str, ReportFormat); 7] = [
        ("text", ReportFormat::Text),
        ("json", ReportFormat::Json),
        ("junit", ReportFormat::Junit),
        ("github", ReportFormat::Github),
        ("gitlab", ReportFormat::Gitlab),
        ("markdown", ReportFormat::Markdown),
        ("html", ReportFormat::Html),
    ];

    /// The names of all formats.
    #[must_use]
    pub fn names() -> [&'static str; 7] {
        ReportFormat::ALL.map(|(name, _)| name)
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ReportFormat> {
        let mut all = ReportFormat::ALL.into_iter();
        all.find(|(known, _)| *known == name)
            .map(|(_, format)| format)
    }

    /// Writes a report.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn write(self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        match self {
            ReportFormat::Text => console::write(results, out),
            ReportFormat::Json => json::write(results, out),
            ReportFormat::Junit => junit::write(results, out),
            ReportFormat::Github => github::write(results, out),
            ReportFormat::Gitlab => gitlab::write(results, out),
            ReportFormat::Markdown => markdown::write(results, out),
            ReportFormat::Html => out.write_all(html::draw(results, &BTreeMap::new()).as_bytes()),
        }
    }
}
