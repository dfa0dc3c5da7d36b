"""The server `ur_server.py` with one fault. `expected.json` describes each fault."""

import asyncio

import fault
import ur_server
from ur_rules import END, TOKENS
from ur_server import Game


def unread_lines_are_kept():
    honest = Game.play
    kept = [b"", b""]

    async def play(self):
        for lane, rest in zip(self.players, kept):
            lane.received[:0] = rest
        await honest(self)
        # The buffer belongs to the seat: the next player there finds it as it was left.
        kept[:] = [bytes(lane.received) for lane in self.players]

    Game.play = play


def score_is_kept():
    honest = Game.new_game
    score = [0, 0]
    last = []

    def new_game(self):
        if last:
            # Nobody sets the score back to 0.
            score[:] = [out + cells.count(END) for out, cells in zip(score, last[0].cells)]
        game = honest(self)
        last[:] = [game]

        def winner():
            return next((seat for seat in (0, 1) if score[seat] + game.cells[seat].count(END) >= TOKENS), None)

        game.winner = winner
        return game

    Game.new_game = new_game


FAULTS = {
    "unread-lines-are-kept": unread_lines_are_kept,
    "score-is-kept": score_is_kept,
}

if __name__ == "__main__":
    fault.run(FAULTS, lambda: asyncio.run(ur_server.main()))
