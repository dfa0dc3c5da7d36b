"""What the tests of several peers need: peers as processes, and clients that keep what they receive."""

import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CAPTURED = HERE.parent / "data" / "code-colosseum"

# Longer than any test needs; only a broken peer makes a test wait this long.
PATIENCE = 30


class Client:
    """A connection that reads lines, sends bytes, and keeps both as the specification prints them."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self.reader = self.socket.makefile("rb")
        self.stream = b""

    def read_line(self):
        line = self.reader.readline()
        self.stream += line
        return line

    def read_lines(self, count):
        return [self.read_line() for _ in range(count)]

    def rest(self):
        """Everything up to the end of the stream; a connection that was reset raises."""
        rest = self.reader.read()
        self.stream += rest
        return rest

    def send(self, data):
        self.socket.sendall(data)
        self.stream += b">" + data

    def reset(self):
        """Closes at once with a reset instead of an orderly end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.hang_up()

    def hang_up(self):
        self.reader.close()
        self.socket.close()


class PeerTest(unittest.TestCase):
    """Starts peers as processes and ends them with the test."""

    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

    def start(self, program, *arguments, env=(), **pipes):
        command = [sys.executable, str(HERE / program), *arguments]
        # Whoever runs the tests may have forced rolls of their own.
        process = subprocess.Popen(command, env={**os.environ, "UR_ROLLS": "", **dict(env)}, **pipes)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def connect(self, address):
        client = Client(address)
        self.addCleanup(client.hang_up)
        return client

    def start_referee(self, *arguments, spectators=1, env=()):
        """A referee with both players and the spectators connected: (process, first, second, *spectators)."""
        fixed = ["--pace", "0", "--spectators", str(spectators)]
        process = self.start("ur_referee.py", *fixed, *arguments, env=env, **self.pipes)
        match = re.fullmatch(r"listening players=(\S+) spectators=(\S+)\n", process.stdout.readline())
        addresses = [match[1]] * 2 + [match[2]] * spectators
        return process, *map(self.connect, addresses)

    def read_greeting(self, first, second, *spectators):
        for player in (first, second):
            player.read_lines(3)
        for spectator in spectators:
            spectator.read_lines(2)

    def assert_retired(self, process, retired, *others, roll):
        """The game ends after one roll: nothing more for the retired player, RETIRE for the others."""
        for other in others:
            self.assertEqual(other.rest(), roll + b"RETIRE\n")
        self.assertEqual(retired.rest(), roll)
        for client in (retired, *others):
            client.hang_up()
        self.assertEqual(process.wait(PATIENCE), 0)
