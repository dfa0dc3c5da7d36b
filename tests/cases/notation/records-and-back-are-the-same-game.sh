urtext replay code-colosseum/spectator.received --to hc-ur -o game.json

urtext verify game.json

urtext replay game.json --to spectator -o game.txt

urtext verify game.txt

# Tokens may have other numbers: the squares are compared, and the rolls.
for turn in 0 1 50 100 163 164; do
  urtext replay code-colosseum/spectator.received --to state --at $turn > state
  urtext replay game.json --to state --at $turn | cmp - state
  urtext replay game.txt --to state --at $turn | cmp - state
done
grep '^. . . .$' code-colosseum/spectator.received > rolls
grep '^. . . .$' game.txt | cmp - rolls
wc -l < rolls

urtext replay game.json --to golden -o golden.txt
urtext verify golden.txt

urtext replay game.txt --to hc-ur | cmp - game.json
