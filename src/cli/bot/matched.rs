//! The bot in a match on a Code Colosseum server.

use std::io::{self, Read, Write};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};

use crate::cli::Status;
use crate::cli::server_matches::{ask, refuse, tell_notices, wrong_address};
use crate::config::{Arena, CocoUrl, seconds};
use crate::diagnostic::{Diagnostic, visible};
use crate::peers::{Bot, BotError};
use crate::transport::coco::{Client, Failure, NewMatch, Notices};
use crate::transport::{Patience, Wire, WireReader, WireWriter};

/// Longest wait for a server to report the end of a match that is over.
const LINGER: Duration = Duration::from_secs(5);

/// Plays one match there.
pub(super) fn play(address: &str, name: &str, game: &str, bot: Bot) -> Status {
    let mut url: CocoUrl = match address.parse() {
        Ok(url) => url,
        Err(fault) => return wrong_address(address, fault),
    };
    url.game.get_or_insert_with(|| game.to_owned());
    if !Arena::takes_name(name) {
        let title = format!("{} is no name for a player there", visible::quoted(name));
        let fault = Diagnostic::error("server/name", title).in_file(address);
        return refuse(
            fault.help("a name has 1 to 16 visible ASCII characters, and no `$` among them"),
        );
    }
    let notices = Notices::default();
    let played = ask(async |deadline| {
        let wire = join(&url, name, &notices, deadline).await?;
        let runtime = Handle::current();
        let playing = tokio::task::spawn_blocking(move || converse(bot, wire, &runtime));
        let (result, mut reader) = playing.await.expect("the bot does not panic");
        if result.is_ok() {
            // Leaving with the last move still under way would lose it, and with it the match.
            drop(timeout(LINGER, tokio::io::copy(&mut reader, &mut tokio::io::sink())).await);
        }
        Ok(result)
    });
    let result = match played {
        Ok(result) => result,
        Err(trouble) => return trouble.of(address),
    };
    let is_whole = tell_notices("urtext bot", &notices);
    match result {
        _ if !is_whole => Status::Broken,
        Ok(()) => Status::Conforms,
        Err(error) => {
            anstream::eprintln!("urtext bot: {error}");
            Status::Deviates
        }
    }
}

async fn join(
    url: &CocoUrl,
    name: &str,
    notices: &Notices,
    deadline: Instant,
) -> Result<Wire, Failure> {
    let mut client = Client::connect(&url.server, Patience::Once, deadline).await?;
    let id = match &url.id {
        Some(id) => id.clone(),
        None => {
            let id = client.create(&new_match(url)).await?;
            crate::cli::output::print(&format!("coco://{}/{id}", url.server));
            id
        }
    };
    client
        .join(&id, name, url.password.as_deref(), notices.clone())
        .await
}

fn new_match(url: &CocoUrl) -> NewMatch {
    let pace = url.pace.map(|pace| ("pace".to_owned(), seconds(pace)));
    NewMatch {
        title: url.title.clone().unwrap_or_else(|| "urtext".to_owned()),
        game: url.game.clone().unwrap_or_default(),
        bots: url.bots,
        timeout: url.timeout.map(|timeout| timeout.as_secs_f64()),
        arguments: pace.into_iter().collect(),
        password: url.password.clone(),
    }
}

/// Has the bot talk over a lane; the lane stays open.
fn converse(mut bot: Bot, wire: Wire, runtime: &Handle) -> (Result<(), BotError>, WireReader) {
    let mut heard = Heard {
        reader: wire.reader,
        runtime,
    };
    let result = bot.play(
        &mut heard,
        Said {
            writer: wire.writer,
            runtime,
        },
    );
    (result, heard.reader)
}

/// Blocking reader of a lane, for code outside the runtime.
struct Heard<'a> {
    reader: WireReader,
    runtime: &'a Handle,
}

impl Read for Heard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.runtime.block_on(self.reader.read(buffer))
    }
}

/// The other direction.
struct Said<'a> {
    writer: WireWriter,
    runtime: &'a Handle,
}

impl Write for Said<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.runtime.block_on(self.writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.runtime.block_on(self.writer.flush())
    }
}
