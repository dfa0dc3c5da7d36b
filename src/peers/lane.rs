//! Lanes of a built-in referee over real streams.

use std::fmt;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::transport::Process;

/// One participant's stream as the referee holds it.
///
/// It is read only while the referee asks for a line: what comes before waits in the buffers of the platform, which bound it, and is
/// read when its turn comes.
pub struct Lane {
    pub(super) reader: Box<dyn AsyncRead + Send + Unpin>,
    /// `None` once our direction has ended.
    pub(super) writer: Option<Box<dyn AsyncWrite + Send + Unpin>>,
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
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane").finish_non_exhaustive()
    }
}
