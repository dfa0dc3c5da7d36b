{
  printf '# urtext golden transcript 1\ndialect: code-colosseum\n[first]\n'
  cat seed/first.txt
  echo '[second]'
  cat seed/second.txt
} > golden.txt
urtext verify golden.txt seed/spectator.txt

urtext verify --together golden.txt seed/spectator.txt
