//! What is said before a game: by a started subject, that it can be reached; and on a lane, by both sides.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::config::{Address, Captures, Subject, UrlPattern};
use crate::diagnostic::visible;
use crate::transport::{
    Breakdown, Deadline, FailureKind, Kept, NOT_CONNECTED, Process, SAY_WHERE, Wire,
};

/// Longest time to read the remaining output of a subject that has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Maximum number of lines shown of a subject that never printed the ready line.
const SHOWN_LINES: usize = 8;

/// Waits for the line, on standard output or standard error. Without a pattern it is the first line of standard output, and says
/// `players=HOST:PORT spectators=HOST:PORT`.
async fn ready(
    pattern: Option<&UrlPattern>,
    (kept, stderr): (&Kept, &Kept),
    deadline: &Deadline,
) -> Result<Captures, Breakdown> {
    let waiting = async {
        loop {
            let (more, more_of_stderr) = (kept.more(), stderr.more());
            if let Some(found) = found(pattern, &kept.bytes(), &stderr.bytes()) {
                return found;
            }
            tokio::select! {
                () = more => {}
                () = more_of_stderr => {}
            }
        }
    };
    if let Some(found) = deadline.limit(waiting).await {
        return found;
    }
    Err(match pattern {
        Some(pattern) => Breakdown {
            notes: vec![last_lines(kept)],
            ..Breakdown::too_late(
                format!("the subject did not print a line with `{}`", pattern.text()),
                "write `ready` as the subject prints it, with {any} for what differs",
            )
        },
        None => Breakdown::too_late("the referee did not print where it listens", SAY_WHERE),
    })
}

/// Looks for the line in what was printed so far.
fn found(
    pattern: Option<&UrlPattern>,
    stdout: &[u8],
    stderr: &[u8],
) -> Option<Result<Captures, Breakdown>> {
    let Some(pattern) = pattern else {
        return lines(stdout).next().map(|line| printed(&line));
    };
    let mut lines = lines(stdout).chain(lines(stderr));
    lines.find_map(|line| pattern.find(&line)).map(Ok)
}

/// Waits until a subject that is not reached by its standard streams says that it can be reached, where it does.
pub(super) async fn reached(
    subject: &Subject,
    process: &mut Process,
    stdout: &Kept,
    deadline: &Deadline,
) -> Result<Captures, Breakdown> {
    let program = subject.program.as_ref();
    let pattern = program.and_then(|program| program.ready.as_ref());
    let mut entrances = [Some(&subject.players), subject.spectators.as_ref()]
        .into_iter()
        .flatten();
    let has_to_print = entrances.any(|entrance| entrance.way.address() == Some(&Address::Printed));
    if pattern.is_none() && !has_to_print {
        return Ok(Captures::new());
    }
    let stderr = process.stderr();
    let said = || ready(pattern, (stdout, &stderr), deadline);
    let ended = tokio::select! {
        captures = said() => return captures,
        ended = process.ended() => ended,
    };
    // A subject that has printed and ended in one breath is judged by what it printed, which may be read only now.
    timeout(LAST_WORDS, said()).await.unwrap_or_else(|_| {
        let early = match pattern {
            Some(pattern) => format!("and did not print a line with `{}`", pattern.text()),
            None => NOT_CONNECTED.to_owned(),
        };
        Err(Breakdown {
            notes: pattern.iter().map(|_| last_lines(stdout)).collect(),
            ..Breakdown::ended(subject.side.word(), &early, &ended.status)
        })
    })
}

/// Says what a subject printed last, escaped, the unfinished line included.
fn last_lines(kept: &Kept) -> String {
    let bytes = kept.bytes();
    let lines: Vec<_> = bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    let shown: Vec<_> = shown.iter().map(self::shown).collect();
    match shown.as_slice() {
        [] => "the subject printed nothing on standard output".to_owned(),
        shown => format!(
            "the subject printed on standard output:\n{}",
            shown.join("\n")
        ),
    }
}

/// The lines that have ended, without their ends.
fn lines(said: &[u8]) -> impl Iterator<Item = String> {
    let whole = said.split_inclusive(|&byte| byte == b'\n');
    let whole = whole.filter_map(|line| line.strip_suffix(b"\n"));
    whole.map(|line| String::from_utf8_lossy(line).into_owned())
}

fn printed(line: &str) -> Result<Captures, Breakdown> {
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
        let title = format!(
            "the referee printed `{}`, not where it listens",
            shown(line)
        );
        return Err(Breakdown::new(title, SAY_WHERE));
    }
    Ok(captures)
}

/// The longest line of a reply, in bytes.
const LONGEST: usize = 4096;

/// Lines that urtext sends on connecting, with the placeholders filled for one lane.
#[derive(Debug, Clone, Default)]
pub(super) struct Greeting {
    pub(super) say: Vec<String>,
    pub(super) expect: Vec<UrlPattern>,
}

impl Greeting {
    /// Says everything and hears every reply, and not a byte of what follows.
    pub(super) async fn exchange(
        &self,
        wire: Wire,
        deadline: &Deadline,
    ) -> Result<Wire, Breakdown> {
        if self.say.is_empty() && self.expect.is_empty() {
            return Ok(wire);
        }
        match deadline.limit(self.converse(wire)).await {
            Some(result) => result,
            None => Err(self.no_reply()),
        }
    }

    fn no_reply(&self) -> Breakdown {
        let said = self.say.join(", ");
        unheard(
            format!("did not reply to `{}`", shown(&said)),
            FailureKind::Unreached,
        )
    }

    async fn converse(&self, mut wire: Wire) -> Result<Wire, Breakdown> {
        for line in &self.say {
            let written = wire.write_all(format!("{line}\n").as_bytes()).await;
            written.map_err(|_| {
                let what = format!("did not hear `{}`: it has closed the lane", shown(line));
                unheard(what, FailureKind::Unreached)
            })?;
        }
        for pattern in &self.expect {
            let Some(line) = line(&mut wire).await else {
                return Err(self.no_reply());
            };
            if pattern.matches(&String::from_utf8_lossy(&line)).is_none() {
                let (said, wanted) = (shown(&line), pattern.text());
                let what = format!("replied `{said}`, not `{wanted}`");
                return Err(unheard(what, FailureKind::Other));
            }
        }
        Ok(wire)
    }
}

/// An exchange that went wrong.
fn unheard(what: String, kind: FailureKind) -> Breakdown {
    let advice =
        "compare what is said and expected on connecting with what the subject's own clients do";
    Breakdown::new(format!("on connecting, the subject {what}"), advice).of(kind)
}

/// The next line without its end, or what there is of it where the stream ends; `None` where that is nothing.
async fn line(wire: &mut Wire) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    while line.len() < LONGEST {
        match wire.read_u8().await {
            Ok(b'\n') => break,
            Err(_) if line.is_empty() => return None,
            Err(_) => break,
            Ok(byte) => line.push(byte),
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(line)
}

fn shown(line: &(impl AsRef<[u8]> + ?Sized)) -> String {
    visible::plain(line).at_most(200).to_string()
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;

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
        let deadline = tokio::time::Instant::now().into();
        match ready(pattern, (&out, &err), &deadline).await {
            Ok(captures) => format!("{:?}", Vec::from_iter(captures)),
            Err(error) => match error.notes.first() {
                Some(printed) => format!("{}; {printed:?}", error.title),
                None => error.title,
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

    fn greeting() -> Greeting {
        Greeting {
            say: vec!["JOIN Ann".to_owned()],
            expect: vec![UrlPattern::parse("WELCOME {any}").unwrap()],
        }
    }

    async fn exchanged(reply: &'static [u8]) -> (Result<Wire, Breakdown>, Vec<u8>) {
        let (ours, mut theirs) = duplex(4096);
        theirs.write_all(reply).await.unwrap();
        // The reply is there and is read before the deadline counts, and nothing more comes.
        let deadline = tokio::time::Instant::now().into();
        let wire = Wire::new(ours);
        let result = greeting().exchange(wire, &deadline).await;
        let mut said = vec![0; 9];
        theirs.read_exact(&mut said).await.unwrap();
        (result, said)
    }

    #[tokio::test]
    async fn takes_the_reply_and_leaves_what_follows() {
        let (wire, said) = exchanged(b"WELCOME to it\r\nPlayerA\n").await;
        assert_eq!(said, b"JOIN Ann\n");
        let mut next = [0; 8];
        wire.unwrap().read_exact(&mut next).await.unwrap();
        assert_eq!(&next, b"PlayerA\n");
    }

    #[tokio::test]
    async fn says_what_came_instead_and_that_nothing_came() {
        for (reply, said) in [
            (
                &b"NO\x07\n"[..],
                "on connecting, the subject replied `NO\\x07`, not `WELCOME {any}`",
            ),
            (
                b"WEL",
                "on connecting, the subject did not reply to `JOIN Ann`",
            ),
        ] {
            let error = exchanged(reply).await.0.unwrap_err();
            assert_eq!(error.title, said);
        }
    }
}
