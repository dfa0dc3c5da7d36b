//! Faults of the built-in bot of the Royal Game of Ur.

use crate::peers::fault::faults;

faults! {
    /// A fault of the bot.
    pub enum BotFault {
        Greets: "greets", "says a line before anything else", "ur/bot/silent-off-turn";
        NeedsAsciiNames: "needs-ascii-names", "dies where a name has more than ASCII letters and digits", "ur/bot/odd-names";
        AlwaysFirstSeat: "always-first-seat", "takes the first seat whatever the index says", "ur/bot/both-seats";
        TokenFrom1: "token-from-1", "numbers the tokens from 1 to 7", "ur/tokens/numbered-0-to-6";
        MovesOntoOwnToken: "moves-onto-own-token", "moves onto an own token where it can", "ur/bot/legal-token";
        ForgetsCaptures: "forgets-captures", "believes that captured tokens stay where they were", "ur/bot/legal-token";
        AnswersWhenSkipped: "answers-when-skipped", "sends a number when it cannot move", "ur/bot/silent-when-skipped";
        AnswersTwice: "answers-twice", "sends each move twice", "ur/bot/one-line-per-turn";
        IgnoresExtraTurn: "ignores-extra-turn", "stays silent in an extra turn", "ur/bot/one-line-per-turn";
        WaitsForEcho: "waits-for-echo", "waits until its own number comes back", "ur/bot/one-line-per-turn";
        Slow: "slow", "never answers after its first move", "ur/bot/within-timeout";
        NoNewline: "no-newline", "sends its numbers without a newline", "ur/bot/newline";
        Crlf: "crlf", "ends its lines with CR LF", "ur/bot/plain-digit";
        CrashesOnRetire: "crashes-on-retire", "does not know RETIRE and dies of it", "ur/bot/exit-status";
        IgnoresRetire: "ignores-retire", "does not know RETIRE and waits for more", "ur/bot/ends-after-retire";
        SurvivesEnd: "survives-end", "does not end with the game, only with its input", "ur/bot/ends-after-game";
        SurvivesEof: "survives-eof", "does not end with its input", "ur/bot/ends-on-closed-input";
    }
}
