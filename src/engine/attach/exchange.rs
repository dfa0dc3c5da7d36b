//! What is said before a game: by a started subject, that it can be reached; and on a lane, by both sides.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::config::{Address, Captures, Subject, UrlPattern};
use crate::diagnostic::visible;
use crate::transport::{Breakdown, Deadline, FailureKind, Kept, SAY_WHERE, Wire};

/// Maximum number of lines shown of a subject that could not be reached.
const SHOWN_LINES: usize = 8;

/// The lines by which a referee says where it listens, if nothing else describes its line.
const LISTENING: [&str; 2] = [
    "players={players} spectators={spectators}",
    "players={players}",
];

/// Returns the patterns of the line by which a subject says that it can be reached; none if it need not say so.
pub(super) fn patterns(subject: &Subject) -> Vec<UrlPattern> {
    let program = subject.program.as_ref();
    let mut entrances = [Some(&subject.players), subject.spectators.as_ref()]
        .into_iter()
        .flatten();
    let mut is_printed =
        || entrances.any(|entrance| entrance.way.address() == Some(&Address::Printed));
    match program.and_then(|program| program.ready.as_ref()) {
        Some(ready) => vec![ready.clone()],
        None if is_printed() => {
            let parsed = LISTENING.map(|text| UrlPattern::parse(text).expect("it is a pattern"));
            parsed.into()
        }
        None => Vec::new(),
    }
}

/// Waits for a line that fits one of these patterns, on standard output or standard error.
pub(super) async fn ready(
    patterns: &[UrlPattern],
    [stdout, stderr]: [&Kept; 2],
    deadline: &Deadline,
) -> Result<Captures, Breakdown> {
    let found = |line: String| patterns.iter().find_map(|pattern| pattern.find(&line));
    let waiting = async {
        loop {
            let (more, more_of_stderr) = (stdout.more(), stderr.more());
            let (printed, said) = (stdout.bytes(), stderr.bytes());
            if let Some(found) = lines(&printed).chain(lines(&said)).find_map(found) {
                return found;
            }
            tokio::select! {
                () = more => {}
                () = more_of_stderr => {}
            }
        }
    };
    let in_time = deadline.limit(waiting).await;
    in_time.ok_or_else(|| match patterns {
        [own] => Breakdown::too_late(
            format!("the subject did not print a line with `{}`", own.text()),
            "write `ready` as the subject prints it, with {any} for what differs",
        ),
        _ => Breakdown::too_late("the referee did not print where it listens", SAY_WHERE),
    })
}

/// Says what a subject printed last, escaped, the unfinished line included; `None` if it printed nothing.
pub(super) fn last_lines(printed: &Kept) -> Option<String> {
    let bytes = printed.bytes();
    let lines: Vec<_> = bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    let shown: Vec<_> = shown.iter().map(self::shown).collect();
    let shown = shown.join("\n");
    (!shown.is_empty()).then(|| format!("the subject printed on standard output:\n{shown}"))
}

/// The lines that have ended, without their ends.
fn lines(said: &[u8]) -> impl Iterator<Item = String> {
    let whole = said.split_inclusive(|&byte| byte == b'\n');
    let whole = whole.filter_map(|line| line.strip_suffix(b"\n"));
    whole.map(|line| String::from_utf8_lossy(line).into_owned())
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
    async fn waited(patterns: &[UrlPattern], stdout: &str, stderr: &str) -> String {
        let (out, err) = (Kept::default(), Kept::default());
        for (kept, text) in [(&out, stdout), (&err, stderr)] {
            // The pieces in which it came.
            text.split(';')
                .for_each(|piece| kept.push(piece.replace("\\n", "\n").as_bytes()));
        }
        let deadline = tokio::time::Instant::now().into();
        match ready(patterns, [&out, &err], &deadline).await {
            Ok(captures) => format!("{:?}", Vec::from_iter(captures)),
            Err(error) => match last_lines(&out) {
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
            let patterns = match pattern {
                "none" => &LISTENING[..],
                pattern => &[pattern],
            };
            let patterns = patterns.iter().map(|text| UrlPattern::parse(text).unwrap());
            runtime.block_on(waited(&patterns.collect::<Vec<_>>(), out, err))
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
