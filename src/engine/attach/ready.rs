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
    use crate::case_files::assert_lines;

    /// Waits for a subject that printed these texts and prints nothing more; the deadline starts after they are read.
    async fn waited(pattern: Option<&UrlPattern>, stdout: &str, stderr: &str) -> String {
        let (out, err) = (Kept::default(), Kept::default());
        for (kept, text) in [(&out, stdout), (&err, stderr)] {
            // The pieces in which it came.
            text.split(';')
                .for_each(|piece| kept.push(piece.replace("\\n", "\n").as_bytes()));
        }
        let budget = Duration::from_secs(1);
        let deadline = tokio::time::Instant::now().into();
        match ready(pattern, (&out, &err), (&deadline, budget)).await {
            Ok(captures) => format!("{:?}", Vec::from_iter(captures)),
            Err(error) => match error.printed() {
                Some(printed) => format!("{error}; {printed:?}"),
                None => format!("{error}"),
            },
        }
    }

    #[test]
    fn finds_the_line_on_either_stream_and_says_what_came_instead() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        assert_lines("ready-lines", |row| {
            let [pattern, out, err] = row.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let pattern = (pattern != "none").then(|| UrlPattern::parse(pattern).unwrap());
            runtime.block_on(waited(pattern.as_ref(), out, err))
        });
    }
}
