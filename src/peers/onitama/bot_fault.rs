//! Faults of the built-in bot of Onitama.

use crate::peers::fault::faults;

faults! {
    /// A fault of the bot, or another choice where the specification leaves one.
    pub enum BotFault {
        AlwaysTop: "always-top", "takes itself for Top whatever it is told", "oni/bot/both-sides";
        AlwaysStarts: "always-starts", "takes the first turn whoever starts", "oni/setup/starter-moves-first";
        CardsNotTurned: "cards-not-turned", "does not turn the cards for Top", "oni/cards/turned-for-top";
        KeepsCards: "keeps-cards", "forgets that used cards change hands", "oni/cards/rotate";
        UsesMiddleCard: "uses-middle-card", "uses the card in the middle where it can", "oni/invalid/middle-card";
        UsesOpponentsCard: "uses-opponents-card", "uses a card of the opponent where it can", "oni/invalid/opponents-card";
        CapturesOwnPiece: "captures-own-piece", "moves onto an own piece where it can", "oni/invalid/own-piece";
        RowsFromBelow: "rows-from-below", "numbers the rows from the bottom", "oni/board/cells";
        TakesEchoForOpponents: "takes-echo-for-opponents", "takes its own move that comes back for the opponent's", "oni/bot/confirmation";
        LowercaseCard: "lowercase-card", "writes the card in small letters", "oni/bot/format";
        TwoBlanks: "two-blanks", "writes two blanks after the card", "oni/bot/format";
        Crlf: "crlf", "ends its lines with CR LF", "oni/bot/format";
        NoNewline: "no-newline", "sends its moves without a newline", "oni/bot/newline";
        Slow: "slow", "never answers after its first move", "oni/bot/within-timeout";
        Quits: "quits", "ends after its first move", "oni/bot/answers";
        SurvivesEnd: "survives-end", "does not end when its connection is dropped", "oni/bot/ends-after-game";
        TalksOnTurn: "talks-on-turn", "says something before each move, which it may", "oni/bot/lines-that-are-no-move";
        TalksOffTurn: "talks-off-turn", "says something in the opponent's turns, which it may", "oni/bot/off-turn-lines";
    }
}
