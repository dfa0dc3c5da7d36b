"""The dialogue by pexpect, over pipes: python3 baseline.py TURNS COMMAND...

Prints the seconds from the start to the last answer.
"""

import sys
import time

from pexpect.popen_spawn import PopenSpawn

turns, command = int(sys.argv[1]), sys.argv[2:]
began = time.monotonic()
subject = PopenSpawn(command, timeout=20)
for _ in range(turns):
    subject.send("0 1 1 0\n")
    subject.expect_exact("3\n")
print(time.monotonic() - began)
