for name in '{"name": "x"}' '[1, 2]' '[Event "x"]' '1. FC' '<html>' '#!x' 'scenario: x' '"q"' ''; do
  for lane in spectator second; do
    { printf '%s\n' "$name"; tail -n +2 seed/$lane.txt; } > game.txt
    urtext verify game.txt
  done
done

{ printf '\001\000\n'; tail -n +2 seed/second.txt; } > game.txt
urtext verify game.txt
