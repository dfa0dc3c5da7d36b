"""A referee that runs all the time and plays one game of the Royal Game of Ur after the other, on the loopback interface.

Prints `listening players=127.0.0.1:PORT spectators=127.0.0.1:PORT`, and for each game `game N began` and `game N ended`. A connection
that comes while a game goes on is turned away, which is printed as well. A game goes on until all its connections are closed.

Exit status: 0 after the last game or at the end of the standard input, 2 for a faulty command line.
"""

import argparse
import asyncio
import os
import random
import signal
import sys

from ur_referee import HOST, Lane, Referee, bounded


class Server:
    """One table: two players, and so many spectators."""

    def __init__(self, options):
        self.options = options
        self.coins = random.Random(options.seed)
        self.players = []
        self.spectators = []
        self.is_full = asyncio.Event()
        self.is_busy = False
        self.turned_away = 0
        # How many connections are still turned away before the next game.
        self.unwilling = 0
        self.waiting = []
        # The position at the end of the last game, where it is kept by mistake.
        self.last = None
        self.doors = []
        self.ports = [options.port, options.spectator_port]

    async def open(self):
        """Listens for players and for spectators."""
        loop = asyncio.get_running_loop()
        for place, table in enumerate([self.players, self.spectators]):
            server = await loop.create_server(lambda table=table: Lane(lambda lane: self.arrive(lane, table)), HOST, self.ports[place])
            self.doors.append(server)
            self.ports[place] = server.sockets[0].getsockname()[1]

    async def shut(self):
        """Listens no more."""
        for server in self.doors:
            server.close()
        self.doors.clear()

    def arrive(self, lane, table):
        if self.is_busy or self.unwilling > 0:
            if self.options.busy == "silent":
                self.waiting.append((lane, table))
                return
            self.unwilling = max(self.unwilling - 1, 0)
            self.turned_away += 1
            print("turned away", flush=True)
            lane.transport.close()
            return
        self.seat(lane, table)

    def seat(self, lane, table):
        most = 2 if table is self.players else self.options.spectators
        if len(table) < most:
            table.append(lane)
        else:
            lane.transport.close()
        if len(self.players) == 2 and len(self.spectators) == self.options.spectators:
            self.is_full.set()

    async def play(self, number):
        """Waits until everybody is there, and plays one game."""
        await self.is_full.wait()
        self.is_busy = True
        print(f"game {number} began", flush=True)
        if self.options.busy == "refuse":
            await self.shut()
        for spectator in self.spectators:
            spectator.discard_input()
        options = argparse.Namespace(**vars(self.options), variant=None, rolls=[])
        options.seed = self.coins.randrange(2**32)
        referee = Game(self.players, self.spectators, options, self.break_in(number), self)
        # "At the beginning of the game both players will receive 3 lines"
        await referee.greet(["PlayerA", "PlayerB"])
        await referee.play()
        lanes = self.players + self.spectators
        await asyncio.sleep(self.options.linger)
        await asyncio.gather(*(lane.close() for lane in lanes))
        print(f"game {number} ended", flush=True)
        self.players.clear()
        self.spectators.clear()
        self.is_full.clear()
        self.unwilling = self.options.turn_away
        if self.options.busy == "refuse":
            await asyncio.sleep(self.options.linger)
            await self.open()
        self.is_busy = False
        waiting, self.waiting = self.waiting, []
        for lane, table in waiting:
            self.seat(lane, table)

    def break_in(self, number):
        """What happens in the middle of this game instead of a roll."""
        if number == self.options.die_in:
            return lambda: os._exit(7)
        if number == self.options.stop_in:
            return lambda: os.kill(os.getpid(), signal.SIGSTOP)
        return None


class Game(Referee):
    """A game in whose fourth turn the referee can break off, and which may begin with something that is left of the last one."""

    def __init__(self, players, spectators, options, break_off, server):
        super().__init__(players, spectators, options)
        self.turns = 0
        self.break_off = break_off
        self.server = server

    def new_game(self):
        game, last = super().new_game(), self.server.last
        if last is not None and self.server.options.keep in ("board", "position"):
            game.cells = last.cells
        if last is not None and self.server.options.keep in ("turn", "position"):
            game.turn = last.turn
        self.server.last = game
        return game

    def roll(self):
        self.turns += 1
        if self.turns == 4 and self.break_off:
            self.break_off()
        return super().roll()


async def serve(options):
    server = Server(options)
    await server.open()
    print(f"listening players={HOST}:{server.ports[0]} spectators={HOST}:{server.ports[1]}", flush=True)
    for number in range(1, options.games + 1):
        await server.play(number)


async def main():
    parser = argparse.ArgumentParser(description="A referee that plays one game of the Royal Game of Ur after the other.")
    port, count = bounded(int, 0, 65535), bounded(int, 0, 1000)
    seconds = bounded(float, 0, 1e6)
    add = parser.add_argument
    add("--port", type=port, default=0, help="port for the players; 0, the default, takes a free one")
    add("--spectator-port", type=port, default=0, help="port for the spectators; 0, the default, takes a free one")
    add("--spectators", type=count, default=0, metavar="N", help="spectators to wait for; default 0")
    add("--games", type=count, default=1000, metavar="N", help="games to play; default 1000")
    add("--seed", type=int, default=1, metavar="N", help="seed of the coins")
    add("--timeout", type=seconds, default=90.0, metavar="SECONDS", help="for one move; default 90")
    add("--pace", type=seconds, default=0.0, metavar="SECONDS", help="between turns; default 0")
    add("--linger", type=seconds, default=0.0, metavar="SECONDS", help="from the end of a game to the end of its connections; default 0")
    busy = ["close", "refuse", "silent"]
    add("--busy", choices=busy, default="close", help="what becomes of connections while a game goes on; default close")
    add("--turn-away", type=count, default=0, metavar="N", help="connections that are closed at once after each game; default 0")
    add("--keep", choices=["board", "turn", "position"], help="keep this of the last game by mistake")
    add("--die-in", type=count, default=0, metavar="N", help="the game in which the process ends, with exit status 7")
    add("--stop-in", type=count, default=0, metavar="N", help="the game in which the process stops by SIGSTOP")
    options = parser.parse_args()
    # Whoever has started this holds the other end.
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    serving = asyncio.ensure_future(serve(options))
    await asyncio.wait([ended, serving], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
