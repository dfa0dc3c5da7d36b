"""The judge `oni_judge.py` with one fault. `expected.json` describes each fault."""

import time

import fault
import oni_judge
import oni_rules
from oni_judge import Judge
from oni_lanes import Lane, Prompt, readable_among
from oni_rules import BOTTOM, CARDS, EMPTY, MASTERS, PIECES, TEMPLES, TOP, Game


def crab_one_step():
    oni_rules.CARDS["Crab"] = ((1, 0), (0, -1), (0, 1))
    for side in oni_rules.TOP, oni_rules.BOTTOM:
        oni_rules.TARGETS[side]["Crab"] = [oni_rules.targets_of(side, "Crab", cell) for cell in range(25)]


def whole_row_wins():
    def has_crossed(self, side):
        row = TEMPLES[side] // 5
        return MASTERS[side] in self.board[5 * row : 5 * row + 5]

    Game.has_crossed = has_crossed


def first_card_leaves():
    honest = Game.play

    def play(self, move):
        mover = self.turn
        hand, middle = self.hands[mover], self.middle
        honest(self, move)
        # Wrong index: always the first card of the hand leaves it, whichever was used.
        self.hands[mover] = (hand[1], middle)

    Game.play = play


def winner_of_old_board():
    honest_play, honest_winner = Game.play, Game.winner

    def play(self, move):
        self.old_board = self.board
        honest_play(self, move)

    def winner(self):
        # Stale copy: the board before the last move.
        board, self.board = self.board, getattr(self, "old_board", self.board)
        try:
            return honest_winner(self)
        finally:
            self.board = board

    Game.play, Game.winner = play, winner


def off_turn_restarts_clock_and_student_wins():
    honest = Prompt.next_line

    def next_line(self, sides, deadline):
        length = deadline - time.monotonic()
        if len(sides) == 2:
            if getattr(self, "mover", None) == sides[1] and self.off_turn:
                deadline = time.monotonic() + self.length
            else:
                self.length = length
        event = honest(self, sides, deadline)
        self.mover = sides[-1]
        self.off_turn = event is not None and event[0] != self.mover
        return event

    Prompt.next_line = next_line
    Game.has_crossed = lambda self, side: self.board[TEMPLES[side]] in PIECES[side]


def edge_wraps():
    def targets(side, card, origin):
        turn = 1 if side == TOP else -1
        # Wrong arithmetic: a step beyond column a or e goes on in the next row.
        reached = (origin + turn * (5 * forward - right) for forward, right in CARDS[card])
        return tuple(cell for cell in reached if cell in range(25))

    for side, cards in enumerate(oni_rules.TARGETS):
        for card in cards:
            cards[card] = [targets(side, card, cell) for cell in range(25)]


def middle_card_is_played():
    honest = Game.play

    def legal_moves(self):
        cards = (*self.hands[self.turn], self.middle)
        return [] if self.winner() is not None else self.moves(self.turn, cards)

    def play(self, move):
        mover, hand = self.turn, self.hands[self.turn]
        honest(self, move)
        if move[0] not in hand:
            self.hands[mover] = hand

    Game.legal_moves, Game.play = legal_moves, play


def late_confirmations():
    honest = Judge.broadcast
    held = []

    def broadcast(self, text, sides=(0, 1)):
        # Race: the mover's queue is sent only with the next move.
        while held:
            honest(self, *held.pop(0))
        if self.moves:
            mover = 1 - self.game.turn
            held.append((text, [mover]))
            sides = [1 - mover]
        honest(self, text, sides)

    Judge.broadcast = broadcast


def capture_keeps_turn():
    honest = Game.play

    def play(self, move):
        mover, captures = self.turn, self.board[move[2]] in PIECES[1 - self.turn]
        honest(self, move)
        if captures:
            self.turn = mover

    Game.play = play


def half_line_is_lost():
    honest = Lane.take_line

    def take_line(self):
        line = honest(self)
        if line is None:
            # No buffer: what comes without its newline is gone.
            self.received.clear()
        return line

    Lane.take_line = take_line


def buffer_of_256_bytes():
    def take_line(self):
        newline = self.received.find(b"\n")
        if newline < 0 and len(self.received) < 256:
            return None
        # Wrong framing: a full buffer is handed out as if it were a line.
        length = newline + 1 if 0 <= newline < 256 else 256
        line = bytes(self.received[:length])
        del self.received[:length]
        return line

    Lane.take_line = take_line


def rows_from_the_bottom():
    def turned(move):
        return move and (move[0], *((4 - cell // 5) * 5 + cell % 5 for cell in move[1:]))

    parse, write = oni_judge.parse_move, oni_judge.format_move
    oni_judge.parse_move = lambda line: turned(parse(line))
    oni_judge.format_move = lambda move: write(turned(move))


def hands_exchanged():
    class Faulty(Game):
        def __init__(self, deal, *others, **rules):
            # Each player moves by the cards that the other one was told.
            super().__init__((*deal[2:4], *deal[:2], deal[4]), *others, **rules)

    oni_judge.Game = Faulty


def mantis_cannot_go_back():
    oni_rules.CARDS["Mantis"] = tuple(step for step in oni_rules.CARDS["Mantis"] if step != (-1, 0))
    for side in oni_rules.TOP, oni_rules.BOTTOM:
        oni_rules.TARGETS[side]["Mantis"] = [oni_rules.targets_of(side, "Mantis", cell) for cell in range(25)]


def board_is_kept():
    honest = Game.__init__
    last = []

    def start(self, *others, **rules):
        honest(self, *others, **rules)
        # The list of the last game is used again.
        self.board = last[0].board if last else self.board
        last[:] = [self]

    Game.__init__ = start


def end_before_input():
    honest = Prompt.next_line

    def next_line(self, sides, deadline):
        event = honest(self, sides, deadline)
        if event is not None and event[1] is not None:
            lane = self.lanes[event[0]]
            # Wrong order: the end of the stream is looked at before the line that came with it.
            time.sleep(0.005)
            if readable_among([lane.connection], 0):
                lane.fill()
            if lane.ended:
                return event[0], None
        return event

    Prompt.next_line = next_line


def clock(length_of):
    """Has `length_of` say how long the mover may take, from its side and the whole time; it is asked once a turn."""
    honest = Judge.play_turn

    def play_turn(self):
        whole = self.options.timeout
        self.options.timeout = length_of(self, whole)
        try:
            return honest(self)
        finally:
            self.options.timeout = whole

    Judge.play_turn = play_turn


def bottom_clock_runs_on():
    began = {}

    def length_of(self, whole):
        now = time.monotonic()
        # The timer of Bottom is started once, and never again.
        start = began.setdefault(self, now) if self.game.turn == BOTTOM else now
        return max(0.01, whole - (now - start))

    clock(length_of)


def untimed_after_capture():
    pieces = {}

    def length_of(self, whole):
        now = len(self.game.board.replace(EMPTY, ""))
        before = pieces.get(self, now)
        pieces[self] = now
        return 1e6 if now < before else whole

    clock(length_of)


def capture_on_the_temple_does_not_win():
    honest = Game.play

    def play(self, move):
        mover = self.turn
        self.is_capture = getattr(self, "is_capture", False) or (
            self.board[move[2]] in PIECES[1 - mover] and move[2] == TEMPLES[mover]
        )
        honest(self, move)

    def has_crossed(self, side):
        return self.board[TEMPLES[side]] == MASTERS[side] and not getattr(self, "is_capture", False)

    Game.play, Game.has_crossed = play, has_crossed


def bottom_keeps_card_after_capture():
    honest = Game.play

    def play(self, move):
        mover, hand, middle = self.turn, self.hands[self.turn], self.middle
        captures = self.board[move[2]] in PIECES[1 - mover]
        honest(self, move)
        if captures and mover == BOTTOM:
            self.hands[mover], self.middle = hand, middle

    Game.play = play


def goose_and_rooster_exchanged():
    for cards in oni_rules.TARGETS:
        cards["Goose"], cards["Rooster"] = cards["Rooster"], cards["Goose"]


def bottom_takes_the_master_for_nothing():
    def winner(self):
        # Copied and not changed: only the Master of Bottom is looked for.
        if MASTERS[BOTTOM] not in self.board:
            return TOP
        return next((side for side in (TOP, BOTTOM) if self.has_crossed(side)), None)

    Game.winner = winner


def blanks_are_split():
    honest = oni_judge.parse_move
    oni_judge.parse_move = lambda line: honest(b" ".join(line.split()) + b"\n")


def ignored_line_gives_new_time():
    honest = Prompt.next_line

    def next_line(self, sides, deadline):
        now = time.monotonic()
        if getattr(self, "deadline", None) != deadline:
            self.deadline, self.length = deadline, deadline - now
        # The timer is started before each line, not before each turn.
        event = honest(self, sides, now + self.length)
        return event

    Prompt.next_line = next_line


def out_of_turn_line_loses():
    honest = Prompt.next_line

    def next_line(self, sides, deadline):
        event = honest(self, sides, deadline)
        if event is not None and event[0] != sides[-1] and event[1] is not None:
            # Wrong order: a move of somebody who is not on turn is invalid before it is out of turn.
            return event[0], None
        return event

    Prompt.next_line = next_line


def non_ascii_crashes():
    honest = oni_judge.parse_move
    oni_judge.parse_move = lambda line: honest(line.decode("ascii").encode("ascii"))


def boar_jumps_and_top_has_no_temple():
    CARDS["Boar"] = ((2, 0), (0, -1), (0, 1))
    for side in TOP, BOTTOM:
        oni_rules.TARGETS[side]["Boar"] = [oni_rules.targets_of(side, "Boar", cell) for cell in range(25)]
    honest = Game.has_crossed
    Game.has_crossed = lambda self, side: side == BOTTOM and honest(self, side)


def hands_of_the_first_deal():
    honest = Game.__init__
    first = []

    def start(self, deal, *others, **rules):
        honest(self, deal, *others, **rules)
        # Drawn once, when the server starts; the players are told the cards that were drawn for their game.
        first.append(tuple(deal))
        self.hands, self.middle = [first[0][:2], first[0][2:4]], first[0][4]

    Game.__init__ = start


FAULTS = {
    "half-line-is-lost": half_line_is_lost,
    "rows-from-the-bottom": rows_from_the_bottom,
    "hands-exchanged": hands_exchanged,
    "mantis-cannot-go-back": mantis_cannot_go_back,
    "board-is-kept": board_is_kept,
    "crab-one-step": crab_one_step,
    "whole-row-wins": whole_row_wins,
    "first-card-leaves": first_card_leaves,
    "winner-of-old-board": winner_of_old_board,
    "off-turn-restarts-clock-and-student-wins": off_turn_restarts_clock_and_student_wins,
    "edge-wraps": edge_wraps,
    "middle-card-is-played": middle_card_is_played,
    "late-confirmations": late_confirmations,
    "capture-keeps-turn": capture_keeps_turn,
    "buffer-of-256-bytes": buffer_of_256_bytes,
    "end-before-input": end_before_input,
    "bottom-clock-runs-on": bottom_clock_runs_on,
    "untimed-after-capture": untimed_after_capture,
    "capture-on-the-temple-does-not-win": capture_on_the_temple_does_not_win,
    "bottom-keeps-card-after-capture": bottom_keeps_card_after_capture,
    "goose-and-rooster-exchanged": goose_and_rooster_exchanged,
    "bottom-takes-the-master-for-nothing": bottom_takes_the_master_for_nothing,
    "blanks-are-split": blanks_are_split,
    "ignored-line-gives-new-time": ignored_line_gives_new_time,
    "out-of-turn-line-loses": out_of_turn_line_loses,
    "non-ascii-crashes": non_ascii_crashes,
    "boar-jumps-and-top-has-no-temple": boar_jumps_and_top_has_no_temple,
    "hands-of-the-first-deal": hands_of_the_first_deal,
}

if __name__ == "__main__":
    fault.run(FAULTS, oni_judge.main)
