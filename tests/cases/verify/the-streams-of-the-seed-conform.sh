urtext verify seed/first.txt seed/second.txt seed/spectator.txt

urtext verify --together seed/first.txt seed/second.txt seed/spectator.txt
