urtext replay code-colosseum/spectator.received --at 164

urtext replay seed/spectator.txt --at 9

urtext replay onitama-judge/top.txt --at 18

# Before the last turn, one player is.
urtext replay code-colosseum/spectator.received --at 163
