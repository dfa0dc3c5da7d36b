//! Seats of a referee that starts its players itself: it starts `urtext seat`, which relays its standard streams through a
//! socket to the session that waits here.
//!
//! The socket lies in a folder that only the user can open, and who comes has to know the token of the session. A relay
//! says one line, `seat TOKEN NAME`, and is told `ok` or why not; from then on the bytes of both directions go
//! through as they are.

mod relay;

pub use relay::{RelayError, relay};

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::{Deadline, Wire};

/// Longest time for a relay's only line, and longest such line in bytes.
const PATIENCE: Duration = Duration::from_secs(5);
const LONGEST_GREETING: usize = 256;

/// The seats that are waited for.
#[derive(Debug)]
pub struct Seats {
    path: PathBuf,
    token: String,
    waiting: Arc<Mutex<Waiting>>,
    arrivals: HashMap<String, oneshot::Receiver<UnixStream>>,
    accepting: AbortHandle,
}

/// Expected seats by name; `None` once a seat is taken.
type Waiting = HashMap<String, Option<oneshot::Sender<UnixStream>>>;

/// Error for a seat whose relay never connected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the referee did not start the command of the seat `{0}`")]
pub struct EmptySeat(pub String);

impl Seats {
    /// Waits for relays of these names at a socket of that path, in a folder that only the user can open.
    ///
    /// # Errors
    /// Fails if the socket cannot be created, for example because its path is too long.
    pub fn open(path: &Path, names: impl IntoIterator<Item = String>) -> io::Result<Seats> {
        let listener = UnixListener::bind(path)?;
        let token = token()?;
        let (mut waiting, mut arrivals) = (Waiting::new(), HashMap::new());
        for name in names {
            let (arrive, arrival) = oneshot::channel();
            waiting.insert(name.clone(), Some(arrive));
            arrivals.insert(name, arrival);
        }
        let waiting = Arc::new(Mutex::new(waiting));
        let accepting =
            tokio::spawn(accept(listener, token.clone(), Arc::clone(&waiting))).abort_handle();
        Ok(Seats {
            path: path.to_owned(),
            token,
            waiting,
            arrivals,
            accepting,
        })
    }

    /// Returns the path of the socket.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the secret that a relay has to send.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Waits for the relay of that name, whatever others come meanwhile. Once for each name.
    pub fn lane(
        &mut self,
        name: &str,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Wire, EmptySeat>> + Send + 'static {
        let arrival = self.arrivals.remove(name);
        let name = name.to_owned();
        async move {
            let Some(arrival) = arrival else {
                return Err(EmptySeat(name));
            };
            match deadline.limit(arrival).await {
                Some(Ok(stream)) => {
                    let (reader, writer) = stream.into_split();
                    Ok(Wire::new(reader, writer))
                }
                _ => Err(EmptySeat(name)),
            }
        }
    }
}

impl Drop for Seats {
    fn drop(&mut self) {
        self.accepting.abort();
        // Whoever comes now finds nobody; a file that is gone already is what is wanted.
        let _ = std::fs::remove_file(&self.path);
        drop(self.waiting.lock().map(|mut waiting| waiting.clear()));
    }
}

async fn accept(listener: UnixListener, token: String, waiting: Arc<Mutex<Waiting>>) {
    let token: Arc<str> = token.into();
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(admit(stream, Arc::clone(&token), Arc::clone(&waiting)));
    }
}

/// Hears what a relay says and hands its stream to whoever waits for that seat.
async fn admit(mut stream: UnixStream, token: Arc<str>, waiting: Arc<Mutex<Waiting>>) {
    let Ok(Some(greeting)) = timeout(PATIENCE, greeting(&mut stream)).await else {
        return;
    };
    let name = match greeting.split(' ').collect::<Vec<_>>().as_slice() {
        ["seat", said, name] if *said == &*token => (*name).to_owned(),
        _ => return refuse(stream, "the token is not that of a running session").await,
    };
    let place = waiting
        .lock()
        .expect("nothing panics while it holds the lock")
        .get_mut(&name)
        .map(Option::take);
    match place {
        Some(Some(arrive)) => {
            if stream.write_all(b"ok\n").await.is_ok() {
                // Nobody waits any more where the game is over.
                drop(arrive.send(stream));
            }
        }
        Some(None) => refuse(stream, "somebody plays this seat already").await,
        None => refuse(stream, "there is no such seat in this game").await,
    }
}

async fn refuse(mut stream: UnixStream, reason: &str) {
    // A relay that is gone needs no answer.
    drop(stream.write_all(format!("{reason}\n").as_bytes()).await);
}

/// The first line, read without taking a byte of what follows.
async fn greeting(stream: &mut UnixStream) -> Option<String> {
    let mut line = Vec::new();
    while line.len() < LONGEST_GREETING {
        match stream.read_u8().await.ok()? {
            b'\n' => return String::from_utf8(line).ok(),
            byte => line.push(byte),
        }
    }
    None
}

/// 128 bits that nobody can guess, in hexadecimal digits.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests;
