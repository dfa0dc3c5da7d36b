//! Finished games that `urtext run` plays again.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::stored::Stored;
use super::subject::quote;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, visible};
use crate::protocol::{self, LaneKind};
use crate::replay::{Again, seat_of};
use crate::rules::Seat;
use crate::scenario::{self, Alone, Scenario, Side, is_scenario_file};
use crate::transcript::{FiledGame, bare, golden, recording};
use crate::verify::{self, Verdict};

/// What stands behind the name of a finished game where the scenario that was made of it is meant.
const AGAIN: &str = " (played again)";

/// How much of a file tells what it is, in bytes.
const HEAD: u64 = 4096;

/// Whether a file holds a finished game rather than scenarios.
pub(super) fn is_finished_game(path: &Path) -> bool {
    let mut head = Vec::new();
    // What cannot be read is reported by whoever reads it whole.
    let is_read =
        path.is_file() && File::open(path).is_ok_and(|file| file.take(HEAD).read_to_end(&mut head).is_ok());
    let is_stream = || protocol::ALL.iter().any(|dialect| bare::looks_like(&head, *dialect));
    is_read
        && !is_scenario_file(path)
        && (golden::is_golden(&head) || recording::is_recording(&head) || is_stream())
}

/// The scenario that plays a finished game again. What it cannot play is said on standard error.
///
/// # Errors
/// What is wrong with the file, or with what is asked of it.
pub(super) fn scenario(
    path: &Path,
    side: Side,
    seat: Option<&str>,
    from: Option<usize>,
) -> Result<Scenario, Diagnostics> {
    let name = path.to_string_lossy();
    let filed = super::replay::one_game(path, Some(1), None, &Stored::default())?;
    let fault = |title: String, help: &str| {
        Diagnostics::from(Diagnostic::error("run/recording", title).in_file(&*name).help(help))
    };
    let judged = verify::judge(&filed);
    match &judged.verdict {
        Verdict::Unruled => {
            return Err(fault(
                verify::unruled(judged.dialect),
                "what was said in it can be written as a dialogue",
            ));
        }
        Verdict::Untold(lane) => return Err(verify::half_a_lane(&filed.lanes[*lane].name).into()),
        Verdict::Legal(_) | Verdict::Wrong(_) => {}
    }
    let seat = match seat {
        Some(word) => seat_called(&filed, word)
            .map_err(|help| fault(format!("there is no seat {}", visible::quoted(word)), &help))?,
        None => seat_of_recorder(&filed),
    };
    let title = format!("{} played again", visible::plain(name.as_bytes()));
    let again = Again { title: &title, side, seat, from };
    let script = again.script(&filed, judged).map_err(|error| {
        fault(error.to_string(), "`urtext replay --print` shows the turns with their numbers")
    })?;
    for reason in &script.left_out {
        anstream::eprintln!(
            "note: {}: not played again: {}",
            visible::plain(name.as_bytes()),
            visible::plain(reason)
        );
    }
    let source = Source::new(&format!("{name}{AGAIN}"), script.text);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (mut scenarios, faults) = scenario::resolve(&source, &format!("{stem}-again"), &Alone);
    scenarios.pop().ok_or(faults)
}

/// The words that play it once more, for a command line.
pub(super) fn repeat(place: &str, from: Option<usize>, seat: Option<&str>) -> Vec<String> {
    let Some(file) = place.strip_suffix(AGAIN) else { return vec![quote(place)] };
    let from = from.map(|from| format!("--from {from}"));
    let seat = seat.map(|seat| format!("--seat {}", quote(seat)));
    [Some(quote(file)), from, seat].into_iter().flatten().collect()
}

fn seat_called(game: &FiledGame, word: &str) -> Result<Seat, String> {
    let names = Seat::BOTH.map(|seat| game.dialect.game().seat_name(seat));
    let seat = Seat::BOTH.into_iter().find(|seat| names[seat.index()] == word);
    seat.ok_or_else(|| format!("its seats are {} and {}", names[0], names[1]))
}

/// The seat of the only player whose lane is at hand.
fn seat_of_recorder(game: &FiledGame) -> Seat {
    let mut players = game.lanes.iter().filter(|lane| lane.kind == LaneKind::Player);
    match (players.next(), players.next()) {
        (Some(only), None) => seat_of(game.dialect, only).unwrap_or(Seat::First),
        _ => Seat::First,
    }
}
