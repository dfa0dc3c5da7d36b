# What it sees of the built-in peers of both games, step by step.
urtext doctor --game royalur > said; echo "status $?"
grep -oE '^royalur (referee|bot) |, as forced through its command$|^  ok            first move  .*|^  ok            spectators  1 received |^  ok            moves       .*|^  ok            ends        .*| shipped scenarios can be played$|not reached|  - |  note  ' said

only '^onitama (referee|bot) |^  ok            first roll  .*|^  ok            moves       .*' urtext doctor --game onitama

# All subjects of the file ($PYTHON), and what to write for a missing roll hook.
[ -n "$PYTHON" ] && cat > urtext.yaml <<END
subjects:
  referee: {as: referee, game: royalur, BUDGETS, command: [python3, -S, $PEERS/ur_referee.py, --port, '{port}', --spectator-port, '{spectator_port}',
    --spectators, '{spectators}', --pace, '{pace}', --timeout, '{timeout}']}
  bot: {as: bot, game: royalur, BUDGETS, command: [python3, -S, $PEERS/ur_bot.py]}
  judge: {as: referee, game: onitama, BUDGETS, command: [python3, -S, $PEERS/oni_judge.py, --port, '{port}', --timeout, '{timeout}']}
  other bot: {as: bot, game: onitama, BUDGETS, command: [python3, -S, $PEERS/oni_bot.py, '{host}', '{port}']}
END
sed -i 's/BUDGETS/budgets: {start: 60s, handshake: 60s, answer: 60s}/' urtext.yaml
urtext doctor > said; echo "status $?"; grep -c 'every stream ended after the game' said
grep -oE 'see below|not reached|, from its own dice: it has no roll hook$|  - if it can take forced rolls, .*|  - `late-spectator: whole`.*|: it forces rolls, and this referee takes none .*|it forces `deal` and `starter`, and this referee takes none .*| shipped scenarios cannot be played$' said | sort -u

only '^royalur bot `bot` \(|onitama' urtext doctor --subject bot

only 'there is no subject of this game' urtext doctor --game lines

# A subject that cannot be started or never speaks is status 3 at its step.
only '^  error         starts      see below|^  -             first move  not reached|`./no-such-program` cannot be started: |repeat: .*|shipped scenarios' \
  urtext doctor --as bot -- ./no-such-program

it() { echo "subjects: {it: {$1}}" > urtext.yaml; shift; only "$@" urtext doctor --subject it; }
# Only silence spends these budgets, once the program is started.
brief='budgets: {start: 5s, handshake: 300ms, answer: 300ms, close: 100ms}'
it "as: referee, game: royalur, ready: 'on {port}', spectators: none, command: [sleep, '600'], $brief" \
  '^  error         starts      see below|did not print a line with `on \{port\}`|--budget start=DURATION gives it more time'
echo "status $?"
it "as: bot, game: onitama, reach: stdio, command: [sleep, '600'], $brief" \
  '^  ok            starts      connected: |^  error         first move  see below|error: the bot never said a byte'

# A roll hook that does not work is status 3 and shows both rolls.
echo "subjects: {it: {as: referee, game: royalur, rolls: {environment: OTHER}, command: [urtext, referee, royalur, --seed, '3', --pace, '0', --spectators, '{spectators}']}}" > urtext.yaml
only '^  ok            first line  came after |^  error         first roll  see below|^  -             first move  not reached|error: the roll hook does not work|was forced as `' \
  urtext doctor --subject it

# A subject that breaks the protocol is status 1 with the requirement.
only '^  fail          first roll  see below|fail\[ur/roll/line\]: ' urtext doctor --as referee --set rolls.environment=URTEXT_ROLLS -- \
  urtext referee royalur --fault roll-without-spaces --seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace}

only '^  fail          first move  see below|received  banana' urtext doctor --as bot -- sh -c 'echo banana; exec cat > /dev/null'

only '^  ok            moves       2 of its own, all legal|^  fail          ends        see below' urtext doctor --as bot -- urtext bot royalur --policy first --fault survives-eof

# A fault of the user is status 2, and a missing value status 4.
echo "subjects: {it: {as: bot, game: royalur, command: [urtext, bot, royalur, '{depth}'], parameters: {depth: {type: number}}}}" > urtext.yaml
only 'did you mean `it`' urtext doctor --subject its

only '^  unsupported   starts      see below|--set depth=VALUE' urtext doctor
