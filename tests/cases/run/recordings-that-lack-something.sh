urtext run --suite royalur/referee/own-token --record . > /dev/null; cp royalur/referee/own-token.jsonl game.jsonl; urtext verify game.jsonl

# What a recording lacks makes no pass.
change() { says=$1; shift; sed -E "$@" game.jsonl > changed.jsonl; only "$says" urtext verify changed.jsonl; echo "status $?"; }
change 'it has no verdict' '$d'
change 'the game was broken off' '10,$d'
change '1 lines of a kind that urtext' '1a [1,{"thought":1}]'
change 'would not have sent' '0,/"dir":"sent","text":"/s//&3/'
change 'lacks the parameter `lag`' '0,/"lag":/s//"leg":/'
change 'cannot be read' '1s/game: royalur/game: royal/'
change 'the lanes of the recording' '1s/"lanes":\[/&"player",/'
change 'interrupted' -e '11,$d' -e '10a [900000000,"interrupted"]'
change 'the recording cannot be written: the disk is full' '$c {"broken":"the disk is full"}'
