"""Counts the positions of Onitama by depth, from the start position, for some deals and either starting side.

Prints one line per count, `deal starter depth paths positions`:

deal        the five cards in the order of the judge's line: Top's two, Bottom's two, the middle one.
paths       sequences of this many moves. A move is a card, an origin and a destination: two cards that lead from one
            cell to the same other cell are two moves. A won game has no continuation, nor has a side without a legal move.
positions   distinct positions after exactly this many moves: the pieces, both hands, the middle card and the side on
            turn. The order of the two cards of a hand does not matter, nor do Students of one side differ.
"""

import argparse
from collections import Counter

from oni_rules import SIDES, Game, parse_deal

# The deal of the specification's example, that of the captured game, and two more; together all 16 cards.
DEALS = (
    "Cobra,Eel,Crab,Rabbit,Tiger",
    "Ox,Goose,Rabbit,Boar,Frog",
    "Monkey,Crane,Dragon,Elephant,Mantis",
    "Horse,Rooster,Tiger,Mantis,Dragon",
)


def key_of(game):
    """The position as a key."""
    return game.board, *(tuple(sorted(hand)) for hand in game.hands), game.middle, game.turn


def load(key):
    """The game that a key stands for."""
    board, top, bottom, middle, turn = key
    game = Game((*top, *bottom, middle), turn)
    game.board = board
    return game


def successors(key):
    """Yields the key after each legal move."""
    for move in load(key).legal_moves():
        game = load(key)
        game.play(move)
        yield key_of(game)


def count(deal, starter, depth):
    """Yields (depth, paths, positions) for each depth from 0 to `depth`."""
    paths_to = {key_of(Game(deal, starter)): 1}
    for level in range(depth + 1):
        yield level, sum(paths_to.values()), len(paths_to)
        if level < depth:
            reached = Counter()
            for key, paths in paths_to.items():
                for successor in successors(key):
                    reached[successor] += paths
            paths_to = reached


def deal_option(text):
    deal = parse_deal(text)
    if deal is None:
        raise argparse.ArgumentTypeError(f"expected five different cards such as {DEALS[0]}, found {text!r}")
    return text


def main():
    parser = argparse.ArgumentParser(description="Counts paths and positions of Onitama by depth.")
    parser.add_argument("depth", type=int, metavar="DEPTH")
    parser.add_argument("--deal", type=deal_option, action="append", metavar="CARDS", help="only this deal; repeatable")
    parser.add_argument("--starter", choices=SIDES, help="only this starting side")
    options = parser.parse_args()
    for deal in options.deal or DEALS:
        for starter in [options.starter] if options.starter else SIDES:
            for row in count(parse_deal(deal), SIDES.index(starter), options.depth):
                print(deal, starter, *row, flush=True)


if __name__ == "__main__":
    main()
