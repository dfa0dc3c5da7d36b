"""Tests of the counts of Onitama positions."""

import subprocess
import sys
import unittest

import oni_perft
from oni_rules import BOTTOM, CARDS, SIDES, TOP, Game, parse_deal
from peer_processes import HERE, PATIENCE

DEPTH = 3


class OnitamaPerftTest(unittest.TestCase):
    def test_the_file_says_what_is_counted(self):
        lines = (HERE / "oni_perft.txt").read_text().splitlines()
        rows = [line for line in lines if not line.startswith("#")]
        printed = [row for row in rows if int(row.split()[2]) <= DEPTH]
        command = [sys.executable, HERE / "oni_perft.py", str(DEPTH)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(run.stdout.splitlines(), printed)
        self.assertEqual({row.split()[0] for row in rows}, set(oni_perft.DEALS))

    def test_the_deals_show_every_card(self):
        self.assertEqual({card for deal in oni_perft.DEALS for card in parse_deal(deal)}, set(CARDS))

    def test_the_board_turned_by_half_a_turn_counts_the_same(self):
        for deal in map(parse_deal, oni_perft.DEALS):
            turned = deal[2:4] + deal[:2] + deal[4:]
            self.assertEqual(list(oni_perft.count(deal, TOP, DEPTH)), list(oni_perft.count(turned, BOTTOM, DEPTH)))

    def test_the_order_of_the_cards_in_a_hand_does_not_count(self):
        top1, top2, *others = parse_deal(oni_perft.DEALS[0])
        keys = {oni_perft.key_of(Game(deal, TOP)) for deal in ((top1, top2, *others), (top2, top1, *others))}
        self.assertEqual(len(keys), 1)

    def test_paths_are_the_sequences_that_can_be_played(self):
        deal = parse_deal(oni_perft.DEALS[1])

        def paths(game_key, depth):
            return 1 if depth == 0 else sum(paths(key, depth - 1) for key in oni_perft.successors(game_key))

        for starter in range(len(SIDES)):
            key = oni_perft.key_of(Game(deal, starter))
            counted = [count for _, count, _ in oni_perft.count(deal, starter, DEPTH)]
            self.assertEqual(counted, [paths(key, depth) for depth in range(DEPTH + 1)])

    def test_a_won_game_has_no_continuation(self):
        hands = (("Cobra", "Eel"), ("Crab", "Rabbit"), "Tiger")
        crossed = "ttBtt" + 15 * "." + "bb.bb"
        taken = "tt.tt" + 15 * "." + "bbBbb"
        for board in (crossed, taken):
            self.assertEqual(list(oni_perft.successors((board, *hands, TOP))), [])


if __name__ == "__main__":
    unittest.main()
