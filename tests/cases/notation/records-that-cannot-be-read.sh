{ printf '[{game: '; head -c 1048576 /dev/zero | tr '\0' '['; } > deep.json
urtext verify deep.json 2>&1 | cut -c 1-100

{ printf '['; head -c 5242880 /dev/zero | tr '\0' ' '; } > large.json
urtext verify large.json

echo '[{author: 1}]' > game.json
urtext replay game.json --to hc-ur

echo '[{author: "A", move_type: {CreateToken: {distance: 3}}}]' | urtext verify - --dialect hc-ur

# Records name their players.
printf 'Bob\nBob\n0 0 1 1\n3\n' > same.txt
urtext replay same.txt --to hc-ur
