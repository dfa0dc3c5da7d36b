# A word that is no move.
sed '17s/4/7/' seed/spectator.txt > game.txt
urtext verify game.txt

# A roll in the place of a move.
sed 10d seed/spectator.txt > game.txt
urtext verify game.txt

# A roll in the place of a move, in the lane of a player.
sed 7d seed/second.txt > game.txt
urtext verify game.txt

# A line after the end of the game.
{ cat seed/spectator.txt; echo 0 0 1 1; } > game.txt
urtext verify game.txt

# CR LF at the end of a line.
sed 's/^0 0 1 1$/&\r/' seed/spectator.txt > game.txt
urtext verify game.txt

# A line as long as a file.
sed "s/RETIRE/$(head -c 100000 /dev/zero | tr '\0' R)/" seed/spectator.txt > game.txt
urtext verify game.txt
