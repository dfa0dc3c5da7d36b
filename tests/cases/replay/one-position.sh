urtext replay code-colosseum/spectator.received --at 100

urtext replay code-colosseum/spectator.received --at 165

urtext replay seed/first.txt --at -1 2>&1 | head -n 1
