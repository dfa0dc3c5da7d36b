urtext replay seed/first.txt seed/second.txt --moves

urtext replay --lanes seed/first.txt seed/second.txt --at 2

urtext replay --moves --ascii onitama-judge/top.txt

{
  echo '{"urtext":"recording","version":3,"dialect":"code-colosseum","subject":null,"lanes":["spectator"],"scenario":null,"parameters":{}}'
  awk '{print "[" NR "500000,{\"line\":{\"lane\":0,\"dir\":\"received\",\"text\":\"" $0 "\"}}]"}' seed/spectator.txt
} > game.jsonl
urtext replay --moves --times game.jsonl
