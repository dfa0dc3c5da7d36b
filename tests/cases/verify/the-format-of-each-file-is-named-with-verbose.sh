cp seed/spectator.txt a.txt
urtext replay seed/first.txt --to golden -o b.txt
{
  echo '{"urtext":"recording","version":3,"dialect":"code-colosseum","subject":null,"lanes":["spectator"],"scenario":null,"parameters":{}}'
  sed 's/.*/[1500000,{"line":{"lane":0,"dir":"received","text":"&"}}]/' seed/spectator.txt
} > c.jsonl
cp royalur-net/resigned.json d.json

urtext verify a.txt b.txt c.jsonl d.json

urtext verify --verbose a.txt b.txt c.jsonl d.json

urtext verify --together a.txt -v
