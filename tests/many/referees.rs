//! Built-in referees inside the test, one for each game, with what they sent written down.

use std::net::TcpListener;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{io, thread};

use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use urtext::config::{Address, RollHook, Subject, Way};
use urtext::games::royalur::RoyalUr;
use urtext::peers::royalur::{End, Referee};
use urtext::peers::{Company, Lane};
use urtext::rules::{PerSeat, Roll, RollSource};
use urtext::scenario::Side;

/// The lanes of a game: two players and a spectator, in the order in which they connect.
pub(crate) const LANES: usize = 3;

/// What a referee does.
#[derive(Debug, Clone)]
pub(crate) struct Conduct {
    /// What is rolled first; afterwards the dice are free.
    pub rolls: Vec<Roll>,
    /// The time for a move.
    pub timeout: Duration,
    /// Whether no game begins before the lanes of all games are there.
    pub is_begun_together: bool,
}

/// What came of a game at the referee's end.
#[derive(Debug)]
pub(crate) struct Conducted {
    pub end: End,
    /// What went out on each lane.
    pub sent: Vec<Vec<u8>>,
}

/// Referees that wait for their players.
pub(crate) struct Referees {
    pub subjects: Vec<Arc<Subject>>,
    conducting: JoinHandle<(Vec<Conducted>, usize)>,
}

impl Referees {
    /// Starts so many, each for one game.
    pub(crate) fn start(games: usize, conduct: &Conduct) -> Referees {
        let doors: Vec<_> = (0..games).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let subjects = doors.iter().map(|door| Arc::new(subject(door, conduct.timeout))).collect();
        let conduct = conduct.clone();
        Referees { subjects, conducting: thread::spawn(move || conduct_all(doors, &conduct)) }
    }

    /// Waits until all games are over. Tells as well how many were under way at once.
    pub(crate) fn join(self) -> (Vec<Conducted>, usize) {
        self.conducting.join().unwrap()
    }
}

fn subject(door: &TcpListener, timeout: Duration) -> Subject {
    let address = door.local_addr().unwrap().to_string();
    let mut subject =
        Subject::new("referee", Side::Referee, &RoyalUr, Way::Connect(Address::At(address.clone())));
    subject.spectators = Some(Way::Connect(Address::At(address)).into());
    subject.timeout = Some(timeout);
    // The rolls that a scenario forces are known to the referee beforehand.
    subject.roll_hook = Some(RollHook::Arguments);
    subject
}

fn conduct_all(doors: Vec<TcpListener>, conduct: &Conduct) -> (Vec<Conducted>, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let begin = Arc::new(Barrier::new(if conduct.is_begun_together { doors.len() } else { 1 }));
    let (open, most_open) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let conducted = runtime.block_on(async {
        let mut games = Vec::new();
        for (number, door) in doors.into_iter().enumerate() {
            let names = PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]);
            let rolls = RollSource::new(conduct.rolls.clone(), number as u64);
            let mut referee = Referee::new(names, conduct.timeout, Duration::ZERO, rolls);
            let (begin, open, most_open) = (Arc::clone(&begin), Arc::clone(&open), Arc::clone(&most_open));
            games.push(tokio::spawn(async move {
                let (company, sent) = gather(door).await;
                begin.wait().await;
                most_open.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let (end, _) = referee.conduct(company).await;
                open.fetch_sub(1, Ordering::SeqCst);
                let sent = sent.iter().map(|sent| std::mem::take(&mut *sent.lock().unwrap())).collect();
                Conducted { end, sent }
            }));
        }
        let mut conducted = Vec::new();
        for game in games {
            conducted.push(game.await.unwrap());
        }
        conducted
    });
    (conducted, most_open.load(Ordering::SeqCst))
}

type Sent = Arc<Mutex<Vec<u8>>>;

async fn gather(door: TcpListener) -> (Company, Vec<Sent>) {
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
    (Company { players, spectators, bots: Vec::new() }, sent)
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
