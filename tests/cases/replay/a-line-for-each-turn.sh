urtext replay seed/first.txt seed/second.txt --moves

urtext replay --lanes seed/first.txt seed/second.txt --at 2

urtext replay --moves --ascii onitama-judge/top.txt

{
  echo '{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}'
  awk '{print "{\"t\":" NR ".5,\"lane\":0,\"dir\":\"received\",\"line\":\"" $0 "\"}"}' seed/spectator.txt
} > game.jsonl
urtext replay --moves --times game.jsonl
