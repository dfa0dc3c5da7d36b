//! A tree of nodes to a [`Scenario`]: names found, moves checked by playing the game, all faults of the file at once.
//!
//! Reading goes on after a fault wherever it is clear what was meant (a slip in the name of the game, a move that the rules
//! refuse), and says nothing more about the game where it is not.

mod blame;
mod cast;
mod company;
mod header;
mod lines;
mod meanwhile;
mod pieces;
mod quoted;
mod rehearsal;
mod spot;
mod text;
mod turn;
mod turn_text;
mod turns;
mod world;

use cast::Cast;
use pieces::Budget;
use rehearsal::Stage;

use super::parse::{MapReader, Node, Value, parse};
use super::{Golden, Scenario};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, Span};
use crate::rules::Seat;

/// How a scenario names its golden transcript: a relative path that stays in its folder, and where it is written.
#[derive(Debug, Clone, Copy)]
pub struct NamedGolden<'n> {
    /// The path.
    pub path: &'n str,
    /// Where it is written.
    pub span: Span,
}

/// Reads a scenario; where there is a fault in it there is none, and at least one diagnostic is an error.
///
/// `name` is what the scenario is called. `golden` says where the golden transcript is, by the name that the scenario gives it; it is
/// asked only where there can be one, and may push faults.
pub fn resolve(
    source: &Source,
    name: &str,
    golden: impl FnOnce(Option<NamedGolden<'_>>, &Faults<'_>) -> Golden,
) -> (Option<Scenario>, Diagnostics) {
    let faults = Faults::new(source);
    let scenario = parse(&faults).and_then(|root| whole(&root, name, &faults, golden));
    let diagnostics = faults.into_diagnostics();
    assert!(scenario.is_some() || diagnostics.has_errors(), "a scenario is refused with a reason");
    (scenario.filter(|_| !diagnostics.has_errors()), diagnostics)
}

fn whole(
    root: &Node,
    name: &str,
    faults: &Faults<'_>,
    golden: impl FnOnce(Option<NamedGolden<'_>>, &Faults<'_>) -> Golden,
) -> Option<Scenario> {
    refuse_catalogue(root, faults)?;
    if is_dialogue(root) {
        return dialogue(root, name, faults, golden);
    }
    let mut keys = MapReader::new(root, "a scenario", faults)?;
    let title = keys.required("scenario");
    let game = keys.required("game");
    let subject = keys.required("subject");
    let seat = keys.entry("seat");
    let checks = keys.required("checks");
    let names = keys.optional("names");
    let spectators = keys.entry("spectators");
    let timeout = keys.optional("timeout");
    let pace = keys.entry("pace");
    let turns = keys.required("turns");
    let golden_entry = keys.entry("golden");
    keys.finish();

    let title = title.and_then(|node| header::title(node, faults));
    let timeout = timeout.and_then(|node| header::timeout(node, faults));
    let names = names.and_then(|node| header::names(node, faults));
    let golden_path = golden_entry.and_then(|(_, node)| header::golden(node, faults));
    let entries = turns.and_then(|node| turns::entries(node, faults));
    let first_key = entries.and_then(turns::first_key);
    let side = header::side(subject, first_key, faults);
    let dialect = game.and_then(|node| header::dialect(node, faults))?;
    let pace = pace.and_then(|entry| header::pace(entry, dialect.game(), faults));
    let side = side?;
    let bot_seat = header::seat(seat, root.span, side, dialect.game(), first_key, faults);
    let cast = Cast { dialect, side, bot_seat };
    let checks = checks.map(|node| header::checks(node, &cast, faults)).unwrap_or_default();
    let spectators = header::spectators(spectators, side, faults);

    let entries = entries?;
    let budget = Budget::new();
    let written: Vec<_> = (entries.iter().enumerate())
        .map(|(index, node)| turns::step(node, index + 1 == entries.len(), &cast, &budget, faults))
        .collect();
    let rehearsed = rehearsal::rehearse(&written, &cast, Stage { spectators, timeout }, faults);
    let golden = match (golden_entry, &rehearsed.undetermined) {
        (Some(entry), Some(why)) => {
            header::refuse_golden(entry, why, faults);
            Golden::None
        }
        (None, Some(_)) => Golden::None,
        (Some((_, node)), None) => {
            let path = golden_path?;
            golden(Some(NamedGolden { path, span: node.span }), faults)
        }
        (None, None) => golden(None, faults),
    };
    Some(Scenario {
        source: faults.source().clone(),
        name: name.to_owned(),
        title: title?,
        dialect,
        side,
        bot_seat: if side == super::Side::Bot { bot_seat } else { Seat::First },
        checks,
        spectators,
        timeout,
        pace,
        names,
        steps: rehearsed.steps,
        dialogue: None,
        barrier: rehearsed.barrier,
        golden,
    })
}

/// Whether the scenario plays a game without rules.
fn is_dialogue(root: &Node) -> bool {
    let Value::Map(entries) = &root.value else { return false };
    let is_lines = |node: &Node| matches!(&node.value, Value::Scalar(scalar) if scalar.text == "lines");
    entries.iter().any(|(key, node)| key.text == "game" && is_lines(node))
}

/// A scenario that is a dialogue, line by line.
fn dialogue(
    root: &Node,
    name: &str,
    faults: &Faults<'_>,
    golden: impl FnOnce(Option<NamedGolden<'_>>, &Faults<'_>) -> Golden,
) -> Option<Scenario> {
    let mut keys = MapReader::new(root, "a scenario of lines", faults)?;
    let title = keys.required("scenario");
    keys.required("game");
    let subject = keys.required("subject");
    let participants = keys.optional("participants");
    let steps = keys.required("steps");
    let golden_entry = keys.entry("golden");
    keys.finish();
    let title = title.and_then(|node| header::title(node, faults));
    let side = header::side(subject, None, faults)?;
    let golden_path = golden_entry.and_then(|(_, node)| header::golden(node, faults));
    let dialogue = lines::dialogue(participants, steps?, side, faults)?;
    let named = golden_entry.zip(golden_path).map(|((_, node), path)| NamedGolden { path, span: node.span });
    Some(Scenario {
        source: faults.source().clone(),
        name: name.to_owned(),
        title: title?,
        dialect: &crate::protocol::lines::Lines,
        side,
        bot_seat: Seat::First,
        checks: Vec::new(),
        spectators: 0,
        timeout: None,
        pace: None,
        names: None,
        steps: Vec::new(),
        dialogue: Some(std::sync::Arc::new(dialogue)),
        barrier: None,
        golden: golden(named, faults),
    })
}

/// Says of a catalogue of requirements that it is one, instead of every key that it has and lacks.
fn refuse_catalogue(root: &Node, faults: &Faults<'_>) -> Option<()> {
    let Value::Map(entries) = &root.value else { return Some(()) };
    let has = |wanted: &str| entries.iter().any(|(key, _)| key.text == wanted);
    if has("scenario") || has("turns") || !has("protocol") || !has("requirements") {
        return Some(());
    }
    let fault =
        Diagnostic::error("scenario/catalogue", "this is a catalogue of requirements, not a scenario");
    let help = "name a scenario, or the folder: catalogues in it are passed over";
    faults.push(fault.in_file(faults.source().name()).help(help));
    None
}
