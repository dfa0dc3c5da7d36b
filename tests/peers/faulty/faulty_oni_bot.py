"""The bot `oni_bot.py` with one fault. `expected.json` describes each fault."""

import fault
import oni_bot
import oni_rules
from oni_bot import Bot
from oni_rules import CARDS, EMPTY, PIECES, TOP


def top_not_turned():
    for card, steps in CARDS.items():
        mirrored = [(forward, -right) for forward, right in steps]
        CARDS[card] = mirrored
        oni_rules.TARGETS[TOP][card] = [oni_rules.targets_of(TOP, card, cell) for cell in range(25)]
        CARDS[card] = steps


def stale_hand():
    honest = Bot.considered

    def considered(self, game, side, dealt):
        own = getattr(self, "own", dealt)
        # Stale copy: the hand of the turn before.
        self.own = tuple(game.hands[side])
        return game.moves(side, own) or honest(self, game, side, dealt)

    Bot.considered = considered


def takes_own_students():
    def considered(self, game, side, dealt):
        board = game.board
        found = []
        for card in game.hands[side]:
            for origin, piece in enumerate(board):
                if piece in PIECES[side]:
                    targets = oni_rules.TARGETS[side][card][origin]
                    found += [(card, origin, target) for target in targets if board[target] != PIECES[side][0]]
        own = [move for move in found if board[move[2]] not in (EMPTY, *PIECES[1 - side])]
        return own or found

    Bot.considered = considered


def moves_captured_pieces():
    def considered(self, game, side, dealt):
        board = game.board
        last, sent = getattr(self, "last", (None, None))
        own = {cell for cell, piece in enumerate(board) if piece in PIECES[side]}
        if sent is not None:
            # Stale list: only the bot's own moves change it.
            own = last - {sent[1]} | {sent[2]}
        found = []
        for card in game.hands[side]:
            for origin in sorted(own):
                targets = oni_rules.TARGETS[side][card][origin]
                found += [(card, origin, target) for target in targets if target not in own]
        self.last = (own, None)
        return found

    honest = Bot.move

    def move(self, game, side, dealt):
        sent = honest(self, game, side, dealt)
        self.last = (self.last[0], sent)
        return sent

    Bot.considered, Bot.move = considered, move


def horse_as_ox():
    for cards in oni_rules.TARGETS:
        cards["Horse"] = cards["Ox"]


def top_always_starts():
    honest = Bot.expect

    def expect(self, pattern):
        found = honest(self, pattern)
        return "Top" if "starts" in pattern else found

    Bot.expect = expect


def one_line_a_read():
    honest = Bot.read_line

    def read_line(self):
        if not hasattr(self, "is_greeted"):
            line = honest(self)
            if b"starts" in line:
                self.is_greeted = True
            return line
        # Wrong framing: what comes after the first line of a read is dropped.
        chunk = self.reader.peek(1) if self.reader.peek(1) else b""
        if not chunk:
            raise oni_bot.GameOver
        self.reader.read(len(chunk))
        return chunk.split(b"\n")[0] + b"\n"

    Bot.read_line = read_line


def confirmation_is_a_move():
    honest = Bot.move

    def move(self, game, side, dealt):
        sent = honest(self, game, side, dealt)
        if sent is not None:
            # It is played here, and what comes back is then taken for a move of the opponent.
            game.play(sent)
        return sent

    Bot.move = move


def hands_change_on_own_moves_only():
    honest = Bot.expect

    class AnyMove:
        def __contains__(self, move):
            return True

    class Faulty(oni_rules.Game):
        side = None

        def legal_moves(self):
            return super().legal_moves() if self.turn == self.side else AnyMove()

        def play(self, move):
            hands, middle, mover = list(self.hands), self.middle, self.turn
            super().play(move)
            if mover != self.side:
                # Forgotten branch: the opponent's card does not go to the middle.
                self.hands, self.middle = hands, middle

    def expect(self, pattern):
        found = honest(self, pattern)
        if "You are" in pattern:
            Faulty.side = oni_rules.SIDES.index(found)
        return found

    oni_bot.Game, Bot.expect = Faulty, expect


def side_of_the_starter():
    honest = Bot.read_line

    def read_line(self):
        if not hasattr(self, "lines"):
            self.lines = [honest(self) for _ in range(3)]
            # Wrong line: `Top starts` is read as `You are Top`.
            self.lines[0] = b"You are " + self.lines[2].replace(b" starts", b"")
        return self.lines.pop(0) if self.lines else honest(self)

    Bot.read_line = read_line


def tiger_and_frog_wrong():
    CARDS["Tiger"] = ((2, 0), (-2, 0))
    CARDS["Frog"] = ((1, 1), (0, 2), (-1, -1))
    for side, cards in enumerate(oni_rules.TARGETS):
        for card in "Tiger", "Frog":
            cards[card] = [oni_rules.targets_of(side, card, cell) for cell in range(25)]


FAULTS = {
    "top-not-turned": top_not_turned,
    "stale-hand": stale_hand,
    "takes-own-students": takes_own_students,
    "moves-captured-pieces": moves_captured_pieces,
    "horse-as-ox": horse_as_ox,
    "top-always-starts": top_always_starts,
    "one-line-a-read": one_line_a_read,
    "confirmation-is-a-move": confirmation_is_a_move,
    "hands-change-on-own-moves-only": hands_change_on_own_moves_only,
    "side-of-the-starter": side_of_the_starter,
    "tiger-and-frog-wrong": tiger_and_frog_wrong,
}

if __name__ == "__main__":
    fault.run(FAULTS, oni_bot.main)
