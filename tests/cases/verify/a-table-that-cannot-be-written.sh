urtext verify seed --rows seed/first.txt/games.csv

# A missing folder is made.
urtext verify seed/first.txt --rows missing/games.csv > /dev/null; test -s missing/games.csv

urtext verify - --rows games.csv < seed/first.txt
