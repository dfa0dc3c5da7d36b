//! Requests to a Code Colosseum server.

use std::collections::HashMap;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::task::coop::consume_budget;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::failure::{Failure, Request as Asked};
use super::lane::{self, Notices, Role};
use super::message::{MAGIC, Match, Params, Reply, Request, VERSION};
use super::stored::StoredMatch;
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
    /// Other arguments of the game.
    pub arguments: HashMap<String, String>,
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
        let handshake = Request::Handshake {
            magic: MAGIC,
            version: VERSION,
        };
        match client.ask(Asked::Handshake, &handshake).await? {
            Reply::Handshake { magic, version } if magic == MAGIC && version == VERSION => {
                Ok(client)
            }
            Reply::Handshake { magic, version } if magic == MAGIC => Err(Failure::Version {
                server: client.server,
                version,
            }),
            Reply::Handshake { magic, .. } => Err(Failure::Protocol {
                server: client.server,
                magic: shown(&magic),
            }),
            other => Err(client.other(Asked::Handshake, &other)),
        }
    }

    /// Creates a match: its id.
    ///
    /// # Errors
    /// Fails if the server refuses, or sends another answer or none.
    pub async fn create(&mut self, new: &NewMatch) -> Result<String, Failure> {
        const REQUEST: Asked = Asked::NewMatch;
        let params = Params {
            players: None,
            bots: 0,
            timeout: new.timeout,
        };
        let request = Request::GameNew {
            name: &new.title,
            game: &new.game,
            params,
            args: &new.arguments,
            password: new.password.as_deref(),
            verification: None,
        };
        match self.ask(REQUEST, &request).await? {
            Reply::GameNew { id } => id.map_err(|reason| self.refused(REQUEST, &reason)),
            other => Err(self.other(REQUEST, &other)),
        }
    }

    /// The matches in the lobby, those that have begun included.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn lobby(&mut self) -> Result<Vec<Match>, Failure> {
        const REQUEST: Asked = Asked::Lobby;
        match self.ask(REQUEST, &Request::LobbyList {}).await? {
            Reply::LobbyList { info } => Ok(info),
            other => Err(self.other(REQUEST, &other)),
        }
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
        const REQUEST: Asked = Asked::Player;
        match self
            .ask(REQUEST, &Request::LobbyJoinMatch { id, name, password })
            .await?
        {
            Reply::LobbyJoinedMatch { info: Ok(_) } => {
                Ok(lane::open(self.socket, Role::Player, notices))
            }
            Reply::LobbyJoinedMatch { info: Err(reason) } => Err(self.refused(REQUEST, &reason)),
            other => Err(self.other(REQUEST, &other)),
        }
    }

    /// Watches a match, also one that has begun: then everything that was is received first.
    ///
    /// # Errors
    /// Fails if the match does not exist.
    pub async fn spectate(mut self, id: &str, notices: Notices) -> Result<Wire, Failure> {
        const REQUEST: Asked = Asked::Spectator;
        match self.ask(REQUEST, &Request::SpectateJoin { id }).await? {
            Reply::SpectateJoined { info: Ok(_) } => {
                Ok(lane::open(self.socket, Role::Spectator, notices))
            }
            Reply::SpectateJoined { info: Err(reason) } => Err(self.refused(REQUEST, &reason)),
            other => Err(self.other(REQUEST, &other)),
        }
    }

    /// The ids of the stored matches.
    ///
    /// # Errors
    /// Fails if the server sends another answer or none.
    pub async fn stored_ids(&mut self) -> Result<Vec<String>, Failure> {
        const REQUEST: Asked = Asked::StoredIds;
        match self.ask(REQUEST, &Request::HistoryMatchList).await? {
            Reply::HistoryMatchList(ids) => Ok(ids),
            other => Err(self.other(REQUEST, &other)),
        }
    }

    /// A stored match.
    ///
    /// # Errors
    /// Fails if no match has that id, or the reply cannot be read.
    pub async fn stored(&mut self, id: &str) -> Result<StoredMatch, Failure> {
        const REQUEST: Asked = Asked::StoredMatch;
        self.say(REQUEST, &Request::HistoryMatch { id }).await?;
        match self.hear(REQUEST).await? {
            // What is stored comes in a binary frame, in another encoding than everything else.
            Message::Binary(bytes) => match StoredMatch::read(&bytes) {
                Ok(Ok(stored)) => Ok(stored),
                Ok(Err(reason)) => Err(self.refused(REQUEST, reason)),
                Err(reason) => {
                    Err(self.garbled(REQUEST, format!("bytes that are no stored match: {reason}")))
                }
            },
            Message::Text(text) => Err(self.garbled(REQUEST, of_text(&text))),
            _ => Err(self.garbled(REQUEST, "something that is no reply".to_owned())),
        }
    }

    async fn ask(&mut self, request: Asked, message: &Request<'_>) -> Result<Reply, Failure> {
        self.say(request, message).await?;
        match self.hear(request).await? {
            Message::Text(text) => {
                serde_json::from_str(&text).map_err(|_| self.garbled(request, of_text(&text)))
            }
            Message::Binary(bytes) => Err(self.garbled(request, of_bytes(&bytes))),
            _ => Err(self.garbled(request, "something that is no reply".to_owned())),
        }
    }

    async fn say(&mut self, request: Asked, message: &Request<'_>) -> Result<(), Failure> {
        let text =
            serde_json::to_string(message).expect("a request is text, numbers and nothing else");
        match self
            .deadline
            .limit(self.socket.send(Message::text(text)))
            .await
        {
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

    fn other(&self, request: Asked, reply: &Reply) -> Failure {
        self.garbled(request, format!("the message {}", reply.name()))
    }

    fn refused(&self, request: Asked, reason: &str) -> Failure {
        Failure::Refused {
            server: self.server.clone(),
            request,
            reason: shown(reason),
        }
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

/// Text that is no message, as it is told.
pub(super) fn of_text(text: &str) -> String {
    format!("text that is no message: `{}`", shown(text))
}

/// Bytes where none are due, as it is told.
pub(super) fn of_bytes(bytes: &[u8]) -> String {
    format!(
        "bytes where a message is due: `{}`",
        visible::plain(bytes).at_most(SHOWN)
    )
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
