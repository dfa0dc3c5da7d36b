"""The bot `ur_bot.py` with one fault. `expected.json` describes each fault."""

import fault
import ur_bot
import ur_rules
from ur_rules import SAFE_CELLS, START, Game


def captures_on_8():
    ur_bot.Game = lambda: Game(safe_cells=SAFE_CELLS - {8})


def cell_12_private():
    ur_rules.SHARED = range(5, 12)


def captures_by_mover_number():
    class Faulty(Game):
        def play(self, token, heads):
            other = self.cells[1 - self.turn]
            before = list(other)
            super().play(token, heads)
            if other != before:
                # Wrong variable: the number of the mover's token, not of the captured one.
                other[:] = before
                other[token] = START

    ur_bot.Game = Faulty


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


FAULTS = {
    "captures-on-8": captures_on_8,
    "cell-12-private": cell_12_private,
    "captures-by-mover-number": captures_by_mover_number,
    "stale-choice": stale_choice,
    "last-coin-not-counted": last_coin_not_counted,
}

if __name__ == "__main__":
    fault.run(FAULTS, ur_bot.main)
