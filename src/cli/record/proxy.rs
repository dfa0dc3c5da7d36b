//! `urtext record` as a proxy of a referee.

use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
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
use crate::platform::probe_output;
use crate::protocol::LaneKind;
use crate::transport::{pass_connection, refuse};

/// The players of a game.
const PLAYERS: usize = 2;

/// The most connections that are passed on at once.
const MOST_AT_ONCE: usize = 1000;

/// Games that are passed on between their players and a referee.
struct Proxy {
    session: Session,
    /// The address of the referee.
    referee: String,
    /// The games that are not over, the last begun last.
    games: Mutex<Vec<Arc<PassiveRecorder>>>,
    connections: AtomicUsize,
    /// Receives the status of every game that is over.
    over: UnboundedSender<Status>,
}

/// Passes connections on until so many games are over, or the user ends it. `address`: where it listens. `referee`: where it connects.
///
/// # Errors
/// The exit status, after printing why nothing is recorded.
pub(super) async fn serve(
    session: Session,
    interrupt: &Interrupt,
    address: &str,
    referee: String,
    games: Option<u32>,
) -> Result<Status, Status> {
    probe_output(&session.output).map_err(|error| session.unwritable(&error))?;
    let opened = TcpListener::bind(address).and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    let cannot_listen = |error| broken(&format!("cannot listen on {address}"), &error);
    let (listener, address) = opened.map_err(cannot_listen)?;
    let (over, mut ended) = unbounded_channel();
    let proxy = Arc::new(Proxy {
        session,
        referee,
        games: Mutex::default(),
        connections: AtomicUsize::new(0),
        over,
    });
    let admitting = Arc::clone(&proxy);
    thread::spawn(move || admitting.admit_all(&listener));
    print(&format!("listening players={address}"));
    let (mut status, mut count) = (Status::Conforms, 0);
    while games.is_none_or(|games| count < games) {
        tokio::select! {
            Some(game) = ended.recv() => {
                status = status.max(game);
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

impl Proxy {
    /// Lets players in for as long as the process lasts, one by one.
    fn admit_all(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            let Err(error) = stream.map(|stream| self.admit(stream)) else {
                continue;
            };
            if !matches!(
                error.kind(),
                ErrorKind::ConnectionAborted | ErrorKind::Interrupted
            ) {
                // With too many open files, say, the next attempt may succeed once a player has left.
                say(&format!("a connection could not be taken: {error}"));
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    /// Connects a player to the referee.
    fn admit(self: &Arc<Self>, player: TcpStream) {
        let address = &self.referee;
        let reached = match self.connections.load(Ordering::SeqCst) < MOST_AT_ONCE {
            true => TcpStream::connect(address)
                .map_err(|error| format!("the referee cannot be reached at {address}: {error}")),
            false => Err("a connection was refused: there are too many".to_owned()),
        };
        let referee = match reached {
            Ok(referee) => referee,
            Err(reason) => {
                say(&reason);
                return refuse(player);
            }
        };
        let recorder = self.recorder();
        let lane = recorder.open(LaneKind::Player);
        self.connections.fetch_add(1, Ordering::SeqCst);
        let proxy = Arc::clone(self);
        thread::spawn(move || {
            pass_connection(&player, &referee, |direction, passing| {
                recorder.take(lane, direction, passing)
            });
            // Both ends see the end before the game is reported to be over.
            drop((player, referee));
            proxy.connections.fetch_sub(1, Ordering::SeqCst);
            if recorder.leave(lane) {
                proxy.end(&recorder);
            }
        });
    }

    /// The game that a player joins: the last begun, or a new one if that is full or over.
    fn recorder(&self) -> Arc<PassiveRecorder> {
        let mut games = self.games();
        let last = games.last();
        if let Some(last) = last.filter(|last| last.size().1 < PLAYERS && !last.is_over()) {
            return Arc::clone(last);
        }
        // The lanes are not known before the players connect.
        let created = PassiveRecorder::create(&self.session.output, self.session.protocol, &[]);
        let recorder = created.unwrap_or_else(|error| {
            self.session.unwritable(&error);
            PassiveRecorder::unwritten(&self.session.output, error)
        });
        games.push(Arc::new(recorder));
        Arc::clone(&games[games.len() - 1])
    }

    /// Ends a game that all players have left, unless the user has ended it.
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
