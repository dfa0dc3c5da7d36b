//! The formats of reports.

use std::io::{self, Write};

use super::results::Results;
use super::{github, gitlab, json, junit, markdown, tap};

/// A format of a report. All are made from the same [`Results`].
#[derive(Debug, Clone, Copy)]
pub struct ReportFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// What reads it.
    pub summary: &'static str,
    writes: fn(&Results, &mut dyn Write) -> io::Result<()>,
}

impl ReportFormat {
    /// All formats.
    pub const ALL: &'static [ReportFormat] = &[
        ReportFormat {
            name: "json",
            summary: "JSON Lines with everything that the other formats hold; `urtext report` reads it",
            writes: json::write,
        },
        ReportFormat {
            name: "junit",
            summary: "JUnit XML, for the test views of CI servers",
            writes: junit::write,
        },
        ReportFormat {
            name: "tap",
            summary: "TAP 14, for `prove` and others",
            writes: tap::write,
        },
        ReportFormat {
            name: "github",
            summary: "annotations of GitHub Actions",
            writes: github::write,
        },
        ReportFormat {
            name: "gitlab",
            summary: "Code Quality of GitLab",
            writes: gitlab::write,
        },
        ReportFormat {
            name: "markdown",
            summary: "a table and the findings, for the comment of a pull request",
            writes: markdown::write,
        },
    ];

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static ReportFormat> {
        ReportFormat::ALL.iter().find(|format| format.name == name)
    }

    /// Writes a report.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        (self.writes)(results, out)
    }
}
