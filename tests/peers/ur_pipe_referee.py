"""A referee for one game of the Royal Game of Ur on named pipes that are there already: one for each direction of each player.

`--first IN OUT` and `--second IN OUT` name the pipe that the referee reads and the one that it writes; `--watch OUT…` those of spectators.
`--order` is the order in which it opens them; opening waits for the other side, one pipe after the other.
Exit status: 0 after a game, 2 for a faulty command line.
"""

import os
import sys

from ur_streams import Stream, conduct, parser, with_rolls

ORDERS = {
    "inputs": "what it reads before what it writes, players first",
    "outputs": "what it writes before what it reads, players first",
    "backwards": "everything from the last spectator's to the first player's input",
}


def main():
    arguments = parser(__doc__.splitlines()[0])
    add = arguments.add_argument
    add("--first", nargs=2, required=True, metavar=("IN", "OUT"), help="the pipes of the first player")
    add("--second", nargs=2, required=True, metavar=("IN", "OUT"), help="the pipes of the second player")
    add("--watch", nargs="*", default=[], metavar="OUT", help="the pipes of the spectators")
    add("--order", choices=ORDERS, default="inputs", help="in which order the pipes are opened; default inputs")
    options = with_rolls(arguments.parse_args())
    players = [options.first, options.second]
    inputs = [(path, os.O_RDONLY) for path, _ in players]
    outputs = [(path, os.O_WRONLY) for _, path in players] + [(path, os.O_WRONLY) for path in options.watch]
    pipes = outputs + inputs if options.order == "outputs" else inputs + outputs
    if options.order == "backwards":
        pipes.reverse()
    opened = {path: os.open(path, flags) for path, flags in pipes}
    streams = [Stream(opened[source], opened[target]) for source, target in players]
    watchers = [Stream(None, opened[path]) for path in options.watch]
    conduct(streams, watchers, options)
    for stream in streams + watchers:
        stream.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
