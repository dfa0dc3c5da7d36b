//! Outgoing TCP connections.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

use super::{Deadline, Wire};

/// Errors while connecting.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nobody listened there in time.
    #[error("nobody accepted a connection at {address}: {last}")]
    Refused {
        /// The address.
        address: String,
        /// Error of the last attempt.
        last: io::Error,
    },
    /// Nobody knows the host.
    #[error("the host of {address} is not known: {reason}")]
    Unknown {
        /// The address.
        address: String,
        /// Error of the name's lookup.
        reason: io::Error,
    },
    /// The address means nothing.
    #[error("{address} is no address of the form HOST:PORT: {reason}")]
    Address {
        /// The address.
        address: String,
        /// Reason of the failure.
        reason: io::Error,
    },
}

/// Connects, and with [`Patience::Retry`] tries again until the deadline while nobody listens. The first connection that succeeds is the lane: a
/// probe would take a seat.
///
/// # Errors
/// Fails if nobody listens before the deadline, the host is unknown, or the address is invalid.
pub async fn connect(
    address: &str,
    patience: Patience,
    deadline: impl Into<Deadline>,
) -> Result<Wire, ConnectError> {
    Ok(Wire::tcp(stream(address, patience, deadline).await?))
}

/// Reaction to a refused connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// It is tried again until the deadline: the other side may be starting.
    Retry,
    /// Reports the refusal.
    Once,
}

/// The connection alone.
pub(super) async fn stream(
    address: &str,
    patience: Patience,
    deadline: impl Into<Deadline>,
) -> Result<TcpStream, ConnectError> {
    let deadline = deadline.into();
    let mut pause = Duration::from_millis(1);
    let mut refused = None;
    loop {
        let error = match deadline.limit(TcpStream::connect(address)).await {
            Some(Ok(stream)) if is_to_itself(&stream) => io::ErrorKind::ConnectionRefused.into(),
            Some(Ok(stream)) => return Ok(stream),
            Some(Err(error)) => error,
            // The last try may be cut short: what was said to the ones before says more.
            None => refused.take().unwrap_or(io::ErrorKind::TimedOut.into()),
        };
        if error.kind() == io::ErrorKind::InvalidInput {
            return Err(ConnectError::Address {
                address: address.to_owned(),
                reason: error,
            });
        }
        if error.raw_os_error().is_none() && is_lookup(&error) {
            return Err(ConnectError::Unknown {
                address: address.to_owned(),
                reason: error,
            });
        }
        if patience == Patience::Once || Instant::now() + pause >= deadline.at() {
            return Err(ConnectError::Refused {
                address: address.to_owned(),
                last: error,
            });
        }
        refused = Some(error);
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn is_lookup(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::ConnectionRefused
    )
}

/// On loopback, a connection to a free port in the ephemeral range can meet itself.
fn is_to_itself(stream: &TcpStream) -> bool {
    matches!((stream.local_addr(), stream.peer_addr()), (Ok(local), Ok(peer)) if local == peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_without_a_port_is_a_users_mistake() {
        let deadline = Instant::now() + Duration::from_secs(5);
        let error = connect("nowhere", Patience::Retry, deadline)
            .await
            .unwrap_err();
        assert!(matches!(error, ConnectError::Address { .. }), "{error}");
    }

    #[tokio::test]
    async fn a_connection_that_has_met_itself_is_none() {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let own = socket.local_addr().unwrap();
        assert!(is_to_itself(&socket.connect(own).await.unwrap()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        assert!(!is_to_itself(
            &TcpStream::connect(listener.local_addr().unwrap())
                .await
                .unwrap()
        ));
    }

    #[tokio::test]
    async fn tries_again_until_somebody_listens() {
        // Kept, so that no other test listens there meanwhile.
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let address = socket.local_addr().unwrap().to_string();
        let connecting = tokio::spawn({
            let address = address.clone();
            async move {
                let deadline = Instant::now() + Duration::from_secs(20);
                connect(&address, Patience::Retry, deadline)
                    .await
                    .map(|_| ())
            }
        });
        tokio::task::yield_now().await;
        let listener = socket.listen(1).unwrap();
        let (accepted, connected) = tokio::join!(listener.accept(), connecting);
        accepted.unwrap();
        connected.unwrap().unwrap();
    }
}
