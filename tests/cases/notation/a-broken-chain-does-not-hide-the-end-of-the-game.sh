urtext replay code-colosseum/spectator.received --to hc-ur 2>/dev/null | sed '6s/"previous_move":"[^"]*"/"previous_move":"nowhere"/' > game.json
urtext verify game.json

urtext replay game.json --moves | tail -n 1

# Broken at each record.
record='{"author": "A", "previous_move": "x", "move_type": {"CreateToken": {"distance": 9}}}'
{ echo '['; yes "$record," | head -n 39999; echo "$record"; echo ']'; } > game.json
urtext verify game.json > said
echo "status $?"
grep -c '^fail\[hc/chain/no-fork' said
tail -n 3 said
