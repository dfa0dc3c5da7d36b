"""The referee `ur_referee.py` with one fault. `expected.json` describes each fault."""

import time

import fault
import ur_referee
import ur_rules
from ur_referee import Referee
from ur_rules import END, EXTRA_TURN_CELLS, SHARED, START, Game


def cell_13_shared():
    ur_rules.SHARED = range(5, 14)


def overshoot_and_no_extra_turn_14():
    class Faulty(Game):
        def is_legal(self, token, heads):
            source = self.cells[self.turn][token]
            return super().is_legal(token, heads) or (source < END and heads > 0 and source + heads == END + 1)

        def play(self, token, heads):
            super().play(token, min(heads, END - self.cells[self.turn][token]))

    ur_referee.Game = lambda: Faulty(extra_turn_cells=EXTRA_TURN_CELLS - {14})


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

    ur_referee.Game = Faulty


def stale_own_cells():
    class Faulty(Game):
        seen = [[START] * 7, [START] * 7]

        def is_legal(self, token, heads):
            own = self.cells[self.turn]
            target = own[token] + heads
            if 0 < heads and own[token] < target < END and target not in SHARED:
                # Stale list: the own cells as they were before the player's last move.
                return target not in self.seen[self.turn]
            return super().is_legal(token, heads)

        def play(self, token, heads):
            self.seen[self.turn] = list(self.cells[self.turn])
            super().play(token, heads)

    ur_referee.Game = Faulty


def last_token_not_counted():
    class Faulty(Game):
        def winner(self):
            # Off by one: the loop ends before token 6.
            done = (all(self.cells[player][token] == END for token in range(6)) for player in (0, 1))
            return next((player for player, won in enumerate(done) if won), None)

    ur_referee.Game = Faulty


def late_moves_to_spectators():
    honest = Referee.broadcast
    held = []

    async def broadcast(text, lanes):
        if len(text) == 1 and len(lanes) > 1:
            # Race: the spectators' queue is sent only after the next roll.
            held.append((text, lanes[1:]))
            lanes = lanes[:1]
        await honest(text, lanes)
        if " " in text:
            while held:
                await honest(*held.pop(0))

    Referee.broadcast = staticmethod(broadcast)


def clock_runs_on():
    honest = Referee.read_move
    used = {}

    async def read_move(self, mover):
        whole, began = self.timeout, time.monotonic()
        self.timeout = max(0, whole - used.get(mover, 0))
        try:
            return await honest(self, mover)
        finally:
            self.timeout = whole
            used[mover] = used.get(mover, 0) + time.monotonic() - began

    Referee.read_move = read_move


FAULTS = {
    "cell-13-shared": cell_13_shared,
    "overshoot-and-no-extra-turn-14": overshoot_and_no_extra_turn_14,
    "captures-by-mover-number": captures_by_mover_number,
    "stale-own-cells": stale_own_cells,
    "last-token-not-counted": last_token_not_counted,
    "late-moves-to-spectators": late_moves_to_spectators,
    "clock-runs-on": clock_runs_on,
}

if __name__ == "__main__":
    fault.run(FAULTS, ur_referee.main)
