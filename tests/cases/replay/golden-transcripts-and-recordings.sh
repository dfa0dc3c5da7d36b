urtext replay seed/spectator.txt > expected
{ printf '# urtext golden transcript 1\ndialect: code-colosseum\n[spectator 1]\n'; cat seed/spectator.txt; } > golden.txt
urtext replay golden.txt | cmp - expected
urtext replay - < seed/spectator.txt | cmp - expected

# The last line of the recording is cut off.
{
  echo '{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}'
  sed 's/.*/{"t":0.000001,"lane":0,"dir":"received","line":"&"}/' seed/spectator.txt
  printf '{"t":'
} > game.jsonl
urtext replay game.jsonl > shown
echo "status $?"
cmp shown expected

urtext replay game.jsonl --json 2>/dev/null | tail -n 1
