//! One lane's bytes, whatever carries them.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd};
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// Both directions of one lane's bytes.
#[derive(Debug)]
pub struct Wire {
    /// The subject's output.
    pub reader: WireReader,
    /// The subject's input.
    pub writer: WireWriter,
}

/// The end of a lane at which the subject reads, as the system names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FarEnd {
    /// A connection.
    Connection {
        /// The address of our end.
        near: SocketAddr,
        /// The address of the subject's end.
        far: SocketAddr,
    },
    /// A pipe.
    Pipe {
        /// Target of its link in `/proc/PID/fd`.
        link: PathBuf,
        /// Number of unread bytes.
        unread: u64,
    },
}

/// The direction in which the subject writes.
pub enum WireReader {
    /// A connection's.
    Tcp(OwnedReadHalf),
    /// A pipe's end, which never blocks.
    Pipe(Box<dyn PipeReader>),
    /// A stream of its own.
    Stream(Box<dyn AsyncRead + Send + Unpin>),
}

/// The reading end of a pipe.
pub trait PipeReader: AsyncRead + AsFd + Send + Unpin {}

impl<P: AsyncRead + AsFd + Send + Unpin> PipeReader for P {}

/// The direction in which the subject reads. Shutting it down closes it, also where a stream closes only by being dropped.
pub enum WireWriter {
    /// A connection's.
    Tcp(OwnedWriteHalf),
    /// A pipe, whose other end tells whether anybody can read it.
    Pipe(Box<dyn PipeWriter>),
    /// Another stream of its own.
    Stream(Box<dyn AsyncWrite + Send + Unpin>),
    /// Nothing more can be written.
    Closed,
}

/// The writing end of a pipe.
pub trait PipeWriter: AsyncWrite + AsFd + Send + Unpin {}

impl<P: AsyncWrite + AsFd + Send + Unpin> PipeWriter for P {}

impl Wire {
    /// A lane over a stream for each direction.
    pub fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Wire {
        Wire {
            reader: WireReader::Stream(Box::new(reader)),
            writer: WireWriter::Stream(Box::new(writer)),
        }
    }

    /// A lane over a pipe for each direction; `reader` must not block.
    pub fn pipes(reader: impl PipeReader + 'static, writer: impl PipeWriter + 'static) -> Wire {
        Wire {
            reader: WireReader::Pipe(Box::new(reader)),
            writer: WireWriter::Pipe(Box::new(writer)),
        }
    }

    /// A lane over a connection.
    #[must_use]
    pub fn tcp(stream: TcpStream) -> Wire {
        // Lines are small and answered at once; a failure to set this costs only time.
        drop(stream.set_nodelay(true));
        let (reader, writer) = stream.into_split();
        Wire {
            reader: WireReader::Tcp(reader),
            writer: WireWriter::Tcp(writer),
        }
    }

    /// A lane that has ended in both directions.
    #[must_use]
    pub fn closed() -> Wire {
        Wire {
            reader: WireReader::Stream(Box::new(tokio::io::empty())),
            writer: WireWriter::Closed,
        }
    }

    /// Returns true if the subject has closed its reading end: a pipe shows this before any write.
    #[must_use]
    pub fn reader_closed(&self) -> bool {
        let WireWriter::Pipe(pipe) = &self.writer else {
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

    /// The end at which the subject reads. `None` where it is neither a connection nor a pipe, or the platform does not show it.
    #[must_use]
    pub fn far_end(&self) -> Option<FarEnd> {
        match &self.writer {
            WireWriter::Tcp(half) => Some(FarEnd::Connection {
                near: half.local_addr().ok()?,
                far: half.peer_addr().ok()?,
            }),
            WireWriter::Pipe(pipe) => {
                let pipe = pipe.as_fd();
                let link =
                    std::fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())).ok()?;
                Some(FarEnd::Pipe {
                    link,
                    unread: rustix::io::ioctl_fionread(pipe).ok()?,
                })
            }
            WireWriter::Stream(_) | WireWriter::Closed => None,
        }
    }

    /// Ends both directions at once; on a connection by a reset, which discards what is not delivered yet. Any
    /// other lane is closed normally.
    pub fn reset(self) {
        if let WireReader::Tcp(reader) = &self.reader {
            // Where it is refused, the other side sees an orderly end; there is nothing else that could be done.
            drop(reader.as_ref().set_zero_linger());
        }
        if let WireWriter::Tcp(writer) = self.writer {
            // Dropping it would end the stream in good order before the socket is closed.
            writer.forget();
        }
    }
}

impl WireReader {
    /// Reads what has come already, without having the system tell first that there is something. `None`: nothing that could be
    /// read so, which says neither that the stream has ended nor that it has not.
    ///
    /// # Errors
    /// Why nothing will come any more: the system tells that once only.
    pub fn read_at_once(&self, buffer: &mut [u8]) -> Option<io::Result<usize>> {
        let read = match self {
            WireReader::Tcp(half) => nix::unistd::read(half.as_ref(), buffer),
            WireReader::Pipe(pipe) => nix::unistd::read(pipe, buffer),
            WireReader::Stream(_) => return None,
        };
        match read {
            Ok(0) | Err(Errno::EAGAIN | Errno::EINTR) => None,
            Ok(count) => Some(Ok(count)),
            Err(error) => Some(Err(error.into())),
        }
    }
}

impl AsyncRead for WireReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            WireReader::Tcp(half) => Pin::new(half).poll_read(context, buffer),
            WireReader::Pipe(pipe) => Pin::new(pipe).poll_read(context, buffer),
            WireReader::Stream(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for WireWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            WireWriter::Tcp(half) => Pin::new(half).poll_write(context, bytes),
            WireWriter::Pipe(pipe) => Pin::new(pipe).poll_write(context, bytes),
            WireWriter::Stream(stream) => Pin::new(stream).poll_write(context, bytes),
            WireWriter::Closed => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            WireWriter::Tcp(half) => Pin::new(half).poll_flush(context),
            WireWriter::Pipe(pipe) => Pin::new(pipe).poll_flush(context),
            WireWriter::Stream(stream) => Pin::new(stream).poll_flush(context),
            WireWriter::Closed => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let writer = self.get_mut();
        let shut = match writer {
            WireWriter::Tcp(half) => return Pin::new(half).poll_shutdown(context),
            WireWriter::Pipe(pipe) => Pin::new(pipe).poll_shutdown(context),
            WireWriter::Stream(stream) => Pin::new(stream).poll_shutdown(context),
            WireWriter::Closed => Poll::Ready(Ok(())),
        };
        if shut.is_ready() {
            *writer = WireWriter::Closed;
        }
        shut
    }
}

impl fmt::Debug for WireReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WireReader::Tcp(_) => "Tcp",
            WireReader::Pipe(_) => "Pipe",
            WireReader::Stream(_) => "Stream",
        })
    }
}

impl fmt::Debug for WireWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WireWriter::Tcp(_) => "Tcp",
            WireWriter::Pipe(_) => "Pipe",
            WireWriter::Stream(_) => "Stream",
            WireWriter::Closed => "Closed",
        })
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
