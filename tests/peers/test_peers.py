"""Whole games through the peers: the one of the specification, a captured one, and bots against bots."""

import subprocess
import sys
import threading
import unittest

import ur_checker
from peer_processes import CAPTURED, HERE, PATIENCE, PeerTest
from seed_example import PLAYER_A, PLAYER_B, ROLLS, SPECTATOR


class SeedExampleTest(PeerTest):
    def test_plays_the_game_of_the_specification_byte_for_byte(self):
        process, *clients = self.start_referee("--rolls", ROLLS)
        streams = [PLAYER_A, PLAYER_B, SPECTATOR]

        def follow(client, stream):
            for line in stream.encode().splitlines(keepends=True):
                if line.startswith(b">"):
                    client.send(line[1:])
                else:
                    client.read_line()
            client.rest()

        threads = [threading.Thread(target=follow, args=pair) for pair in zip(clients, streams)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for client, stream in zip(clients, streams):
            self.assertEqual(client.stream.decode(), stream)
            client.hang_up()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(process.stdout.read(), "")

    def test_the_checker_accepts_the_spectator_stream_of_the_specification(self):
        ur_checker.check_game(SPECTATOR.encode().splitlines(keepends=True))

    def test_the_checker_accepts_the_captured_game(self):
        command = [sys.executable, HERE / "ur_checker.py", CAPTURED / "spectator.received"]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr, run.returncode), ("1 games, 0 faults\n", "", 0))


class BotsAndRefereeTest(PeerTest):
    def game(self, seed, *bot_variant):
        """What a spectator received, and the exit statuses of the referee and of both bots."""
        referee, first, second, spectator = self.start_referee("--seed", str(seed))
        bots = []
        for seat, client in enumerate((first, second)):
            arguments = ["--policy", "random", "--seed", str(2 * seed + seat)]
            if seat == 1:
                arguments += bot_variant
            # A time limit makes the socket non-blocking, for the bot as well.
            client.socket.settimeout(None)
            ends = {"stdin": client.socket.fileno(), "stdout": client.socket.fileno(), "stderr": subprocess.PIPE}
            bots.append(self.start("ur_bot.py", *arguments, **ends))
            client.hang_up()
        received = spectator.rest()
        spectator.hang_up()
        return received, [process.wait(PATIENCE) for process in (referee, *bots)]

    def test_bots_play_legal_games_to_the_end(self):
        games = set()
        for seed in range(5):
            received, statuses = self.game(seed)
            self.assertEqual(statuses, [0, 0, 0])
            self.assertNotIn(b"RETIRE", received)
            ur_checker.check_game(received.splitlines(keepends=True))
            games.add(received)
        self.assertEqual(len(games), 5)

    def test_the_same_seeds_play_the_same_game(self):
        self.assertEqual(self.game(3), self.game(3))

    def test_a_bot_that_forgets_captures_is_found_out(self):
        received, statuses = self.game(1, "--variant", "forgets-captures")
        self.assertEqual(statuses[:2], [0, 0])
        self.assertTrue(received.endswith(b"RETIRE\n"))


if __name__ == "__main__":
    unittest.main()
