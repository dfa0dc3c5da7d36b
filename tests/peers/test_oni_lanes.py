"""Tests of the lanes of the Onitama judge and of its ways of reading them, with both ends in the test."""

import math
import socket
import time
import unittest
from unittest import mock

import oni_lanes
from oni_lanes import FixedOrderPoll, Lane, Prompt, drop
from oni_rules import BOTTOM, TOP
from peer_processes import PATIENCE


class Ends(unittest.TestCase):
    """Two lanes and their other ends."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        self.players = []
        self.lanes = []
        for _ in range(2):
            player = socket.create_connection(self.listener.getsockname(), timeout=PATIENCE)
            self.addCleanup(player.close)
            self.players.append(player)
            connection, _ = self.listener.accept()
            self.addCleanup(connection.close)
            self.lanes.append(Lane(connection))

    def arrive(self, side, data):
        """Sends bytes to a lane and returns when all of them are there."""
        self.players[side].sendall(data)
        connection = self.lanes[side].connection
        while len(connection.recv(len(data), socket.MSG_PEEK)) < len(data):
            pass


class LaneTest(Ends):
    def lines(self, *pieces):
        """The lines that the lane gives after each piece of the stream."""
        lane = self.lanes[TOP]
        given = []
        for piece in pieces:
            self.arrive(TOP, piece)
            lane.fill()
            line = lane.take_line()
            while line is not None:
                given.append(line)
                line = lane.take_line()
        return given

    def test_joins_a_line_that_comes_in_pieces(self):
        self.assertEqual(self.lines(b"Cobra a", b"5 b4", b"\nEe"), [b"Cobra a5 b4\n"])

    def test_gives_two_lines_of_one_packet_one_by_one(self):
        self.assertEqual(self.lines(b"Cobra a5 b4\nEel b4 b3\n"), [b"Cobra a5 b4\n", b"Eel b4 b3\n"])

    def test_drops_an_overlong_line_as_a_whole_and_gives_the_next(self):
        flood = b"x" * oni_lanes.LONGEST_LINE
        self.assertEqual(self.lines(flood, flood, b"Cobra a5 b4\nEel b4 b3\n"), [b"Eel b4 b3\n"])
        self.assertEqual(self.lanes[TOP].received, b"")

    def test_half_a_line_before_the_end_is_no_line(self):
        self.arrive(TOP, b"Cobra a5 b4")
        self.players[TOP].close()
        lane = self.lanes[TOP]
        while not lane.ended:
            lane.fill()
        self.assertIsNone(lane.take_line())

    def test_a_player_that_has_ended_its_side_still_receives(self):
        self.players[TOP].shutdown(socket.SHUT_WR)
        self.lanes[TOP].fill()
        self.assertTrue(self.lanes[TOP].ended)
        self.lanes[TOP].send("Top starts")
        self.assertEqual(self.players[TOP].recv(100), b"Top starts\n")

    def test_a_player_that_takes_nothing_counts_as_hung_up(self):
        lane = self.lanes[TOP]
        lane.connection.settimeout(0.001)
        while not lane.ended:
            lane.send("Cobra a5 b4 " * 10_000)
        self.assertTrue(lane.is_gone)

    def test_drops_without_losing_the_last_line_though_bytes_lie_unread(self):
        self.arrive(TOP, b"unread\n")
        self.players[BOTTOM].shutdown(socket.SHUT_WR)
        self.lanes[TOP].send("Cobra a5 b4")
        with mock.patch.object(oni_lanes, "LINGER_SECONDS", 0.01):
            drop(self.lanes)
        self.assertEqual(self.players[TOP].recv(100), b"Cobra a5 b4\n")
        self.assertEqual(self.players[TOP].recv(100), b"")


class ReadingTest(Ends):
    """Both players have sent a line before the judge reads."""

    def setUp(self):
        super().setUp()
        self.arrive(TOP, b"t1\nt2\n")
        self.arrive(BOTTOM, b"b1\nb2\n")

    def read(self, reader, sides, count):
        return [reader.next_line(sides, time.monotonic() + PATIENCE) for _ in range(count)]

    def test_prompt_reads_what_came_out_of_turn_before_the_turn(self):
        reader = Prompt(self.listener, self.lanes)
        self.assertEqual(self.read(reader, [BOTTOM, TOP], 3), [(BOTTOM, b"b1\n"), (BOTTOM, b"b2\n"), (TOP, b"t1\n")])
        self.assertEqual(self.read(reader, [TOP, BOTTOM], 1), [(TOP, b"t2\n")])

    def test_fixed_order_poll_reads_one_line_of_each_in_turns(self):
        events = [(TOP, b"t1\n"), (BOTTOM, b"b1\n"), (TOP, b"t2\n"), (BOTTOM, b"b2\n")]
        reader = FixedOrderPoll(self.lanes)
        self.assertEqual(self.read(reader, [BOTTOM, TOP], 2) + self.read(reader, [TOP, BOTTOM], 2), events)

    def test_either_reads_one_side_only_when_asked_for_it(self):
        for reader in (Prompt(self.listener, self.lanes), FixedOrderPoll(self.lanes)):
            self.assertEqual(self.read(reader, [BOTTOM], 1)[0][0], BOTTOM)
            self.assertEqual(self.read(reader, [TOP], 1)[0][0], TOP)

    def test_either_says_who_has_hung_up_after_the_last_line(self):
        self.players[BOTTOM].close()
        for events, reader in ((3, Prompt(self.listener, self.lanes)), (1, FixedOrderPoll(self.lanes))):
            self.assertEqual(self.read(reader, [BOTTOM], events)[-1], (BOTTOM, None))

    def test_either_ends_at_the_deadline_though_lines_are_there(self):
        for reader in (Prompt(self.listener, self.lanes), FixedOrderPoll(self.lanes)):
            self.assertIsNone(reader.next_line([BOTTOM, TOP], time.monotonic()))

    def test_prompt_closes_a_connection_that_has_no_place(self):
        surplus = socket.create_connection(self.listener.getsockname(), timeout=PATIENCE)
        self.addCleanup(surplus.close)
        reader = Prompt(self.listener, self.lanes)
        self.read(reader, [BOTTOM, TOP], 4)
        self.assertIsNone(reader.next_line([BOTTOM, TOP], time.monotonic() + 0.01))
        self.assertEqual(surplus.recv(1), b"")


class QuietTest(Ends):
    def test_a_poll_waits_a_bounded_time_for_a_silent_player(self):
        self.arrive(BOTTOM, b"b1\n")
        begin = time.monotonic()
        self.assertEqual(FixedOrderPoll(self.lanes).next_line([TOP, BOTTOM], math.inf), (BOTTOM, b"b1\n"))
        self.assertGreaterEqual(time.monotonic() - begin, oni_lanes.POLL_SECONDS * 0.9)


if __name__ == "__main__":
    unittest.main()
