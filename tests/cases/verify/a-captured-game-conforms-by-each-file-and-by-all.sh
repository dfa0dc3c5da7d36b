cd code-colosseum
for file in *; do urtext verify $file; done

# A pair of files is one game.
urtext verify code-colosseum/*

urtext verify --together code-colosseum/*

# A game without rolls and names.
urtext verify --together onitama-judge/bottom.txt onitama-judge/top.txt
