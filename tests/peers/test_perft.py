"""Tests of the counts of positions."""

import unittest

import ur_perft
from peer_processes import HERE
from ur_rules import END


class PerftTest(unittest.TestCase):
    def test_the_file_says_what_is_counted(self):
        lines = (HERE / "ur_perft.txt").read_text().splitlines()
        rows = [tuple(map(int, line.split())) for line in lines if not line.startswith("#")]
        self.assertGreaterEqual(len(rows), 7)
        self.assertEqual(list(ur_perft.count(6)), rows[:7])

    def test_one_position_for_all_numberings_counts_as_many_as_each_numbering_apart(self):
        self.assertEqual(list(ur_perft.count(3)), list(ur_perft.count(3, plain=True)))

    def test_a_won_position_has_no_continuation(self):
        won = ((END,) * 7, (0,) * 7, 1)
        self.assertEqual(list(ur_perft.successors(won, ur_perft.numbered)), [])

    def test_a_roll_without_a_legal_move_is_one_branch(self):
        blocked = ((14,) + (END,) * 6, (0,) * 7, 0)
        skipped = (blocked[0], blocked[1], 1)
        won = ((END,) * 7, (0,) * 7, 1)
        self.assertEqual(list(ur_perft.successors(blocked, ur_perft.numbered)), [skipped, won] + [skipped] * 3)


if __name__ == "__main__":
    unittest.main()
