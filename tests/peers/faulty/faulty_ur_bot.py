"""The bot `ur_bot.py` with one fault. `expected.json` describes each fault."""

import os

import fault
import ur_bot
import ur_rules
from ur_bot import Bot
from ur_mistakes import CapturesByMoverNumber, CapturesNoLastToken, CapturesWrongly
from ur_rules import END, SAFE_CELLS, TOKENS, Game


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


class SeatedGame(Game):
    """A game that knows the seat of the bot."""

    seat = None


def know_the_seat(game):
    """Has the bot play such a game."""
    honest = Bot.expect

    def expect(self, parse, wanted):
        found = honest(self, parse, wanted)
        if "seat" in wanted:
            game.seat = found
        return found

    ur_bot.Game, Bot.expect = game, expect


def tokens_from_1():
    honest_expect, honest_send = Bot.expect, Bot.send

    def expect(self, parse, wanted):
        token = honest_expect(self, parse, wanted)
        return token - 1 if parse is ur_rules.parse_move else token

    def send(self, token):
        honest_send(self, token + 1)

    Bot.expect, Bot.send = expect, send


def seats_exchanged():
    honest = Bot.expect

    def expect(self, parse, wanted):
        found = honest(self, parse, wanted)
        # 1 is taken for the first player.
        return 1 - found if "seat" in wanted else found

    Bot.expect = expect


def captured_token_0_stays():
    class Faulty(CapturesWrongly):
        @staticmethod
        def taken(cells, target, token):
            # Token 0 is false like no token at all.
            return cells.index(target) or None

    ur_bot.Game = Faulty


def opponents_extra_turn_unnoticed():
    class Faulty(SeatedGame):
        def play(self, token, heads):
            mover = self.turn
            super().play(token, heads)
            # Forgotten branch: what the opponent sends always ends its turn.
            if mover != self.seat:
                self.turn = self.seat

    know_the_seat(Faulty)


def second_skip_unnoticed():
    class Faulty(Game):
        is_skipped = False

        def play(self, token, heads):
            self.is_skipped = False
            super().play(token, heads)

        def skip(self):
            # A flag that is set, not a count: two skips in a row are one.
            if not self.is_skipped:
                super().skip()
            self.is_skipped = True

    ur_bot.Game = Faulty


def leaves_from_14_by_any_roll():
    class Faulty(Game):
        def is_legal(self, token, heads):
            return super().is_legal(token, heads) or (heads > 0 and self.cells[self.turn][token] == 14)

        def play(self, token, heads):
            super().play(token, min(heads, END - self.cells[self.turn][token]))

    ur_bot.Game = Faulty


def last_line_of_a_read():
    class Reader:
        def __init__(self, raw):
            self.raw = raw
            self.received = b""

        def readline(self, limit):
            while not self.received.endswith(b"\n"):
                chunk = os.read(self.raw.fileno(), limit)
                if not chunk:
                    return b""
                self.received += chunk
            # Wrong framing: of several lines that came together only the last one is kept.
            line, self.received = self.received.splitlines(keepends=True)[-1], b""
            return line

    honest = Bot.__init__

    def init(self, reader, *others):
        honest(self, Reader(reader), *others)

    Bot.__init__ = init


def captured_twice_crashes():
    class Faulty(SeatedGame):
        def __init__(self):
            super().__init__()
            self.unharmed = set(range(TOKENS))

        def play(self, token, heads):
            before = list(self.cells[self.seat])
            mover = self.turn
            super().play(token, heads)
            for number, cell in enumerate(self.cells[self.seat]):
                if mover != self.seat and cell != before[number]:
                    # KeyError for the token that has been captured before.
                    self.unharmed.remove(number)

    know_the_seat(Faulty)


def no_extra_turn_14_and_cell_5_private():
    ur_bot.Game = lambda: Game(extra_turn_cells=ur_rules.EXTRA_TURN_CELLS - {14})
    ur_rules.SHARED = range(6, 13)


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
    "tokens-from-1": tokens_from_1,
    "seats-exchanged": seats_exchanged,
    "captured-token-0-stays": captured_token_0_stays,
    "opponents-extra-turn-unnoticed": opponents_extra_turn_unnoticed,
    "second-skip-unnoticed": second_skip_unnoticed,
    "leaves-from-14-by-any-roll": leaves_from_14_by_any_roll,
    "last-line-of-a-read": last_line_of_a_read,
    "captured-twice-crashes": captured_twice_crashes,
    "no-extra-turn-14-and-cell-5-private": no_extra_turn_14_and_cell_5_private,
}

if __name__ == "__main__":
    fault.run(FAULTS, ur_bot.main)
