urtext run --list --suite royalur/referee/own-token --only no-such-scenario

urtext run --list --suite royalur/referee/extra-turn-cell-8 --only cell-8

urtext run --list --only ' '

urtext run --list --skip level:shall

urtext run --list --shard 5/4

suites() { for name in own-token extra-turn-cell-8 overshoot roll-0; do echo --suite royalur/referee/$name; done; }
urtext run --list $(suites) --only extra-turn-cell-8 --only ur/retire/overshoot

urtext run --suite onitama/referee --only example-of-the-page --shard 2/2
