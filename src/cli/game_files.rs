//! Files with finished games, as the commands that read them take them.

use std::path::Path;

use super::Status;
use super::server_matches::ServerMatches;
use crate::diagnostic::Diagnostics;
use crate::pack;
use crate::pack::Protocol;
use crate::transcript::LoggedGame;
use crate::verify::Joined;
pub(super) use crate::verify::{
    NotatedFile, no_such_game, records, several_games, without_second_halves,
};

/// The protocol of `--dialect`, where it is one of lanes.
///
/// # Errors
/// The status to exit with, after saying what is wrong.
pub(super) fn protocol(name: Option<&str>) -> Result<Option<Protocol>, Status> {
    let is_notation = |name: &&str| pack::notations().any(|notation| notation.name() == *name);
    let Some(name) = name.filter(|name| !is_notation(name)) else {
        return Ok(None);
    };
    Protocol::find(name).map(Some).ok_or_else(|| {
        let known: Vec<_> = Protocol::all()
            .map(Protocol::name)
            .chain(pack::notations().map(|notation| notation.name()))
            .collect();
        super::output::usage(&format!(
            "there is no dialect {name:?}; dialects are: {}",
            known.join(", ")
        ))
    })
}

/// The game of that number whose lanes the files are, from 1, and whether they hold others; the first where no number is given, with a
/// remark if there are others.
///
/// # Errors
/// Every fault of the files; that there is no such game.
pub(super) fn joined(
    files: &[&Path],
    number: Option<u64>,
    protocol: Option<Protocol>,
    server_matches: &ServerMatches,
) -> Result<(LoggedGame, bool), Diagnostics> {
    let mut joined = Joined::open(files, protocol, &|file, protocol| {
        server_matches.open(file, protocol)
    })?;
    super::output::say(&joined.warnings);
    let mut count = 0;
    while let Some(game) = joined.next_game()? {
        count += 1;
        if count == number.unwrap_or(1) {
            // A fault of a later game is none of this one.
            let is_one_of_several = count > 1 || matches!(joined.next_game(), Ok(Some(_)));
            if number.is_none() && is_one_of_several {
                super::output::say(&several_games(joined.name()));
            }
            return Ok((game, is_one_of_several));
        }
    }
    Err(no_such_game(joined.name(), number.unwrap_or(1), count))
}
