head -n 5 seed/spectator.txt > game.txt
urtext verify game.txt

urtext verify --complete game.txt

# So is the game of a recorded scenario.
urtext run --suite royalur/bot/first-seat --record games > /dev/null 2>&1; urtext verify --complete games | head -n 3
