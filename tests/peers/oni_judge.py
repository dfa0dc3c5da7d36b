"""A TCP judge for games of Onitama, on the loopback interface.

Prints `listening players=127.0.0.1:PORT` when it can be connected to, and after each game `ended winner=SIDE reason=REASON
moves=N`: the players are told nothing of the kind. Where the specification (seed 004) is silent, README.md beside this
file says what this judge does.

Exit status: 0 after the last game, 1 if the port is taken or a player does not arrive in time, 2 for a faulty command line.
"""

import argparse
import contextlib
import math
import os
import random
import socket
import sys
import time

from oni_lanes import STALL_SECONDS, FixedOrderPoll, Lane, Prompt, drop, readable_among
from oni_rules import BOTTOM, CARDS, SIDES, TOP, Game, format_move, looks_like_move, parse_deal, parse_move

HOST = "127.0.0.1"

STYLES = {
    "prompt": "reads whatever comes as soon as it comes",
    "fixed-order-poll": "asks Top and Bottom in turns and waits 0.1 s for each",
    "one-second-clock": "measures the timeout in whole seconds of its clock, so that up to one second more passes",
    "slow-accept": "greets the first player at once and accepts the second late",
}

VARIANTS = {
    "no-broadcast-to-mover": "a valid move is sent to the other player only",
    "out-of-turn-plays": "lines sent out of turn are kept and read when the sender's turn comes",
    "keeps-card": "the used card stays in the mover's hand",
    "no-temple-win": "the game goes on when a Master reaches the other's temple",
    "ignores-invalid": "an invalid move is ignored like a line that is no move",
}


def deadline_after(now, timeout, style):
    """When a turn that begins now has lasted too long: "On their turn, players have a fixed amount of time"."""
    if style == "one-second-clock":
        # Over when the clock, which shows whole seconds, shows more than the timeout gone by.
        return math.floor(now) + math.floor(timeout) + 1
    return now + timeout


class Judge:
    """One game between two lanes, Top's and Bottom's."""

    def __init__(self, lanes, reader, options, deal, starter):
        self.lanes = lanes
        self.reader = reader
        self.options = options
        self.variant = options.variant
        self.deal = deal
        rules = {"rotates": self.variant != "keeps-card", "temple_wins": self.variant != "no-temple-win"}
        self.game = Game(deal, starter, **rules)
        self.moves = 0

    def play(self):
        """Plays from the cards to the end; returns (the winning side or None, the reason)."""
        # "draws five cards and informs both players as follows"; "informs both players using one of the following strings"
        self.broadcast(f"Cards: {','.join(self.deal)}")
        self.broadcast(f"{SIDES[self.game.turn]} starts")
        while self.moves < self.options.move_limit:
            loser, reason = self.play_turn()
            if reason is not None:
                return 1 - loser, reason
            winner = self.game.winner()
            if winner is not None:
                # A Master that is taken on its own temple loses in both ways at once.
                return winner, "temple" if self.game.has_both_masters() else "master-captured"
        return None, "move-limit"

    def play_turn(self):
        """Reads until a valid move has been played; returns (side, None), or (the losing side, the reason)."""
        mover = self.game.turn
        sides = [mover] if self.variant == "out-of-turn-plays" else [1 - mover, mover]
        deadline = deadline_after(time.monotonic(), self.options.timeout, self.options.style)
        while True:
            event = self.reader.next_line(sides, deadline)
            # "After that time has elapsed, the player is forfeit and loses the game."
            if event is None:
                return mover, "timeout"
            side, line = event
            if line is None:
                return side, "hang-up"
            # "Any string sent by a player *out of turn* is ignored."
            if side != mover:
                continue
            if self.options.syntax == "loose":
                line = line.replace(b"\r\n", b"\n")
            move = parse_move(line)
            # "If it does not match the move syntax (see below), it is ignored."
            if move is None and not (self.options.syntax == "loose" and looks_like_move(line)):
                continue
            if move in self.game.legal_moves():
                self.apply(move)
                return mover, None
            # "If it is invalid, the player is eliminated and the other one wins by default."
            if self.variant != "ignores-invalid":
                return mover, "invalid-move"

    def apply(self, move):
        """Plays a valid move: "it is applied, and broadcast back to **both** players"."""
        mover = self.game.turn
        self.game.play(move)
        self.moves += 1
        self.broadcast(format_move(move), [1 - mover] if self.variant == "no-broadcast-to-mover" else (TOP, BOTTOM))

    def broadcast(self, text, sides=(TOP, BOTTOM)):
        for side in sides:
            self.lanes[side].send(text)


class Table:
    """Where players arrive, and where the cards and the starting side are drawn for each game."""

    def __init__(self, listener, options):
        self.listener = listener
        self.options = options
        self.chance = random.Random(options.seed)

    def play(self):
        """Waits for two players and lets them play one game; returns a line on its end, or None if a player is missing."""
        # All is drawn, also what is forced, so that one forced thing does not change the others.
        deal = tuple(self.chance.sample(sorted(CARDS), 5))
        starter, first = self.chance.choice((TOP, BOTTOM)), self.chance.choice((TOP, BOTTOM))
        deal = self.options.deal or deal
        starter = starter if self.options.starter is None else SIDES.index(self.options.starter)
        first = first if self.options.first == "random" else SIDES.index(self.options.first)

        lanes = self.receive(first)
        if len(lanes) < 2:
            drop(lanes.values())
            return None
        poll = self.options.style == "fixed-order-poll"
        judge = Judge(lanes, FixedOrderPoll(lanes) if poll else Prompt(self.listener, lanes), self.options, deal, starter)
        winner, reason = judge.play()
        # "When the game reaches an end state (one player won), the server drops both connections."
        drop(lanes.values())
        name = "none" if winner is None else SIDES[winner]
        return f"ended winner={name} reason={reason} moves={judge.moves}"

    def receive(self, first):
        """The lanes of those who arrive in time, by side: "accepts two TCP connections, and assigns positions and names"."""
        deadline = time.monotonic() + self.options.arrival_timeout
        slow = self.options.style == "slow-accept"
        lanes = {}
        for side in (first, 1 - first):
            if lanes and slow:
                time.sleep(self.options.accept_delay)
            connection = self.accept(deadline)
            if connection is None:
                break
            lanes[side] = Lane(connection)
            if slow:
                self.greet(lanes, side)
        if len(lanes) == 2 and not slow:
            self.greet(lanes, TOP)
            self.greet(lanes, BOTTOM)
        return lanes

    def accept(self, deadline):
        """The next connection; None if there is none at the deadline."""
        while readable_among([self.listener], deadline - time.monotonic()):
            try:
                return self.listener.accept()[0]
            except OSError:
                # It was there and has gone again.
                continue
        return None

    @staticmethod
    def greet(lanes, side):
        # "`You are Top` or `You are Bottom`"
        lanes[side].send(f"You are {SIDES[side]}")


def say(text):
    """Prints a line, if there still is somebody to read it."""
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), text.encode("ascii") + b"\n")


def serve(options):
    """Listens, plays the games as the options say, and returns the exit status."""
    try:
        listener = socket.create_server((HOST, options.port))
    except OSError as error:
        print(f"oni_judge: {error.strerror}", file=sys.stderr)
        return 1
    with listener:
        # A connection that goes between its arrival and its acceptance must not keep the judge.
        listener.settimeout(STALL_SECONDS)
        say("listening players={}:{}".format(*listener.getsockname()))
        table = Table(listener, options)
        for _ in range(options.games):
            end = table.play()
            if end is None:
                print(f"oni_judge: two players did not arrive within {options.arrival_timeout:g} s", file=sys.stderr)
                return 1
            say(end)
    return 0


# What the options accept. argparse shows the texts of the errors.


def deal_option(text):
    """Five different cards, separated by commas."""
    deal = parse_deal(text)
    if deal is None:
        example = "Cobra,Eel,Crab,Rabbit,Tiger"
        raise argparse.ArgumentTypeError(f"expected five different cards such as {example}, found {text!r}")
    return deal


def bounded(parse, low, high, *, above_low=False):
    """A function that reads a number from `low` to `high`; strictly above `low` if `above_low`."""

    def number(text):
        value = parse(text)
        if not low <= value <= high or (above_low and value == low):
            left = "more than" if above_low else "at least"
            raise argparse.ArgumentTypeError(f"expected {left} {low} and at most {high}, found {text}")
        return value

    return number


def listed(table):
    """A help text for a table of names and what they mean."""
    return "; ".join(f"{name}: {text}" for name, text in table.items())


def parse_arguments():
    parser = argparse.ArgumentParser(description="A TCP judge for games of Onitama.")
    seconds = bounded(float, 0, 1e6, above_low=True)
    add = parser.add_argument
    add("--port", type=bounded(int, 0, 65535), default=0, help="0, the default, takes a free one")
    # "Timeouts could be for instance 20 seconds in most games"
    add("--timeout", type=seconds, default=20.0, metavar="SECONDS", help="for one move; default 20")
    add("--deal", type=deal_option, metavar="CARDS", help="forced cards: Top's two, Bottom's two, the middle; or ONI_DEAL")
    add("--starter", choices=SIDES, help="forced starting side; or ONI_STARTER")
    add("--seed", type=int, metavar="N", help="seed of all that is drawn")
    add("--first", choices=[*SIDES, "random"], default="Top", help="what the first connection becomes; default Top")
    add("--style", choices=STYLES, default="prompt", metavar="NAME", help=f"default prompt. {listed(STYLES)}")
    add("--accept-delay", type=bounded(float, 0, 10), default=0.5, metavar="SECONDS", help="of slow-accept; default 0.5")
    syntax = "what an unknown card or cell makes of a line: no move (strict, the default) or an invalid one (loose)"
    add("--syntax", choices=["strict", "loose"], default="strict", help=syntax)
    add("--variant", choices=VARIANTS, metavar="NAME", help=f"deviate from the protocol. {listed(VARIANTS)}")
    add("--games", type=bounded(int, 1, 1000), default=1, metavar="N", help="games in a row; default 1")
    add("--move-limit", type=bounded(int, 1, 10**6), default=10_000, metavar="N", help="of one game; default 10000")
    add("--arrival-timeout", type=seconds, default=300.0, metavar="SECONDS", help="for both to connect; default 300")
    options = parser.parse_args()
    try:
        if options.deal is None and os.environ.get("ONI_DEAL"):
            options.deal = deal_option(os.environ["ONI_DEAL"])
    except argparse.ArgumentTypeError as error:
        parser.error(f"environment variable ONI_DEAL: {error}")
    options.starter = options.starter or os.environ.get("ONI_STARTER") or None
    if options.starter not in (None, *SIDES):
        parser.error(f"environment variable ONI_STARTER: expected Top or Bottom, found {options.starter!r}")
    return options


def main():
    try:
        return serve(parse_arguments())
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
