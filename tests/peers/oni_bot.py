"""A bot for Onitama: connects to a judge over TCP and plays until the connection drops.

Exit status: 0 when the connection drops, at whatever point; 1, with a message on standard error, if it cannot connect, if a
line comes that the protocol (seed 004) has no place for, or if nothing comes for a long time; 2 for a faulty command line.
"""

import argparse
import copy
import random
import re
import socket
import sys

from oni_rules import SIDES, Game, format_move, parse_deal, parse_move

LONGEST_LINE = 4096

VARIANTS = {
    "wrong-hand": "plays with the cards of the opponent's hand",
    "forgets-rotation": "believes that it holds the two cards of the deal for the whole game",
    "moves-out-of-turn": "sends a second move right after each of its own, in the same packet",
}


class GameOver(Exception):
    """The connection has dropped."""


class ProtocolFault(Exception):
    """A line that the protocol has no place for."""


class Bot:
    """One side in one game. `choose` takes the possible moves in alphabetical order and returns one of them."""

    def __init__(self, connection, choose, variant=None):
        self.connection = connection
        self.reader = connection.makefile("rb")
        self.choose = choose
        self.variant = variant

    def play(self):
        """Plays until the connection drops, which raises GameOver."""
        # "`You are Top` or `You are Bottom`"
        side = SIDES.index(self.expect(r"You are (Top|Bottom)\n"))
        # "`Cards: <top1>,<top2>,<bottom1>,<bottom2>,<middle>`"
        deal = parse_deal(self.expect(r"Cards: (.*)\n"))
        if deal is None:
            raise ProtocolFault("expected five different cards")
        # "`Top starts` or `Bottom starts`"
        game = Game(deal, SIDES.index(self.expect(r"(Top|Bottom) starts\n")))
        dealt = game.hands[side]
        while game.winner() is None:
            sent = self.move(game, side, dealt) if game.turn == side else None
            played = self.read_move()
            if played not in game.legal_moves():
                raise ProtocolFault(f"{format_move(played)} is not valid here")
            # "It is applied (valid move), and sent back as a confirmation"
            if game.turn == side and played != sent and self.variant != "moves-out-of-turn":
                raise ProtocolFault(f"{format_move(played)} came back for {format_move(sent)}")
            game.play(played)
        # "When the game reaches an end state (one player won), the server drops both connections."
        raise ProtocolFault(f"{self.read_line()!r} came after the end of the game")

    def move(self, game, side, dealt):
        """Sends a move and returns it; a side without any has nothing to send and waits for its time to be over."""
        moves = self.considered(game, side, dealt)
        if not moves:
            return None
        move = self.pick(moves)
        lines = format_move(move) + "\n"
        if self.variant == "moves-out-of-turn":
            after = copy.deepcopy(game)
            after.play(move)
            again = after.moves(side, after.hands[side])
            lines += format_move(self.pick(again)) + "\n" if again else ""
        self.connection.sendall(lines.encode("ascii"))
        return move

    def considered(self, game, side, dealt):
        """The moves among which the bot chooses: the valid ones, unless its variant has others."""
        if self.variant == "wrong-hand":
            return game.moves(side, game.hands[1 - side]) or game.legal_moves()
        if self.variant == "forgets-rotation":
            return game.moves(side, dealt)
        return game.legal_moves()

    def pick(self, moves):
        return self.choose(sorted(moves, key=format_move))

    def read_move(self):
        line = self.read_line()
        move = parse_move(line)
        if move is None:
            raise ProtocolFault(f"expected a move, received {line[:80]!r}")
        return move

    def expect(self, pattern):
        """The part in parentheses of the next line, which has to match."""
        line = self.read_line()
        match = re.fullmatch(pattern, line.decode("ascii", "replace"))
        if match is None:
            raise ProtocolFault(f"expected {pattern}, received {line[:80]!r}")
        return match[1]

    def read_line(self):
        """The next line, newline included."""
        line = self.reader.readline(LONGEST_LINE)
        if line.endswith(b"\n"):
            return line
        if len(line) == LONGEST_LINE:
            raise ProtocolFault(f"a line is longer than {LONGEST_LINE} bytes")
        raise GameOver


def chooser(policy, seed):
    """The function that picks one of the moves."""
    dice = random.Random(seed)
    return {"first": lambda moves: moves[0], "last": lambda moves: moves[-1], "random": dice.choice}[policy]


def main():
    parser = argparse.ArgumentParser(description="A bot for Onitama that connects to a judge over TCP.")
    add = parser.add_argument
    add("host", metavar="HOST")
    add("port", type=int, metavar="PORT")
    policies = ["first", "last", "random"]
    add("--policy", choices=policies, default="first", help="which of the valid moves in alphabetical order; default first")
    add("--seed", type=int, metavar="N", help="seed of the policy `random`")
    variants = "; ".join(f"{name}: {text}" for name, text in VARIANTS.items())
    add("--variant", choices=VARIANTS, metavar="NAME", help=f"deviate from the protocol. {variants}")
    add("--games", type=int, default=1, metavar="N", help="games in a row, each on a connection of its own; default 1")
    add("--patience", type=float, default=300.0, metavar="SECONDS", help="how long to wait for a line; default 300")
    options = parser.parse_args()
    choose = chooser(options.policy, options.seed)
    try:
        for _ in range(options.games):
            with socket.create_connection((options.host, options.port), options.patience) as connection:
                try:
                    Bot(connection, choose, options.variant).play()
                except (GameOver, ConnectionError):
                    pass
    except (ProtocolFault, OSError, OverflowError) as fault:
        print(f"oni_bot: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
