urtext verify royalur-net/captured.json

urtext replay --moves royalur-net/captured.json | tail -n 1

for turn in 0 1 50 100 163 164; do
  urtext replay code-colosseum/spectator.received --to state --at $turn > state
  urtext replay royalur-net/captured.json --to state --at $turn | cmp - state
done

urtext verify - --dialect royalur-json < royalur-net/captured.json

urtext verify - < royalur-net/captured.json 2>&1 | sed 's/{.*/{…/'

# The notation is read, and not written.
urtext replay code-colosseum/spectator.received --to royalur-json

# A game by other rules.
sed 's/"bell"/"masters"/' royalur-net/captured.json > masters.json
urtext verify masters.json
urtext replay masters.json
urtext replay masters.json --to golden

# A resignation is a loss before the end.
urtext verify royalur-net/resigned.json

urtext replay royalur-net/resigned.json --to hc-ur

urtext replay royalur-net/captured.json --to golden -o golden.txt
