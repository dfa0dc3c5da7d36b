sed 's/0 1 0 0/0 0 1 0/' seed/spectator.txt > other.txt
urtext verify --together seed/first.txt seed/second.txt other.txt

head -n 18 seed/spectator.txt > short.txt
urtext verify --together seed/first.txt seed/second.txt short.txt
