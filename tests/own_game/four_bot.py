"""A bot for Connect Four on standard input and output, from PROTOCOL.md. Python 3, standard library only.

It wins where it can, and otherwise plays any column that is not full. `--seed N` decides which. Exit status: 0 when the game is over or
its input ends, 1 for a line that the protocol does not have.
"""

import argparse
import copy
import random
import sys

from four_rules import COLOURS, Game


def choose(game, chance):
    moves = game.moves()
    for move in moves:
        after = copy.deepcopy(game)
        after.play(move)
        if after.winner() is not None:
            return move
    return chance.choice(moves)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int)
    chance = random.Random(arguments.parse_args().seed)
    colour = sys.stdin.readline()
    if not colour:
        return 0
    own, game = COLOURS.index(colour.rstrip("\n")), Game()
    while not game.is_over():
        if game.turn == own:
            move = choose(game, chance)
            print(move, flush=True)
        else:
            line = sys.stdin.readline()
            move = line.rstrip("\n")
            if not line or move == "LOST":
                return 0
            if move not in game.moves():
                print(f"{move!r} is no valid move", file=sys.stderr)
                return 1
        game.play(move)
    return 0


if __name__ == "__main__":
    sys.exit(main())
