//! Built-in referees inside the test, one for each game, with what they sent written down.

use std::net::TcpListener;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{io, thread};

use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use urtext::config::{Address, RollHook, Subject, Way};
use urtext::games::royalur::CodeColosseum;
use urtext::pack::Protocol;
use urtext::peers::{Conditions, Lane, Participants, Referee};
use urtext::protocol::GameEvent;
use urtext::rules::{PerSeat, Setup};
use urtext::scenario::Side;

/// The lanes of a game: two players and a spectator, in the order in which they connect.
pub(crate) const LANES: usize = 3;

/// What came of a game at the referee's end.
#[derive(Debug)]
pub(crate) struct Conducted {
    pub end: Option<GameEvent>,
    /// What went out on each lane.
    pub sent: Vec<Vec<u8>>,
}

/// Referees that wait for their players.
pub(crate) struct Referees {
    pub subjects: Vec<Arc<Subject>>,
    conducting: JoinHandle<Vec<Conducted>>,
}

impl Referees {
    /// Starts so many, each for one game with so much time for a move. No game begins before the lanes of all games are there.
    pub(crate) fn start(games: usize, timeout: Duration) -> Referees {
        let lobby: Vec<_> = (0..games).map(|_| door()).collect();
        let subjects = lobby
            .iter()
            .map(|door| Arc::new(subject(door, timeout)))
            .collect();
        Referees {
            subjects,
            conducting: thread::spawn(move || conduct_all(lobby, timeout)),
        }
    }

    /// Waits until all games are over.
    pub(crate) fn join(self) -> Vec<Conducted> {
        self.conducting.join().unwrap()
    }
}

/// A port for the lanes of one game.
pub(crate) fn door() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

/// A referee that waits there.
pub(crate) fn subject(door: &TcpListener, timeout: Duration) -> Subject {
    let address = door.local_addr().unwrap().to_string();
    let mut subject = Subject::new(
        "referee",
        Side::Referee,
        Protocol::Game(&CodeColosseum),
        Way::Connect(Address::At(address.clone())),
    );
    subject.spectators = Some(Way::Connect(Address::At(address)).into());
    subject.timeout = Some(timeout);
    // The rolls that a scenario forces are known to the referee beforehand.
    subject.roll_hook = Some(RollHook::Arguments);
    subject
}

fn conduct_all(lobby: Vec<TcpListener>, timeout: Duration) -> Vec<Conducted> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let begin = Arc::new(Barrier::new(lobby.len()));
    runtime.block_on(async {
        let mut games = Vec::new();
        for (number, door) in lobby.into_iter().enumerate() {
            let names = PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]);
            let conditions = Conditions {
                names,
                timeout,
                pace: Duration::ZERO,
                spectators: LANES - 2,
                rolls: Vec::new(),
                setup: Setup::default(),
                seed: number as u64,
            };
            let mut referee = Referee::new(&CodeColosseum, &conditions);
            let begin = Arc::clone(&begin);
            games.push(tokio::spawn(async move {
                let (participants, sent) = gather(door).await;
                begin.wait().await;
                let (end, _) = referee.conduct(participants).await;
                let sent = sent
                    .iter()
                    .map(|sent| std::mem::take(&mut *sent.lock().unwrap()))
                    .collect();
                Conducted { end, sent }
            }));
        }
        let mut conducted = Vec::new();
        for game in games {
            conducted.push(game.await.unwrap());
        }
        conducted
    })
}

type Sent = Arc<Mutex<Vec<u8>>>;

async fn gather(door: TcpListener) -> (Participants, Vec<Sent>) {
    door.set_nonblocking(true).unwrap();
    let door = tokio::net::TcpListener::from_std(door).unwrap();
    let (mut lanes, mut sent) = (Vec::new(), Vec::new());
    for _ in 0..LANES {
        let (stream, _) = door.accept().await.unwrap();
        let log = Sent::default();
        lanes.push(lane(stream, Arc::clone(&log)));
        sent.push(log);
    }
    let spectators = lanes.split_off(2);
    let players = PerSeat(lanes.try_into().unwrap());
    (
        Participants {
            players,
            spectators,
            bots: Vec::new(),
        },
        sent,
    )
}

fn lane(stream: TcpStream, log: Sent) -> Lane {
    stream.set_nodelay(true).unwrap();
    let (reader, writer) = tokio::io::split(stream);
    Lane::over(reader, Tapped(writer, log))
}

/// A stream of which everything that goes out is kept.
struct Tapped<W>(W, Sent);

impl<W: AsyncWrite + Unpin> AsyncWrite for Tapped<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.0).poll_write(context, bytes))?;
        self.1.lock().unwrap().extend_from_slice(&bytes[..count]);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
