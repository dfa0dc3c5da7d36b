"""A referee for one game of the Royal Game of Ur with a gallery: spectators may come at any time.

`--late` says what somebody is shown who comes after the beginning: `whole`, everything from the first line; `names`, the two names and then
what happens; `from-now`, what happens; `nothing`; `refused`: nobody is let in any more. Players and spectators have ports of their
own. Exit status: 0 after a game, 2 for a faulty command line.
"""

import socket
import sys
import threading

from ur_streams import Stream, conduct, parser, with_rolls


class Gallery:
    """All spectators together, as one participant."""

    def __init__(self, late):
        self.late = late
        self.story = []
        self.present = []
        self.connections = []
        self.lock = threading.Lock()

    def enter(self, connection):
        """Lets somebody in, and shows what is due to who comes late."""
        stream = Stream(None, connection.fileno())
        with self.lock:
            self.connections.append(connection)
            shown = {"whole": self.story, "names": self.story[:2]}.get(self.late, [])
            for line in shown:
                stream.send(line)
            if not self.story or self.late != "nothing":
                self.present.append(stream)

    def send(self, line):
        with self.lock:
            self.story.append(line)
            for stream in self.present:
                stream.send(line)

    def everybody(self):
        """Everybody who has come."""
        with self.lock:
            return self.connections


def keep_open(listener, gallery):
    """Lets in whoever comes, until the listener is closed."""
    while True:
        try:
            gallery.enter(listener.accept()[0])
        except OSError:
            return


def main():
    arguments = parser(__doc__.splitlines()[0])
    arguments.add_argument("--port", type=int, required=True)
    arguments.add_argument("--spectator-port", type=int, required=True)
    arguments.add_argument("--spectators", type=int, default=0, metavar="N", help="spectators to wait for; default 0")
    arguments.add_argument("--late", choices=["whole", "names", "from-now", "nothing", "refused"], default="nothing")
    options = with_rolls(arguments.parse_args())
    watching = socket.create_server(("127.0.0.1", options.spectator_port))
    playing = socket.create_server(("127.0.0.1", options.port))
    connections = [playing.accept()[0] for _ in range(2)]
    gallery = Gallery(options.late)
    for _ in range(options.spectators):
        gallery.enter(watching.accept()[0])
    if options.late == "refused":
        watching.close()
    else:
        threading.Thread(target=keep_open, args=(watching, gallery), daemon=True).start()
    players = []
    for connection in connections:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        players.append(Stream(connection.fileno(), connection.fileno()))
    conduct(players, [gallery], options)
    everybody = connections + gallery.everybody()
    for connection in everybody:
        connection.shutdown(socket.SHUT_WR)
    for connection in everybody:
        connection.recv(4096)
        connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
