"""Whole games through the Onitama peers: the captured one, and bots against bots in every style of judge."""

import subprocess
import threading
import unittest

import oni_judge
from oni_processes import CAPTURED_GAME, DEAL, JudgeTest
from oni_rules import SIDES, TOP, Game, parse_deal, parse_move
from peer_processes import PATIENCE


def captured(side):
    """The captured stream of a side, line by line; what that player sent begins with `>`."""
    return (CAPTURED_GAME / f"{side.lower()}.txt").read_bytes().splitlines(keepends=True)


class CapturedGameTest(JudgeTest):
    def opening(self):
        """The deal and the starting side."""
        _, cards, starter = captured("Top")[:3]
        return cards.decode()[len("Cards: ") : -1], starter.decode().split()[0]

    def test_every_move_is_valid_and_the_last_one_takes_the_master(self):
        deal, starter = self.opening()
        for side in SIDES:
            game = Game(parse_deal(deal), SIDES.index(starter))
            received = [line for line in captured(side) if not line.startswith(b">")]
            for line in received[3:]:
                self.assertIsNone(game.winner())
                self.assertIn(parse_move(line), game.legal_moves())
                game.play(parse_move(line))
            self.assertEqual((game.winner(), game.has_both_masters()), (TOP, False))

    def test_the_judge_repeats_it_byte_for_byte_in_every_style(self):
        deal, starter = self.opening()
        for style in oni_judge.STYLES:
            with self.subTest(style):
                arguments = ("--deal", deal, "--starter", starter, "--style", style, "--accept-delay", "0")
                process, address = self.start_judge(*arguments)
                clients = [self.connect(address), self.connect(address)]

                def follow(client, lines):
                    for line in lines:
                        if line.startswith(b">"):
                            client.send(line[1:])
                        else:
                            client.read_line()
                    client.rest()

                streams = map(captured, SIDES)
                threads = [threading.Thread(target=follow, args=pair) for pair in zip(clients, streams)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                for client, side in zip(clients, SIDES):
                    self.assertEqual(client.stream, b"".join(captured(side)))
                self.assert_ended(process, "winner=Top reason=master-captured moves=18", *clients)


class BotsAndJudgeTest(JudgeTest):
    def games(self, *arguments, count=1, variant=()):
        """What the judge says after listening, and the exit statuses of the judge and of both bots; the second deviates."""
        process, address = self.start_judge("--games", str(count), "--seed", "5", *arguments)
        bots = []
        for number, deviation in enumerate(((), variant)):
            options = ["--policy", "random", "--seed", str(number), "--games", str(count), *deviation]
            bots.append(self.start("oni_bot.py", *address.split(":"), *options, stderr=subprocess.PIPE, text=True))
        said = process.stdout.read()
        return said, [peer.wait(PATIENCE) for peer in (process, *bots)]

    def test_bots_play_to_a_won_game_in_every_style(self):
        for style in oni_judge.STYLES:
            with self.subTest(style):
                said, statuses = self.games("--style", style, "--accept-delay", "0.01")
                self.assertRegex(said, r"^ended winner=(Top|Bottom) reason=(temple|master-captured) moves=\d+\n$")
                self.assertEqual(statuses, [0, 0, 0])

    def test_bots_play_many_games_in_a_row_and_win_in_both_ways(self):
        said, statuses = self.games(count=60)
        self.assertEqual(statuses, [0, 0, 0])
        self.assertEqual(len(said.splitlines()), 60)
        self.assertEqual({line.split()[2] for line in said.splitlines()}, {"reason=temple", "reason=master-captured"})

    def test_a_bot_that_moves_out_of_turn_is_ignored(self):
        said, statuses = self.games(variant=("--variant", "moves-out-of-turn"))
        self.assertRegex(said, "reason=(temple|master-captured)")
        self.assertEqual(statuses, [0, 0, 0])

    def test_a_bot_that_plays_other_cards_than_its_own_loses(self):
        for variant in ("wrong-hand", "forgets-rotation"):
            said, statuses = self.games(variant=("--variant", variant))
            self.assertRegex(said, "reason=invalid-move")
            self.assertEqual(statuses, [0, 0, 0])

    def test_bots_find_out_a_judge_that_breaks_the_rules(self):
        process, address = self.start_judge("--deal", DEAL, "--starter", "Top", "--variant", "no-broadcast-to-mover")
        host, port = address.split(":")
        bots = [self.start("oni_bot.py", host, port, stderr=subprocess.PIPE, text=True) for _ in SIDES]
        self.assertIn(1, [bot.wait(PATIENCE) for bot in bots])
        self.assertEqual(process.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
