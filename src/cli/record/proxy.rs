//! `urtext record` as a proxy of a referee.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::session::{Session, broken, say};
use crate::cli::Status;
use crate::cli::interrupt::Interrupt;
use crate::cli::output::print;
use crate::engine::PassiveRecorder;
use crate::platform::{probe_output, wait_for_any};
use crate::protocol::LaneKind;
use crate::transport::{pass_connection, refuse};

/// The players of a game.
const PLAYERS: usize = 2;

/// The most connections that are passed on at once.
const MOST_AT_ONCE: usize = 1000;

/// The most connections that one game may have had.
const MOST_OF_A_GAME: usize = 4000;

/// Games that are passed on between their participants and a referee.
struct Proxy {
    session: Session,
    /// The games that are not over, the last begun last.
    games: Mutex<Vec<Arc<PassiveRecorder>>>,
    connections: AtomicUsize,
    /// Receives the status of every game that is over.
    over: UnboundedSender<Status>,
}

/// Passes connections on until so many games are over, or the user ends it. `spectators`: as `players`, the address to listen on and the
/// address of the referee.
pub(super) async fn serve(
    session: Session,
    players: (String, String),
    spectators: Option<(String, String)>,
    games: Option<u32>,
) -> io::Result<Status> {
    if let Err(error) = probe_output(&session.output) {
        return Ok(session.unwritable(&error));
    }
    let interrupt = Interrupt::listen()?;
    let (over, mut ended) = unbounded_channel();
    let mut ready = "listening".to_owned();
    let mut doors = Vec::new();
    let players = Some((LaneKind::Player, "players", players));
    let spectators = spectators.map(|doors| (LaneKind::Spectator, "spectators", doors));
    for (kind, who, (address, referee)) in players.into_iter().chain(spectators) {
        match Door::open(kind, &address, referee) {
            Ok((door, address)) => {
                ready += &format!(" {who}={address}");
                doors.push(door);
            }
            Err(error) => return Ok(broken(&format!("cannot listen on {address}"), &error)),
        }
    }
    let proxy = Arc::new(Proxy {
        session,
        games: Mutex::default(),
        connections: AtomicUsize::new(0),
        over,
    });
    let admitting = Arc::clone(&proxy);
    thread::spawn(move || admitting.admit_all(&doors));
    print(&ready);
    let (mut status, mut count) = (Status::Conforms, 0);
    while games.is_none_or(|games| count < games) {
        tokio::select! {
            Some(game) = ended.recv() => {
                status = status.worse(game);
                count += 1;
            }
            () = interrupt.come() => {
                for recorder in proxy.games().drain(..) {
                    recorder.interrupt();
                    proxy.session.finish(&recorder);
                }
                return Ok(Status::Interrupted);
            }
        }
    }
    Ok(status)
}

/// Listener for one kind of participant, and the address that its connections are forwarded to.
struct Door {
    kind: LaneKind,
    listener: TcpListener,
    referee: String,
}

impl Door {
    fn open(kind: LaneKind, address: &str, referee: String) -> io::Result<(Door, SocketAddr)> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        // Who has gone again before being let in does not hold up the others.
        listener.set_nonblocking(true)?;
        let door = Door {
            kind,
            listener,
            referee,
        };
        Ok((door, address))
    }
}

impl Proxy {
    /// Lets participants in for as long as the process lasts, one by one. Of those that wait, players come first: a referee lets a spectator
    /// in after the players whose connections the spectator has seen.
    fn admit_all(self: &Arc<Self>, doors: &[Door]) {
        loop {
            wait_for_any(doors.iter().map(|door| &door.listener));
            for door in doors {
                let accepted = door.listener.accept();
                match accepted.and_then(|(stream, _)| self.admit(door, stream)) {
                    Ok(()) => break,
                    Err(error) => match error.kind() {
                        ErrorKind::WouldBlock
                        | ErrorKind::ConnectionAborted
                        | ErrorKind::Interrupted => {}
                        _ => {
                            // With too many open files, say, the next attempt may succeed once a participant has left.
                            say(&format!("a connection could not be taken: {error}"));
                            thread::sleep(Duration::from_millis(100));
                        }
                    },
                }
            }
        }
    }

    /// Connects a participant to the referee.
    fn admit(self: &Arc<Self>, door: &Door, participant: TcpStream) -> io::Result<()> {
        participant.set_nonblocking(false)?;
        let (kind, address) = (door.kind, &door.referee);
        let reached = match self.connections.load(Ordering::SeqCst) < MOST_AT_ONCE {
            true => TcpStream::connect(address)
                .map_err(|error| format!("the referee cannot be reached at {address}: {error}")),
            false => Err("a connection was refused: there are too many".to_owned()),
        };
        let referee = match reached {
            Ok(referee) => referee,
            Err(reason) => {
                say(&reason);
                refuse(participant);
                return Ok(());
            }
        };
        let recorder = self.recorder(kind);
        let lane = recorder.open(kind);
        self.connections.fetch_add(1, Ordering::SeqCst);
        let proxy = Arc::clone(self);
        thread::spawn(move || {
            pass_connection(&participant, &referee, |direction, passing| {
                recorder.take(lane, direction, passing)
            });
            // Both ends see the end before the game is reported to be over.
            drop((participant, referee));
            proxy.connections.fetch_sub(1, Ordering::SeqCst);
            if recorder.leave(lane) {
                proxy.end(&recorder);
            }
        });
        Ok(())
    }

    /// The game that a participant joins: the last begun, or a new one if that is full or over.
    fn recorder(&self, kind: LaneKind) -> Arc<PassiveRecorder> {
        let mut games = self.games();
        if let Some(last) = games.last() {
            // A game that a player has left is over, whoever still watches.
            let is_full = match kind {
                LaneKind::Player => last.players() == PLAYERS,
                LaneKind::Spectator => last.has_lost_a_player(),
            };
            if !is_full && !last.is_over() && last.size().1 < MOST_OF_A_GAME {
                return Arc::clone(last);
            }
        }
        // The lanes are not known before their participants connect.
        let created = PassiveRecorder::create(&self.session.output, self.session.protocol, &[]);
        let recorder = created.unwrap_or_else(|error| {
            self.session.unwritable(&error);
            PassiveRecorder::unwritten(&self.session.output, error)
        });
        games.push(Arc::new(recorder));
        Arc::clone(&games[games.len() - 1])
    }

    /// Ends a game that all participants have left, unless the user has ended it.
    fn end(&self, recorder: &Arc<PassiveRecorder>) {
        let mut games = self.games();
        let place = games.iter().position(|game| Arc::ptr_eq(game, recorder));
        let ended = place.map(|place| games.remove(place));
        drop(games);
        if let Some(recorder) = ended {
            // Nobody counts the games of an interrupted command.
            let _ = self.over.send(self.session.finish(&recorder));
        }
    }

    fn games(&self) -> MutexGuard<'_, Vec<Arc<PassiveRecorder>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
