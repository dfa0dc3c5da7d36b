head -n 5 seed/spectator.txt > game.txt
urtext verify game.txt

urtext verify --complete game.txt
