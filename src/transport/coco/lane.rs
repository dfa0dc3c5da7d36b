//! One participant's lane: the bytes of the game in binary frames, which cut lines anywhere, between control messages.

use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, DuplexStream, ReadBuf, duplex, join};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::coop::consume_budget;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Bytes, Message};

use super::message::{self, shown};
use crate::transport::Wire;

/// Maximum number of bytes that wait to be written, and maximum size of a frame.
const HELD: usize = 64 * 1024;

/// Longest time for a lane's last frames and its close.
const LINGER: Duration = Duration::from_secs(1);

/// The most remarks that are kept.
const MOST_NOTICES: usize = 16;

type Socket = WebSocketStream<TcpStream>;

/// Remarks on lanes: violations by the server that ended a lane, and empty frames.
#[derive(Debug, Clone, Default)]
pub struct Notices(Arc<Mutex<Noticed>>);

#[derive(Debug, Default)]
struct Noticed {
    /// Escaped for a terminal.
    breaches: Vec<String>,
    empty_frames: u64,
}

impl Notices {
    /// Takes the violations that ended lanes so far, in order; each is returned once.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.noticed().breaches)
    }

    /// Returns the number of empty frames on the lane that received the most of them so far.
    #[must_use]
    pub fn empty_frames(&self) -> u64 {
        self.noticed().empty_frames
    }

    fn noticed(&self) -> MutexGuard<'_, Noticed> {
        self.0
            .lock()
            .expect("nothing panics while it holds the lock")
    }

    fn breach(&self, notice: String) {
        let breaches = &mut self.noticed().breaches;
        // Lanes of one game often end alike.
        if breaches.len() < MOST_NOTICES && !breaches.contains(&notice) {
            breaches.push(notice);
        }
    }

    /// Takes the number of empty frames on one lane.
    fn saw_empty(&self, count: u64) {
        let noticed = &mut self.noticed();
        noticed.empty_frames = noticed.empty_frames.max(count);
    }
}

/// The lane of a participant who has joined. `of`: how the names of the lane's messages begin, `Match` for a player, `Spectate` for a
/// spectator.
pub(super) fn open(socket: Socket, of: &'static str, notices: Notices) -> Wire {
    let (writer, sent) = duplex(HELD);
    let (tell, told) = mpsc::channel(1);
    tokio::spawn(carry(socket, of, (tell, sent), notices));
    let rest = Bytes::new();
    Wire::new(join(Received { told, rest }, writer))
}

/// Carries both directions until the match is over, the connection breaks, or the participant has left.
async fn carry(socket: Socket, of: &str, (tell, sent): (Teller, DuplexStream), notices: Notices) {
    let (mut sink, mut stream) = socket.split();
    {
        let mut sending = pin!(send(&mut sink, sent));
        let mut receiving = pin!(receive(&mut stream, of, &tell, &notices));
        let mut is_sending = true;
        loop {
            tokio::select! {
                biased;
                ended = &mut receiving => {
                    if let Err(failure) = ended {
                        notices.breach(failure.to_string());
                        drop(tell.send(Err(failure)).await);
                        // Leaving now would look to the others as if this participant had broken the match off.
                        tell.closed().await;
                    }
                    break;
                }
                () = tell.closed() => {
                    // What was said before leaving is said.
                    if is_sending {
                        drop(timeout(LINGER, &mut sending).await);
                    }
                    break;
                }
                () = &mut sending, if is_sending => is_sending = false,
            }
        }
    }
    drop(tell);
    let parting = async {
        drop(sink.close().await);
        while let Some(Ok(_)) = stream.next().await {
            consume_budget().await;
        }
    };
    drop(timeout(LINGER, parting).await);
}

/// Sends what is written until the writer has ended, or nobody takes it any more. A stream of a game cannot be half closed here:
/// the end of what is sent shows only when the participant leaves.
async fn send(sink: &mut SplitSink<Socket, Message>, mut sent: DuplexStream) {
    let mut buffer = vec![0; HELD];
    while let Ok(count @ 1..) = sent.read(&mut buffer).await {
        // Pongs that wait would leave no room for it.
        if sink.flush().await.is_err() {
            return;
        }
        if sink
            .send(Message::binary(Bytes::copy_from_slice(&buffer[..count])))
            .await
            .is_err()
        {
            return;
        }
    }
}

type Teller = mpsc::Sender<io::Result<Bytes>>;

/// Receives until the match is over.
///
/// # Errors
/// Describes the unexpected end of the lane: a reset, or a violation of the protocol as [`ErrorKind::InvalidData`].
async fn receive(
    stream: &mut SplitStream<Socket>,
    of: &str,
    tell: &Teller,
    notices: &Notices,
) -> io::Result<()> {
    let broken = |what: String| Err(io::Error::new(ErrorKind::InvalidData, what));
    let (mut has_begun, mut empty_frames) = (false, 0);
    while let Some(message) = stream.next().await {
        // Others have their turn, however much is here already.
        consume_budget().await;
        match message {
            // A server can send these by the hundred thousand before it says that the match is over.
            Ok(Message::Binary(bytes)) if bytes.is_empty() => {
                empty_frames += 1;
                notices.saw_empty(empty_frames);
            }
            Ok(Message::Binary(_)) if !has_begun => {
                let what = "the server sent bytes of the game before it said that the match begins";
                return broken(what.to_owned());
            }
            Ok(Message::Binary(bytes)) => {
                if tell.send(Ok(bytes)).await.is_err() {
                    return Ok(());
                }
            }
            Ok(Message::Text(text)) => {
                let Some((name, _)) = message::read(&text) else {
                    let text = shown(&text);
                    return broken(format!("the server sent text that is no message: `{text}`"));
                };
                match (name.as_str(), name.strip_prefix(of)) {
                    (_, Some("Started" | "Synced")) => has_begun = true,
                    (_, Some("Ended")) => return Ok(()),
                    ("LobbyUpdate", _) => {}
                    ("LobbyDelete", _) => {
                        let what = "the match expired in the lobby before everybody had come";
                        return broken(what.to_owned());
                    }
                    _ => {
                        let name = shown(&name);
                        return broken(format!("the server sent the message {name} in a match"));
                    }
                }
            }
            Ok(Message::Close(_)) => break,
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
            Err(error) => {
                let what = format!(
                    "the connection broke before {of}Ended: {}",
                    shown(&error.to_string())
                );
                return match error {
                    tungstenite::Error::Io(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
                        ) =>
                    {
                        Err(io::Error::new(error.kind(), what))
                    }
                    _ => broken(what),
                };
            }
        }
    }
    broken(format!("the server closed the connection before {of}Ended"))
}

/// The direction in which the server writes.
#[derive(Debug)]
struct Received {
    told: mpsc::Receiver<io::Result<Bytes>>,
    rest: Bytes,
}

impl AsyncRead for Received {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.rest.is_empty() {
            match std::task::ready!(this.told.poll_recv(context)) {
                None => return Poll::Ready(Ok(())),
                Some(received) => this.rest = received?,
            }
        }
        let count = this.rest.len().min(buffer.remaining());
        buffer.put_slice(&this.rest.split_to(count));
        Poll::Ready(Ok(()))
    }
}
