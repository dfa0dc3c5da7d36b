mkdir -p games/code-colosseum games/seed
cp code-colosseum/* games/code-colosseum
mkdir games/json && cp royalur-net/captured.json games/json/game.json
cp seed/* games/seed
mkdir games/two && { cat seed/spectator.txt; echo; cat seed/spectator.txt; } > games/two/two.txt
urtext verify games --together --rows games.csv

cat games.csv

urtext verify games --together --rows one-thread.csv --jobs 1 > summary
cmp games.csv one-thread.csv

urtext verify --together seed/first.txt seed/second.txt seed/spectator.txt --rows together.csv && tail -n 1 together.csv
