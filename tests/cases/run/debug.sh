# Everything is told, and no budget ends the game: these end every game before it begins.
cp $cases/run/_hasty-subjects.yaml urtext.yaml
urtext run --suite royalur/referee/own-token --subject ref > /dev/null 2> /dev/null; echo "status $?"
only '^1 scenario: .*' urtext run --suite royalur/referee/own-token --subject ref --debug; echo "status $?"
urtext run --suite royalur/referee/own-token --subject ref --debug 2> told > /dev/null; id=$(sed -n 's/^ref runs as process \([0-9]*\);.*/\1/p' told)
sed -n "/ runs as process /,/py-spy/s/$id/ID/p" told; grep -oE '^ref: |\(first\) > |^spectator 1 < RETIRE$|^spectator 1: closed by the referee$' told | sort -u

only 'mine has ended: exit status 0' urtext run --suite royalur/bot/first-seat --subject mine --debug

# A failure is found in one game.
only '^1 scenario: .*| runs as process ' urtext run --suite royalur/referee/own-token --no-diagnosis --debug $referee --fault stacking

# One scenario is debugged.
only '--debug plays one game with a process, and this would be [0-9a-z ]+|name one scenario|its command after `--as SIDE --`' urtext run --debug --suite royalur/bot --as bot -- true

rm urtext.yaml; only '--debug plays one game with a process, and this would be [0-9a-z ]+|name one scenario|its command after `--as SIDE --`' urtext run --debug --suite royalur/bot/first-seat
