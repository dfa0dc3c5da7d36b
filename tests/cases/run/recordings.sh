# A recording is judged without the files of its scenario.
mkdir mine; printf 'turns:\n  - first: 0 0 0 0\n' > mine/_opening.yaml
printf 'scenario: s\ngame: royalur\nsubject: referee\nchecks: [ur/skip/roll-0]\nturns:\n  - include: _opening.yaml\n  - second: 0 0 0 0\n' > mine/a.yaml
urtext run mine/a.yaml --bless > /dev/null && urtext run mine/a.yaml --record good > /dev/null && rm -r mine
only 'pass good/mine/a.jsonl: mine/a, ' urtext verify good/mine/a.jsonl

sed 's/\("golden":".*\)0 0 0 0/\10 0 1 0/' good/mine/a.jsonl > other.jsonl
only 'differs from its golden transcript|the recording says `pass`, and its events lead to `fail`: the file was changed' urtext verify other.jsonl

# A game that takes too long is an error again: this one takes as long as the timeout.
only 'the game was not over after 1ms' urtext run --suite royalur/referee/timeout --record . --budget whole=1ms

only 'the game was not over after 1ms|= in .*' urtext verify royalur/referee/timeout.jsonl

# A bot that is silent in one game only is blamed by its recording too.
script="if mkdir $PWD/spoken 2> /dev/null; then exec urtext bot royalur; else exit 0; fi"
silent='the bot sent nothing here, and answers in other scenarios'
only "$silent" urtext run --suite royalur/bot/first-seat --suite royalur/bot/second-seat --jobs 1 --record games --no-diagnosis --budget answer=5s --as bot -- sh -c "$script"
only "$silent|2 games, 1 complaint\$" urtext verify $(find games -name '*.jsonl' | sort)

# Recordings are written without following links.
mkdir outside; echo mine > outside/victim; echo mine > outside/own-token.jsonl; mkdir -p file/royalur/referee folder/royalur
ln -s $PWD/outside/victim file/royalur/referee/own-token.jsonl; ln -s $PWD/outside folder/royalur/referee
urtext run --suite royalur/referee/own-token --record file > /dev/null; test -h file/royalur/referee/own-token.jsonl; echo "a link: $?"
only '`referee` is a link or no folder' urtext run --suite royalur/referee/own-token --record folder; cat outside/*; ls outside

# A failed game says so wherever its recording is read, and is drawn as it was in the run.
urtext run --suite royalur/referee/own-token --record . $referee --fault retire-lowercase > run.txt 2> /dev/null; echo "status $?"
urtext verify royalur/referee/own-token.jsonl > verified; echo "status $?"; sed '/^   = in /,$d' verified > finding; grep -o 'fail\[.*\]: \|specification' finding
case "$(cat run.txt)" in *"$(cat finding)"*) grep '^   = in ' verified ;; esac

title=$(sed -n '1{s/.*\]: //; s/ (must)//; p}' finding); urtext replay --print royalur/referee/own-token.jsonl > shown 2> complained; echo "status $?"
last=$(tail -n 1 shown); case $last in "fail at turn "*"$title") echo it ends with the title ;; esac
case "$(cat complained)" in *"$(cat finding)"*) echo it complains of the same ;; esac
turn=${last#fail at turn }; turn=${turn%%:*}; urtext replay --at $turn royalur/referee/own-token.jsonl 2> /dev/null > at
echo "status $?"; test "$(tail -n 1 at)" = "$last" && only 'fail at turn' urtext replay --at 1 royalur/referee/own-token.jsonl

# What was judged when it was played is not believed, and what it lacks is no pass.
change() { sed -E "$2" royalur/referee/own-token.jsonl > changed.jsonl; only "$1" urtext verify changed.jsonl; echo "status $?"; }
change 'the recording says `pass`, and its events lead to `fail`: the file was changed' 's/\{"verdict":\{"verdict":"fail"/{"verdict":{"verdict":"pass"/'
change 'version 1 of the recording format is not known' '1s/"version":3,/"version":1,/'
change 'inconclusive: judged again| = in changed.jsonl$|it has no verdict, so it was not written to its end' 's/\{"verdict":\{"verdict":"fail"/{"verdicts":{"verdict":"fail"/'
change 'would not have sent' '0,/"dir":"sent","text":"/s//&3/'
