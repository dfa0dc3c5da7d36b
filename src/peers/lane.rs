use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::protocol::{Framer, Line};
use crate::transport::Process;

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
    /// A lane over any two streams, the second of which ends by being shut down.
    pub fn over(
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

    /// A lane over a connection that came in.
    pub fn tcp(stream: TcpStream) -> Lane {
        // Without it a short line waits for the acknowledgement of the one before; where it is refused, games are only slower.
        drop(stream.set_nodelay(true));
        // Unlike the halves that the stream itself gives, dropping these does not end it: a reset stays possible.
        let (reader, writer) = tokio::io::split(stream);
        Lane::over(reader, writer)
    }

    /// A lane over the standard streams of a bot that was started with its input open; `None` where they were taken before.
    pub fn pipes(bot: &mut Process) -> Option<Lane> {
        Some(Lane::over(bot.take_stdout()?, bot.take_stdin()?))
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

    /// Ends the stream to the participant, and goes on holding the lane.
    pub async fn end(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            drop(writer.shutdown().await);
        }
    }

    /// Ends the stream to the participant, then reads out what comes from it until it ends as well, for a bounded time.
    pub async fn close(mut self) {
        let orderly = async {
            self.end().await;
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

#[cfg(test)]
mod tests {
    use tokio::io::{DuplexStream, duplex, split};
    use tokio::time::Instant;

    use super::*;
    use crate::protocol::LineEnding;

    fn lane(capacity: usize) -> (Lane, DuplexStream) {
        let (ours, theirs) = duplex(capacity);
        let (reader, writer) = split(ours);
        (Lane::over(reader, writer), theirs)
    }

    #[tokio::test(start_paused = true)]
    async fn gives_up_on_a_participant_who_never_reads() {
        let (mut lane, theirs) = lane(4);
        let start = Instant::now();
        lane.send(b"0 0 0 1\n").await;
        assert_eq!(start.elapsed(), PATIENCE);
        lane.send(b"0 0 0 1\n").await;
        lane.close().await;
        assert!(start.elapsed() < PATIENCE * 2, "it waits only once");
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn closing_waits_for_the_other_side_but_not_for_ever() {
        let (lane, theirs) = lane(64);
        let start = Instant::now();
        lane.close().await;
        assert_eq!(start.elapsed(), LINGER);
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn closing_reads_out_what_is_left() {
        let (lane, mut theirs) = lane(8);
        let flood = tokio::spawn(async move {
            theirs.write_all(&[b'x'; 4096]).await?;
            theirs.shutdown().await
        });
        lane.close().await;
        flood.await.unwrap().expect("all of it was taken");
    }

    #[tokio::test]
    async fn keeps_lines_until_they_are_asked_for_and_tells_the_end() {
        let (mut lane, mut theirs) = lane(64);
        theirs.write_all(b"3\n+3\r\n4").await.unwrap();
        drop(theirs);
        let mut seen = Vec::new();
        while let Some(line) = lane.next_line().await {
            seen.push((String::from_utf8(line.text).unwrap(), line.ending));
        }
        let expected =
            [("3", LineEnding::Newline), ("+3\r", LineEnding::Newline), ("4", LineEnding::Missing)];
        assert_eq!(seen, expected.map(|(text, ending)| (text.to_owned(), ending)));
    }
}
