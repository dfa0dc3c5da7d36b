# Scenarios that wait for what chance brings, against referees that take neither rolls nor a deal.
cp $cases/run/_whoever.yaml whoever.yaml
only '^8 scenarios: .*' urtext run whoever.yaml $free_ur

cp $cases/run/_invalid.yaml invalid.yaml
only '^12 scenarios: .*' urtext run invalid.yaml $free_onitama

# A judge that deals the same game every time is told from one that does not.
cp $cases/run/_invalid.yaml invalid.yaml
only '[0-9]+ games of chance.*' urtext run invalid.yaml $free_onitama --seed 5

# What a scenario forces is left to chance there: the point of each is waited for.
plays() { for name in "$@"; do echo "--suite $name"; done; }
only '[0-9]+ scenarios by chance.*|^4 scenarios: .*' urtext run --no-diagnosis \
  $(plays royalur/referee/own-token royalur/referee/half-a-line-then-the-rest royalur/referee/extra-turn-cell-8 royalur/referee/second-player-wins) $free_ur

plays() { for name in "$@"; do echo "--suite $name"; done; }
only '[0-9]+ scenarios by chance.*|^3 scenarios: .*' urtext run --no-diagnosis \
  $(plays onitama/referee/blanks onitama/referee/in-pieces onitama/referee/top-reaches-the-temple) $free_onitama

# What never comes up is inconclusive after so many games.
cp $cases/run/_never.yaml never.yaml
only '`first can win` did not come up in 10 turns|so it was in each of 3 games' urtext run never.yaml

# A budget ends the wait for it.
only 'so it was in .*' urtext run never.yaml --budget wait=1ns

# A turn that chance brings, and then leaves no such move.
sed 's/first can win, within 10 turns/first cannot move, within 9000 turns/; s/first: any/mover: any/' never.yaml > over.yaml
only 'as the game went, no move of the kind `win` is possible here' urtext run over.yaml

# A fault shows in the game that brings its situation, and the recording of that game is judged as it was.
only 'fail\[oni/invalid/own-piece\]|the referee behaves as if a piece could capture an own one' \
  urtext run invalid.yaml#top-own-piece $free_onitama --fault captures-own-piece

only 'fail\[ur/retire/own-token\]' urtext run --no-diagnosis --record games --suite royalur/referee/own-token $free_ur --fault stacking
only 'fail\[ur/retire/own-token\]' urtext verify games/*

only 'fail\[oni/cards/rotate\]|^1 scenario: .*' urtext run --no-diagnosis --suite onitama/referee/invalid-used-card $free_onitama --fault card-not-rotated

# Names that a referee does not take are left out, and the recording is judged so.
only '^1 scenario: .*' urtext run --record named --suite royalur/referee/odd-names $free_ur
only '^1 game.*' urtext verify named
