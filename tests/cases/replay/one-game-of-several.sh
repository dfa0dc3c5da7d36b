{ cat seed/spectator.txt; echo; sed s/PlayerA/Ann/ seed/spectator.txt; } > game.txt
urtext replay game.txt --at 0

urtext replay game.txt --at 0 --game-number 2

urtext replay game.txt --game-number 3

urtext replay seed/first.txt seed/second.txt --game-number 2
