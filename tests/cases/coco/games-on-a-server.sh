# An independent server ($PYTHON) that keeps to its protocol: plays on whatever is cut and wherever.
coco --cut 3 --pings; only '^4 scenarios: .*' urtext run --subject $url $coco_games 4

# Very many empty frames before the end are nothing, and are reported; a few are not.
coco --empty-frames 100000; only '^1 scenario: .*|the server sent 100000 empty frames on one lane$' urtext run --subject $url $coco_games 1

coco --empty-frames 1000; only 'frames' urtext run --subject $url $coco_games 1 -v

coco --empty-frames 2000
only 'the server sent 2000 empty frames on one lane$' urtext explore --subject $url --games 2 --seed 1 --budget answer=60s

# What depends on the course of the game is played, and so is what forces rolls, by chance.
coco; cp $cases/run/_whoever.yaml whoever.yaml
only '^[0-9]* scenarios: .*' urtext run whoever.yaml $scenarios/royalur/referee/own-token.yaml --subject $url --no-diagnosis $patient

# A fault shows through the frames.
coco --misbehave echoes-moves --cut 2; only 'fail\[ur/move/not-echoed\]' urtext run --subject $url $coco_games 1

# Title and password of the address hold for players.
coco; urtext run --subject "$url?password=a%26b&title=a%20game&pace=1ms&timeout=60s" $coco_games 1 > /dev/null

# A server can be a subject of the file and be started by urtext.
coco; cat > urtext.yaml <<END
subjects:
  there: {as: referee, game: royalur, players: '$url?game=royalur'}
  plain: {as: referee, game: royalur, reach: coco, players: '${up#listening on }'}
  started: {as: referee, game: royalur, reach: coco, command: [$python, '$PEERS/coco_server.py', --port, '{port}']}
  tells: {as: referee, game: royalur, reach: coco, ready: 'listening on {players}', command: [$python, '$PEERS/coco_server.py']}
END
for subject in there plain started tells; do only '^1 scenario: .*' urtext run --subject $subject $coco_games 1; echo "$subject: status $?"; done
urtext run --as referee --connect "$url?pace=0s" --free-games 1 $patient > /dev/null
