"""Tests of the referee over loopback connections."""

import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

import ur_referee
from peer_processes import HERE, PATIENCE, PeerTest


class RefereeTest(PeerTest):
    def test_takes_forced_rolls_from_an_argument_a_file_and_the_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rolls"
            path.write_text("0000,0000\n1110\n")
            environment = {"COINS": " 0000\t0000, 1110", "UR_ROLLS": "1111"}
            ways = {
                "--rolls": ("--rolls", "0000 0000 1110"),
                "--rolls-file": ("--rolls-file", str(path)),
                "--rolls-env": ("--rolls-env", "COINS"),
            }
            for name, arguments in ways.items():
                with self.subTest(name):
                    _, first, second = self.start_referee(*arguments, spectators=0, env=environment)
                    self.read_greeting(first, second)
                    self.assertEqual(first.read_lines(3), [b"0 0 0 0\n", b"0 0 0 0\n", b"1 1 1 0\n"])
        _, first, second = self.start_referee(spectators=0, env=environment)
        self.read_greeting(first, second)
        self.assertEqual(first.read_line(), b"1 1 1 1\n")

    def test_refuses_options_out_of_their_bounds(self):
        wrong = [("--pace", "31"), ("--pace", "nan"), ("--timeout", "0"), ("--rolls", "012"), ("--names", "A")]
        for option, value in wrong:
            command = [sys.executable, HERE / "ur_referee.py", option, value]
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, (option, value))
            self.assertIn(f"argument {option}: expected", run.stderr)

    def test_sends_the_names_it_is_given(self):
        _, first, second, spectator = self.start_referee("--names", "Ann,>Bob ü")
        names = ["Ann\n".encode(), ">Bob ü\n".encode()]
        self.assertEqual(first.read_lines(3), names + [b"0\n"])
        self.assertEqual(second.read_lines(3), names + [b"1\n"])
        self.assertEqual(spectator.read_lines(2), names)

    def test_retires_whoever_sends_no_valid_move(self):
        hostile = {
            "a number out of range": b"7\n",
            "a sign": b"+3\n",
            "a carriage return": b"3\r\n",
            "an empty line": b"\n",
            "bytes that are no text": b"\xff\x00\x80\n",
            "a line that never ends": b"3" * (3 * ur_referee.LONGEST_LINE),
            "an over-long line": b"0" * ur_referee.LONGEST_LINE + b"3\n",
        }
        for name, data in hostile.items():
            with self.subTest(name):
                process, first, second, spectator = self.start_referee("--rolls", "1111")
                self.read_greeting(first, second, spectator)
                first.send(data)
                self.assert_retired(process, first, second, spectator, roll=b"1 1 1 1\n")

    def test_retires_a_player_whose_time_is_over_though_bytes_trickle_in(self):
        process, first, second, spectator = self.start_referee("--rolls", "1111", "--timeout", "0.2")
        self.read_greeting(first, second, spectator)
        first.send(b"3")
        self.assert_retired(process, first, second, spectator, roll=b"1 1 1 1\n")

    def test_retires_a_player_who_hangs_up_in_its_turn(self):
        process, first, second, spectator = self.start_referee("--rolls", "1111")
        self.read_greeting(first, second, spectator)
        first.send(b"3")
        first.socket.shutdown(socket.SHUT_WR)
        self.assert_retired(process, first, second, spectator, roll=b"1 1 1 1\n")

    def test_a_player_who_hangs_up_off_turn_is_retired_when_its_move_is_due(self):
        process, first, second, spectator = self.start_referee("--rolls", "0001 0000 0000 0010")
        second.hang_up()
        first.read_lines(3)
        spectator.read_lines(2)
        self.assertEqual(first.read_line(), b"0 0 0 1\n")
        first.send(b"5\n")
        self.assertEqual(first.rest(), b"0 0 0 0\n0 0 0 0\n0 0 1 0\nRETIRE\n")
        self.assertEqual(spectator.rest(), b"0 0 0 1\n5\n0 0 0 0\n0 0 0 0\n0 0 1 0\nRETIRE\n")
        first.hang_up()
        spectator.hang_up()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_reads_lines_sent_off_turn_when_the_turn_comes(self):
        process, first, second = self.start_referee("--rolls", "0001 0010 0110 0001", spectators=0)
        second.send(b"4\nx\n")
        second.socket.shutdown(socket.SHUT_WR)
        self.read_greeting(first, second)
        first.send(b"5\n0\n")
        self.assertEqual(second.rest(), b"0 0 0 1\n5\n0 0 1 0\n0 1 1 0\n0\n0 0 0 1\n")
        self.assertEqual(first.rest(), b"0 0 0 1\n0 0 1 0\n4\n0 1 1 0\n0 0 0 1\nRETIRE\n")
        first.hang_up()
        second.hang_up()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_survives_connections_that_are_reset(self):
        for seats in ((0,), (1,), (2,), (0, 1, 2)):
            with self.subTest(seats):
                process, *clients = self.start_referee("--rolls", "1111 0001 0001")
                self.read_greeting(*clients)
                for seat in seats:
                    clients[seat].reset()
                for client in clients:
                    client.hang_up()
                self.assertEqual(process.wait(PATIENCE), 0)
                self.assertEqual(process.stderr.read(), "")

    def test_drops_the_flood_of_a_spectator(self):
        process, first, second, spectator = self.start_referee("--rolls", "0001")
        self.read_greeting(first, second, spectator)
        spectator.send(b"0\n" * 500_000)
        first.send(b"9\n")
        self.assert_retired(process, first, second, spectator, roll=b"0 0 0 1\n")

    def test_closes_a_connection_that_has_no_place(self):
        process = self.start("ur_referee.py", **self.pipes)
        players, spectators = re.findall(r"=(\S+)", process.stdout.readline())
        self.assertEqual(self.connect(spectators).rest(), b"")
        first, second, third = (self.connect(players) for _ in range(3))
        self.assertEqual(third.rest(), b"")
        self.read_greeting(first, second)
        self.assertEqual(second.stream, b"PlayerA\nPlayerB\n1\n")

    def test_ends_with_a_message_when_somebody_does_not_arrive(self):
        process = self.start("ur_referee.py", "--arrival-timeout", "0.05", **self.pipes)
        self.assertEqual(process.wait(PATIENCE), 1)
        self.assertIn("2 players and 0 spectators did not arrive", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
