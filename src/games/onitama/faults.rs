//! Faults of the built-in peers of Onitama, except variants of the rules.

use crate::pack::spoiler::{
    Edit::*, FramingFault, NewTime, OffTurnLine, On, Reading, Sort, Spoiler::*, SpoiltText::*,
    To::*, When, clock, line, write,
};
use crate::pack::{FaultRow, row};
use crate::protocol::Slot;
use crate::rules::Seat;

/// The line of the cards.
const CARDS: Slot = Slot::Setup(0);
/// The line of the player who starts.
const STARTER: Slot = Slot::Setup(1);

/// The faults of the referee, and other choices where the specification leaves one.
#[rustfmt::skip]
pub const REFEREE_FAULTS: &[FaultRow] = &[
    row("no-seat-line", "does not tell the players their sides", "oni/greeting/seat",
        &[line(On::Greeting(Slot::OwnSeat), All, Drop)]),
    row("both-top", "tells both players that they are Top", "oni/greeting/seat",
        &[line(On::Greeting(Slot::OwnSeat), All, Instead(GreetingOf(Seat::First)))]),
    row("no-cards-line", "does not tell the cards", "oni/setup/cards",
        &[line(On::Greeting(CARDS), All, Drop)]),
    row("cards-with-blanks", "puts a blank after each comma of the cards", "oni/setup/cards",
        &[line(On::Greeting(CARDS), All, write(|line| line.replace(',', ", ")))]),
    row("cards-differ", "tells Bottom the cards in another order than Top", "oni/setup/cards-to-both",
        &[line(On::Greeting(CARDS), Seat(Seat::Second), write(in_other_order))]),
    row("card-twice", "names the first card twice", "oni/setup/five-different",
        &[line(On::Greeting(CARDS), All, write(with_a_card_twice))]),
    row("cards-lowercase", "names the cards in small letters", "oni/setup/card-names",
        &[line(On::Greeting(CARDS), All, write(|line| line.to_ascii_lowercase().replacen('c', "C", 1)))]),
    row("no-starter-line", "does not tell who starts", "oni/setup/starter",
        &[line(On::Greeting(STARTER), All, Drop)]),
    row("other-starts", "waits for the other player than the one that it named", "oni/setup/starter-moves-first",
        &[Variant("other-starts")]),
    row("no-echo", "does not send a valid move back to its player", "oni/move/confirmed",
        &[line(On::Move, Mover, Drop)]),
    row("no-relay", "does not send a valid move to the other player", "oni/move/broadcast",
        &[line(On::Move, Opponent, Drop)]),
    row("moves-lowercase", "sends moves in small letters", "oni/move/format",
        &[line(On::Move, All, write(str::to_ascii_lowercase))]),
    row("ignores-illegal-move", "ignores an invalid move and waits on", "oni/invalid/eliminated",
        &[IgnoresInvalid]),
    row("broadcasts-illegal-move", "sends an invalid move to both before it drops them", "oni/invalid/not-broadcast",
        &[ShowsInvalid { any_number: false, goes_on: false }]),
    row("drops-only-the-loser", "leaves the winner's connection open after an invalid move", "oni/invalid/drops-both",
        &[ClosesOnly(On::Invalid, Mover)]),
    row("says-who-wins", "says who has won before it drops the connections", "oni/end/nothing-more",
        &[line(On::Ended, All, After(Winner(["Top wins", "Bottom wins"])))]),
    row("not-a-move-loses", "takes a line that is no move for an invalid one", "oni/input/not-a-move",
        &[Reads(Sort::Ignored, Reading::Invalid)]),
    row("empty-line-loses", "takes an empty line for an invalid move", "oni/input/empty-line",
        &[Reads(Sort::Empty, Reading::Invalid)]),
    row("takes-blanks", "takes a move with blanks too many", "oni/input/blanks",
        &[Reads(Sort::Ignored, Reading::SingleBlanks)]),
    row("answers-ignored-lines", "says that a line was no move", "oni/line/nothing-else",
        &[line(On::Ignored, All, After(Fixed("not a move")))]),
    row("off-turn-kept", "keeps lines sent out of turn for their sender's turn", "oni/input/off-turn",
        &[OffTurn(OffTurnLine::Kept)]),
    row("off-turn-loses", "eliminates who sends out of turn", "oni/input/off-turn",
        &[OffTurn(OffTurnLine::Loses("oni/input/off-turn"))]),
    row("open-lines-lose", "takes unknown cards and cells off the board for invalid moves, which it may", "oni/input/unknown-card",
        &[Reads(Sort::Open, Reading::Invalid)]),
    row("takes-crlf", "takes a move that ends with CR LF, which it may", "oni/input/crlf",
        &[Reads(Sort::Open, Reading::Move)]),
    row("cuts-long-lines", "reads a line of more than 256 bytes as several", "oni/input/not-a-move",
        &[Framing(FramingFault::CutsAt(256))]),
    row("clock-restarts", "gives new time after a line that it ignores", "oni/timeout/ignored-lines",
        &[NewTime(NewTime::IgnoredLine)]),
    row("clock-runs-on-late", "does not restart a player's clock from turn 15 on", "oni/timeout/own-turn",
        &[clock(|turn| turn.less_own(turn.number >= 15))]),
    row("untimed-late", "waits for a move from turn 15 on for ever", "oni/timeout/forfeit",
        &[clock(|turn| turn.unless(turn.number >= 15))]),
    row("timeout-drops-one", "drops only the silent player", "oni/timeout/drops-both",
        &[ClosesOnly(On::Timeout, Mover)]),
    row("win-not-broadcast", "does not send the winning move", "oni/win/broadcast",
        &[line(On::LastMove, All, Drop)]),
    row("stays-after-win", "keeps the connections after a win", "oni/win/drops-both",
        &[ClosesOnly(On::LastMove, Nobody)]),
    row("no-newline", "leaves the newline off the winning move", "oni/line/newline",
        &[line(On::LastMove, All, Ending(""))]),
];

/// The faults of the bot, and other choices where the specification leaves one.
#[rustfmt::skip]
pub const BOT_FAULTS: &[FaultRow] = &[
    row("always-top", "plays as Top, also when the greeting says Bottom", "oni/bot/both-sides",
        &[TakesSeat(Seat::First)]),
    row("always-starts", "takes the first turn whoever starts", "oni/setup/starter-moves-first",
        &[Starts("other-starts")]),
    row("cards-not-turned", "does not turn the cards for Top", "oni/cards/turned-for-top",
        &[Variant("cards-not-turned-for-top"), Errs]),
    row("keeps-cards", "forgets that used cards change hands", "oni/cards/rotate",
        &[Variant("card-not-rotated"), Errs]),
    row("uses-middle-card", "uses the card in the middle where it can", "oni/invalid/middle-card",
        &[Variant("middle-card-playable"), Errs]),
    row("uses-opponents-card", "uses a card of the opponent where it can", "oni/invalid/opponents-card",
        &[Variant("opponents-card-playable"), Errs]),
    row("captures-own-piece", "moves onto an own piece where it can", "oni/invalid/own-piece",
        &[Variant("captures-own-piece"), Errs]),
    row("rows-from-below", "numbers the rows from the bottom", "oni/board/cells",
        &[Misreads]),
    row("takes-echo-for-opponents", "takes its own move that comes back for the opponent's", "oni/bot/confirmation",
        &[NoConfirmation]),
    row("lowercase-card", "writes the card in small letters", "oni/bot/format",
        &[line(On::Move, All, write(str::to_ascii_lowercase))]),
    row("two-blanks", "writes two blanks after the card", "oni/bot/format",
        &[line(On::Move, All, write(|line| line.replacen(' ', "  ", 1)))]),
    row("slow", "never answers after its first move", "oni/bot/within-timeout",
        &[NoAnswer(When::From(2))]),
    row("quits", "ends after its first move", "oni/bot/answers",
        &[Exits(When::From(1))]),
    row("survives-end", "does not end when its connection is dropped", "oni/bot/ends-after-game",
        &[Stays(true)]),
    row("talks-on-turn", "says something before each move, which it may", "oni/bot/lines-that-are-no-move",
        &[line(On::Move, All, Before(Fixed("I know what to do")))]),
    row("talks-off-turn", "says something in the opponent's turns, which it may", "oni/bot/off-turn-lines",
        &[line(On::OffTurn, All, After(Fixed("thinking")))]),
];

/// The line of the cards with two of them exchanged.
fn in_other_order(line: &str) -> String {
    let mut cards: Vec<_> = line.split(',').collect();
    cards.swap(1, 2);
    cards.join(",")
}

/// The line of the cards with the first in the place of the second.
fn with_a_card_twice(line: &str) -> String {
    let mut cards: Vec<_> = line.split(',').collect();
    cards[1] = cards[0].trim_start_matches("Cards: ");
    cards.join(",")
}
