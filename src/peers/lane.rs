use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::protocol::{Framer, Line};

/// How long a participant may take to make room for what it is sent before its lane is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a closed lane is read out, so that closing it does not destroy what is still on its way to the participant.
const LINGER: Duration = Duration::from_secs(1);

/// One participant's stream as the referee holds it.
///
/// It is read only while a line is asked for: what comes before waits in the buffers of the platform, which bound it, and is
/// read when its turn comes. At most one chunk of lines and one unfinished line is held here.
pub struct Lane {
    reader: Box<dyn AsyncRead + Send + Unpin>,
    /// `None` once the participant has turned out not to read any more.
    writer: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    framer: Framer,
    lines: VecDeque<Line>,
    has_ended: bool,
}

impl Lane {
    fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Lane {
        Lane {
            reader: Box::new(reader),
            writer: Some(Box::new(writer)),
            framer: Framer::default(),
            lines: VecDeque::new(),
            has_ended: false,
        }
    }

    /// A lane over a connection.
    pub fn tcp(stream: TcpStream) -> Lane {
        // Without it a short line would wait for the acknowledgement of the one before; where it is refused, games are only slower.
        drop(stream.set_nodelay(true));
        let (reader, writer) = stream.into_split();
        Lane::new(reader, writer)
    }

    /// A lane over the standard streams of a child process.
    pub fn pipes(reader: ChildStdout, writer: ChildStdin) -> Lane {
        Lane::new(reader, writer)
    }

    /// The next line, however long ago it came; `None` after the end of the stream, a reset included. Loses nothing
    /// where it is cancelled.
    pub async fn next_line(&mut self) -> Option<Line> {
        let mut chunk = [0; 4096];
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Some(line);
            }
            if self.has_ended {
                return None;
            }
            match self.reader.read(&mut chunk).await {
                Ok(0) | Err(_) => {
                    self.has_ended = true;
                    self.lines.extend(self.framer.finish());
                }
                Ok(count) => self.framer.push(&chunk[..count], |line| self.lines.push_back(line)),
            }
        }
    }

    /// Sends bytes in one go. Who has hung up or does not make room in time is sent nothing more from then on.
    pub async fn send(&mut self, bytes: &[u8]) {
        let Some(writer) = &mut self.writer else { return };
        let write = async {
            writer.write_all(bytes).await?;
            writer.flush().await
        };
        if !matches!(timeout(PATIENCE, write).await, Ok(Ok(()))) {
            self.writer = None;
        }
    }

    /// Ends the stream to the participant, then reads out what comes from it until it ends as well, for a bounded time.
    pub async fn close(mut self) {
        let orderly = async {
            if let Some(mut writer) = self.writer.take() {
                drop(writer.shutdown().await);
            }
            let mut chunk = [0; 4096];
            while !self.has_ended {
                self.has_ended = matches!(self.reader.read(&mut chunk).await, Ok(0) | Err(_));
            }
        };
        drop(timeout(LINGER, orderly).await);
    }
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane")
            .field("lines", &self.lines)
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}
