//! No protocol but lines: what a scenario of `game: lines` speaks. Nothing is predicted, nothing has a meaning.

use super::{
    BotRequirements, ClockRequirements, Dialect, Facts, Greeting, Happening, Heard, OffTurn, Party, Said,
    Slot, Told,
};
use crate::games::{Game, lines};
use crate::rules::{Move, Seat};

/// The row of this dialect in [`super::ALL`].
#[derive(Debug)]
pub struct Lines;

/// There are no requirements without a specification.
const NONE: &str = "";

impl Dialect for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn game(&self) -> &'static dyn Game {
        &lines::Lines
    }

    fn greeting(&self, _is_spectator: bool) -> &'static [Greeting] {
        &[]
    }

    fn greeting_ends(&self, _is_spectator: bool) -> &'static str {
        NONE
    }

    fn read_greeting(
        &self,
        _slot: Slot,
        _line: &[u8],
        _facts: &mut Facts,
    ) -> Result<Option<Seat>, &'static str> {
        unreachable!("there is no handshake")
    }

    fn write_greeting(&self, _slot: Slot, _to: Party, _facts: &Facts) -> Option<Vec<u8>> {
        unreachable!("there is no handshake")
    }

    fn tell(&self, _happening: &Happening, _to: Party, _out: &mut Vec<Told>) {}

    fn hear(&self, _line: &[u8]) -> Heard {
        Heard::Other
    }

    fn write_move(&self, _mv: Move) -> Vec<u8> {
        Vec::new()
    }

    fn read_said(&self, _line: &[u8]) -> Said {
        Said::Ignored(NONE)
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Ignored(NONE)
    }

    fn gone_off_turn(&self) -> &'static str {
        NONE
    }

    fn late_spectator(&self) -> &'static str {
        NONE
    }

    fn pace_requirement(&self) -> Option<&'static str> {
        None
    }

    fn newline_requirement(&self) -> &'static str {
        NONE
    }

    fn roll_requirements(&self) -> [&'static str; 2] {
        [NONE; 2]
    }

    fn move_awaited_requirement(&self) -> &'static str {
        NONE
    }

    fn first_turn_requirement(&self) -> &'static str {
        NONE
    }

    fn skip_shown_requirement(&self) -> Option<&'static str> {
        None
    }

    fn no_echo_requirement(&self) -> Option<&'static str> {
        None
    }

    fn clock_requirements(&self) -> &'static ClockRequirements {
        &ClockRequirements {
            by_default: None,
            not_early: NONE,
            not_late: NONE,
            own_turn: NONE,
            no_new_time: NONE,
            ignored_lines: None,
            one_sum: None,
        }
    }

    fn nothing_after_requirement(&self, _is_lost: bool) -> &'static str {
        NONE
    }

    fn new_roll_requirement(&self) -> Option<&'static str> {
        None
    }

    fn nothing_else_requirement(&self) -> &'static str {
        NONE
    }

    fn not_passed_on_requirement(&self) -> &'static str {
        NONE
    }

    fn carriage_return_requirement(&self) -> &'static str {
        NONE
    }

    fn close_requirement(&self) -> &'static str {
        NONE
    }

    fn bot_requirements(&self) -> &'static BotRequirements {
        &BotRequirements {
            one_line: NONE,
            legal: NONE,
            silent_when_skipped: NONE,
            silent_off_turn: NONE,
            ignored_lines: None,
            newline: NONE,
            within_timeout: NONE,
            own_seat: NONE,
            ends_after_game: NONE,
            ends_after_loss: NONE,
            ends_on_closed_input: NONE,
            confirmation: None,
            exit_status: NONE,
        }
    }

    fn bot_line_requirement(&self, _line: &[u8]) -> &'static str {
        NONE
    }
}
