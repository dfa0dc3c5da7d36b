//! Faults of the built-in referee of the Royal Game of Ur, except variants of the rules.

use crate::peers::fault::faults;

faults! {
    /// A fault of the referee other than a variant of the rules; the variants have their own table.
    pub enum RefereeFault {
        SilentStart: "silent-start", "takes the players in and never says a byte", "ur/handshake/first-name";
        NamesSwapped: "names-swapped", "tells the second player its own name first", "ur/handshake/first-name";
        FirstNameTwice: "first-name-twice", "tells everybody the first player's name twice", "ur/handshake/second-name";
        BothIndex0: "both-index-0", "tells both players that they are the first", "ur/handshake/index";
        NoIndex: "no-index", "tells the players no index", "ur/handshake/index";
        IndexTwice: "index-twice", "tells the players their index twice", "ur/handshake/three-lines";
        SpectatorsGetIndex: "spectators-get-index", "sends spectators an index as well", "ur/handshake/spectator-names-only";
        SecondStarts: "second-starts", "gives the first turn to the second player", "ur/handshake/first-player-starts";
        RollWithoutSpaces: "roll-without-spaces", "writes the coins of a roll together", "ur/roll/line";
        ThreeCoins: "three-coins", "writes three coins of a roll", "ur/roll/four-coins";
        RollNotShownToOpponent: "roll-not-shown-to-opponent", "shows a roll only to its player and to spectators", "ur/roll/same-for-all";
        GarblesRollForSpectators: "garbles-roll-for-spectators", "shows spectators another roll", "ur/roll/same-for-all";
        SkipNotShown: "skip-not-shown", "shows nobody the roll of a skipped turn", "ur/skip/roll-shown";
        SkipNotShownToSpectators: "skip-not-shown-to-spectators", "shows spectators no roll of a skipped turn", "ur/skip/roll-shown";
        WaitsWhenSkipped: "waits-when-skipped", "waits for a move though none is possible", "ur/skip/roll-0";
        SkipsSingleMove: "skips-single-move", "skips the turn of a player who has but one move", "ur/skip/only-when-blocked";
        RerollsExtraTurn: "rerolls-extra-turn", "rolls again in an extra turn in which nothing can move", "ur/skip/after-extra-turn";
        ExtraTurnKeepsRoll: "extra-turn-keeps-roll", "plays an extra turn with the roll before", "ur/extra-turn/new-roll";
        PromptsMover: "prompts-mover", "tells the player on turn so", "ur/line/nothing-else";
        EchoesToMover: "echoes-to-mover", "sends the mover its own number", "ur/move/not-echoed";
        NoRelayToOpponent: "no-relay-to-opponent", "does not pass moves on to the opponent", "ur/move/relayed-to-opponent";
        NoRelayToSpectators: "no-relay-to-spectators", "does not pass moves on to spectators", "ur/move/relayed-to-spectators";
        AcceptsAnyToken: "accepts-any-token", "passes an illegal number on as if it were a move", "ur/retire/number-out-of-range";
        RelaysBeforeRetire: "relays-before-retire", "passes an illegal number on, and then retires the player", "ur/retire/instead-of-the-number";
        AcceptsOpenForms: "accepts-open-forms", "takes `+3`, ` 3 `, `03` or CR LF for a move", "ur/input/number-format";
        IgnoresSign: "ignores-sign", "takes `-3` for `3`", "ur/retire/negative-number";
        IgnoresEmptyLine: "ignores-empty-line", "ignores an empty line and waits on", "ur/retire/empty-line";
        IgnoresIllegalMove: "ignores-illegal-move", "ignores an illegal move and waits on", "ur/retire/not-a-number";
        NoRetireToOpponent: "no-retire-to-opponent", "does not send RETIRE to the opponent", "ur/retire/opponent";
        NoRetireToSpectators: "no-retire-to-spectators", "does not send RETIRE to spectators", "ur/retire/spectators";
        RetireLowercase: "retire-lowercase", "writes RETIRE in small letters", "ur/retire/opponent";
        TellsRetiredPlayer: "tells-retired-player", "sends RETIRE to the retired player as well", "ur/retire/own-lane";
        RollsAfterRetire: "rolls-after-retire", "goes on with a roll after RETIRE", "ur/retire/ends-the-game";
        NoTimeout: "no-timeout", "waits for a move for ever", "ur/retire/timeout";
        EarlyTimeout: "early-timeout", "retires a silent player at half of the timeout", "ur/timeout/not-early";
        LateTimeout: "late-timeout", "retires a silent player a quarter of the timeout and a second too late", "ur/timeout/not-late";
        ClockAddsPace: "clock-adds-pace", "gives the pace beside the timeout", "ur/timeout/not-late";
        ClockFromGreeting: "clock-from-greeting", "lets the time for every move run from the greeting on", "ur/timeout/own-turn";
        ClockRunsOn: "clock-runs-on", "does not stop a player's clock when it has moved", "ur/timeout/own-turn";
        ClockRunsWhenSkipped: "clock-runs-when-skipped", "starts a player's clock in a turn that is skipped, and does not stop it", "ur/timeout/own-turn";
        ClockIsOneSum: "clock-is-one-sum", "counts the time of a player's turns together, which it may", "ur/timeout/counts-from";
        ClockRestartsOnHalfALine: "clock-restarts-on-half-a-line", "gives new time when a part of a line comes", "ur/timeout/no-new-time";
        ClockRestartsOffTurn: "clock-restarts-off-turn", "gives new time when the opponent sends a line", "ur/timeout/no-new-time";
        ClockRestartsOnHangUp: "clock-restarts-on-hang-up", "gives new time when the opponent hangs up", "ur/timeout/no-new-time";
        ClockRestartsOnSpectator: "clock-restarts-on-spectator", "gives new time when a spectator leaves", "ur/timeout/no-new-time";
        FirstTurnUntimed: "first-turn-untimed", "waits for the first move for ever", "ur/retire/timeout";
        ExtraTurnUntimed: "extra-turn-untimed", "waits for the move of an extra turn for ever", "ur/retire/timeout";
        DefaultTimeout60: "default-timeout-60", "takes 60 seconds where the timeout is the default", "ur/timeout/default-90";
        NoRetireOnHangUp: "no-retire-on-hang-up", "ends the game without a word when a player hangs up", "ur/retire/hang-up";
        IgnoresPace: "ignores-pace", "begins each turn at once", "ur/pace/minimum";
        DefaultPace0: "default-pace-0", "begins each turn at once where the pace is the default", "ur/pace/default";
        WinNotRelayed: "win-not-relayed", "does not pass the winning move on", "ur/win/winning-move-relayed";
        RollAfterWin: "roll-after-win", "goes on with a roll after the winning move", "ur/win/nothing-after";
        CrlfLines: "crlf-lines", "ends its lines with CR LF", "ur/line/carriage-return";
        NoNewlineLast: "no-newline-last", "leaves the newline off the last line", "ur/line/newline-terminated";
        DiesMidgame: "dies-midgame", "exits before the third turn without a word", "ur/roll/line";
        NeverCloses: "never-closes", "keeps every lane open after the game", "ur/end/close";
        Resets: "resets", "ends every connection by a reset", "ur/end/close";
    }
}
