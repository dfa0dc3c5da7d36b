# Everything is told, and no budget ends the game: these end every game before it begins.
cat > urtext.yaml <<'END'
subjects:
  mine: {as: bot, game: royalur, command: [urtext, bot, royalur], budgets: {start: 1ms, handshake: 1ms, answer: 1ms, close: 1ms, forfeit: 1ms, whole: 1ms}}
  ref:
    as: referee
    game: royalur
    budgets: {start: 1ms, handshake: 1ms, answer: 1ms, close: 1ms, forfeit: 1ms, whole: 1ms}
    rolls: {environment: URTEXT_ROLLS}
    command: [urtext, referee, royalur, --spectators, '{spectators}', --pace, '{pace}', --timeout, '{timeout}']
END
urtext run --suite royalur/referee/own-token --subject ref > /dev/null 2> /dev/null; echo "status $?"
only '^1 scenario: .*' urtext run --suite royalur/referee/own-token --subject ref --debug; echo "status $?"
urtext run --suite royalur/referee/own-token --subject ref --debug 2> told > /dev/null; id=$(sed -n 's/^ref runs as process \([0-9]*\);.*/\1/p' told)
sed -n "1,4s/$id/ID/p" told; grep -oE '^ref: |\(first\) > |^spectator 1 < RETIRE$|^spectator 1: closed by the referee$' told | sort -u

only 'mine has ended: exit status 0' urtext run --suite royalur/bot/first-seat --subject mine --debug

# A failure is found in one game.
urtext run --suite royalur/referee/own-token --no-diagnosis --debug $referee --fault stacking 2> told | grep '^1 scenario: '; grep -c ' runs as process ' told

# One scenario is debugged.
only '--debug plays one game with a process, and this would be [0-9a-z ]+|name one scenario|its command after `--as SIDE --`' urtext run --debug --suite royalur/bot --as bot -- true

rm urtext.yaml; only '--debug plays one game with a process, and this would be [0-9a-z ]+|name one scenario|its command after `--as SIDE --`' urtext run --debug --suite royalur/bot/first-seat
