"""Counts the positions of the Royal Game of Ur by depth, from the start position.

Prints one line per depth, `depth paths positions`:

paths       sequences of (sum of heads 0 to 4, move or skip) of this length. Each of the five sums counts once.
            A sum that leaves no legal move is one branch, the skip. A won position has no continuation.
positions   distinct positions reached at exactly this depth. A position is the cell of each of the 7 numbered
            tokens of both players and whose turn it is: two tokens are not interchangeable.

In the start position all tokens of a player stand together, so whatever can be reached can also be reached with
that player's tokens numbered otherwise. It is therefore enough to keep one position for all numberings of it (the one
with the cells in rising order), and to count as many positions as it has numberings. `--plain` keeps every numbered
position instead; the results are the same and it takes far more time and memory.
"""

import argparse
from collections import Counter
from math import factorial

from ur_rules import Game

SUMS = range(5)


def numbered(game):
    """The position as a key: two tuples of cells and the turn."""
    return tuple(game.cells[0]), tuple(game.cells[1]), game.turn


def unnumbered(game):
    """The position as a key that is the same for all numberings of its tokens."""
    return tuple(sorted(game.cells[0])), tuple(sorted(game.cells[1])), game.turn


def numberings(key):
    """How many numbered positions an unnumbered one stands for."""
    total = 1
    for cells in key[:2]:
        total *= factorial(len(cells))
        for together in Counter(cells).values():
            total //= factorial(together)
    return total


def load(key):
    """The game that a key stands for."""
    game = Game()
    game.cells = [list(key[0]), list(key[1])]
    game.turn = key[2]
    return game


def successors(key, to_key):
    """Yields the key after each sum and each legal move, or the skip; none if the game is won."""
    if load(key).winner() is not None:
        return
    for heads in SUMS:
        legal = load(key).legal_moves(heads)
        if not legal:
            game = load(key)
            game.skip()
            yield to_key(game)
        for token in legal:
            game = load(key)
            game.play(token, heads)
            yield to_key(game)


def count(depth, plain=False):
    """Yields (depth, paths, positions) for each depth from 0 to `depth`."""
    to_key = numbered if plain else unnumbered
    paths_to = {to_key(Game()): 1}
    for level in range(depth + 1):
        positions = len(paths_to) if plain else sum(map(numberings, paths_to))
        yield level, sum(paths_to.values()), positions
        if level < depth:
            reached = Counter()
            for key, paths in paths_to.items():
                for successor in successors(key, to_key):
                    reached[successor] += paths
            paths_to = reached


def main():
    parser = argparse.ArgumentParser(description="Counts paths and positions of the Royal Game of Ur by depth.")
    parser.add_argument("depth", type=int, metavar="DEPTH")
    parser.add_argument("--plain", action="store_true", help="keep numbered positions apart: the same results, slowly")
    options = parser.parse_args()
    for row in count(options.depth, options.plain):
        print(*row, flush=True)


if __name__ == "__main__":
    main()
