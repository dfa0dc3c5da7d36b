"""One match of the Royal Game of Ur on a Code Colosseum server: the lobby until everybody is there, then the game.

The sentences in quotation marks are those of the specification (seed 000).
"""

import asyncio
import json
import os

import coco_websocket as ws
from ur_rules import Game, parse_move

USUAL_TIMEOUT, USUAL_PACE = 90.0, 1.5


class Breach(Exception):
    """The match is broken off in mid-game, as a misbehaviour wants it."""


class Participant:
    """A player or a spectator, with what it has sent and nobody has read."""

    def __init__(self, name, connection):
        self.name = name
        self.connection = connection
        self.received = bytearray()
        self.has_gone = False
        self.news = asyncio.Event()

    def take(self, data):
        self.received += data
        self.news.set()

    def leave(self):
        self.has_gone = True
        self.news.set()

    async def line(self):
        """The next line with its newline; `None` where the participant has gone without one."""
        while b"\n" not in self.received and not self.has_gone:
            self.news.clear()
            await self.news.wait()
        line, end, rest = self.received.partition(b"\n")
        self.received = rest
        return bytes(line + end) if end else None


class Match:
    """A match from its creation to its end."""

    def __init__(self, server, identity, wish):
        self.server = server
        self.id = identity
        self.title = wish["name"]
        self.password = wish["password"]
        self.timeout = wish["params"]["timeout"] or USUAL_TIMEOUT
        self.pace = float(wish["args"].get("pace", USUAL_PACE))
        self.players = []
        self.spectators = []
        self.past = bytearray()
        self.running = False
        self.ended = asyncio.Event()

    def info(self):
        return {
            "players": 2,
            "bots": 0,
            "timeout": self.timeout,
            "args": {"pace": str(self.pace)},
            "id": self.id,
            "name": self.title,
            "game": "royalur",
            "running": self.running,
            "time": 0,
            "connected": [player.name for player in self.players],
            "spectators": len(self.spectators),
            "password": self.password is not None,
            "verified": False,
        }

    def everybody(self):
        return [(player, "Match") for player in self.players] + [(one, "Spectate") for one in self.spectators]

    async def update(self):
        message = json.dumps({"LobbyUpdate": {"info": self.info()}}).encode()
        for one, _ in self.everybody():
            await one.connection.send(ws.TEXT, message)

    async def control(self, one, name):
        await one.connection.send(ws.TEXT, json.dumps({name: {}}).encode())

    async def data(self, one, data):
        """Sends bytes of the game, cut into frames wherever the server likes."""
        for piece in self.server.cut(data):
            await one.connection.send(ws.BINARY, piece)

    async def watched(self, text):
        self.past += text
        for one in self.spectators:
            await self.data(one, text)

    async def watch(self, one):
        """Lets a spectator in; "first the whole past" of a match that has begun."""
        self.spectators.append(one)
        if self.running:
            await self.control(one, "SpectateStarted")
            await self.data(one, bytes(self.past))
            await self.control(one, "SpectateSynced")

    async def run(self):
        """Plays the match, and tells everybody that it is over."""
        self.running = True
        self.server.random.shuffle(self.players)
        misbehaviour = self.server.misbehaviour
        if misbehaviour == "bytes-before-start":
            await self.data(self.players[0], b"early\n")
        for player in self.players:
            await self.control(player, "MatchStarted")
        for one in self.spectators:
            await self.control(one, "SpectateStarted")
            await self.control(one, "SpectateSynced")
        await self.update()
        try:
            await self.play()
            if misbehaviour == "never-ends":
                await asyncio.Event().wait()
            await self.finish()
        except Breach:
            pass
        self.ended.set()

    async def finish(self):
        # Before anybody hears of the end, so that who asks then finds it in its place.
        lines = self.past.splitlines(keepends=True)
        kept = lines[: len(lines) - self.server.history_lacks]
        if self.server.misbehaviour == "stores-another-match":
            kept[2] = b"1 1 1 1\n" if kept[2] != b"1 1 1 1\n" else b"0 0 0 0\n"
        self.server.stored[self.id] = (self.title, [player.name for player in self.players], b"".join(kept))
        self.server.matches.pop(self.id, None)
        nothing, misbehaviour = ws.frame(ws.BINARY), self.server.misbehaviour
        for one, kind in self.everybody():
            for _ in range(0, self.server.empty_frames, 1000):
                await one.connection.send_raw(nothing * 1000)
            if misbehaviour == "text-at-the-end":
                await one.connection.send(ws.TEXT, b"good game")
            if misbehaviour == "goes-on-after-the-end":
                # In one write, so that whoever reads the end has the rest as well.
                ended = ws.frame(ws.TEXT, json.dumps({kind + "Ended": {}}).encode())
                await one.connection.send_raw(ended + ws.frame(ws.BINARY, b"0 0 1 1\n"))
                continue
            await self.control(one, kind + "Ended")

    async def play(self):
        # "At the beginning of the game both players will receive 3 lines"
        names = b"".join(player.name.encode() + b"\n" for player in self.players)
        for seat, player in enumerate(self.players):
            await self.data(player, names + b"%d\n" % seat)
        await self.watched(names)
        game, turns = Game(), 0
        while game.winner() is None:
            turns += 1
            await self.misbehave(turns)
            coins = [self.server.random.randrange(2) for _ in range(4)]
            roll = " ".join(map(str, coins)).encode() + b"\n"
            # "In the roll sub-turn both players and spectators will receive a single line"
            for player in self.players:
                await self.data(player, roll)
            await self.watched(roll)
            heads, mover = sum(coins), game.turn
            if not game.legal_moves(heads):
                game.skip()
                await asyncio.sleep(self.pace)
                continue
            token = await self.move(self.players[mover])
            other = self.players[1 - mover]
            if token is None or not game.is_legal(token, heads):
                # "otherwise they will receive RETIRE"
                await self.data(other, b"RETIRE\n")
                await self.watched(b"RETIRE\n")
                return
            game.play(token, heads)
            line = b"%d\n" % token
            await self.data(other, line)
            await self.watched(line)
            if self.server.misbehaviour == "echoes-moves":
                await self.data(self.players[mover], line)
            await asyncio.sleep(self.pace)

    async def move(self, player):
        """The token that a player moves; `None` for anything else."""
        try:
            line = await asyncio.wait_for(player.line(), self.timeout)
        except asyncio.TimeoutError:
            return None
        return None if line is None else parse_move(line)

    async def never_finish(self, connection):
        """A frame of 1 MiB of which little comes, or a message in more and more frames."""
        if self.server.misbehaviour == "endless-frame":
            await connection.send_raw(b"\x82\x7f\x00\x00\x00\x00\x00\x10\x00\x000 0")
            return await asyncio.Event().wait()
        await connection.send(ws.BINARY, b"0", final=False)
        while not connection.writer.is_closing():
            await connection.send(ws.CONTINUATION, bytes(1 << 16), final=False)
            await asyncio.sleep(0)

    async def misbehave(self, turns):
        """What this server does wrong in the third turn of a match."""
        deeds = {
            "closes-mid-game": lambda one: one.connection.send(ws.CLOSE),
            "drops-mid-game": None,
            "text-for-bytes": lambda one: one.connection.send(ws.TEXT, b"0 0 1 1\n"),
            "other-message": lambda one: one.connection.send(ws.TEXT, b'{"GameList":{"games":[]}}'),
            "huge-frame": lambda one: one.connection.send_raw(b"\x82\x7f\x00\x00\x00\x01\x00\x00\x00\x00"),
            "no-such-opcode": lambda one: one.connection.send_raw(b"\x8b\x00"),
        }
        misbehaviour = self.server.misbehaviour
        if turns == 3 and misbehaviour == "dies-mid-game":
            os._exit(7)
        if turns == 3 and misbehaviour in ("endless-frame", "endless-message"):
            await asyncio.gather(*(self.never_finish(one.connection) for one, _ in self.everybody()))
            raise Breach
        if turns != 3 or misbehaviour not in deeds:
            return
        for one, _ in self.everybody():
            if deeds[misbehaviour]:
                await deeds[misbehaviour](one)
            one.connection.abort()
        raise Breach
