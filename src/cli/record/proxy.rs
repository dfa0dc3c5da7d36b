//! `urtext record` as a proxy of a referee.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::super::Status;
use super::super::interrupt::Interrupt;
use super::remark::{broken, say};
use super::session::{Recording, Session};
use crate::engine::PassiveRecorder;
use crate::platform::wait_for_any;
use crate::protocol::LaneKind;
use crate::transport::{pass_connection, refuse};

/// The players of a game.
const PLAYERS: usize = 2;

/// The most connections that are passed on at once, and the most that one game may have had.
const MOST_AT_ONCE: usize = 1000;
const MOST_OF_A_GAME: usize = 4000;

/// Games that are passed on between their participants and a referee.
struct Proxy {
    session: Session,
    /// The games that are not over, the last begun last.
    games: Mutex<Vec<Recording>>,
    connections: AtomicUsize,
    /// Hears of every game that is over.
    over: UnboundedSender<Status>,
}

/// Passes connections on until so many games are over, or the user ends it.
pub(super) async fn serve(
    session: Session,
    players: (String, String),
    spectators: Option<(String, String)>,
    games: Option<u32>,
) -> Status {
    if let Err(status) = session.is_writable() {
        return status;
    }
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return broken("signals cannot be watched for", &error),
    };
    let (over, mut hear) = unbounded_channel();
    let proxy = Arc::new(Proxy {
        session,
        games: Mutex::default(),
        connections: AtomicUsize::new(0),
        over,
    });
    let mut ready = "listening".to_owned();
    let mut lobby = Vec::new();
    let asked = [
        (LaneKind::Player, "players", Some(players)),
        (LaneKind::Spectator, "spectators", spectators),
    ];
    for (kind, who, door) in asked {
        let Some((address, referee)) = door else {
            continue;
        };
        match Door::open(kind, &address, &referee) {
            Ok((door, address)) => {
                ready.push_str(&format!(" {who}={address}"));
                lobby.push(door);
            }
            Err(error) => return broken(&format!("cannot listen on {address}"), &error),
        }
    }
    let admitting = Arc::clone(&proxy);
    std::thread::spawn(move || admitting.admit_all(&lobby));
    crate::cli::output::print(&ready);
    let mut status = Status::Conforms;
    let mut count = 0;
    while games.is_none_or(|games| count < games) {
        tokio::select! {
            Some(ended) = hear.recv() => {
                status = status.worse(ended);
                count += 1;
            }
            () = interrupt.come() => return proxy.interrupt(),
        }
    }
    status
}

/// Listener for one kind of participant, and the address that its connections are forwarded to.
struct Door {
    kind: LaneKind,
    listener: TcpListener,
    referee: String,
}

impl Door {
    fn open(kind: LaneKind, address: &str, referee: &str) -> io::Result<(Door, SocketAddr)> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        // Who has gone again before being let in does not hold up the others.
        listener.set_nonblocking(true)?;
        Ok((
            Door {
                kind,
                listener,
                referee: referee.to_owned(),
            },
            address,
        ))
    }
}

impl Proxy {
    /// Lets participants in for as long as the process lasts, one by one: of those who wait, players first, as they are let in whom a
    /// spectator has seen come.
    fn admit_all(self: &Arc<Self>, lobby: &[Door]) {
        loop {
            wait_for_any(lobby.iter().map(|door| &door.listener));
            for door in lobby {
                match door.listener.accept() {
                    Ok((stream, _)) => {
                        self.admit(door.kind, stream, &door.referee);
                        break;
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::ConnectionAborted | ErrorKind::Interrupted
                        ) => {}
                    Err(error) => {
                        // Too many open files, say: it gets better when somebody goes.
                        say(&format!("a connection could not be taken: {error}"));
                        std::thread::sleep(Duration::from_millis(100));
                    }
                }
            }
        }
    }

    /// Connects a participant to the referee, in the order in which they come.
    fn admit(self: &Arc<Self>, kind: LaneKind, participant: TcpStream, address: &str) {
        if let Err(error) = participant.set_nonblocking(false) {
            return say(&format!("a connection could not be taken: {error}"));
        }
        if self.connections.load(Ordering::SeqCst) >= MOST_AT_ONCE {
            say("a connection was refused: there are too many");
            return refuse(participant);
        }
        let referee = match TcpStream::connect(address) {
            Ok(referee) => referee,
            Err(error) => {
                say(&format!(
                    "the referee cannot be reached at {address}: {error}"
                ));
                return refuse(participant);
            }
        };
        let recorder = self.recorder(kind);
        let lane = recorder.open(kind);
        self.connections.fetch_add(1, Ordering::SeqCst);
        let proxy = Arc::clone(self);
        std::thread::spawn(move || {
            pass_connection(&participant, &referee, |direction, passing| {
                recorder.take(lane, direction, passing)
            });
            // Both ends see the end before the game is said to be over.
            drop((participant, referee));
            proxy.connections.fetch_sub(1, Ordering::SeqCst);
            if recorder.leave(lane) {
                proxy.end(&recorder);
            }
        });
    }

    /// The game that somebody comes to: the last begun, unless it is full or over; then a new one.
    fn recorder(&self, kind: LaneKind) -> Arc<PassiveRecorder> {
        let mut games = self.games();
        if let Some(last) = games.last() {
            // A game that a player has left is over, whoever still watches.
            let is_full = match kind {
                LaneKind::Player => last.recorder.players() == PLAYERS,
                LaneKind::Spectator => last.recorder.has_lost_a_player(),
            };
            if !is_full && !last.recorder.is_over() && last.recorder.size().1 < MOST_OF_A_GAME {
                return Arc::clone(&last.recorder);
            }
        }
        // Nobody knows who else will come.
        let recording = self.session.begin_anyway();
        let recorder = Arc::clone(&recording.recorder);
        games.push(recording);
        recorder
    }

    /// Ends a game that all participants have left.
    fn end(&self, recorder: &Arc<PassiveRecorder>) {
        let ended = {
            let mut games = self.games();
            let at = games
                .iter()
                .position(|game| Arc::ptr_eq(&game.recorder, recorder));
            at.map(|at| games.remove(at))
        };
        if let Some(recording) = ended {
            let _ = self.over.send(recording.finish());
        }
    }

    /// The user ends the games.
    fn interrupt(&self) -> Status {
        for recording in self.games().drain(..) {
            recording.recorder.interrupt();
            recording.finish();
        }
        Status::Interrupted
    }

    fn games(&self) -> MutexGuard<'_, Vec<Recording>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
