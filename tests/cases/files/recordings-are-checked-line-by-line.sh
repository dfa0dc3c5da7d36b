echo '{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"player"}],"scenario":null,"parameters":{}}' > r.jsonl
echo '{"t":0.5,"lane":0,"dir":"received","line":"A"}' >> r.jsonl
urtext check r.jsonl

printf '{"t":0.25,"alarm":true}\n{"t":9' >> r.jsonl
urtext check r.jsonl

sed '1s/"version":1/"version":9/' r.jsonl > other.jsonl
urtext check other.jsonl
