"""A referee for one game of the Royal Game of Ur that starts its players, and spectators too, and talks to them over pipes.

A player is a command: `--bot COMMAND`, quoted as in a shell, given twice; or the words of both commands after `--`, with a word `::` between
them. Exit status: 0 after a game, 2 for a faulty command line.
"""

import shlex
import subprocess
import sys

from ur_streams import Stream, conduct, parser, with_rolls


def start(words):
    """Starts a program; our ends of its standard streams, and the process."""
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return process, Stream(process.stdout.fileno(), process.stdin.fileno())


def end(process):
    """Waits for the end of a program whose streams have ended, for a while."""
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def commands(options, arguments):
    """The words of both players' commands."""
    if options.words:
        border = options.words.index("::") if "::" in options.words else 0
        return [options.words[:border], options.words[border + 1 :]]
    if len(options.bot) != 2:
        arguments.error("--bot has to be given twice, or two commands after --")
    return [shlex.split(bot) for bot in options.bot]


def main():
    arguments = parser(__doc__.splitlines()[0])
    arguments.add_argument("--bot", action="append", default=[], metavar="COMMAND", help="a player's command")
    arguments.add_argument("--watcher", action="append", default=[], metavar="COMMAND", help="a spectator's command")
    arguments.add_argument("words", nargs="*", help="the words of both players' commands, with :: between them")
    options = with_rolls(arguments.parse_args())
    # The second player is started first: a seat is what the handshake says, not who comes first.
    second, first = [start(words) for words in reversed(commands(options, arguments))]
    watchers = [start(shlex.split(watcher)) for watcher in options.watcher]
    conduct([first[1], second[1]], [stream for _, stream in watchers], options)
    everybody = [first, second] + watchers
    for _, stream in everybody:
        stream.close()
    for process, _ in everybody:
        end(process)
    return 0


if __name__ == "__main__":
    sys.exit(main())
