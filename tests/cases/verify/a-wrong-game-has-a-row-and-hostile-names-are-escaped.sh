mkdir games
printf 'Dear reader,\n\nthis is a letter.\n' > games/letter.txt
sed '1,/^0$/s/^0$/6/' code-colosseum/spectator.received > games/wrong.txt
long=$(head -c 500 /dev/zero | tr '\0' x)
name=$(printf '=\033[31m\342\200\256')$long
sed "s/Alice/$name/" code-colosseum/spectator.received > games/hostile.txt
urtext verify games --rows games.csv | sed s/x*…/x…/

sed 's/xxx*/x…/' games.csv

# A long cell is cut: no line of the table has 600 characters.
awk 'length >= 600' games.csv
