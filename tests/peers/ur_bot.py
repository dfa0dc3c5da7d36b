"""A bot for the Royal Game of Ur: reads what a player receives on standard input, writes its moves to standard output.

Exit status: 0 after RETIRE, a won game or the end of input; 1 if a line came that the protocol has no place for.
"""

import argparse
import random
import sys

from ur_rules import Game, parse_move, parse_roll

LONGEST_LINE = 64 * 1024

VARIANTS = {
    "answers-when-skipped": "writes a token number although its turn is skipped",
    "forgets-captures": "leaves its own token where it stood when the opponent captures it",
    "no-newline": "writes the number of the token without the newline",
}


class GameOver(Exception):
    """RETIRE has come, or the input has ended."""


class ProtocolFault(Exception):
    """A line that the protocol has no place for."""


class Bot:
    """One seat in one game. `choose` takes the legal tokens and returns one of them."""

    def __init__(self, reader, writer, choose, variant=None):
        self.reader = reader
        self.writer = writer
        self.choose = choose
        self.variant = variant

    def play(self):
        """Plays until the game is won; raises GameOver where it ends before."""
        # "At the beginning of the game both players will receive 3 lines"
        self.read_text()
        self.read_text()
        # "the third line contains `0` if the receiver is the first player, `1` otherwise"
        seats = {b"0\n": 0, b"1\n": 1}
        seat = self.expect(seats.get, "0 or 1 for the seat")
        game = Game()
        while game.winner() is None:
            heads = self.expect(parse_roll, "a roll")
            legal = game.legal_moves(heads)
            # "If the player has no valid moves […] the `move` sub-turn is skipped"
            if not legal:
                if game.turn == seat and self.variant == "answers-when-skipped":
                    self.send(0)
                game.skip()
            elif game.turn == seat:
                token = self.choose(legal)
                self.send(token)
                game.play(token, heads)
            else:
                # "the other player and the spectators will receive the sent number"
                token = self.expect(parse_move, "a move")
                if token not in legal:
                    raise ProtocolFault(f"the opponent's move {token} is not legal")
                own = list(game.cells[seat])
                game.play(token, heads)
                if self.variant == "forgets-captures":
                    game.cells[seat] = own

    def read_text(self):
        """The next line, newline included."""
        line = self.reader.readline(LONGEST_LINE)
        if line.endswith(b"\n"):
            return line
        if len(line) == LONGEST_LINE:
            raise ProtocolFault(f"a line is longer than {LONGEST_LINE} bytes")
        raise GameOver

    def expect(self, parse, wanted):
        """The next line, read by `parse`, which returns None for what it cannot read."""
        line = self.read_text()
        # "`RETIRE`, which indicates that the game has ended with a win for the opponent"
        if line == b"RETIRE\n":
            raise GameOver
        value = parse(line)
        if value is None:
            raise ProtocolFault(f"expected {wanted}, received {line[:80]!r}")
        return value

    def send(self, token):
        newline = b"" if self.variant == "no-newline" else b"\n"
        self.writer.write(b"%d" % token + newline)
        self.writer.flush()


def chooser(policy, seed):
    """The function that picks one of the legal tokens."""
    dice = random.Random(seed)
    return {"first": min, "last": max, "random": dice.choice}[policy]


def main():
    parser = argparse.ArgumentParser(description="A bot for the Royal Game of Ur on standard input and output.")
    policies = ["first", "last", "random"]
    parser.add_argument("--policy", choices=policies, default="first", help="which legal token to move; default first")
    parser.add_argument("--seed", type=int, help="seed of the policy `random`")
    variants = "; ".join(f"{name}: {text}" for name, text in VARIANTS.items())
    parser.add_argument("--variant", choices=VARIANTS, metavar="NAME", help=f"deviate from the protocol: {variants}")
    options = parser.parse_args()
    # Unbuffered, so that nothing is left to flush, and to fail, when the interpreter ends.
    writer = open(sys.stdout.fileno(), "wb", buffering=0, closefd=False)
    try:
        Bot(sys.stdin.buffer, writer, chooser(options.policy, options.seed), options.variant).play()
    except (GameOver, ConnectionError):
        pass
    except ProtocolFault as fault:
        print(f"ur_bot: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
