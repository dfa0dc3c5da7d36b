"""A TCP referee for one game of the Royal Game of Ur, on the loopback interface.

Prints one line when it listens, `listening players=127.0.0.1:PORT spectators=127.0.0.1:PORT`, starts the game when both
players and all spectators are there, and ends when the game has ended and its connections are closed. Where the
specification is silent, README.md beside this file says what this referee does.

Exit status: 0 after a game, 1 if a port is taken or somebody does not arrive in time, 2 for a faulty command line.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import sys

from ur_rules import EXTRA_TURN_CELLS, SAFE_CELLS, Game, parse_move

HOST = "127.0.0.1"
LONGEST_LINE = 64 * 1024

# How long a connection may refuse to take our lines before it is dropped, and how long one is waited for at the end.
STALL_SECONDS = 5.0
LINGER_SECONDS = 1.0

VARIANTS = {
    "cell-8-capturable": "a token on the eighth cell can be captured",
    "no-extra-turn-8": "a token that lands on the eighth cell gives no extra turn",
    "no-retire-to-spectators": "spectators do not receive RETIRE",
    "echoes-moves": "the player on turn receives its own move as well",
}


async def within(seconds, event):
    """Waits for an event; whether it came in time."""
    if event.is_set():
        return True
    try:
        await asyncio.wait_for(event.wait(), seconds)
        return True
    except asyncio.TimeoutError:
        return False


class Lane(asyncio.Protocol):
    """One connection. What comes is kept until it is asked for, up to the length of the longest line."""

    def __init__(self, arrive):
        self.arrive = arrive
        self.listening = True
        self.received = bytearray()
        self.news = asyncio.Event()
        self.writable = asyncio.Event()
        self.writable.set()
        self.ended = asyncio.Event()
        self.closed = asyncio.Event()
        self.transport = None

    # What asyncio reports.

    def connection_made(self, transport):
        self.transport = transport
        self.arrive(self)

    def data_received(self, data):
        if not self.listening:
            return
        self.received += data
        if len(self.received) > LONGEST_LINE:
            self.transport.pause_reading()
        self.news.set()

    def eof_received(self):
        self.ended.set()
        self.news.set()
        # A player that has ended its own side still receives ours.
        return True

    def connection_lost(self, error):
        self.closed.set()
        self.ended.set()
        self.news.set()
        self.writable.set()

    def pause_writing(self):
        self.writable.clear()

    def resume_writing(self):
        self.writable.set()

    # What the game asks for.

    def discard_input(self):
        """Drops what came and what will come: for a spectator, and for everybody once the game has ended."""
        self.listening = False
        self.received.clear()
        self.transport.resume_reading()

    async def next_line(self):
        """The next line, newline included; None if there will be none, or if it is longer than the longest line."""
        while True:
            newline = self.received.find(b"\n", 0, LONGEST_LINE)
            if newline >= 0:
                line = bytes(self.received[: newline + 1])
                del self.received[: newline + 1]
                if len(self.received) <= LONGEST_LINE:
                    self.transport.resume_reading()
                return line
            if self.ended.is_set() or len(self.received) >= LONGEST_LINE:
                return None
            self.news.clear()
            await self.news.wait()

    async def send(self, line):
        """Sends a line, and waits a bounded time while the other side takes nothing."""
        if self.transport.is_closing():
            return
        self.transport.write(line + b"\n")
        if not await within(STALL_SECONDS, self.writable):
            self.transport.abort()

    async def close(self):
        """Ends our side, and closes when the other side has ended too or has had time to.

        Closing while bytes lie unread would reset the connection, and the other side could lose our last lines.
        """
        self.discard_input()
        # The other side may have reset the connection while nobody was reading.
        with contextlib.suppress(OSError):
            if not self.transport.is_closing():
                self.transport.write_eof()
        await within(LINGER_SECONDS, self.ended)
        self.transport.close()
        await within(LINGER_SECONDS, self.closed)
        self.transport.abort()


class Door:
    """A listening port that lets in as many connections as there are places; the others are closed at once."""

    def __init__(self, places):
        self.places = places
        self.lanes = []
        self.full = asyncio.Event()
        if places == 0:
            self.full.set()
        self.server = None

    async def open(self, port):
        self.server = await asyncio.get_running_loop().create_server(lambda: Lane(self.arrive), HOST, port)

    def address(self):
        host, port = self.server.sockets[0].getsockname()
        return f"{host}:{port}"

    def arrive(self, lane):
        if len(self.lanes) == self.places:
            lane.transport.close()
            return
        self.lanes.append(lane)
        if len(self.lanes) == self.places:
            self.full.set()


class Referee:
    """One game among two players, in their order, and any number of spectators."""

    def __init__(self, players, spectators, options):
        self.players = players
        self.spectators = spectators
        self.timeout = options.timeout
        self.pace = options.pace
        self.variant = options.variant
        self.forced_rolls = iter(options.rolls)
        self.coins = random.Random(options.seed)

    async def play(self):
        """Plays from the first turn to a won game or to RETIRE."""
        game = self.new_game()
        while True:
            roll = self.roll()
            heads = roll.count("1")
            # "both players and spectators will receive a single line containing 4 space-separated binary digits"
            await self.broadcast(" ".join(roll), self.players + self.spectators)
            legal = game.legal_moves(heads)
            if legal:
                mover = self.players[game.turn]
                token = await self.read_move(mover)
                others = [self.players[1 - game.turn]] + self.spectators
                # "If the move is valid, the other player and the spectators will receive the sent number,
                # otherwise they will receive `RETIRE`"
                if token not in legal:
                    if self.variant == "no-retire-to-spectators":
                        others = others[:1]
                    await self.broadcast("RETIRE", others)
                    return
                if self.variant == "echoes-moves":
                    others.append(mover)
                await self.broadcast(str(token), others)
                game.play(token, heads)
                if game.winner() is not None:
                    return
            else:
                # "the `move` sub-turn is skipped and the `roll` sub-turn immediately starts for the other player"
                game.skip()
            # "`pace`: the minimum number of seconds between turns"
            await asyncio.sleep(self.pace)

    def new_game(self):
        if self.variant == "cell-8-capturable":
            return Game(safe_cells=SAFE_CELLS - {8})
        if self.variant == "no-extra-turn-8":
            return Game(extra_turn_cells=EXTRA_TURN_CELLS - {8})
        return Game()

    def roll(self):
        """Four coins as a text such as `0011`: the next forced roll, or four free ones when there is none."""
        forced = next(self.forced_rolls, None)
        return forced or "".join(self.coins.choice("01") for _ in range(4))

    async def read_move(self, mover):
        """The token that the mover names; None if it names none in time."""
        try:
            line = await asyncio.wait_for(mover.next_line(), self.timeout)
        except asyncio.TimeoutError:
            return None
        return None if line is None else parse_move(line)

    @staticmethod
    async def broadcast(text, lanes):
        """Sends a line to several lanes at once, so that one that stalls does not keep it from the others."""
        line = os.fsencode(text)
        await asyncio.gather(*(lane.send(line) for lane in lanes))

    async def greet(self, names):
        """Sends the handshake."""
        # "At the beginning of the game both players will receive 3 lines"; "Spectators will only receive the first two"
        for name in names:
            await self.broadcast(name, self.players + self.spectators)
        # "the third line contains `0` if the receiver is the first player, `1` otherwise"
        for seat, player in enumerate(self.players):
            await player.send(b"%d" % seat)


async def serve(options):
    """Listens, plays one game as the options say, and returns the exit status."""
    players = Door(2)
    spectators = Door(options.spectators)
    try:
        await players.open(options.port)
        await spectators.open(options.spectator_port)
    except OSError as error:
        print(f"ur_referee: {error.strerror}", file=sys.stderr)
        return 1
    print(f"listening players={players.address()} spectators={spectators.address()}", flush=True)
    try:
        await asyncio.wait_for(asyncio.gather(players.full.wait(), spectators.full.wait()), options.arrival_timeout)
    except asyncio.TimeoutError:
        missing = f"{2 - len(players.lanes)} players and {options.spectators - len(spectators.lanes)} spectators"
        print(f"ur_referee: {missing} did not arrive within {options.arrival_timeout:g} s", file=sys.stderr)
        return 1
    # "Spectators" receive; what one of them sends belongs to nothing.
    for spectator in spectators.lanes:
        spectator.discard_input()
    referee = Referee(players.lanes, spectators.lanes, options)
    await referee.greet(options.names)
    await referee.play()
    await asyncio.gather(*(lane.close() for lane in players.lanes + spectators.lanes))
    return 0


# What the options accept. argparse shows the texts of the errors.


def names(text):
    """Two names without newlines, separated by a comma."""
    both = text.split(",")
    if len(both) != 2 or "\n" in text:
        raise argparse.ArgumentTypeError("expected two names separated by one comma, such as Ann,Bob")
    return both


def rolls(text):
    """Rolls of four binary digits, separated by white space or commas."""
    forced = [word for word in re.split(r"[\s,]+", text) if word]
    for word in forced:
        if not re.fullmatch(r"[01]{4}", word):
            raise argparse.ArgumentTypeError(f"expected rolls of four binary digits such as 0011, found {word!r}")
    return forced


def rolls_file(path):
    """The rolls in a file."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return rolls(file.read())
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path}: {error.strerror}") from error


def bounded(parse, low, high, *, above_low=False):
    """A function that reads a number from `low` to `high`; strictly above `low` if `above_low`."""

    def number(text):
        value = parse(text)
        if not low <= value <= high or (above_low and value == low):
            left = "more than" if above_low else "at least"
            raise argparse.ArgumentTypeError(f"expected {left} {low} and at most {high}, found {text}")
        return value

    return number


def parse_arguments():
    parser = argparse.ArgumentParser(description="A TCP referee for one game of the Royal Game of Ur.")
    port = bounded(int, 0, 65535)
    seconds = bounded(float, 0, 1e6, above_low=True)
    add = parser.add_argument
    add("--port", type=port, default=0, help="port for the players; 0, the default, takes a free one")
    add("--spectator-port", type=port, default=0, help="port for the spectators; 0, the default, takes a free one")
    add("--spectators", type=bounded(int, 0, 1000), default=0, metavar="N", help="spectators to wait for; default 0")
    add("--names", type=names, default="PlayerA,PlayerB", metavar="A,B", help="default PlayerA,PlayerB")
    # "the default timeout is `90` seconds"
    add("--timeout", type=seconds, default=90.0, metavar="SECONDS", help="for one move; default 90")
    # "`pace`: the minimum number of seconds between turns (default: `1.5`, min: `0`, max: `30`)"
    add("--pace", type=bounded(float, 0, 30), default=1.5, metavar="SECONDS", help="between turns; default 1.5")
    add("--arrival-timeout", type=seconds, default=300.0, metavar="SECONDS", help="for all to connect; default 300")
    add("--seed", type=int, metavar="N", help="seed of the free coins")
    forced = parser.add_mutually_exclusive_group()
    add = forced.add_argument
    add("--rolls", type=rolls, metavar="ROLLS", help='forced rolls, such as "0011 1111"; then the coins are free')
    add("--rolls-file", type=rolls_file, metavar="FILE", dest="rolls", help="forced rolls from a file")
    add("--rolls-env", default="UR_ROLLS", metavar="NAME", help="variable with forced rolls; default UR_ROLLS")
    variants = "; ".join(f"{name}: {text}" for name, text in VARIANTS.items())
    parser.add_argument("--variant", choices=VARIANTS, metavar="NAME", help=f"deviate from the protocol: {variants}")
    options = parser.parse_args()
    if options.rolls is None:
        try:
            options.rolls = rolls(os.environ.get(options.rolls_env, ""))
        except argparse.ArgumentTypeError as error:
            parser.error(f"environment variable {options.rolls_env}: {error}")
    return options


def main():
    try:
        return asyncio.run(serve(parse_arguments()))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
