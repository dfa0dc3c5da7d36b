"""Tests of the rules of Onitama that its peers share."""

import unittest

from oni_processes import CAPTURE_GAME, DEAL, TEMPLE_GAME
from oni_rules import (
    BOTTOM,
    CARDS,
    CELLS,
    START,
    TOP,
    Game,
    format_move,
    looks_like_move,
    parse_deal,
    parse_move,
    targets_of,
)


def move(text):
    return parse_move(text.encode() + b"\n")


def moves(game):
    return {format_move(move) for move in game.legal_moves()}


class RulesTest(unittest.TestCase):
    def game(self, starter=TOP, deal=DEAL, board=START, **rules):
        game = Game(parse_deal(deal), starter, **rules)
        game.board = board
        return game

    def play(self, texts, **rules):
        game = self.game(**rules)
        for text in texts:
            self.assertIn(text, moves(game))
            game.play(move(text))
        return game

    def test_the_cards_are_sixteen_of_which_four_pairs_mirror_each_other(self):
        self.assertEqual(len({frozenset(steps) for steps in CARDS.values()}), 16)
        names = {frozenset(steps): name for name, steps in CARDS.items()}
        mirrors = {name: frozenset((ahead, -right) for ahead, right in steps) for name, steps in CARDS.items()}
        mirrored = {(name, names.get(mirror)) for name, mirror in mirrors.items()}
        pairs = {("Frog", "Rabbit"), ("Horse", "Ox"), ("Goose", "Rooster"), ("Eel", "Cobra")}
        alone = {(name, name) for name in CARDS} - {(name, name) for pair in pairs for name in pair}
        self.assertEqual(mirrored, alone | pairs | {(right, left) for left, right in pairs})

    def test_each_side_starts_with_its_master_in_the_middle_of_its_row(self):
        game = self.game()
        self.assertEqual(game.board[:5], "ttTtt")
        self.assertEqual(game.board[20:], "bbBbb")
        self.assertEqual(CELLS[0] + CELLS[4] + CELLS[20] + CELLS[24], "a1e1a5e5")

    def test_top_sees_the_cards_turned_by_half_a_turn(self):
        for card in CARDS:
            for cell in range(25):
                turned = {24 - target for target in targets_of(BOTTOM, card, 24 - cell)}
                self.assertEqual(set(targets_of(TOP, card, cell)), turned)
        self.assertEqual({CELLS[cell] for cell in targets_of(BOTTOM, "Cobra", CELLS.index("c3"))}, {"d2", "b3", "d4"})
        self.assertEqual({CELLS[cell] for cell in targets_of(TOP, "Cobra", CELLS.index("c3"))}, {"b4", "d3", "b2"})

    def test_plays_the_example_move_of_the_specification(self):
        self.assertIn("Cobra a5 b4", moves(self.game(BOTTOM, "Ox,Eel,Cobra,Rabbit,Tiger")))

    def test_moves_with_the_two_cards_in_hand_only(self):
        self.assertEqual({text.split()[0] for text in moves(self.game(TOP))}, {"Cobra", "Eel"})
        self.assertEqual({text.split()[0] for text in moves(self.game(BOTTOM))}, {"Crab", "Rabbit"})

    def test_stays_on_the_board_and_off_its_own_pawns(self):
        self.assertEqual({text for text in moves(self.game()) if text.startswith("Cobra")},
                         {"Cobra b1 a2", "Cobra c1 b2", "Cobra d1 c2", "Cobra e1 d2"})

    def test_the_used_card_goes_to_the_middle_and_the_middle_card_to_the_mover(self):
        game = self.play(["Cobra d1 c2"])
        self.assertEqual((set(game.hands[TOP]), set(game.hands[BOTTOM]), game.middle),
                         ({"Eel", "Tiger"}, {"Crab", "Rabbit"}, "Cobra"))
        game.play(move("Crab c5 c4"))
        self.assertEqual((set(game.hands[TOP]), set(game.hands[BOTTOM]), game.middle),
                         ({"Eel", "Tiger"}, {"Cobra", "Rabbit"}, "Crab"))

    def test_wins_by_taking_the_master(self):
        game = self.play(CAPTURE_GAME)
        self.assertEqual((game.winner(), game.legal_moves()), (TOP, []))

    def test_wins_by_moving_the_master_to_the_temple_of_the_other(self):
        game = self.play(TEMPLE_GAME)
        self.assertEqual((game.winner(), game.legal_moves()), (TOP, []))
        self.assertEqual(self.game(board="T.B.." + 20 * ".").winner(), BOTTOM)

    def test_only_a_master_wins_on_a_temple_and_only_on_that_of_the_other(self):
        self.assertIsNone(self.game(board="..b.." + "T.B.." + 10 * "." + "..t..").winner())
        self.assertIsNone(self.game().winner())

    def test_a_student_is_taken_without_a_win(self):
        game = self.game(BOTTOM, board="..T.." + 5 * "." + "..t.." + "..b.." + "..B..", deal="Cobra,Eel,Ox,Rabbit,Tiger")
        game.play(move("Ox c4 c3"))
        self.assertEqual((game.board.count("t"), game.winner()), (0, None))

    def test_a_side_may_be_without_a_move(self):
        column = "b.T.." + "b...." + "B...." + "b...." + "b...."
        stuck = self.game(BOTTOM, "Cobra,Eel,Tiger,Horse,Ox", column)
        self.assertEqual((stuck.legal_moves(), stuck.winner()), ([], None))
        self.assertNotEqual(self.game(TOP, "Cobra,Eel,Tiger,Horse,Ox", column).legal_moves(), [])

    def test_plays_by_other_rules_when_asked_to(self):
        self.assertEqual(self.play(CAPTURE_GAME[:1], rotates=False).hands[TOP], ("Cobra", "Eel"))
        self.assertIsNone(self.play(TEMPLE_GAME, temple_wins=False).winner())
        self.assertEqual(self.play(CAPTURE_GAME, temple_wins=False).winner(), TOP)


class LinesTest(unittest.TestCase):
    def test_reads_every_cell_and_card_back(self):
        for card in CARDS:
            for cell in range(25):
                line = format_move((card, cell, 24 - cell)).encode() + b"\n"
                self.assertEqual(parse_move(line), (card, cell, 24 - cell))
                self.assertTrue(looks_like_move(line))
        self.assertEqual(format_move(("Cobra", 20, 16)), "Cobra a5 b4")

    def test_reads_nothing_else_as_a_move(self):
        shaped = [b"Dog a5 b4\n", b"cobra a5 b4\n", b"Cobra f5 b4\n", b"Cobra a0 b4\n", b"Cobra a5 B4\n", b"Cobra a5 b4\r\n"]
        shapeless = [b"\n", b"", b"Cobra a5 b4", b"Cobra  a5 b4\n", b" Cobra a5 b4\n", b"Cobra a5 b4 \n", b"Cobra a5\n",
                     b"Cobra a5-b4\n", b"a5 b4\n", b"Cobra a5 b4 c3\n", b"Cobra\ta5\tb4\n", b"Cobra a5 b4\0\n",
                     "Cobra a5 b４\n".encode(), b"\xff a5 b4\n"]
        for line in shaped + shapeless:
            self.assertIsNone(parse_move(line), line)
            self.assertEqual(looks_like_move(line), line in shaped, line)

    def test_a_deal_is_five_different_cards(self):
        self.assertEqual(parse_deal(DEAL), ("Cobra", "Eel", "Crab", "Rabbit", "Tiger"))
        repeated = "Cobra,Eel,Crab,Rabbit,Eel"
        for text in ("", "Cobra,Eel,Crab,Rabbit", DEAL + ",Ox", repeated, DEAL.lower(), DEAL.replace(",", ", ")):
            self.assertIsNone(parse_deal(text), text)


if __name__ == "__main__":
    unittest.main()
