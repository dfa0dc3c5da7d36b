"""The bot `ur_bot.py` with one fault. `expected.json` describes each fault."""

import os

import fault
import ur_bot
import ur_rules
from ur_bot import Bot
from ur_mistakes import CapturesByMoverNumber, CapturesNoLastToken
from ur_rules import SAFE_CELLS, TOKENS, Game


def captures_on_8():
    ur_bot.Game = lambda: Game(safe_cells=SAFE_CELLS - {8})


def cell_12_private():
    ur_rules.SHARED = range(5, 12)


def captures_by_mover_number():
    ur_bot.Game = CapturesByMoverNumber


def stale_choice():
    honest = ur_bot.chooser

    def chooser(policy, seed):
        choose = honest(policy, seed)
        last = []

        def stale(legal):
            # Stale list: the tokens that could move in the bot's last turn.
            token = choose(last or legal)
            last[:] = legal
            return token

        return stale

    ur_bot.chooser = chooser


def last_coin_not_counted():
    honest = ur_bot.parse_roll

    def parse_roll(line):
        heads = honest(line)
        # Off by one: the loop ends before the fourth coin.
        return None if heads is None else line[:6].count(b"1")

    ur_bot.parse_roll = parse_roll


def token_6_ignored():
    class Faulty(Game):
        def legal_moves(self, heads):
            # Off by one: the loop ends before token 6.
            return [token for token in range(TOKENS - 1) if self.is_legal(token, heads)]

    ur_bot.Game = Faulty


def only_roll_0_skips():
    class Faulty(Game):
        def legal_moves(self, heads):
            return super().legal_moves(heads) or (list(range(TOKENS)) if heads else [])

        def play(self, token, heads):
            if self.is_legal(token, heads):
                super().play(token, heads)
            else:
                self.skip()

    ur_bot.Game = Faulty


def capture_gives_extra_turn():
    class Faulty(Game):
        def play(self, token, heads):
            mover = self.turn
            before = list(self.cells[1 - mover])
            super().play(token, heads)
            if self.cells[1 - mover] != before:
                self.turn = mover

    ur_bot.Game = Faulty


def old_roll_in_extra_turn():
    class Faulty(Game):
        old = None

        def legal_moves(self, heads):
            # Stale variable: the roll before the extra turn.
            return super().legal_moves(heads if self.old is None else self.old)

        def play(self, token, heads):
            mover = self.turn
            super().play(token, heads)
            self.old = heads if self.turn == mover else None

        def skip(self):
            super().skip()
            self.old = None

    ur_bot.Game = Faulty


def captures_no_last_token():
    ur_bot.Game = CapturesNoLastToken


def carriage_return_from_the_tenth():
    honest = Bot.send

    def send(self, token):
        self.sent = getattr(self, "sent", 0) + 1
        if self.sent < 10:
            honest(self, token)
        else:
            self.writer.write(b"%d\r\n" % token)

    Bot.send = send


def half_a_line_is_a_line():
    class Reader:
        def __init__(self, raw):
            self.raw = raw
            self.lines = []

        def readline(self, limit):
            while not self.lines:
                # Wrong framing: what one read brings is split, and its last part counts as a line.
                chunk = os.read(self.raw.fileno(), limit)
                if not chunk:
                    return b""
                self.lines = [line + b"\n" for line in chunk.split(b"\n") if line]
            return self.lines.pop(0)

    honest = Bot.__init__

    def init(self, reader, *others):
        honest(self, Reader(reader), *others)

    Bot.__init__ = init


FAULTS = {
    "captures-on-8": captures_on_8,
    "cell-12-private": cell_12_private,
    "captures-by-mover-number": captures_by_mover_number,
    "stale-choice": stale_choice,
    "last-coin-not-counted": last_coin_not_counted,
    "token-6-ignored": token_6_ignored,
    "only-roll-0-skips": only_roll_0_skips,
    "capture-gives-extra-turn": capture_gives_extra_turn,
    "old-roll-in-extra-turn": old_roll_in_extra_turn,
    "captures-no-last-token": captures_no_last_token,
    "carriage-return-from-the-tenth": carriage_return_from_the_tenth,
    "half-a-line-is-a-line": half_a_line_is_a_line,
}

if __name__ == "__main__":
    fault.run(FAULTS, ur_bot.main)
