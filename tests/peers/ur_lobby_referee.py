"""A referee for one game of the Royal Game of Ur behind a lobby: everybody comes to one port and first says who it is.

A player says `JOIN NAME` and is told `WELCOME NAME`; a spectator says `WATCH` and is told nothing. The environment says where to listen and how
to play: PORT, SPECTATORS, TIMEOUT_MS, PACE_MS, ROLLS_FILE. `ready on port N` is printed on standard error, after a banner.
Exit status: 0 after a game, 1 for a line that is none of these.
"""

import argparse
import os
import socket
import sys

from ur_streams import Stream, conduct, rolls_file


def first_line(connection):
    """The first line of a connection, read without a byte of what follows."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            break
        line += byte
    return line.rstrip(b"\n")


def main():
    listener = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
    print(f"a lobby of Ur\nready on port {listener.getsockname()[1]}.", file=sys.stderr, flush=True)
    wanted = 2 + int(os.environ["SPECTATORS"])
    names, players, spectators, connections = [], [], [], []
    while len(players) + len(spectators) < wanted:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections.append(connection)
        line = first_line(connection)
        stream = Stream(connection.fileno(), connection.fileno())
        if line == b"WATCH":
            spectators.append(stream)
        elif line.startswith(b"JOIN ") and len(players) < 2:
            names.append(os.fsdecode(line[5:]))
            stream.send(b"WELCOME " + line[5:])
            players.append(stream)
        else:
            print(f"ur_lobby_referee: nobody says {line!r}", file=sys.stderr)
            return 1
    milliseconds = lambda name: int(os.environ[name]) / 1000
    options = argparse.Namespace(
        names=names,
        timeout=milliseconds("TIMEOUT_MS"),
        pace=milliseconds("PACE_MS"),
        rolls=rolls_file(os.environ["ROLLS_FILE"]),
        seed=None,
    )
    conduct(players, spectators, options)
    for connection in connections:
        connection.shutdown(socket.SHUT_WR)
    for connection in connections:
        connection.recv(4096)
        connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
