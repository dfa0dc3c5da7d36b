"""Checks finished games of the Royal Game of Ur, given as the streams that spectators received.

A file holds one game or several, separated by one empty line. Each game is checked up to its first wrong line, which is
reported on standard error as `FILE:LINE: what is wrong`. The last line on standard output is `GAMES games, N faults`.
Exit status: 0 without faults, 1 with faults, 2 if a file cannot be read.
"""

import argparse
import sys

from ur_rules import Game, parse_move, parse_roll


class Fault(Exception):
    """The first wrong line of a game: its index within the game, and what is wrong with it."""

    def __init__(self, index, message):
        super().__init__(message)
        self.index = index


def split_games(lines):
    """Yields (number of the first line, lines) for each game in an iterable of lines of bytes.

    An empty line at the very end of a file is not taken for an empty game.
    """
    game = []
    number = first = 1
    for number, line in enumerate(lines, start=1):
        if line == b"\n":
            yield first, game
            game = []
            first = number + 1
        else:
            game.append(line)
    if game:
        yield first, game


def check_game(lines):
    """Raises Fault at the first line of a spectator's stream that the protocol does not allow."""
    if lines and not lines[-1].endswith(b"\n"):
        complete = len(lines) - 1
    else:
        complete = len(lines)
    # "Spectators will only receive the first two lines."
    if complete < 2:
        raise Fault(complete, "a game begins with the names of its two players")
    game = Game()
    heads = None
    for index in range(2, complete):
        line = lines[index]
        if game.winner() is not None:
            raise Fault(index, "the game is already won")
        roll = parse_roll(line)
        if roll is not None:
            # "If the player has no valid moves […], the `move` sub-turn is skipped and the `roll` sub-turn
            # immediately starts for the other player."
            if heads is not None:
                if game.legal_moves(heads):
                    raise Fault(index, "the turn is skipped although a move is possible")
                game.skip()
            heads = roll
        elif line == b"RETIRE\n":
            # "otherwise they will receive `RETIRE`": only where a move was due.
            if heads is None or not game.legal_moves(heads):
                raise Fault(index, "RETIRE where no move was due")
            if index + 1 < len(lines):
                raise Fault(index + 1, "the game has ended with RETIRE")
            return
        else:
            token = parse_move(line)
            if token is None:
                raise Fault(index, f"neither a roll nor a move: {line[:40]!r}")
            if heads is None:
                raise Fault(index, "a move without a roll")
            if not game.is_legal(token, heads):
                raise Fault(index, f"token {token} cannot move by {heads}")
            game.play(token, heads)
            heads = None
    if complete < len(lines):
        raise Fault(complete, "the last line has no newline")
    if game.winner() is None:
        raise Fault(complete, "the game ends before it is won")


def main():
    parser = argparse.ArgumentParser(description="Checks spectator streams of the Royal Game of Ur.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    games = faults = 0
    for name in options.files:
        try:
            with open(name, "rb") as file:
                for first, lines in split_games(file):
                    games += 1
                    try:
                        check_game(lines)
                    except Fault as fault:
                        faults += 1
                        print(f"{name}:{first + fault.index}: {fault}", file=sys.stderr)
        except OSError as error:
            print(f"ur_checker: {name}: {error.strerror}", file=sys.stderr)
            return 2
    print(f"{games} games, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
