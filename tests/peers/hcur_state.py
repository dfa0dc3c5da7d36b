"""Reduces hc-ur move records to game states, written from the seed's text and from nothing of urtext.

Usage: hcur_state.py FILE: prints the state after each record as one line of JSON. Validity is not judged.
"""

import json
import sys

# "Tokens move in this pattern": the arrows of the table, each path as a list of (x, y).
MIDDLE = [(x, 1) for x in range(8)]
PATHS = [[(3, y), (2, y), (1, y), (0, y)] + MIDDLE + [(7, y), (6, y)] for y in (2, 0)]


def reduce(records):
    """Yields the state after each record."""
    authors = []
    for record in records:
        if record["author"] not in authors:
            authors.append(record["author"])
    boards, homes = [set(), set()], [0, 0]
    for record in records:
        player = authors.index(record["author"])
        move = record.get("move_type")
        if move:
            path, (kind, fields) = PATHS[player], next(iter(move.items()))
            at = -1
            if kind == "MoveToken":
                square = (fields["from"]["x"], fields["from"]["y"])
                boards[player].remove(square)
                at = path.index(square)
            to = at + fields["distance"]
            if to == len(path):
                homes[player] += 1
            else:
                boards[1 - player].discard(path[to])
                boards[player].add(path[to])
        state = {"complete": 7 in homes}
        for number in (0, 1):
            tokens = sorted(boards[number], key=PATHS[number].index)
            state[f"player_{number + 1}"] = {
                "tokens": [{"x": x, "y": y} for x, y in tokens],
                "tokens_home": homes[number],
                "resigned": False,
            }
        yield state


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        for state in reduce(json.load(file)):
            print(json.dumps(state))


if __name__ == "__main__":
    main()
