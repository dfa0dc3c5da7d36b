//! Connect Four in one file: a program of its own with every command of urtext. `docs/own-game.md` explains it.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

use urtext::pack::spoiler::{
    Edit::*, OffTurnLine, On, Spoiler::*, SpoiltText, SpoiltText::*, To::*, When, clock, increased,
    line, write,
};
use urtext::pack::{FaultRow, Pack, PeersRow, row};
use urtext::protocol::{Dialect, DialectData, Greeting, PlayerLine, Slot};
use urtext::requirement::Specification;
use urtext::rules::{
    Attempt, Course, CoverageItem, EachRow, Fact, Game, GameData, GameResult, MistakeRow, Mistakes,
    MistakesOf, Move, Occasions, Picture, Refusal, Roll, Rules, Seat, Setup, Table, Token,
};

fn main() -> ExitCode {
    urtext::main(&[&PACK])
}

static PACK: Pack = Pack {
    peers: Some(PeersRow {
        has_usual_faults: false,
        referee_faults: REFEREE_FAULTS,
        bot_faults: BOT_FAULTS,
        referee_arguments: "--spectators {spectators} --timeout {timeout}",
        bot_arguments: "",
    }),
    ..Pack::new(&ConnectFour, &[&Columns])
};

static SPECIFICATION: Specification =
    Specification::new("connect-four", include_str!("requirements.yaml"));

// The rules.

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;

/// Eight bits a column, from the bottom; the eighth is always free, so that no line leads from one column into the next.
fn cell(column: u32, row: u32) -> u64 {
    1 << (column * ROW + row)
}

/// The discs of both players, and the player on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Board {
    discs: [u64; 2],
    mover: Seat,
}

impl Board {
    fn height(&self, column: u32) -> u32 {
        let discs = self.discs[0] | self.discs[1];
        (0..ROW)
            .take_while(|&row| discs & cell(column, row) != 0)
            .count() as u32
    }

    /// Returns true if the player has that many discs in a line whose next cell is `step` bits on.
    fn has_line(&self, seat: Seat, step: u32, length: u32) -> bool {
        let discs = self.discs[seat.index()];
        (1..length).fold(discs, |line, number| line & discs >> (number * step)) != 0
    }
}

/// The distance of a cell from the same one in the next column.
const ROW: u32 = ROWS + 2;
/// The distances of neighbours in a column, a row, a falling and a rising diagonal.
const DIRECTIONS: [u32; 4] = [1, ROW, ROW - 1, ROW + 1];

/// The rules, or a deviation from them: each setting of the rules has a field.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Four {
    /// The number of discs that win in each of the [`DIRECTIONS`]; none if no number does.
    lengths: [Option<u32>; 4],
    /// The number of discs that a column holds, up to 7.
    rows: u32,
    is_drawn_when_full: bool,
    /// A column that takes no disc.
    barred: Option<u32>,
    starter: Seat,
}

const STANDARD: Four = Four {
    lengths: [Some(4); 4],
    rows: ROWS,
    is_drawn_when_full: true,
    barred: None,
    starter: Seat::First,
};

impl Four {
    fn has_room(&self, board: &Board, column: u32) -> bool {
        board.height(column) < self.rows && self.barred != Some(column)
    }

    /// The first of the [`DIRECTIONS`] in which the player has a line that wins.
    fn line(&self, board: &Board, seat: Seat) -> Option<usize> {
        let mut lines = DIRECTIONS.into_iter().zip(self.lengths);
        lines.position(|(step, length)| {
            length.is_some_and(|length| board.has_line(seat, step, length))
        })
    }

    /// The end of the game by a legal move, by its number in [`ENDS`].
    fn end(&self, before: &Board, mv: Move) -> Option<usize> {
        let after = self.moved(before, Roll(0), mv).expect("the move is legal");
        self.result(&after)?;
        // Both diagonals are one end; without a line, the board is full.
        let line = self.line(&after, before.mover);
        Some(line.map_or(3, |direction| direction.min(2)))
    }
}

static FULL: Refusal = Refusal::new("full-column", "c4/lost/full-column", "the column is full");

impl Rules for Four {
    type Position = Board;

    fn start(&self, _setup: Setup) -> Board {
        Board {
            discs: [0, 0],
            mover: self.starter,
        }
    }

    fn to_move(&self, board: &Board) -> Seat {
        board.mover
    }

    fn result(&self, board: &Board) -> Option<GameResult> {
        let has_won = |&seat: &Seat| self.line(board, seat).is_some();
        let won = Seat::BOTH.into_iter().find(has_won).map(GameResult::Won);
        let is_full = || (0..COLUMNS).all(|column| board.height(column) >= self.rows);
        let is_drawn = self.is_drawn_when_full && is_full();
        won.or(is_drawn.then_some(GameResult::Drawn))
    }

    fn legal_moves(&self, board: &Board, _roll: Roll) -> Vec<Move> {
        let has_room = |&column: &u32| self.has_room(board, column);
        (0..COLUMNS).filter(has_room).map(Move).collect()
    }

    fn moved(&self, board: &Board, _roll: Roll, mv: Move) -> Result<Board, &'static Refusal> {
        if !self.has_room(board, mv.0) {
            return Err(&FULL);
        }
        let mut next = *board;
        next.discs[board.mover.index()] |= cell(mv.0, board.height(mv.0));
        next.mover = board.mover.other();
        Ok(next)
    }

    /// What a turn shows: `check` compares the requirements that it tests with a scenario's `checks`.
    fn facts(&self, before: &Board, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact)) {
        let Attempt::Moved(mv) = attempt else { return };
        see(Fact::Turn("c4/turn/alternates"));
        match self.end(before, mv) {
            Some(number) => {
                see(Fact::Covers(number));
                let id = ENDS[number].requirement.unwrap_or_default();
                see(Fact::Move(id));
                see(Fact::Now(id));
            }
            None => see(Fact::Next("c4/turn/alternates")),
        }
        if self.legal_moves(before, roll).len() < COLUMNS as usize {
            see(Fact::OfMover("c4/lost/full-column"));
        }
    }

    fn picture(&self, board: &Board) -> Picture {
        let disc = |column, row| {
            let cell = cell(u32::from(column), ROWS - 1 - u32::from(row));
            let has_disc = |seat: &Seat| board.discs[seat.index()] & cell != 0;
            let seat = Seat::BOTH.into_iter().find(has_disc)?;
            Some(Token::new(seat, ["R", "Y"][seat.index()], "a disc"))
        };
        Picture::board(NAMES, board.mover, [COLUMNS as u16, ROWS as u16], disc)
    }
}

/// The situations that `explore` looks for, each with the requirement that it shows.
const ENDS: &[CoverageItem] = &[
    CoverageItem::new("wins by a column", "c4/end/column"),
    CoverageItem::new("wins by a row", "c4/end/row"),
    CoverageItem::new("wins by a diagonal", "c4/end/diagonal"),
    CoverageItem::new("fills the board without a win", "c4/end/drawn"),
];

// Names and notation.

const NAMES: [&str; 2] = ["red", "yellow"];

#[derive(Debug)]
struct ConnectFour;

static GAME: GameData = GameData {
    mistakes: Some(&MISTAKES),
    refusals: &[&FULL],
    move_syntax: "the number of a column, 1 to 7",
    moves: COLUMNS,
    ..GameData::new("connect-four", "Connect Four", NAMES)
};

impl Game for ConnectFour {
    fn data(&self) -> &'static GameData {
        &GAME
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(STANDARD, setup))
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        column(text.as_bytes())
    }

    fn format_move(&self, mv: Move) -> String {
        (mv.0 + 1).to_string()
    }

    fn coverage_items(&self) -> &'static [CoverageItem] {
        ENDS
    }
}

// The lines between the referee and the participants.

#[derive(Debug)]
struct Columns;

static PROTOCOL: DialectData = DialectData {
    greeting: &[Greeting {
        slot: Slot::OwnSeat,
        requirement: "c4/greeting/colour",
        syntax: "`RED` or `YELLOW`",
    }],
    seat_lines: ["RED", "YELLOW"],
    loss_line: Some(b"LOST"),
    odd_lines: &[b"0", b"8", b"-1", b"4 4", b"+4"],
    ..DialectData::new("columns", &ConnectFour, &SPECIFICATION)
};

impl Dialect for Columns {
    fn data(&self) -> &'static DialectData {
        &PROTOCOL
    }

    fn read_player_line(&self, line: &[u8]) -> PlayerLine {
        column(line).map_or(PlayerLine::Invalid("c4/lost/no-column"), PlayerLine::Move)
    }
}

fn column(line: &[u8]) -> Option<Move> {
    match line {
        [digit @ b'1'..=b'7'] => Some(Move(u32::from(digit - b'1'))),
        _ => None,
    }
}

// The known mistakes in the rules: what a run is explained by, and what it rules out.

/// The mistakes that `urtext mutants` gives to the built-in referee.
#[rustfmt::skip]
const NAMED: &[MistakeRow<Four>] = &[
    ("no-columns", "four discs in a column had not won", "c4/end/column", |four| four.lengths[0] = None),
    ("no-rows", "four discs in a row had not won", "c4/end/row", |four| four.lengths[1] = None),
    ("no-diagonals", "four discs in a diagonal had not won", "c4/end/diagonal", |four| four.lengths[2..].fill(None)),
    ("one-diagonal", "four discs in a rising diagonal had not won", "c4/end/diagonal", |four| four.lengths[3] = None),
    ("no-draw", "the game went on when the board is full", "c4/end/drawn", |four| four.is_drawn_when_full = false),
];

/// Other values of the same settings.
#[rustfmt::skip]
const MORE: &[MistakeRow<Four>] = &[
    ("three-columns", "it took three discs in a column to win", "c4/end/column", |four| four.lengths[0] = Some(3)),
    ("three-rows", "it took three discs in a row to win", "c4/end/row", |four| four.lengths[1] = Some(3)),
    ("no-falling", "four discs in a falling diagonal had not won", "c4/end/diagonal", |four| four.lengths[2] = None),
    ("three-falling", "it took three discs in a falling diagonal to win", "c4/end/diagonal", |four| four.lengths[2] = Some(3)),
    ("three-rising", "it took three discs in a rising diagonal to win", "c4/end/diagonal", |four| four.lengths[3] = Some(3)),
    ("three-diagonals", "it took three discs in a diagonal to win", "c4/end/diagonal", |four| four.lengths[2..].fill(Some(3))),
    ("three-all", "it took three discs in any direction to win", "c4/end/row", |four| four.lengths = [Some(3); 4]),
    ("five-all", "it took five discs in any direction to win", "c4/end/row", |four| four.lengths = [Some(5); 4]),
    ("column-holds-five", "a column held five discs", "c4/lost/full-column", |four| four.rows = 5),
    ("column-holds-seven", "a column held seven discs", "c4/lost/full-column", |four| four.rows = 7),
    ("yellow-starts", "Yellow had the first turn", "c4/turn/alternates", |four| four.starter = Seat::Second),
];

/// A mistake for each column.
#[rustfmt::skip]
const EACH: &[EachRow<Four>] = &[
    ("column-{n}-barred", "column {n} took no disc", "c4/move/accepted", |four, column| four.barred = Some(u32::from(column) - 1)),
];

static MISTAKES: LazyLock<Mistakes> = LazyLock::new(|| {
    let is_about_both = |four: &Four| four.starter == STANDARD.starter;
    let all = MistakesOf::new(STANDARD, |four| four).named(NAMED);
    all.rows(MORE)
        .each((1..=7).map(|column| (column, "")), EACH)
        .one_sided(&[("red", "Red"), ("yellow", "Yellow")], is_about_both)
        .occasional(&[Occasions::Later, Occasions::First])
        .done()
});

// The faults that `urtext mutants` gives to the built-in referee and bot.

#[rustfmt::skip]
const REFEREE_FAULTS: &[FaultRow] = &[
    row("both-red", "tells both players that they are Red", "c4/greeting/colour", &[line(On::Greeting(Slot::OwnSeat), All, Instead(GreetingOf(Seat::First)))]),
    row("no-relay", "does not send a move to the other player", "c4/move/opponent", &[line(On::Move, Opponent, Drop)]),
    row("no-relay-to-spectators", "does not send a move to spectators", "c4/move/spectators", &[line(On::Move, Spectators, Drop)]),
    row("echoes", "sends a move back to its player", "c4/move/not-echoed", &[line(On::Move, Mover, After(SpoiltText::Move))]),
    row("says-over", "says that the game is over", "c4/end/nothing-after", &[line(On::Ended, All, After(Fixed("GAME OVER")))]),
    row("ignores-invalid", "ignores an invalid line and waits on", "c4/lost/told", &[IgnoresInvalid]),
    row("shows-invalid", "sends an invalid move to the others before LOST", "c4/lost/not-relayed", &[ShowsInvalid { any_number: true, goes_on: false }]),
    row("no-lost-to-spectators", "closes spectators without LOST", "c4/lost/told", &[line(On::Loss, Spectators, Drop)]),
    row("no-timeout", "waits for a move for ever", "c4/lost/timeout", &[clock(|_| None)]),
    row("early-timeout", "ends a turn at half of the timeout", "c4/timeout/not-early", &[clock(|turn| Some(turn.timeout / 2))]),
    row("late-timeout", "ends a turn too late", "c4/timeout/not-late", &[clock(|turn| Some(turn.timeout + Duration::from_millis(1500)))]),
    row("off-turn-kept", "keeps a line for its sender's next turn", "c4/line/off-turn", &[OffTurn(OffTurnLine::Kept)]),
    row("stays", "keeps spectators after the last move", "c4/end/closes", &[ClosesOnly(On::LastMove, Players)]),
];

#[rustfmt::skip]
const BOT_FAULTS: &[FaultRow] = &[
    row("always-red", "plays as Red, whatever the greeting says", "c4/bot/answers", &[TakesSeat(Seat::First)]),
    row("full-column", "drops a disc into a full column where it can", "c4/lost/full-column", &[Refused("full-column")]),
    row("from-two", "numbers the columns from 2 to 8", "c4/bot/answers", &[line(On::Move, All, write(increased))]),
    row("slow", "does not answer after its first move", "c4/bot/answers", &[NoAnswer(When::From(2))]),
    row("waits-for-echo", "waits until its own move comes back", "c4/bot/answers", &[AwaitsEcho]),
    row("stays", "does not exit when its connection is closed", "c4/bot/exits", &[Stays(true)]),
];
