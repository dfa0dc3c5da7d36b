//! One participant's lane: the bytes of the game in binary frames, which cut lines anywhere, between control messages.

use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{FutureExt, SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, DuplexStream, ReadBuf, duplex};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::coop::consume_budget;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Bytes, Message};

use super::client::{of_text, shown};
use super::message::Reply;
use crate::event::Frames;
use crate::transport::Wire;

/// Maximum number of bytes that wait to be written, and maximum size of a frame.
const HELD: usize = 64 * 1024;

/// Longest time for a lane's last frames and its close.
const LINGER: Duration = Duration::from_secs(1);

/// The most remarks that are kept.
const MOST_NOTICES: usize = 16;

/// Maximum number of messages read after the end of a match, before the end is reported.
const MOST_AT_THE_END: usize = 1000;

type Socket = WebSocketStream<TcpStream>;

/// The owner of the lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Player,
    Spectator,
}

/// Remarks on lanes: violations by the server that ended a lane, and the times of frames.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    noticed: Arc<Mutex<Noticed>>,
    /// The number under which the lanes that are opened with these count their frames.
    lane: usize,
}

#[derive(Debug, Default)]
struct Noticed {
    /// Escaped for a terminal.
    breaches: Vec<String>,
    /// With the number of each lane.
    frames: Vec<(usize, Frames)>,
}

impl Notices {
    /// Takes the violations that ended lanes so far, in order; each is returned once.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.noticed().breaches)
    }

    /// The frames of every lane so far; `None` where there was no lane.
    #[must_use]
    pub fn frames(&self) -> Option<Frames> {
        Frames::of_lanes(self.noticed().frames.iter().map(|(_, frames)| frames))
    }

    /// Returns these notices for the lane of this number.
    #[must_use]
    pub fn of_lane(&self, lane: usize) -> Notices {
        Notices {
            noticed: Arc::clone(&self.noticed),
            lane,
        }
    }

    /// The frames of every lane so far, in the order of their numbers.
    #[must_use]
    pub fn by_lane(&self) -> Vec<(usize, Frames)> {
        let mut lanes = self.noticed().frames.clone();
        lanes.sort_by_key(|(lane, _)| *lane);
        lanes
    }

    fn noticed(&self) -> MutexGuard<'_, Noticed> {
        self.noticed
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
}

/// The frames of one lane, counted as they come.
struct Count {
    notices: Notices,
    /// Index of the lane, in the order of opening.
    at: usize,
    is_over: bool,
}

impl Count {
    fn of_new_lane(notices: Notices) -> Count {
        let at = {
            let frames = &mut notices.noticed().frames;
            frames.push((notices.lane, Frames::default()));
            frames.len() - 1
        };
        Count {
            notices,
            at,
            is_over: false,
        }
    }

    fn frame(&self, bytes: &[u8]) {
        let (_, frames) = &mut self.notices.noticed().frames[self.at];
        match bytes.last() {
            None => {
                frames.empty += 1;
                frames.most_empty += 1;
            }
            Some(_) if self.is_over => frames.late += 1,
            Some(last) => {
                frames.filled += 1;
                frames.cutting += u64::from(*last != b'\n');
            }
        }
    }

    /// Handles a message after the end of the match, or after the participant's close; such messages are no
    /// violation.
    fn afterwards(&self, message: &Message) {
        if let (Message::Binary(bytes), true) = (message, self.is_over) {
            self.frame(bytes);
        }
    }
}

/// The lane of a participant who has joined.
pub(super) fn open(socket: Socket, role: Role, notices: Notices) -> Wire {
    let (writer, sent) = duplex(HELD);
    let (tell, told) = mpsc::channel(1);
    tokio::spawn(carry(socket, role, (tell, sent), notices));
    Wire::new(
        Received {
            told,
            rest: Bytes::new(),
            failure: None,
        },
        writer,
    )
}

/// Carries both directions until the match is over, the connection breaks, or the participant has left.
async fn carry(socket: Socket, role: Role, (tell, sent): (Teller, DuplexStream), notices: Notices) {
    let mut count = Count::of_new_lane(notices.clone());
    let (mut sink, mut stream) = socket.split();
    {
        let mut sending = pin!(send(&mut sink, sent));
        let mut receiving = pin!(receive(&mut stream, role, &tell, &mut count));
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
    // What is here already is counted before anybody hears of the end, and asks.
    for _ in 0..MOST_AT_THE_END {
        let Some(Some(Ok(message))) = stream.next().now_or_never() else {
            break;
        };
        count.afterwards(&message);
    }
    drop(tell);
    let parting = async {
        drop(sink.close().await);
        while let Some(Ok(message)) = stream.next().await {
            consume_budget().await;
            count.afterwards(&message);
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
    role: Role,
    tell: &Teller,
    count: &mut Count,
) -> io::Result<()> {
    let broken = |what: String| Err(io::Error::new(ErrorKind::InvalidData, what));
    let end = if role == Role::Player {
        "MatchEnded"
    } else {
        "SpectateEnded"
    };
    let mut has_begun = false;
    while let Some(message) = stream.next().await {
        // Others have their turn, however much is here already.
        consume_budget().await;
        match message {
            // A server can send these by the hundred thousand before it says that the match is over.
            Ok(Message::Binary(bytes)) if bytes.is_empty() => count.frame(&bytes),
            Ok(Message::Binary(_)) if !has_begun => {
                let what = "the server sent bytes of the game before it said that the match begins";
                return broken(what.to_owned());
            }
            Ok(Message::Binary(bytes)) => {
                count.frame(&bytes);
                if tell.send(Ok(bytes)).await.is_err() {
                    return Ok(());
                }
            }
            Ok(Message::Text(text)) => match (serde_json::from_str::<Reply>(&text), role) {
                (Ok(Reply::LobbyUpdate(_)), _) => {}
                (Ok(Reply::MatchStarted(_)), Role::Player) => has_begun = true,
                (Ok(Reply::SpectateStarted(_) | Reply::SpectateSynced(_)), Role::Spectator) => {
                    has_begun = true
                }
                (Ok(Reply::MatchEnded(_)), Role::Player)
                | (Ok(Reply::SpectateEnded(_)), Role::Spectator) => {
                    count.is_over = true;
                    return Ok(());
                }
                (Ok(Reply::LobbyDelete(_)), _) => {
                    return broken(
                        "the match expired in the lobby before everybody had come".to_owned(),
                    );
                }
                (Ok(other), _) => {
                    return broken(format!(
                        "the server sent the message {} in a match",
                        other.name()
                    ));
                }
                (Err(_), _) => return broken(format!("the server sent {}", of_text(&text))),
            },
            Ok(Message::Close(_)) => break,
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
            Err(error) => {
                let what = format!(
                    "the connection broke before {end}: {}",
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
    broken(format!("the server closed the connection before {end}"))
}

/// The direction in which the server writes.
struct Received {
    told: mpsc::Receiver<io::Result<Bytes>>,
    rest: Bytes,
    failure: Option<io::Error>,
}

impl AsyncRead for Received {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.rest.is_empty() {
            if let Some(failure) = this.failure.take() {
                return Poll::Ready(Err(failure));
            }
            match std::task::ready!(this.told.poll_recv(context)) {
                None => return Poll::Ready(Ok(())),
                Some(Ok(bytes)) => this.rest = bytes,
                Some(Err(error)) => this.failure = Some(error),
            }
        }
        let count = this.rest.len().min(buffer.remaining());
        buffer.put_slice(&this.rest.split_to(count));
        Poll::Ready(Ok(()))
    }
}
