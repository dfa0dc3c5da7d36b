"""A Code Colosseum server for the Royal Game of Ur: WebSocket, JSON control messages, binary game data.

Prints `listening on HOST:PORT` and serves until it is ended. README.md beside this file says what it does where
it is free to choose, and what `--misbehave` makes it do wrong.
"""

import argparse
import asyncio
import json
import random
import struct
import sys

import coco_websocket as ws
from coco_match import Match, Participant

MISBEHAVIOURS = [
    "creates-anything",
    "refuses-a-long-pace",
    "plain-http",
    "trickling-opening",
    "silent-handshake",
    "other-version",
    "other-magic",
    "garbled-handshake",
    "bytes-for-handshake",
    "closes-at-handshake",
    "refuses-players",
    "expires",
    "bytes-before-start",
    "closes-mid-game",
    "drops-mid-game",
    "dies-mid-game",
    "text-for-bytes",
    "other-message",
    "huge-frame",
    "endless-frame",
    "endless-message",
    "no-such-opcode",
    "text-at-the-end",
    "never-ends",
    "goes-on-after-the-end",
    "echoes-moves",
    "cut-history",
    "text-for-history",
    "stores-another-match",
    "hostile-words",
]


class Server:
    """The matches of a server, and what holds for all of them."""

    def __init__(self, options):
        self.random = random.Random(options.seed)
        self.misbehaviour = options.misbehave
        self.cut_at_most = options.cut
        self.empty_frames = options.empty_frames
        self.history_lacks = options.history_lacks
        self.pings = options.pings
        self.matches = {}
        self.created = 0
        self.stored = {}
        self.tasks = set()

    def cut(self, data):
        """The frames of some bytes: pieces of any length, with empty frames between, or all in one."""
        while self.cut_at_most and data:
            size = self.random.randrange(self.cut_at_most + 1)
            yield data[:size]
            data = data[size:]
        if data:
            yield data

    async def serve(self, reader, writer):
        """One connection."""
        if self.misbehaviour == "plain-http":
            await ws.read_head(reader)
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        if self.misbehaviour == "trickling-opening":
            writer.write(b"HTTP/1.1 101 Switching Protocols\r\nX-Patience: ")
            while not writer.is_closing():
                writer.write(b"x")
                await asyncio.sleep(0.5)
            return
        try:
            connection = await ws.Connection.accept(reader, writer)
            await self.shake_hands(connection)
            while True:
                kind, message = await connection.receive()
                if kind != ws.TEXT:
                    continue
                await self.request(connection, json.loads(message))
        except (ws.Gone, ValueError):
            pass
        finally:
            writer.close()

    async def shake_hands(self, connection):
        _, message = await connection.receive()
        asked = json.loads(message)["Handshake"]
        version = 3 if self.misbehaviour == "other-version" else 2
        magic = "cocoa\x1b[31m" if self.misbehaviour == "other-magic" else "coco"
        answer = json.dumps({"Handshake": {"magic": magic, "version": version}}).encode()
        if self.misbehaviour == "silent-handshake":
            await asyncio.Event().wait()
        elif self.misbehaviour == "garbled-handshake":
            answer = b"220 welcome \x1b[2J"
        elif self.misbehaviour == "closes-at-handshake":
            await connection.send(ws.CLOSE)
            raise ws.Gone
        elif self.misbehaviour == "bytes-for-handshake":
            await connection.send(ws.BINARY, answer)
        await connection.send(ws.TEXT, answer)
        if asked != {"magic": magic, "version": version}:
            raise ws.Gone

    async def request(self, connection, request):
        """Serves one request."""
        if request == "HistoryMatchList":
            return await self.reply(connection, "HistoryMatchList", list(self.stored))
        ((name, wish),) = request.items()
        if name == "GameNew":
            await self.reply(connection, name, {"id": self.create(wish)})
        elif name == "LobbyList":
            await self.reply(connection, name, {"info": [match.info() for match in self.matches.values()]})
        elif name == "LobbyJoinMatch":
            await self.join(connection, wish)
        elif name == "SpectateJoin":
            await self.spectate(connection, wish)
        elif name == "HistoryMatch":
            await self.history(connection, wish["id"])
        else:
            raise ws.Gone

    async def reply(self, connection, name, content):
        await connection.send(ws.TEXT, json.dumps({name: content}).encode())

    def create(self, wish):
        if wish["game"] != "royalur":
            return {"Err": "Game not found\x1b[31m\n" if self.misbehaviour == "hostile-words" else "Game not found"}
        params, pace = wish["params"], float(wish["args"].get("pace", 0))
        if self.misbehaviour != "creates-anything":
            if not 0 <= pace <= (20 if self.misbehaviour == "refuses-a-long-pace" else 30):
                return {"Err": "Invalid pace"}
            if params["players"] not in (None, 2):
                return {"Err": "Cannot create game with %d players" % params["players"]}
            if params["bots"] >= 2:
                return {"Err": "Cannot have all server bots"}
        self.created += 1
        identity = "match%d" % self.created
        self.matches[identity] = Match(self, identity, wish)
        return {"Ok": identity}

    async def join(self, connection, wish):
        match = self.matches.get(wish["id"])
        trouble = None
        if match is None:
            trouble = 'Game "%s" does not exists' % wish["id"]
        elif self.misbehaviour == "refuses-players":
            trouble = '"%s" is not a valid username' % wish["name"]
        elif match.running:
            trouble = 'Game "%s" is already running' % wish["id"]
        elif any(player.name == wish["name"] for player in match.players):
            trouble = 'Username "%s" already taken' % wish["name"]
        elif match.password != wish["password"]:
            trouble = "Wrong password"
        if trouble:
            return await self.reply(connection, "LobbyJoinedMatch", {"info": {"Err": trouble}})
        player = Participant(wish["name"], connection)
        await self.reply(connection, "LobbyJoinedMatch", {"info": {"Ok": match.info()}})
        match.players.append(player)
        await match.update()
        if self.misbehaviour == "expires":
            for one, _ in match.everybody():
                await self.reply(one.connection, "LobbyDelete", {"id": match.id})
            return
        if len(match.players) == 2:
            task = asyncio.ensure_future(match.run())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            task.add_done_callback(lambda _: self.matches.pop(match.id, None))
        await self.stay(player, match)

    async def spectate(self, connection, wish):
        match = self.matches.get(wish["id"])
        if match is None or match.ended.is_set():
            trouble = 'Game "%s" does not exists' % wish["id"]
            return await self.reply(connection, "SpectateJoined", {"info": {"Err": trouble}})
        await self.reply(connection, "SpectateJoined", {"info": {"Ok": match.info()}})
        one = Participant("", connection)
        await match.watch(one)
        await self.stay(one, match)

    async def stay(self, one, match):
        """Takes what a participant sends until it leaves or the match is over."""
        try:
            while not match.ended.is_set():
                if self.pings:
                    await one.connection.send(ws.PING, b"still there?")
                kind, message = await one.connection.receive()
                if kind == ws.BINARY:
                    one.take(message)
        finally:
            one.leave()
            if not match.running and one in match.players:
                match.players.remove(one)
            if one in match.spectators:
                match.spectators.remove(one)

    async def history(self, connection, identity):
        """A stored match, in the binary encoding that it is sent in."""
        number = struct.Struct("<I").pack
        count = struct.Struct("<Q").pack

        def text(value):
            value = value if isinstance(value, bytes) else value.encode()
            return count(len(value)) + value

        if self.misbehaviour == "text-for-history":
            return await connection.send(ws.TEXT, b"PlayerA\nPlayerB\n")
        if identity not in self.stored:
            return await connection.send(ws.BINARY, number(20) + number(1) + number(0))
        _, players, past = self.stored[identity]
        answer = number(20) + number(0) + text(identity) + text("royalur") + count(1) + text("pace") + text("0ns")
        answer += count(len(players)) + b"".join(map(text, players)) + number(0) + text(past)
        if self.misbehaviour == "cut-history":
            answer = answer[:-3]
        await connection.send(ws.BINARY, answer)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="where to listen; 0 takes a free port")
    parser.add_argument("--seed", type=int, help="seed of seats, coins and cuts")
    parser.add_argument("--cut", type=int, default=0, metavar="N", help="cut game data into frames of up to N bytes")
    parser.add_argument("--empty-frames", type=int, default=0, metavar="N", help="empty frames before the end")
    parser.add_argument("--history-lacks", type=int, default=0, metavar="N", help="last lines that are not stored")
    parser.add_argument("--pings", action="store_true", help="ping before every message that is waited for")
    parser.add_argument("--until-eof", action="store_true", help="end with the standard input")
    parser.add_argument("--misbehave", choices=MISBEHAVIOURS, metavar="NAME", help=", ".join(MISBEHAVIOURS))
    options = parser.parse_args()
    server = Server(options)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", options.port)
    host, port = listener.sockets[0].getsockname()[:2]
    print(f"listening on {host}:{port}", flush=True)
    if options.until_eof:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    else:
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
