sed s/RETIRE/2/ seed/spectator.txt > wrong.txt
head -n 5 seed/spectator.txt > short.txt
for file in seed/spectator.txt wrong.txt short.txt wrong.txt seed/spectator.txt; do cat $file; echo; done > games.txt
urtext verify games.txt
