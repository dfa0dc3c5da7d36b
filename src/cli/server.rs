//! Matches of a Code Colosseum server: a stored one is read as a file is, and the address of a server lists all that are there.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;

use super::Status;
use super::interrupt::runtime;
use super::output::{OrBroken, print, readable, say};
use crate::config::{CocoUrl, match_url};
use crate::diagnostic::{Diagnostic, visible};
use crate::transport::coco::{Client, Match, Notices};
use crate::transport::{Breakdown, FailureKind, Patience, Wire};

/// Deadline for all requests to a server.
const ANSWERED: Duration = Duration::from_secs(30);

/// Returns true if a path is the address of a match or of a server.
pub(super) fn is_on_server(path: &Path) -> bool {
    CocoUrl::is_meant(&path.to_string_lossy())
}

/// The server `HOST:PORT`, where this address names one and no match.
pub(super) fn server_at(address: &str) -> Option<String> {
    match address.parse() {
        Ok(CocoUrl {
            server, id: None, ..
        }) => Some(server),
        _ => None,
    }
}

/// These files, with every match that a server has stored in the place of its address.
///
/// # Errors
/// The exit status, after printing why a server does not list them.
pub(super) fn with_all_matches(files: &[PathBuf]) -> Result<Vec<PathBuf>, Status> {
    let mut all = Vec::new();
    for file in files {
        let address = file.to_string_lossy();
        let Some(server) = server_at(&address) else {
            all.push(file.clone());
            continue;
        };
        let mut stored = ask(&address, &server, Client::stored_ids)?;
        if stored.is_empty() {
            let fault = Diagnostic::error("server/empty", "this server has stored no match");
            let help = "a match is stored when it is over; `urtext record --spectate coco://HOST:PORT/` lists those that are played";
            return readable(Err(fault.in_file(&*address).help(help)));
        }
        stored.sort();
        all.extend(stored.iter().map(|id| match_url(&server, id).into()));
    }
    Ok(all)
}

/// Fetches the stored matches among these files: the address of each, and the lines that its spectators received.
///
/// # Errors
/// The exit status, after printing why a match cannot be fetched.
pub(super) fn stored_matches(files: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<u8>)>, Status> {
    let mut matches: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for file in files {
        let address = file.to_string_lossy();
        let is_new = matches.iter().all(|(known, _)| known != file);
        if is_on_server(file) && is_new {
            let (server, id) = match_at(&address)?;
            let lines = ask(&address, &server, async |client| client.stored(&id).await);
            matches.push((file.clone(), lines?));
        }
    }
    Ok(matches)
}

/// The server `HOST:PORT` and the id of the match at this address.
///
/// # Errors
/// The exit status, after printing what is wrong with the address.
fn match_at(address: &str) -> Result<(String, String), Status> {
    let fault = match address.parse::<CocoUrl>() {
        Ok(CocoUrl {
            server,
            id: Some(id),
            ..
        }) => return Ok((server, id)),
        Ok(_) => Diagnostic::error("server/no-match", "this is the address of a server, not of a match").help(
            "`urtext record --spectate coco://HOST:PORT/` lists the matches that are there, `urtext verify` judges them all, and `urtext run --subject` tests the server",
        ),
        Err(problem) => problem.error("server/address"),
    };
    readable(Err(fault.in_file(address)))
}

/// The lane of a spectator of the match at this address.
///
/// # Errors
/// The exit status, after printing why there is none.
pub(super) async fn spectate(
    address: &str,
    notices: &Notices,
    deadline: Instant,
) -> Result<Wire, Status> {
    let (server, id) = match_at(address)?;
    let wire = async {
        let client = Client::connect(&server, Patience::Once, deadline).await?;
        client.spectate(&id, notices.clone()).await
    };
    wire.await
        .map_err(|failure| report_failure(address, &failure))
}

/// Lists what waits, what is played, and what is stored on the server `HOST:PORT`. `address`: as the user wrote it.
pub(super) fn list_matches(server: &str, address: &str) -> Result<Status, Status> {
    let (lobby, stored) = ask(address, server, async |client| {
        Ok((client.lobby().await?, client.stored_ids().await?))
    })?;
    print(listing(lobby, stored).trim_end());
    Ok(Status::Conforms)
}

/// A line for each match; those of the lobby first.
fn listing(mut lobby: Vec<Match>, mut stored: Vec<String>) -> String {
    let shown = |text: &str| visible::short(text).to_string();
    lobby.sort_by(|one, other| (one.running, &one.id).cmp(&(other.running, &other.id)));
    stored.sort();
    let mut text = String::new();
    for found in &lobby {
        let state = if found.running { "playing" } else { "waiting" };
        let password = if found.password {
            ", with a password"
        } else {
            ""
        };
        let there = found.connected.len() as u64 + found.bots;
        let (id, game, title) = (shown(&found.id), shown(&found.game), shown(&found.name));
        let timeout = found.timeout;
        writeln!(
            text,
            "{id}  {state}  {game} \"{title}\"  {there} of {} players, {} spectators, timeout {timeout} s{password}",
            found.players, found.spectators,
        )
        .expect("a string takes all");
    }
    for id in &stored {
        writeln!(text, "{}  stored", shown(id)).expect("a string takes all");
    }
    match text.is_empty() {
        true => "no match waits, is played or is stored there".to_owned(),
        false => text,
    }
}

/// Sends requests to the server `HOST:PORT` of this address, and waits for the answer.
fn ask<T>(
    address: &str,
    server: &str,
    requests: impl AsyncFnOnce(&mut Client) -> Result<T, Breakdown>,
) -> Result<T, Status> {
    let runtime = runtime().or_broken("the server cannot be asked")?;
    let answer = runtime.block_on(async {
        // A server that has run for long has stored more than fits into the usual message.
        let mut client = Client::of_archive(server, Instant::now() + ANSWERED).await?;
        requests(&mut client).await
    });
    answer.map_err(|failure| report_failure(address, &failure))
}

/// Prints why a request failed, and returns 2 if the server refused it, 3 if there was no answer.
fn report_failure(address: &str, failure: &Breakdown) -> Status {
    let fault = Diagnostic::error("server/trouble", failure.to_string()).in_file(address);
    say(&fault.help(&*failure.advice).into());
    match failure.kind == FailureKind::Refused {
        true => Status::Usage,
        false => Status::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_what_waits_before_what_is_played_and_stored_and_escapes_it() {
        let found = |id: &str, running| Match {
            id: id.to_owned(),
            name: "a\u{1b}[2J".to_owned(),
            game: "ur".to_owned(),
            players: 2,
            bots: 1,
            timeout: 0.5,
            running,
            connected: Vec::new(),
            spectators: 3,
            password: !running,
        };
        let text = listing(
            vec![found("b", true), found("c", false)],
            vec!["z".to_owned(), "y".to_owned()],
        );
        assert_eq!(
            text,
            "c  waiting  ur \"a\\x1b[2J\"  1 of 2 players, 3 spectators, timeout 0.5 s, with a password\n\
             b  playing  ur \"a\\x1b[2J\"  1 of 2 players, 3 spectators, timeout 0.5 s\ny  stored\nz  stored\n"
        );
        assert_eq!(
            listing(Vec::new(), Vec::new()),
            "no match waits, is played or is stored there"
        );
    }
}
