urtext replay seed/spectator.txt > expected
{ printf '# urtext golden transcript 1\ndialect: code-colosseum\n[spectator 1]\n'; cat seed/spectator.txt; } > golden.txt
urtext replay golden.txt | cmp - expected
urtext replay - < seed/spectator.txt | cmp - expected

# The last line of the recording is cut off.
{
  echo '{"urtext":"recording","version":3,"dialect":"code-colosseum","subject":null,"lanes":["spectator"],"scenario":null,"parameters":{}}'
  sed 's/.*/[1,{"line":{"lane":0,"dir":"received","text":"&"}}]/' seed/spectator.txt
  printf '[1,{"li'
} > game.jsonl
urtext replay game.jsonl > shown
echo "status $?"
cmp shown expected

urtext replay game.jsonl --json 2>/dev/null | tail -n 1
