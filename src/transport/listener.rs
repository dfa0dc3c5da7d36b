//! Listeners for subjects that connect to urtext.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::{Deadline, Wire};

/// A free port of this machine at which a subject is waited for.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

/// Errors while waiting for a connection.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// No connection before the deadline.
    #[error("nobody connected to {0}")]
    Nobody(SocketAddr),
    /// The connection could not be taken.
    #[error("no connection could be taken at {0}: {1}")]
    Refused(SocketAddr, io::Error),
}

impl Listener {
    /// Listens at a free port.
    ///
    /// # Errors
    /// Fails if no port is free.
    pub async fn open() -> io::Result<Listener> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        Ok(Listener { listener, address })
    }

    /// Returns the listener's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for the one connection; whoever comes later is refused.
    ///
    /// # Errors
    /// Fails if nobody connects before the deadline.
    pub async fn accept(self, deadline: impl Into<Deadline>) -> Result<Wire, AcceptError> {
        let deadline = deadline.into();
        loop {
            match deadline.limit(self.listener.accept()).await {
                Some(Ok((stream, _))) => return Ok(Wire::tcp(stream)),
                // Who has gone again before being let in was never there.
                Some(Err(error)) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Some(Err(error)) => return Err(AcceptError::Refused(self.address, error)),
                None => return Err(AcceptError::Nobody(self.address)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpStream;
    use tokio::time::Instant;

    use super::*;

    #[tokio::test]
    async fn takes_one_connection_and_refuses_the_next() {
        let listener = Listener::open().await.unwrap();
        let address = listener.address();
        let mut subject = TcpStream::connect(address).await.unwrap();
        let wire = listener
            .accept(Instant::now() + std::time::Duration::from_secs(30))
            .await
            .unwrap();
        assert!(TcpStream::connect(address).await.is_err());
        drop(wire);
        assert_eq!(subject.read(&mut [0]).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn says_where_nobody_came() {
        let listener = Listener::open().await.unwrap();
        let address = listener.address();
        let error = listener.accept(Instant::now()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("nobody connected to {address}"));
    }
}
