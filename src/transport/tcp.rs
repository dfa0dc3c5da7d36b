//! TCP connections: those that urtext opens, and those that others open to it.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use super::{Breakdown, Deadline, FailureKind, Wire};

/// Connects, and with [`Patience::Retry`] tries again until the deadline while nobody listens. The first connection that succeeds is the lane: a
/// probe would take a seat.
///
/// # Errors
/// Fails if nobody listens before the deadline, the host is unknown, or the address is invalid.
pub async fn connect(
    address: &str,
    patience: Patience,
    deadline: impl Into<Deadline>,
) -> Result<Wire, Breakdown> {
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
) -> Result<TcpStream, Breakdown> {
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
        let (kind, what) = match error.kind() {
            io::ErrorKind::InvalidInput => (
                FailureKind::Address,
                format!("{address} is no address of the form HOST:PORT"),
            ),
            _ if error.raw_os_error().is_none() && is_lookup(&error) => (
                FailureKind::Other,
                format!("the host of {address} is not known"),
            ),
            _ if patience == Patience::Once || Instant::now() + pause >= deadline.at() => (
                FailureKind::Unreached,
                format!("nobody accepted a connection at {address}"),
            ),
            _ => {
                refused = Some(error);
                sleep(pause).await;
                pause = (pause * 2).min(Duration::from_millis(50));
                continue;
            }
        };
        return Err(Breakdown::new(format!("{what}: {error}"), "check the address").of(kind));
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

/// A port of this machine at which others connect.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Listens at `HOST:PORT`, with 0 for any free port.
    ///
    /// # Errors
    /// Fails if the address cannot be listened on.
    pub async fn open(address: &str) -> io::Result<Listener> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Listener { listener, address })
    }

    /// Returns the listener's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// Fails if a connection cannot be taken.
    pub async fn accept(&self) -> io::Result<Wire> {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return Ok(Wire::tcp(stream)),
                // Who has gone again before being let in was never there.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits for a subject's one connection; whoever comes later is refused.
    ///
    /// # Errors
    /// Fails if nobody connects before the deadline.
    pub async fn accept_one(self, deadline: impl Into<Deadline>) -> Result<Wire, Breakdown> {
        let address = self.address;
        let title = match deadline.into().limit(self.accept()).await {
            Some(Ok(wire)) => return Ok(wire),
            Some(Err(error)) => format!("no connection could be taken at {address}: {error}"),
            None => format!("nobody connected to {address}"),
        };
        let check =
            "have it connect there: {host} and {port} in its command say where urtext listens";
        Err(Breakdown::too_late(title, check))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn an_address_without_a_port_is_a_users_mistake() {
        let deadline = Instant::now() + Duration::from_secs(5);
        let error = connect("nowhere", Patience::Retry, deadline)
            .await
            .unwrap_err();
        assert_eq!(error.kind, FailureKind::Address, "{error}");
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

    #[tokio::test]
    async fn takes_one_connection_and_refuses_the_next() {
        let listener = Listener::open("127.0.0.1:0").await.unwrap();
        let address = listener.address();
        let mut subject = TcpStream::connect(address).await.unwrap();
        let wire = listener
            .accept_one(Instant::now() + Duration::from_secs(30))
            .await
            .unwrap();
        assert!(TcpStream::connect(address).await.is_err());
        drop(wire);
        assert_eq!(subject.read(&mut [0]).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn says_where_nobody_came() {
        let listener = Listener::open("127.0.0.1:0").await.unwrap();
        let address = listener.address();
        let error = listener.accept_one(Instant::now()).await.unwrap_err();
        assert_eq!(
            error.title,
            format!("nobody connected to {address} (the start budget is over)")
        );
    }
}
