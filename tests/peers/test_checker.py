"""Tests of the checker."""

import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import ur_checker
from peer_processes import CAPTURED, HERE
from seed_example import SPECTATOR
from ur_rules import parse_move


class CheckerTest(unittest.TestCase):
    def check(self, *files):
        """Standard output, standard error and exit status of the checker."""
        command = [sys.executable, HERE / "ur_checker.py", *files]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.stdout, run.stderr, run.returncode

    def fault(self, stream):
        """(line, message) of the first fault in a stream; None without one."""
        try:
            ur_checker.check_game(stream.splitlines(keepends=True))
        except ur_checker.Fault as fault:
            return fault.index + 1, str(fault)
        return None

    def test_names_the_first_wrong_line(self):
        lines = SPECTATOR.encode().splitlines(keepends=True)
        won = (CAPTURED / "spectator.received").read_bytes()
        last = len(lines)
        cases = [
            (b"".join(lines[:3] + lines[4:]), 4, "skipped although"),
            (b"".join(lines[:11] + [b"3\n"] + lines[11:]), 12, "token 3 cannot move by 0"),
            (b"".join(lines[:4] + [b"1\n"] + lines[4:]), 5, "a move without a roll"),
            (b"".join(lines[:-1] + [b"2\n"]), last, "token 2 cannot move by 2"),
            (b"".join(lines[:-1] + [b"2\r\n"]), last, "neither a roll nor a move"),
            (b"".join(lines[:-1]), last, "ends before it is won"),
            (b"".join(lines)[:-1], last, "no newline"),
            (b"".join(lines) + b"0 0 0 0\n", last + 1, "has ended with RETIRE"),
            (b"".join(lines[:11]) + b"RETIRE\n", 12, "RETIRE where no move was due"),
            (b"".join(lines[:2]) + b"RETIRE\n", 3, "RETIRE where no move was due"),
            (won + b"0 0 0 0\n", won.count(b"\n") + 1, "already won"),
            (won + b"RETIRE\n", won.count(b"\n") + 1, "already won"),
            (b"", 1, "names of its two players"),
            (b"A\nB", 2, "names of its two players"),
        ]
        for stream, line, message in cases:
            with self.subTest(message):
                found = self.fault(stream)
                self.assertIsNotNone(found)
                self.assertEqual(found[0], line)
                self.assertIn(message, found[1])

    def test_sees_every_line_of_the_captured_game_that_is_missing(self):
        lines = (CAPTURED / "spectator.received").read_bytes().splitlines(keepends=True)
        for index in range(2, len(lines)):
            if parse_move(lines[index]) is not None:
                self.assertIsNotNone(self.fault(b"".join(lines[:index] + lines[index + 1 :])), index + 1)

    def test_counts_games_and_faults_across_files(self):
        good = SPECTATOR.encode()
        bad = good.replace(b"\n4\n", b"\n9\n")
        found = list(ur_checker.split_games(io.BytesIO(good + b"\n" + bad + b"\n")))
        self.assertEqual(found, [(1, good.splitlines(keepends=True)), (21, bad.splitlines(keepends=True))])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "games"
            path.write_bytes(good + b"\n" + bad + b"\n" + good)
            out, err, status = self.check(path, CAPTURED / "spectator.received")
        self.assertEqual((out, status), ("4 games, 1 faults\n", 1))
        self.assertIn("games:37: neither a roll nor a move: b'9\\n'", err)

    def test_says_that_a_file_cannot_be_read(self):
        out, err, status = self.check(HERE / "no such file")
        self.assertEqual((out, status), ("", 2))
        self.assertIn("No such file", err)


if __name__ == "__main__":
    unittest.main()
