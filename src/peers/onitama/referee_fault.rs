//! Faults of the built-in judge of Onitama, except variants of the rules.

use crate::peers::fault::faults;

faults! {
    /// A fault of the referee other than a variant of the rules, or another choice where the specification
    /// leaves one.
    pub enum RefereeFault {
        SilentStart: "silent-start", "takes the players in and never says a byte", "oni/greeting/seat";
        NoSeatLine: "no-seat-line", "does not tell the players their sides", "oni/greeting/seat";
        BothTop: "both-top", "tells both players that they are Top", "oni/greeting/seat";
        NoCardsLine: "no-cards-line", "does not tell the cards", "oni/setup/cards";
        CardsWithBlanks: "cards-with-blanks", "puts a blank after each comma of the cards", "oni/setup/cards";
        CardsDiffer: "cards-differ", "tells Bottom the cards in another order than Top", "oni/setup/cards-to-both";
        CardTwice: "card-twice", "names the first card twice", "oni/setup/five-different";
        CardsLowercase: "cards-lowercase", "names the cards in small letters", "oni/setup/card-names";
        NoStarterLine: "no-starter-line", "does not tell who starts", "oni/setup/starter";
        OtherStarts: "other-starts", "waits for the other player than the one that it named", "oni/setup/starter-moves-first";
        NoEcho: "no-echo", "does not send a valid move back to its player", "oni/move/confirmed";
        NoRelay: "no-relay", "does not send a valid move to the other player", "oni/move/broadcast";
        MovesLowercase: "moves-lowercase", "sends moves in small letters", "oni/move/format";
        IgnoresIllegalMove: "ignores-illegal-move", "ignores an invalid move and waits on", "oni/invalid/eliminated";
        BroadcastsIllegalMove: "broadcasts-illegal-move", "sends an invalid move to both before it drops them", "oni/invalid/not-broadcast";
        DropsOnlyTheLoser: "drops-only-the-loser", "leaves the winner's connection open after an invalid move", "oni/invalid/drops-both";
        SaysWho: "says-who-wins", "says who has won before it drops the connections", "oni/end/nothing-more";
        NotAMoveLoses: "not-a-move-loses", "takes a line that is no move for an invalid one", "oni/input/not-a-move";
        EmptyLineLoses: "empty-line-loses", "takes an empty line for an invalid move", "oni/input/empty-line";
        TakesBlanks: "takes-blanks", "takes a move with blanks too many", "oni/input/blanks";
        AnswersIgnoredLines: "answers-ignored-lines", "says that a line was no move", "oni/line/nothing-else";
        OffTurnKept: "off-turn-kept", "keeps lines sent out of turn for their sender's turn", "oni/input/off-turn";
        OffTurnLoses: "off-turn-loses", "eliminates who sends out of turn", "oni/input/off-turn";
        OpenLinesLose: "open-lines-lose", "takes unknown cards and cells off the board for invalid moves, which it may", "oni/input/unknown-card";
        TakesCrlf: "takes-crlf", "takes a move that ends with CR LF, which it may", "oni/input/crlf";
        NoTimeout: "no-timeout", "waits for a move for ever", "oni/timeout/forfeit";
        EarlyTimeout: "early-timeout", "drops a silent player at half of the timeout", "oni/timeout/not-early";
        ClockRestarts: "clock-restarts", "gives new time after a line that it ignores", "oni/timeout/ignored-lines";
        LateTimeout: "late-timeout", "drops a silent player a quarter of the timeout and a second too late", "oni/timeout/not-late";
        ClockFromGreeting: "clock-from-greeting", "lets the time for every move run from the greeting on", "oni/timeout/own-turn";
        ClockRunsOn: "clock-runs-on", "does not stop a player's clock when it has moved", "oni/timeout/own-turn";
        ClockIsOneSum: "clock-is-one-sum", "counts the time of a player's turns together", "oni/timeout/own-turn";
        ClockRestartsOnHalfALine: "clock-restarts-on-half-a-line", "gives new time when a part of a line comes", "oni/timeout/no-new-time";
        ClockRestartsOffTurn: "clock-restarts-off-turn", "gives new time when the opponent sends a line", "oni/timeout/no-new-time";
        ClockRestartsOnHangUp: "clock-restarts-on-hang-up", "gives new time when the opponent hangs up", "oni/timeout/no-new-time";
        FirstTurnUntimed: "first-turn-untimed", "waits for the first move for ever", "oni/timeout/forfeit";
        TimeoutDropsOne: "timeout-drops-one", "drops only the silent player", "oni/timeout/drops-both";
        WinNotBroadcast: "win-not-broadcast", "does not send the winning move", "oni/win/broadcast";
        StaysAfterWin: "stays-after-win", "keeps the connections after a win", "oni/win/drops-both";
        CrlfLines: "crlf-lines", "ends its lines with CR LF, which is left open", "oni/line/carriage-return";
        NoNewline: "no-newline", "leaves the newline off the winning move", "oni/line/newline";
        DiesMidgame: "dies-midgame", "exits before the third turn without a word", "oni/move/accepted";
        Resets: "resets", "resets the connections at the end, which it may", "oni/end/how-dropped";
    }
}
