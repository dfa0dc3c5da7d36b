"""Tests of the turns of the Onitama judge without a network: what is ignored, what ends the game, and its deviations."""

import unittest
from unittest import mock

import oni_judge
from oni_processes import CAPTURE_GAME, DEAL, TEMPLE_GAME
from oni_rules import BOTTOM, TOP, parse_deal


class Options:
    """The options of a judge that is run inside the test."""

    def __init__(self, variant=None, syntax="strict", style="prompt", move_limit=100):
        self.variant = variant
        self.syntax = syntax
        self.style = style
        self.move_limit = move_limit
        self.timeout = 7


class ScriptedReader:
    """Gives the events of a list where their side is asked for, then the deadline; keeps what it was asked."""

    def __init__(self, events):
        self.events = list(events)
        self.asked = []

    def next_line(self, sides, deadline):
        self.asked.append((sides, deadline))
        for number, (side, _) in enumerate(self.events):
            if side in sides:
                return self.events.pop(number)
        return None


class ScriptedLane:
    """Keeps what it is sent."""

    def __init__(self):
        self.sent = []

    def send(self, text):
        self.sent.append(text)


def from_top(*texts):
    return [(TOP, text.encode() + b"\n") for text in texts]


def from_bottom(*texts):
    return [(BOTTOM, text.encode() + b"\n") for text in texts]


def in_turns(texts):
    return [((TOP, BOTTOM)[number % 2], text.encode() + b"\n") for number, text in enumerate(texts)]


class TurnsTest(unittest.TestCase):
    def play(self, events, **options):
        """(winner, reason, what Top received after the start, what Bottom received after the start)."""
        self.reader = ScriptedReader(events)
        lanes = [ScriptedLane(), ScriptedLane()]
        judge = oni_judge.Judge(lanes, self.reader, Options(**options), parse_deal(DEAL), TOP)
        winner, reason = judge.play()
        for lane in lanes:
            self.assertEqual(lane.sent[:2], [f"Cards: {DEAL}", "Top starts"])
        return winner, reason, lanes[TOP].sent[2:], lanes[BOTTOM].sent[2:]

    def assert_game(self, game, winner, reason, moves, **options):
        """Both players receive the same moves."""
        self.assertEqual(self.play(game, **options), (winner, reason, list(moves), list(moves)))

    def test_broadcasts_every_move_to_both_the_winning_one_included(self):
        self.assert_game(in_turns(CAPTURE_GAME), TOP, "master-captured", CAPTURE_GAME)
        self.assert_game(in_turns(TEMPLE_GAME), TOP, "temple", TEMPLE_GAME)

    def test_plays_nothing_after_the_end(self):
        self.assert_game(in_turns(CAPTURE_GAME) + from_bottom("Cobra b5 a4"), TOP, "master-captured", CAPTURE_GAME)

    def test_ignores_what_is_sent_out_of_turn(self):
        early = from_bottom("Crab c5 c4", "Tiger a1 e5", "", "Cobra d1 c2")
        self.assert_game(early + in_turns(CAPTURE_GAME), TOP, "master-captured", CAPTURE_GAME)
        twice = from_top("Cobra d1 c2", "Tiger c2 c4")
        self.assert_game(twice, TOP, "timeout", ["Cobra d1 c2"])

    def test_ignores_what_is_no_move(self):
        shapeless = from_top("", "hello", "Cobra", "Cobra a1-b2", "Cobra  d1 c2", "Cobra d1 c2\r")
        unknown = from_top("cobra d1 c2", "Dog d1 c2", "Cobra d1 c6")
        self.assert_game(shapeless + unknown + in_turns(CAPTURE_GAME), TOP, "master-captured", CAPTURE_GAME)

    def test_loosely_a_card_or_cell_that_does_not_exist_makes_an_invalid_move(self):
        for text in ("cobra d1 c2", "Dog d1 c2", "Cobra d1 c6", "Cobra d1 C2"):
            self.assert_game(from_top(text) + in_turns(CAPTURE_GAME), BOTTOM, "invalid-move", [], syntax="loose")

    def test_loosely_a_carriage_return_does_not_matter_and_noise_is_still_ignored(self):
        lines = from_top("", "hello", "Cobra  d1 c2", "Cobra d1 c2\r") + from_bottom("Cobra")
        self.assert_game(lines, TOP, "timeout", ["Cobra d1 c2"], syntax="loose")

    def test_an_invalid_move_loses_and_is_not_broadcast(self):
        invalid = {
            "the other's card": "Crab d1 d2",
            "the middle card": "Tiger d1 d3",
            "a card of nobody": "Ox d1 d2",
            "onto an own pawn": "Cobra a1 b1",
            "an empty cell": "Cobra c3 b4",
            "the other's pawn": "Cobra d5 c4",
            "a step that the card has not": "Cobra d1 d2",
            "no step": "Cobra d1 d1",
            "a step not turned for Top": "Cobra d1 e2",
        }
        for name, text in invalid.items():
            with self.subTest(name):
                self.assert_game(from_top(text), BOTTOM, "invalid-move", [])

    def test_each_turn_has_the_whole_time_and_lines_that_are_ignored_do_not_lengthen_it(self):
        with mock.patch("oni_judge.time.monotonic", side_effect=[10, 11]):
            self.play(from_top("", "x") + from_bottom("y") + in_turns(CAPTURE_GAME[:1]))
        self.assertEqual([deadline for _, deadline in self.reader.asked], [17, 17, 17, 17, 18])

    def test_asks_for_what_came_out_of_turn_first(self):
        self.play(in_turns(CAPTURE_GAME[:1]))
        self.assertEqual([sides for sides, _ in self.reader.asked], [[BOTTOM, TOP], [TOP, BOTTOM]])

    def test_a_hang_up_loses_on_turn_and_off_turn(self):
        self.assert_game([(TOP, None)], BOTTOM, "hang-up", [])
        self.assert_game([(BOTTOM, None)], TOP, "hang-up", [])

    def test_a_game_without_an_end_is_cut_off(self):
        self.assert_game(in_turns(TEMPLE_GAME), None, "move-limit", TEMPLE_GAME[:4], move_limit=4)

    def test_a_clock_of_whole_seconds_ends_up_to_a_second_late_and_never_early(self):
        for now in (3.0, 3.25, 3.999):
            self.assertEqual(oni_judge.deadline_after(now, 2, "prompt"), now + 2)
            self.assertEqual(oni_judge.deadline_after(now, 2, "one-second-clock"), 6)
        self.assertEqual(oni_judge.deadline_after(3.25, 0.5, "one-second-clock"), 4)

    def test_no_broadcast_to_mover(self):
        ended = self.play(in_turns(CAPTURE_GAME), variant="no-broadcast-to-mover")
        self.assertEqual(ended, (TOP, "master-captured", [CAPTURE_GAME[1]], [CAPTURE_GAME[0], CAPTURE_GAME[2]]))

    def test_out_of_turn_plays(self):
        early = from_bottom("Crab c5 c4") + from_top("Cobra d1 c2", "Tiger c2 c4")
        self.assert_game(early, TOP, "master-captured", CAPTURE_GAME, variant="out-of-turn-plays")

    def test_keeps_card(self):
        again = ("Cobra d1 c2", "Crab c5 c4", "Cobra c2 b3")
        self.assert_game(in_turns(again), BOTTOM, "invalid-move", again[:2])
        self.assert_game(in_turns(again), TOP, "timeout", again, variant="keeps-card")

    def test_no_temple_win(self):
        longer = (*TEMPLE_GAME, "Eel d4 c3")
        self.assert_game(in_turns(longer), BOTTOM, "timeout", longer, variant="no-temple-win")

    def test_ignores_invalid(self):
        events = from_top("Tiger d1 d3") + in_turns(CAPTURE_GAME)
        self.assert_game(events, TOP, "master-captured", CAPTURE_GAME, variant="ignores-invalid")

    def test_every_variant_has_a_test(self):
        for variant in oni_judge.VARIANTS:
            self.assertTrue(hasattr(self, "test_" + variant.replace("-", "_")), variant)


if __name__ == "__main__":
    unittest.main()
