//! The standard error of a subject.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

use super::echo::{Echo, EchoedLines};

/// Number of bytes kept from the end of a subject's standard error.
const KEPT: usize = 16 * 1024;

/// Capacity of a listener's buffer, in pieces of standard error.
const WAITING: usize = 64;

/// Last part of a subject's standard error; listeners can read all of it as it arrives.
#[derive(Debug, Clone, Default)]
pub struct Kept(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
struct Said {
    bytes: Vec<u8>,
    heard_by: Option<mpsc::Sender<Vec<u8>>>,
    echoed: Option<EchoedLines>,
}

impl Kept {
    /// Keeps what comes on a stream, until it ends.
    pub fn keeping(stream: impl AsyncRead + Send + Unpin + 'static) -> Kept {
        let kept = Kept::default();
        tokio::spawn(kept.clone().keep(stream));
        kept
    }

    /// Passes on all that is said, line by line.
    pub(super) fn echoing(echo: Echo) -> Kept {
        let kept = Kept::default();
        kept.said().echoed = Some(EchoedLines::new(echo));
        kept
    }

    /// Adds to it.
    pub fn push(&self, bytes: &[u8]) {
        let mut said = self.said();
        said.bytes.extend_from_slice(bytes);
        if let Some(lines) = &mut said.echoed {
            lines.push(bytes);
        }
        if said.bytes.len() > KEPT {
            let surplus = said.bytes.len() - KEPT;
            said.bytes.drain(..surplus);
        }
        // Whoever listens too slowly misses something: a subject is not held up by it.
        let is_gone = said
            .heard_by
            .as_ref()
            .is_some_and(|hearer| hearer.try_send(bytes.to_vec()).is_err() && hearer.is_closed());
        if is_gone {
            said.heard_by = None;
        }
    }

    /// The end of what was said.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.said().bytes.clone()
    }

    /// Hears from now on what is said, and first what was said already. One at a time.
    #[must_use]
    pub fn hear(&self) -> mpsc::Receiver<Vec<u8>> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut said = self.said();
        drop(sender.try_send(said.bytes.clone()));
        said.heard_by = Some(sender);
        receiver
    }

    pub(super) async fn keep(self, mut stream: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            self.push(&buffer[..count]);
        }
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.0
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn keeps_the_end_and_lets_it_be_heard_from_the_beginning() {
        let kept = Kept::default();
        kept.push(b"early ");
        let mut heard = kept.hear();
        kept.clone().keep(&b"late"[..]).await;
        assert_eq!(heard.recv().await.unwrap(), b"early ");
        assert_eq!(heard.recv().await.unwrap(), b"late");
        drop(heard);
        kept.push(&[b'x'; KEPT]);
        assert_eq!(kept.bytes(), [b'x'; KEPT]);
    }
}
