//! Matches of a Code Colosseum server, taken where a file with a finished game can be named: what it has stored, or what is watched
//! to its end.

use std::path::PathBuf;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

use super::Status;
use crate::archive::{ReadOptions, game_so_far};
use crate::config::{CocoUrl, Unreachable};
use crate::diagnostic::Diagnostic;
use crate::event::empty_frames_remark;
use crate::transcript::bare;
use crate::transport::Patience;
use crate::transport::coco::{Client, Failure, Notices};
use crate::verify::Ending;

/// Deadline for all requests to a server.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest silence of a match that is watched, where the user sets none.
pub(super) const USUAL_SILENCE: Duration = Duration::from_secs(600);

/// The files that are matches on servers, with what spectators received there.
#[derive(Debug, Default)]
pub(super) struct ServerMatches {
    matches: Vec<(PathBuf, Vec<u8>)>,
    /// True if a server disconnected while a match was watched.
    is_broken_off: bool,
}

impl ServerMatches {
    /// Fetches every match among these files. A match that is still played is watched until it sends nothing for `silence`.
    ///
    /// # Errors
    /// The status to exit with, after saying why one of them cannot be had.
    pub(super) fn fetch(files: &[PathBuf], silence: Duration) -> Result<ServerMatches, Status> {
        let mut server_matches = ServerMatches::default();
        for file in files {
            let name = file.to_string_lossy();
            if CocoUrl::is_meant(&name)
                && !server_matches
                    .matches
                    .iter()
                    .any(|(known, _)| known == file)
            {
                let (history, is_whole) = history(&name, silence)?;
                server_matches.matches.push((file.clone(), history));
                server_matches.is_broken_off |= !is_whole;
            }
        }
        Ok(server_matches)
    }

    /// Returns the best exit status: a match may have gone on after a server's disconnect.
    pub(super) fn status(&self) -> Status {
        if self.is_broken_off {
            Status::Broken
        } else {
            Status::Conforms
        }
    }

    /// The addresses of the matches, each with what spectators received there.
    pub(super) fn all(&self) -> &[(PathBuf, Vec<u8>)] {
        &self.matches
    }
}

/// Returns the lines that spectators of the match received, and true if these lines are complete.
fn history(address: &str, silence: Duration) -> Result<(Vec<u8>, bool), Status> {
    let (url, id) = match_at(address)?;
    let asked = ask(async |deadline| {
        match Client::of_archive(&url.server, deadline)
            .await?
            .stored(&id)
            .await
        {
            Err(failure) if failure.is_refusal() => {
                let client = Client::connect(&url.server, Patience::Once, deadline).await?;
                watched(client, &id, silence).await
            }
            server_matches => {
                let history = server_matches?;
                if let Some(remark) = what_lacks(address, &history) {
                    super::output::say(&remark.into());
                }
                Ok(Some((history, true)))
            }
        }
    });
    let found = asked.map_err(|trouble| trouble.of(address))?;
    let (history, is_whole) = found.ok_or_else(|| no_such_match(address))?;
    match (history.is_empty(), is_whole) {
        (true, true) => {
            let fault = Diagnostic::error("server/empty", "there is no line of this match");
            Err(refuse(fault.in_file(address)))
        }
        // Why has been said.
        (true, false) => Err(Status::Broken),
        (false, is_whole) => Ok((history, is_whole)),
    }
}

/// Says that there is no match at this address.
pub(super) fn no_such_match(address: &str) -> Status {
    let title = "there is no match of this id: none waits, is played or is stored";
    let help =
        "`urtext record --spectate` with the address of the server lists those that are there";
    refuse(
        Diagnostic::error("server/no-such-match", title)
            .in_file(address)
            .help(help),
    )
}

/// A match that is stored is over, whether its lines say so or not: returns the remark about one whose lines do not, or about one that
/// is too large to tell.
fn what_lacks(address: &str, history: &[u8]) -> Option<Diagnostic> {
    if history.len() > bare::GAME_LIMIT {
        let title = format!(
            "this match is {} bytes, and only {} are read: whether the server has stored its last lines is not known",
            history.len(),
            bare::GAME_LIMIT
        );
        return Some(Diagnostic::remark("server/too-large", title).in_file(address));
    }
    let matches = [(PathBuf::from(address), history.to_vec())];
    let options = ReadOptions {
        matches: &matches,
        ..ReadOptions::default()
    };
    let game = game_so_far(&matches[0].0, &options).ok()??;
    if !matches!(game.judged.ending, Some(Ending::Incomplete(_))) {
        return None;
    }
    let title = "the server has not stored the last lines of this match, which is over";
    let help = "whoever watches a match receives all of it: `urtext record --spectate`";
    let remark = Diagnostic::remark("server/last-lines", title);
    Some(remark.in_file(address).help(help))
}

/// The server and the id of the match at this address.
///
/// # Errors
/// The status to exit with, after saying what is wrong with the address.
pub(super) fn match_at(address: &str) -> Result<(CocoUrl, String), Status> {
    let mut url: CocoUrl = address
        .parse()
        .map_err(|fault| wrong_address(address, fault))?;
    url.id.take().map(|id| (url, id)).ok_or_else(|| {
        let fault = Diagnostic::error("server/no-match", "this is the address of a server, not of a match");
        let help =
            "`urtext record --spectate coco://HOST:PORT/` lists the matches that are there; `urtext run --subject` tests the server";
        refuse(fault.in_file(address).help(help))
    })
}

/// Watches a running match; returns its lines, and true if the match was watched to the end. Returns `None`
/// if no match has that id.
async fn watched(
    client: Client,
    id: &str,
    silence: Duration,
) -> Result<Option<(Vec<u8>, bool)>, Failure> {
    let notices = Notices::default();
    let wire = match client.spectate(id, notices.clone()).await {
        Err(failure) if failure.is_refusal() => return Ok(None),
        wire => wire?,
    };
    anstream::eprintln!("urtext: this match is watched to its end");
    let mut history = Vec::new();
    let mut reader = wire.reader.take(bare::GAME_LIMIT as u64 + 1);
    let is_silent = loop {
        match timeout(silence, reader.read_buf(&mut history)).await {
            Ok(Ok(1..)) => {}
            // A reader that breaks off has told the notices why.
            Ok(Ok(0) | Err(_)) => break false,
            Err(_) => break true,
        }
    };
    if is_silent {
        let (silence, verb) = (
            humantime::format_duration(silence),
            match history.is_empty() {
                true => "nobody may have joined it",
                false => "it is judged up to here",
            },
        );
        anstream::eprintln!("urtext: this match has sent nothing for {silence}: {verb}");
    }
    let is_whole = tell_notices("urtext", &notices) && !is_silent;
    Ok(Some((history, is_whole)))
}

/// Reports many empty frames, and what broke the match off; returns true if nothing did.
pub(super) fn tell_notices(speaker: &str, notices: &Notices) -> bool {
    let (remark, breaches) = (empty_frames_remark(notices.empty_frames()), notices.take());
    for text in remark.iter().chain(&breaches) {
        anstream::eprintln!("{speaker}: {text}");
    }
    breaches.is_empty()
}

/// Asks a server something, and waits for it.
pub(super) fn ask<T>(
    asking: impl AsyncFnOnce(Instant) -> Result<T, Failure>,
) -> Result<T, Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Trouble::Runtime(error.to_string()))?;
    runtime
        .block_on(async { asking(Instant::now() + PATIENCE).await })
        .map_err(Trouble::Server)
}

/// Errors before or during a request to a server.
#[derive(Debug)]
pub(super) enum Trouble {
    Runtime(String),
    Server(Failure),
}

impl Trouble {
    /// Says it of this address: 2 where the address is wrong for this server, 3 where the server is not to be had.
    pub(super) fn of(self, address: &str) -> Status {
        let (text, status, help) = match self {
            Trouble::Runtime(text) => (text, Status::Broken, None),
            Trouble::Server(failure) => {
                let status = if failure.is_refusal() {
                    Status::Usage
                } else {
                    Status::Broken
                };
                (failure.to_string(), status, Some(failure.next_step()))
            }
        };
        let fault = Diagnostic::error("server/trouble", text).in_file(address);
        refuse(help.into_iter().fold(fault, Diagnostic::help));
        status
    }
}

/// Says what is wrong with an address.
pub(super) fn wrong_address(address: &str, fault: Unreachable) -> Status {
    refuse(
        Diagnostic::error("server/address", fault.title)
            .in_file(address)
            .help(fault.help),
    )
}

/// Says what is wrong with an address, or what is asked of it.
pub(super) fn refuse(fault: Diagnostic) -> Status {
    super::output::say(&fault.into());
    Status::Usage
}

#[cfg(test)]
mod tests {
    use super::{bare, what_lacks};

    #[test]
    fn a_stored_match_that_is_too_large_is_not_said_to_lack_its_last_lines() {
        let said = |bytes: usize| {
            let mut history = b"Ann\nBob\n0 0 0 0\n".to_vec();
            history.resize(bytes, b'\n');
            let remark = what_lacks("coco://a/b", &history);
            remark.map(|remark| remark.code())
        };
        assert_eq!(said(16), Some("server/last-lines"));
        assert_eq!(said(bare::GAME_LIMIT + 1), Some("server/too-large"));
    }
}
