: > empty
printf 'Dear reader,\n\nthis is\na letter.\n' > text
echo 3 > lone.sent
urtext verify empty text lone.sent missing

rm empty text lone.sent
echo '{"name": "x", "moves": [1, 2, 3]}' > record.json
printf '{\n"a":\n0\n}\n' > lines.json
printf '[\n1,\n0,\n2]\n' > list.json
echo '"hello"' > text.json
echo '{"complete": false, "player_1": {"tokens": [], "tokens_home": 1}}' > state.json
printf '[Event "x"]\n[White "A"]\n\n1. e4 e5\n' > game.pgn
printf '<html>\n<body>\n3\n' > page.html
printf 'scenario: x\ngame: royalur\n' > game.yaml
printf '\177ELF\0\0\n0\n1\n2\n' > program
printf '0 0 1 1\n3\n1 1 1 1\n0\n' > tail.txt
urtext verify record.json lines.json list.json text.json state.json game.pgn page.html game.yaml program tail.txt

for file in record.json lines.json list.json text.json state.json game.pgn page.html game.yaml program tail.txt; do
  urtext replay $file
  echo "status $?"
  urtext replay --to golden $file
  echo "status $?"
done 2>&1 | grep '^error\|^ *-->\|^status'

echo '{"name": "x"}' | urtext verify -

echo '[{"author": "A"}]' | urtext verify -
