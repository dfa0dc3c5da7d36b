//! `urtext record --spectate` with the address of a server: the matches that are there.

use std::fmt::Write;

use crate::cli::Status;
use crate::cli::output::print;
use crate::cli::server_matches::ask;
use crate::diagnostic::visible;
use crate::transport::coco::{Client, Match};

/// Lists what waits, what is played, and what is stored on the server `HOST:PORT`. `address`: what the user named.
pub(super) fn list(server: &str, address: &str) -> Status {
    let asked = ask(async |deadline| {
        // A server that has run for long has stored more than fits into the usual message.
        let mut client = Client::of_archive(server, deadline).await?;
        Ok((client.lobby().await?, client.stored_ids().await?))
    });
    match asked {
        Ok((lobby, stored)) => {
            print(listing(lobby, stored).trim_end());
            Status::Conforms
        }
        Err(trouble) => trouble.of(address),
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
