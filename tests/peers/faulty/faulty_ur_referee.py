"""The referee `ur_referee.py` with one fault. `expected.json` describes each fault."""

import asyncio
import os
import time

import fault
import ur_referee
import ur_rules
from ur_mistakes import CapturesByMoverNumber, CapturesBySortedPlace
from ur_referee import Lane, Referee
from ur_rules import END, EXTRA_TURN_CELLS, SHARED, START, Game


def cell_13_shared():
    ur_rules.SHARED = range(5, 14)


def overshoot_and_no_extra_turn_14():
    class Faulty(Game):
        def is_legal(self, token, heads):
            source = self.cells[self.turn][token]
            return super().is_legal(token, heads) or (source < END and heads > 0 and source + heads == END + 1)

        def play(self, token, heads):
            super().play(token, min(heads, END - self.cells[self.turn][token]))

    ur_referee.Game = lambda: Faulty(extra_turn_cells=EXTRA_TURN_CELLS - {14})


def captures_by_mover_number():
    ur_referee.Game = CapturesByMoverNumber


def stale_own_cells():
    class Faulty(Game):
        seen = [[START] * 7, [START] * 7]

        def is_legal(self, token, heads):
            own = self.cells[self.turn]
            target = own[token] + heads
            if 0 < heads and own[token] < target < END and target not in SHARED:
                # Stale list: the own cells as they were before the player's last move.
                return target not in self.seen[self.turn]
            return super().is_legal(token, heads)

        def play(self, token, heads):
            self.seen[self.turn] = list(self.cells[self.turn])
            super().play(token, heads)

    ur_referee.Game = Faulty


def last_token_not_counted():
    class Faulty(Game):
        def winner(self):
            # Off by one: the loop ends before token 6.
            done = (all(self.cells[player][token] == END for token in range(6)) for player in (0, 1))
            return next((player for player, won in enumerate(done) if won), None)

    ur_referee.Game = Faulty


def late_moves_to_spectators():
    honest = Referee.broadcast
    held = []

    async def broadcast(text, lanes):
        if len(text) == 1 and len(lanes) > 1:
            # Race: the spectators' queue is sent only after the next roll.
            held.append((text, lanes[1:]))
            lanes = lanes[:1]
        await honest(text, lanes)
        if " " in text:
            while held:
                await honest(*held.pop(0))

    Referee.broadcast = staticmethod(broadcast)


def clock_runs_on():
    honest = Referee.read_move
    used = {}

    async def read_move(self, mover):
        whole, began = self.timeout, time.monotonic()
        self.timeout = max(0, whole - used.get(mover, 0))
        try:
            return await honest(self, mover)
        finally:
            self.timeout = whole
            used[mover] = used.get(mover, 0) + time.monotonic() - began

    Referee.read_move = read_move


def cell_8_gives_one_extra_turn():
    class Faulty(Game):
        has_given = False

        def play(self, token, heads):
            lands = self.cells[self.turn][token] + heads == 8
            super().play(token, heads)
            if lands and self.has_given:
                self.turn = 1 - self.turn
            self.has_given = self.has_given or lands

    ur_referee.Game = Faulty


def skipped_extra_turn_is_repeated():
    class Faulty(Game):
        is_extra = False

        def play(self, token, heads):
            mover = self.turn
            super().play(token, heads)
            self.is_extra = self.turn == mover

        def skip(self):
            if not self.is_extra:
                super().skip()
            self.is_extra = False

    ur_referee.Game = Faulty


def captures_by_sorted_place():
    ur_referee.Game = CapturesBySortedPlace


def front_token_must_exit():
    class Faulty(Game):
        def is_legal(self, token, heads):
            # Wrong variable: the front token is measured, not the one that moves.
            front = max(cell for cell in self.cells[self.turn] if cell < END)
            return front + heads <= END and super().is_legal(token, heads)

    ur_referee.Game = Faulty


def third_moves_after_the_roll():
    honest = Referee.broadcast
    held, count = [], [0]

    async def broadcast(text, lanes):
        if len(text) == 1:
            count[0] += 1
            if count[0] % 3 == 0:
                # Race: the opponent's queue is sent only after the next roll.
                held.append((text, lanes[:1]))
                lanes = lanes[1:]
        await honest(text, lanes)
        if " " in text:
            while held:
                await honest(*held.pop(0))

    Referee.broadcast = staticmethod(broadcast)


def bytes_give_new_time():
    async def read_move(self, mover):
        reading = asyncio.ensure_future(mover.next_line())
        while True:
            received = len(mover.received)
            if (await asyncio.wait({reading}, timeout=self.timeout))[0]:
                line = reading.result()
                return None if line is None else ur_rules.parse_move(line)
            if len(mover.received) == received:
                reading.cancel()
                return None

    Referee.read_move = read_move


def skipped_rolls_to_players_only():
    honest_new_game, honest_broadcast = Referee.new_game, Referee.broadcast

    def new_game(self):
        self.game = honest_new_game(self)
        return self.game

    async def broadcast(self, text, lanes):
        is_roll = hasattr(self, "game") and " " in text
        if is_roll and not self.game.legal_moves(text.count("1")):
            lanes = self.players
        await honest_broadcast(text, lanes)

    Referee.new_game, Referee.broadcast = new_game, broadcast


def says_when_it_hits():
    honest_new_game, honest_broadcast = Referee.new_game, Referee.broadcast

    def new_game(self):
        self.game = honest_new_game(self)
        self.has_hit = False
        honest_play = self.game.play

        def play(token, heads):
            other = list(self.game.cells[1 - self.game.turn])
            mover = self.game.turn
            honest_play(token, heads)
            self.has_hit = self.game.cells[1 - mover] != other

        self.game.play = play
        return self.game

    async def broadcast(self, text, lanes):
        if getattr(self, "has_hit", False):
            self.has_hit = False
            await honest_broadcast("hit!", self.players + self.spectators)
        await honest_broadcast(text, lanes)

    Referee.new_game, Referee.broadcast = new_game, broadcast


def first_number_counts():
    def parse_move(line):
        words = line.split()
        return ur_rules.parse_move(words[0] + b"\n") if len(words) > 1 else ur_rules.parse_move(line)

    ur_referee.parse_move = parse_move


def name_ends_at_a_blank():
    honest = Referee.greet

    async def greet(self, names):
        await honest(self, [name.split()[0] for name in names])

    Referee.greet = greet


def ends_without_a_spectator():
    honest = Referee.broadcast

    async def broadcast(text, lanes):
        if any(lane.ended.is_set() for lane in lanes):
            raise SystemExit
        await honest(text, lanes)

    Referee.broadcast = staticmethod(broadcast)


def third_coin_is_a_letter():
    honest = Referee.roll
    count = [0]

    def roll(self):
        count[0] += 1
        coins = honest(self)
        return coins

    async def broadcast(text, lanes):
        if " " in text and count[0] == 3:
            text = text[:4] + "x" + text[5:]
        await honest_broadcast(text, lanes)

    honest_broadcast = Referee.broadcast
    Referee.roll, Referee.broadcast = roll, staticmethod(broadcast)


def long_lines_are_fatal():
    honest = Lane.data_received

    def data_received(self, data):
        honest(self, data)
        # What a reader with a limit does, and nobody catches.
        if len(self.received) > 1024 and b"\n" not in self.received[:1024]:
            os._exit(1)

    Lane.data_received = data_received


def end_before_input():
    honest = Lane.next_line

    async def next_line(self):
        line = await honest(self)
        # Wrong order: the end of the stream is looked at before the line that came with it.
        await asyncio.sleep(0.005)
        return None if self.ended.is_set() else line

    Lane.next_line = next_line


def clock(timeout_of):
    """Has `timeout_of` say how long the player may take, from the referee and the whole timeout."""
    honest = Referee.read_move

    async def read_move(self, mover):
        whole = self.timeout
        self.timeout = timeout_of(self, mover, whole)
        try:
            return await honest(self, mover)
        finally:
            self.timeout = whole

    Referee.read_move = read_move


def second_clock_runs_on():
    began = {}

    def timeout_of(self, mover, whole):
        now = time.monotonic()
        # The timer of the second player is started once, and never again.
        start = began.setdefault(mover, now) if mover is self.players[1] else now
        return max(0.01, whole - (now - start))

    clock(timeout_of)


def untimed_after_skip():
    class Faulty(Game):
        is_skipped = False

        def play(self, token, heads):
            super().play(token, heads)
            Faulty.is_skipped = False

        def skip(self):
            super().skip()
            Faulty.is_skipped = True

    ur_referee.Game = Faulty
    clock(lambda self, mover, whole: None if Faulty.is_skipped else whole)


def untimed_late():
    count = [0]

    def timeout_of(self, mover, whole):
        count[0] += 1
        return None if count[0] > 40 else whole

    clock(timeout_of)


def second_player_late_no_extra_turn_8():
    class Faulty(Game):
        def play(self, token, heads):
            mover = self.turn
            super().play(token, heads)
            out = self.cells[mover].count(END)
            if mover == 1 and out and self.cells[1][token] == 8:
                self.turn = 0

    ur_referee.Game = Faulty


def win_in_extra_turn_not_seen():
    class Faulty(Game):
        before, is_won = None, False

        def play(self, token, heads):
            mover, is_extra = self.turn, self.before == self.turn
            super().play(token, heads)
            self.before = mover
            self.is_won = super().winner() is not None and not is_extra

        def skip(self):
            self.before = None
            super().skip()

        def winner(self):
            return super().winner() if self.is_won else None

    ur_referee.Game = Faulty


def no_capture_once_a_token_is_out():
    class Faulty(Game):
        def play(self, token, heads):
            other = list(self.cells[1 - self.turn])
            mover, is_out = self.turn, END in self.cells[self.turn]
            super().play(token, heads)
            if is_out and heads:
                self.cells[1 - mover] = other

    ur_referee.Game = Faulty


def second_skip_keeps_turn():
    class Faulty(Game):
        skips = 0

        def play(self, token, heads):
            self.skips = 0
            super().play(token, heads)

        def skip(self):
            self.skips += 1
            if self.skips < 2:
                super().skip()

    ur_referee.Game = Faulty


def token_5_never_plays_again():
    class Faulty(Game):
        def play(self, token, heads):
            mover = self.turn
            super().play(token, heads)
            if token == 5:
                self.turn = 1 - mover

    ur_referee.Game = Faulty


def extra_turn_by_the_cell_left():
    class Faulty(Game):
        def play(self, token, heads):
            mover, source = self.turn, self.cells[self.turn][token]
            super().play(token, heads)
            # Wrong variable: the cell that the token comes from, not the one that it lands on.
            self.turn = mover if source in EXTRA_TURN_CELLS else 1 - mover

    ur_referee.Game = Faulty


def track_of_13():
    # Off by one: the track ends after the thirteenth cell.
    ur_rules.END = 14


def roll_0_wants_a_move():
    class Faulty(Game):
        def legal_moves(self, heads):
            # Forgotten branch: every token can move by 0 cells.
            return super().legal_moves(heads) if heads else list(range(ur_rules.TOKENS))

    ur_referee.Game = Faulty


def captures_on_the_way():
    class Faulty(Game):
        def play(self, token, heads):
            mover, source = self.turn, self.cells[self.turn][token]
            super().play(token, heads)
            other = self.cells[1 - mover]
            # Wrong place: the check stands inside the loop over the steps.
            for cell in range(source + 1, source + heads):
                if cell in SHARED and cell in other:
                    other[other.index(cell)] = START

    ur_referee.Game = Faulty


def captured_token_on_cell_1():
    class Faulty(Game):
        def play(self, token, heads):
            other = self.cells[1 - self.turn]
            before = list(other)
            super().play(token, heads)
            for number, cell in enumerate(before):
                if other[number] != cell:
                    # Off by one: cells are numbered from 0 here, and from 1 elsewhere.
                    other[number] = START + 1

    ur_referee.Game = Faulty


def eighth_cell_guards_the_second_player():
    class Faulty(Game):
        def is_legal(self, token, heads):
            own = self.cells[self.turn]
            target = own[token] + heads
            if heads and target == 8 and target not in own:
                # Wrong index: 1 in place of 1 - turn.
                return target not in self.cells[1]
            return super().is_legal(token, heads)

    ur_referee.Game = Faulty


def both_count_for_seven():
    class Faulty(Game):
        def winner(self):
            # One counter for both players.
            out = sum(cells.count(END) for cells in self.cells)
            return 0 if out >= ur_rules.TOKENS else None

    ur_referee.Game = Faulty


def retire_to_the_loser():
    honest_new_game, honest_broadcast = Referee.new_game, Referee.broadcast

    def new_game(self):
        self.game = honest_new_game(self)
        return self.game

    async def broadcast(self, text, lanes):
        if text == "RETIRE":
            # Wrong index: the player on turn, not the other one.
            lanes = [self.players[self.game.turn], *lanes[1:]]
        await honest_broadcast(text, lanes)

    Referee.new_game, Referee.broadcast = new_game, broadcast


def relayed_before_the_check():
    honest_read_move, honest_broadcast = Referee.read_move, Referee.broadcast

    async def read_move(self, mover):
        self.token = await honest_read_move(self, mover)
        return self.token

    async def broadcast(self, text, lanes):
        if text == "RETIRE" and self.token is not None:
            # Wrong order: the number goes out before it is held against the rules.
            await honest_broadcast(str(self.token), lanes)
        await honest_broadcast(text, lanes)

    Referee.read_move, Referee.broadcast = read_move, broadcast


def number_of_the_move_before():
    honest = Referee.broadcast
    last = ["0"]

    async def broadcast(text, lanes):
        if len(text) == 1:
            # Stale variable: it is set after the number has been sent.
            text, last[0] = last[0], text
        await honest(text, lanes)

    Referee.broadcast = staticmethod(broadcast)


def timeout_skips():
    class Faulty(Game):
        def legal_moves(self, heads):
            legal = super().legal_moves(heads)
            return [*legal, "skip"] if legal else legal

        def play(self, token, heads):
            if token == "skip":
                self.skip()
            else:
                super().play(token, heads)

    async def read_move(self, mover):
        try:
            line = await asyncio.wait_for(mover.next_line(), self.timeout)
        except asyncio.TimeoutError:
            # A player without a move in time is taken for one that cannot move.
            return "skip"
        return None if line is None else ur_rules.parse_move(line)

    async def broadcast(text, lanes):
        if text != "skip":
            await honest(text, lanes)

    honest = Referee.broadcast
    ur_referee.Game, Referee.read_move, Referee.broadcast = Faulty, read_move, staticmethod(broadcast)


def first_turn_untimed():
    count = [0]

    def timeout_of(self, mover, whole):
        count[0] += 1
        # Forgotten start: a timer is started only where a turn ends.
        return None if count[0] == 1 else whole

    clock(timeout_of)


def opponents_line_gives_new_time():
    async def read_move(self, mover):
        other = self.players[1] if mover is self.players[0] else self.players[0]
        reading = asyncio.ensure_future(mover.next_line())
        while True:
            received = len(other.received)
            if (await asyncio.wait({reading}, timeout=self.timeout))[0]:
                line = reading.result()
                return None if line is None else ur_rules.parse_move(line)
            # One timer for the table: what anybody sends restarts it.
            if len(other.received) == received:
                reading.cancel()
                return None

    Referee.read_move = read_move


def number_7_crashes():
    honest = ur_referee.parse_move

    def parse_move(line):
        # Off by one: 7 is let through, and there is no such token.
        return list(range(ur_rules.TOKENS))[7] if line == b"7\n" else honest(line)

    ur_referee.parse_move = parse_move


def no_extra_turn_14_and_no_retire_to_spectators():
    honest = Referee.broadcast

    async def broadcast(text, lanes):
        await honest(text, lanes[:1] if text == "RETIRE" else lanes)

    ur_referee.Game = lambda: Game(extra_turn_cells=EXTRA_TURN_CELLS - {14})
    Referee.broadcast = staticmethod(broadcast)


def half_the_time_and_cell_5_private():
    # Off by one: `> 5` in place of `>= 5`.
    ur_rules.SHARED = range(6, 13)
    clock(lambda self, mover, whole: whole / 2)


FAULTS = {
    "says-when-it-hits": says_when_it_hits,
    "first-number-counts": first_number_counts,
    "name-ends-at-a-blank": name_ends_at_a_blank,
    "ends-without-a-spectator": ends_without_a_spectator,
    "third-coin-is-a-letter": third_coin_is_a_letter,
    "cell-13-shared": cell_13_shared,
    "overshoot-and-no-extra-turn-14": overshoot_and_no_extra_turn_14,
    "captures-by-mover-number": captures_by_mover_number,
    "stale-own-cells": stale_own_cells,
    "last-token-not-counted": last_token_not_counted,
    "late-moves-to-spectators": late_moves_to_spectators,
    "clock-runs-on": clock_runs_on,
    "cell-8-gives-one-extra-turn": cell_8_gives_one_extra_turn,
    "skipped-extra-turn-is-repeated": skipped_extra_turn_is_repeated,
    "captures-by-sorted-place": captures_by_sorted_place,
    "front-token-must-exit": front_token_must_exit,
    "third-moves-after-the-roll": third_moves_after_the_roll,
    "bytes-give-new-time": bytes_give_new_time,
    "skipped-rolls-to-players-only": skipped_rolls_to_players_only,
    "long-lines-are-fatal": long_lines_are_fatal,
    "end-before-input": end_before_input,
    "second-clock-runs-on": second_clock_runs_on,
    "untimed-after-skip": untimed_after_skip,
    "untimed-late": untimed_late,
    "second-player-late-no-extra-turn-8": second_player_late_no_extra_turn_8,
    "win-in-extra-turn-not-seen": win_in_extra_turn_not_seen,
    "no-capture-once-a-token-is-out": no_capture_once_a_token_is_out,
    "second-skip-keeps-turn": second_skip_keeps_turn,
    "token-5-never-plays-again": token_5_never_plays_again,
    "extra-turn-by-the-cell-left": extra_turn_by_the_cell_left,
    "track-of-13": track_of_13,
    "roll-0-wants-a-move": roll_0_wants_a_move,
    "captures-on-the-way": captures_on_the_way,
    "captured-token-on-cell-1": captured_token_on_cell_1,
    "eighth-cell-guards-the-second-player": eighth_cell_guards_the_second_player,
    "both-count-for-seven": both_count_for_seven,
    "retire-to-the-loser": retire_to_the_loser,
    "relayed-before-the-check": relayed_before_the_check,
    "number-of-the-move-before": number_of_the_move_before,
    "timeout-skips": timeout_skips,
    "first-turn-untimed": first_turn_untimed,
    "opponents-line-gives-new-time": opponents_line_gives_new_time,
    "number-7-crashes": number_7_crashes,
    "no-extra-turn-14-and-no-retire-to-spectators": no_extra_turn_14_and_no_retire_to_spectators,
    "half-the-time-and-cell-5-private": half_the_time_and_cell_5_private,
}

if __name__ == "__main__":
    fault.run(FAULTS, ur_referee.main)
