"""Tests of the Onitama judge over loopback connections."""

import re
import socket
import subprocess
import sys
import unittest

import oni_judge
import oni_lanes
from oni_processes import CAPTURE_GAME, DEAL, TEMPLE_GAME, JudgeTest
from oni_rules import parse_deal
from peer_processes import HERE, PATIENCE


class JudgeOverTcpTest(JudgeTest):
    def test_plays_a_game_to_its_end_in_every_style(self):
        for style in oni_judge.STYLES:
            for game, reason in ((CAPTURE_GAME, "master-captured"), (TEMPLE_GAME, "temple")):
                with self.subTest(style=style, reason=reason):
                    process, *players = self.start_game("--style", style, "--accept-delay", "0.01")
                    self.play(players, game)
                    self.assert_ended(process, f"winner=Top reason={reason} moves={len(game)}", *players)

    def test_drops_both_without_a_word_after_an_invalid_move(self):
        for style in oni_judge.STYLES:
            with self.subTest(style):
                process, top, bottom = self.start_game("--style", style, "--accept-delay", "0")
                top.send(b"Crab d1 d2\n")
                self.assert_ended(process, "winner=Bottom reason=invalid-move moves=0", top, bottom)

    def test_drops_both_without_a_word_when_the_time_is_over(self):
        for style in oni_judge.STYLES:
            with self.subTest(style):
                process, top, bottom = self.start_game("--timeout", "0.05", "--style", style, "--accept-delay", "0")
                top.send(b"Cobra d1 ")
                self.assert_ended(process, "winner=Bottom reason=timeout moves=0", top, bottom)

    def test_ignores_what_is_no_move_up_to_a_flood_without_a_newline(self):
        for style in oni_judge.STYLES:
            with self.subTest(style):
                process, *players = self.start_game("--style", style, "--accept-delay", "0")
                players[0].send(b"\n\xff\x00\x80\nhello\nCobra d1-c2\nCobra  d1 c2\n")
                players[0].send(b"x" * 3 * oni_lanes.LONGEST_LINE + b"\n")
                self.play(players, CAPTURE_GAME)
                self.assert_ended(process, "winner=Top reason=master-captured moves=3", *players)

    def test_joins_a_move_in_two_packets(self):
        process, top, bottom = self.start_game()
        top.send(b"Cobra d1")
        top.send(b" c2\n")
        self.assertEqual(bottom.read_line(), b"Cobra d1 c2\n")

    def test_drops_both_when_one_hangs_up(self):
        for loser, winner in ((0, "Bottom"), (1, "Top")):
            for way in ("hang_up", "reset"):
                for style in oni_judge.STYLES:
                    with self.subTest(loser=loser, way=way, style=style):
                        process, *players = self.start_game("--style", style, "--accept-delay", "0")
                        players[loser].send(b"Cobra d1 c2")
                        getattr(players[loser], way)()
                        self.assert_ended(process, f"winner={winner} reason=hang-up moves=0", players[1 - loser])

    def test_plays_the_last_line_of_a_player_that_has_ended_its_side(self):
        process, top, bottom = self.start_game()
        self.play((top, bottom), CAPTURE_GAME[:2])
        top.send(b"Tiger c2 c4\n")
        top.socket.shutdown(socket.SHUT_WR)
        for player in (top, bottom):
            self.assertEqual(player.read_line(), b"Tiger c2 c4\n")
        self.assert_ended(process, "winner=Top reason=master-captured moves=3", top, bottom)

    def test_survives_players_that_hang_up_during_the_greeting(self):
        for style in oni_judge.STYLES:
            with self.subTest(style):
                process, address = self.start_judge("--style", style, "--accept-delay", "0.01", "--starter", "Top")
                self.connect(address).reset()
                other = self.connect(address)
                other.rest()
                other.hang_up()
                end = process.stdout.read()
                self.assertRegex(end, r"^ended winner=(Top|Bottom) reason=hang-up moves=0\n$")
                self.assertEqual((process.wait(PATIENCE), process.stderr.read()), (0, ""))

    def test_closes_a_third_connection_at_once_or_lets_it_wait(self):
        process, address = self.start_judge("--deal", DEAL, "--starter", "Top")
        players = [self.connect(address), self.connect(address)]
        self.assertEqual(self.connect(address).rest(), b"")
        for player in players:
            player.read_lines(3)
        self.play(players, CAPTURE_GAME)
        self.assert_ended(process, "winner=Top reason=master-captured moves=3", *players)

        process, address = self.start_judge("--deal", DEAL, "--starter", "Top", "--style", "fixed-order-poll")
        *players, third = (self.connect(address) for _ in range(3))
        for player in players:
            player.read_lines(3)
        self.play(players, CAPTURE_GAME)
        self.assert_ended(process, "winner=Top reason=master-captured moves=3", *players)
        with self.assertRaises(ConnectionResetError):
            third.rest()

    def test_slow_accept_greets_the_first_before_the_second_is_there(self):
        process, address = self.start_judge("--style", "slow-accept", "--accept-delay", "0")
        first = self.connect(address)
        self.assertEqual(first.read_line(), b"You are Top\n")
        second = self.connect(address)
        self.assertEqual(second.read_line(), b"You are Bottom\n")

    def test_the_first_connection_may_become_bottom(self):
        process, address = self.start_judge("--first", "Bottom")
        first, second = self.connect(address), self.connect(address)
        self.assertEqual(first.read_line() + second.read_line(), b"You are Bottom\nYou are Top\n")

    def greeting(self, *arguments, env=()):
        """What the first connection receives at the start."""
        process, address = self.start_judge(*arguments, env=env)
        first, _ = self.connect(address), self.connect(address)
        return b"".join(first.read_lines(3)).decode()

    def test_takes_a_forced_deal_and_starter_from_arguments_and_the_environment(self):
        other = "Ox,Goose,Rabbit,Boar,Frog"
        env = {"ONI_DEAL": other, "ONI_STARTER": "Bottom"}
        self.assertEqual(self.greeting(env=env), f"You are Top\nCards: {other}\nBottom starts\n")
        forced = self.greeting("--deal", DEAL, "--starter", "Top", env=env)
        self.assertEqual(forced, f"You are Top\nCards: {DEAL}\nTop starts\n")

    def test_draws_the_same_from_the_same_seed_and_what_is_forced_changes_nothing_else(self):
        drawn = [self.greeting("--seed", str(seed), "--first", "random") for seed in range(6)]
        self.assertEqual(drawn[4], self.greeting("--seed", "4", "--first", "random"))
        matches = [re.fullmatch(r"You are (\w+)\nCards: (.*)\n(\w+) starts\n", greeting) for greeting in drawn]
        self.assertEqual({match[1] for match in matches}, {"Top", "Bottom"})
        self.assertEqual({match[3] for match in matches}, {"Top", "Bottom"})
        self.assertEqual(len({parse_deal(match[2]) for match in matches}), 6)
        forced = self.greeting("--seed", "4", "--first", "random", "--deal", DEAL)
        self.assertEqual(forced, drawn[4].replace(matches[4][2], DEAL))

    def test_plays_several_games_in_a_row(self):
        process, address = self.start_judge("--games", "2", "--deal", DEAL, "--starter", "Top")
        for number in range(2):
            players = [self.connect(address), self.connect(address)]
            for player in players:
                player.read_lines(3)
            self.play(players, CAPTURE_GAME)
            for player in players:
                self.assertEqual(player.rest(), b"")
                player.hang_up()
        self.assertEqual(process.stdout.read(), 2 * "ended winner=Top reason=master-captured moves=3\n")
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_ends_well_when_nobody_reads_what_it_says(self):
        process, *players = self.start_game()
        process.stdout.close()
        self.play(players, CAPTURE_GAME)
        for player in players:
            self.assertEqual(player.rest(), b"")
            player.hang_up()
        self.assertEqual((process.wait(PATIENCE), process.stderr.read()), (0, ""))

    def test_ends_with_a_message_when_a_player_does_not_arrive(self):
        for style in ("prompt", "slow-accept"):
            process, address = self.start_judge("--arrival-timeout", "0.05", "--style", style, "--accept-delay", "0.1")
            alone = self.connect(address)
            self.assertEqual(alone.rest(), b"You are Top\n" if style == "slow-accept" else b"")
            alone.hang_up()
            self.assertEqual(process.wait(PATIENCE), 1)
            self.assertEqual(process.stderr.read(), "oni_judge: two players did not arrive within 0.05 s\n")

    def test_refuses_options_out_of_their_bounds(self):
        wrong = [("--timeout", "0"), ("--timeout", "nan"), ("--accept-delay", "11"), ("--games", "0"), ("--deal", "Ox")]
        for option, value in wrong:
            command = [sys.executable, HERE / "oni_judge.py", option, value]
            run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(run.returncode, 2, (option, value))
            self.assertIn(f"argument {option}: expected", run.stderr)
        for name in ("ONI_DEAL", "ONI_STARTER"):
            process = self.start("oni_judge.py", env={name: "x"}, **self.pipes)
            self.assertEqual(process.wait(PATIENCE), 2)
            self.assertIn(f"environment variable {name}: expected", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
