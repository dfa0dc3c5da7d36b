"""A referee of the Royal Game of Ur over streams that somebody else has opened: pipes of processes, named pipes, or anything with lines.

The game is conducted in one thread. A participant is anything with the methods of `Stream`.
"""

import argparse
import contextlib
import os
import random
import re
import select
import time

from ur_rules import Game, parse_move

LONGEST_LINE = 64 * 1024


class Stream:
    """A participant at the other end of two file descriptors; a spectator has none to read from."""

    def __init__(self, source, target):
        self.source = source
        self.target = target
        self.received = b""
        self.has_ended = source is None

    def next_line(self, seconds):
        """The next line, newline included; None where there is none in time, or it is too long."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.received:
            left = deadline - time.monotonic()
            if self.has_ended or left <= 0 or len(self.received) > LONGEST_LINE:
                return None
            if select.select([self.source], [], [], left)[0]:
                chunk = os.read(self.source, 4096)
                self.has_ended = not chunk
                self.received += chunk
        line, newline, self.received = self.received.partition(b"\n")
        return line + newline

    def send(self, line):
        """Sends a line; who has gone receives nothing."""
        with contextlib.suppress(OSError):
            os.write(self.target, line + b"\n")

    def close(self):
        """Ends both directions."""
        for descriptor in (self.target, self.source):
            if descriptor is not None:
                with contextlib.suppress(OSError):
                    os.close(descriptor)


def conduct(players, spectators, options):
    """Greets everybody and plays one game, from the first turn to a won game or to RETIRE."""
    everybody = players + spectators
    # "At the beginning of the game both players will receive 3 lines"; "Spectators will only receive the first two"
    for name in options.names:
        for participant in everybody:
            participant.send(os.fsencode(name))
    # "the third line contains `0` if the receiver is the first player, `1` otherwise"
    for seat, player in enumerate(players):
        player.send(b"%d" % seat)
    forced = iter(options.rolls)
    coins = random.Random(options.seed)
    game = Game()
    while game.winner() is None:
        roll = next(forced, None) or "".join(coins.choice("01") for _ in range(4))
        # "both players and spectators will receive a single line containing 4 space-separated binary digits"
        for participant in everybody:
            participant.send(" ".join(roll).encode())
        heads = roll.count("1")
        legal = game.legal_moves(heads)
        if legal:
            line = players[game.turn].next_line(options.timeout)
            token = None if line is None else parse_move(line)
            # "If the move is valid, the other player and the spectators will receive the sent number,
            # otherwise they will receive `RETIRE`"
            told = b"RETIRE" if token not in legal else b"%d" % token
            for participant in [players[1 - game.turn]] + spectators:
                participant.send(told)
            if token not in legal:
                return
            game.play(token, heads)
        else:
            # "the `move` sub-turn is skipped and the `roll` sub-turn immediately starts for the other player"
            game.skip()
        # "`pace`: the minimum number of seconds between turns"
        if game.winner() is None:
            time.sleep(options.pace)


def names(text):
    """Two names, separated by a comma."""
    both = text.split(",")
    if len(both) != 2:
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
    with open(path, encoding="ascii") as file:
        return rolls(file.read())


def parser(description):
    """A parser of the options that every referee here has."""
    parser = argparse.ArgumentParser(description=description)
    add = parser.add_argument
    add("--names", type=names, default=["PlayerA", "PlayerB"], metavar="A,B", help="default PlayerA,PlayerB")
    # "the default timeout is `90` seconds"
    add("--timeout", type=float, default=90.0, metavar="SECONDS", help="for one move; default 90")
    # "`pace`: the minimum number of seconds between turns (default: `1.5`, min: `0`, max: `30`)"
    add("--pace", type=float, default=1.5, metavar="SECONDS", help="between turns; default 1.5")
    add("--seed", type=int, metavar="N", help="seed of the free coins")
    forced = parser.add_mutually_exclusive_group()
    forced.add_argument("--rolls", type=rolls, default=None, metavar="ROLLS", help='forced rolls, such as "0011 1111"')
    forced.add_argument("--rolls-file", type=rolls_file, dest="rolls", metavar="FILE", help="forced rolls from a file")
    return parser


def with_rolls(options):
    """The options, with the rolls of the environment variable UR_ROLLS where no option gives any."""
    if options.rolls is None:
        options.rolls = rolls(os.environ.get("UR_ROLLS", ""))
    return options
