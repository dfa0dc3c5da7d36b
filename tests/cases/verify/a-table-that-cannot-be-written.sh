urtext verify seed --rows missing/games.csv

urtext verify - --rows games.csv < seed/first.txt
