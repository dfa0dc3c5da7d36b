"""Tests of one connection of the referee, with a transport that only notes what is asked of it."""

import asyncio
import unittest
from unittest import mock

import ur_referee
from peer_processes import PATIENCE


class LaneTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.lane = ur_referee.Lane(lambda lane: None)
        self.transport = mock.Mock(spec=asyncio.Transport)
        self.transport.is_closing.return_value = False
        self.lane.connection_made(self.transport)

    async def settle(self):
        """Lets every task go on until it waits."""
        for _ in range(10):
            await asyncio.sleep(0)

    async def test_stops_reading_while_more_than_the_longest_line_lies_unread(self):
        line = b"0\n"
        too_many = ur_referee.LONGEST_LINE // len(line) + 2
        self.lane.data_received(line * too_many)
        self.transport.pause_reading.assert_called_once()
        self.assertEqual(await self.lane.next_line(), line)
        self.transport.resume_reading.assert_not_called()
        self.assertEqual(await self.lane.next_line(), line)
        self.transport.resume_reading.assert_called_once()

    async def test_joins_a_line_that_comes_in_pieces(self):
        asked = asyncio.create_task(self.lane.next_line())
        for piece in (b"1", b"2", b"\n3"):
            await self.settle()
            self.assertFalse(asked.done())
            self.lane.data_received(piece)
        self.assertEqual(await asked, b"12\n")

    async def test_gives_the_lines_that_came_before_the_end_and_then_none(self):
        self.lane.data_received(b"1\n2")
        self.lane.eof_received()
        self.assertEqual(await self.lane.next_line(), b"1\n")
        self.assertIsNone(await self.lane.next_line())

    async def test_closes_only_after_the_other_side_has_ended(self):
        self.lane.data_received(b"0\n")
        self.transport.close.side_effect = lambda: self.lane.connection_lost(None)
        with mock.patch.object(ur_referee, "LINGER_SECONDS", PATIENCE):
            closing = asyncio.create_task(self.lane.close())
            await self.settle()
            self.transport.write_eof.assert_called_once()
            self.transport.resume_reading.assert_called_once()
            self.transport.close.assert_not_called()
            self.lane.data_received(b"1\n")
            self.assertEqual(self.lane.received, b"")
            self.lane.eof_received()
            await closing
        self.transport.close.assert_called_once()

    async def test_closes_in_the_end_though_the_other_side_does_not(self):
        with mock.patch.object(ur_referee, "LINGER_SECONDS", 0):
            await self.lane.close()
        self.transport.close.assert_called_once()
        self.transport.abort.assert_called_once()

    async def test_drops_a_connection_that_takes_nothing(self):
        self.lane.pause_writing()
        with mock.patch.object(ur_referee, "STALL_SECONDS", 0):
            await self.lane.send(b"0 0 0 0")
        self.transport.write.assert_called_once_with(b"0 0 0 0\n")
        self.transport.abort.assert_called_once()


if __name__ == "__main__":
    unittest.main()
