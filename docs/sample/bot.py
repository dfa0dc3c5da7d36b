"""A bot for the Royal Game of Ur, on standard input and output."""

import sys

OUT = 15
EXTRA_TURN = (4, 8, 14)
SHARED = range(5, 13)


def line():
    """The next line; without one, or after RETIRE, the game is over."""
    text = sys.stdin.buffer.readline()
    if not text.endswith(b"\n") or text == b"RETIRE\n":
        sys.exit()
    return text[:-1]


def is_legal(mine, theirs, token, steps):
    cell = mine[token] + steps
    if steps == 0 or mine[token] == OUT or cell > OUT:
        return False
    return cell == OUT or not (cell in mine or cell == 8 and cell in theirs)


def value(mine, theirs, token, steps):
    """An extra turn is best, then a capture, then the token that is farthest."""
    cell = mine[token] + steps
    return cell in EXTRA_TURN, cell in SHARED and cell in theirs, cell


def main():
    sys.stdin.buffer.readline()
    sys.stdin.buffer.readline()
    me = int(line())
    tracks = [[0] * 7, [0] * 7]
    turn = 0
    while True:
        steps = line().count(b"1")
        mine, theirs = tracks[turn], tracks[1 - turn]
        legal = [token for token in range(7) if is_legal(mine, theirs, token, steps)]
        if legal:
            if turn == me:
                token = max(legal, key=lambda token: value(mine, theirs, token, steps))
                print(token, flush=True)
            else:
                token = int(line())
            cell = mine[token] = mine[token] + steps
            if cell in SHARED and cell in theirs:
                theirs[theirs.index(cell)] = 0
            if mine == [OUT] * 7:
                return
            if cell in EXTRA_TURN:
                continue
        turn = 1 - turn


main()
