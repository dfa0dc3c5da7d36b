//! The line by which a started subject says that it can be reached.

use std::future::pending;
use std::time::Duration;

use tokio::sync::mpsc::Receiver;

use super::breakdown::Breakdown;
use crate::config::{Captures, UrlPattern};
use crate::diagnostic::visible;
use crate::transport::{Deadline, Kept};

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 4096;
/// Maximum number of lines shown of a subject that never printed the ready line.
const SHOWN_LINES: usize = 8;

/// Waits for the line, on standard output or standard error. Without a pattern it is the first line of standard output, and says
/// `players=HOST:PORT spectators=HOST:PORT`.
pub(super) async fn ready(
    pattern: Option<&UrlPattern>,
    (kept, stderr): (&Kept, &Kept),
    (deadline, budget): (&Deadline, Duration),
) -> Result<Captures, Breakdown> {
    let (mut stdout, mut stderr) = (Lines::new(kept), Lines::new(stderr));
    let waiting = async {
        let Some(pattern) = pattern else {
            return printed(&stdout.next().await);
        };
        loop {
            let line = tokio::select! {
                line = stdout.next() => line,
                line = stderr.next() => line,
            };
            if let Some(captures) = pattern.find(&String::from_utf8_lossy(&line)) {
                return Ok(captures);
            }
        }
    };
    match deadline.limit(waiting).await {
        Some(found) => found,
        None => Err(match pattern {
            Some(pattern) => Breakdown::NeverReady {
                pattern: pattern.text().to_owned(),
                budget,
                printed: last_lines(kept),
            },
            None => Breakdown::NotReady(budget),
        }),
    }
}

/// The last lines that a subject printed, escaped, the unfinished one included.
pub(super) fn last_lines(kept: &Kept) -> String {
    let bytes = kept.bytes();
    let lines: Vec<_> = bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    let shown: Vec<_> = shown
        .iter()
        .map(|line| visible::plain(line).at_most(200).to_string())
        .collect();
    shown.join("\n")
}

fn printed(line: &[u8]) -> Result<Captures, Breakdown> {
    let line = String::from_utf8_lossy(line);
    let value = |name: &str| {
        line.split_whitespace()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    };
    let named = [
        ("players", value("players")),
        ("spectators", value("spectators")),
    ];
    let captures: Captures = named
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?.to_owned())))
        .collect();
    if captures.is_empty() {
        return Err(Breakdown::NotAnAddress(
            visible::plain(&*line).at_most(200).to_string(),
        ));
    }
    Ok(captures)
}

/// The lines of what a subject says, as they come.
struct Lines {
    chunks: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
}

impl Lines {
    fn new(kept: &Kept) -> Lines {
        Lines {
            chunks: kept.hear(),
            bytes: Vec::new(),
        }
    }

    /// The next line without its end. Loses nothing where it is cancelled.
    async fn next(&mut self) -> Vec<u8> {
        loop {
            if let Some(end) = self.bytes.iter().position(|&byte| byte == b'\n') {
                let mut line: Vec<u8> = self.bytes.drain(..=end).collect();
                line.truncate(end);
                return line;
            }
            if self.bytes.len() > LONGEST {
                self.bytes.clear();
            }
            match self.chunks.recv().await {
                Some(chunk) => self.bytes.extend(chunk),
                // The end of the subject says more than that of its output.
                None => pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn said(
        pattern: Option<&str>,
        stdout: &[&str],
        stderr: &[&str],
    ) -> Result<Captures, Breakdown> {
        let (out, err) = (Kept::default(), Kept::default());
        stdout.iter().for_each(|chunk| out.push(chunk.as_bytes()));
        stderr.iter().for_each(|chunk| err.push(chunk.as_bytes()));
        let pattern = pattern.map(|pattern| UrlPattern::parse(pattern).unwrap());
        let budget = Duration::from_secs(1);
        // What has been printed is read before the deadline counts, and nothing more comes.
        let deadline = tokio::time::Instant::now().into();
        ready(pattern.as_ref(), (&out, &err), (&deadline, budget)).await
    }

    #[tokio::test]
    async fn finds_the_line_on_either_stream() {
        let port = |captures: Captures| captures["port"].clone();
        let banner = ["starting\n", "up on port 40", "00\nmore\n"];
        assert_eq!(
            port(said(Some("on port {port}"), &banner, &[]).await.unwrap()),
            "4000"
        );
        assert_eq!(
            port(
                said(Some("on port {port}"), &["x\n"], &banner)
                    .await
                    .unwrap()
            ),
            "4000"
        );
    }

    #[tokio::test]
    async fn without_a_pattern_the_first_line_tells() {
        let captures = said(None, &["listening players=h:1 spectators=h:2\n"], &[])
            .await
            .unwrap();
        assert_eq!(
            (
                captures["players"].as_str(),
                captures["spectators"].as_str()
            ),
            ("h:1", "h:2")
        );
        let error = said(None, &["hello\nlistening players=h:1\n"], &[])
            .await
            .unwrap_err();
        assert!(matches!(error, Breakdown::NotAnAddress(line) if line == "hello"));
    }

    #[tokio::test]
    async fn says_what_was_waited_for_in_vain_and_what_came_instead() {
        let printed = ["booting \u{1b}[1m\n", "ready at 4000\n", "half"];
        let error = said(Some("up"), &printed, &[]).await.unwrap_err();
        let lines =
            "the subject printed on standard output:\nbooting \\u{1b}[1m\nready at 4000\nhalf";
        assert_eq!(error.printed().unwrap().replace("\\x1b", "\\u{1b}"), lines);
        let error = said(Some("up"), &[], &["on standard error\n"])
            .await
            .unwrap_err();
        assert_eq!(
            error.printed().unwrap(),
            "the subject printed nothing on standard output"
        );
        let error = said(Some("up"), &["upp"], &[]).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the subject did not print a line with `up` within 1.0s (the start budget)"
        );
    }
}
