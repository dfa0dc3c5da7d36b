//! Requests to a Code Colosseum server.

use futures_util::{SinkExt, StreamExt};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::coop::consume_budget;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::failure::{Failure, Request as Asked};
use super::lane::{self, Notices, Role};
use super::message::{self, Answer, Handshake, MAGIC, Match, VERSION};
use super::stored;
use crate::diagnostic::visible;
use crate::transport::tcp::{self, Patience};
use crate::transport::{Deadline, Wire};

/// The largest message of a game or of the lobby, in bytes: a late spectator receives the past in pieces of 1 MiB.
const LARGEST: usize = 2 << 20;

/// The largest stored match, in bytes.
const LARGEST_STORED: usize = 64 << 20;

/// The most bytes of messages and pongs that wait for a server that does not read. Where it is full, only the last pong waits.
const MOST_WAITING: usize = 128 << 10;

/// Maximum length of a server's text in messages, in bytes.
const SHOWN: usize = 200;

/// A connection to a server that has shaken hands and serves one request after the other.
#[derive(Debug)]
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    server: String,
    deadline: Deadline,
}

/// A match to create.
#[derive(Debug, Clone)]
pub struct NewMatch {
    /// Its title in the lobby.
    pub title: String,
    /// The game, as the server calls it.
    pub game: String,
    /// The timeout for a move, in seconds; `None`: the game's usual one.
    pub timeout: Option<f64>,
    /// The pace in seconds, in the server's notation; `None`: the game's usual one.
    pub pace: Option<String>,
    /// Password that players need.
    pub password: Option<String>,
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
    ) -> Result<Client, Failure> {
        Client::with_largest(server, LARGEST, patience, deadline.into()).await
    }

    /// A client for what is stored: the reply is one message, as large as the match.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn of_archive(
        server: &str,
        deadline: impl Into<Deadline>,
    ) -> Result<Client, Failure> {
        Client::with_largest(server, LARGEST_STORED, Patience::Once, deadline.into()).await
    }

    async fn with_largest(
        server: &str,
        largest: usize,
        patience: Patience,
        deadline: Deadline,
    ) -> Result<Client, Failure> {
        let stream = tcp::stream(server, patience, deadline.clone()).await?;
        let config = Some(config(largest));
        let opening = client_async_with_config(format!("ws://{server}/"), stream, config);
        let server = server.to_owned();
        let socket = match deadline.limit(opening).await {
            Some(Ok((socket, _))) => socket,
            Some(Err(error)) => {
                return Err(Failure::NoWebSocket {
                    server,
                    reason: shown(&error.to_string()),
                });
            }
            None => {
                return Err(Failure::Silent {
                    server,
                    request: Asked::Opening,
                });
            }
        };
        let mut client = Client {
            socket,
            server,
            deadline,
        };
        let handshake = json!({"Handshake": {"magic": MAGIC, "version": VERSION}});
        let Handshake { magic, version } =
            client.ask(Asked::Handshake, handshake, "Handshake").await?;
        if magic != MAGIC {
            return Err(Failure::Protocol {
                server: client.server,
                magic: shown(&magic),
            });
        }
        if version != VERSION {
            return Err(Failure::Version {
                server: client.server,
                version,
            });
        }
        Ok(client)
    }

    /// Creates a match: its id.
    ///
    /// # Errors
    /// Fails if the server refuses, or sends another answer or none.
    pub async fn create(&mut self, new: &NewMatch) -> Result<String, Failure> {
        let arguments = match &new.pace {
            Some(pace) => json!({ "pace": pace }),
            None => json!({}),
        };
        let request = json!({"GameNew": {
            "name": new.title,
            "game": new.game,
            "params": {"players": null, "bots": 0, "timeout": new.timeout},
            "args": arguments,
            "password": new.password,
            "verification": null,
        }});
        self.ask_leave(Asked::NewMatch, request, "GameNew").await
    }

    /// The matches in the lobby, those that have begun included.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn lobby(&mut self) -> Result<Vec<Match>, Failure> {
        let request = json!({"LobbyList": {}});
        let answer: Answer<_> = self.ask(Asked::Lobby, request, "LobbyList").await?;
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
    ) -> Result<Wire, Failure> {
        let request = json!({"LobbyJoinMatch": {"id": id, "name": name, "password": password}});
        let IgnoredAny = self
            .ask_leave(Asked::Player, request, "LobbyJoinedMatch")
            .await?;
        Ok(lane::open(self.socket, Role::Player, notices))
    }

    /// Watches a match, also one that has begun: then everything that was is received first.
    ///
    /// # Errors
    /// Fails if the match does not exist.
    pub async fn spectate(mut self, id: &str, notices: Notices) -> Result<Wire, Failure> {
        let request = json!({"SpectateJoin": {"id": id}});
        let IgnoredAny = self
            .ask_leave(Asked::Spectator, request, "SpectateJoined")
            .await?;
        Ok(lane::open(self.socket, Role::Spectator, notices))
    }

    /// The ids of the stored matches.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn stored_ids(&mut self) -> Result<Vec<String>, Failure> {
        const NAME: &str = "HistoryMatchList";
        self.ask(Asked::StoredIds, NAME.into(), NAME).await
    }

    /// The lines that spectators of a stored match received, as far as the server has stored them.
    ///
    /// # Errors
    /// Fails if no match has that id, or the reply cannot be read.
    pub async fn stored(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        const REQUEST: Asked = Asked::StoredMatch;
        self.say(REQUEST, &json!({"HistoryMatch": {"id": id}}))
            .await?;
        match self.hear(REQUEST).await? {
            // What is stored comes in a binary frame, in another encoding than everything else.
            Message::Binary(bytes) => match stored::history(&bytes) {
                Ok(history) => self.granted(REQUEST, history),
                Err(reason) => {
                    Err(self.garbled(REQUEST, format!("bytes that are no stored match: {reason}")))
                }
            },
            other => Err(self.garbled(REQUEST, described(&other))),
        }
    }

    /// Asks for something that the server may refuse.
    async fn ask_leave<T: DeserializeOwned>(
        &mut self,
        request: Asked,
        message: Value,
        reply: &str,
    ) -> Result<T, Failure> {
        let answer: Answer<Result<T, String>> = self.ask(request, message, reply).await?;
        self.granted(request, answer.info)
    }

    /// The content of the reply to a request, which is the message of this name.
    async fn ask<T: DeserializeOwned>(
        &mut self,
        request: Asked,
        message: Value,
        reply: &str,
    ) -> Result<T, Failure> {
        self.say(request, &message).await?;
        let heard = self.hear(request).await?;
        let read = match &heard {
            Message::Text(text) => message::read(text),
            _ => None,
        };
        let Some((name, content)) = read else {
            return Err(self.garbled(request, described(&heard)));
        };
        let content = serde_json::from_value(content).ok();
        content
            .filter(|_| name == reply)
            .ok_or_else(|| self.garbled(request, format!("the message {}", shown(&name))))
    }

    async fn say(&mut self, request: Asked, message: &Value) -> Result<(), Failure> {
        let sending = self.socket.send(Message::text(message.to_string()));
        match self.deadline.limit(sending).await {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(self.closed(request, &error)),
            None => Err(self.silent(request)),
        }
    }

    /// The next message with something in it. Whatever else comes does not extend the time.
    async fn hear(&mut self, request: Asked) -> Result<Message, Failure> {
        loop {
            let next = self.deadline.limit(self.socket.next()).await;
            match next.ok_or_else(|| self.silent(request))? {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    // A message that is here already counts as in time, so a stream of them would never end.
                    if self.deadline.is_over() {
                        return Err(self.silent(request));
                    }
                    consume_budget().await;
                }
                Some(Ok(Message::Close(frame))) => {
                    let reason = frame
                        .map(|frame| frame.reason.to_string())
                        .filter(|why| !why.is_empty());
                    let reason =
                        reason.map_or_else(|| "it said nothing more".to_owned(), |why| shown(&why));
                    return Err(Failure::Closed {
                        server: self.server.clone(),
                        request,
                        reason,
                    });
                }
                Some(Ok(message)) => return Ok(message),
                Some(Err(error)) => return Err(self.closed(request, &error)),
                None => return Err(self.closed(request, &tungstenite::Error::ConnectionClosed)),
            }
        }
    }

    fn closed(&self, request: Asked, error: &tungstenite::Error) -> Failure {
        Failure::Closed {
            server: self.server.clone(),
            request,
            reason: shown(&error.to_string()),
        }
    }

    fn silent(&self, request: Asked) -> Failure {
        Failure::Silent {
            server: self.server.clone(),
            request,
        }
    }

    fn garbled(&self, request: Asked, came: String) -> Failure {
        Failure::Other {
            server: self.server.clone(),
            request,
            came,
        }
    }

    /// What was granted, or the refusal in the server's words.
    fn granted<T>(&self, request: Asked, result: Result<T, String>) -> Result<T, Failure> {
        result.map_err(|reason| Failure::Refused {
            server: self.server.clone(),
            request,
            reason: shown(&reason),
        })
    }
}

/// Limits of a connection. `largest`: of a message, in bytes.
fn config(largest: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest))
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_WAITING)
}

/// Escapes and shortens a server's text for display.
pub(super) fn shown(text: &str) -> String {
    visible::plain(text).at_most(SHOWN).to_string()
}

/// Text that is no message, for messages.
pub(super) fn of_text(text: &str) -> String {
    format!("text that is no message: `{}`", shown(text))
}

/// An unexpected answer, for messages.
fn described(message: &Message) -> String {
    match message {
        Message::Text(text) => of_text(text),
        Message::Binary(bytes) => format!(
            "bytes where a message is due: `{}`",
            visible::plain(bytes).at_most(SHOWN)
        ),
        _ => "something that is no reply".to_owned(),
    }
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
        let failure = client.hear(Asked::Lobby).await.unwrap_err();
        assert!(matches!(failure, Failure::Silent { .. }), "{failure}");
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
