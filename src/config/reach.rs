//! Transports of a subject's lanes, and the rules that derive them from a description.

use super::{Arena, CocoUrl, Program, UrlPattern, Word};
use crate::diagnostic::Problem;
use crate::scenario::{Leaving, Side};

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

impl Way {
    /// The words for the ways, as `reach` takes them, with the side that each is for.
    pub const WORDS: &[(&str, &[Side])] = &[
        ("listens", &[Side::Referee, Side::Bot]),
        ("connects", &[Side::Bot]),
        ("stdio", &[Side::Bot]),
        ("named-pipes", &[Side::Referee, Side::Bot]),
        ("seats", &[Side::Referee]),
        ("lanes-on-stdio", &[Side::Referee]),
        ("coco", &[Side::Referee]),
    ];

    /// The word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Way::Connect(_) => "listens",
            Way::Accept => "connects",
            Way::Stdio => "stdio",
            Way::NamedPipes => "named-pipes",
            Way::Seats => "seats",
            Way::LanesOnStdio => "lanes-on-stdio",
            Way::Coco(_) => "coco",
        }
    }

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
    /// The word for the way, where it is said.
    pub reach: Option<String>,
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
        let Some(program) = program else {
            let Some(players) = &self.players else {
                return unreachable(
                    "nothing says where this subject is",
                    "give its command, or the address at which it listens",
                );
            };
            let way = match self.reach.as_deref() {
                _ if CocoUrl::is_meant(players) => Way::Coco(arena(side, players)?),
                Some("coco") => Way::Coco(Address::At(players.clone()).into()),
                _ => Way::Connect(Address::At(players.clone())),
            };
            let spectators = self.spectators_of(&way, None)?;
            return Ok((way, spectators));
        };
        let players = match side {
            Side::Referee => self.referee(program)?,
            Side::Bot => self.bot(program)?,
        };
        let spectators = match side {
            Side::Referee => self.spectators_of(&players, Some(program))?,
            Side::Bot if self.spectators != Spectators::Unsaid => {
                return unreachable("nobody watches a bot", "remove what is said of spectators");
            }
            Side::Bot => None,
        };
        Ok((players, spectators))
    }

    fn referee(&self, program: &Program) -> Result<Way, Problem> {
        let word = match &self.reach {
            Some(word) => word.as_str(),
            None if self.players.as_deref().is_some_and(CocoUrl::is_meant) => "coco",
            None if program.takes("seat_first") || program.takes("seat_second") => "seats",
            None if program.takes("pipe_in_first") || program.takes("pipe_out_first") => {
                "named-pipes"
            }
            None => "listens",
        };
        if !matches!(word, "listens" | "coco") && self.players.is_some() {
            return unreachable(
                format!("it has an address, and `reach: {word}` says that it is reached otherwise"),
                "remove one of the two",
            );
        }
        match word {
            "seats" => Ok(Way::Seats),
            "lanes-on-stdio" => Ok(Way::LanesOnStdio),
            "coco" => Ok(Way::Coco(match &self.players {
                Some(players) if CocoUrl::is_meant(players) => arena(Side::Referee, players)?,
                _ => self.listening(program).into(),
            })),
            "named-pipes" => {
                let needed = [
                    "pipe_in_first",
                    "pipe_out_first",
                    "pipe_in_second",
                    "pipe_out_second",
                ];
                match needed.iter().find(|place| !program.takes(place)) {
                    Some(place) => unreachable(
                        format!(
                            "it is reached by named pipes, and its command does not say {{{place}}}"
                        ),
                        "write {pipe_in_first}, {pipe_out_first}, {pipe_in_second} and {pipe_out_second} into its command",
                    ),
                    None => Ok(Way::NamedPipes),
                }
            }
            "listens" => Ok(Way::Connect(self.listening(program))),
            other => wrong_side(other, Side::Referee),
        }
    }

    fn bot(&self, program: &Program) -> Result<Way, Problem> {
        let word = match &self.reach {
            Some(word) => word.as_str(),
            None if self.players.is_some() => "listens",
            None if program.takes("pipe_in") || program.takes("pipe_out") => "named-pipes",
            None if program.takes("host") => "connects",
            None if program.takes("port") => {
                return unreachable(
                    "a bot with {port} in its command can listen there or connect there",
                    "say `reach: connects` where the bot connects to urtext, or `reach: listens`",
                );
            }
            None => "stdio",
        };
        match word {
            "stdio" => Ok(Way::Stdio),
            "named-pipes" => Ok(Way::NamedPipes),
            "connects" if !program.takes("port") => unreachable(
                "it is to connect to urtext, and its command does not say where",
                "write {host} and {port} into its command or its environment",
            ),
            "connects" => Ok(Way::Accept),
            "listens" => Ok(Way::Connect(self.listening(program))),
            other => wrong_side(other, Side::Bot),
        }
    }

    fn listening(&self, program: &Program) -> Address {
        match &self.players {
            Some(players) => Address::At(players.clone()),
            None if program.takes("port") => Address::Chosen,
            None => Address::Printed,
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
        Ok(match &self.spectators {
            Spectators::None => None,
            Spectators::At(address) => Some(Way::Connect(Address::At(address.clone()))),
            Spectators::SamePort if matches!(players, Way::Connect(_)) => {
                Some(Way::Connect(Address::Players))
            }
            Spectators::SamePort | Spectators::Unsaid if matches!(players, Way::Coco(_)) => {
                Some(players.clone())
            }
            Spectators::SamePort => {
                return unreachable(
                    "spectators cannot connect where the players do: these are not reached over TCP",
                    "say `spectators: none`, or give the spectators a port of their own, {spectator_port}",
                );
            }
            Spectators::Unsaid if takes("spectator_port") => Some(Way::Connect(Address::Chosen)),
            Spectators::Unsaid if takes("seat_spectators") => Some(Way::Seats),
            Spectators::Unsaid if takes("pipe_out_spectators") => Some(Way::NamedPipes),
            Spectators::Unsaid if tells("spectators") || tells("spectator_port") => {
                Some(Way::Connect(Address::Printed))
            }
            Spectators::Unsaid if *players == Way::Connect(Address::Printed) && ready.is_none() => {
                Some(Way::Connect(Address::Printed))
            }
            Spectators::Unsaid if *players == Way::LanesOnStdio => Some(Way::LanesOnStdio),
            Spectators::Unsaid => None,
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

/// The server of an address, for a subject.
fn arena(side: Side, text: &str) -> Result<Arena, Problem> {
    let found = text.parse::<CocoUrl>()?.arena()?;
    match side {
        Side::Referee => Ok(found),
        Side::Bot => wrong_side("coco", side),
    }
}

fn wrong_side<T>(word: &str, side: Side) -> Result<T, Problem> {
    let side_word = side.word();
    let fitting = Way::WORDS.iter().filter(|(_, sides)| sides.contains(&side));
    let listed: Vec<_> = fitting.map(|(word, _)| format!("`{word}`")).collect();
    unreachable(
        format!("a {side_word} is not reached by `{word}`"),
        format!("a {side_word} is reached by one of {}", listed.join(", ")),
    )
}
