"""A bot for the Royal Game of Ur over TCP: it connects to a referee, or waits for one.

`--connect HOST PORT` connects; `--listen PORT` listens, 0 for any free port, and prints `listening on HOST:PORT`.
Exit status: 0 after RETIRE, a won game or the end of the stream; 1 if a line came that the protocol has no place for.
"""

import argparse
import socket
import sys

from ur_bot import Bot, GameOver, ProtocolFault, chooser


def meet(options):
    """The connection to the referee."""
    if options.connect:
        host, port = options.connect
        return socket.create_connection((host, int(port)))
    listener = socket.create_server(("127.0.0.1", options.listen))
    host, port = listener.getsockname()
    print(f"listening on {host}:{port}", flush=True)
    connection, _ = listener.accept()
    listener.close()
    return connection


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--connect", nargs=2, metavar=("HOST", "PORT"), help="where the referee waits")
    where.add_argument("--listen", type=int, metavar="PORT", help="where to wait for the referee")
    policies = ["first", "last", "random"]
    parser.add_argument("--policy", choices=policies, default="first", help="which legal token to move; default first")
    parser.add_argument("--seed", type=int, help="seed of the policy `random`")
    options = parser.parse_args()
    connection = meet(options)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream = connection.makefile("rwb", buffering=0)
    reader = connection.makefile("rb")
    try:
        Bot(reader, stream, chooser(options.policy, options.seed)).play()
    except (GameOver, ConnectionError):
        pass
    except ProtocolFault as fault:
        print(f"ur_tcp_bot: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
