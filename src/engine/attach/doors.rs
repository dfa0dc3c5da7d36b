//! Doors to the lanes of one game: what each needs before the subject starts, and its opening, at the start or later.

use std::fmt::Display;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use futures_util::future::try_join_all;

use super::super::stored_match::StoredMatch;
use super::exchange::Greeting;
use super::workspace::{Given, Ports};
use crate::config::{Address, Arena, Captures, Entrance, Subject, Values, Way};
use crate::scenario::Side;
use crate::transport::coco::{Client, Notices};
use crate::transport::{
    Breakdown, Deadline, Listener, NamedPipes, Patience, Process, SAY_WHERE, Seat, SharedLane,
    Wire, connect,
};

/// Environment variables with the paths of a bot's named pipes: the one that it reads, and the one that it writes.
const BOT_PIPES: [&str; 2] = ["COCO_PIPEIN", "COCO_PIPEOUT"];

/// A lane that is being opened; it borrows nothing, so that the game goes on meanwhile.
pub(crate) type Opening = Pin<Box<dyn Future<Output = Result<Wire, Breakdown>> + Send>>;

/// The doors to the lanes of one game: players first, then spectators, as lanes are numbered.
pub(crate) struct Endpoints {
    lanes: Vec<Lane>,
    ports: Option<Ports>,
    /// Reaction to a refused connection, and what to look at then.
    patience: Patience,
    check: &'static str,
    /// Remarks on the lanes, other than their bytes.
    pub(crate) notices: Notices,
    /// The match, on a server that stores it.
    pub(crate) stored: Option<StoredMatch>,
}

/// The way to one lane.
struct Lane {
    name: String,
    /// The name of whoever plays there.
    own_name: String,
    way: Way,
    is_player: bool,
    greeting: Greeting,
    door: Door,
}

/// The way to open a lane. An address can be connected to several times; everything else opens once.
#[derive(Default)]
enum Door {
    /// Not there yet, or opened.
    #[default]
    None,
    /// urtext connects to this address.
    Address(String),
    /// urtext joins a match, or watches it. For a player: the name, and the password of the match.
    Match(StoredMatch, Option<(String, Option<String>)>),
    /// The subject connects.
    Listener(Listener),
    /// The subject opens its ends of named pipes.
    Pipes(NamedPipes),
    /// The subject starts a relay.
    Seat(Seat),
    /// The lane shares the subject's standard streams.
    Shared(SharedLane),
    /// It is open.
    Wire(Wire),
}

impl Door {
    /// When urtext opens it, among the doors that it opens when it likes: players of a match come last, since the game begins without a
    /// wait for spectators as soon as they are all there. `None`: the subject opens it when it likes.
    fn turn(&self) -> Option<bool> {
        match self {
            Door::Address(_) => Some(false),
            Door::Match(_, player) => Some(player.is_some()),
            _ => None,
        }
    }
}

impl Endpoints {
    /// Makes what the ways to the lanes of a game need before the subject starts, and gives it to the subject. `program`: urtext itself, which
    /// relays seats.
    pub(super) async fn make(
        subject: &Subject,
        lanes: (usize, usize),
        patience: Patience,
        given: &mut Given,
        program: Option<&PathBuf>,
    ) -> Result<Endpoints, Breakdown> {
        let mut lanes = self::lanes(subject, lanes, &given.values);
        let mut ports = None;
        // Two ports are chosen wherever one is: which of them is used, the subject's command says.
        if subject.is_told_a_port() {
            let chosen = ports.insert(Ports::choose(2).map_err(Breakdown::no_port)?);
            for (place, name) in ["port", "spectator_port"].into_iter().enumerate() {
                given.values.insert(name, chosen.number(place).to_string());
            }
        }
        for lane in &mut lanes {
            lane.door = match lane.way {
                Way::Accept => accept(&mut given.values).await?,
                Way::NamedPipes => lane.make_pipes(subject.side, given)?,
                Way::Seats => lane.take_seat(given, program)?,
                _ => Door::None,
            };
        }
        Ok(Endpoints {
            lanes,
            ports,
            patience,
            check: match subject.program {
                Some(_) => {
                    "have it listen there: {port} and {spectator_port} in its command are the ports that urtext chose"
                }
                None => "check the address, and that it is the one the subject uses",
            },
            notices: Notices::default(),
            stored: None,
        })
    }

    /// Returns true if the subject needs a standard input.
    pub(super) fn have_input(&self) -> bool {
        let is_piped = |lane: &Lane| matches!(lane.way, Way::Stdio | Way::LanesOnStdio);
        self.lanes.iter().any(is_piped)
    }

    /// Takes the standard streams of a subject that has started: as lanes, or to read there that it can be reached.
    pub(super) fn take_streams(&mut self, process: &mut Process) {
        let Some(stdin) = process.take_stdin() else {
            return process.keep_stdout();
        };
        let stdout = process.take_stdout().expect("standard output is a pipe");
        let mut lanes = self.lanes.iter_mut();
        if let Some(lane) = lanes.find(|lane| lane.way == Way::Stdio) {
            lane.door = Door::Wire(Wire::Pipes(stdout, Some(stdin)));
            return;
        }
        let lanes = self.lanes.iter_mut();
        let sharing: Vec<_> = lanes.filter(|lane| lane.way == Way::LanesOnStdio).collect();
        let names = sharing.iter().map(|lane| lane.name.clone());
        let stderr = process.stderr();
        let others = move |line: &[u8]| stderr.push(&[line, b"\n"].concat());
        let shared = SharedLane::all(stdout, stdin, names, others);
        for (lane, shared) in sharing.into_iter().zip(shared) {
            lane.door = Door::Shared(shared);
        }
    }

    /// Makes the doors at which urtext comes, once the subject can be reached. `captures`: what it has printed.
    pub(super) async fn reach(
        &mut self,
        subject: &Subject,
        given: &Given,
        captures: &Captures,
        deadline: &Deadline,
    ) -> Result<(), Breakdown> {
        if let Way::Coco(arena) = &subject.players.way {
            let server = self.address(subject, &subject.players.way, true, captures)?;
            let mut client = Client::connect(&server, self.patience, deadline.clone()).await?;
            let id = client.create(arena, &given.values).await?;
            self.stored = Some(StoredMatch { server, id });
        }
        for number in 0..self.lanes.len() {
            let lane = &self.lanes[number];
            let door = match &lane.way {
                way @ Way::Connect(_) => {
                    Door::Address(self.address(subject, way, lane.is_player, captures)?)
                }
                Way::Coco(Arena { password, .. }) => {
                    let stored = self.stored.clone().ok_or_else(Breakdown::no_way)?;
                    let player = (lane.own_name.clone(), password.clone());
                    Door::Match(stored, lane.is_player.then_some(player))
                }
                _ => continue,
            };
            self.lanes[number].door = door;
        }
        Ok(())
    }

    /// Returns the address that players or spectators connect to.
    fn address(
        &self,
        subject: &Subject,
        way: &Way,
        is_player: bool,
        captures: &Captures,
    ) -> Result<String, Breakdown> {
        let (way, is_player) = match way.address() {
            Some(Address::Players) => (&subject.players.way, true),
            _ => (way, is_player),
        };
        let (place, who, port) = match is_player {
            true => (0, "players", "port"),
            false => (1, "spectators", "spectator_port"),
        };
        let here = |port: &dyn Display| format!("127.0.0.1:{port}");
        let found = match (way.address(), &self.ports) {
            (Some(Address::At(address)), _) => Some(address.clone()),
            (Some(Address::Chosen), Some(ports)) => Some(here(&ports.number(place))),
            _ => {
                let port = captures.get(port).map(|port| here(port));
                captures.get(who).cloned().or(port)
            }
        };
        found.ok_or_else(|| {
            let title = format!("the subject did not print where {who} connect");
            Breakdown::new(title, SAY_WHERE)
        })
    }

    /// Opens a lane until the deadline, when and in which order the caller likes. A lane at which urtext connects can be opened again.
    pub(crate) fn open(&mut self, lane: usize, deadline: impl Into<Deadline>) -> Opening {
        let Some(lane) = self.lanes.get_mut(lane) else {
            return Box::pin(ready(Err(Breakdown::no_way())));
        };
        let door = match &lane.door {
            Door::Address(address) => Door::Address(address.clone()),
            _ => std::mem::take(&mut lane.door),
        };
        let (greeting, deadline) = (lane.greeting.clone(), deadline.into());
        let (patience, check, notices) = (self.patience, self.check, self.notices.clone());
        Box::pin(async move {
            let until = deadline.clone();
            let wire = match door {
                Door::None => return Err(Breakdown::no_way()),
                Door::Address(address) => {
                    let connected = connect(&address, patience, until).await;
                    connected.map_err(|error| Breakdown::too_late(&error, check).of(error.kind))?
                }
                Door::Match(StoredMatch { server, id }, player) => {
                    let client = Client::connect(&server, patience, until).await?;
                    match player {
                        Some((name, password)) => {
                            let password = password.as_deref();
                            client.join(&id, &name, password, notices).await?
                        }
                        None => client.spectate(&id, notices).await?,
                    }
                }
                Door::Listener(listener) => listener.accept_one(until).await?,
                Door::Pipes(pipes) => pipes.open(until).await?,
                Door::Seat(seat) => seat.accept(until).await?,
                Door::Shared(shared) => shared.open().await,
                Door::Wire(wire) => wire,
            };
            greeting.exchange(wire, &deadline).await
        })
    }

    /// Opens these lanes. urtext connects to its own one after the other, in this order. It waits for the subject at the others meanwhile: a
    /// subject may come to them before it accepts a connection, or after that.
    pub(super) async fn open_all(
        &mut self,
        lanes: &[usize],
        deadline: &Deadline,
    ) -> Result<Vec<Wire>, Breakdown> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for (place, &lane) in lanes.iter().enumerate() {
            let turn = self.lanes.get(lane).and_then(|lane| lane.door.turn());
            let opening = self.open(lane, deadline.clone());
            let opening = async move { Ok::<_, Breakdown>((place, opening.await?)) };
            match turn {
                Some(turn) => ours.push((turn, opening)),
                None => theirs.push(opening),
            }
        }
        ours.sort_by_key(|(turn, _)| *turn);
        let ours = async {
            let mut wires = Vec::new();
            for (_, opening) in ours {
                wires.push(opening.await?);
            }
            Ok(wires)
        };
        let (mut wires, theirs) = tokio::try_join!(ours, try_join_all(theirs))?;
        wires.extend(theirs);
        wires.sort_by_key(|(place, _)| *place);
        Ok(wires.into_iter().map(|(_, wire)| wire).collect())
    }
}

impl Lane {
    fn make_pipes(&self, side: Side, given: &mut Given) -> Result<Door, Breakdown> {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let name = &self.name;
        let output = given.workspace.place(&format!("{name}.out"))?;
        let mut input = None;
        if self.is_player {
            let input = input.insert(given.workspace.place(&format!("{name}.in"))?);
            let pipes = [shown(input), shown(&output)];
            let of_lane = match side {
                Side::Referee => format!("_{name}"),
                Side::Bot => String::new(),
            };
            for (place, pipe) in ["pipe_in", "pipe_out"].iter().zip(&pipes) {
                given.values.insert(format!("{place}{of_lane}"), pipe);
            }
            if side == Side::Bot {
                let names = BOT_PIPES.map(str::to_owned);
                given.environment.extend(names.into_iter().zip(pipes));
            }
        } else {
            let output = [shown(&output)];
            given.values.extend_list("pipe_out_spectators", output);
        }
        Ok(Door::Pipes(NamedPipes::make(input, &output)?))
    }

    /// Waits for the relay that the subject starts at this seat.
    fn take_seat(&self, given: &mut Given, program: Option<&PathBuf>) -> Result<Door, Breakdown> {
        let program = program.ok_or_else(Breakdown::unknown_program)?;
        let folder = given.workspace.place("")?;
        let seat = Seat::open(&folder, &self.name).map_err(|error| {
            Breakdown::no_file("there is no socket for the seats of the game", &error)
        })?;
        let [program, sockets] = [program, &folder].map(|path| path.to_string_lossy().into_owned());
        let words = [&program, "seat", &self.name, "--sockets", &sockets];
        let line = shell_words::join(words);
        if self.is_player {
            let name = format!("seat_{}", self.name);
            given.values.extend_list(&name, words.map(str::to_owned));
            given.values.insert(name, line);
        } else {
            given.values.extend_list("seat_spectators", [line]);
        }
        let variable = ("URTEXT_SEATS".to_owned(), sockets);
        given.environment.push(variable);
        Ok(Door::Seat(seat))
    }
}

/// Waits for a bot that connects, at a free port.
async fn accept(values: &mut Values) -> Result<Door, Breakdown> {
    let listener = Listener::open("127.0.0.1:0").await;
    let listener = listener.map_err(Breakdown::no_port)?;
    values.insert("host", listener.address().ip().to_string());
    values.insert("port", listener.address().port().to_string());
    Ok(Door::Listener(listener))
}

fn lanes(subject: &Subject, (players, spectators): (usize, usize), values: &Values) -> Vec<Lane> {
    let lane = |name: String, entrance: &Entrance, is_player| {
        let own_name = Some(values.text(&name)).filter(|own| !own.is_empty());
        let own_name = own_name.unwrap_or(&name).to_owned();
        let mut values = values.clone();
        values.insert("name", &*own_name);
        Lane {
            name,
            own_name,
            way: entrance.way.clone(),
            is_player,
            greeting: Greeting {
                say: entrance.say.iter().map(|word| word.fill(&values)).collect(),
                expect: entrance.expect.clone(),
            },
            door: Door::None,
        }
    };
    let players = 0..players;
    let players = players.map(|number| lane(player_name(number), &subject.players, true));
    let mut lanes: Vec<_> = players.collect();
    if let Some(entrance) = &subject.spectators {
        let names = (1..=spectators).map(|number| format!("spectator{number}"));
        lanes.extend(names.map(|name| lane(name, entrance, false)));
    }
    lanes
}

/// The name of a player's lane, where lanes need names before anybody has a seat.
fn player_name(number: usize) -> String {
    match number {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        _ => format!("player{}", number + 1),
    }
}
