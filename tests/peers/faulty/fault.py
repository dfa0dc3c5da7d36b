"""Starts an honest peer with one fault: `--fault NAME` picks it from the table of the program."""

import os
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(faults, main):
    """Applies the fault that the command line names, and runs the peer with the other arguments."""
    at = sys.argv.index("--fault")
    name = sys.argv[at + 1]
    del sys.argv[at : at + 2]
    faults[name]()
    sys.exit(main())
