"""Tests of the bot over pipes."""

import subprocess
import sys
import unittest

import ur_bot
from peer_processes import HERE, PATIENCE, PeerTest
from ur_rules import Game


class BotTest(PeerTest):
    def play(self, lines, *arguments, status=0):
        """What a bot writes when it is given these lines and then the end of the input."""
        command = [sys.executable, HERE / "ur_bot.py", *arguments]
        run = subprocess.run(command, input=lines, capture_output=True, timeout=PATIENCE)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout

    def test_moves_in_its_turns_and_is_silent_in_all_others(self):
        opening = b"A\nB\n0\n" b"1 1 1 1\n" b"1 0 0 0\n" b"0 0 0 0\n" b"0 0 0 0\n"
        # The fourth cell, one cell on, a skip of each player.
        self.assertEqual(self.play(opening), b"0\n0\n")
        self.assertEqual(self.play(opening, "--policy", "last"), b"6\n6\n")
        self.assertEqual(self.play(b"A\nB\n1\n1 1 1 1\n0\n0 1 0 0\n0\n0 1 1 0\n"), b"0\n")

    def test_the_same_seed_plays_the_same_moves(self):
        opening = b"A\nB\n0\n" + b"1 1 1 1\n" + b"0 0 0 1\n" + b"0 0 0 0\n" + b"0 1 0 0\n"
        moves = {seed: self.play(opening, "--policy", "random", "--seed", str(seed)) for seed in range(4)}
        self.assertEqual(moves[1], self.play(opening, "--policy", "random", "--seed", "1"))
        self.assertGreater(len(set(moves.values())), 1)

    def test_ends_well_on_retire_and_at_the_end_of_the_input(self):
        roll = b"A\nB\n1\n1 0 0 0\n"
        for lines in (b"", b"A\n", b"A\nB\n1\n", b"A\nB\n1\n1 0", roll, roll + b"RETIRE\n", roll + b"RETIRE\n!\n"):
            self.assertEqual(self.play(lines), b"")

    def test_ends_well_when_nobody_takes_its_move(self):
        bot = self.start("ur_bot.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        bot.stdout.close()
        bot.stdin.write(b"A\nB\n0\n1 0 0 0\n")
        self.assertEqual(bot.wait(PATIENCE), 0)

    def test_ends_well_when_its_own_last_move_wins(self):
        # With a second player that only rolls zero, the bot plays alone: seven tokens, one after the other.
        bot = self.start("ur_bot.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        bot.stdin.write(b"A\nB\n0\n")
        game = Game()
        while game.winner() is None:
            if game.turn == 1:
                bot.stdin.write(b"0 0 0 0\n")
                game.skip()
            elif game.legal_moves(1):
                bot.stdin.write(b"0 0 0 1\n")
                game.play(int(bot.stdout.readline()), 1)
            else:
                self.fail("one token after the other can always move")
        self.assertEqual(bot.wait(PATIENCE), 0)
        self.assertEqual(bot.stdout.read(), b"")

    def test_complains_of_a_line_that_has_no_place(self):
        for lines in (b"A\nB\n2\n", b"A\nB\n0\n3\n", b"A\nB\n1\n1 0 0 0\n7\n", b"x" * ur_bot.LONGEST_LINE):
            self.play(lines, status=1)

    def test_answers_when_skipped(self):
        self.assertEqual(self.play(b"A\nB\n0\n0 0 0 0\n"), b"")
        self.assertEqual(self.play(b"A\nB\n0\n0 0 0 0\n", "--variant", "answers-when-skipped"), b"0\n")

    def test_forgets_captures(self):
        # Its token goes to 4 and on to 5, the opponent's to 4 and on to 5; then 1 and 1 again.
        lines = b"A\nB\n0\n1 1 1 1\n1 0 0 0\n1 1 1 1\n0\n1 0 0 0\n0\n"
        self.assertEqual(self.play(lines + b"1 1 1 1\n1 0 0 0\n"), b"0\n0\n0\n0\n")
        # It takes the token to be on 9 instead of 4, so it believes its turn to be over.
        self.assertEqual(self.play(lines + b"1 1 1 1\n1 0 0 0\n", "--variant", "forgets-captures"), b"0\n0\n0\n")

    def test_no_newline(self):
        self.assertEqual(self.play(b"A\nB\n0\n1 0 0 0\n", "--variant", "no-newline"), b"0")

    def test_every_variant_has_a_test(self):
        for variant in ur_bot.VARIANTS:
            self.assertTrue(hasattr(self, "test_" + variant.replace("-", "_")), variant)


if __name__ == "__main__":
    unittest.main()
