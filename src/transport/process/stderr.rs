//! The standard error of a subject: its end, and all of it line by line for someone who follows it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Number of bytes kept from the end of a subject's standard error.
const KEPT: usize = 16 * 1024;

/// Last part of a subject's standard error.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    said: Arc<Mutex<Said>>,
    more: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Said {
    bytes: Vec<u8>,
    echoed: Option<EchoedLines>,
}

impl Kept {
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
        drop(said);
        self.more.notify_waiters();
    }

    /// The end of what was said.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.said().bytes.clone()
    }

    /// Waits until more is said than at this moment.
    pub fn more(&self) -> Notified<'_> {
        self.more.notified()
    }

    pub(super) async fn keep(self, mut stream: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            self.push(&buffer[..count]);
        }
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}

/// The longest piece of a line.
const LONGEST: usize = 4096;

/// The most bytes of one process that are passed on.
const MOST: usize = 1 << 20;

/// The last line of a subject that says more than is passed on.
const TOO_MUCH: &str = "… the rest of standard error is not shown";

/// Takes the lines of a subject's standard error as they come: without their ends, and long ones in pieces. It must not wait.
#[derive(Clone)]
pub struct Echo(Arc<dyn Fn(Vec<u8>) + Send + Sync>);

impl Echo {
    /// Passes the lines to a function.
    pub fn new(take: impl Fn(Vec<u8>) + Send + Sync + 'static) -> Echo {
        Echo(Arc::new(take))
    }

    /// Passes on all that a subject has said.
    pub fn all(&self, bytes: &[u8]) {
        EchoedLines::new(self.clone()).push(bytes);
    }
}

impl fmt::Debug for Echo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Echo")
    }
}

/// Cuts what a subject says into lines. The last one may have no end.
#[derive(Debug)]
struct EchoedLines {
    echo: Echo,
    begun: Vec<u8>,
    /// Number of bytes that are still passed on.
    left: usize,
}

impl EchoedLines {
    fn new(echo: Echo) -> EchoedLines {
        let (begun, left) = (Vec::new(), MOST);
        EchoedLines { echo, begun, left }
    }

    fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            for piece in piece.chunks(LONGEST) {
                if self.begun.len() + piece.len() > LONGEST {
                    self.pass_on();
                }
                self.begun.extend_from_slice(piece);
            }
            if self.begun.last() == Some(&b'\n') {
                self.begun.pop();
                self.pass_on();
            }
        }
    }

    fn pass_on(&mut self) {
        let line = std::mem::take(&mut self.begun);
        if self.left == 0 {
            return;
        }
        self.left = self.left.saturating_sub(line.len() + 1);
        self.echo.0(line);
        if self.left == 0 {
            self.echo.0(TOO_MUCH.into());
        }
    }
}

impl Drop for EchoedLines {
    fn drop(&mut self) {
        if !self.begun.is_empty() {
            self.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that come of these pieces.
    fn echoed<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<Vec<u8>> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let taken = Arc::clone(&lines);
        let mut cut = EchoedLines::new(Echo::new(move |line| taken.lock().unwrap().push(line)));
        pieces.into_iter().for_each(|piece| cut.push(piece));
        drop(cut);
        Arc::into_inner(lines).unwrap().into_inner().unwrap()
    }

    #[test]
    fn joins_pieces_to_lines_and_ends_the_last_one() {
        let lines = ["one", "", "two three", "end"].map(Vec::from);
        assert_eq!(
            echoed([&b"one\n\ntwo"[..], b" ", b"three\ne", b"nd"]),
            lines
        );
        assert!(echoed([&b""[..]]).is_empty());
    }

    #[test]
    fn a_long_line_comes_in_pieces_and_an_endless_one_is_cut_off() {
        let lines = echoed([&[b'x'; 3000][..], &[b'x'; 3000], b"\n"]);
        let lengths: Vec<_> = lines.iter().map(Vec::len).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 6000);
        assert!(lengths.iter().all(|&length| length <= LONGEST));
        let lines = echoed(std::iter::repeat_n(
            &[b'x'; LONGEST][..],
            2 * MOST / LONGEST,
        ));
        assert!(lines.len() <= MOST / LONGEST + 1, "{}", lines.len());
        assert_eq!(lines.last(), Some(&TOO_MUCH.into()));
    }

    #[tokio::test]
    async fn keeps_the_end_and_tells_that_there_is_more() {
        let kept = Kept::default();
        kept.push(b"early ");
        let more = kept.more();
        kept.clone().keep(&b"late"[..]).await;
        more.await;
        assert_eq!(kept.bytes(), b"early late");
        kept.push(&[b'x'; KEPT]);
        assert_eq!(kept.bytes(), [b'x'; KEPT]);
    }
}
