"""What the tests of the Onitama peers share: a judge as a process, with both players connected, and a few known games."""

import re

from peer_processes import HERE, PATIENCE, PeerTest

CAPTURED_GAME = HERE.parent / "data" / "onitama-judge"

# The deal of the specification's example.
DEAL = "Cobra,Eel,Crab,Rabbit,Tiger"

# With that deal, Top starting: Top's Master reaches c5; Top takes Bottom's Master.
TEMPLE_GAME = ("Cobra c1 b2", "Crab a5 a4", "Eel b2 c3", "Cobra c5 d4", "Tiger c3 c5")
CAPTURE_GAME = ("Cobra d1 c2", "Crab c5 c4", "Tiger c2 c4")


class JudgeTest(PeerTest):
    """Starts the judge, and checks how its games end."""

    def start_judge(self, *arguments, env=()):
        """A judge without players: (process, the address of the players)."""
        # Whoever runs the tests may have forced a deal of their own.
        env = {"ONI_DEAL": "", "ONI_STARTER": "", **dict(env)}
        process = self.start("oni_judge.py", *arguments, env=env, **self.pipes)
        match = re.fullmatch(r"listening players=(\S+)\n", process.stdout.readline())
        return process, match[1]

    def start_game(self, *arguments, starter="Top"):
        """A judge with the deal of the specification and both players past the greeting: (process, top, bottom)."""
        process, address = self.start_judge("--deal", DEAL, "--starter", starter, *arguments)
        players = [self.connect(address), self.connect(address)]
        for side, player in zip(("Top", "Bottom"), players):
            greeting = [f"You are {side}\n", f"Cards: {DEAL}\n", f"{starter} starts\n"]
            self.assertEqual(player.read_lines(3), [line.encode() for line in greeting])
        return process, *players

    def play(self, players, moves):
        """Top starts; each move comes back to both players."""
        for number, move in enumerate(moves):
            line = move.encode() + b"\n"
            players[number % 2].send(line)
            for player in players:
                self.assertEqual(player.read_line(), line)

    def assert_ended(self, process, end, *players):
        """Nothing more comes for these players, the judge says how the game ended, and ends well."""
        for player in players:
            self.assertEqual(player.rest(), b"")
            player.hang_up()
        self.assertEqual(process.stdout.read(), f"ended {end}\n")
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(process.stderr.read(), "")
