"""The rules of the Royal Game of Ur, from the text of the specification (seed 000) and nothing else.

A token stands on a number: 0 before the track, 1 to 14 on its owner's track, 15 after it.
Sentences in quotation marks are the specification's own.
"""

START = 0
END = 15
TOKENS = 7

# "with the cells from the fifth to the twelfth (included) shared between players"
SHARED = range(5, 13)

# "If a token lands on the fourth, eighth or fourteenth cell, the player gets to play also for the next turn"
EXTRA_TURN_CELLS = frozenset({4, 8, 14})

# "A token cannot land on one of these 3 cells if it's already occupied (even by an opponent's token)."
SAFE_CELLS = frozenset({4, 8, 14})


class Game:
    """One game: where the numbered tokens of both players stand, and whose turn it is.

    The cells that give another turn and those that cannot be captured are arguments, so that
    a deliberately wrong peer can play by other rules.
    """

    def __init__(self, extra_turn_cells=EXTRA_TURN_CELLS, safe_cells=SAFE_CELLS):
        # "Each player has `7` tokens, numbered from `0` to `6` (inclusive)."
        self.cells = [[START] * TOKENS, [START] * TOKENS]
        # "In the first turn the first player will play."
        self.turn = 0
        self.extra_turn_cells = extra_turn_cells
        self.safe_cells = safe_cells

    def is_legal(self, token, heads):
        """Whether the player on turn may move `token` by `heads` cells."""
        own = self.cells[self.turn]
        source = own[token]
        target = source + heads
        # "If no moves are possible for the player (such as when getting a 0, but it's not the only such case)"
        if heads == 0 or source == END:
            return False
        # "For a token, to exit the track, the exact number of cells remaining is needed"
        if target >= END:
            return target == END
        # "The player cannot move a token in a cell already occupied by one of its token"
        if target in own:
            return False
        # "(even by an opponent's token)": only the eighth cell is both safe and shared.
        if target in self.safe_cells and target in SHARED:
            return target not in self.cells[1 - self.turn]
        return True

    def legal_moves(self, heads):
        """The tokens that the player on turn may move by `heads` cells, in rising order."""
        return [token for token in range(TOKENS) if self.is_legal(token, heads)]

    def play(self, token, heads):
        """Moves `token` of the player on turn by `heads` cells, which must be legal, and passes the turn on."""
        target = self.cells[self.turn][token] + heads
        self.cells[self.turn][token] = target
        # "the opponent's token gets instantly sent back to the opponent's track start"
        other = self.cells[1 - self.turn]
        if target in SHARED and target in other:
            other[other.index(target)] = START
        # "otherwise the opponent's turn begins"
        if target not in self.extra_turn_cells:
            self.turn = 1 - self.turn

    def skip(self):
        """Gives the turn to the other player: "it skips the turn, giving it to the other player"."""
        self.turn = 1 - self.turn

    def winner(self):
        """The player (0 or 1) all of whose tokens have left the track, or None.

        "until one of them make all of their tokens exit the track, winning the game"
        """
        for player in (0, 1):
            if self.cells[player] == [END] * TOKENS:
                return player
        return None


def parse_move(line):
    """The token that a line of bytes, newline included, names; None if it is anything but `0` to `6` and a newline.

    "must write a single line with the number of the token he wants to move […], ended with a `LF` (aka `\\n`)"
    """
    if len(line) == 2 and line[:1] in b"0123456" and line[1:] == b"\n":
        return int(line)
    return None


def parse_roll(line):
    """The number of heads in a roll line of bytes, newline included; None if it is no roll line.

    "a single line containing 4 space-separated binary digits. The `1`s represent a head, the `0` a tail."
    """
    digits = line[:-1].split(b" ")
    if line[-1:] == b"\n" and len(digits) == 4 and all(digit in (b"0", b"1") for digit in digits):
        return digits.count(b"1")
    return None
