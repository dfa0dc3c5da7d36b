urtext verify seed --rows seed/first.txt/games.csv

# A missing folder is made.
urtext verify seed/first.txt --rows missing/games.csv > /dev/null; test -s missing/games.csv

urtext verify - --rows games.csv < seed/first.txt

# `-` is standard output, and has nothing else.
urtext verify seed/first.txt --rows -

urtext replay seed/first.txt --html - | head -n 1

urtext replay seed/first.txt --to spectator -o - | cmp - seed/spectator.txt

urtext record -o - -- true 2>&1 | head -n 1
