//! The formats of reports.

use std::io::{self, Write};

use super::results::Results;
use super::{console, github, gitlab, json, junit, markdown};

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
}

impl ReportFormat {
    /// All formats.
    pub const ALL: [ReportFormat; 6] = [
        ReportFormat::Text,
        ReportFormat::Json,
        ReportFormat::Junit,
        ReportFormat::Github,
        ReportFormat::Gitlab,
        ReportFormat::Markdown,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ReportFormat::Text => "text",
            ReportFormat::Json => "json",
            ReportFormat::Junit => "junit",
            ReportFormat::Github => "github",
            ReportFormat::Gitlab => "gitlab",
            ReportFormat::Markdown => "markdown",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ReportFormat> {
        let mut all = ReportFormat::ALL.into_iter();
        all.find(|format| format.name() == name)
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
        }
    }
}
