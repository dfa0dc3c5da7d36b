urtext replay seed/first.txt > first
urtext replay seed/spectator.txt | cmp - first

# The player who lost knows the reason.
urtext replay seed/second.txt > second
urtext replay seed/first.txt seed/second.txt seed/spectator.txt | cmp - second

urtext replay code-colosseum/alice.received > alice
urtext replay code-colosseum/bob.sent | cmp - alice
urtext replay code-colosseum/spectator.received | cmp - alice
tail -n 1 alice
grep -c ' rolled ' alice
