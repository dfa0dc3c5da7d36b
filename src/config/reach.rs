//! Transports of a subject's lanes, and the rules that derive them from a description.

use super::{Arena, CocoUrl, Program, UrlPattern, Word};
use crate::diagnostic::Problem;
use crate::scenario::{Leaving, Side};
use crate::yaml::Words;

/// Transport of the lanes of the players, or of the spectators, and the exchange on connecting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrance {
    /// The way to each lane.
    pub way: Way,
    /// Lines that are said on a lane as soon as it is there, before the game.
    pub say: Vec<Word>,
    /// The subject's replies to these lines, in order.
    pub expect: Vec<UrlPattern>,
}

impl From<Way> for Entrance {
    fn from(way: Way) -> Entrance {
        Entrance {
            way,
            say: Vec::new(),
            expect: Vec::new(),
        }
    }
}

/// The way to a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The subject listens, and urtext connects over TCP.
    Connect(Address),
    /// The subject connects to urtext over TCP.
    Accept,
    /// The standard input and output of the subject are its one lane.
    Stdio,
    /// A named pipe for each direction of each lane.
    NamedPipes,
    /// The referee starts its players itself, by commands that lead back to urtext.
    Seats,
    /// A server of matches: one is created for every game, and everybody joins it.
    Coco(Arena),
    /// All lanes share the standard input and output of the subject, and each line says which lane it belongs to.
    LanesOnStdio,
}

/// Address of a listening subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Here, `HOST:PORT`.
    At(String),
    /// At a free port that urtext chooses and fills in.
    Chosen,
    /// At a port that the subject chooses and prints.
    Printed,
    /// At the players' address.
    Players,
}

/// An action on a lane other than sending lines; some transports lack some actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// Disconnect in this way. After a reset, what is under way is lost.
    Leave(Leaving),
    /// Open the lane when the game has begun already, or the lanes in an order of one's own.
    ComeWhenItLikes,
    /// Leave unread what the subject writes, until it cannot write more.
    LeaveUnread,
}

/// A way to a subject, as `reach` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The subject listens.
    Listens,
    /// The subject connects to urtext.
    Connects,
    /// Over its standard input and output.
    Stdio,
    /// By named pipes.
    NamedPipes,
    /// The referee starts its players.
    Seats,
    /// All lanes on its standard input and output.
    LanesOnStdio,
    /// A server of matches.
    Coco,
}

impl Words for Reach {
    const WORDS: &'static [(&'static str, Reach)] = &[
        ("listens", Reach::Listens),
        ("connects", Reach::Connects),
        ("stdio", Reach::Stdio),
        ("named-pipes", Reach::NamedPipes),
        ("seats", Reach::Seats),
        ("lanes-on-stdio", Reach::LanesOnStdio),
        ("coco", Reach::Coco),
    ];
}

impl Reach {
    /// Returns true if a subject of this side can be reached so.
    fn is_for(self, side: Side) -> bool {
        match self {
            Reach::Listens | Reach::NamedPipes => true,
            Reach::Connects | Reach::Stdio => side == Side::Bot,
            Reach::Seats | Reach::LanesOnStdio | Reach::Coco => side == Side::Referee,
        }
    }
}

impl Way {
    /// Returns the subject's address, if the subject listens.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        match self {
            Way::Connect(address) | Way::Coco(Arena { address, .. }) => Some(address),
            _ => None,
        }
    }

    /// Returns the reason why this transport lacks an ability, if it does.
    #[must_use]
    pub fn missing_capability(&self, ability: Ability) -> Option<&'static str> {
        match (ability, self) {
            (Ability::Leave(Leaving::HalfClose), Way::Coco(_)) => Some(
                "somebody ends one direction and goes on reading, and a WebSocket ends both at once",
            ),
            (Ability::Leave(Leaving::Reset), Way::Coco(_)) => Some(
                "it resets a connection, and a server of matches sees no more than that somebody left",
            ),
            (_, Way::Connect(_) | Way::Accept) => None,
            (Ability::Leave(Leaving::Reset), _) => {
                Some("it resets a connection, and this subject is not reached over TCP")
            }
            (Ability::ComeWhenItLikes, Way::NamedPipes) => Some(
                "somebody connects at a chosen moment, and named pipes are there from the beginning",
            ),
            (Ability::ComeWhenItLikes, Way::Seats) => Some(
                "somebody connects at a chosen moment, and this referee starts its players itself",
            ),
            (Ability::LeaveUnread, Way::LanesOnStdio) => Some(
                "somebody reads nothing, and where all lanes share one stream nobody would receive anything",
            ),
            (Ability::Leave(_) | Ability::ComeWhenItLikes | Ability::LeaveUnread, _) => None,
        }
    }
}

/// The user's description of an endpoint, before the transport is derived.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// The way, where it is said.
    pub reach: Option<Reach>,
    /// Address for players, if given.
    pub players: Option<String>,
    /// Description of the spectators' endpoint.
    pub spectators: Spectators,
}

/// The user's description of the spectators' endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Spectators {
    /// Nothing: it follows from the command.
    #[default]
    Unsaid,
    /// They cannot.
    None,
    /// At the players' address.
    SamePort,
    /// Here.
    At(String),
}

impl Description {
    /// The ways to the players' lanes and to the spectators', where they can watch.
    ///
    /// # Errors
    /// Fails if no endpoint follows from the description, or the description contradicts itself.
    pub fn ways(
        &self,
        side: Side,
        program: Option<&Program>,
    ) -> Result<(Way, Option<Way>), Problem> {
        let players = self.players_of(side, program)?;
        let spectators = match side {
            Side::Referee => self.spectators_of(&players, program)?,
            Side::Bot => None,
        };
        Ok((players, spectators))
    }

    fn players_of(&self, side: Side, program: Option<&Program>) -> Result<Way, Problem> {
        if program.is_none() && self.players.is_none() {
            return unreachable(
                "nothing says where this subject is",
                "give its command, or the address at which it listens",
            );
        }
        let takes = |place: &str| program.is_some_and(|program| program.takes(place));
        let server = self.players.as_deref().filter(|it| CocoUrl::is_meant(it));
        let reach = match (self.reach, side) {
            (None | Some(Reach::Listens), _) if server.is_some() => Reach::Coco,
            (Some(reach), _) => reach,
            (None, Side::Referee) if takes("seat_first") || takes("seat_second") => Reach::Seats,
            (None, Side::Referee) if takes("pipe_in_first") || takes("pipe_out_first") => {
                Reach::NamedPipes
            }
            (None, Side::Referee) => Reach::Listens,
            (None, Side::Bot) if self.players.is_some() => Reach::Listens,
            (None, Side::Bot) if takes("pipe_in") || takes("pipe_out") => Reach::NamedPipes,
            (None, Side::Bot) if takes("host") => Reach::Connects,
            (None, Side::Bot) if takes("port") => {
                return unreachable(
                    "a bot with {port} in its command can listen there or connect there",
                    "say `reach: connects` where the bot connects to urtext, or `reach: listens`",
                );
            }
            (None, Side::Bot) => Reach::Stdio,
        };
        let word = reach.word();
        if !reach.is_for(side) {
            let side_word = side.word();
            let fitting = Reach::WORDS.iter().filter(|(_, reach)| reach.is_for(side));
            let listed: Vec<_> = fitting.map(|(word, _)| format!("`{word}`")).collect();
            return unreachable(
                format!("a {side_word} is not reached by `{word}`"),
                format!("a {side_word} is reached by one of {}", listed.join(", ")),
            );
        }
        if !matches!(reach, Reach::Listens | Reach::Coco) && self.players.is_some() {
            return unreachable(
                format!("it has an address, and `reach: {word}` says that it is reached otherwise"),
                "remove one of the two",
            );
        }
        let address = match &self.players {
            Some(players) => Address::At(players.clone()),
            None if takes("port") => Address::Chosen,
            None => Address::Printed,
        };
        let pipes = [
            "pipe_in_first",
            "pipe_out_first",
            "pipe_in_second",
            "pipe_out_second",
        ];
        let lacking = pipes.iter().find(|place| !takes(place));
        match (reach, lacking) {
            (Reach::Listens, _) => Ok(Way::Connect(address)),
            (Reach::Connects, _) if !takes("port") => unreachable(
                "it is to connect to urtext, and its command does not say where",
                "write {host} and {port} into its command or its environment",
            ),
            (Reach::Connects, _) => Ok(Way::Accept),
            (Reach::Stdio, _) => Ok(Way::Stdio),
            (Reach::NamedPipes, Some(place)) if side == Side::Referee => unreachable(
                format!("it is reached by named pipes, and its command does not say {{{place}}}"),
                "write {pipe_in_first}, {pipe_out_first}, {pipe_in_second} and {pipe_out_second} into its command",
            ),
            (Reach::NamedPipes, _) => Ok(Way::NamedPipes),
            (Reach::Seats, _) => Ok(Way::Seats),
            (Reach::LanesOnStdio, _) => Ok(Way::LanesOnStdio),
            (Reach::Coco, _) => Ok(Way::Coco(match server {
                Some(server) => server.parse::<CocoUrl>()?.arena()?,
                None => address.into(),
            })),
        }
    }

    fn spectators_of(
        &self,
        players: &Way,
        program: Option<&Program>,
    ) -> Result<Option<Way>, Problem> {
        let takes = |place: &str| program.is_some_and(|program| program.takes(place));
        let ready = program.and_then(|program| program.ready.as_ref());
        let tells = |name: &str| ready.is_some_and(|ready| ready.tells(name));
        let is_printed = *players == Way::Connect(Address::Printed) && ready.is_none();
        let at = |address| Some(Way::Connect(address));
        Ok(match (&self.spectators, players) {
            (Spectators::None, _) => None,
            (Spectators::At(address), _) => at(Address::At(address.clone())),
            (Spectators::SamePort | Spectators::Unsaid, Way::Coco(_)) => Some(players.clone()),
            (Spectators::SamePort, Way::Connect(_)) => at(Address::Players),
            (Spectators::SamePort, _) => {
                return unreachable(
                    "spectators cannot connect where the players do: these are not reached over TCP",
                    "say `spectators: none`, or give the spectators a port of their own, {spectator_port}",
                );
            }
            (Spectators::Unsaid, _) if takes("spectator_port") => at(Address::Chosen),
            (Spectators::Unsaid, _) if takes("seat_spectators") => Some(Way::Seats),
            (Spectators::Unsaid, _) if takes("pipe_out_spectators") => Some(Way::NamedPipes),
            (Spectators::Unsaid, _)
                if is_printed || tells("spectators") || tells("spectator_port") =>
            {
                at(Address::Printed)
            }
            (Spectators::Unsaid, Way::LanesOnStdio) => Some(Way::LanesOnStdio),
            (Spectators::Unsaid, _) => None,
        })
    }
}

/// The problem of a description or an address from which no transport follows.
pub(super) fn unreachable<T>(
    title: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, Problem> {
    Err(Problem::new(title).help(help))
}
