urtext replay code-colosseum/spectator.received --to hc-ur 2>/dev/null > game.json
cat > with.sh <<'END'
# Judges the first records of the game, and after them one more, by this author.
{ head -n $(($1 + 1)) game.json | sed '$s/,$//'; echo ", {\"author\": \"$2\", \"move_type\": $3, \"roll\": 1}]"; } > longer.json
urtext verify longer.json 2>&1 | head -n 3
END
create='{"CreateToken": {"distance": 1}}'
# Bob has won.
sh with.sh 164 Alice "$create"
sh with.sh 164 Alice '{"MoveToken": {"from": {"x": 4, "y": 2}, "distance": 1}}'
# One record before that, and where all of his tokens are on the board.
sh with.sh 163 Bob "$create"
sh with.sh 103 Bob "$create"
