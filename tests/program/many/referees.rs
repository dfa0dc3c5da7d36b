//! Built-in referees inside the test, one for each game.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::Barrier;
use urtext::config::{Address, RollHook, Subject, Way};
use urtext::games::royalur::CodeColosseum;
use urtext::pack::Protocol;
use urtext::peers::{Conditions, Participants, Referee};
use urtext::protocol::GameEvent;
use urtext::rules::PerSeat;
use urtext::scenario::Side;
use urtext::transport::Wire;

/// The lanes of a game: two players and a spectator, in the order in which they connect.
pub(crate) const LANES: usize = 3;

/// Referees that wait for their players.
pub(crate) struct Referees {
    pub subjects: Vec<Arc<Subject>>,
    conducting: JoinHandle<Vec<Option<GameEvent>>>,
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

    /// Waits until all games are over, and returns their last events.
    pub(crate) fn join(self) -> Vec<Option<GameEvent>> {
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

fn conduct_all(lobby: Vec<TcpListener>, timeout: Duration) -> Vec<Option<GameEvent>> {
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
                setup: None,
                seed: number as u64,
            };
            let mut referee = Referee::new(&CodeColosseum, &conditions);
            let begin = Arc::clone(&begin);
            games.push(tokio::spawn(async move {
                let participants = gather(door).await;
                begin.wait().await;
                referee.conduct(participants).await.0
            }));
        }
        let mut conducted = Vec::new();
        for game in games {
            conducted.push(game.await.unwrap());
        }
        conducted
    })
}

async fn gather(door: TcpListener) -> Participants {
    door.set_nonblocking(true).unwrap();
    let door = tokio::net::TcpListener::from_std(door).unwrap();
    let mut lanes = Vec::new();
    for _ in 0..LANES {
        let (stream, _) = door.accept().await.unwrap();
        lanes.push(Wire::tcp(stream));
    }
    let bots = Vec::new();
    Participants { lanes, bots }
}
