//! `urtext matches`: the matches of a Code Colosseum server.

use std::fmt::Write;

use clap::Args;

use super::Status;
use super::output::print;
use super::server_matches::{ask, no_such_match, wrong_address};
use crate::config::CocoUrl;
use crate::diagnostic::visible;
use crate::transport::coco::{Client, Match};

/// Arguments of `urtext matches`.
#[derive(Debug, Args)]
#[command(
    after_help = "The first word of a line is the id: coco://HOST:PORT/ID is the address of that match, for `urtext bot --at` \
    while it waits, and for `urtext replay`, `verify` and `convert` once it is stored.\n\n\
    Exit status: 0, 2 for an address that means nothing or a match that is not there, 3 where the server cannot be reached or speaks something else."
)]
pub(super) struct MatchesArgs {
    /// The server, coco://HOST:PORT/, or one match there, coco://HOST:PORT/ID
    #[arg(value_name = "URL")]
    address: String,
}

impl MatchesArgs {
    /// Lists what waits, what is played, and what is stored.
    pub(super) fn run(self) -> Status {
        let url: CocoUrl = match self.address.parse() {
            Ok(url) => url,
            Err(fault) => return wrong_address(&self.address, fault),
        };
        let asked = ask(async |deadline| {
            // A server that has run for long has stored more than fits into the usual message.
            let mut client = Client::of_archive(&url.server, deadline).await?;
            Ok((client.lobby().await?, client.stored_ids().await?))
        });
        match asked {
            Ok((mut lobby, mut stored)) => {
                if let Some(id) = &url.id {
                    lobby.retain(|found| found.id == *id);
                    stored.retain(|found| found == id);
                    if lobby.is_empty() && stored.is_empty() {
                        return no_such_match(&self.address);
                    }
                }
                print(listing(lobby, stored).trim_end());
                Status::Conforms
            }
            Err(trouble) => trouble.of(&self.address),
        }
    }
}

/// A line for each match; those of the lobby first.
fn listing(mut lobby: Vec<Match>, mut stored: Vec<String>) -> String {
    let shown = |text: &str| visible::plain(text).at_most(40).to_string();
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
    if text.is_empty() {
        "no match waits, is played or is stored there".to_owned()
    } else {
        text
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
            time: 0,
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
