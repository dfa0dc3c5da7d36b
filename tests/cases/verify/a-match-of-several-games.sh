# The line with the seat begins the next game, with and without an empty line before it.
cd onitama-judge
cat top.txt top.txt bottom.txt > ../top.txt
{ cat bottom.txt; echo; cat bottom.txt; printf '\n\n'; cat top.txt; } > ../bottom.txt
cd ..
urtext verify --complete top.txt

urtext verify --complete --together top.txt bottom.txt

# One lane lacks a game.
cat onitama-judge/top.txt onitama-judge/top.txt > top.txt
urtext verify --together top.txt onitama-judge/bottom.txt

# The lanes differ in the second game.
{ cat onitama-judge/bottom.txt; sed 's/Rabbit d5 e4/Boar d5 d4/' onitama-judge/bottom.txt; } > bottom.txt
urtext verify --together top.txt bottom.txt
