sed s/RETIRE/2/ seed/spectator.txt > game.txt
urtext verify game.txt
