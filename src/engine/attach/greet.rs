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
