sed 15s/0/7/ seed/spectator.txt > game.txt
urtext replay game.txt --moves

urtext replay game.txt 2>/dev/null | tail -n 12
