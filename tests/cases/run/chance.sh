# Scenarios that wait for what chance brings, against referees that take neither rolls nor a deal.
only '^8 scenarios: .*' urtext run --suite royalur/referee/adaptive-whoever $free_ur

only '^12 scenarios: .*' urtext run --suite onitama/referee/adaptive-invalid $free_onitama

# What needs an exact deal or rolls is unsupported there.
only 'it forces .* takes none' urtext run --suite royalur/referee/own-token $free_ur

only 'it forces .* takes none' urtext run --suite onitama/referee/blanks $free_onitama

# What never comes up is inconclusive after so many games.
never() { printf 'scenario: t\ngame: royalur\nsubject: referee\nattempts: 3\nchecks: [ur/win/seven-out]\nturns:\n  - play: until %s, within %s turns\n  - %s: any win\n' "$@"; }
never 'first can win' 10 first > never.yaml
never 'first cannot move' 9000 mover > over.yaml
only '`first can win` did not come up in 10 turns|so it was in each of 3 games' urtext run never.yaml

only 'as the game went, there is no move for `mover: any win`' urtext run over.yaml

# A fault shows in the game that brings its situation.
only 'fail\[oni/invalid/own-piece\]|the referee behaves as if a piece could capture an own one' \
  urtext run --suite onitama/referee/adaptive-invalid#top-own-piece $free_onitama --fault captures-own-piece
