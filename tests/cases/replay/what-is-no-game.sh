urtext replay missing.txt

urtext replay seed/first.txt --dialect chess960

# The game of the second player has turns 0 to 9.
urtext replay seed/first.txt --json --at 10
