//! The game state of hc-ur (seed `002`, "Game state").

use std::fmt::Write;

use super::Square;
use super::json::{JsonNode, JsonReader, JsonValue};
use super::reader::{Fields, take};
use crate::diagnostic::{Diagnostics, Source, Span};
use crate::games::royalur::{TOKENS, UrPosition, UrRules};
use crate::rules::{PerSeat, Rules, Seat};

/// The names of the two sides, in the order of the seats.
const NAMES: [&str; 2] = ["player_1", "player_2"];

/// Positions of both players' tokens, and whether the game is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurState {
    /// True if the game is over.
    pub complete: bool,
    /// Player 1 in the first seat, player 2 in the second.
    pub sides: PerSeat<HcurSide>,
}

/// One player's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HcurSide {
    /// The squares of those on the board, in the order of the path.
    pub tokens: Vec<Square>,
    /// Number of tokens that have reached home.
    pub tokens_home: usize,
    /// True if the player has resigned.
    pub resigned: bool,
}

impl HcurState {
    /// Id of the requirement that a state is what its records come to.
    pub const REDUCES: &str = "hc/state/reduces";

    /// The state at a position. `resigned`: who has lost before the end, for which hc-ur has no other word.
    #[must_use]
    pub fn of(position: &UrPosition, resigned: Option<Seat>) -> HcurState {
        let side = |seat| {
            let mut cells: Vec<_> = position.cells(seat).collect();
            cells.sort_unstable();
            let tokens = cells
                .into_iter()
                .filter_map(|cell| Square::of_cell(seat, cell))
                .collect();
            HcurSide {
                tokens,
                tokens_home: position.out(seat),
                resigned: resigned == Some(seat),
            }
        };
        let complete = resigned.is_some() || UrRules::STANDARD.winner(position).is_some();
        HcurState {
            complete,
            sides: PerSeat(Seat::BOTH.map(side)),
        }
    }

    /// The state as JSON in the seed's shape, a line for each member; without a newline at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\n  \"complete\": {},\n", self.complete);
        for seat in Seat::BOTH {
            let HcurSide {
                tokens,
                tokens_home,
                resigned,
            } = &self.sides[seat];
            let tokens: Vec<_> = tokens
                .iter()
                .map(|square| format!("{{\"x\": {}, \"y\": {}}}", square.x, square.y))
                .collect();
            let comma = if seat == Seat::First { "," } else { "" };
            let name = NAMES[seat.index()];
            let tokens = tokens.join(", ");
            let lines = format!(
                "  \"{name}\": {{\n    \"tokens\": [{tokens}],\n    \"tokens_home\": {tokens_home},\n    \
                 \"resigned\": {resigned}\n  }}{comma}\n"
            );
            text.write_str(&lines).expect("a string takes all");
        }
        text + "}"
    }

    /// Reads a state; the order of the tokens is of no account.
    ///
    /// # Errors
    /// The first place that is not JSON, or every member that is missing or cannot be: a square off the player's path, two
    /// tokens on one square, more than seven tokens.
    pub fn read(source: &Source) -> Result<HcurState, Diagnostics> {
        let mut json = JsonReader::new(source)?;
        let node = json.value()?;
        if json.peek().is_some() {
            return Err(json
                .fault(json.here(), "something follows the end of the state")
                .into());
        }
        let mut faults = Diagnostics::new();
        match Fields::new("hc-ur/state", source, &mut faults).state(node) {
            Some(state) if !faults.has_errors() => Ok(state),
            _ => Err(faults),
        }
    }
}

const HELP: &str = "a state is `{complete: false, player_1: {tokens: [{x: 4, y: 1}], tokens_home: 1, resigned: false}, player_2: …}`";

impl Fields<'_> {
    fn state(&mut self, node: JsonNode) -> Option<HcurState> {
        let [complete, first, second] =
            self.members(node, "a state", ["complete", NAMES[0], NAMES[1]])?;
        let complete = self.flag(complete, "complete", HELP);
        let first = self.side(first, Seat::First);
        let second = self.side(second, Seat::Second);
        let (complete, [own, other]) = (complete?, [first?, second?]);
        let mut shared = own.tokens.iter();
        if let Some(shared) = shared.find(|square| other.tokens.contains(square)) {
            let title = format!("both players have a token on {shared}");
            return self.fault(Span::at(0), title, HELP);
        }
        Some(HcurState {
            complete,
            sides: PerSeat([own, other]),
        })
    }

    fn side(&mut self, node: JsonNode, seat: Seat) -> Option<HcurSide> {
        let name = NAMES[seat.index()];
        let span = node.span;
        let [tokens, home, resigned] =
            self.members(node, name, ["tokens", "tokens_home", "resigned"])?;
        let resigned = self.flag(resigned, "resigned", HELP);
        let tokens_home = match home.value {
            JsonValue::Number(Some(number)) if (0..=TOKENS as i64).contains(&number) => {
                Some(number as usize)
            }
            _ => self.fault(home.span, "`tokens_home` is a number from 0 to 7", HELP),
        };
        let kind = tokens.kind();
        let JsonValue::List(list) = tokens.value else {
            let title = format!("`tokens` is a list, and this is {kind}");
            return self.fault(tokens.span, title, HELP);
        };
        let mut cells = Vec::new();
        for node in list {
            let span = node.span;
            let square = self.square(node, HELP)?;
            let title = match square.cell(seat) {
                Some(cell) if cells.contains(&cell) => {
                    format!("two tokens of {name} stand on {square}")
                }
                Some(cell) => {
                    cells.push(cell);
                    continue;
                }
                None => format!("{square} is no square of the path of {name}"),
            };
            self.fault::<()>(span, title, HELP);
        }
        cells.sort_unstable();
        let tokens: Vec<_> = cells
            .into_iter()
            .filter_map(|cell| Square::of_cell(seat, cell))
            .collect();
        let side = HcurSide {
            tokens,
            tokens_home: tokens_home?,
            resigned: resigned?,
        };
        if side.tokens.len() + side.tokens_home > TOKENS {
            let title = format!("{name} has more than {TOKENS} tokens");
            self.fault::<()>(span, title, HELP);
        }
        Some(side)
    }

    /// The members of these names; every other one, and every one that is missing, is a fault.
    fn members<const N: usize>(
        &mut self,
        node: JsonNode,
        what: &str,
        names: [&str; N],
    ) -> Option<[JsonNode; N]> {
        let span = node.span;
        let mut members = self.object(node, &format!("{what} is an object"), HELP)?;
        let found = names.map(|name| {
            let node = take(&mut members, name);
            node.or_else(|| self.fault(span, format!("{what} has no `{name}`"), HELP))
        });
        for member in members {
            let title = format!("{what} has no such member");
            self.fault::<()>(member.name_span, title, HELP);
        }
        let found: Vec<_> = found.into_iter().collect::<Option<_>>()?;
        found.try_into().ok()
    }
}
