cat > game.sh <<'END'
# Judges a game of these states, with a change of the file.
settings='"board_shape": "standard", "paths": "bell", "dice": "four_binary", "start_pieces": 7,
  "safe_rosettes": true, "rosettes_grant_rolls": true, "captures_grant_rolls": false'
printf '{"notation_version": 2,\n"settings": {%s},\n"states": [\n%s\n]}' "$settings" "$1" | sed "${2:-}" > game.json
urtext verify game.json 2>&1 | head -n 4
END
first='{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2}}'
while read -r states; do
  echo "# $states"
  sh game.sh "$states"
done <<END
$first, $first
{"type":"move","turn":"L","roll":{"value":3},"move":{"dest":2}}
{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2,"captured":-2}}
{"type":"move","turn":"L","roll":{"value":5},"move":{"dest":2}}
{"type":"move","turn":"L","roll":{"value":2},"move":{"src":-128,"dest":127}}
{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":200}}
{"type":"roll","turn":"L","roll":{"value":2},"moves":[]}
{"type":"move","turn":"X","roll":{"value":2},"move":{"dest":2}}
{"type":"move","turn":"L","roll":{"value":2},"move":{}}
{"type":"move","turn":"D","roll":{"value":2},"move":{"dest":2}}
$first, {"type":"win","winner":"L"}
{"type":"leap"}
$first, 7
END
for change in 's/bell/masters/; s/four_binary/three_binary_0eq4/' 's/: 7,/: 5,/' 's/"safe_rosettes": true,//' 's/version": 2/version": 1/' \
  's/"states"/"initial_state": {"board": {"pieces": {"A4": 1}}},\n"states"/' '$s/$/x/' 's/]}//'; do
  echo "# $change"
  sh game.sh "$first" "$change"
done
echo '{"notation_version": 2}' > game.json
urtext verify game.json 2>&1 | head -n 4
