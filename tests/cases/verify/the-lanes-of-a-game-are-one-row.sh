mkdir -p games/code-colosseum games/seed
cp code-colosseum/* games/code-colosseum
cp royalur-net/captured.json games/code-colosseum/game.json
cp seed/* games/seed
{ cat seed/spectator.txt; echo; cat seed/spectator.txt; } > games/two.txt
urtext verify games --rows games.csv

cat games.csv

urtext verify games --rows one-thread.csv --jobs 1 > summary
cmp games.csv one-thread.csv

urtext verify --together seed/first.txt seed/second.txt seed/spectator.txt --rows together.csv && tail -n 1 together.csv
