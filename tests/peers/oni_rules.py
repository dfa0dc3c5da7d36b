"""The rules of Onitama, from the text of the specification (seed 004), and how the lines of its judge are read.

A side is 0 (Top) or 1 (Bottom). A cell is a number: 0 is a1, 1 is b1, 5 is a2, 24 is e5. A move is a card and two cells.
Sentences in quotation marks are the specification's own. It shows the cards in a photograph only; their moves are those
of the base game.
"""

import re

TOP, BOTTOM = 0, 1
SIDES = ("Top", "Bottom")

COLUMNS = "abcde"
ROWS = "12345"
# "one letter for the column (a to e, from left to right)", "one digit for the row (1 to 5, from top to bottom)"
CELLS = tuple(column + row for row in ROWS for column in COLUMNS)

# (steps forward, steps to the right) as the mover sees the board; negative: back, left.
CARDS = {
    "Tiger": ((2, 0), (-1, 0)),
    "Crab": ((1, 0), (0, -2), (0, 2)),
    "Monkey": ((1, -1), (1, 1), (-1, -1), (-1, 1)),
    "Crane": ((1, 0), (-1, -1), (-1, 1)),
    "Dragon": ((1, -2), (1, 2), (-1, -1), (-1, 1)),
    "Elephant": ((1, -1), (1, 1), (0, -1), (0, 1)),
    "Mantis": ((1, -1), (1, 1), (-1, 0)),
    "Boar": ((1, 0), (0, -1), (0, 1)),
    "Frog": ((1, -1), (0, -2), (-1, 1)),
    "Goose": ((1, -1), (0, -1), (0, 1), (-1, 1)),
    "Horse": ((1, 0), (0, -1), (-1, 0)),
    "Eel": ((1, -1), (0, 1), (-1, -1)),
    "Rabbit": ((1, 1), (0, 2), (-1, -1)),
    "Rooster": ((1, 1), (0, -1), (0, 1), (-1, -1)),
    "Ox": ((1, 0), (0, 1), (-1, 0)),
    "Cobra": ((1, 1), (0, -1), (-1, 1)),
}

# The board is 25 characters: a capital for a Master, a small letter for a Student, a dot for an empty cell.
MASTERS = "TB"
PIECES = ("Tt", "Bb")
EMPTY = "."
# "Top's pawns start on row 1, and Bottom's pawns start on row 5."
START = "ttTtt" + 15 * EMPTY + "bbBbb"

# Where the Master of each side wins: the cell on which the other Master starts, c5 for Top and c1 for Bottom.
TEMPLES = (CELLS.index("c5"), CELLS.index("c1"))


def targets_of(side, card, origin):
    """The cells that a card reaches from a cell, whatever stands there."""
    row, column = divmod(origin, 5)
    # Bottom looks up the board, Top sees it turned by half a turn.
    turn = 1 if side == TOP else -1
    reached = ((row + turn * forward, column - turn * right) for forward, right in CARDS[card])
    return tuple(5 * row + column for row, column in reached if row in range(5) and column in range(5))


TARGETS = [{card: [targets_of(side, card, cell) for cell in range(25)] for card in CARDS} for side in (TOP, BOTTOM)]


class Game:
    """One game: the board, the cards, and whose turn it is.

    `deal` is the five cards in the order of the judge's line. The two arguments after the starting side let a
    deliberately wrong peer play by other rules.
    """

    def __init__(self, deal, starter, rotates=True, temple_wins=True):
        # "`Cards: <top1>,<top2>,<bottom1>,<bottom2>,<middle>`"
        self.board = START
        self.hands = [tuple(deal[:2]), tuple(deal[2:4])]
        self.middle = deal[4]
        self.turn = starter
        self.rotates = rotates
        self.temple_wins = temple_wins

    def moves(self, side, cards):
        """The moves that a side could make with these cards, were it on turn with them in hand."""
        own = PIECES[side]
        found = []
        for card in cards:
            targets = TARGETS[side][card]
            for origin, piece in enumerate(self.board):
                if piece in own:
                    found += [(card, origin, target) for target in targets[origin] if self.board[target] not in own]
        return found

    def legal_moves(self):
        """The moves of the side on turn: "use one of your two movement cards that indicate your valid moves".

        None once the game is won. A side without any loses, and the judge need not know it: "since no valid move can
        be submitted in time".
        """
        if self.winner() is not None:
            return []
        return self.moves(self.turn, self.hands[self.turn])

    def play(self, move):
        """Plays a move, which must be legal, and passes the turn on."""
        card, origin, target = move
        board = list(self.board)
        board[target], board[origin] = board[origin], EMPTY
        self.board = "".join(board)
        # "movement cards rotate between the players as they are used": the used card goes to the middle.
        if self.rotates:
            kept = [other for other in self.hands[self.turn] if other != card]
            self.hands[self.turn] = (*kept, self.middle)
            self.middle = card
        self.turn = 1 - self.turn

    def winner(self):
        """The side that has won, or None.

        "The goal is to either capture the opponent's Master pawn, or to move your own Master across the board."
        """
        for side in (TOP, BOTTOM):
            if MASTERS[1 - side] not in self.board or (self.temple_wins and self.has_crossed(side)):
                return side
        return None

    def has_crossed(self, side):
        """Whether the Master of a side stands on the temple of the other."""
        return self.board[TEMPLES[side]] == MASTERS[side]

    def has_both_masters(self):
        """Whether neither Master has been taken."""
        return all(master in self.board for master in MASTERS)


def parse_move(line):
    """The move that a line of bytes, newline included, spells; None if it is anything else.

    "`<card> <origin> <destination>`", where "Card names are capitalized" and cells are `a1` to `e5`.
    """
    words = line[:-1].decode("ascii", "replace").split(" ")
    if line[-1:] != b"\n" or len(words) != 3 or words[0] not in CARDS or not set(words[1:]) <= set(CELLS):
        return None
    return words[0], CELLS.index(words[1]), CELLS.index(words[2])


def looks_like_move(line):
    """Whether a line has the shape of a move, though the card or a cell may not exist: three words, the last two of a
    letter and a digit each. A carriage return before the newline is allowed."""
    return re.fullmatch(rb"[A-Za-z]+ [A-Za-z][0-9] [A-Za-z][0-9]\r?\n", line) is not None


def format_move(move):
    """The move as a text, without newline."""
    card, origin, target = move
    return f"{card} {CELLS[origin]} {CELLS[target]}"


def parse_deal(text):
    """Five different cards from a text with commas and nothing else between them; None if it is anything else."""
    deal = tuple(text.split(","))
    if len(deal) == 5 == len(set(deal)) and set(deal) <= set(CARDS):
        return deal
    return None
