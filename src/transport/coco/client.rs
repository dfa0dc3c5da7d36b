//! Requests to a Code Colosseum server.

use futures_util::{SinkExt, StreamExt};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::coop::consume_budget;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::lane::{self, Notices};
use super::message::{self, Answer, Handshake, MAGIC, Match, VERSION, shown};
use crate::config::{Arena, Values};
use crate::transport::tcp::{self, Patience};
use crate::transport::{Breakdown, Deadline, FailureKind, Wire};

/// The largest message of a game or of the lobby, in bytes: a late spectator receives the past in pieces of 1 MiB.
const LARGEST: usize = 2 << 20;

/// The largest stored match, in bytes.
const LARGEST_STORED: usize = 64 << 20;

/// The most bytes of messages and pongs that wait for a server that does not read. Where it is full, only the last pong waits.
const MOST_WAITING: usize = 128 << 10;

/// Advice where no answer comes.
const NO_ANSWER: &str =
    "check that a server of matches listens there, and that it is not overloaded";

/// Advice where an answer is none.
const OTHER: &str = "check that what listens there is a server of matches, without TLS";

/// Advice where the server refuses a request.
const REFUSED: &str = "compare the address (match, game, name, password, times) with what the server has and allows; \
     `urtext record --spectate coco://HOST:PORT/` lists its matches, and with an id records one that is played; \
     `?game=NAME` and `?password=WORD` in the address say what the server calls the game, and its password";

/// A connection to a server that has shaken hands and serves one request after the other.
#[derive(Debug)]
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    server: String,
    deadline: Deadline,
}

impl Client {
    /// Connects to `HOST:PORT` and shakes hands; the deadline holds for every request as well.
    ///
    /// # Errors
    /// Fails if nobody listens, or the peer speaks another protocol or another version.
    pub async fn connect(
        server: &str,
        patience: Patience,
        deadline: impl Into<Deadline>,
    ) -> Result<Client, Breakdown> {
        Client::with_largest(server, LARGEST, patience, deadline.into()).await
    }

    /// A client for what is stored: the reply is one message, as large as the match.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn of_archive(
        server: &str,
        deadline: impl Into<Deadline>,
    ) -> Result<Client, Breakdown> {
        Client::with_largest(server, LARGEST_STORED, Patience::Once, deadline.into()).await
    }

    async fn with_largest(
        server: &str,
        largest: usize,
        patience: Patience,
        deadline: Deadline,
    ) -> Result<Client, Breakdown> {
        let stream = tcp::stream(server, patience, deadline.clone()).await;
        let stream = stream.map_err(|error| match error.kind {
            FailureKind::Unreached => Breakdown {
                advice: NO_ANSWER.to_owned(),
                ..error
            },
            _ => error,
        })?;
        let config = Some(config(largest));
        let opening = client_async_with_config(format!("ws://{server}/"), stream, config);
        let opened = deadline.limit(opening).await.ok_or_else(silent);
        let opened = opened.and_then(|opened| opened.map_err(closed));
        let failed = |trouble: Trouble| trouble.of(server, "the opening of a WebSocket");
        let (socket, _) = opened.map_err(failed)?;
        let mut client = Client {
            socket,
            server: server.to_owned(),
            deadline,
        };
        let asked = "the handshake";
        let handshake = json!({"Handshake": {"magic": MAGIC, "version": VERSION}});
        let Handshake { magic, version } = client.ask(asked, handshake, "Handshake").await?;
        let advice = match (magic.as_str(), version) {
            (MAGIC, VERSION) => return Ok(client),
            (MAGIC, _) => "take a server and a urtext of the same version of the protocol",
            _ => OTHER,
        };
        let came = format!(
            "version {version} of the protocol `{}`; urtext speaks version {VERSION} of `{MAGIC}`",
            shown(&magic)
        );
        Err(Trouble {
            advice,
            ..other(&came)
        }
        .of(server, asked))
    }

    /// Creates a match on this server, with the `game`, `timeout`, `pace`, `players` and `bots` that these values have, or the usual ones: its
    /// id.
    ///
    /// # Errors
    /// Fails if the server refuses, or sends another answer or none.
    pub async fn create(&mut self, arena: &Arena, values: &Values) -> Result<String, Breakdown> {
        let arguments = match values.text("pace") {
            "" => json!({}),
            pace => json!({ "pace": pace }),
        };
        let timeout = values.text("timeout").parse::<f64>().ok();
        let number = |name| values.text(name).parse::<u64>().ok();
        let request = json!({"GameNew": {
            "name": arena.title.as_deref().unwrap_or("urtext"),
            "game": values.text("game"),
            "params": {"players": number("players"), "bots": number("bots").unwrap_or(0), "timeout": timeout},
            "args": arguments,
            "password": arena.password,
            "verification": null,
        }});
        self.ask_leave("the request for a new match", request, "GameNew")
            .await
    }

    /// The matches in the lobby, those that have begun included.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn lobby(&mut self) -> Result<Vec<Match>, Breakdown> {
        let request = json!({"LobbyList": {}});
        let asked = "the request for the list of matches";
        let answer: Answer<_> = self.ask(asked, request, "LobbyList").await?;
        Ok(answer.info)
    }

    /// Joins a match as a player: the lane begins with the game's first line and ends when the server says that the match has.
    ///
    /// # Errors
    /// Fails if the match does not exist or has begun, or the server rejects the name or the password.
    pub async fn join(
        mut self,
        id: &str,
        name: &str,
        password: Option<&str>,
        notices: Notices,
    ) -> Result<Wire, Breakdown> {
        let request = json!({"LobbyJoinMatch": {"id": id, "name": name, "password": password}});
        let asked = "the request to let a player in";
        let IgnoredAny = self.ask_leave(asked, request, "LobbyJoinedMatch").await?;
        Ok(lane::open(self.socket, "Match", notices))
    }

    /// Watches a match, also one that has begun: then everything that was is received first.
    ///
    /// # Errors
    /// Fails if the match does not exist.
    pub async fn spectate(mut self, id: &str, notices: Notices) -> Result<Wire, Breakdown> {
        let request = json!({"SpectateJoin": {"id": id}});
        let asked = "the request to let a spectator in";
        let IgnoredAny = self.ask_leave(asked, request, "SpectateJoined").await?;
        Ok(lane::open(self.socket, "Spectate", notices))
    }

    /// The ids of the stored matches.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn stored_ids(&mut self) -> Result<Vec<String>, Breakdown> {
        const NAME: &str = "HistoryMatchList";
        let asked = "the request for the list of stored matches";
        self.ask(asked, NAME.into(), NAME).await
    }

    /// The lines that spectators of a stored match received, as far as the server has stored them.
    ///
    /// # Errors
    /// Fails if no match has that id, or the reply cannot be read.
    pub async fn stored(&mut self, id: &str) -> Result<Vec<u8>, Breakdown> {
        let asked = "the request for a stored match";
        let heard = self.exchange(&json!({"HistoryMatch": {"id": id}})).await;
        let read = heard.and_then(|heard| match &heard {
            // What is stored comes in a binary frame, in another encoding than everything else.
            Message::Binary(bytes) => match message::history(bytes) {
                Ok(history) => history.map_err(refused),
                Err(reason) => Err(other(&format!("bytes that are no stored match: {reason}"))),
            },
            _ => Err(another(&heard)),
        });
        read.map_err(|trouble| trouble.of(&self.server, asked))
    }

    /// Asks for something that the server may refuse.
    async fn ask_leave<T: DeserializeOwned>(
        &mut self,
        asked: &str,
        message: Value,
        reply: &str,
    ) -> Result<T, Breakdown> {
        let answer: Answer<Result<T, String>> = self.ask(asked, message, reply).await?;
        let granted = answer.info.map_err(refused);
        granted.map_err(|trouble| trouble.of(&self.server, asked))
    }

    /// The content of the reply to a request, which is the message of this name.
    async fn ask<T: DeserializeOwned>(
        &mut self,
        asked: &str,
        message: Value,
        reply: &str,
    ) -> Result<T, Breakdown> {
        let heard = self.exchange(&message).await;
        let read = heard.and_then(|heard| {
            let text = heard.to_text().unwrap_or_default();
            let (_, content) = message::read(text)
                .filter(|(name, _)| name == reply)
                .unzip();
            let content = content.and_then(|content| serde_json::from_value(content).ok());
            content.ok_or_else(|| another(&heard))
        });
        read.map_err(|trouble| trouble.of(&self.server, asked))
    }

    /// Sends a message, and returns the next one with something in it. Whatever else comes does not extend the time.
    async fn exchange(&mut self, message: &Value) -> Result<Message, Trouble> {
        let Client {
            socket, deadline, ..
        } = self;
        let sending = socket.send(Message::text(message.to_string()));
        let sent = deadline.limit(sending).await.ok_or_else(silent)?;
        sent.map_err(closed)?;
        loop {
            match deadline.limit(socket.next()).await.ok_or_else(silent)? {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    // A message that is here already counts as in time, so a stream of them would never end.
                    if deadline.is_over() {
                        return Err(silent());
                    }
                    consume_budget().await;
                }
                Some(Ok(Message::Close(frame))) => {
                    let reason = frame.map(|frame| frame.reason.to_string());
                    let reason = reason.filter(|why| !why.is_empty());
                    return Err(closed(reason.as_deref().unwrap_or("it said nothing more")));
                }
                Some(message) => return message.map_err(closed),
                None => return Err(closed(tungstenite::Error::ConnectionClosed)),
            }
        }
    }
}

/// Why there is no reply as it is wanted.
struct Trouble {
    kind: FailureKind,
    /// What the server did with a request.
    did: &'static str,
    /// What follows the name of the request, escaped.
    why: String,
    advice: &'static str,
}

impl Trouble {
    /// The error of a request of this server, such as `the handshake`.
    fn of(self, server: &str, asked: &str) -> Breakdown {
        let title = format!("{server} {} {asked}{}", self.did, self.why);
        Breakdown::new(title, self.advice).of(self.kind)
    }
}

fn silent() -> Trouble {
    Trouble {
        kind: FailureKind::Unreached,
        did: "gave no answer in time to",
        why: String::new(),
        advice: NO_ANSWER,
    }
}

fn closed(why: impl ToString) -> Trouble {
    Trouble {
        did: "closed the connection instead of answering",
        why: format!(": {}", shown(&why.to_string())),
        ..silent()
    }
}

fn refused(why: String) -> Trouble {
    Trouble {
        kind: FailureKind::Refused,
        did: "refused",
        why: format!(": {}", shown(&why)),
        advice: REFUSED,
    }
}

/// `came`: the answer, escaped.
fn other(came: &str) -> Trouble {
    Trouble {
        kind: FailureKind::Other,
        did: "answered",
        why: format!(" with {came}"),
        advice: OTHER,
    }
}

fn another(came: &Message) -> Trouble {
    other(&format!("`{}`", shown(&came.clone().into_data())))
}

/// Limits of a connection. `largest`: of a message, in bytes.
fn config(largest: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest))
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_WAITING)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread::{self, JoinHandle};

    use tokio::net::TcpSocket;
    use tokio_tungstenite::tungstenite::accept;

    use super::*;

    /// Bytes of a pong to the longest ping, as a client sends it.
    const PONG: usize = 6 + 125;

    /// A client, and a server that sends so many pings before it reads anything; `None`: it sends them until the client has gone. The server
    /// returns how many bytes the client has sent.
    async fn pinged(count: Option<usize>) -> (Client, JoinHandle<usize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let mut stream = accept(listener.accept().unwrap().0).unwrap();
            let stream = stream.get_mut();
            let ping = [&[0x89, 125], [b'x'; 125].as_slice()].concat();
            for _ in 0..count.unwrap_or(usize::MAX) {
                if stream.write_all(&ping).is_err() {
                    break;
                }
            }
            let mut sent = Vec::new();
            drop(stream.read_to_end(&mut sent));
            sent.len()
        });
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_send_buffer_size(16 << 10).unwrap();
        let stream = socket.connect(address).await.unwrap();
        let server_url = format!("ws://{address}/");
        let opening = client_async_with_config(server_url, stream, Some(config(LARGEST)));
        let client = Client {
            socket: opening.await.unwrap().0,
            server: address.to_string(),
            deadline: tokio::time::Instant::now().into(),
        };
        (client, server)
    }

    #[tokio::test]
    async fn pings_do_not_extend_the_time_of_an_answer() {
        let (mut client, server) = pinged(None).await;
        let failure = client.lobby().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unreached, "{failure}");
        drop(client);
        server.join().unwrap();
    }

    #[tokio::test]
    async fn pongs_to_a_server_that_does_not_read_do_not_pile_up() {
        const PINGS: usize = 200_000;
        let (mut client, server) = pinged(Some(PINGS)).await;
        for _ in 0..PINGS {
            let message = client.socket.next().await.unwrap().unwrap();
            assert!(message.is_ping(), "{message}");
        }
        client.socket.flush().await.unwrap();
        drop(client);
        let pongs = server.join().unwrap() / PONG;
        assert!((1..PINGS / 2).contains(&pongs), "{pongs}");
    }
}
