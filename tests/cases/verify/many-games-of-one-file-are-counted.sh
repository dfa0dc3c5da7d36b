{
  for number in $(seq 30); do cat seed/spectator.txt; echo; done
  sed s/RETIRE/2/ seed/spectator.txt
  printf '\n\n\n'
  cat seed/spectator.txt
} > games.txt
urtext verify games.txt

for number in $(seq 30); do cat seed/spectator.txt; echo; done > part.txt
for number in $(seq 40); do cat part.txt; done | urtext verify -
