//! Resources that are prepared before a subject starts, and the endpoints that follow from them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use super::breakdown::Breakdown;
use super::endpoints::{Awaiting, Door, Endpoints, Entrant, Entry};
use super::greet::Greeting;
use super::ports::Ports;
use super::ready::{last_lines, ready};
use super::workspace::Workspace;

use crate::config::{Address, Arena, Captures, Entrance, Subject, Values, Way};
use crate::scenario::Side;
use crate::transport::coco::{Client, NewMatch};
use crate::transport::{
    Deadline, Input, Kept, Listener, NamedPipes, Patience, PipeNames, Process, Seats, Shared, Wire,
};

/// The environment variables in which a bot is told its named pipes: what it reads and what it writes.
const BOT_PIPES: [&str; 2] = ["COCO_PIPEIN", "COCO_PIPEOUT"];

/// Longest time to read the remaining output of a subject that has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Resources that are prepared before a subject starts.
#[derive(Debug)]
pub(in crate::engine) struct Plan {
    lanes: Vec<Lane>,
    /// Further variables of its environment.
    pub(in crate::engine) environment: Vec<(String, String)>,
    seats: Option<Seats>,
    ports: Option<Ports>,
    /// The match that is created as soon as the server can be reached.
    new_match: Option<NewMatch>,
    deadline: Deadline,
    budget: Duration,
    patience: Patience,
}

/// One lane, and what has been made for it.
#[derive(Debug)]
struct Lane {
    name: String,
    /// The name of whoever plays there.
    own_name: String,
    way: Way,
    is_player: bool,
    greeting: Greeting,
    listener: Option<Listener>,
    pipes: Option<NamedPipes>,
}

impl Plan {
    /// Makes what the ways to these lanes need, and fills the places for it.
    pub(in crate::engine) async fn make(
        subject: &Subject,
        (players, spectators): (usize, usize),
        values: &mut Values,
        workspace: &mut Workspace,
        program: Option<&PathBuf>,
        (deadline, budget, patience): (Deadline, Duration, Patience),
    ) -> Result<Plan, Breakdown> {
        let mut plan = Plan {
            lanes: lanes(subject, players, spectators, values),
            environment: Vec::new(),
            seats: None,
            ports: None,
            new_match: new_match(subject, values),
            deadline,
            budget,
            patience,
        };
        plan.choose_ports(subject, values)?;
        plan.listen(values).await?;
        plan.make_pipes(subject.side, values, workspace)?;
        plan.wait_for_seats(values, workspace, program)?;
        Ok(plan)
    }

    /// Returns the standard input that the subject needs.
    pub(in crate::engine) fn input(&self) -> Input {
        let is_piped = self
            .lanes
            .iter()
            .any(|lane| matches!(lane.way, Way::Stdio | Way::LanesOnStdio));
        if is_piped {
            Input::Piped
        } else {
            Input::Nothing
        }
    }

    /// Two ports are chosen wherever one is: which of them is used, the subject's command says.
    fn choose_ports(&mut self, subject: &Subject, values: &mut Values) -> Result<(), Breakdown> {
        if !subject.is_told_a_port() {
            return Ok(());
        }
        let ports = Ports::choose(2).map_err(Breakdown::Port)?;
        values.insert("port", ports.number(0).to_string());
        values.insert("spectator_port", ports.number(1).to_string());
        self.ports = Some(ports);
        Ok(())
    }

    async fn listen(&mut self, values: &mut Values) -> Result<(), Breakdown> {
        for lane in self.lanes.iter_mut().filter(|lane| lane.way == Way::Accept) {
            let listener = Listener::open().await.map_err(Breakdown::Port)?;
            values.insert("host", listener.address().ip().to_string());
            values.insert("port", listener.address().port().to_string());
            lane.listener = Some(listener);
        }
        Ok(())
    }

    fn make_pipes(
        &mut self,
        side: Side,
        values: &mut Values,
        workspace: &mut Workspace,
    ) -> Result<(), Breakdown> {
        let mut watching = Vec::new();
        for lane in self
            .lanes
            .iter_mut()
            .filter(|lane| lane.way == Way::NamedPipes)
        {
            let output = workspace.place(&format!("{}.out", lane.name))?;
            let shown = output.to_string_lossy().into_owned();
            let input = match lane.is_player {
                true => Some(workspace.place(&format!("{}.in", lane.name))?),
                false => None,
            };
            if let Some(input) = &input {
                let shown_input = input.to_string_lossy().into_owned();
                if side == Side::Bot {
                    values.insert("pipe_in", shown_input.clone());
                    values.insert("pipe_out", shown.clone());
                    let paths = [shown_input, shown.clone()];
                    self.environment
                        .extend(BOT_PIPES.map(str::to_owned).into_iter().zip(paths));
                } else {
                    values.insert(format!("pipe_in_{}", lane.name), shown_input);
                    values.insert(format!("pipe_out_{}", lane.name), shown.clone());
                }
            } else {
                watching.push(shown);
            }
            lane.pipes = Some(NamedPipes::make(&PipeNames { input, output })?);
        }
        values.insert_list("pipe_out_spectators", watching);
        Ok(())
    }

    fn wait_for_seats(
        &mut self,
        values: &mut Values,
        workspace: &mut Workspace,
        program: Option<&PathBuf>,
    ) -> Result<(), Breakdown> {
        let names: Vec<_> = self
            .lanes
            .iter()
            .filter(|lane| lane.way == Way::Seats)
            .map(|lane| lane.name.clone())
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        let program = program
            .ok_or(Breakdown::NoProgram)?
            .to_string_lossy()
            .into_owned();
        let path = workspace.place("seats")?;
        let seats = Seats::open(&path, names.iter().cloned()).map_err(Breakdown::Socket)?;
        let socket = path.to_string_lossy().into_owned();
        let mut watching = Vec::new();
        for lane in self.lanes.iter().filter(|lane| lane.way == Way::Seats) {
            let words = [
                "seat",
                &lane.name,
                "--socket",
                &socket,
                "--token",
                seats.token(),
            ];
            let words: Vec<_> = std::iter::once(program.clone())
                .chain(words.into_iter().map(str::to_owned))
                .collect();
            let line = shell_words::join(&words);
            if lane.is_player {
                values.insert(format!("seat_{}", lane.name), line);
                values.insert_list(format!("seat_{}", lane.name), words);
            } else {
                watching.push(line);
            }
        }
        values.insert_list("seat_spectators", watching);
        self.environment.extend([
            ("URTEXT_SEAT_SOCKET".to_owned(), socket),
            ("URTEXT_SEAT_TOKEN".to_owned(), seats.token().to_owned()),
        ]);
        self.seats = Some(seats);
        Ok(())
    }

    /// The doors to the lanes, once the subject has said that it can be reached.
    pub(in crate::engine) async fn endpoints(
        self,
        subject: &Subject,
        mut process: Option<&mut Process>,
    ) -> Result<Endpoints, Breakdown> {
        let (input, deadline, patience) = (self.input(), self.deadline.clone(), self.patience);
        let mut own = None;
        let mut shared = None;
        let mut captures = Captures::new();
        if let Some(process) = process.as_deref_mut() {
            let stdout = process.take_stdout().expect("standard output is a pipe");
            match process.take_stdin().filter(|_| input == Input::Piped) {
                Some(stdin) if self.lanes.iter().any(|lane| lane.way == Way::LanesOnStdio) => {
                    let names = self.lanes.iter().map(|lane| lane.name.clone());
                    let stderr = process.stderr();
                    let others = move |line: &[u8]| stderr.push(&[line, b"\n"].concat());
                    shared = Some(Arc::new(Mutex::new(Shared::new(
                        stdout, stdin, names, others,
                    ))));
                }
                Some(stdin) => own = Some(Wire::pipes(stdout, stdin)),
                None => {
                    captures = self
                        .reached(subject, process, Kept::keeping(stdout))
                        .await?
                }
            }
        }
        let numbers = self
            .ports
            .as_ref()
            .map(|ports| [ports.number(0), ports.number(1)]);
        let players = address(&subject.players, numbers, &captures, "players");
        let id = match (&self.new_match, &players) {
            (Some(new), Ok(server)) => {
                let who = subject.side.word();
                unless_ended(process, who, async {
                    Ok(Client::connect(server, patience, deadline.clone())
                        .await?
                        .create(new)
                        .await?)
                })
                .await?
            }
            _ => String::new(),
        };
        let mut endpoints = Vec::new();
        for lane in self.lanes {
            let door = match &lane.way {
                Way::Connect(to) if lane.is_player || matches!(to, Address::Players) => {
                    Door::Connect(players.clone().map_err(Breakdown::NoAddress)?)
                }
                Way::Connect(_) => match &subject.spectators {
                    Some(entrance) => {
                        let address = address(entrance, numbers, &captures, "spectators");
                        Door::Connect(address.map_err(Breakdown::NoAddress)?)
                    }
                    None => Door::Closed,
                },
                Way::Coco(arena) => Door::Match(Entry {
                    server: players.clone().map_err(Breakdown::NoAddress)?,
                    id: id.clone(),
                    who: match lane.is_player {
                        true => Entrant::Player {
                            name: lane.own_name,
                            arena: arena.clone(),
                        },
                        false => Entrant::Spectator,
                    },
                }),
                Way::Stdio => own.take().map_or(Door::Closed, Door::Ready),
                Way::Seats => Door::Seat(lane.name),
                Way::LanesOnStdio => Door::Shared,
                Way::Accept => match lane.listener {
                    Some(listener) => {
                        let deadline = deadline.clone();
                        awaited(async move { Ok(listener.accept(deadline).await?) })
                    }
                    None => Door::Closed,
                },
                Way::NamedPipes => match lane.pipes {
                    Some(pipes) => {
                        let deadline = deadline.clone();
                        awaited(async move { Ok(pipes.open(deadline).await?) })
                    }
                    None => Door::Closed,
                },
            };
            endpoints.push((door, lane.greeting));
        }
        let mut endpoints = Endpoints::new(endpoints);
        (
            endpoints.seats,
            endpoints.shared,
            endpoints._ports,
            endpoints.patience,
        ) = (self.seats, shared, self.ports, patience);
        Ok(endpoints)
    }

    /// Waits until a subject that is not reached by its standard streams says that it can be reached, where it does.
    async fn reached(
        &self,
        subject: &Subject,
        process: &mut Process,
        stdout: Kept,
    ) -> Result<Captures, Breakdown> {
        let pattern = subject
            .program
            .as_ref()
            .and_then(|program| program.ready.as_ref());
        let is_printed = |entrance: &Entrance| entrance.way.address() == Some(&Address::Printed);
        let has_to_print =
            is_printed(&subject.players) || subject.spectators.as_ref().is_some_and(is_printed);
        if pattern.is_none() && !has_to_print {
            return Ok(Captures::new());
        }
        let stderr = process.stderr();
        let said = || ready(pattern, (&stdout, &stderr), (&self.deadline, self.budget));
        let ended = tokio::select! {
            captures = said() => return captures,
            ended = process.ended() => ended,
        };
        // A subject that has printed and ended in one breath is judged by what it printed, which may be read only now.
        match timeout(LAST_WORDS, said()).await {
            Ok(captures) => captures,
            Err(_) => {
                let (who, status) = (subject.side.word(), ended.status);
                Err(match pattern {
                    Some(pattern) => {
                        let (pattern, printed) = (pattern.text().to_owned(), last_lines(&stdout));
                        Breakdown::EndedUnready {
                            who,
                            pattern,
                            status,
                            printed,
                        }
                    }
                    None => Breakdown::Ended { who, status },
                })
            }
        }
    }
}

/// Does something for as long as a started subject lives.
async fn unless_ended<T>(
    process: Option<&mut Process>,
    who: &'static str,
    doing: impl Future<Output = Result<T, Breakdown>>,
) -> Result<T, Breakdown> {
    let Some(process) = process else {
        return doing.await;
    };
    tokio::select! {
        biased;
        done = doing => done,
        ended = process.ended() => Err(Breakdown::Ended { who, status: ended.status }),
    }
}

fn awaited(opening: impl Future<Output = Result<Wire, Breakdown>> + Send + 'static) -> Door {
    // It begins now: in which order a subject opens its ends must not matter.
    Door::Awaited(Awaiting(tokio::spawn(opening)))
}

fn lanes(subject: &Subject, players: usize, spectators: usize, values: &Values) -> Vec<Lane> {
    let lane = |name: String, own_name: String, entrance: &Entrance, is_player: bool| {
        let mut values = values.clone();
        values.insert("name", own_name.clone());
        let greeting = Greeting {
            say: entrance.say.iter().map(|word| word.fill(&values)).collect(),
            expect: entrance.expect.clone(),
        };
        let way = entrance.way.clone();
        Lane {
            name,
            own_name,
            way,
            is_player,
            greeting,
            listener: None,
            pipes: None,
        }
    };
    let player = |number: usize| {
        let name = player_name(number);
        let own_name = Some(values.text(&name))
            .filter(|own| !own.is_empty())
            .unwrap_or(&name)
            .to_owned();
        lane(name, own_name, &subject.players, true)
    };
    let mut lanes: Vec<_> = (0..players).map(player).collect();
    if let Some(entrance) = &subject.spectators {
        lanes.extend((1..=spectators).map(|number| {
            let name = format!("spectator{number}");
            lane(name.clone(), name, entrance, false)
        }));
    }
    lanes
}

/// The match for the game, where there is to be one.
fn new_match(subject: &Subject, values: &Values) -> Option<NewMatch> {
    let Way::Coco(Arena {
        title, password, ..
    }) = &subject.players.way
    else {
        return None;
    };
    // What is not said is as usual there.
    let pace = Some(values.text("pace")).filter(|pace| !pace.is_empty());
    Some(NewMatch {
        title: title.clone().unwrap_or_else(|| "urtext".to_owned()),
        game: values.text("game").to_owned(),
        timeout: values.text("timeout").parse().ok(),
        pace: pace.map(str::to_owned),
        password: password.clone(),
    })
}

/// The name of a player's lane, where lanes need names before anybody has a seat.
fn player_name(number: usize) -> String {
    match number {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        _ => format!("player{}", number + 1),
    }
}

/// Returns the address that players or spectators connect to.
fn address(
    entrance: &Entrance,
    ports: Option<[u16; 2]>,
    captures: &Captures,
    who: &'static str,
) -> Result<String, &'static str> {
    let is_players = who == "players";
    let local = |port: &str| format!("127.0.0.1:{port}");
    let printed_port = captures.get(if is_players { "port" } else { "spectator_port" });
    let printed = captures
        .get(who)
        .cloned()
        .or_else(|| printed_port.map(|port| local(port)));
    match &entrance.way {
        Way::Connect(Address::At(address))
        | Way::Coco(Arena {
            address: Address::At(address),
            ..
        }) => Ok(address.clone()),
        Way::Connect(Address::Chosen)
        | Way::Coco(Arena {
            address: Address::Chosen,
            ..
        }) => {
            let ports = ports.ok_or(who)?;
            Ok(local(&ports[usize::from(!is_players)].to_string()))
        }
        Way::Connect(Address::Printed | Address::Players) | Way::Coco(_) => printed.ok_or(who),
        _ => Err(who),
    }
}
