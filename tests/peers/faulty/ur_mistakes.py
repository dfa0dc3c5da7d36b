"""Wrong rules of the Royal Game of Ur that a referee and a bot can have."""

from ur_rules import START, Game


class CapturesWrongly(Game):
    """Sends back the token that `taken` names: a number, or None for no token."""

    def play(self, token, heads):
        target = self.cells[self.turn][token] + heads
        other = self.cells[1 - self.turn]
        before = list(other)
        super().play(token, heads)
        if other != before:
            other[:] = before
            taken = self.taken(before, target, token)
            if taken is not None:
                other[taken] = START


class CapturesByMoverNumber(CapturesWrongly):
    @staticmethod
    def taken(cells, target, token):
        # Wrong variable: the number of the mover's token, not of the captured one.
        return token


class CapturesBySortedPlace(CapturesWrongly):
    @staticmethod
    def taken(cells, target, token):
        # Wrong list: the place among the sorted cells is no token's number.
        return sorted(cells).index(target)


class CapturesNoLastToken(CapturesWrongly):
    @staticmethod
    def taken(cells, target, token):
        # Off by one: the loop ends before token 6.
        return next((number for number in range(6) if cells[number] == target), None)
