//! Explored games as the text of scenarios.

use std::fmt::Write;

use crate::diagnostic::visible::quoted;
use crate::diagnostic::{Diagnostics, Source};
use crate::pack;
use crate::protocol::Dialect;
use crate::requirement::Binds;
use crate::requirement::Role;
use crate::rules::Seat;
use crate::scenario::{self, Alone, Scenario, Side};

/// Key for the turns of a bot's opponent.
pub(super) const OPPONENT: &str = "opponent";

/// Keys above the turns.
pub(super) struct Header<'h> {
    pub(super) title: &'h str,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) side: Side,
    pub(super) bot_seat: Seat,
    pub(super) check: &'h str,
    /// Further keys, each with what stands there.
    pub(super) more: Vec<(&'static str, String)>,
}

/// A scenario with these turns, each without its dash.
pub(super) fn scenario(header: &Header<'_>, turns: &[String]) -> String {
    let game = header.dialect.game();
    let mut text = format!("scenario: {}\ngame: {}\n", header.title, game.name());
    let mut key = |name: &str, value: &str| {
        writeln!(text, "{name}: {value}").expect("a string takes all");
    };
    key("subject", header.side.word());
    if header.side == Side::Bot {
        key("seat", game.seat_name(header.bot_seat));
    }
    key("checks", &format!("[{}]", header.check));
    for (name, value) in &header.more {
        key(name, value);
    }
    text.push_str("turns:\n");
    for turn in turns {
        writeln!(text, "  - {turn}").expect("a string takes all");
    }
    text
}

/// Reads a scenario that was made up.
///
/// # Errors
/// Describes the error.
pub(super) fn read(text: &str, name: &str) -> Result<Scenario, Diagnostics> {
    let source = Source::new(name, text);
    let (scenarios, problems) = scenario::resolve(&source, name, &Alone);
    scenarios.into_iter().next().ok_or(problems)
}

/// The key of a seat's turns.
pub(super) fn key_of(
    dialect: &dyn Dialect,
    side: Side,
    bot_seat: Seat,
    seat: Seat,
) -> &'static str {
    match side {
        Side::Referee => dialect.game().seat_name(seat),
        Side::Bot if seat == bot_seat => "bot",
        Side::Bot => OPPONENT,
    }
}

/// The first of these requirements that a scenario for this side can check; one that every game checks where there is none.
pub(super) fn check(dialect: &dyn Dialect, side: Side, wished: &[&'static str]) -> &'static str {
    let binds = if side == Side::Referee {
        Binds::Referee
    } else {
        Binds::Bot
    };
    let can_check = |id: &&&str| {
        pack::requirement(id)
            .is_some_and(|entry| entry.binds.contains(&binds) && entry.unchecked.is_none())
    };
    let usual = match side {
        Side::Referee => dialect.id(Role::FirstTurn),
        Side::Bot => dialect.id(Role::BotOwnSeat),
    };
    wished.iter().find(can_check).copied().unwrap_or(usual)
}

/// A turn in single quotation marks, so that nothing in it means anything to YAML.
pub(super) fn turn(key: &str, what: &str) -> String {
    format!("{key}: '{}'", what.replace('\'', "''"))
}

/// A turn with what the other player sends before anything is done in it.
pub(super) fn with_meanwhile(turn: String, other: &str, lines: &[Vec<u8>]) -> String {
    if lines.is_empty() {
        return turn;
    }
    let mut text = format!("{turn}\n    meanwhile:");
    for line in lines {
        let line = [line, b"\n".as_slice()].concat();
        let act = self::turn(other, &format!("send {}", quoted(&line)));
        write!(text, "\n      - {act}").expect("a string takes all");
    }
    text
}
