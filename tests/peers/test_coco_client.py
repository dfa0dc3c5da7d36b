"""Tests of the client against the server: matches of two clients, refusals, matches that come to nothing."""

import subprocess
import sys
import unittest

import coco_websocket as ws
from peer_processes import HERE, PATIENCE, PeerTest

UR_BOT = [sys.executable, str(HERE / "ur_bot.py"), "--policy", "last"]


class ClientTest(PeerTest):
    def serve(self, *arguments):
        """The address of a server that ends with the test."""
        server = self.start("coco_server.py", *arguments, "--seed", "7", stdout=subprocess.PIPE, text=True)
        return server.stdout.readline().split()[-1]

    def join(self, server, name, *arguments):
        return self.start("coco_client.py", server, "--name", name, *arguments, **self.pipes)

    def create(self, server, *arguments):
        """A client that waits for an opponent in a new match, and the id of the match."""
        client = self.join(server, "host", "--pace", "0", *arguments)
        return client, client.stdout.readline().strip()

    def assert_ends(self, client, status, says=""):
        _, said = client.communicate(timeout=PATIENCE)
        self.assertIn(says, said)
        self.assertEqual(client.returncode, status, said)

    def test_two_clients_play_a_match_to_its_end(self):
        server = self.serve("--cut", "3", "--pings", "--empty-frames", "2000")
        host, match = self.create(server)
        guest = self.join(server, "guest", "--match", match, "--", *UR_BOT)
        self.assert_ends(guest, 0)
        self.assert_ends(host, 0)

    def test_a_bot_that_fails_leaves_the_match_and_loses_it(self):
        server = self.serve()
        host, match = self.create(server)
        guest = self.join(server, "guest", "--match", match, "--", sys.executable, "-c", "raise SystemExit(3)")
        self.assert_ends(guest, 1, "broke the match off")
        self.assert_ends(host, 0)

    def test_a_refusal_is_told_in_the_words_of_the_server(self):
        server = self.serve()
        _, match = self.create(server, "--password", "x")
        right = ["--password", "x"]
        for name, arguments, words in (
            ("guest", ["--match", match], "Wrong password"),
            ("host", ["--match", match, *right], "already taken"),
            ("guest", ["--match", "nothing"], "does not exists"),
            ("guest", ["--game", "chess"], "Game not found"),
            ("guest", ["--pace", "31"], "Invalid pace"),
        ):
            self.assert_ends(self.join(server, name, *arguments), 2, words)

    def test_a_match_that_comes_to_nothing_is_told(self):
        for misbehaviour, says in (
            ("expires", "the match expired in the lobby"),
            ("closes-at-handshake", "broke the match off"),
            ("plain-http", "broke the match off"),
        ):
            server = self.serve("--misbehave", misbehaviour)
            self.assert_ends(self.join(server, "guest"), 1, says)


class FrameTest(unittest.TestCase):
    def test_a_frame_is_as_long_as_its_payload_with_its_head_and_its_mask(self):
        for size, head in ((0, 2), (125, 2), (126, 4), (65535, 4), (65536, 10)):
            self.assertEqual(len(ws.frame(ws.BINARY, bytes(size))), head + size)
            self.assertEqual(len(ws.frame(ws.BINARY, bytes(size), mask=b"mask")), head + 4 + size)

    def test_a_mask_is_taken_away_by_itself(self):
        self.assertEqual(ws.masked(ws.masked(b"0 1 1 0\n", b"mask"), b"mask"), b"0 1 1 0\n")
        # The example of RFC 6455, section 5.7: a masked text message that contains "Hello".
        hello = bytes.fromhex("818537fa213d7f9f4d5158")
        self.assertEqual(ws.frame(ws.TEXT, b"Hello", mask=hello[2:6]), hello)


if __name__ == "__main__":
    unittest.main()
