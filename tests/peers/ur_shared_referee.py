"""A referee for one game of the Royal Game of Ur, all of whose participants share its standard input and output.

Each line is a record: `first< TEXT` is what the first player receives, `first> TEXT` what it sends; `first>open` says that it is
there, `first>part TEXT` that a line begins, `first>end` that it sends nothing more; `first<end` ends what it receives. The others are
called `second`, `spectator1`, `spectator2`, … Other lines on standard output belong to nobody.
Exit status: 0 after a game, 2 for a faulty command line.
"""

import os
import select
import sys
import time

from ur_streams import conduct, parser, with_rolls


class Harness:
    """Standard input and output, divided among participants by name."""

    def __init__(self, names):
        self.participants = {name: Participant(self, name) for name in names}
        self.received = b""

    def read(self, seconds):
        """Reads what there is, waiting so long for it; whether anything came."""
        if not select.select([0], [], [], max(seconds, 0))[0]:
            return False
        chunk = os.read(0, 4096)
        if not chunk:
            for participant in self.participants.values():
                participant.has_ended = True
            return True
        *records, self.received = (self.received + chunk).split(b"\n")
        for record in records:
            name, _, rest = record.partition(b">")
            kind, _, text = rest.partition(b" ")
            self.participants[name.decode()].take(kind, text)
        return True

    def wait_for_all(self):
        """Waits until everybody is there."""
        while not all(participant.is_open for participant in self.participants.values()):
            self.read(3600)

    @staticmethod
    def write(record):
        os.write(1, record + b"\n")


class Participant:
    """One of those who share the streams."""

    def __init__(self, harness, name):
        self.harness = harness
        self.name = name.encode()
        self.received = b""
        self.is_open = False
        self.has_ended = False

    def take(self, kind, text):
        if kind == b"open":
            self.is_open = True
        elif kind == b"end":
            self.has_ended = True
        elif kind == b"part":
            self.received += text
        else:
            self.received += text + b"\n"

    def next_line(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\n" not in self.received:
            if self.has_ended or not self.harness.read(deadline - time.monotonic()):
                return None
        line, newline, self.received = self.received.partition(b"\n")
        return line + newline

    def send(self, line):
        self.harness.write(self.name + b"< " + line)

    def close(self):
        self.harness.write(self.name + b"<end")


def main():
    arguments = parser(__doc__.splitlines()[0])
    arguments.add_argument("--spectators", type=int, default=0, metavar="N", help="spectators to wait for; default 0")
    options = with_rolls(arguments.parse_args())
    watching = [f"spectator{number + 1}" for number in range(options.spectators)]
    harness = Harness(["first", "second"] + watching)
    print("the harness is running", flush=True)
    harness.wait_for_all()
    everybody = list(harness.participants.values())
    conduct(everybody[:2], everybody[2:], options)
    for participant in everybody:
        participant.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
