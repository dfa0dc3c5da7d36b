"""Connect Four by PROTOCOL.md: the board as a list of columns, from the bottom."""

COLOURS = ["RED", "YELLOW"]
COLUMNS, ROWS = 7, 6
LINE = 4
# The neighbour on the right, above, and on both diagonals.
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


class Game:
    """A game in progress. `turn` is 0 for Red, 1 for Yellow."""

    def __init__(self):
        self.columns = [[] for _ in range(COLUMNS)]
        self.turn = 0

    def at(self, column, row):
        inside = 0 <= column < COLUMNS and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else None

    def moves(self):
        """The digits of all columns that are not full."""
        return [str(number + 1) for number in range(COLUMNS) if len(self.columns[number]) < ROWS]

    def play(self, digit):
        """Plays a valid move."""
        self.columns[int(digit) - 1].append(self.turn)
        self.turn = 1 - self.turn

    def winner(self):
        """The player with four discs in a line, or None."""
        for column in range(COLUMNS):
            for row in range(ROWS):
                for right, up in DIRECTIONS:
                    discs = [self.at(column + right * step, row + up * step) for step in range(LINE)]
                    if discs[0] is not None and len(set(discs)) == 1:
                        return discs[0]
        return None

    def is_over(self):
        return self.winner() is not None or not self.moves()
