"""A player in a match on a Code Colosseum server: joins a match, or creates one, and lets a bot play it to the end.

The bot is a command: its standard input and output become the player's lane. Without a command it is `ur_bot.py`.
Exit status: 0 after the end of the match; 1 if the match or the bot broke off; 2 if the server refused, with its words on standard error.
"""

import argparse
import asyncio
import json
import pathlib
import sys

import coco_websocket as ws

UR_BOT = str(pathlib.Path(__file__).with_name("ur_bot.py"))
PIPE = asyncio.subprocess.PIPE


class Refused(Exception):
    """The server will not do what it was asked for."""


async def ask(connection, name, content):
    """The content of the answer to a request."""
    await connection.send(ws.TEXT, json.dumps({name: content}).encode())
    _, message = await connection.receive()
    ((_, answer),) = json.loads(message).items()
    return answer


def granted(result):
    """What the server grants; a refusal is an error in its own words."""
    if "Err" in result:
        raise Refused(result["Err"])
    return result["Ok"]


async def create(connection, options):
    """The id of a new match."""
    wish = {
        "name": options.title,
        "game": options.game,
        "params": {"players": None, "bots": options.bots, "timeout": options.timeout},
        "args": {} if options.pace is None else {"pace": options.pace},
        "password": options.password,
        "verification": None,
    }
    answer = await ask(connection, "GameNew", wish)
    return granted(answer["id"])


async def carry_moves(bot, connection):
    """Carries what the bot writes into the match. A bot that failed leaves it, one that has ended well stays to its end."""
    while True:
        data = await bot.stdout.read(1 << 16)
        if not data:
            break
        await connection.send(ws.BINARY, data)
    if await bot.wait() != 0:
        connection.abort()


async def carry_game(connection, bot):
    """Carries the game to the bot, from `MatchStarted` to `MatchEnded`."""
    while True:
        kind, message = await connection.receive()
        if kind == ws.BINARY:
            bot.stdin.write(message)
            continue
        ((name, _),) = json.loads(message).items()
        if name == "MatchEnded":
            return
        if name == "LobbyDelete":
            raise ws.Gone("the match expired in the lobby")


async def play(connection, command):
    """Lets the bot play the match: its exit status."""
    bot = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    moves = asyncio.ensure_future(carry_moves(bot, connection))
    try:
        await carry_game(connection, bot)
    finally:
        bot.stdin.close()
        await moves
    return bot.returncode


async def take_part(options):
    """One match: the bot's exit status."""
    host, port = options.server.rsplit(":", 1)
    connection = await ws.Connection.open(host, int(port))
    try:
        await ask(connection, "Handshake", {"magic": "coco", "version": 2})
        match = options.match
        if match is None:
            match = await create(connection, options)
            print(match, flush=True)
        wish = {"id": match, "name": options.name, "password": options.password}
        answer = await ask(connection, "LobbyJoinMatch", wish)
        granted(answer["info"])
        return await play(connection, options.command or [sys.executable, UR_BOT, "--policy", "random"])
    finally:
        connection.abort()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", metavar="HOST:PORT", help="the server")
    parser.add_argument("--name", required=True, help="the name of the player")
    parser.add_argument("--match", metavar="ID", help="the match to join; without it, creates one and prints its id")
    parser.add_argument("--password", metavar="WORD", help="the password of the match")
    parser.add_argument("--title", default="a match", help="title of a new match")
    parser.add_argument("--game", default="royalur", metavar="NAME", help="game of a new match, as the server calls it")
    parser.add_argument("--bots", type=int, default=0, metavar="N", help="players of the server in a new match")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="timeout of a new match")
    parser.add_argument("--pace", metavar="SECONDS", help="pace of a new match")
    parser.usage = "coco_client.py HOST:PORT --name NAME [options] [-- COMMAND...]"
    # The command has options of its own, which argparse would take for ours.
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.command = words[end + 1 :]
    try:
        return 1 if asyncio.run(take_part(options)) else 0
    except Refused as refusal:
        print(f"coco_client: {refusal}", file=sys.stderr)
        return 2
    except (ws.Gone, ConnectionError) as error:
        print(f"coco_client: the server or the bot broke the match off: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
