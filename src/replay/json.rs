//! A replay for programs: JSON Lines, one [`ReplayRecord`] each.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::rules::{CellKind, Picture, PictureCell, Seat, Stock, TokenPlace};
use crate::transcript::Direction;

/// Version of the format. A reader ignores unknown fields, and unknown types of lines.
const VERSION: u32 = 1;

/// A line of a replay.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "One line of an urtext replay (JSON Lines)")]
enum ReplayRecord<'r> {
    /// The first line.
    Game(GameRecord<'r>),
    /// The start, then each turn.
    Turn(Box<TurnRecord<'r>>),
    /// The last line.
    End(EndRecord),
}

/// The game.
#[derive(Debug, Serialize, JsonSchema)]
struct GameRecord<'r> {
    /// Version of the format.
    version: u32,
    /// Name of the game.
    game: &'r str,
    /// Names of the seats.
    seats: [&'r str; 2],
    /// The players by seat: the name, if it is known, and the seat.
    players: [String; 2],
    /// Names of the players by seat, escaped; null if a name is not known.
    names: [Option<String>; 2],
    /// Random setup, as scenarios write it; null in a game without.
    setup: Option<String>,
    /// Owners of the lanes.
    lanes: Vec<&'r str>,
    /// The cells of the board.
    cells: Vec<CellRecord<'r>>,
    /// Number of the last turn.
    turns: usize,
}

/// A turn, and the position after it.
#[derive(Debug, Serialize, JsonSchema)]
struct TurnRecord<'r> {
    /// Its number; 0 is the start.
    turn: usize,
    /// The seat of the player.
    by: Option<&'r str>,
    /// The roll, as scenarios write it.
    roll: Option<String>,
    /// Result: `start`, `moved`, `skipped`, `lost`, or `awaited` where the lanes stop.
    action: &'static str,
    /// Cause of a loss: `timeout`, `disconnect`, `resigned`, `retired` if it is not known, or the id of the broken requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    /// The move, as scenarios write it.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Origin of the token: the name of a cell, or the short name of a stock.
    from: Option<String>,
    /// Destination of the token.
    to: Option<String>,
    /// The token that was captured.
    captured: Option<String>,
    /// The card that was used.
    card: Option<String>,
    /// The other cells that the token could reach with the roll or the card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reach: Vec<String>,
    /// True if the same player has the next turn.
    plays_again: bool,
    /// The turn in short notation.
    short: String,
    /// The turn in a sentence.
    says: String,
    /// Seconds that the player took.
    took: Option<f64>,
    /// Seconds from the start of the game to the end of the turn.
    at: Option<f64>,
    /// The seat on turn; null after the end.
    to_move: Option<&'r str>,
    /// The tokens on the board.
    tokens: Vec<TokenRecord<'r>>,
    /// Tokens and cards next to the board.
    stocks: Vec<StockRecord<'r>>,
    /// The lines of the lanes.
    lines: Vec<LineRecord>,
}

/// A cell of the board.
#[derive(Debug, Serialize, JsonSchema)]
struct CellRecord<'r> {
    /// Its name.
    name: String,
    /// Its column, from 0 at the left.
    column: u16,
    /// Its row, from 0 at the top.
    row: u16,
    /// Its kind: `plain`, `rosette` or `home`.
    kind: &'static str,
    /// The seat whose tokens alone come here; null for a shared cell.
    owner: Option<&'r str>,
}

/// A token on the board.
#[derive(Debug, Serialize, JsonSchema)]
struct TokenRecord<'r> {
    /// Its name.
    name: String,
    /// The seat of its owner.
    seat: &'r str,
    /// Number of its cell in `cells`, from 0.
    cell: usize,
}

/// Tokens or cards next to the board.
#[derive(Debug, Serialize, JsonSchema)]
struct StockRecord<'r> {
    /// The seat of the owner; null for what belongs to nobody.
    owner: Option<&'r str>,
    /// Its name; empty for the cards in a hand.
    name: &'r str,
    /// The names of its items.
    items: Vec<String>,
}

/// A line of a lane.
#[derive(Debug, Serialize, JsonSchema)]
struct LineRecord {
    /// Number of the lane in `lanes`, from 0.
    lane: usize,
    /// True if the participant sent it; false if it was received.
    is_sent: bool,
    /// The text; control characters and bytes that are not UTF-8 are escaped.
    text: String,
    /// Seconds since the start of the game.
    at: Option<f64>,
    /// True for the line that the error or the finding is about.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_wrong: bool,
}

/// The end of the replay.
#[derive(Debug, Serialize, JsonSchema)]
struct EndRecord {
    /// The result of the game, its first error, or the finding of the judge.
    says: String,
    /// True if a line of the game is wrong.
    is_wrong: bool,
    /// Notes of the judge.
    notes: Vec<String>,
}

/// Returns the schema of one line.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(ReplayRecord).to_value()
}

impl Replay {
    /// Returns the game, these frames of it, and its end as JSON Lines.
    ///
    /// # Panics
    /// Never: every key is a text.
    #[must_use]
    pub fn json(&self, frames: &[Frame]) -> String {
        let start = self.frames[0].picture();
        let setup = self.finished.judged.setup;
        let setup = setup.filter(|_| self.game().setup_syntax().is_some());
        let names = &self.finished.judged.names;
        let game = GameRecord {
            version: VERSION,
            game: self.game().name(),
            seats: Seat::BOTH.map(|seat| self.game().seat_name(seat)),
            players: Seat::BOTH.map(|seat| self.player(seat)),
            names: Seat::BOTH.map(|seat| names[seat].as_deref().map(shown)),
            setup: setup.map(|setup| self.game().format_setup(setup)),
            lanes: self.lanes.iter().map(|lane| lane.owner.as_str()).collect(),
            cells: cells(&start),
            turns: self.last(),
        };
        let notes = self.finished.judged.notes.iter();
        let end = EndRecord {
            says: self.ending(),
            is_wrong: self.is_wrong(),
            notes: notes.map(|note| shown(note.as_bytes())).collect(),
        };
        let turns = frames
            .iter()
            .map(|frame| ReplayRecord::Turn(Box::new(self.turn(frame))));
        let all = [ReplayRecord::Game(game)].into_iter();
        let all = all.chain(turns).chain([ReplayRecord::End(end)]);
        let lines: Vec<_> = all
            .map(|record| serde_json::to_string(&record).expect("all keys are texts"))
            .collect();
        lines.join("\n")
    }

    fn turn(&self, frame: &Frame) -> TurnRecord<'static> {
        let game = self.game();
        let seat = |seat: Seat| game.seat_name(seat);
        let name = |place: &Option<TokenPlace>| place.as_ref().map(|place| place.name.clone());
        let (picture, change) = (frame.picture(), &frame.change);
        let (mut cause, mut mv) = (None, None);
        let action = match &frame.action {
            FrameAction::Start => "start",
            FrameAction::Moved { mv: moved, .. } => {
                mv = Some(game.format_move(*moved));
                "moved"
            }
            FrameAction::Skipped { .. } => "skipped",
            FrameAction::Lost { cause: of } => {
                cause = Some(of.word());
                "lost"
            }
            FrameAction::Awaited => "awaited",
        };
        let lanes = self.lanes.iter().enumerate();
        let lines = lanes.flat_map(|(lane, lines)| {
            let lines = lines.lines_of(frame.number).iter();
            lines.map(move |line| LineRecord {
                lane,
                is_sent: line.line.direction == Direction::Sent,
                text: shown(&line.line.line.text),
                at: line.line.at.map(|at| at.as_secs_f64()),
                is_wrong: line.is_wrong,
            })
        });
        let reach = self.reach(frame).into_iter();
        TurnRecord {
            turn: frame.number,
            by: frame.by.map(seat),
            roll: frame.roll.map(|roll| game.format_roll(roll)),
            action,
            cause,
            mv,
            from: name(&change.from),
            to: name(&change.to),
            captured: change.captured.as_ref().map(|token| token.label.clone()),
            card: change.card.clone(),
            reach: reach.map(|cell| picture.cells[cell].name.clone()).collect(),
            plays_again: frame.plays_again,
            short: self.short(frame),
            says: self.describe(frame),
            took: frame.times.map(|(took, _)| took.as_secs_f64()),
            at: frame.times.map(|(_, at)| at.as_secs_f64()),
            to_move: picture.to_move.map(seat),
            tokens: tokens(&picture),
            stocks: stocks(&picture),
            lines: lines.collect(),
        }
    }
}

fn shown(bytes: &[u8]) -> String {
    visible::plain(bytes).to_string()
}

fn cells(picture: &Picture) -> Vec<CellRecord<'static>> {
    let record = |cell: &PictureCell| CellRecord {
        name: cell.name.clone(),
        column: cell.column,
        row: cell.row,
        kind: match cell.kind {
            CellKind::Plain => "plain",
            CellKind::Rosette => "rosette",
            CellKind::Home(_) => "home",
        },
        owner: cell.owner.map(|seat| picture.seats[seat.index()]),
    };
    picture.cells.iter().map(record).collect()
}

fn tokens(picture: &Picture) -> Vec<TokenRecord<'static>> {
    let cells = picture.cells.iter().enumerate();
    let tokens = cells.filter_map(|(cell, on)| Some((cell, on.token.as_ref()?)));
    tokens
        .map(|(cell, token)| TokenRecord {
            name: token.label.clone(),
            seat: picture.seats[token.seat.index()],
            cell,
        })
        .collect()
}

fn stocks(picture: &Picture) -> Vec<StockRecord<'static>> {
    let record = |stock: &Stock| StockRecord {
        owner: stock.owner.map(|seat| picture.seats[seat.index()]),
        name: stock.name,
        items: stock.items.iter().map(|item| item.label.clone()).collect(),
    };
    picture.stocks.iter().map(record).collect()
}
