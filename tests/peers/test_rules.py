"""Tests of the rules that the peers share."""

import unittest

from ur_rules import END, Game, parse_move, parse_roll


class RulesTest(unittest.TestCase):
    def game(self, first=(), second=(), turn=0):
        game = Game()
        game.cells = [list(cells) + [0] * (7 - len(cells)) for cells in (first, second)]
        game.turn = turn
        return game

    def test_no_token_moves_on_a_roll_of_zero(self):
        self.assertEqual(self.game().legal_moves(0), [])

    def test_refuses_a_move_onto_an_own_token(self):
        self.assertEqual(self.game([3]).legal_moves(3), [0])

    def test_needs_the_exact_number_to_leave_the_track(self):
        self.assertEqual(self.game([14, 13, 12, 15, 15, 15, 15]).legal_moves(2), [1])
        self.assertEqual(self.game([14, 14, 14, 15, 15, 15, 15]).legal_moves(2), [])

    def test_sends_a_captured_token_back_and_passes_the_turn(self):
        game = self.game([5], [7])
        game.play(0, 2)
        self.assertEqual((game.cells[0][0], game.cells[1][0], game.turn), (7, 0, 1))

    def test_captures_only_on_the_cells_that_are_shared(self):
        for cell in range(1, 15):
            game = self.game([cell - 1], [cell])
            if cell == 8:
                self.assertFalse(game.is_legal(0, 1))
                continue
            game.play(0, 1)
            self.assertEqual(game.cells[1][0], 0 if 5 <= cell <= 12 else cell)

    def test_gives_another_turn_on_the_fourth_eighth_and_fourteenth_cell_only(self):
        again = []
        for cell in range(1, 16):
            game = self.game([cell - 1])
            game.play(0, 1)
            if game.turn == 0:
                again.append(cell)
        self.assertEqual(again, [4, 8, 14])

    def test_the_game_is_won_when_the_seventh_token_has_left(self):
        game = self.game([END] * 6 + [14])
        self.assertIsNone(game.winner())
        game.play(6, 1)
        self.assertEqual(game.winner(), 0)

    def test_a_move_line_is_one_digit_and_a_newline(self):
        self.assertEqual(parse_move(b"6\n"), 6)
        for line in (b"7\n", b"6", b"06\n", b"+6\n", b" 6\n", b"6\r\n", b"\n", b"", b"\n\n", b"66\n", "٣\n".encode()):
            self.assertIsNone(parse_move(line), line)

    def test_a_roll_line_is_four_digits_with_single_spaces(self):
        self.assertEqual(parse_roll(b"0 1 1 0\n"), 2)
        for line in (b"0110\n", b"0 1 1 0", b"0 1 1\n", b"0 1 1 2\n", b"0  1 1 0\n", b"0 1 1 0 \n", b"0 1 1 0\r\n"):
            self.assertIsNone(parse_roll(line), line)


if __name__ == "__main__":
    unittest.main()
