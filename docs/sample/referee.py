"""A referee for the Royal Game of Ur: referee.py PORT SPECTATOR_PORT SPECTATORS FIRST SECOND

TIMEOUT and PACE in the environment are seconds. ROLLS are forced rolls, such as `0011 1111 0001`.
"""

import contextlib
import os
import random
import socket
import sys
import time

OUT = 15
EXTRA_TURN = (4, 8, 14)
SHARED = range(5, 13)
LONGEST_LINE = 64


class Player:
    def __init__(self, connection):
        self.connection = connection
        self.unread = b""

    def line(self, deadline):
        """The next line, or None if it does not come in time, or not at all."""
        while b"\n" not in self.unread:
            left = deadline - time.monotonic()
            if left <= 0 or len(self.unread) > LONGEST_LINE:
                return None
            try:
                self.connection.settimeout(left)
                read = self.connection.recv(4096)
            except OSError:
                return None
            if not read:
                return None
            self.unread += read
        line, _, self.unread = self.unread.partition(b"\n")
        return line


def send(connections, line):
    for connection in connections:
        # Whoever has gone away loses in their own turn.
        with contextlib.suppress(OSError):
            connection.sendall(line + b"\n")


def is_legal(mine, theirs, token, steps):
    cell = mine[token] + steps
    if steps == 0 or mine[token] == OUT or cell > OUT:
        return False
    return cell == OUT or not (cell in mine or cell == 8 and cell in theirs)


def move(mine, theirs, token, steps):
    """Moves a token, and returns the cell where it is now."""
    cell = mine[token] = mine[token] + steps
    if cell in SHARED and cell in theirs:
        theirs[theirs.index(cell)] = 0
    return cell


def play(players, connections, rolls, timeout, pace):
    tracks = [[0] * 7, [0] * 7]
    turn = 0
    began = float("-inf")
    while True:
        time.sleep(max(0, began + pace - time.monotonic()))
        began = time.monotonic()
        coins = rolls.pop(0) if rolls else random.choices("01", k=4)
        send(connections, " ".join(coins).encode())
        steps = coins.count("1")
        mine, theirs = tracks[turn], tracks[1 - turn]
        legal = [token for token in range(7) if is_legal(mine, theirs, token, steps)]
        if legal:
            line = players[turn].line(began + timeout)
            others = [connection for connection in connections if connection is not players[turn].connection]
            if line not in [b"%d" % token for token in legal]:
                send(others, b"RETIRE")
                return
            send(others, line)
            cell = move(mine, theirs, int(line), steps)
            if mine == [OUT] * 7:
                return
            if cell in EXTRA_TURN:
                continue
        turn = 1 - turn


def end(connections):
    """Closes all connections. What is still unread would reset them, and lose what the other side has not read."""
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
    deadline = time.monotonic() + 1
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.settimeout(max(0.01, deadline - time.monotonic()))
            while connection.recv(4096) and time.monotonic() < deadline:
                pass


def main():
    port, spectator_port, spectators = (int(word) for word in sys.argv[1:4])
    names = [os.fsencode(name) for name in sys.argv[4:6]]
    timeout, pace = float(os.environ.get("TIMEOUT", "90")), float(os.environ.get("PACE", "1.5"))
    rolls = [list(roll) for roll in os.environ.get("ROLLS", "").split()]
    # They listen until the end: whoever comes late hears nothing.
    for_players = socket.create_server(("127.0.0.1", port))
    for_spectators = socket.create_server(("127.0.0.1", spectator_port))
    players = [Player(for_players.accept()[0]) for _ in range(2)]
    watching = [for_spectators.accept()[0] for _ in range(spectators)]
    connections = [player.connection for player in players] + watching
    for name in names:
        send(connections, name)
    for index, player in enumerate(players):
        send([player.connection], b"%d" % index)
    play(players, connections, rolls, timeout, pace)
    end(connections)


main()
