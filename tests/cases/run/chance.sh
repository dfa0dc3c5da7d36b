# Scenarios that wait for what chance brings, against referees that take neither rolls nor a deal.
only '^8 scenarios: .*' urtext run --suite royalur/referee/adaptive-whoever $free_ur

only '^12 scenarios: .*' urtext run --suite onitama/referee/adaptive-invalid $free_onitama

# What needs an exact deal or rolls is unsupported there.
only 'it forces .* takes none' urtext run --suite royalur/referee/own-token $free_ur

only 'it forces .* takes none' urtext run --suite onitama/referee/blanks $free_onitama

# What never comes up is inconclusive after so many games.
cp $cases/run/_never.yaml never.yaml
only '`first can win` did not come up in 10 turns|so it was in each of 3 games' urtext run never.yaml

# A turn that chance brings, and then leaves no such move.
sed 's/first can win, within 10 turns/first cannot move, within 9000 turns/; s/first: any/mover: any/' never.yaml > over.yaml
only 'as the game went, there is no move for `mover: any win`' urtext run over.yaml

# A fault shows in the game that brings its situation.
only 'fail\[oni/invalid/own-piece\]|the referee behaves as if a piece could capture an own one' \
  urtext run --suite onitama/referee/adaptive-invalid#top-own-piece $free_onitama --fault captures-own-piece
