//! Exchange on a lane before the game: urtext's lines, and the subject's expected replies.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::breakdown::Breakdown;
use crate::config::UrlPattern;
use crate::diagnostic::visible;
use crate::transport::{Deadline, Wire};

/// The longest line of a reply, in bytes.
const LONGEST: usize = 4096;

/// Lines that urtext sends on connecting, with the placeholders filled for one lane.
#[derive(Debug, Clone, Default)]
pub(in crate::engine) struct Greeting {
    pub(in crate::engine) say: Vec<String>,
    pub(in crate::engine) expect: Vec<UrlPattern>,
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
        Breakdown::NoReply(
            visible::plain(&self.say.join(", "))
                .at_most(200)
                .to_string(),
        )
    }

    async fn converse(&self, mut wire: Wire) -> Result<Wire, Breakdown> {
        for line in &self.say {
            let written = wire.writer.write_all(format!("{line}\n").as_bytes()).await;
            written
                .map_err(|_| Breakdown::Unheard(visible::plain(line).at_most(200).to_string()))?;
        }
        for pattern in &self.expect {
            let Some(line) = line(&mut wire).await else {
                return Err(self.no_reply());
            };
            if pattern.matches(&String::from_utf8_lossy(&line)).is_none() {
                let shown = visible::plain(&line).at_most(200).to_string();
                return Err(Breakdown::OtherReply {
                    wanted: pattern.text().to_owned(),
                    said: shown,
                });
            }
        }
        Ok(wire)
    }
}

/// The next line without its end, or what there is of it where the stream ends; `None` where that is nothing.
async fn line(wire: &mut Wire) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    while line.len() < LONGEST {
        match wire.reader.read_u8().await {
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

#[cfg(test)]
mod tests {
    use tokio::io::{duplex, split};

    use super::*;

    fn greeting() -> Greeting {
        Greeting {
            say: vec!["JOIN Ann".to_owned()],
            expect: vec![UrlPattern::parse("WELCOME {any}").unwrap()],
        }
    }

    async fn exchanged(reply: &'static [u8]) -> (Result<Wire, Breakdown>, Vec<u8>) {
        let (ours, mut theirs) = duplex(4096);
        let (reader, writer) = split(ours);
        theirs.write_all(reply).await.unwrap();
        // The reply is there and is read before the deadline counts, and nothing more comes.
        let deadline = tokio::time::Instant::now().into();
        let wire = Wire::new(reader, writer);
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
        wire.unwrap().reader.read_exact(&mut next).await.unwrap();
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
            assert_eq!(error.to_string(), said);
        }
    }
}
