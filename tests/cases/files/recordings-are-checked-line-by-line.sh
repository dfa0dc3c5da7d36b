echo '{"urtext":"recording","version":3,"dialect":"code-colosseum","subject":null,"lanes":["player"],"scenario":null,"parameters":{}}' > r.jsonl
echo '[500000,{"line":{"lane":0,"dir":"received","text":"A"}}]' >> r.jsonl
urtext check r.jsonl

printf '[250000,"alarm"]\n[9' >> r.jsonl
urtext check r.jsonl

sed '1s/"version":3/"version":9/' r.jsonl > other.jsonl
urtext check other.jsonl
