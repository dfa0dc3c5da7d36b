# The second game is cut off after the third move, as each player saw it.
{ cat onitama-judge/top.txt; grep -v '^>' onitama-judge/top.txt | head -n 6; } > top.txt
{ cat onitama-judge/bottom.txt; echo; grep -v '^>' onitama-judge/bottom.txt | head -n 6; } > bottom.txt
urtext replay top.txt bottom.txt --game-number 2 --at 3

urtext replay top.txt bottom.txt --game-number 1 --at 18

urtext replay top.txt bottom.txt --game-number 3

urtext replay top.txt bottom.txt --at 0
