"""Tests of the Onitama bot against a judge that the test itself plays."""

import socket
import subprocess
import unittest

import oni_bot
from oni_processes import CAPTURE_GAME, DEAL, TEMPLE_GAME
from oni_rules import SIDES, Game, format_move, parse_deal, parse_move
from peer_processes import PATIENCE, PeerTest


class BotTest(PeerTest):
    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE)
        self.addCleanup(self.listener.close)

    def start_bot(self, *arguments):
        """The bot as a process, connected; what it sends is read from `self.reader`."""
        port = str(self.listener.getsockname()[1])
        bot = self.start("oni_bot.py", "127.0.0.1", port, *arguments, stderr=subprocess.PIPE, text=True)
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(PATIENCE)
        self.addCleanup(self.connection.close)
        self.reader = self.connection.makefile("rb")
        self.addCleanup(self.reader.close)
        return bot

    def tell(self, *lines):
        self.connection.sendall("".join(line + "\n" for line in lines).encode())

    def greet(self, side="Top", starter="Top"):
        self.tell(f"You are {side}", f"Cards: {DEAL}", f"{starter} starts")

    def drop(self, bot, status=0):
        """Drops the connection; the bot ends with this status and has sent nothing since the last line that was read."""
        self.connection.shutdown(socket.SHUT_WR)
        self.assertEqual(self.reader.read(), b"")
        self.assertEqual(bot.wait(PATIENCE), status)
        message = bot.stderr.read()
        self.assertEqual(message.startswith("oni_bot: "), status == 1, message)

    def answer(self):
        """The next move of the bot, which comes back to it."""
        line = self.reader.readline().decode()
        self.tell(line[:-1])
        return line[:-1]

    def test_picks_by_its_policy(self):
        for policy, move in (("first", "Cobra b1 a2"), ("last", "Eel d1 e2")):
            game = Game(parse_deal(DEAL), 0)
            lines = sorted(map(format_move, game.legal_moves()))
            bot = self.start_bot("--policy", policy)
            self.greet()
            self.assertEqual(self.reader.readline().decode(), move + "\n")
            self.assertEqual(move, lines[0 if policy == "first" else -1])
            self.drop(bot)

    def test_the_same_seed_plays_the_same_moves(self):
        def opening(seed):
            bot = self.start_bot("--policy", "random", "--seed", str(seed))
            self.greet()
            line = self.answer()
            self.drop(bot)
            return line

        openings = [opening(seed) for seed in range(5)]
        self.assertEqual(openings[3], opening(3))
        self.assertGreater(len(set(openings)), 1)

    def test_waits_for_its_turn_and_plays_with_the_cards_that_it_then_holds(self):
        bot = self.start_bot()
        self.greet("Bottom", "Top")
        game = Game(parse_deal(DEAL), 0)
        for _ in range(4):
            # The opponent's turn: the move that is last in alphabetical order, so that every card moves on.
            move = max(game.legal_moves(), key=format_move)
            self.tell(format_move(move))
            game.play(move)
            answer = self.answer()
            self.assertEqual(answer, min(map(format_move, game.legal_moves())))
            game.play(parse_move(answer.encode() + b"\n"))
        self.drop(bot)

    def test_ends_well_wherever_the_connection_drops(self):
        lines = ("You are Bottom", f"Cards: {DEAL}", "Top starts")
        for count in range(len(lines) + 1):
            bot = self.start_bot()
            self.tell(*lines[:count])
            self.drop(bot)

    def test_ends_well_after_a_won_and_a_lost_game(self):
        for side in SIDES:
            for game in (CAPTURE_GAME, TEMPLE_GAME):
                # This variant takes whatever comes back for its own moves, so that the test can play both sides.
                bot = self.start_bot("--variant", "moves-out-of-turn")
                self.greet(side)
                self.tell(*game)
                own_turns = len(game[SIDES.index(side) :: 2])
                for _ in range(2 * own_turns):
                    self.assertNotEqual(self.reader.readline(), b"")
                self.drop(bot)

    def test_complains_of_a_move_after_the_end_of_the_game(self):
        bot = self.start_bot("--variant", "moves-out-of-turn")
        self.greet("Bottom")
        self.tell(*CAPTURE_GAME)
        for _ in range(2):
            self.reader.readline()
        self.tell("Cobra b5 a4")
        self.drop(bot, status=1)

    def test_complains_of_a_line_that_has_no_place(self):
        start = ("You are Bottom", f"Cards: {DEAL}", "Top starts")
        wrong = [
            ("You are Left",),
            ("You are Top ",),
            ("You are Top", "Cards: Ox,Ox,Eel,Crab,Tiger"),
            ("You are Top", f"Cards: {DEAL}", "Bottom begins"),
            (*start, "Cobra d1 e2"),
            (*start, "Crab d1 d2"),
            (*start, "hello"),
            (*start, ""),
            ("x" * oni_bot.LONGEST_LINE,),
        ]
        for lines in wrong:
            with self.subTest(lines[-1][:20]):
                bot = self.start_bot()
                self.tell(*lines)
                self.drop(bot, status=1)

    def test_complains_of_another_move_than_its_own_on_its_turn(self):
        bot = self.start_bot("--policy", "first")
        self.greet()
        self.assertEqual(self.reader.readline(), b"Cobra b1 a2\n")
        self.tell("Cobra d1 c2")
        self.drop(bot, status=1)

    def test_sends_nothing_when_it_has_no_move(self):
        game = Game(parse_deal("Cobra,Eel,Tiger,Horse,Ox"), 1)
        game.board = "b.T.." + "b...." + "B...." + "b...." + "b...."
        ours, theirs = socket.socketpair()
        with ours, theirs:
            bot = oni_bot.Bot(ours, choose=min)
            self.assertIsNone(bot.move(game, 1, game.hands[1]))
            bot.reader.close()
            ours.shutdown(socket.SHUT_WR)
            self.assertEqual(theirs.recv(100), b"")

    def test_does_not_wait_for_ever(self):
        bot = self.start_bot("--patience", "0.05")
        self.assertEqual(bot.wait(PATIENCE), 1)
        self.assertIn("timed out", bot.stderr.read())

    def test_ends_with_a_message_when_nobody_listens(self):
        port = self.listener.getsockname()[1]
        self.listener.close()
        bot = self.start("oni_bot.py", "127.0.0.1", str(port), stderr=subprocess.PIPE, text=True)
        self.assertEqual(bot.wait(PATIENCE), 1)
        self.assertTrue(bot.stderr.read().startswith("oni_bot: "))

    def test_wrong_hand(self):
        bot = self.start_bot("--variant", "wrong-hand")
        self.greet()
        self.assertEqual(self.reader.readline().split()[0], b"Crab")
        self.drop(bot)

    def test_forgets_rotation(self):
        cards = {}
        for variant in ((), ("--variant", "forgets-rotation")):
            bot = self.start_bot(*variant)
            self.greet()
            self.assertEqual(self.answer(), "Cobra b1 a2")
            self.tell("Crab c5 c4")
            cards[variant] = self.reader.readline().split()[0]
            self.drop(bot)
        self.assertEqual(list(cards.values()), [b"Eel", b"Cobra"])

    def test_moves_out_of_turn(self):
        bot = self.start_bot("--variant", "moves-out-of-turn")
        self.greet()
        self.assertEqual(self.reader.readline(), b"Cobra b1 a2\n")
        # Valid if it were still on turn.
        self.assertEqual(self.reader.readline(), b"Eel a1 b2\n")
        self.tell("Cobra b1 a2", "Crab c5 c4")
        self.assertEqual(self.reader.readline(), b"Eel a1 b2\n")
        self.assertNotEqual(self.reader.readline(), b"")
        self.drop(bot)

    def test_every_variant_has_a_test(self):
        for variant in oni_bot.VARIANTS:
            self.assertTrue(hasattr(self, "test_" + variant.replace("-", "_")), variant)


if __name__ == "__main__":
    unittest.main()
