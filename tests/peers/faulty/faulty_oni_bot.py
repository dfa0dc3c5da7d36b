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


FAULTS = {
    "top-not-turned": top_not_turned,
    "stale-hand": stale_hand,
    "takes-own-students": takes_own_students,
}

if __name__ == "__main__":
    fault.run(FAULTS, oni_bot.main)
