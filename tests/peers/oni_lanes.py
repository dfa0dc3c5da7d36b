"""The players' connections of the Onitama judge, and the ways of reading them that a style of judge is made of."""

import contextlib
import select
import socket
import time

# No move is nearly as long. What a connection sends without a newline beyond this is dropped up to the next newline.
LONGEST_LINE = 4096

# How long a connection may refuse to take our lines before it counts as hung up, and how long one is waited for at the end.
STALL_SECONDS = 5.0
LINGER_SECONDS = 1.0

# How long a poll waits for one client before it turns to the other.
POLL_SECONDS = 0.1


def readable_among(connections, seconds):
    """Those of the sockets that can be read without waiting, as soon as there is one; none after this time."""
    return select.select(connections, [], [], max(0, seconds))[0]


class Lane:
    """One player's connection: lines are asked for one by one, and little is kept until then."""

    def __init__(self, connection):
        connection.settimeout(STALL_SECONDS)
        # Each line goes out at once, also while the one before it is not acknowledged.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection
        self.received = bytearray()
        self.is_overlong = False
        self.is_gone = False
        # It sends no more; it may still take our lines.
        self.ended = False

    def fill(self):
        """Takes what has come, which is at least the end of the stream when the socket is readable."""
        try:
            data = self.connection.recv(LONGEST_LINE)
        except OSError:
            data = b""
        self.received += data
        self.ended = self.ended or not data

    def take_line(self):
        """The next line that has come, newline included; None if there is none yet."""
        newline = self.received.find(b"\n")
        if newline < 0:
            if len(self.received) >= LONGEST_LINE:
                self.received.clear()
                self.is_overlong = True
            return None
        line = bytes(self.received[: newline + 1])
        del self.received[: newline + 1]
        if self.is_overlong:
            # This is only the tail of a line whose head was dropped.
            self.is_overlong = False
            return self.take_line()
        return line

    def send(self, text):
        """Sends a line. A connection that is gone, or takes nothing for a long time, counts as hung up."""
        if self.is_gone:
            return
        try:
            self.connection.sendall(text.encode("ascii") + b"\n")
        except OSError:
            self.is_gone = True
            self.ended = True


class Prompt:
    """Takes each line as soon as it comes.

    The player off turn is read first: what has come from it by then was sent out of turn. Connections for which there
    is no place are closed at once.
    """

    def __init__(self, listener, lanes):
        self.listener = listener
        self.lanes = lanes

    def next_line(self, sides, deadline):
        """(side, line) of the next line of one of these sides; the line is None if that side has hung up.

        None at the deadline. The sides are in the order in which they are read.
        """
        while time.monotonic() < deadline:
            for side in sides:
                line = self.lanes[side].take_line()
                if line is not None or self.lanes[side].ended:
                    return side, line
            connections = [self.lanes[side].connection for side in sides]
            ready = readable_among([self.listener, *connections], deadline - time.monotonic())
            for side in sides:
                if self.lanes[side].connection in ready:
                    self.lanes[side].fill()
            if self.listener in ready:
                with contextlib.suppress(OSError):
                    self.listener.accept()[0].close()
        return None


class FixedOrderPoll:
    """Asks Top and Bottom in turns for one line, and waits a tenth of a second for it.

    A line counts as sent when it is read, so that one sent too early may be read on turn, and the deadline is noticed
    late by up to one wait. Connections for which there is no place are left waiting.
    """

    def __init__(self, lanes):
        self.lanes = lanes
        self.asked = 0

    def next_line(self, sides, deadline):
        """The same as for Prompt, but that Top and Bottom are asked in their own order."""
        while time.monotonic() < deadline:
            side = sorted(sides)[self.asked % len(sides)]
            self.asked += 1
            lane = self.lanes[side]
            line = lane.take_line()
            if line is None and not lane.ended and readable_among([lane.connection], POLL_SECONDS):
                lane.fill()
                line = lane.take_line()
            if line is not None or lane.ended:
                return side, line
        return None


def drop(lanes):
    """Drops the connections: ends our sides at once, and closes when the others have ended too or have had time to.

    Closing while bytes lie unread would reset the connection, and a player could lose our last line.
    """
    open_lanes = [lane for lane in lanes if not lane.ended]
    for lane in lanes:
        try:
            lane.connection.shutdown(socket.SHUT_WR)
        except OSError:
            lane.ended = True
    deadline = time.monotonic() + LINGER_SECONDS
    while open_lanes and time.monotonic() < deadline:
        ready = readable_among([lane.connection for lane in open_lanes], deadline - time.monotonic())
        for lane in open_lanes:
            if lane.connection in ready:
                lane.received.clear()
                lane.fill()
        open_lanes = [lane for lane in open_lanes if not lane.ended]
    for lane in lanes:
        lane.connection.close()
