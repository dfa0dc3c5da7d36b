printf '# urtext golden transcript 2\ndialect: code-colloseum\ndialect: code-colosseum\nPlayerA\n' > game.txt
printf '[first]\n3\\q\n\\x1 \n[fist]\nPlayerA\n[first]\n>\342\200\2563 \n[spectator]\n[second\nB\n\\u{d800}\n' >> game.txt
urtext check game.txt
