//! A race with one die in one file, catalogue included: each player brings two tokens, `a` and `b`, to field 9.

use urtext::{pack::spoiler::*, pack::*, protocol::*, requirement::Specification, rules::*};

fn main() -> std::process::ExitCode {
    urtext::main(&[&PACK])
}

static PACK: Pack = Pack {
    peers: Some(PeersRow {
        referee_faults: REFEREE_FAULTS,
        bot_faults: &[],
        referee_arguments: "--timeout {timeout} --rolls {rolls}",
        bot_arguments: "",
        win: "both tokens are on field 9",
    }),
    ..Pack::new(&Race, &[&Race], &[&RULES])
};

const NO_MOVES: &[Spoiler] = &[line(On::Move, To::Opponent, Edit::Drop)];
const REFEREE_FAULTS: &[FaultRow] = &[row("mute", "shows no moves", "race/move", NO_MOVES)];

static RULES: Specification = Specification::new(
    r#"
protocol: race
seeds: {"1": "the rules of the race"}
requirements:
- {id: race/seat, role: [greeting-ends, first-turn, bot-own-seat], level: must, binds: [referee, bot], says: "Each player is told its seat; white begins.", seed: "1", summary: "each player receives its seat"}
- {id: race/roll, role: [roll, same-roll], level: must, binds: [referee], says: "The die is rolled in turn, and both are shown it: `die 4`.", seed: "1", summary: "both players receive the roll"}
- {id: race/move, role: [move-awaited, bot-answers, bot-newline], level: must, binds: [referee, bot], says: "Whoever rolls sends a token's letter, which the other receives.", seed: "1", summary: "the other player receives the token's letter"}
- {id: race/legal, role: [bot-legal], level: must, binds: [referee, bot], says: "No token passes field 9.", seed: "1", summary: "no token passes field 9"}
- {id: race/off-turn, role: [bot-silent-when-skipped, bot-silent-off-turn, off-turn-line], level: must, binds: [referee], says: "Lines of a player who cannot move are ignored.", seed: "1", summary: "lines off turn are ignored"}
- {id: race/win, role: [nothing-after-end], level: must, binds: [referee], says: "Both tokens on field 9 win and end the game.", seed: "1", summary: "both tokens on field 9 win"}
- {id: race/lost, role: [not-passed-on, nothing-after-loss], level: must, binds: [referee], says: "Whoever sends anything else has lost: the other receives LOST.", seed: "1", summary: "the winner receives LOST"}
- {id: race/time, role: [timeout-not-early, timeout-not-late, own-turn-timed, no-new-time, bot-within-timeout], level: must, binds: [referee, bot], says: "So has a player who sends nothing within the timeout, which is the same for each turn.", seed: "1", summary: "each turn has the whole timeout"}
- {id: race/lines, role: [newline, nothing-else], level: must, binds: [referee], says: "These are all lines; a newline ends each.", seed: "1", summary: "nothing else is sent"}
- {id: race/open, role: [carriage-return, gone-off-turn, late-spectator, close, bot-ends-after-game, bot-ends-after-loss, bot-ends-on-closed-input, bot-exit-status], level: unspecified, binds: [referee, bot], summary: "line ends, ways to close, and the end of a bot", open: "any"}
"#,
);

/// The fields of the tokens of both players, and the player on turn.
type Fields = ([[u32; 2]; 2], Seat);
static TOO_FAR: Refusal = Refusal {
    code: "too-far",
    requirement: "race/legal",
    reason: "it would pass field 9",
};
const FACES: &[Roll] = &[Roll(1), Roll(2), Roll(3), Roll(4), Roll(5), Roll(6)];
const SEATS: [&str; 2] = ["white", "black"];

/// The rules, the game and the lines of it.
#[derive(Debug, Clone)]
struct Race;

impl Rules for Race {
    type Position = Fields;
    fn start(&self, _: Setup) -> Fields {
        ([[0; 2]; 2], Seat::First)
    }
    fn kinds_of_roll(&self) -> &'static [Roll] {
        FACES
    }
    fn to_move(&self, at: &Fields) -> Seat {
        at.1
    }
    fn result(&self, at: &Fields) -> Option<GameResult> {
        let is_home = |seat: &Seat| at.0[seat.index()] == [9; 2];
        Seat::BOTH.into_iter().find(is_home).map(GameResult::Won)
    }
    fn legal_moves(&self, at: &Fields, roll: Roll) -> Vec<Move> {
        let is_legal = |mv: &Move| self.moved(at, roll, *mv).is_ok();
        [Move(0), Move(1)].into_iter().filter(is_legal).collect()
    }
    fn moved(&self, at: &Fields, roll: Roll, mv: Move) -> Result<Fields, &'static Refusal> {
        let mut next = self.skipped(at, roll);
        let field = &mut next.0[at.1.index()][mv.0 as usize];
        *field += u32::from(roll.0);
        if *field > 9 { Err(&TOO_FAR) } else { Ok(next) }
    }
    fn skipped(&self, at: &Fields, _: Roll) -> Fields {
        (at.0, at.1.other())
    }
    fn turn_ground(&self, _: &Fields, _: Roll, _: Option<Move>) -> &'static str {
        "race/turn"
    }
    fn describe_move(&self, _: &Fields, roll: Roll, _: Move) -> String {
        format!("goes on by {}", roll.0)
    }
    fn picture(&self, at: &Fields) -> Picture {
        let mut picture = Picture::new(SEATS, at.1);
        for seat in Seat::BOTH {
            let [a, b] = at.0[seat.index()];
            let label = format!("a on {a}, b on {b}");
            let mut stock = Stock::tokens(seat, "fields", "at");
            stock.items.push(StockItem { label, steps: &[] });
            picture.stocks.push(stock);
        }
        picture
    }
}

impl Game for Race {
    fn name(&self) -> &'static str {
        "race"
    }
    fn title(&self) -> &'static str {
        "Race"
    }
    fn seat_names(&self) -> [&'static str; 2] {
        SEATS
    }
    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(Race, setup))
    }
    fn kinds_of_roll(&self) -> &'static [Roll] {
        FACES
    }
    fn draw_roll(&self, random: u64) -> Roll {
        FACES[below(random, FACES.len())]
    }
    fn parse_roll(&self, text: &str) -> Option<Roll> {
        let is_it = |roll: &Roll| self.format_roll(*roll) == text;
        FACES.iter().copied().find(is_it)
    }
    fn format_roll(&self, roll: Roll) -> String {
        roll.0.to_string()
    }
    fn roll_syntax(&self) -> &'static str {
        "a number from 1 to 6"
    }
    fn parse_move(&self, text: &str) -> Option<Move> {
        let is_it = |mv: &Move| self.format_move(*mv) == text;
        self.every_move().into_iter().find(is_it)
    }
    fn format_move(&self, mv: Move) -> String {
        ["a", "b"][mv.0 as usize].to_owned()
    }
    fn move_syntax(&self) -> &'static str {
        "a token, `a` or `b`"
    }
    fn every_move(&self) -> Vec<Move> {
        vec![Move(0), Move(1)]
    }
}

impl Dialect for Race {
    fn name(&self) -> &'static str {
        "dice"
    }
    fn game(&self) -> &'static dyn Game {
        &Race
    }
    fn specification(&self) -> Option<&'static Specification> {
        Some(&RULES)
    }
    fn has_spectators(&self) -> bool {
        false
    }
    fn greeting(&self, _: bool) -> &'static [Greeting] {
        &[Greeting {
            slot: Slot::OwnSeat,
            requirement: "race/seat",
            syntax: "white or black",
        }]
    }
    fn tell(&self, event: &GameEvent, to: Party, out: &mut Vec<OwedLine>) {
        let (line, requirement) = match *event {
            GameEvent::Rolled { roll, .. } => (format!("die {}", roll.0).into_bytes(), "race/roll"),
            _ if to == Party::Player(event.by()) => return,
            GameEvent::Moved { mv, .. } => (self.write_move(mv), "race/move"),
            GameEvent::Lost { .. } => (b"LOST".to_vec(), "race/lost"),
        };
        let duty = Duty::Must;
        out.push(OwedLine {
            line,
            requirement,
            duty,
        });
    }
    fn hear(&self, line: &[u8]) -> RefereeLine {
        let text = std::str::from_utf8(line).unwrap_or_default();
        let face = text.strip_prefix("die ").unwrap_or_default();
        match (Race.parse_roll(face), Race.parse_move(text)) {
            (Some(roll), _) => RefereeLine::Roll(roll),
            (_, Some(mv)) => RefereeLine::Move(mv),
            _ if text == "LOST" => RefereeLine::Loss,
            _ => RefereeLine::Other,
        }
    }
    fn read_player_line(&self, line: &[u8]) -> PlayerLine {
        match self.hear(line) {
            RefereeLine::Move(mv) => PlayerLine::Move(mv),
            _ => PlayerLine::Invalid("race/lost"),
        }
    }
    fn bot_line_requirement(&self, _: &[u8]) -> &'static str {
        "race/move"
    }
}
