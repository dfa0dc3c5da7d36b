printf 'A\342\200\256\nB\n' > game.txt
urtext verify game.txt

# Cut off in the handshake: there is nothing to judge, and nothing to show.
printf 'PlayerA' > 1.txt
printf 'PlayerA\nPlay' > 2.txt
printf 'PlayerA\nPlayerB\n0' > 3.txt
printf 'You are T' > 4.txt
printf 'You are Top\nCards: Cob' > 5.txt
for file in [1-5].txt; do
  urtext verify $file
  echo "status $?"
  urtext replay $file 2>&1
  echo "status $?"
done
