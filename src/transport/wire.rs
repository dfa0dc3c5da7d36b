//! One lane's bytes, whatever carries them.

use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::task::{Context, Poll};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::unix::pipe::{Receiver, Sender};

/// Both directions of one lane's bytes: the subject's output is read, its input is written. To shut a lane down is to close our direction,
/// also of a pipe, which closes only by being dropped.
#[derive(Debug)]
pub enum Wire {
    /// A connection.
    Tcp(OwnedReadHalf, OwnedWriteHalf),
    /// A pipe for each direction. The other end of the second one tells whether anybody can read it; without it nothing more can be written.
    Pipes(Receiver, Option<Sender>),
    /// A stream of another kind.
    Stream(Box<dyn ByteStream>),
    /// Both directions have ended.
    Closed,
}

/// A stream of bytes in both directions.
pub trait ByteStream: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin> ByteStream for S {}

impl Wire {
    /// A lane over a stream.
    pub fn new(stream: impl ByteStream + 'static) -> Wire {
        Wire::Stream(Box::new(stream))
    }

    /// A lane over a connection.
    #[must_use]
    pub fn tcp(stream: TcpStream) -> Wire {
        // Lines are small and answered at once; a failure to set this costs only time.
        drop(stream.set_nodelay(true));
        let (reader, writer) = stream.into_split();
        Wire::Tcp(reader, writer)
    }

    /// Returns true if the subject has closed its reading end: a pipe shows this before any write.
    #[must_use]
    pub fn reader_closed(&self) -> bool {
        let Wire::Pipes(_, Some(pipe)) = self else {
            return false;
        };
        // Nothing is asked for: an error is told all the same.
        let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::empty())];
        let is_told = poll(&mut polled, PollTimeout::ZERO).is_ok_and(|count| count > 0);
        is_told
            && polled[0]
                .revents()
                .is_some_and(|events| events.contains(PollFlags::POLLERR))
    }

    /// Ends both directions at once; on a connection by a reset, which discards what is not delivered yet. Any
    /// other lane is closed normally.
    pub fn reset(self) {
        if let Wire::Tcp(reader, _) = &self {
            // Where it is refused, the other side sees an orderly end; there is nothing else that could be done.
            drop(reader.as_ref().set_zero_linger());
        }
        self.abandon();
    }

    /// Ends both directions as the end of a program does: a connection on which something lies unread by a reset.
    pub fn abandon(self) {
        if let Wire::Tcp(_, writer) = self {
            // Dropping it would end the stream in good order before the socket is closed.
            writer.forget();
        }
    }

    /// Reads what has come already, without having the system tell first that there is something. `None`: nothing that could be
    /// read so, which says neither that the stream has ended nor that it has not.
    ///
    /// # Errors
    /// Why nothing will come any more: the system tells that once only.
    pub fn read_at_once(&self, buffer: &mut [u8]) -> Option<io::Result<usize>> {
        let read = match self {
            Wire::Tcp(half, _) => nix::unistd::read(half.as_ref(), buffer),
            Wire::Pipes(pipe, _) => nix::unistd::read(pipe, buffer),
            Wire::Stream(_) | Wire::Closed => return None,
        };
        match read {
            Ok(0) | Err(Errno::EAGAIN | Errno::EINTR) => None,
            Ok(count) => Some(Ok(count)),
            Err(error) => Some(Err(error.into())),
        }
    }

    fn writer(&mut self) -> Option<Pin<&mut (dyn AsyncWrite + Unpin)>> {
        Some(match self {
            Wire::Tcp(_, half) => Pin::new(half),
            Wire::Pipes(_, Some(pipe)) => Pin::new(pipe),
            Wire::Stream(stream) => Pin::new(stream),
            Wire::Pipes(_, None) | Wire::Closed => return None,
        })
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Wire::Tcp(half, _) => Pin::new(half).poll_read(context, buffer),
            Wire::Pipes(pipe, _) => Pin::new(pipe).poll_read(context, buffer),
            Wire::Stream(stream) => Pin::new(stream).poll_read(context, buffer),
            Wire::Closed => Poll::Ready(Ok(())),
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut().writer() {
            Some(stream) => stream.poll_write(context, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut().writer() {
            Some(stream) => stream.poll_flush(context),
            None => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        if let Wire::Pipes(_, writer) = wire {
            *writer = None;
        }
        match wire.writer() {
            Some(stream) => stream.poll_shutdown(context),
            None => Poll::Ready(Ok(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn pair() -> (Wire, TcpStream) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ours = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        (Wire::tcp(ours), listener.accept().await.unwrap().0)
    }

    #[tokio::test]
    async fn a_reset_is_seen_as_one_also_after_our_direction_has_ended() {
        for has_ended in [false, true] {
            let (mut wire, mut theirs) = pair().await;
            wire.write_all(b"0 0").await.unwrap();
            let mut bytes = [0; 3];
            theirs.read_exact(&mut bytes).await.unwrap();
            if has_ended {
                wire.shutdown().await.unwrap();
                assert_eq!(theirs.read(&mut bytes).await.unwrap(), 0);
            }
            wire.reset();
            let seen = match has_ended {
                false => theirs.read(&mut bytes).await.map(|_| ()),
                // The end was read before: the reset shows where something is written.
                true => {
                    async {
                        loop {
                            theirs.write_all(b"x").await?;
                            tokio::task::yield_now().await;
                        }
                    }
                    .await
                }
            };
            let kind = seen.unwrap_err().kind();
            let kinds = [io::ErrorKind::ConnectionReset, io::ErrorKind::BrokenPipe];
            assert!(kinds.contains(&kind), "{kind:?}");
        }
    }

    #[tokio::test]
    async fn a_reset_that_is_read_at_once_is_told() {
        let (wire, theirs) = pair().await;
        assert!(wire.read_at_once(&mut [0; 8]).is_none());
        theirs.set_zero_linger().unwrap();
        drop(theirs);
        let told = loop {
            match wire.read_at_once(&mut [0; 8]) {
                Some(told) => break told,
                None => tokio::task::yield_now().await,
            }
        };
        assert_eq!(told.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    }

    #[tokio::test]
    async fn dropping_a_wire_ends_it_in_good_order() {
        let (wire, mut theirs) = pair().await;
        drop(wire);
        assert_eq!(theirs.read(&mut [0; 8]).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn shutting_a_pipe_down_closes_it() {
        let (ours, theirs) = tokio::net::unix::pipe::pipe().unwrap();
        let mut wire = Wire::Pipes(tokio::net::unix::pipe::pipe().unwrap().1, Some(ours));
        wire.write_all(b"3\n").await.unwrap();
        wire.shutdown().await.unwrap();
        let mut theirs = theirs;
        let mut bytes = Vec::new();
        theirs.read_to_end(&mut bytes).await.unwrap();
        assert_eq!(bytes, b"3\n");
        assert!(matches!(wire, Wire::Pipes(_, None)));
    }

    #[tokio::test]
    async fn a_pipe_that_nobody_can_read_any_more_shows_before_anything_is_written() {
        let (ours, theirs) = tokio::net::unix::pipe::pipe().unwrap();
        let mut wire = Wire::Pipes(tokio::net::unix::pipe::pipe().unwrap().1, Some(ours));
        wire.write_all(b"unread\n").await.unwrap();
        assert!(!wire.reader_closed());
        drop(theirs);
        assert!(wire.reader_closed());
        wire.shutdown().await.unwrap();
        assert!(!wire.reader_closed(), "it is we who have left");
    }

    #[tokio::test]
    async fn what_is_read_at_once_is_what_has_come_and_never_the_end() {
        let (mut theirs, ours) = tokio::net::unix::pipe::pipe().unwrap();
        let (connected, mut far) = pair().await;
        let mut bytes = [0; 8];
        let mut piped = Wire::Pipes(ours, None);
        let at_once = |wire: &Wire| wire.read_at_once(&mut [0; 8]).map(Result::unwrap);
        assert_eq!(at_once(&piped), None);
        theirs.write_all(b"3\n").await.unwrap();
        assert_eq!(at_once(&piped), Some(2));
        drop(theirs);
        assert_eq!(at_once(&piped), None);
        assert_eq!(piped.read(&mut bytes).await.unwrap(), 0);
        far.write_all(b"0 0\n").await.unwrap();
        let Wire::Tcp(half, _) = &connected else {
            panic!("{connected:?}")
        };
        half.readable().await.unwrap();
        assert_eq!(at_once(&connected), Some(4));
        assert!(Wire::Closed.read_at_once(&mut bytes).is_none());
    }
}
