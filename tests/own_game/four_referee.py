"""A referee for one game of Connect Four over TCP, from PROTOCOL.md. Python 3, standard library only.

It prints one line, `listening players=HOST:PORT spectators=HOST:PORT`, as soon as it accepts connections. The first player to connect is
Red. Exit status: 0 after a game. `--wrong` has it break one sentence of PROTOCOL.md.
"""

import argparse
import selectors
import socket
import sys
import time

import four_rules
from four_rules import COLOURS, Game

LONGEST_LINE = 4096
LAST_WORDS = 1.0  # how long it reads what still arrives after the end, so that no line is lost to a reset


class Lane:
    """The connection of a participant."""

    def __init__(self, connection):
        self.connection = connection
        self.begun = b""
        self.is_gone = False

    def send(self, line):
        try:
            self.connection.sendall(line + b"\n")
        except OSError:
            pass  # A participant that is gone needs no line.

    def lines(self):
        """The complete lines that have arrived; notes the end of the connection."""
        try:
            data = self.connection.recv(65536)
        except OSError:
            data = b""
        self.is_gone = not data
        *complete, self.begun = (self.begun + data).split(b"\n")
        if len(self.begun) > LONGEST_LINE:
            complete.append(self.begun)
            self.begun = b""
        return complete


def answer(selector, players, turn, timeout):
    """The line of the player on turn, or None. "The referee ignores a line of the player whose turn it is not." """
    end = time.monotonic() + timeout
    while not players[turn].is_gone:
        rest = end - time.monotonic()
        if rest <= 0:
            return None
        answers = []
        for key, _ in selector.select(rest):
            lines = key.data.lines()
            if key.data.is_gone:
                selector.unregister(key.fileobj)
            if key.data is players[turn]:
                answers = lines
        if answers:
            return answers[0]
    return None


class EighthDiscEnds(Game):
    """The game is over after eight discs, whoever has which."""

    def is_over(self):
        return super().is_over() or sum(map(len, self.columns)) == 8


def break_a_rule(wrong):
    """Breaks a rule of the game; the game to conduct."""
    if wrong == "five-wins":
        four_rules.LINE = 5
    elif wrong == "no-falling-diagonal":
        four_rules.DIRECTIONS.remove((1, -1))
    elif wrong == "column-holds-five":
        four_rules.ROWS = 5
    return EighthDiscEnds() if wrong == "eighth-disc-ends" else Game()


def conduct(game, players, spectators, timeout):
    selector = selectors.DefaultSelector()
    for lane, colour in zip(players, COLOURS):
        lane.send(colour.encode())
        selector.register(lane.connection, selectors.EVENT_READ, lane)
    while not game.is_over():
        others = [players[1 - game.turn]] + spectators
        line = answer(selector, players, game.turn, timeout)
        is_valid = line is not None and line.decode("latin-1") in game.moves()
        for lane in others:
            lane.send(line if is_valid else b"LOST")
        if not is_valid:
            return
        game.play(line.decode("ascii"))


def close(lanes):
    for lane in lanes:
        try:
            lane.connection.shutdown(socket.SHUT_WR)
        except OSError:
            lane.is_gone = True
    end = time.monotonic() + LAST_WORDS
    for lane in lanes:
        while not lane.is_gone and time.monotonic() < end:
            lane.connection.settimeout(max(0.01, end - time.monotonic()))
            lane.lines()
        lane.connection.close()


def listen(port):
    listener = socket.create_server(("127.0.0.1", port))
    return listener, "%s:%d" % listener.getsockname()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--port", "--spectator-port", "--spectators"):
        arguments.add_argument(name, type=int, default=0)
    arguments.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS")
    wrong = ("five-wins", "no-falling-diagonal", "column-holds-five", "eighth-disc-ends")
    arguments.add_argument("--wrong", choices=wrong)
    options = arguments.parse_args()
    door, players_at = listen(options.port)
    gallery, spectators_at = listen(options.spectator_port)
    print(f"listening players={players_at} spectators={spectators_at}", flush=True)
    players = [Lane(door.accept()[0]) for _ in COLOURS]
    spectators = [Lane(gallery.accept()[0]) for _ in range(options.spectators)]
    conduct(break_a_rule(options.wrong), players, spectators, options.timeout)
    close(players + spectators)
    return 0


if __name__ == "__main__":
    sys.exit(main())
