"""Tests of the referee's turns without a network: the pace, the coins and the deliberate deviations."""

import asyncio
import unittest
from unittest import mock

import ur_referee
from peer_processes import PATIENCE


class Options:
    """The options of a referee that is run inside the test."""

    def __init__(self, rolls=(), seed=0, pace=0.0, variant=None):
        self.rolls = rolls
        self.seed = seed
        self.pace = pace
        self.timeout = PATIENCE
        self.variant = variant


class ScriptedLane:
    """A lane inside the test: gives the lines it was made with, keeps those it is sent."""

    def __init__(self, lines=()):
        self.lines = list(lines)
        self.sent = []

    async def next_line(self):
        return self.lines.pop(0) if self.lines else None

    async def send(self, line):
        self.sent.append(line.decode())


def play(rolls, first=(), second=(), **options):
    """What both players and a spectator receive after the handshake; the players send these tokens and then nothing."""
    lanes = [ScriptedLane(b"%d\n" % token for token in tokens) for tokens in (first, second, ())]
    referee = ur_referee.Referee(lanes[:2], lanes[2:], Options(rolls=rolls.split(), **options))
    asyncio.run(referee.play())
    return [", ".join(lane.sent).replace("0 0 0 0", "skip") for lane in lanes]


class TurnsTest(unittest.TestCase):
    def test_waits_the_pace_after_every_turn_but_the_last(self):
        paused = []

        async def pause(seconds):
            paused.append(seconds)

        with mock.patch.object(asyncio, "sleep", pause):
            lanes = play("0000 0001 0011 0001", [0], [0], pace=2.5)
        self.assertEqual(lanes[2], "skip, 0 0 0 1, 0, 0 0 1 1, 0, 0 0 0 1, RETIRE")
        self.assertEqual(paused, [2.5, 2.5, 2.5])

    def test_the_same_seed_rolls_the_same_free_coins(self):
        def rolls(seed):
            referee = ur_referee.Referee([], [], Options(rolls=["0110"], seed=seed))
            return [referee.roll() for _ in range(40)]

        self.assertEqual(rolls(7), rolls(7))
        self.assertNotEqual(rolls(7), rolls(8))
        self.assertEqual(rolls(7)[0], "0110")


class VariantTest(unittest.TestCase):
    """Each deviation shows on a lane, and without it the lane is as the specification says."""

    def test_cell_8_capturable(self):
        # The first player goes to the eighth cell, the second to the fourth and, if it may, to the eighth. Where it
        # may not, its other tokens cannot move by four either, and its turn is skipped.
        game = ("1111 1111 0000 1111 1111 0001", [0, 0], [0, 0])
        approach = "1 1 1 1, 0, 1 1 1 1, 0, skip, 1 1 1 1, 0, 1 1 1 1, "
        first, second, spectator = play(*game)
        self.assertEqual(spectator, approach + "0 0 0 1, RETIRE")
        self.assertTrue(second.endswith("RETIRE"))
        first, second, spectator = play(*game, variant="cell-8-capturable")
        self.assertEqual(spectator, approach + "0, 0 0 0 1, RETIRE")
        self.assertTrue(first.endswith("RETIRE"))

    def test_no_extra_turn_8(self):
        game = ("1111 1111 0001 0001", [0, 0, 1])
        self.assertEqual(play(*game)[1], "1 1 1 1, 0, 1 1 1 1, 0, 0 0 0 1, 1, 0 0 0 1")
        wrong = play(*game, variant="no-extra-turn-8")
        self.assertEqual(wrong[1], "1 1 1 1, 0, 1 1 1 1, 0, 0 0 0 1")
        self.assertEqual(wrong[0], "1 1 1 1, 1 1 1 1, 0 0 0 1, RETIRE")

    def test_no_retire_to_spectators(self):
        self.assertEqual(play("1000"), ["1 0 0 0", "1 0 0 0, RETIRE", "1 0 0 0, RETIRE"])
        self.assertEqual(play("1000", variant="no-retire-to-spectators"), ["1 0 0 0", "1 0 0 0, RETIRE", "1 0 0 0"])

    def test_echoes_moves(self):
        game = ("1000 0100", [2])
        self.assertEqual(play(*game)[0], "1 0 0 0, 0 1 0 0, RETIRE")
        self.assertEqual(play(*game, variant="echoes-moves")[0], "1 0 0 0, 2, 0 1 0 0, RETIRE")

    def test_every_variant_has_a_test(self):
        for variant in ur_referee.VARIANTS:
            self.assertTrue(hasattr(self, "test_" + variant.replace("-", "_")), variant)


if __name__ == "__main__":
    unittest.main()
